"""Approximate search with faiss (extra `faiss`), for the neighbours of all states of a large database at once.

Faiss only proposes candidates. This module measures and sorts them in the arithmetic of `PlainIndex`, so a state that
both find has the same distance to the last bit. The search effort of faiss is tuned against exact search on a sample of
states. The result does not depend on the batch, the number of threads or chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import parallel_kernel, prange
from motionfields.base.errors import MissingExtraError
from motionfields.field.neighbors.bounded import BoundedIndex
from motionfields.field.neighbors.contract import (
    NeighborIndex,
    Neighbors,
    checked_count,
    checked_queries,
)
from motionfields.field.neighbors.kernels import ZERO, keep_rows

Search = Literal["exact", "ivf", "hnsw"]
SEARCHES: tuple[Search, ...] = ("exact", "ivf", "hnsw")
LEAST_RECALL = 0.98
SAMPLE_COUNT = 1000  # states on which recall is measured
SPARE = 8  # extra candidates, because faiss rounds differently and so may order them differently
CHUNK = 8192  # queries passed to faiss at once
CELLS = 4.0  # number of cells, in multiples of the square root of the number of states
LEARNT_FROM = 32  # states per cell used to train the cell centers
ROUNDS = 4  # iterations of k-means
LINKS = 32  # links of each state on each level of an HNSW graph
LOOKED_AT_BUILDING = 60  # candidates considered when a state is linked
FIRST_EFFORT = {"ivf": 8, "hnsw": 64}
MORE_EFFORT = 1.25  # factor by which the effort grows until recall is reached


class Recall(NamedTuple):
    """The recall of an approximate search, and the effort it needs."""

    share: float  # share of the true neighbours found, not counting the state itself
    effort: int  # cells searched (ivf), or candidates kept during the search (hnsw)
    sample_count: int  # states on which it was measured


class FaissIndex:
    """An approximate index that finds most of the nearest states and otherwise meets the `NeighborIndex` contract.

    "ivf" sorts states into cells and searches those nearest to a query; "hnsw" walks a graph of near states. The first
    search for a `neighbor_count` raises the effort until `least_recall` is reached on a sample of states.
    """

    def __init__(
        self, features: ArrayLike, *, method: Literal["ivf", "hnsw"] = "ivf", least_recall: float = LEAST_RECALL
    ) -> None:
        if method not in FIRST_EFFORT:
            raise ValueError(f"method: expected one of {', '.join(FIRST_EFFORT)}, got {method!r}")
        self._faiss = _import_faiss()
        self._exact = BoundedIndex(features)
        self._features = self._exact.features
        self.method = method
        self.least_recall = least_recall
        self._recalls: dict[int, Recall] = {}
        # One thread: with several, the order in which states are linked would depend on timing.
        with _threads(self._faiss, 1):
            if method == "ivf":
                self._index, self._centers = _ivf(self._faiss, self._features)
            else:
                self._index = _hnsw(self._faiss, self._features)

    @property
    def features(self) -> FloatArray:
        """The states that are searched, [state, dimension] float32, read-only."""
        return self._features

    def search(self, queries: ArrayLike, neighbor_count: int) -> Neighbors:
        """Return approximately the `neighbor_count` nearest states of each of `queries` [query, dimension]."""
        points = checked_queries(queries, self._features.shape[1])
        count = checked_count(neighbor_count, len(self._features))
        return self._search(points, count, self.recall(count).effort)

    def recall(self, neighbor_count: int) -> Recall:
        """Return the recall and effort of a search for `neighbor_count` states; measured once and cached."""
        count = checked_count(neighbor_count, len(self._features))
        if count not in self._recalls:
            self._recalls[count] = self._measured(count)
        return self._recalls[count]

    def _measured(self, count: int) -> Recall:
        """Return the recall at the smallest effort tried that reaches `least_recall`, or at full effort."""
        state_count = len(self._features)
        looked_at = min(count + 1, state_count)  # the state itself is always found
        rows = np.unique(np.linspace(0, state_count - 1, min(SAMPLE_COUNT, state_count)).astype(np.int64))
        farthest = self._exact.search(self._features[rows], looked_at).distances[:, -1:]
        most = self._centers.features.shape[0] if self.method == "ivf" else state_count
        effort = min(FIRST_EFFORT[self.method], most)
        while True:
            found = self._search(self._features[rows], looked_at, effort)
            right = (found.distances <= farthest).sum(axis=1) - 1
            share = float(right.mean() / (looked_at - 1)) if looked_at > 1 else 1.0
            if share >= self.least_recall or effort == most:
                return Recall(share, effort, len(rows))
            effort = min(most, math.ceil(MORE_EFFORT * effort))

    def _search(self, points: FloatArray, count: int, effort: int) -> Neighbors:
        """Return the `count` nearest of the candidates that faiss finds for `points` [query, dimension].

        Queries for which faiss finds fewer than `count` candidates are searched exactly.
        """
        indices = np.empty((len(points), count), np.int64)
        distances = np.empty((len(points), count), np.float32)
        wanted = min(count + SPARE, len(self._features))
        for first in range(0, len(points), CHUNK):
            part = slice(first, first + CHUNK)
            candidates = self._candidates(points[part], wanted, effort)
            _rank(self._features, points[part], candidates, indices[part], distances[part])
            few = first + np.flatnonzero((candidates >= 0).sum(axis=1) < count)
            if len(few) > 0:
                indices[few], distances[few] = self._exact.search(points[few], count)
        return Neighbors(indices, distances)

    def _candidates(self, points: FloatArray, count: int, effort: int) -> IntArray:
        """Return rows [query, count] that may be near `points` [query, dimension]; -1 for none."""
        from numba import get_num_threads

        with _threads(self._faiss, get_num_threads()):
            if self.method == "hnsw":
                how = self._faiss.SearchParametersHNSW(efSearch=max(effort, count))
                _, found = self._index.search(points, count, params=how)
            else:
                # Faiss uses different arithmetic for small and large batches, so the nearest centers are found here.
                cells, gaps = self._centers.search(points, effort)
                self._index.nprobe = effort
                _, found = self._index.search_preassigned(points, count, cells, gaps)
        return np.asarray(found, dtype=np.int64)


def make_index(features: ArrayLike, search: Search = "exact") -> NeighborIndex:
    """Return an index of `features` [state, dimension]: exact, or approximate with faiss."""
    if search not in SEARCHES:
        raise ValueError(f"search: expected one of {', '.join(SEARCHES)}, got {search!r}")
    return BoundedIndex(features) if search == "exact" else FaissIndex(features, method=search)


def _import_faiss() -> Any:
    try:
        return import_module("faiss")
    except ImportError:
        raise MissingExtraError("faiss-cpu", extra="faiss") from None


@contextmanager
def _threads(faiss: Any, count: int) -> Iterator[None]:
    """Let faiss use `count` threads inside the block, and restore the previous number afterwards."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(count)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def _ivf(faiss: Any, features: FloatArray) -> tuple[Any, BoundedIndex]:
    """Return a faiss index of `features` sorted into cells, and an exact index of the cell centers."""
    state_count, dimension = features.shape
    cell_count = max(1, min(state_count // LEARNT_FROM, round(CELLS * state_count**0.5)))
    sample = np.linspace(0, state_count - 1, min(state_count, LEARNT_FROM * cell_count)).astype(np.int64)
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(dimension), dimension, cell_count)
    index.cp.niter, index.cp.min_points_per_centroid = ROUNDS, 1  # faiss would warn of few states on standard error
    index.train(features[sample])
    centers = BoundedIndex(index.quantizer.reconstruct_n(0, cell_count))
    cells, rows = centers.search(features, 1).indices[:, 0], np.arange(state_count)
    index.add_core(state_count, *(faiss.swig_ptr(array) for array in (features, rows, cells)))
    return index, centers


def _hnsw(faiss: Any, features: FloatArray) -> Any:
    """Return a faiss graph index of `features`."""
    index = faiss.IndexHNSWFlat(features.shape[1], LINKS)
    index.hnsw.efConstruction = LOOKED_AT_BUILDING
    index.add(features)
    return index


@parallel_kernel
def _rank(
    features: FloatArray, queries: FloatArray, candidates: IntArray, indices: IntArray, distances: FloatArray
) -> None:
    """Fill `indices` and `distances` [query, k] with the nearest of `candidates` [query, any].

    Missing candidates are -1, at the end of a row. Candidates are nearly sorted already, so inserting them one by one
    into a sorted list is cheap.
    """
    for i in prange(len(queries)):
        terms = np.zeros((4, queries.shape[1]), np.float32)
        row_count = ZERO
        while row_count < candidates.shape[1] and candidates[i, row_count] >= 0:
            row_count += 1
        keep_rows(features, queries[i], candidates[i, :row_count], terms, distances[i], indices[i], ZERO)
