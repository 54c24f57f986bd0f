"""Compiled brute-force search: exact, for small databases and large batches."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, read_only
from motionfields.field.neighbors import kernels
from motionfields.field.neighbors.contract import Neighbors, checked_count, checked_features, checked_queries


class ExactIndex:
    """An exact index that measures every state, on numba's threads; bit-identical to `PlainIndex`.

    Each block stores its states side by side per dimension, so that the compiler can process many states at once while
    the sum of each state keeps its order.
    """

    def __init__(self, features: ArrayLike) -> None:
        self._features = checked_features(features)
        state_count, dimension = self._features.shape
        padded = np.zeros((-(-state_count // kernels.BLOCK) * kernels.BLOCK, dimension), np.float32)
        padded[:state_count] = self._features
        blocks = padded.reshape(-1, kernels.BLOCK, dimension).transpose(0, 2, 1)
        self._blocks = np.ascontiguousarray(blocks)  # [block, dimension, BLOCK]

    @property
    def features(self) -> FloatArray:
        """The states that are searched, [state, dimension] float32, read-only."""
        return read_only(self._features)

    def search(self, queries: ArrayLike, neighbor_count: int) -> Neighbors:
        """Return the `neighbor_count` nearest states of each of `queries` [query, dimension]."""
        rows = checked_queries(queries, self._features.shape[1])
        count = checked_count(neighbor_count, len(self._features))
        indices = np.empty((len(rows), count), np.int64)
        distances = np.empty((len(rows), count), np.float32)
        kernels.scan_all(self._blocks, len(self._features), rows, indices, distances)
        return Neighbors(indices, distances)
