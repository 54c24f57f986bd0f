"""Which states of a database a character can keep moving through, and which lead nowhere.

A character at one state goes on to the next, or changes over to a similar one. Seen as a graph, data splits into parts:
the largest in which every state can be reached from every other is the core; what has no way back to it is a dead end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from motionfields.arrays import BoolArray, FloatArray, IntArray
from motionfields.database import MotionDatabase
from motionfields.neighbors import NeighborIndex, Neighbors

SAME_MOMENT = 15  # frames of its own clip within which a state is the same moment
LOOKED_AT = 60  # nearest states looked at for changes of course
REACH = 2.0  # times the data's spacing: how far a character changes over


class Spacing(NamedTuple):
    """How far a state of the data is from its nearest other moment: the yardstick for all distances."""

    median: float
    p95: float


class Connectivity(NamedTuple):
    """The yardstick of a database, and the states that one can always go on from."""

    spacing: Spacing
    core: BoolArray  # [state]


def find_connectivity(database: MotionDatabase, index: NeighborIndex, rows: IntArray) -> Connectivity:
    """Spacing and core of `database`, whose states `rows` [m] are what the `index` finds."""
    everywhere = np.arange(database.state_count)
    found = index.search(database.features, min(LOOKED_AT, len(rows)))
    near = Neighbors(rows[found.indices], found.distances)
    other = database.clip_of[near.indices] != database.clip_of[:, np.newaxis]
    other |= np.abs(near.indices - everywhere[:, np.newaxis]) > SAME_MOMENT
    spacing = _spacing(near.distances[rows], other[rows])
    change = other & (near.distances <= REACH * spacing.median)
    return Connectivity(spacing, _core(database.frames_left, near.indices, change))


def _spacing(distances: FloatArray, other: BoolArray) -> Spacing:
    """Median and 95th percentile of the distance [m, k] to the nearest that is an `other` moment [m, k]."""
    first = np.where(other.any(axis=-1), other.argmax(axis=-1), other.shape[-1] - 1)
    nearest = distances[np.arange(len(distances)), first]
    return Spacing(float(np.median(nearest)), float(np.percentile(nearest, 95.0)))


def _core(frames_left: IntArray, near: IntArray, change: BoolArray) -> BoolArray:
    """The largest set of states [n] that can all reach each other, by going on or by a `change` [n, k] to `near`."""
    count = len(frames_left)
    going_on = np.flatnonzero(frames_left >= 1)
    start, place = np.nonzero(change)
    sources = np.concatenate([going_on, start])
    targets = np.concatenate([going_on + 1, near[start, place]])
    graph = coo_matrix((np.ones(len(sources), np.int8), (sources, targets)), shape=(count, count))
    part_count, part = connected_components(graph.tocsr(), directed=True, connection="strong")
    return np.asarray(part == np.bincount(part, minlength=part_count).argmax())
