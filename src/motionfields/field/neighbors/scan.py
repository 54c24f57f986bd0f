"""Search of the leaves, one query at a time, or several at once where they lie close together."""

from __future__ import annotations

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
    slack_of,
)
from motionfields.field.neighbors.kernels import ZERO, keep_rows
from motionfields.field.neighbors.leaves import IMAGE_SIZE, LEAF_SIZE, Leaves, project
from motionfields.field.neighbors.together import MOST_TOGETHER, Batch, Scratch, search_together

FEWEST_TOGETHER = 4  # fewer queries than this are faster one by one
EAGER_LEAVES = 3  # leaves searched nearest first, in addition to those that k states fill; the rest follow in order


@kernel
def search_all(
    features: FloatArray,
    leaves: Leaves,
    queries: FloatArray,
    starts: IntArray,
    indices: IntArray,
    distances: FloatArray,
) -> None:
    """Fill `indices` and `distances` [query, k] for `queries` [query, dimension].

    `starts` [query, any] are rows that are probably near, each list sorted, or an array without rows. Each query
    searched alone becomes a leader: the queries after it that are closer to it than its k-th neighbour share one scan.
    """
    query_count = len(queries)
    batch = Batch(
        queries,
        np.empty((query_count, IMAGE_SIZE), np.float32),
        np.empty(query_count),
        np.full(query_count, FARTHEST),
        indices,
        distances,
    )
    scratch = Scratch(
        np.empty(len(leaves.images), np.float32),
        np.empty(LEAF_SIZE, np.float32),
        np.empty(LEAF_SIZE, np.int64),
        np.empty(LEAF_SIZE, np.int64),
        np.zeros((4, queries.shape[1]), np.float32),
    )
    sums = np.empty(IMAGE_SIZE)
    for i in range(query_count):
        size = leaves.radius + project(queries[i], leaves.center, leaves.basis, sums, batch.images[i])
        batch.slacks[i] = slack_of(queries.shape[1], size)
        if len(starts) > 0:
            batch.limits[i] = _limit_by_starts(features, batch, scratch, starts[i], i)
    leader = ZERO
    while leader < query_count:
        _search_one(features, leaves, batch, scratch, leader)
        stop = _end_of_run(batch, leader)
        if stop - leader > FEWEST_TOGETHER:
            search_together(features, leaves, batch, scratch, leader + 1, stop)
            leader = stop
        else:
            leader += 1


@kernel
def _search_one(features: FloatArray, leaves: Leaves, batch: Batch, scratch: Scratch, i: int) -> None:
    """Fill the neighbours of query `i` of `batch`."""
    query, image, slack, limit = batch.queries[i], batch.images[i], batch.slacks[i], batch.limits[i]
    best, rows, bounds = batch.distances[i], batch.indices[i], scratch.bounds
    box_bounds(image, leaves.low, leaves.high, bounds)
    # Searching the nearest leaves first lowers the limit early; sorting the remaining leaves does not pay.
    eager_count = min(len(bounds), len(rows) // LEAF_SIZE + EAGER_LEAVES) if limit >= FARTHEST else 0
    count = ZERO
    for turn in range(eager_count + len(bounds)):
        leaf = np.argmin(bounds) if turn < eager_count else turn - eager_count
        if bounds[leaf] > limit:
            continue
        # Each leaf is searched at most once: its bound is now above any limit.
        bounds[leaf] = np.inf
        image_squares(image, leaves.images[leaf], scratch.squares)
        near_count = places_within(scratch.squares, limit, scratch.places)
        for j in range(near_count):
            scratch.rows[j] = leaves.rows[leaf, scratch.places[j]]
        for j in range(0, near_count, 4):
            # Places are sorted by bound, and the limit falls with every four states measured, so the rest of the leaf
            # can be skipped here.
            if scratch.squares[scratch.places[j]] > limit:
                break
            four = scratch.rows[j : min(j + 4, near_count)]
            count = keep_rows(features, query, four, scratch.terms, best, rows, count)
            if count == len(best):
                limit = min(limit, limit_of(best[count - 1], len(query), slack))


@kernel
def _end_of_run(batch: Batch, leader: int) -> int:
    """Return the end of the run of queries after `leader` that lie near it, at most MOST_TOGETHER of them."""
    reach = batch.distances[leader, -1]
    most = min(len(batch.queries), leader + 1 + MOST_TOGETHER)
    stop = leader + 1
    while stop < most and gap_between(batch.images[leader], batch.images[stop]) < reach:
        stop += 1
    return stop


@kernel
def _limit_by_starts(features: FloatArray, batch: Batch, scratch: Scratch, starts: IntArray, i: int) -> float:
    """Return the limit for query `i` that follows from the distinct rows among `starts` [any], sorted.

    The list of the query is only scratch memory here; the search fills it again from the start.
    """
    query, best, rows = batch.queries[i], batch.distances[i], batch.indices[i]
    count = ZERO
    for j in range(len(starts)):
        if j == 0 or starts[j] != starts[j - 1]:
            count = keep_rows(features, query, starts[j : j + 1], scratch.terms, best, rows, count)
    return limit_of(best[count - 1], len(query), batch.slacks[i]) if count == len(best) else FARTHEST
