"""Search sets: the states of a database that a neighbour search may return, with their index."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import numba_is_loaded
from motionfields.field.connectivity import Connectivity, Spacing, find_connectivity
from motionfields.field.database import MotionDatabase
from motionfields.field.neighbors import BoundedIndex, NeighborIndex, Neighbors, PlainIndex, Search, make_index
from motionfields.field.neighbors.contract import check_features

FEW = 50_000  # pairs of a query and a state that numpy searches in a few milliseconds


@dataclass(frozen=True, eq=False)
class SearchSet:
    """The states that a search may return: the candidates that lie in the core of the data."""

    states: IntArray  # [m], database states, ascending
    connectivity: Connectivity  # computed over the candidates
    database: MotionDatabase

    @cached_property
    def index(self) -> NeighborIndex:
        """Exact index of the features of `states`; built at the first search."""
        return BoundedIndex(self.database.features[self.states])

    @cached_property
    def _plain(self) -> PlainIndex:
        """The same search in numpy, for a process that has not loaded numba."""
        return PlainIndex(self.database.features[self.states])

    @property
    def spacing(self) -> Spacing:
        """Distance from a candidate to its nearest other moment."""
        return self.connectivity.spacing

    def nearest(self, features: FloatArray, neighbor_count: int) -> Neighbors:
        """Return the states [n, k] of the set nearest to `features` [n, dimension], nearest first."""
        few = len(features) * len(self.states) <= FEW and "index" not in self.__dict__ and not numba_is_loaded()
        found = (self._plain if few else self.index).search(features, neighbor_count)
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
    check_features(database.features)  # now, since the index is built at the first search
    return SearchSet(kept, connectivity, database)
