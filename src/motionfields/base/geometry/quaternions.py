"""Rotations as unit quaternions `wxyz`, in batches.

Every function takes arrays [..., 4] whose leading axes broadcast against each other. `quat_multiply(a, b)` rotates by
`b` first and then by `a`, so `world_from_joint = quat_multiply(world_from_parent, parent_from_joint)`. A quaternion and
its negative are the same rotation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base import native
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import kernels
from motionfields.base.geometry.batches import checked, flattened

LARGEST_ANGLE = 1e15  # radians; the next larger float64 is already 0.1 further
LARGEST_SHARE = 1e6  # of an arc


def quat_identity(*batch: int) -> FloatArray:
    """Return the identity rotation as an array [*batch, 4]."""
    identity = np.zeros((*batch, 4))
    identity[..., 0] = 1.0
    return identity


def quat_multiply(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the rotation `b` followed by `a`, [..., 4]."""
    batch, (first, second) = flattened(checked("a", a, 4), checked("b", b, 4))
    out = np.empty_like(first)
    kernels.multiply(first, second, out)
    return out.reshape(*batch, 4)


def quat_conjugate(q: ArrayLike) -> FloatArray:
    """Return the inverse rotation, [..., 4]."""
    conjugate = checked("q", q, 4).copy()
    conjugate[..., 1:] *= -1.0
    return conjugate


def quat_normalize(q: ArrayLike) -> FloatArray:
    """Return `q` scaled to unit length, [..., 4]; raise `ValueError` if one is zero or not finite."""
    values = _of_middling_size(checked("q", q, 4))
    norm = np.linalg.norm(values, axis=-1, keepdims=True)
    if not np.all((norm > 0.0) & (norm < np.inf)):
        raise ValueError("q: expected quaternions of positive, finite length, got one that is zero or not finite")
    return np.asarray(values / norm)


def quat_rotate(q: ArrayLike, vector: ArrayLike) -> FloatArray:
    """Return `vector` [..., 3] rotated by `q` [..., 4]."""
    batch, (turns, vectors) = flattened(checked("q", q, 4), checked("vector", vector, 3))
    out = np.empty_like(vectors)
    kernels.rotate(turns, vectors, out)
    return out.reshape(*batch, 3)


def quat_log(q: ArrayLike) -> FloatArray:
    """Return the rotation vector of `q`, [..., 3]: axis times angle, radians within [0, pi]; NaN where `q` is zero."""
    batch, (turns,) = flattened(checked("q", q, 4))
    out = np.empty((len(turns), 3), turns.dtype)
    kernels.log(turns, out)
    return out.reshape(*batch, 3)


def quat_exp(rotation_vector: ArrayLike) -> FloatArray:
    """Return the rotation [..., 4] about `rotation_vector` [..., 3] by its length in radians."""
    batch, (vectors,) = flattened(checked("rotation_vector", rotation_vector, 3))
    if vectors.size and np.max(np.abs(vectors)) > LARGEST_ANGLE:  # squares overflow; NaN stays NaN
        raise ValueError(f"rotation_vector: expected numbers of at most {LARGEST_ANGLE:g} radians")
    out = np.empty((len(vectors), 4), vectors.dtype)
    kernels.exp(vectors, out)
    return out.reshape(*batch, 4)


