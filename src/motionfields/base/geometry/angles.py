"""Wrapped angles, and headings on the ground: yaw 0 faces +z, positive yaw turns left, towards +x."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry.batches import checked
from motionfields.base.geometry.quaternions import quat_conjugate, quat_multiply


def wrap_angle(angle: ArrayLike) -> FloatArray:
    """Return `angle` [...] in radians wrapped into (-pi, pi]."""
    turned = np.asarray(angle, dtype=np.float64)
    wrapped = np.pi - np.mod(np.pi - turned, 2.0 * np.pi)
    # mod of a tiny negative number rounds up to 2 pi, which would give -pi.
    return np.asarray(np.where(wrapped <= -np.pi, np.pi, wrapped))


def angle_difference(later: ArrayLike, earlier: ArrayLike) -> FloatArray:
    """Return the signed turn [...] from `earlier` to `later`, in radians within (-pi, pi]."""
    return wrap_angle(np.asarray(later, dtype=np.float64) - np.asarray(earlier, dtype=np.float64))


def heading_vector(yaw: ArrayLike) -> FloatArray:
    """Return the unit vector [..., 3] on the ground that a character with `yaw` [...] in radians faces."""
    angle = np.asarray(yaw, dtype=np.float64)
    return np.stack([np.sin(angle), np.zeros_like(angle), np.cos(angle)], axis=-1)


def yaw_of_vector(vector: ArrayLike) -> FloatArray:
    """Return the yaw [...] in radians of a character facing along `vector` [..., 3]; the height is ignored."""
    values = checked("vector", vector, 3)
    return np.asarray(np.arctan2(values[..., 0], values[..., 2]))


def quat_from_yaw(yaw: ArrayLike) -> FloatArray:
    """Return the rotation [..., 4] about the vertical by `yaw` [...] radians."""
    half = 0.5 * np.asarray(yaw, dtype=np.float64)
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, np.sin(half), zero], axis=-1)


def yaw_from_quat(q: ArrayLike) -> FloatArray:
    """Return the twist [...] of `q` [..., 4] about the vertical, in (-pi, pi] radians; 0 where it is undefined."""
    values = checked("q", q, 4)
    return wrap_angle(2.0 * np.arctan2(values[..., 2], values[..., 0]))


def split_yaw(q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return `q` [..., 4] as (yaw [...], tilt [..., 4]), where q = quat_from_yaw(yaw) * tilt and the tilt has no yaw.

    This is the swing-twist decomposition about the vertical. Upside down, where the twist is undefined, yaw is 0.
    """
    yaw = yaw_from_quat(q)
    return yaw, quat_multiply(quat_conjugate(quat_from_yaw(yaw)), q)
