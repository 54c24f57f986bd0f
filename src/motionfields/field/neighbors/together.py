"""One scan of the leaves for several queries that lie close together.

The queries are stored side by side in *lanes*, so that a state is read once and measured for all of them at once.
Leaves and states are first tested against one ball around all lanes, then against each lane.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.field.neighbors.bounds import (
    FARTHEST,
    box_bounds,
    gap_between,
    image_squares,
    limit_of,
    places_within,
)
from motionfields.field.neighbors.kernels import keep_if_near
from motionfields.field.neighbors.leaves import IMAGE_SIZE, Leaves

MOST_TOGETHER = 16  # most queries in one scan
REGISTER = 8  # lanes fill whole float32 registers; padding lanes have limit -1, which no square meets


class Batch(NamedTuple):
    """Queries with their images and limits, and the arrays that receive their neighbours."""

    queries: FloatArray  # [query, dimension] float32
    images: FloatArray  # [query, IMAGE_SIZE] float32
    slacks: FloatArray  # [query] float64, see `slack_of`
    limits: FloatArray  # [query] float64, limits known before the search
    indices: IntArray  # [query, k]
    distances: FloatArray  # [query, k] float32


class Scratch(NamedTuple):
    """Scratch memory of one thread's search."""

    bounds: FloatArray  # [leaf] float32
    squares: FloatArray  # [LEAF_SIZE] float32
    places: IntArray  # [LEAF_SIZE], places in a leaf
    rows: IntArray  # [LEAF_SIZE], rows of the database
    terms: FloatArray  # [4, dimension] float32


class Lanes(NamedTuple):
    """Queries stored side by side, with the state of their search."""

    values: FloatArray  # [dimension, lane] float32
    images: FloatArray  # [IMAGE_SIZE, lane] float32
    limits: FloatArray  # [lane] float32
    squares: FloatArray  # [lane] float32, squared distances of the current state
    counts: IntArray  # [lane], number of neighbours in the list
    center: FloatArray  # [IMAGE_SIZE] float32, mean of the images
    gaps: FloatArray  # [query] float64, distances of the images from `center`


@kernel
def search_together(
    features: FloatArray, leaves: Leaves, batch: Batch, scratch: Scratch, first: int, stop: int
) -> None:
    """Fill the neighbours of the queries `first` to `stop` of `batch`, using those of the query before `first`."""
    lanes = _lanes(batch, first, stop)
    _limit_by_rows(features, batch, lanes, batch.indices[first - 1], first)
    limit = _shared_limit(lanes)
    place_image = np.empty(IMAGE_SIZE, np.float32)
    box_bounds(lanes.center, leaves.low, leaves.high, scratch.bounds)
    for leaf in range(len(scratch.bounds)):
        if scratch.bounds[leaf] > limit:
            continue
        images = leaves.images[leaf]
        image_squares(lanes.center, images, scratch.squares)
        near_count = places_within(scratch.squares, limit, scratch.places)
        for j in range(near_count):
            place = scratch.places[j]
            for c in range(IMAGE_SIZE):
                place_image[c] = images[c, place]
            image_squares(place_image, lanes.images, lanes.squares)
            if _any_within(lanes.squares, lanes.limits):
                _keep_in_lanes(features, batch, lanes, leaves.rows[leaf, place], first)
        if near_count > 0:
            limit = _shared_limit(lanes)


@kernel
def _lanes(batch: Batch, first: int, stop: int) -> Lanes:
    """Return the lanes of the queries `first` to `stop` of `batch`."""
    lane_count = (stop - first + REGISTER - 1) // REGISTER * REGISTER
    lanes = Lanes(
        np.zeros((batch.queries.shape[1], lane_count), np.float32),
        np.zeros((IMAGE_SIZE, lane_count), np.float32),
        np.full(lane_count, np.float32(-1.0)),
        np.zeros(lane_count, np.float32),
        np.zeros(lane_count, np.int64),
        np.zeros(IMAGE_SIZE, np.float32),
        np.zeros(stop - first),
    )
    for i in range(first, stop):
        for d in range(batch.queries.shape[1]):
            lanes.values[d, i - first] = batch.queries[i, d]
        for c in range(IMAGE_SIZE):
            lanes.images[c, i - first] = batch.images[i, c]
            lanes.center[c] += batch.images[i, c] / np.float32(stop - first)
    for i in range(first, stop):
        lanes.gaps[i - first] = gap_between(lanes.center, batch.images[i])
    return lanes


