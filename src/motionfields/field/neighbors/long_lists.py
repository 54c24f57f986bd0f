"""The search of the leaves for long lists of neighbours, of many queries at once: every state of a database, say.

Queries are sorted into leaves of their own, so that those of one leaf, its *lanes*, lie close together and want much
the same states. A leaf of the database is read once for all lanes, and measured in full for each lane that may want
any of it. Keeping long lists in order would cost more than all that. So what is near enough is kept without order as
*keys*, and only when there is no room left are these cut down to the k nearest, which lowers the limit. A key holds
distance and row in one number that sorts as the list does: by distance, then by row.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import prange

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel, parallel_kernel
from motionfields.field.neighbors.bounds import FARTHEST, box_bounds, limit_of, slack_of
from motionfields.field.neighbors.kernels import block_squares
from motionfields.field.neighbors.leaves import IMAGE_SIZE, LEAF_SIZE, Leaves, leaf_order, project

LONG_LIST = 40  # neighbours from which on this is quicker
FEWEST_STATES = 20_000  # with fewer, the usual search takes a second or two more at most, and compiling this takes 20
FEWEST_QUERIES = 256  # for which it is worth while to sort queries and to lay out the states anew
STATES_A_QUERY = 512  # more states than this for each query, and laying them out takes longer than the search
ROOM = 3  # times as many keys as neighbours are kept before they are cut down
ROW_BITS = np.uint64(32)  # of a key, below those of the distance
ROW_MASK = np.uint64(0xFFFFFFFF)


def suits_long_lists(query_count: int, neighbor_count: int, state_count: int) -> bool:
    """Whether `search_long_lists` is the quicker way."""
    enough = max(FEWEST_QUERIES, state_count // STATES_A_QUERY)
    return neighbor_count >= LONG_LIST and query_count >= enough and FEWEST_STATES <= state_count <= int(ROW_MASK)


def search_long_lists(
    features: FloatArray, leaves: Leaves, queries: FloatArray, indices: IntArray, distances: FloatArray
) -> None:
    """Fill `indices` and `distances` [query, k] for `queries` [query, dimension]."""
    images = np.empty((len(queries), IMAGE_SIZE), np.float32)
    slacks = np.empty(len(queries))
    _project_queries(queries, leaves.center, leaves.basis, leaves.radius, images, slacks)
    blocks = np.empty((len(leaves.rows), features.shape[1], LEAF_SIZE), np.float32)
    _fill_blocks(features, leaves.rows, blocks)
    states = States(blocks, leaves.images, leaves.rows, leaves.low, leaves.high)
    _search_groups(*states, leaf_order(images), queries, images, slacks, indices, distances)


class States(NamedTuple):
    """The database, leaf by leaf."""

    blocks: FloatArray  # [leaf, dimension, LEAF_SIZE] float32, the features
    images: FloatArray  # [leaf, IMAGE_SIZE, LEAF_SIZE] float32
    rows: IntArray  # [leaf, LEAF_SIZE]
    low: FloatArray  # [IMAGE_SIZE, leaf] float32
    high: FloatArray  # [IMAGE_SIZE, leaf] float32


class Lanes(NamedTuple):
    """Queries of one group, and what was found for them so far."""

    queries: FloatArray  # [lane, dimension] float32
    images: FloatArray  # [lane, IMAGE_SIZE] float32
    slacks: FloatArray  # [lane] float64
    limits: FloatArray  # [lane] float64
    keys: IntArray  # [lane, any] uint64
    counts: IntArray  # [lane], how many keys there are
    squares: FloatArray  # [LEAF_SIZE] float32, memory


@kernel
def _project_queries(
    queries: FloatArray, center: FloatArray, basis: FloatArray, radius: float, images: FloatArray, slacks: FloatArray
) -> None:
    sums = np.empty(IMAGE_SIZE)
    for i in range(len(queries)):
        slacks[i] = slack_of(queries.shape[1], radius + project(queries[i], center, basis, sums, images[i]))


@parallel_kernel
def _fill_blocks(features: FloatArray, rows: IntArray, blocks: FloatArray) -> None:
    """The states of each leaf side by side; places without a state repeat one, and their images are never near."""
    for leaf in prange(len(rows)):
        for s in range(LEAF_SIZE):
            feature = features[max(rows[leaf, s], 0)]
            for d in range(len(feature)):
                blocks[leaf, d, s] = feature[d]


@parallel_kernel
def _search_groups(
    blocks: FloatArray,
    images: FloatArray,
    rows: IntArray,
    low: FloatArray,
    high: FloatArray,
    order: IntArray,
    queries: FloatArray,
    query_images: FloatArray,
    slacks: FloatArray,
    indices: IntArray,
    distances: FloatArray,
) -> None:
    """Search for the queries in this `order` [query], LEAF_SIZE of them at a time."""
    count = indices.shape[1]
    for group in prange((len(order) + LEAF_SIZE - 1) // LEAF_SIZE):
        members = order[group * LEAF_SIZE : (group + 1) * LEAF_SIZE]
        lanes = Lanes(
            queries[members],
            query_images[members],
            slacks[members],
            np.full(len(members), FARTHEST),
            np.empty((len(members), ROOM * count + LEAF_SIZE), np.uint64),
            np.zeros(len(members), np.int64),
            np.empty(LEAF_SIZE, np.float32),
        )
        _search_group(States(blocks, images, rows, low, high), lanes, count)
        for lane in range(len(members)):
            _write(lanes.keys[lane, : lanes.counts[lane]], indices[members[lane]], distances[members[lane]])


@kernel
def _search_group(states: States, lanes: Lanes, count: int) -> None:
    """Gather the keys of at least the `count` nearest states of every lane; the leaves nearest to any come first."""
    bounds = np.empty((len(lanes.images), len(states.rows)), np.float32)
    least = np.full(len(states.rows), np.inf, np.float32)
    for lane in range(len(bounds)):
        box_bounds(lanes.images[lane], states.low, states.high, bounds[lane])
        least = np.minimum(least, bounds[lane])
    limit = FARTHEST
    for leaf in np.argsort(least):
        if least[leaf] > limit:
            break
        for lane in range(len(bounds)):
            if bounds[lane, leaf] > lanes.limits[lane]:
                continue
            _image_squares(lanes.images[lane], states.images[leaf], lanes.squares)
            if _any_within(lanes.squares, lanes.limits[lane]):
                block_squares(states.blocks[leaf], lanes.queries[lane], lanes.squares)
                _keep(states.rows[leaf], lanes, lane, count)
        limit = lanes.limits.max()


@kernel
def _image_squares(image: FloatArray, images: FloatArray, squares: FloatArray) -> None:
    """As `bounds.image_squares`, for exactly LEAF_SIZE states."""
    for s in range(LEAF_SIZE):
        squares[s] = np.float32(0.0)
    for c in range(0, IMAGE_SIZE, 4):
        i0, i1, i2, i3 = images[c], images[c + 1], images[c + 2], images[c + 3]
        v0, v1, v2, v3 = image[c], image[c + 1], image[c + 2], image[c + 3]
        for s in range(LEAF_SIZE):
            d0, d1, d2, d3 = i0[s] - v0, i1[s] - v1, i2[s] - v2, i3[s] - v3
            squares[s] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)


@kernel
def _any_within(squares: FloatArray, limit: float) -> bool:
    most, hit_count = np.float32(limit), np.int32(0)
    for s in range(LEAF_SIZE):
        hit_count += np.int32(1) if squares[s] <= most else np.int32(0)
    return bool(hit_count > 0)


@kernel
def _keep(rows: IntArray, lanes: Lanes, lane: int, count: int) -> None:
    """Keep those of `rows` [LEAF_SIZE] whose squares are within the limit of `lane`, and lower that if it is time."""
    keys, key_count, limit = lanes.keys[lane], lanes.counts[lane], lanes.limits[lane]
    was_short = key_count < count
    for s in range(LEAF_SIZE):
        if lanes.squares[s] <= limit and rows[s] >= 0:
            bits = np.uint64(np.float32(math.sqrt(lanes.squares[s])).view(np.uint32))
            keys[key_count] = (bits << ROW_BITS) | np.uint64(rows[s])
            key_count += 1
    if key_count > len(keys) - LEAF_SIZE or (was_short and key_count >= count):
        keys[:key_count] = np.partition(keys[:key_count], count - 1)
        key_count = count
        lanes.limits[lane] = limit_of(_distance(keys[count - 1]), lanes.queries.shape[1], lanes.slacks[lane])
    lanes.counts[lane] = key_count


@kernel
def _write(keys: IntArray, rows: IntArray, distances: FloatArray) -> None:
    """The nearest of `keys` [any] as `rows` and `distances` [k], nearest first."""
    count = len(rows)
    nearest = np.sort(np.partition(keys, count - 1)[:count])
    for j in range(count):
        rows[j] = np.int64(nearest[j] & ROW_MASK)
        distances[j] = _distance(nearest[j])


@kernel
def _distance(key: int | np.uint64) -> float:
    return float(np.uint32(key >> ROW_BITS).view(np.float32))
