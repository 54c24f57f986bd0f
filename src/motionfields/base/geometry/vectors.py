"""Vectors and quaternions as tuples of numbers, for compiled loops over single characters.

Numba keeps tuples in registers, so these functions allocate nothing.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import lean_kernel

Vector: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]  # wxyz

UP: Vector = (0.0, 1.0, 0.0)
NO_TURN: Quat = (1.0, 0.0, 0.0, 0.0)


@lean_kernel
def vector_of(values: FloatArray) -> Vector:
    """Return the first three of `values` as a tuple."""
    return (float(values[0]), float(values[1]), float(values[2]))


@lean_kernel
def quat_of(values: FloatArray) -> Quat:
    """Return the first four of `values` as a tuple."""
    return (float(values[0]), float(values[1]), float(values[2]), float(values[3]))


@lean_kernel
def put(values: Vector | Quat, out: FloatArray) -> None:
    """Write `values` to the array `out`."""
    for c in range(len(values)):
        out[c] = values[c]


@lean_kernel
def add(a: Vector, b: Vector) -> Vector:
    """Return the sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@lean_kernel
def subtract(a: Vector, b: Vector) -> Vector:
    """Return `a` minus `b`: the vector from `b` to `a`."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@lean_kernel
def scale(a: Vector, factor: float) -> Vector:
    """Return `a` times `factor`."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


@lean_kernel
def dot(a: Vector, b: Vector) -> float:
    """Return the inner product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@lean_kernel
def cross(a: Vector, b: Vector) -> Vector:
    """Return the cross product of two vectors."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@lean_kernel
def length(a: Vector) -> float:
    """Return the length of `a`."""
    return math.sqrt(dot(a, a))


@lean_kernel
def multiply(a: Quat, b: Quat) -> Quat:
    """Return the Hamilton product: the rotation `b` followed by `a`."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@lean_kernel
def conjugate(q: Quat) -> Quat:
    """Return the inverse of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


@lean_kernel
def normalized(q: Quat) -> Quat:
    """Return `q` scaled to length 1."""
    factor = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor)


@lean_kernel
def rotate(q: Quat, v: Vector) -> Vector:
    """Return `v` rotated by the unit quaternion `q`."""
    axis = (q[1], q[2], q[3])
    twice = scale(cross(axis, v), 2.0)
    return add(add(v, scale(twice, q[0])), cross(axis, twice))


@lean_kernel
def about(axis: Vector, angle: float) -> Quat:
    """Return the rotation by `angle` radians about the unit vector `axis`."""
    sine = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), axis[0] * sine, axis[1] * sine, axis[2] * sine)


@lean_kernel
def between(a: Vector, b: Vector) -> Quat:
    """Return the smallest rotation from the direction of `a` to that of `b`; the identity if either has zero length.

    Opposite directions, which legs never reach, give a half turn about a perpendicular axis.
    """
    lengths = length(a) * length(b)
    if lengths <= 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    axis = cross(a, b)
    real = lengths + dot(a, b)
    if real <= 1e-12 * lengths:
        across = (-a[1], a[0], 0.0) if abs(a[2]) < 0.9 * length(a) else (0.0, -a[2], a[1])
        return normalized((0.0, across[0], across[1], across[2]))
    return normalized((real, axis[0], axis[1], axis[2]))


@lean_kernel
def exponential(vector: Vector) -> Quat:
    """Return the unit quaternion of a rotation vector in radians."""
    angle = length(vector)
    factor = math.sin(0.5 * angle) / angle if angle > 1e-4 else 0.5 - angle * angle / 48.0
    return (math.cos(0.5 * angle), factor * vector[0], factor * vector[1], factor * vector[2])


@lean_kernel
def logarithm(q: Quat) -> Vector:
    """Return the rotation vector in radians of a unit quaternion, along the shorter rotation."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    factor = sign * 2.0
    if sine > 1e-4:
        factor *= math.atan2(sine, sign * q[0]) / sine
    return (factor * q[1], factor * q[2], factor * q[3])


@lean_kernel
def twist_about_up(q: Quat) -> Quat:
    """Return the part of the rotation `q` that is about the vertical; the identity where it is undefined."""
    size = math.hypot(q[0], q[2])
    return (q[0] / size, 0.0, q[2] / size, 0.0) if size > 1e-9 else NO_TURN
