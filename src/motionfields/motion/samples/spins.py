"""Spin turns in time: how fast a body turns on the ball of one foot, and how the foot and the free leg keep up.

The rates stay below 450 degrees a second, about what the pelvis of an athlete reaches.
"""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray

RAMP = 0.17  # seconds in which a body comes to its full rate of turning, and to rest again, in all but small turns
RATES = ((30.0, 60.0, 90.0, 180.0), (275.0, 380.0, 425.0, 435.0))  # degrees of a turn, degrees a second at its fastest
ROUNDING = 0.15  # share of a ramp in which the acceleration comes up, and in which it goes down again
FOOT_LAG = 0.02  # seconds by which the foot on the floor turns after the body
LEFT_TO_HIP = (0.25, np.radians(14.0))  # of its turn a hip takes this share, up to so many radians; the foot the rest
LEG_TIME = 1.43  # longest time of the free leg on its way round, over that of the body
# The same for a leg that leaves late, in a spin, and its least time in seconds: on the inside foot, on the outside one,
# where the leg is not in the way of the other.
HURRIED_LEG_TIMES, LEAST_LEG_TIMES = (0.8, 1.1), (0.3, 0.38)
FASTEST_LEG = 2.5  # a leg that has time is at first at most this much faster than its mean


def spin_seconds(angle: float) -> float:
    """How long the body takes for a turn by `angle` radians of either sign, from rest to rest."""
    return _full_rate_seconds(angle) + _ramp_seconds(angle)


def spin_share(since: FloatArray | float, angle: float, *, within: float | None = None) -> FloatArray:
    """Share [...] of a turn by `angle` radians that is made `since` [...] seconds after it began.

    The turn takes `within` seconds, by default those of the body.
    """
    held, ramp = _full_rate_seconds(angle), _ramp_seconds(angle)
    at = since * (1.0 if within is None else (held + ramp) / within)
    return np.asarray((_ramped(at, ramp) - _ramped(at - held, ramp)) / held)


def leg_seconds(angle: float, *, left: float) -> float:
    """How long the free leg is on its way round in a turn by `angle` radians, with `left` seconds to its touch-down."""
    return min(left, LEG_TIME * spin_seconds(angle))


def hurried_leg_seconds(angle: float, *, left: float, outside: bool) -> float:
    """The same for a leg that left the floor after the body had begun to turn, on the `outside` foot or the inside."""
    return min(left, max(HURRIED_LEG_TIMES[outside] * spin_seconds(angle), LEAST_LEG_TIMES[outside]))


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


def _ramp_seconds(angle: float) -> float:
    return min(RAMP, _full_rate_seconds(angle))


def _ramped(since: FloatArray | float, ramp: float) -> FloatArray:
    """The integral [...] in seconds of a rate that goes from 0 to 1 within `ramp` seconds, evenly but for its ends.

    Of all ways up that is nearly the one with the least acceleration, and so with the least jerk on the whole.
    """
    bend = ROUNDING * ramp
    parts = [sign * np.maximum(since - at, 0.0) ** 3 for sign, at in
             ((1.0, 0.0), (-1.0, bend), (-1.0, ramp - bend), (1.0, ramp))]  # fmt: skip
    return np.asarray(sum(parts) / (6.0 * bend * (ramp - bend)))
