"""Blend weights over time."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray


def smooth_share(time: FloatArray) -> FloatArray:
    """Return the quintic [...] that rises from 0 at time 0 to 1 at time 1 with two continuous derivatives."""
    x = np.clip(time, 0.0, 1.0)
    return np.asarray(x**3 * (x * (6.0 * x - 15.0) + 10.0))
