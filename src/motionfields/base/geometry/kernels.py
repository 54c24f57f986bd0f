"""Compiled loops over flat batches of quaternions; `quaternions` has the readable functions around them.

Every kernel takes C-contiguous arrays [batch, width] of one float type and fills `out`. They use neither fastmath nor
parallel reductions: the bits of a result depend on its own inputs alone, never on the rest of the batch.
"""

from __future__ import annotations

import math

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import kernel
from motionfields.base.native import native_kernel

SMALL_ANGLE = 1e-4  # radians; below this a series replaces the quotient, accurate to float64 round-off


@native_kernel("mfp_multiply")
def multiply(a: FloatArray, b: FloatArray, out: FloatArray) -> None:
    """Write the Hamilton products of the rows of `a` and `b` to `out`, [batch, 4] each."""
    # All components are read before any is written, so `out` may be `a` or `b`.
    for i in range(out.shape[0]):
        aw, ax, ay, az = a[i, 0], a[i, 1], a[i, 2], a[i, 3]
        bw, bx, by, bz = b[i, 0], b[i, 1], b[i, 2], b[i, 3]
        out[i, 0] = aw * bw - ax * bx - ay * by - az * bz
        out[i, 1] = aw * bx + ax * bw + ay * bz - az * by
        out[i, 2] = aw * by - ax * bz + ay * bw + az * bx
        out[i, 3] = aw * bz + ax * by - ay * bx + az * bw


@native_kernel("mfp_rotate")
def rotate(q: FloatArray, v: FloatArray, out: FloatArray) -> None:
    """Rotate vectors `v` [batch, 3] by unit quaternions `q` [batch, 4]: v + 2 w (u x v) + 2 u x (u x v)."""
    for i in range(out.shape[0]):
        w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
        vx, vy, vz = v[i, 0], v[i, 1], v[i, 2]
        # t = 2 u x v appears in both terms; two cross products take fewer operations than a rotation matrix.
        tx = y * vz - z * vy
        ty = z * vx - x * vz
        tz = x * vy - y * vx
        tx, ty, tz = tx + tx, ty + ty, tz + tz
        out[i, 0] = vx + w * tx + (y * tz - z * ty)
        out[i, 1] = vy + w * ty + (z * tx - x * tz)
        out[i, 2] = vz + w * tz + (x * ty - y * tx)


@native_kernel("mfp_log")
def log(q: FloatArray, out: FloatArray) -> None:
    """Write the rotation vectors [batch, 3] of unit quaternions [batch, 4], along the shorter rotation."""
    for i in range(out.shape[0]):
        w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
        if w < 0.0:  # q and -q are the same rotation; the one with w >= 0 turns by at most pi
            w, x, y, z = -w, -x, -y, -z
        sine = math.sqrt(x * x + y * y + z * z)
        if sine > SMALL_ANGLE:
            factor = 2.0 * math.atan2(sine, w) / sine
        else:
            # The first two terms of 2 atan(sine / w) / sine, which would divide zero by zero.
            ratio = sine / w
            factor = 2.0 / w * (1.0 - ratio * ratio / 3.0)
        out[i, 0] = factor * x
        out[i, 1] = factor * y
        out[i, 2] = factor * z


@native_kernel("mfp_exp")
def exp(rotation_vector: FloatArray, out: FloatArray) -> None:
    """Write the unit quaternions [batch, 4] of rotation vectors [batch, 3] in radians."""
    for i in range(out.shape[0]):
        x, y, z = rotation_vector[i, 0], rotation_vector[i, 1], rotation_vector[i, 2]
        angle = math.sqrt(x * x + y * y + z * z)
        if angle > SMALL_ANGLE:
            factor = math.sin(0.5 * angle) / angle
        else:
            factor = 0.5 - angle * angle / 48.0  # series of sin(angle / 2) / angle
        out[i, 0] = math.cos(0.5 * angle)
        out[i, 1] = factor * x
        out[i, 2] = factor * y
        out[i, 3] = factor * z


