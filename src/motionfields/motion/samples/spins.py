"""Timing of spin turns: how fast a body turns on the ball of one foot, and how the foot and the free leg follow.

The rates stay below 450 degrees per second, about what the pelvis of an athlete reaches.
"""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray

RAMP = 0.17  # seconds in which a body reaches its full turning rate, and comes to rest again, except in small turns
RATES = ((30.0, 60.0, 90.0, 180.0), (275.0, 380.0, 425.0, 435.0))  # turn in degrees, peak rate in degrees per second
ROUNDING = 0.15  # share of a ramp in which the acceleration rises, and in which it falls again
FOOT_LAG = 0.02  # seconds by which the foot on the floor turns after the body
LEFT_TO_HIP = (0.25, np.radians(14.0))  # share of the turn that the hip takes, and its limit in radians
LEG_TIME = 1.43  # longest swing time of the free leg divided by the turn time of the body
# The same for a leg that lifts late, during a spin, and its shortest time in seconds: spinning on the inside foot, and
# on the outside one, where the leg is not in the way of the other.
HURRIED_LEG_TIMES, LEAST_LEG_TIMES = (0.8, 1.1), (0.3, 0.38)
FASTEST_LEG = 2.5  # largest initial speed of a swing with time to spare, relative to its mean


def spin_seconds(angle: float) -> float:
    """Return the time in seconds that the body takes to turn by `angle` radians of either sign, from rest to rest."""
    return _full_rate_seconds(angle) + _ramp_seconds(angle)


def spin_share(since: FloatArray | float, angle: float, *, within: float | None = None) -> FloatArray:
    """Return the share [...] of a turn by `angle` radians that is complete `since` [...] seconds after it began.

    The turn takes `within` seconds, by default those of the body.
    """
    held, ramp = _full_rate_seconds(angle), _ramp_seconds(angle)
    at = since * (1.0 if within is None else (held + ramp) / within)
    return np.asarray((_ramped(at, ramp) - _ramped(at - held, ramp)) / held)


def leg_seconds(angle: float, *, left: float) -> float:
    """Return the seconds that the free leg takes to swing round in a turn by `angle` radians, at most `left`."""
    return min(left, LEG_TIME * spin_seconds(angle))


def hurried_leg_seconds(angle: float, *, left: float, outside: bool) -> float:
    """Return the same for a leg that lifted after the body began to turn, on the `outside` foot or the inside one."""
    return min(left, max(HURRIED_LEG_TIMES[outside] * spin_seconds(angle), LEAST_LEG_TIMES[outside]))


def foot_turn(angle: float) -> float:
    """Return radians by which the foot on the floor turns on its ball while the body turns by `angle` radians."""
    share, most = LEFT_TO_HIP
    return float(np.sign(angle) * (abs(angle) - min(share * abs(angle), most)))


def swing_phase(time: FloatArray, span: tuple[float, float], *, begin: float, usual: float) -> FloatArray:
    """Return the phase [frame] of a swing with lift and touch-down at `span` seconds: 0 at lift, 1 at touch-down.

    Until the spin's `begin` it runs like a swing of `usual` seconds, then as fast as the remaining time requires.
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
    """Return the integral [...] in seconds of a rate that rises from 0 to 1 in `ramp` seconds, linear but for its ends.

    Of all ramps, this is nearly the one with the smallest acceleration, and thus with little jerk overall.
    """
    bend = ROUNDING * ramp
    parts = [sign * np.maximum(since - at, 0.0) ** 3 for sign, at in
             ((1.0, 0.0), (-1.0, bend), (-1.0, ramp - bend), (1.0, ramp))]  # fmt: skip
    return np.asarray(sum(parts) / (6.0 * bend * (ramp - bend)))
