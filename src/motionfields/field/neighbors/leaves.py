"""The states sorted into small boxes of a space of few dimensions, in which no distance is longer than in the full one.

A state x (centred) is mapped to (P x, sqrt(|x|^2 - |P x|^2)): its first principal components and the length of the
rest. With |P| <= 1 no two points move apart: for S = sqrt(1 - P'P), |Px - Py|^2 + (|Sx| - |Sy|)^2 is at most
|P(x - y)|^2 + |S(x - y)|^2 = |x - y|^2. So a distance between images, or from an image to a box, bounds the full
distance from below. The basis decides how fast a search is, never what it finds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.field.neighbors.kernels import BLOCK

IMAGE_SIZE = 16  # 15 principal components and the length of the rest
LEAF_SIZE = BLOCK  # states in a box, side by side
ROWS_AT_ONCE = 1 << 16  # states that the basis is found from at a time, so that no large copy is made


class Leaves(NamedTuple):
    """What `grow_leaves` makes of a database; the last leaf is filled up with points at infinity of row -1."""

    center: FloatArray  # [dimension] float64
    basis: FloatArray  # [dimension, IMAGE_SIZE] float64, P transposed and a last column of zeros
    images: FloatArray  # [leaf, IMAGE_SIZE, LEAF_SIZE] float32
    rows: IntArray  # [leaf, LEAF_SIZE] int64, rows of the database
    low: FloatArray  # [IMAGE_SIZE, leaf] float32, the corners of the boxes
    high: FloatArray  # [IMAGE_SIZE, leaf] float32
    radius: float  # the greatest distance of a state from the center


def grow_leaves(features: FloatArray) -> Leaves:
    """The leaves of `features` [state, dimension] float32."""
    center = features.mean(axis=0, dtype=np.float64)
    basis = principal_basis(features, center)
    images = np.empty((len(features), IMAGE_SIZE), np.float32)
    radius = _project_all(features, center, basis, images)
    order = leaf_order(images)
    rows = np.pad(order, (0, -len(order) % LEAF_SIZE), constant_values=-1).reshape(-1, LEAF_SIZE)
    held = np.where(rows[..., np.newaxis] >= 0, images[rows], np.inf).astype(np.float32)
    low, high = held.min(axis=1), np.where(np.isinf(held), -np.inf, held).max(axis=1).astype(np.float32)
    return Leaves(
        center,
        basis,
        np.ascontiguousarray(held.transpose(0, 2, 1)),
        rows,
        np.ascontiguousarray(low.T),
        np.ascontiguousarray(high.T),
        radius,
    )


def principal_basis(features: FloatArray, center: FloatArray) -> FloatArray:
    """The directions in which `features` vary most, [dimension, IMAGE_SIZE] float64; a matrix of norm below 1.

    The last column is zero: it makes the rows whole registers.
    """
    scatter = np.zeros((len(center), len(center)))
    for start in range(0, len(features), ROWS_AT_ONCE):
        spread = features[start : start + ROWS_AT_ONCE] - center
        scatter += spread.T @ spread
    _, vectors = np.linalg.eigh(scatter)
    strongest = vectors[:, ::-1][:, : IMAGE_SIZE - 1]
    basis = np.zeros((len(center), IMAGE_SIZE))
    basis[:, : strongest.shape[1]] = strongest / (np.linalg.norm(strongest, 2) * (1.0 + 1e-12))
    return basis


@kernel
def project(point: FloatArray, center: FloatArray, basis: FloatArray, sums: FloatArray, image: FloatArray) -> float:
    """Fill `image` [IMAGE_SIZE] of one `point` [dimension]; the distance of the point from the center.

    `sums` is memory [IMAGE_SIZE] float64. It comes from outside because a length known to the compiler makes it unroll
    the inner loop, and then not vectorise it.
    """
    sums[:] = 0.0
    square = 0.0
    for d in range(len(center)):
        value = point[d] - center[d]
        square += value * value
        direction = basis[d]
        for c in range(len(sums)):
            sums[c] += direction[c] * value
    rest = square
    for c in range(len(sums)):
        rest -= sums[c] * sums[c]
        image[c] = sums[c]
    image[IMAGE_SIZE - 1] = np.sqrt(max(rest, 0.0))
    return float(np.sqrt(square))


@kernel
def _project_all(features: FloatArray, center: FloatArray, basis: FloatArray, images: FloatArray) -> float:
    """Fill `images` [state, IMAGE_SIZE]; the greatest distance of a state from the center."""
    radius = 0.0
    sums = np.empty(images.shape[1])
    for row in range(len(features)):
        radius = max(radius, project(features[row], center, basis, sums, images[row]))
    return radius


def leaf_order(images: FloatArray) -> IntArray:
    """The states [state] in an order where each run of LEAF_SIZE lies close together.

    Halves along the widest side, again and again, always at a multiple of LEAF_SIZE.
    """
    order: list[IntArray] = []
    pending = [np.arange(len(images))]
    while pending:
        members = pending.pop()
        if len(members) <= LEAF_SIZE:
            order.append(members)
            continue
        inside = images[members]
        side = int(np.argmax(inside.max(axis=0) - inside.min(axis=0)))
        members = members[np.argsort(inside[:, side], kind="stable")]
        half = -(-len(members) // (2 * LEAF_SIZE)) * LEAF_SIZE
        pending += [members[half:], members[:half]]
    return np.concatenate(order)
