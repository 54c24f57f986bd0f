"""Frames on the ground: a position and a facing, with the height left unchanged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry.angles import quat_from_yaw, wrap_angle
from motionfields.base.geometry.batches import checked
from motionfields.base.geometry.quaternions import quat_rotate


class GroundFrame(NamedTuple):
    """Position and facing on the ground: the transform `world_from_ground`."""

    position: FloatArray  # [..., 2], world x and z in metres
    yaw: FloatArray  # [...], radians

    def to_world(self, points: ArrayLike) -> FloatArray:
        """Return `points` [..., 3], given in this frame, in world coordinates; heights do not change."""
        return quat_rotate(quat_from_yaw(self.yaw), points) + _raised(self.position)

    def to_ground(self, points: ArrayLike) -> FloatArray:
        """Return world `points` [..., 3] in the coordinates of this frame; the inverse of `to_world`."""
        return quat_rotate(quat_from_yaw(-np.asarray(self.yaw)), checked("points", points, 3) - _raised(self.position))

    def compose(self, inner: GroundFrame) -> GroundFrame:
        """Return `inner`, a frame given in this one, as a frame in the world."""
        place = self.to_world(_raised(inner.position))
        return GroundFrame(place[..., ::2], wrap_angle(np.asarray(self.yaw) + np.asarray(inner.yaw)))

    def inverse(self) -> GroundFrame:
        """Return the world's frame as seen from this one; `compose` of the two is the identity."""
        place = self.to_ground(np.zeros(3))
        return GroundFrame(place[..., ::2], wrap_angle(-np.asarray(self.yaw)))


def turn_over_ground(vectors: FloatArray, yaw: FloatArray) -> FloatArray:
    """Return ground-plane `vectors` [..., 2], x and z, turned left by `yaw` [...] radians."""
    sine, cosine = np.sin(yaw), np.cos(yaw)
    flat = checked("vectors", vectors, 2)
    x, z = flat[..., 0], flat[..., 1]
    return np.stack([cosine * x + sine * z, cosine * z - sine * x], axis=-1)


def ground_frame(root_position: ArrayLike, yaw: ArrayLike) -> GroundFrame:
    """Return the frame below `root_position` [..., 3] in metres, facing `yaw` [...] in radians."""
    return GroundFrame(checked("root_position", root_position, 3)[..., ::2], np.asarray(yaw, dtype=np.float64))


def _raised(position: ArrayLike) -> FloatArray:
    """Return ground positions [..., 2] as points [..., 3] at height zero."""
    flat = checked("position", position, 2)
    return np.stack([flat[..., 0], np.zeros_like(flat[..., 0]), flat[..., 1]], axis=-1)