def quat_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Return the rotation [..., 4] about the unit vector `axis` [..., 3] by `angle` [...] radians."""
    return quat_exp(checked("axis", axis, 3) * np.asarray(angle, dtype=np.float64)[..., np.newaxis])


def quat_slerp(a: ArrayLike, b: ArrayLike, share: ArrayLike) -> FloatArray:
    """Return the rotation [..., 4] at `share` [...] (0 to 1) of the shorter arc from `a` to `b`."""
    start, end = checked("a", a, 4), checked("b", b, 4)
    shares = np.asarray(share, dtype=np.result_type(start, end))[..., np.newaxis]
    if shares.size and np.max(np.abs(shares)) > LARGEST_SHARE:  # NaN stays NaN
        raise ValueError(f"share: expected numbers of at most {LARGEST_SHARE:g}, usually 0 to 1")
    batch, (first, second, parts) = flattened(start, end, shares)
    out = np.empty_like(first)
    kernels.slerp(first, second, parts, out)
    return out.reshape(*batch, 4)


def quat_average(quats: ArrayLike, weights: ArrayLike) -> FloatArray:
    """Return the weighted mean [..., 4] of `quats` [..., k, 4] under `weights` [..., k].

    The mean is the rotation about which the weighted logarithms of the members sum to zero, found from a reference
    orientation as in Park et al. 2002. The signs of members do not matter. Weights must not be negative; this function
    normalises them. The mean of two members is `quat_slerp` of them.
    """
    members = checked("quats", quats, 4)
    shares = np.asarray(weights, dtype=np.float64)
    if members.ndim < 2 or shares.shape[-1:] != members.shape[-2:-1]:
        raise ValueError(f"weights: expected one for each of quats [..., k, 4], got {shares.shape} for {members.shape}")
    if not np.all((shares >= 0.0) & (shares < np.inf)) or not np.all(shares.any(axis=-1)):
        raise ValueError("weights: expected finite, non-negative weights with a positive sum")
    middling = _of_middling_size(shares)
    normalised = (middling / middling.sum(axis=-1, keepdims=True)).astype(members.dtype)
    batch = np.broadcast_shapes(members.shape[:-2], shares.shape[:-1])
    count = members.shape[-2]
    flat = np.ascontiguousarray(np.broadcast_to(members, (*batch, count, 4))).reshape(-1, count, 4)
    flat_weights = np.ascontiguousarray(np.broadcast_to(normalised, (*batch, count))).reshape(-1, count)
    out = np.empty((len(flat), 4), flat.dtype)
    tolerance = 4.0 * float(np.finfo(flat.dtype).eps)
    runtime = native.library()
    if runtime is not None and flat.dtype == np.float64:
        runtime.mfp_average(
            len(flat), count, *map(native.address, (flat, flat_weights)), tolerance, native.address(out)
        )
    else:
        kernels.average(flat, flat_weights, tolerance, out)
    return out.reshape(*batch, 4)


def quat_angle(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the angle [...] in radians, 0 to pi, of the rotation from `b` to `a`."""
    first, second = checked("a", a, 4), checked("b", b, 4)
    aligned = second * np.where((first * second).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    gap = np.linalg.norm(first - aligned, axis=-1)
    total = np.linalg.norm(first + aligned, axis=-1)
    return np.asarray(4.0 * np.arctan2(gap, total))


def quat_between(start: ArrayLike, end: ArrayLike) -> FloatArray:
    """Return the smallest rotation [..., 4] from the direction of `start` [..., 3] to that of `end` [..., 3].

    Opposite directions have no unique smallest rotation; the result is a half turn about one of the perpendicular axes.
    A zero vector gives the identity.
    """
    given = checked("start", start, 3), checked("end", end, 3)
    # float64, because float32 cannot distinguish nearly opposite directions from opposite ones.
    a, b = np.broadcast_arrays(*(_of_middling_size(vectors.astype(np.float64)) for vectors in given))
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    scalar = lengths + (a * b).sum(axis=-1)
    opposite = scalar <= 1e-12 * lengths
    smallest = np.eye(3)[np.argmin(np.abs(a), axis=-1)]
    axis = np.where(opposite[..., np.newaxis], np.cross(a, smallest), np.cross(a, b))
    q = np.concatenate([np.where(opposite, 0.0, scalar)[..., np.newaxis], axis], axis=-1)
    q[lengths == 0.0] = (1.0, 0.0, 0.0, 0.0)
    return quat_normalize(q).astype(np.result_type(*given))


def quat_continuous(q: ArrayLike) -> FloatArray:
    """Return `q` [time, ..., 4] with signs chosen so that no quaternion flips between consecutive times."""
    values = checked("q", q, 4)
    if len(values) < 2:
        return values.copy()
    flips = (values[1:] * values[:-1]).sum(axis=-1) < 0.0
    signs = np.where(np.cumsum(flips, axis=0) % 2 == 1, -1.0, 1.0)
    return np.concatenate([values[:1], values[1:] * signs[..., np.newaxis].astype(values.dtype)])


def rotation_difference(later: ArrayLike, earlier: ArrayLike) -> FloatArray:
    """Return the rotation [..., 4], in the parent's frame, that takes `earlier` to `later`."""
    return quat_multiply(later, quat_conjugate(earlier))


def apply_rotation_difference(turn: ArrayLike, earlier: ArrayLike) -> FloatArray:
    """Return the rotation [..., 4] that `turn` makes of `earlier`; the inverse of `rotation_difference`."""
    return quat_multiply(turn, earlier)


def _of_middling_size(values: FloatArray) -> FloatArray:
    """Return `values` [..., n], each row scaled by the power of two that puts its largest component between 1/2 and 1.

    Squares and sums then neither overflow nor underflow, and dividing a row by its length gives the same bits.
    """
    _, exponent = np.frexp(np.abs(values).max(axis=-1, keepdims=True, initial=0.0))
    return np.asarray(np.ldexp(values, -exponent))
