"""Lower bounds of distances, computed for many states at once, with error bounds for their rounding.

A *limit* is the largest squared bound that a state among the k nearest can have, with a margin for all rounding. A
bound above the limit proves that a state is not among the k nearest; a bound below it proves nothing.
"""

from __future__ import annotations

import math

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.field.neighbors.leaves import IMAGE_SIZE

FARTHEST = float(np.finfo(np.float32).max)  # limit of a query whose list is not full yet


@kernel
def slack_of(dimension: int, size: float) -> float:
    """Return the most by which rounding can lengthen a bound.

    `size` is the sum of the distances of the query and the state from the center. Images are rounded to float32 (2^-24
    of their length). The length of the residual is the root of a difference of float64 sums of `dimension` terms. The
    last term covers squares too small for float32.
    """
    return float((2.0**-23 + math.sqrt((dimension + 32) * 2.0**-51)) * size + 1e-18)


@kernel
def limit_of(distance: float, dimension: int, slack: float) -> float:
    """Return the limit when the k-th nearest state so far is at `distance`.

    A float32 sum of `dimension` squares has a relative error of about dimension * 2^-24; the factor is twice that.
    """
    reach = distance * (1.0 + (dimension + 32) * 2.0**-23) + slack
    return float(reach * reach * (1.0 + 1e-6))


@kernel
def gap_between(image: FloatArray, other: FloatArray) -> float:
    """Return the distance between two images [IMAGE_SIZE]."""
    total = 0.0
    for c in range(IMAGE_SIZE):
        total += (np.float64(image[c]) - np.float64(other[c])) ** 2
    return math.sqrt(total)


@kernel
def box_bounds(image: FloatArray, low: FloatArray, high: FloatArray, bounds: FloatArray) -> None:
    """Fill `bounds` [leaf] with the squared distances from `image` to the boxes `low` to `high` [IMAGE_SIZE, leaf]."""
    zero = np.float32(0.0)
    bounds[:] = zero
    # The inner loop runs over leaves, which are contiguous, so it vectorises. Two dimensions per pass halve the reads
    # and writes of `bounds`.
    for c in range(0, IMAGE_SIZE, 2):
        v0, v1 = image[c], image[c + 1]
        low0, low1, high0, high1 = low[c], low[c + 1], high[c], high[c + 1]
        for leaf in range(len(bounds)):
            d0 = max(max(low0[leaf] - v0, v0 - high0[leaf]), zero)
            d1 = max(max(low1[leaf] - v1, v1 - high1[leaf]), zero)
            bounds[leaf] += d0 * d0 + d1 * d1


@kernel
def image_squares(image: FloatArray, images: FloatArray, squares: FloatArray) -> None:
    """Fill `squares` [any] with the squared distances from `image` to each of `images` [IMAGE_SIZE, any]."""
    squares[:] = np.float32(0.0)
    # The inner loop runs over states, which are contiguous, so it vectorises. Bounds carry a slack, so unlike distances
    # they may be summed in any order.
    for c in range(0, IMAGE_SIZE, 4):
        i0, i1, i2, i3 = images[c], images[c + 1], images[c + 2], images[c + 3]
        v0, v1, v2, v3 = image[c], image[c + 1], image[c + 2], image[c + 3]
        for s in range(len(squares)):
            d0, d1, d2, d3 = i0[s] - v0, i1[s] - v1, i2[s] - v2, i3[s] - v3
            squares[s] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)


@kernel
def places_within(squares: FloatArray, limit: float, places: IntArray) -> int:
    """Write the places of the `squares` [any] within `limit` to `places` [any], smallest first; return their number."""
    most = np.float32(limit)
    # Usually there are none; a branch-free count finds that out much faster.
    hit_count = np.int32(0)
    for s in range(len(squares)):
        hit_count += np.int32(1) if squares[s] <= most else np.int32(0)
    if hit_count == 0:
        return 0
    place_count = 0
    for s in range(len(squares)):
        square = squares[s]
        if square <= most:
            j = place_count
            while j > 0 and squares[places[j - 1]] > square:
                places[j] = places[j - 1]
                j -= 1
            places[j] = s
            place_count += 1
    return place_count
