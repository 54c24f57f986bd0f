"""The costs of a timeline: of every state at every frame, from its labels."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.compose.cuts import COST_UNIT
from motionfields.authoring.compose.goals import LabelGoal
from motionfields.authoring.compose.labels import NO, YES, StateLabels
from motionfields.authoring.compose.solving import StateCosts
from motionfields.authoring.compose.timeline import Timeline
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_indices, checked_number

HARD_COST: Final = 100.0
"""Cost of each frame that fails a hard goal: more than a whole motion costs otherwise."""


class Adherence(NamedTuple):
    """Share of frames in which a motion shows one label of its timeline."""

    goal: LabelGoal
    share: float  # of the frames that show the label, or avoid it
    reason: str  # why frames fail, in words; empty if none does


def frame_count_of(timeline: Timeline, frame_time: float) -> int:
    """Return the number of frames of a motion for `timeline`; at least 1."""
    return max(1, round(timeline.seconds / frame_time))


def frames_of(goal: LabelGoal, frame_time: float) -> slice:
    """Return the frames that `goal` is about."""
    return slice(round(goal.start / frame_time), round(goal.end / frame_time))


def label_costs(timeline: Timeline, labels: StateLabels, *, frame_time: float, weight: float) -> StateCosts:
    """Return the costs of showing each state at each frame of `timeline`.

    A frame costs `weight` times the goal's weight times the share by which the state lacks a wanted label or has an
    unwanted one: 1 if it is known to fail, 0.5 if that is unknown. ValueError names a label that the data does not
    have.
    """
    count = frame_count_of(timeline, frame_time)
    active = np.zeros((count, len(timeline.labels)), np.bool_)
    for number, goal in enumerate(timeline.labels):
        active[frames_of(goal, frame_time), number] = True
    sets, part_of = np.unique(active, axis=0, return_inverse=True)
    failing = [_failing(goal, labels) for goal in timeline.labels]
    parts = np.zeros((len(sets), len(labels.values)), np.int32)
    for part, chosen in enumerate(sets):
        cost = np.zeros(len(labels.values))
        for number in np.flatnonzero(chosen).tolist():
            goal = timeline.labels[number]
            cost += (HARD_COST if goal.hard else weight * goal.weight) * failing[number]
        parts[part] = np.floor(COST_UNIT * cost + 0.5).astype(np.int32)
    nothing = np.zeros(0, np.int64), np.zeros((0, len(labels.values)), np.int32)
    return StateCosts(parts, part_of.reshape(-1).astype(np.int64), *nothing)


def adherence(timeline: Timeline, labels: StateLabels, path: IntArray, *, frame_time: float) -> list[Adherence]:
    """Return how well the states `path` [frame] show each label of `timeline`; unknown counts as failing."""
    path, frame_time = check_indices("path", path, len(labels.values)), checked_number("frame_time", frame_time, 1e-6)
    if path.ndim != 1:
        raise ValueError(f"path: expected one state for each frame, got shape {path.shape}")
    return [_judged(goal, timeline, labels, path, frame_time) for goal in timeline.labels]


def shows(goal: LabelGoal, labels: StateLabels) -> BoolArray:
    """Return which states [state] are known to show what `goal` wants."""
    return np.asarray(labels.values[:, labels.column_of(goal.label)] == (YES if goal.wanted else NO))


def _failing(goal: LabelGoal, labels: StateLabels) -> FloatArray:
    """Return the share [state] by which each state fails `goal`."""
    share = labels.share[:, labels.column_of(goal.label)].astype(np.float64)
    return 1.0 - share if goal.wanted else share


def _judged(goal: LabelGoal, timeline: Timeline, labels: StateLabels, path: IntArray, frame_time: float) -> Adherence:
    frames = frames_of(goal, frame_time)
    met = shows(goal, labels)[path[frames]]
    if met.all():
        return Adherence(goal, 1.0, "")
    times = np.arange(len(path))[frames]
    failing = times[~met]
    together = [other for other in timeline.labels if _covers(other, failing, frame_time)]
    possible = np.logical_and.reduce([shows(other, labels) for other in together])
    lost = f"{len(failing) * frame_time:.2f} s"
    if not shows(goal, labels).any():
        reason = f"no frame of the data is known to {'show' if goal.wanted else 'lack'} {goal.label}"
    elif not possible.any():
        reason = f"no frame of the data has {' and '.join(other.text for other in together)}"
    else:
        reason = f"{lost} go into transitions, for which the data has no cheaper place"
    return Adherence(goal, float(met.mean()), reason)


def _covers(goal: LabelGoal, frames: IntArray, frame_time: float) -> bool:
    """Return whether `goal` is about all of `frames` [n]."""
    own = frames_of(goal, frame_time)
    return bool(own.start <= frames.min() and frames.max() < own.stop)
