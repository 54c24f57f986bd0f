"""Search of the leaves for long neighbour lists of many queries at once, such as all states of a database.

The queries are grouped into leaves of their own. The queries of one group, its *lanes*, lie close together and need
mostly the same states. Each leaf of the database is read once for all lanes, and measured in full for each lane that
may need any of its states. Keeping long lists sorted would cost more than all of this. So near states are kept unsorted
as *keys*, and only when no room is left are they reduced to the k nearest, which lowers the limit. A key packs distance
and row into one number that sorts as the list does: by distance, then by row.
"""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import Kernel, kernel, parallel_kernel, prange
from motionfields.field.neighbors.bounds import FARTHEST, box_bounds, limit_of, slack_of
from motionfields.field.neighbors.kernels import block_squares
from motionfields.field.neighbors.leaves import IMAGE_SIZE, LEAF_SIZE, Leaves, leaf_order, project

LONG_LIST = 40  # neighbours from which this search is faster
FEWEST_STATES = 20_000  # below this, compiling this search takes longer than it saves: 20 s against about 10
FEWEST_QUERIES = 256  # below this, grouping queries and copying the states into blocks does not pay
STATES_A_QUERY = 512  # with more states per query, copying the states takes longer than the search
ROOM = 3  # keys kept before they are reduced, in multiples of the number of neighbours
ROW_BITS = np.uint64(32)  # low bits of a key, which hold the row; the distance is above them
ROW_MASK = np.uint64(0xFFFFFFFF)


def suits_long_lists(query_count: int, neighbor_count: int, state_count: int) -> bool:
    """Return whether `search_long_lists` is faster than the usual search, with its compilation if it is still due.

    Both give the same bits.
    """
    enough = max(FEWEST_QUERIES, state_count // STATES_A_QUERY)
    if neighbor_count < LONG_LIST or query_count < enough or state_count > int(ROW_MASK):
        return False
    return state_count >= FEWEST_STATES or cast(Kernel, _search_groups).is_compiled


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
    """The states of a database, arranged by leaf."""

    blocks: FloatArray  # [leaf, dimension, LEAF_SIZE] float32, the features
    images: FloatArray  # [leaf, IMAGE_SIZE, LEAF_SIZE] float32
    rows: IntArray  # [leaf, LEAF_SIZE]
    low: FloatArray  # [IMAGE_SIZE, leaf] float32
    high: FloatArray  # [IMAGE_SIZE, leaf] float32


class Lanes(NamedTuple):
    """The queries of one group, and the states found for them so far."""

    queries: FloatArray  # [lane, dimension] float32
    images: FloatArray  # [lane, IMAGE_SIZE] float32
    slacks: FloatArray  # [lane] float64
    limits: FloatArray  # [lane] float64
    keys: IntArray  # [lane, any] uint64
    counts: IntArray  # [lane], number of keys
    squares: FloatArray  # [LEAF_SIZE] float32, scratch memory


@kernel
def _project_queries(
    queries: FloatArray, center: FloatArray, basis: FloatArray, radius: float, images: FloatArray, slacks: FloatArray
) -> None:
    """Fill `images` [query, IMAGE_SIZE] and `slacks` [query] for `queries` [query, dimension]."""
    sums = np.empty(IMAGE_SIZE)
    for i in range(len(queries)):
        slacks[i] = slack_of(queries.shape[1], radius + project(queries[i], center, basis, sums, images[i]))


@parallel_kernel
def _fill_blocks(features: FloatArray, rows: IntArray, blocks: FloatArray) -> None:
    """Copy the states of each leaf side by side into `blocks` [leaf, dimension, LEAF_SIZE].

    Padding places repeat state 0: their images at infinity never pass a limit, and `_keep` skips rows of -1.
    """
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
    """Search for the queries in the given `order` [query], LEAF_SIZE of them at a time."""
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
    """Collect the keys of at least the `count` nearest states of every lane, from the nearest leaves outwards."""
    bounds = np.empty((len(lanes.images), len(states.rows)), np.float32)
    least = np.full(len(states.rows), np.inf, np.float32)
    for lane in range(len(bounds)):
        box_bounds(lanes.images[lane], states.low, states.high, bounds[lane])
        least = np.minimum(least, bounds[lane])
    limit = FARTHEST
    # Leaves nearest to any lane come first, so limits fall early. `limit` is the largest of all lanes, so the loop may
    # stop at the first leaf beyond it.
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
    """Fill `squares` as `bounds.image_squares` does, for exactly LEAF_SIZE states."""
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
    """Return whether any of `squares` [LEAF_SIZE] is within `limit`; branch-free, so it vectorises."""
    most, hit_count = np.float32(limit), np.int32(0)
    for s in range(LEAF_SIZE):
        hit_count += np.int32(1) if squares[s] <= most else np.int32(0)
    return bool(hit_count > 0)


@kernel
def _keep(rows: IntArray, lanes: Lanes, lane: int, count: int) -> None:
    """Add keys for those of `rows` [LEAF_SIZE] whose squares are within the limit of `lane`; lower the limit if due."""
    keys, key_count, limit = lanes.keys[lane], lanes.counts[lane], lanes.limits[lane]
    was_short = key_count < count
    for s in range(LEAF_SIZE):
        if lanes.squares[s] <= limit and rows[s] >= 0:
            # The bits of a non-negative float32 sort like its value, so keys compare as integers.
            bits = np.uint64(np.float32(math.sqrt(lanes.squares[s])).view(np.uint32))
            keys[key_count] = (bits << ROW_BITS) | np.uint64(rows[s])
            key_count += 1
    # Reduce the keys when the next leaf might not fit, and as soon as there are `count` of them, to get a first limit.
    if key_count > len(keys) - LEAF_SIZE or (was_short and key_count >= count):
        keys[:key_count] = np.partition(keys[:key_count], count - 1)
        key_count = count
        lanes.limits[lane] = limit_of(_distance(keys[count - 1]), lanes.queries.shape[1], lanes.slacks[lane])
    lanes.counts[lane] = key_count


@kernel
def _write(keys: IntArray, rows: IntArray, distances: FloatArray) -> None:
    """Write the nearest of `keys` [any] to `rows` and `distances` [k], nearest first."""
    count = len(rows)
    nearest = np.sort(np.partition(keys, count - 1)[:count])
    for j in range(count):
        rows[j] = np.int64(nearest[j] & ROW_MASK)
        distances[j] = _distance(nearest[j])


@kernel
def _distance(key: int | np.uint64) -> float:
    """Return the distance in the high bits of `key`."""
    return float(np.uint32(key >> ROW_BITS).view(np.float32))
