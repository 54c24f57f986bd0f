"""Spin turns in time: how fast a body turns on the ball of one foot, and how the foot and the free leg keep up.

The rates stay below 450 degrees a second, about what the pelvis of an athlete reaches.
"""

from __future__ import annotations

import numpy as np

from motionfields.arrays import FloatArray

RAMP = 0.12  # seconds in which a body comes to its full rate of turning, and to rest again
RATES = ((30.0, 90.0, 180.0), (290.0, 380.0, 415.0))  # degrees of a turn, and degrees a second at its fastest
FOOT_LAG = 0.02  # seconds by which the foot on the floor turns after the body
LEFT_TO_HIP = (0.25, np.radians(14.0))  # of its turn a hip takes this share, up to so many radians; the foot the rest
LEG_TIME = 1.2  # longest time of the free leg on its way round, over that of the body
HURRIED_LEG_TIME, LEAST_LEG_TIME = 0.88, 0.3  # the same for a leg that leaves late, in a spin; but at least 0.3 seconds
FASTEST_LEG = 2.5  # a leg that has time is at first at most this much faster than its mean


def spin_seconds(angle: float) -> float:
    """How long the body takes for a turn by `angle` radians of either sign, from rest to rest."""
    return _full_rate_seconds(angle) + RAMP


def spin_share(since: FloatArray | float, angle: float, *, within: float | None = None) -> FloatArray:
    """Share [...] of a turn by `angle` radians that is made `since` [...] seconds after it began.

    The turn takes `within` seconds, by default those of the body.
    """
    held, own = _full_rate_seconds(angle), spin_seconds(angle)
    at = since * own / (own if within is None else within)
    return np.asarray((_ramped(at) - _ramped(at - held)) / held)


def leg_seconds(angle: float, *, left: float, hurried: bool) -> float:
    """How long the free leg is on its way round in a turn by `angle` radians, with `left` seconds to its touch-down.

    It is `hurried` if it left the floor after the body had begun to turn.
    """
    own = spin_seconds(angle)
    return min(left, max(HURRIED_LEG_TIME * own, LEAST_LEG_TIME) if hurried else LEG_TIME * own)


def foot_turn(angle: float) -> float:
    """Radians by which the foot on the floor turns on its ball while the body turns by `angle` radians."""
    share, most = LEFT_TO_HIP
    return float(np.sign(angle) * (abs(angle) - min(share * abs(angle), most)))


def swing_phase(time: FloatArray, span: tuple[float, float], *, begin: float, usual: float) -> FloatArray:
    """Phase [frame] of a swing with lift and touch-down at `span` seconds: 0 at the one, 1 at the other.

    Until the spin's `begin` it runs as a swing of `usual` seconds does, then as the time left asks.
    """
    lift, down = span
    at_begin, left = (begin - lift) / usual, down - begin
    share = np.clip((time - begin) / left, 0.0, 1.0)
    pace = min(left / usual / (1.0 - at_begin), FASTEST_LEG)
    curve = pace * share + (1.0 - pace) * share**2 * (3.0 - 2.0 * share)
    before = np.minimum((time - lift) / usual, at_begin)
    return np.asarray(before + (1.0 - at_begin) * curve + np.maximum(time - down, 0.0) / usual)


def _full_rate_seconds(angle: float) -> float:
    degrees = abs(np.degrees(angle))
    return float(degrees / np.interp(degrees, *RATES))


def _ramped(since: FloatArray | float) -> FloatArray:
    """The integral [...] in seconds of a rate that goes smoothly from 0 to 1 within the ramp."""
    share = np.clip(since / RAMP, 0.0, 1.0)
    return np.asarray(RAMP * (share**3 - 0.5 * share**4) + np.maximum(since - RAMP, 0.0))
