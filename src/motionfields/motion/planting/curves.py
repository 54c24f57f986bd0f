"""Easing curves of foot locking, as functions of plain numbers: fades, soft limits and a damped spring."""

from __future__ import annotations

import math

from motionfields.base.compiled import lean_kernel


@lean_kernel
def smoothstep(x: float) -> float:
    """Return 0 up to x = 0, 1 from x = 1 on, and a smooth transition between."""
    u = min(max(x, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


@lean_kernel
def soft_positive(x: float, softness: float) -> float:
    """Return max(x, 0) with the corner rounded over `softness` on both sides; never less than max(x, 0)."""
    if x <= -softness:
        return 0.0
    if x >= softness:
        return x
    return (x + softness) ** 2 / (4.0 * softness)


@lean_kernel
def fading(share: float, value: float, rate: float) -> float:
    """Return a quintic that starts at `value` with slope `rate` and no curvature, and rests at zero from share 1 on.

    The slope is per unit of `share`: the rate per second times the duration.
    """
    u = min(max(share, 0.0), 1.0)
    left = 1.0 - u
    start = value * (1.0 + 3.0 * u + 6.0 * u * u) + rate * u * (1.0 + 3.0 * u)
    return left * left * left * start


@lean_kernel
def damped(value: float, rate: float, goal: float, duration: float, frame_time: float) -> tuple[float, float]:
    """Return value and rate, one frame later, of a critically damped spring that lags `goal` by `duration` seconds."""
    # Closed form over one frame, so the spring is stable and frame-rate independent for any `duration` above 0.
    stiffness = 2.0 / duration
    off = value - goal
    push = rate + stiffness * off
    decay = math.exp(-stiffness * frame_time)
    return goal + (off + push * frame_time) * decay, (rate - stiffness * push * frame_time) * decay
