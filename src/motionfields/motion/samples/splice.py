"""Transition from one motion to another that branches off it: the first until the join, then the second."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_conjugate, quat_exp, quat_log, quat_multiply

Scalar = TypeVar("Scalar", bound=np.generic)


class Join(NamedTuple):
    """Time of the transition from one motion to another, on the frames of both."""

    time: FloatArray  # [frame], seconds
    at: float  # seconds, when the second motion begins
    within: float  # seconds in which the remaining difference between the two fades

    def over(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return `first` [frame, ...] before the join, then `second` plus the fading difference of the two.

        The difference keeps its value, speed and acceleration at the join and comes to rest at zero.
        """
        gap = first - second
        left = self._fading(gap)
        return np.asarray(np.where(_aligned(self.time <= self.at, gap), first, second + left))

    def over_rotations(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the same for unit quaternions [frame, ..., 4], where no pair is far apart around the join."""
        gap = quat_log(quat_multiply(first, quat_conjugate(second)))
        turned = quat_multiply(quat_exp(self._fading(gap)), second)
        return np.asarray(np.where(_aligned(self.time <= self.at, second), first, turned))

    def _fading(self, gap: FloatArray) -> FloatArray:
        """Return the rest [frame, ...] of `gap` [frame, ...] after the join: the quintic that comes to rest at 0."""
        frame_time = float(self.time[1] - self.time[0])
        frame = int(np.searchsorted(self.time, self.at, side="right")) - 1
        value = gap[frame]
        speed = (gap[frame + 1] - gap[frame - 1]) / (2.0 * frame_time) * self.within
        bend = (gap[frame + 1] - 2.0 * value + gap[frame - 1]) / frame_time**2 * self.within**2
        s = _aligned(np.clip((self.time - self.time[frame]) / self.within, 0.0, 1.0), gap)
        rest = (1.0 - s) ** 3
        return np.asarray(rest * (value + s * (3.0 * value + speed) + s**2 * (6.0 * value + 3.0 * speed + 0.5 * bend)))


def _aligned(values: NDArray[Scalar], like: FloatArray) -> NDArray[Scalar]:
    """Return `values` [frame] with as many axes as `like` [frame, ...]."""
    return np.asarray(values.reshape(-1, *([1] * (like.ndim - 1))))