@kernel
def _limit_by_rows(features: FloatArray, batch: Batch, lanes: Lanes, rows: IntArray, first: int) -> None:
    """Set the limits of `lanes` from k states `rows` [k] that are probably near.

    The k-th nearest state is no farther than the farthest of any k states.
    """
    farthest = np.zeros_like(lanes.squares)
    for row in rows:
        _lane_squares(features[row], lanes.values, lanes.squares)
        for lane in range(len(farthest)):
            farthest[lane] = max(farthest[lane], lanes.squares[lane])
    for lane in range(len(lanes.gaps)):
        i = first + lane
        limit = limit_of(math.sqrt(farthest[lane]), batch.queries.shape[1], batch.slacks[i])
        lanes.limits[lane] = min(batch.limits[i], limit)


@kernel
def _keep_in_lanes(features: FloatArray, batch: Batch, lanes: Lanes, row: int, first: int) -> None:
    """Measure the state `row` for all lanes and insert it into the lists it belongs to."""
    _lane_squares(features[row], lanes.values, lanes.squares)
    for lane in range(len(lanes.gaps)):
        if lanes.squares[lane] <= lanes.limits[lane]:
            i = first + lane
            distances, distance = batch.distances[i], np.float32(math.sqrt(lanes.squares[lane]))
            count = keep_if_near(distance, row, distances, batch.indices[i], lanes.counts[lane])
            lanes.counts[lane] = count
            if count == len(distances):
                limit = limit_of(distances[count - 1], batch.queries.shape[1], batch.slacks[i])
                lanes.limits[lane] = min(lanes.limits[lane], limit)


@kernel
def _lane_squares(feature: FloatArray, values: FloatArray, squares: FloatArray) -> None:
    """Fill `squares` [lane] with the squared distances of one state [dimension] to all lanes.

    Each sum adds the dimensions in order, so its bits equal those of `PlainIndex`.
    """
    squares[:] = np.float32(0.0)
    whole = len(feature) // 4 * 4
    for d in range(0, whole, 4):
        f0, f1, f2, f3 = feature[d], feature[d + 1], feature[d + 2], feature[d + 3]
        q0, q1, q2, q3 = values[d], values[d + 1], values[d + 2], values[d + 3]
        for lane in range(len(squares)):
            d0, d1, d2, d3 = f0 - q0[lane], f1 - q1[lane], f2 - q2[lane], f3 - q3[lane]
            squares[lane] = (((squares[lane] + d0 * d0) + d1 * d1) + d2 * d2) + d3 * d3
    for d in range(whole, len(feature)):
        for lane in range(len(squares)):
            d0 = feature[d] - values[d, lane]
            squares[lane] += d0 * d0


@kernel
def _shared_limit(lanes: Lanes) -> float:
    """Return the limit around `lanes.center` beyond which no lane needs a state, by the triangle inequality."""
    reach = 0.0
    for lane in range(len(lanes.gaps)):
        reach = max(reach, math.sqrt(np.float64(lanes.limits[lane])) + lanes.gaps[lane])
    return min(reach * reach * (1.0 + 1e-5), FARTHEST)


@kernel
def _any_within(squares: FloatArray, limits: FloatArray) -> bool:
    """Return whether any of `squares` [lane] is within its limit; branch-free, so it vectorises."""
    hit_count = np.int32(0)
    for lane in range(len(squares)):
        hit_count += np.int32(1) if squares[lane] <= limits[lane] else np.int32(0)
    return bool(hit_count > 0)
