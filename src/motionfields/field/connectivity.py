"""The connectivity of a database: the states a character can keep moving through, and the dead ends.

A character at one state either continues to the next frame or makes a transition to a similar state. As a graph, the
data splits into strongly connected parts. The largest part, in which every state can reach every other, is the core.
States without a path back to the core are dead ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_array, checked_number
from motionfields.field.database import MotionDatabase
from motionfields.field.neighbors import FaissIndex, NeighborIndex

SAME_MOMENT = 15  # states of one clip at most this many frames apart count as the same moment
LOOKED_AT = 60  # nearest states considered as transitions
ROWS_AT_ONCE = 1 << 16  # states searched at a time: large enough for speed, small enough to save memory
REACH = 2.0  # greatest distance of a transition, in multiples of the data's spacing
LEAST_SPACING = 0.5  # lower bound, as a share of the median frame-to-frame distance; duplicate takes would give 0
SMALLEST_SPACING = 1e-6  # for data that never moves
STEPS_LOOKED_AT = 20_000  # frames sampled for that median


class Spacing(NamedTuple):
    """Distance from a state to its nearest other moment, over the data: the unit for all feature distances."""

    median: float
    p95: float


class Connectivity(NamedTuple):
    """The spacing of a database, and the states from which a character can always continue."""

    spacing: Spacing
    core: BoolArray  # [state]
    recall: float = 1.0  # share of the true neighbours found by the search, measured on a sample


def check_connectivity(connectivity: Connectivity, state_count: int) -> None:
    """Raise ValueError unless `connectivity` is valid for a database of `state_count` states."""
    if len(connectivity.spacing) != len(Spacing._fields):
        raise ValueError(f"spacing: expected median and 95th percentile, got {connectivity.spacing}")
    for name, distance in connectivity.spacing._asdict().items():
        checked_number(f"spacing.{name}", distance, 1e-3 * SMALLEST_SPACING)
    checked_number("recall", connectivity.recall, 0.0, 1.0)
    check_array("core", connectivity.core, np.bool_, (state_count,))


def find_connectivity(database: MotionDatabase, index: NeighborIndex, states: IntArray) -> Connectivity:
    """Return the spacing and the core of `database`; `index` searches its states `states` [m]."""
    changes, distances = other_moments(database, index, states)
    nearest = np.maximum(_nearest_other(distances, changes >= 0), LEAST_SPACING * _median_step(database))
    nearest = np.maximum(nearest, SMALLEST_SPACING)
    spacing = Spacing(float(np.median(nearest[states])), float(np.percentile(nearest[states], 95.0)))
    changes[distances > REACH * spacing.median] = -1
    recall = index.recall(changes.shape[1]).share if isinstance(index, FaissIndex) else 1.0
    del index, distances  # free memory for the graph
    return Connectivity(spacing, _core(database.frames_left, changes), recall)


def other_moments(database: MotionDatabase, index: NeighborIndex, states: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the nearest of `states` [m] for each state, [state, k] int32, and distances, float32.

    `index` searches the features of `states`. An entry is -1 where the neighbour is the same moment as the state.
    """
    count = min(LOOKED_AT, len(states))
    near = np.empty((database.state_count, count), np.int32)
    distances = np.empty(near.shape, np.float32)
    for start in range(0, database.state_count, ROWS_AT_ONCE):
        part = slice(start, min(start + ROWS_AT_ONCE, database.state_count))
        found = index.search(database.features[part], count)
        near[part], distances[part] = states[found.indices], found.distances
        same = database.clip_of[near[part]] == database.clip_of[part, np.newaxis]
        same &= np.abs(near[part] - np.arange(part.start, part.stop)[:, np.newaxis]) <= SAME_MOMENT
        near[part][same] = -1
    return near, distances


def _nearest_other(distances: FloatArray, other: BoolArray) -> FloatArray:
    """Return the first of `distances` [m, k] to an `other` moment [m, k], or the last if there is none."""
    first = np.where(other.any(axis=-1), other.argmax(axis=-1), other.shape[-1] - 1)
    return np.asarray(distances[np.arange(len(distances)), first])


def _median_step(database: MotionDatabase) -> float:
    """Return the median distance from one frame to the next, over frames spread evenly through `database`."""
    going_on = np.flatnonzero(database.frames_left >= 1)
    states = going_on[:: max(1, len(going_on) // STEPS_LOOKED_AT)]
    steps = np.linalg.norm(database.features[states + 1] - database.features[states], axis=-1)
    return float(np.median(steps)) if len(steps) else 0.0


def _core(frames_left: IntArray, changes: IntArray) -> BoolArray:
    """Return the largest set of states, as a mask [n], that can all reach each other.

    An edge leads from a state to the next frame and to each of its transitions `changes` [n, k]; -1 marks no
    transition.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    count = len(frames_left)
    going_on = np.where(frames_left >= 1, np.arange(1, count + 1), -1).astype(changes.dtype)
    edges = np.concatenate([going_on[:, np.newaxis], changes], axis=1)
    ends = np.cumsum((edges >= 0).sum(axis=1))
    targets = edges[edges >= 0]
    graph = csr_matrix((np.ones(len(targets)), targets, np.concatenate([[0], ends])), shape=(count, count))
    part_count, part = connected_components(graph, directed=True, connection="strong")
    return np.asarray(part == np.bincount(part, minlength=part_count).argmax())
