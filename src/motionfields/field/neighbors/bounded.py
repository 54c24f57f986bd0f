"""Exact search that skips states by lower bounds of their distances.

`leaves` provides the bounds: first whole boxes of states, then single states, are skipped when their bound exceeds the
k-th best distance so far. The remaining states are measured in full, in the arithmetic of `PlainIndex`. So the result
is the same to the last bit, whatever the bounds let through.
"""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import kernel, parallel_kernel, prange
from motionfields.field.neighbors.contract import Neighbors, checked_count, checked_features, checked_queries
from motionfields.field.neighbors.leaves import Leaves, grow_leaves
from motionfields.field.neighbors.long_lists import search_long_lists, suits_long_lists
from motionfields.field.neighbors.scan import search_all

CHUNK = 16  # queries per task of one thread
NO_ROWS = np.empty((0, 0), np.int64)


class BoundedIndex:
    """An exact index that is fast for data of low intrinsic dimension, as motion is; bit-identical to `PlainIndex`.

    Batches of more than 16 queries are spread over numba's threads. Consecutive queries that lie close together, such
    as the possible next states of one character, share one scan. Searches for hundreds of neighbours are fast for many
    queries in one call, for example for all states. For a few queries the cost of keeping the list sorted grows with
    the square of `neighbor_count`, which should then be in the tens.
    """

    def __init__(self, features: ArrayLike) -> None:
        self._features = checked_features(features)
        self._leaves = grow_leaves(self._features)
        self._arrays = (self._features, *self._leaves)

    @property
    def features(self) -> FloatArray:
        """The states that are searched, [state, dimension] float32, read-only."""
        return read_only(self._features)

    def search(
        self, queries: ArrayLike, neighbor_count: SupportsIndex, *, likely: ArrayLike | None = None
    ) -> Neighbors:
        """Return the `neighbor_count` nearest states of each of `queries` [query, dimension].

        `likely` [query, any] are rows of the database that are probably near, such as the successors of the last
        frame's neighbours. They change the search time and nothing else.
        """
        from numba import get_num_threads

        state_count, dimension = self._features.shape
        points = checked_queries(queries, dimension)
        count = checked_count(neighbor_count, state_count)
        starts = NO_ROWS if likely is None else self._checked_rows(likely, len(points))
        indices = np.empty((len(points), count), np.int64)
        distances = np.empty((len(points), count), np.float32)
        if suits_long_lists(len(points), count, state_count):
            search_long_lists(self._features, self._leaves, points, indices, distances)
            return Neighbors(indices, distances)
        search = _search if len(points) <= CHUNK or get_num_threads() == 1 else _search_chunks
        search(*self._arrays, points, starts, indices, distances)
        return Neighbors(indices, distances)

    def _checked_rows(self, likely: ArrayLike, query_count: int) -> IntArray:
        """Return `likely` as int64 [query, any], each row sorted; ValueError if any is out of range."""
        rows = np.asarray(likely)
        if rows.ndim != 2 or len(rows) != query_count or rows.dtype.kind not in "iu":
            raise ValueError(f"likely: expected whole numbers [{query_count}, any], got {rows.dtype} {rows.shape}")
        if rows.size and not (rows.min() >= 0 and rows.max() < len(self._features)):
            raise ValueError(f"likely: expected rows 0 to {len(self._features) - 1}, got {rows.min()} to {rows.max()}")
        return np.sort(rows.astype(np.int64), axis=1)


# The leaves are passed as separate arguments: passing a named tuple from Python takes half as long as a search of a
# small database.
@kernel
def _search(
    features: FloatArray,
    center: FloatArray,
    basis: FloatArray,
    images: FloatArray,
    rows: IntArray,
    low: FloatArray,
    high: FloatArray,
    radius: float,
    queries: FloatArray,
    starts: IntArray,
    indices: IntArray,
    distances: FloatArray,
) -> None:
    """Search all queries on the calling thread; see `search_all`."""
    leaves = Leaves(center, basis, images, rows, low, high, radius)
    search_all(features, leaves, queries, starts, indices, distances)


@parallel_kernel
def _search_chunks(
    features: FloatArray,
    center: FloatArray,
    basis: FloatArray,
    images: FloatArray,
    rows: IntArray,
    low: FloatArray,
    high: FloatArray,
    radius: float,
    queries: FloatArray,
    starts: IntArray,
    indices: IntArray,
    distances: FloatArray,
) -> None:
    """Search chunks of CHUNK queries on several threads; see `search_all`."""
    for chunk in prange((len(queries) + CHUNK - 1) // CHUNK):
        # A chunk holds consecutive queries, so that near ones can still share a scan.
        part = slice(chunk * CHUNK, chunk * CHUNK + CHUNK)
        leaves = Leaves(center, basis, images, rows, low, high, radius)
        search_all(features, leaves, queries[part], starts[part], indices[part], distances[part])
