"""Leaves: states grouped into small boxes of a low-dimensional space in which distances never grow.

A centred state x is mapped to its image (P x, sqrt(|x|^2 - |P x|^2)): its first principal components and the length of
the residual. With |P| <= 1 no two points move apart: for S = sqrt(1 - P'P), |Px - Py|^2 + (|Sx| - |Sy|)^2 is at most
|P(x - y)|^2 + |S(x - y)|^2 = |x - y|^2. So the distance between two images, or from an image to a box, is a lower bound
of the full distance. The basis affects the speed of a search, never its result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.field.neighbors.kernels import BLOCK

IMAGE_SIZE = 16  # 15 principal components and the length of the residual
LEAF_SIZE = BLOCK  # states in a box, stored side by side
ROWS_AT_ONCE = 1 << 16  # states processed at a time to find the basis, to avoid a large copy


class Leaves(NamedTuple):
    """The leaves of a database; the last one is padded with points at infinity whose row is -1."""

    center: FloatArray  # [dimension] float64
    basis: FloatArray  # [dimension, IMAGE_SIZE] float64, P transposed and a last column of zeros
    images: FloatArray  # [leaf, IMAGE_SIZE, LEAF_SIZE] float32
    rows: IntArray  # [leaf, LEAF_SIZE] int64, rows of the database
    low: FloatArray  # [IMAGE_SIZE, leaf] float32, lower corners of the boxes
    high: FloatArray  # [IMAGE_SIZE, leaf] float32, upper corners
    radius: float  # greatest distance of a state from the center


def grow_leaves(features: FloatArray) -> Leaves:
    """Return the leaves of `features` [state, dimension] float32."""
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
    """Return the directions in which `features` vary most, [dimension, IMAGE_SIZE] float64, of norm below 1.

    The last column is zero; it pads the rows to whole registers.
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
    """Fill `image` [IMAGE_SIZE] for one `point` [dimension], and return the distance of the point from the center.

    `sums` is scratch memory [IMAGE_SIZE] float64. The caller passes it because the compiler would unroll an inner loop
    of known length and then not vectorise it.
    """
    sums[:] = 0.0
    square = 0.0
    for d in range(len(center)):
        value = point[d] - center[d]
        square += value * value
        direction = basis[d]
        for c in range(len(sums)):
            sums[c] += direction[c] * value
    # The last column of the basis is zero, so the last entry of `image` is free for the residual.
    rest = square
    for c in range(len(sums)):
        rest -= sums[c] * sums[c]
        image[c] = sums[c]
    image[IMAGE_SIZE - 1] = np.sqrt(max(rest, 0.0))
    return float(np.sqrt(square))


@kernel
def _project_all(features: FloatArray, center: FloatArray, basis: FloatArray, images: FloatArray) -> float:
    """Fill `images` [state, IMAGE_SIZE], and return the greatest distance of a state from the center."""
    radius = 0.0
    sums = np.empty(images.shape[1])
    for row in range(len(features)):
        radius = max(radius, project(features[row], center, basis, sums, images[row]))
    return radius


def leaf_order(images: FloatArray) -> IntArray:
    """Return the states [state] in an order in which each run of LEAF_SIZE lies close together.

    Sets are halved along their widest side repeatedly, always at a multiple of LEAF_SIZE.
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