@kernel
def slerp(a: FloatArray, b: FloatArray, share: FloatArray, out: FloatArray) -> None:
    """Write the rotations at `share` [batch, 1] of the shorter arc from `a` to `b` [batch, 4]."""
    for i in range(out.shape[0]):
        sign = 1.0
        if a[i, 0] * b[i, 0] + a[i, 1] * b[i, 1] + a[i, 2] * b[i, 2] + a[i, 3] * b[i, 3] < 0.0:
            sign = -1.0
        # atan2 of |a - b| and |a + b| stays accurate at small angles, where the arc cosine of the dot product does not.
        gap = 0.0
        total = 0.0
        for c in range(4):
            gap += (a[i, c] - sign * b[i, c]) ** 2
            total += (a[i, c] + sign * b[i, c]) ** 2
        angle = 2.0 * math.atan2(math.sqrt(gap), math.sqrt(total))
        t = share[i, 0]
        weight_a, weight_b = 1.0 - t, sign * t  # linear for tiny angles; the normalization below restores length 1
        if angle > SMALL_ANGLE:
            weight_a = math.sin((1.0 - t) * angle) / math.sin(angle)
            weight_b = sign * math.sin(t * angle) / math.sin(angle)
        norm = 0.0
        for c in range(4):
            out[i, c] = weight_a * a[i, c] + weight_b * b[i, c]
            norm += out[i, c] ** 2
        norm = math.sqrt(norm)
        for c in range(4):
            out[i, c] /= norm


@kernel
def average(quats: FloatArray, weights: FloatArray, tolerance: float, out: FloatArray) -> None:
    """Write the weighted means [batch, 4] of `quats` [batch, k, 4]; each row of `weights` [batch, k] sums to 1.

    The reference is the normalised weighted sum, with signs aligned to the member of largest weight. The mean of the
    logarithms about the reference is then applied to it until that mean is below `tolerance` radians, so the result
    does not depend on the reference (Park et al. 2002).
    """
    # Rows of scratch memory, shared by all of the batch, so that the loop allocates nothing.
    member_count = quats.shape[1]
    one = np.empty((1, 4), quats.dtype)
    turn = np.empty((1, 4), quats.dtype)
    vector = np.empty((1, 3), quats.dtype)
    step = np.empty((1, 3), quats.dtype)
    mean = np.empty((1, 4), quats.dtype)
    inverse = np.empty((1, 4), quats.dtype)
    for i in range(out.shape[0]):
        heaviest = 0
        for k in range(member_count):
            if weights[i, k] > weights[i, heaviest]:
                heaviest = k
        mean[0, :] = 0.0
        for k in range(member_count):
            dot = 0.0
            for c in range(4):
                dot += quats[i, k, c] * quats[i, heaviest, c]
            signed = weights[i, k] if dot >= 0.0 else -weights[i, k]
            for c in range(4):
                mean[0, c] += signed * quats[i, k, c]
        _normalize_row(mean)
        # `mean` has length 1 at the start of each round. The bound of 20 rounds limits the time for members that are
        # spread too widely to converge.
        for _ in range(20):
            inverse[0, 0] = mean[0, 0]
            for c in range(1, 4):
                inverse[0, c] = -mean[0, c]
            step[0, :] = 0.0
            for k in range(member_count):
                for c in range(4):
                    one[0, c] = quats[i, k, c]
                multiply(inverse, one, turn)
                log(turn, vector)
                for c in range(3):
                    step[0, c] += weights[i, k] * vector[0, c]
            exp(step, turn)
            multiply(mean, turn, one)
            for c in range(4):
                mean[0, c] = one[0, c]
            _normalize_row(mean)
            if step[0, 0] ** 2 + step[0, 1] ** 2 + step[0, 2] ** 2 < tolerance * tolerance:
                break
        for c in range(4):
            out[i, c] = mean[0, c]


@kernel
def _normalize_row(q: FloatArray) -> None:
    """Scale the one row of `q` [1, 4] to length 1, in place."""
    norm = math.sqrt(q[0, 0] ** 2 + q[0, 1] ** 2 + q[0, 2] ** 2 + q[0, 3] ** 2)
    for c in range(4):
        q[0, c] /= norm
