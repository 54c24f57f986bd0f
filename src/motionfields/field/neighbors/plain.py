"""The reference neighbour search in plain numpy; every exact index must equal it bit for bit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, read_only
from motionfields.field.neighbors.contract import Neighbors, checked_count, checked_features, checked_queries


class PlainIndex:
    """Brute force in numpy: slow, and the definition of the result."""

    def __init__(self, features: ArrayLike) -> None:
        self._features = checked_features(features)

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
        for i, query in enumerate(rows):
            to_all = self._distances(query)
            indices[i] = np.argsort(to_all, kind="stable")[:count]
            distances[i] = to_all[indices[i]]
        return Neighbors(indices, distances)

    def _distances(self, query: FloatArray) -> FloatArray:
        """Return the distances [state] float32 of one query [dimension] to every state."""
        squares = np.zeros(len(self._features), np.float32)
        for column, value in zip(self._features.T, query, strict=True):
            difference = column - value
            squares += difference * difference
        return np.asarray(np.sqrt(squares))
