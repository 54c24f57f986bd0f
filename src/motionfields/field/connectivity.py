"""Which states of a database a character can keep moving through, and which lead nowhere.

A character at one state goes on to the next, or changes over to a similar one. Seen as a graph, data splits into parts:
the largest in which every state can be reached from every other is the core; what has no way back to it is a dead end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.field.database import MotionDatabase
from motionfields.field.neighbors import FaissIndex, NeighborIndex

SAME_MOMENT = 15  # frames of its own clip within which a state is the same moment
LOOKED_AT = 60  # nearest states looked at for changes of course
ROWS_AT_ONCE = 1 << 16  # states that are searched for at a time: enough to search fast, few enough to save memory
REACH = 2.0  # times the data's spacing: how far a character changes over
LEAST_SPACING = 0.5  # of the median from one frame to the next; takes given twice would make it nothing
STEPS_LOOKED_AT = 20_000  # frames on which that median rests


class Spacing(NamedTuple):
    """How far a state of the data is from its nearest other moment: the yardstick for all distances."""

    median: float
    p95: float


class Connectivity(NamedTuple):
    """The yardstick of a database, and the states that one can always go on from."""

    spacing: Spacing
    core: BoolArray  # [state]
    recall: float = 1.0  # share of the true neighbours that both rest on, measured on a sample


def find_connectivity(database: MotionDatabase, index: NeighborIndex, rows: IntArray) -> Connectivity:
    """Spacing and core of `database`, whose states `rows` [m] are what the `index` finds."""
    changes, distances = other_moments(database, index, rows)
    nearest = np.maximum(_nearest_other(distances, changes >= 0), LEAST_SPACING * _median_step(database))
    spacing = Spacing(float(np.median(nearest[rows])), float(np.percentile(nearest[rows], 95.0)))
    changes[distances > REACH * spacing.median] = -1
    recall = index.recall(changes.shape[1]).share if isinstance(index, FaissIndex) else 1.0
    del index, distances  # the graph needs their room
    return Connectivity(spacing, _core(database.frames_left, changes), recall)


def other_moments(database: MotionDatabase, index: NeighborIndex, rows: IntArray) -> tuple[IntArray, FloatArray]:
    """The nearest of the states `rows` [m] that `index` finds, for each state: [state, k] int32; how far, float32.

    The former is -1 where it is the same moment.
    """
    count = min(LOOKED_AT, len(rows))
    near = np.empty((database.state_count, count), np.int32)
    distances = np.empty(near.shape, np.float32)
    for start in range(0, database.state_count, ROWS_AT_ONCE):
        part = slice(start, min(start + ROWS_AT_ONCE, database.state_count))
        found = index.search(database.features[part], count)
        near[part], distances[part] = rows[found.indices], found.distances
        same = database.clip_of[near[part]] == database.clip_of[part, np.newaxis]
        same &= np.abs(near[part] - np.arange(part.start, part.stop)[:, np.newaxis]) <= SAME_MOMENT
        near[part][same] = -1
    return near, distances


def _nearest_other(distances: FloatArray, other: BoolArray) -> FloatArray:
    """The first of `distances` [m, k] that is to an `other` moment [m, k], or the last where none is."""
    first = np.where(other.any(axis=-1), other.argmax(axis=-1), other.shape[-1] - 1)
    return np.asarray(distances[np.arange(len(distances)), first])


def _median_step(database: MotionDatabase) -> float:
    """The median distance from a frame to the next, over frames spread evenly through `database`."""
    going_on = np.flatnonzero(database.frames_left >= 1)
    rows = going_on[:: max(1, len(going_on) // STEPS_LOOKED_AT)]
    steps = np.linalg.norm(database.features[rows + 1] - database.features[rows], axis=-1)
    return float(np.median(steps)) if len(steps) else 0.0


def _core(frames_left: IntArray, changes: IntArray) -> BoolArray:
    """The largest set of states [n] that can all reach each other, by going on or by one of `changes` [n, k].

    Changes are states to change over to; -1 is none.
    """
    count = len(frames_left)
    going_on = np.where(frames_left >= 1, np.arange(1, count + 1), -1).astype(changes.dtype)
    ways = np.concatenate([going_on[:, np.newaxis], changes], axis=1)
    ends = np.cumsum((ways >= 0).sum(axis=1))
    targets = ways[ways >= 0]
    graph = csr_matrix((np.ones(len(targets)), targets, np.concatenate([[0], ends])), shape=(count, count))
    part_count, part = connected_components(graph, directed=True, connection="strong")
    return np.asarray(part == np.bincount(part, minlength=part_count).argmax())
