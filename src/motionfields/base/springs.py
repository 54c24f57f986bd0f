"""Critically damped springs, which decay the offset between the followed and the displayed pose (inertialization)."""

from __future__ import annotations

import math

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import lean_kernel


def spring_stiffness(half_life: float) -> float:
    """Return the stiffness per second of a critically damped spring with a half-life of `half_life` seconds."""
    return 2.0 * math.log(2.0) / half_life


@lean_kernel
def damp(offset: FloatArray, rate: FloatArray, stiffness: float, decay: float, frame_time: float) -> None:
    """Advance a spring towards zero by one frame, exactly, in place: `offset` [n] and its `rate` [n] per second.

    `decay` is exp(-stiffness * frame_time).
    """
    # Closed form of the damped spring over one frame, so the result does not depend on how time is cut into steps.
    # `push` must be read before `rate` and `offset` are overwritten.
    for c in range(len(offset)):
        push = rate[c] + stiffness * offset[c]
        rate[c] = decay * (rate[c] - stiffness * push * frame_time)
        offset[c] = decay * (offset[c] + push * frame_time)
