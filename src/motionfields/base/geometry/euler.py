"""Conversion between quaternions and Euler angles in all twelve orders.

An order such as "ZYX" is intrinsic: turn about z, then about the new y, then about the new x, so the rotation is Rz Ry
Rx. BVH files list their channels in this way. For the extrinsic reading, reverse the order and the angles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry.angles import wrap_angle
from motionfields.base.geometry.batches import checked
from motionfields.base.geometry.quaternions import quat_multiply

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ")


def quat_from_euler(angles: ArrayLike, order: str) -> FloatArray:
    """Return the rotation [..., 4] of intrinsic Euler `angles` [..., 3] in radians, applied in `order`."""
    axes = _axes(order)
    values = checked("angles", angles, 3)
    result = _about(axes[0], values[..., 0])
    for place in (1, 2):
        result = quat_multiply(result, _about(axes[place], values[..., place]))
    return result


def euler_from_quat(q: ArrayLike, order: str) -> FloatArray:
    """Return the intrinsic Euler angles [..., 3] in radians of `q` [..., 4], for `order`.

    The middle angle lies in [-pi/2, pi/2] when all axes differ and in [0, pi] otherwise, the outer ones in (-pi, pi].
    In gimbal lock only the sum or difference of the outer angles is defined, and the last of the three is set to 0.
    After Bernardes and Viollet 2022.
    """
    third, second, first = _axes(order)
    symmetric = first == third
    if symmetric:
        third = 3 - first - second
    sign = (first - second) * (second - third) * (third - first) // 2
    values = checked("q", q, 4)
    w, qi, qj, qk = values[..., 0], values[..., 1 + first], values[..., 1 + second], sign * values[..., 1 + third]
    a, b, c, d = (w, qi, qj, qk) if symmetric else (w - qj, qi + qk, qj + w, qk - qi)
    middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    low, high = middle <= 1e-7, middle >= np.pi - 1e-7
    # Gimbal lock: the outer axes coincide, and the first angle takes the whole turn.
    outer_first = np.where(low, 2.0 * half_sum, np.where(high, 2.0 * half_difference, half_sum + half_difference))
    outer_last = np.where(low | high, 0.0, half_sum - half_difference)
    if not symmetric:
        outer_first = outer_first * sign
        middle = middle - 0.5 * np.pi
    return np.stack([wrap_angle(outer_first), middle, wrap_angle(outer_last)], axis=-1)


def _axes(order: str) -> tuple[int, int, int]:
    if order not in EULER_ORDERS:
        raise ValueError(f"order: expected one of {', '.join(EULER_ORDERS)}, got {order!r}")
    first, second, third = ("XYZ".index(letter) for letter in order)
    return first, second, third


def _about(axis: int, angle: FloatArray) -> FloatArray:
    """Return the rotation [..., 4] about one coordinate `axis` (0, 1 or 2) by `angle` [...] radians."""
    q = np.zeros((*angle.shape, 4), angle.dtype)
    q[..., 0] = np.cos(0.5 * angle)
    q[..., 1 + axis] = np.sin(0.5 * angle)
    return q
