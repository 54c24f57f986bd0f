"""Search sets: the states of a database that a neighbour search may return, with their index."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.field.connectivity import Connectivity, Spacing, find_connectivity
from motionfields.field.database import MotionDatabase
from motionfields.field.neighbors import BoundedIndex, NeighborIndex, Neighbors, Search, make_index


@dataclass(frozen=True, eq=False)
class SearchSet:
    """The states that a search may return: the candidates that lie in the core of the data."""

    states: IntArray  # [m], database states, ascending
    connectivity: Connectivity  # computed over the candidates
    index: NeighborIndex  # exact, over the features of `states`

    @property
    def spacing(self) -> Spacing:
        """Distance from a candidate to its nearest other moment."""
        return self.connectivity.spacing

    def nearest(self, features: FloatArray, neighbor_count: int) -> Neighbors:
        """Return the states [n, k] of the set nearest to `features` [n, dimension], nearest first."""
        found = self.index.search(features, neighbor_count)
        return Neighbors(self.states[found.indices], found.distances)


def clip_ends(database: MotionDatabase, tail: int) -> BoolArray:
    """Return which states [state] are among the last `tail` of their clip, or in the last third of a short clip."""
    lengths = np.diff(database.clip_starts)[database.clip_of]
    return np.asarray(database.frames_left < np.clip(lengths // 3, 1, tail))


def find_search_set(
    database: MotionDatabase, candidates: BoolArray, search: Search, *, connectivity: Connectivity | None = None
) -> SearchSet:
    """Return the states among `candidates` [state] of `database` from which a character can always continue.

    `search` selects the method that finds the neighbours of all candidates at once. If `connectivity` is given, that
    search is skipped.
    """
    states = np.flatnonzero(candidates)
    if len(states) == 0:
        raise ValueError("database: expected states with a next state, got none; use longer clips")
    if connectivity is None:
        connectivity = find_connectivity(database, make_index(database.features[states], search), states)
    kept = np.flatnonzero(candidates & connectivity.core)
    if len(kept) == 0:
        raise ValueError(
            "database: expected states that characters can transition to, got none; use longer or more similar clips"
        )
    return SearchSet(kept, connectivity, BoundedIndex(database.features[kept]))
