"""The paper's controller as published, for comparison (Lee et al. 2010, section 4).

Unlike `motionfields.control.controller`, it blends neighbours instead of following one of them, so that the character
is between database states. It interpolates values over neighbours, and transitions have no cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.artifacts import Artifact, JsonValue
from motionfields.base.compiled import parallel_kernel, prange
from motionfields.control.contract import (
    ActionValues,
    Arrival,
    Controller,
    ControllerState,
    Decision,
    Method,
    Observation,
    check_trainable,
    training_facts,
    training_from,
)
from motionfields.control.grids import corner_steps, find_corners
from motionfields.control.methods.paper.actions import (
    Options,
    PaperSettings,
    Place,
    find_options,
    find_paper_transitions,
)
from motionfields.control.methods.paper.anchors import Anchors, AnchorValues
from motionfields.control.methods.paper.sweeps import MEMORY, expected, solve_paper
from motionfields.control.methods.paper.tasks import as_published
from motionfields.control.root_motion import hip_line
from motionfields.control.tasks import Task, check_task, same_axes
from motionfields.control.values import value_means
from motionfields.field import MotionField, actions
from motionfields.field.database import copied


@dataclass(frozen=True, eq=False)
class PaperController(Controller):
    """Motion field, task and value function; every frame takes the action of eq. 8 with the highest score (eq. 12)."""

    kind = "paper"

    field: MotionField
    task: Task
    settings: PaperSettings
    values: AnchorValues
    sweeps: int = 0  # full sweeps of value iteration
    residual: float = float("nan")  # half the spread of the changes of values in the last full sweep

    def __post_init__(self) -> None:
        check_task(self.task)
        if len(self.values.anchors.before) != self.field.database.state_count:
            raise ValueError("values: expected anchors in the database of the field")
        if not same_axes(self.values.axes, self.task.axes):
            raise ValueError("values: expected values on the grid of the task")

    @property
    def pushes_from_rest(self) -> bool:
        """Whether pushes follow eq. 15 as printed."""
        return self.settings.pushes_from_rest

    @cached_property
    def _means(self) -> FloatArray:
        """The mean value [state] over all goals."""
        return value_means(self.values.table())

    @cached_property
    def _hips(self) -> FloatArray:
        return hip_line(self.field.database.skeleton)

    def greedy(self) -> PaperController:
        """Return this controller without foresight: it takes the highest immediate reward (eq. 9)."""
        return replace(self, values=replace(self.values, kept=np.zeros_like(self.values.kept)))

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        """Return the blends of neighbours with the highest score (eq. 8 and 12); the first of equal ones."""
        place, options = self._options(seen)
        count, action_count = place.weights.shape
        chosen = self.choose(options, seen.params)
        weights = actions(place.weights, strength=self.settings.strength)[np.arange(count), chosen]
        after = options.after.take(np.arange(count) * action_count + chosen)
        # Weights sum to 1 only up to rounding, so votes may slightly exceed 1.
        votes = np.clip(self.field.contact_votes(after.neighbors, after.weights), 0.0, 1.0)
        arrival = Arrival(after.neighbors.indices[:, 0], votes)
        blend = Decision.blend(place.neighbors.indices, weights, drift=self.settings.drift, arrival=arrival)
        return blend, seen.controller_state

    def _options(self, seen: Observation) -> tuple[Place, Options]:
        """Return the observed characters [n] with their neighbours, and the outcomes of their actions."""
        place = Place.of(self.field, copied(seen.displayed), self.settings.neighbor_count)
        return place, find_options(self.field, place, self.settings, hips=self._hips)

    def scores(self, options: Options, params: FloatArray) -> FloatArray:
        """Return the score [n, k] of `options` for `params` [n, axis]: reward plus discounted value (eq. 12)."""
        rewards, futures = self._worth(options, params)
        return np.asarray(rewards + futures)

    def _worth(self, options: Options, params: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return rewards and discounted values, [n, k] each."""
        shape = options.motion.turn.shape
        asked = np.broadcast_to(params[:, np.newaxis], (*shape, params.shape[-1]))
        corners = find_corners(self.task.axes, self.task.advance(asked, options.motion))
        futures = np.empty(corners.first.size)
        _futures(
            self.values.table(),
            self._means,
            options.after.neighbors.indices,
            options.after.weights.astype(np.float32),
            corners.first.ravel(),
            corners.shares.reshape(futures.size, -1),
            corner_steps(self.task.axes),
            (self.settings.discount, self.settings.goal_change),
            futures,
        )
        return self.task.reward(asked, options.motion), futures.reshape(shape)

    def choose(self, options: Options, params: FloatArray) -> IntArray:
        """Return the number [n] of the action with the highest score (eq. 12); the first of equal ones."""
        return np.asarray(self.scores(options, params).argmax(axis=1))

    def action_values(self, seen: Observation) -> ActionValues:
        """Return the scores of the actions, each listed under the neighbour that it prefers."""
        place, options = self._options(seen)
        rewards, futures = (part[..., np.newaxis] for part in self._worth(options, seen.params))
        return ActionValues(place.neighbors.indices, rewards, np.zeros_like(rewards), futures, rewards + futures)

    def state_values(self, seen: Observation) -> FloatArray:
        """Return the state value [n] of each observed character, interpolated over its neighbours."""
        place = Place.of(self.field, copied(seen.displayed), self.settings.neighbor_count)
        corners = find_corners(self.task.axes, seen.params)
        out = np.empty(len(seen.params))
        table, steps = self.values.table(), corner_steps(self.task.axes)
        weights = place.weights.astype(np.float32)
        _futures(table, self._means, place.neighbors.indices, weights, *corners, steps, (1.0, 0.0), out)
        return out

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the values at anchors, by their name in a file."""
        return {"values": self.values.kept}

    def facts(self) -> Mapping[str, JsonValue]:
        """Return the settings and the outcome of training."""
        return {"settings": asdict(self.settings), "training": training_facts(self.sweeps, self.residual)}

    @classmethod
    def restore(cls, artifact: Artifact, field: MotionField, task: Task) -> PaperController:
        """Return the controller whose `arrays` and `facts` are in `artifact`; ValueError if they are invalid."""
        facts: dict[str, Any] = dict(artifact.facts)
        settings = PaperSettings(**facts["settings"])
        kept = artifact.array("values", dtype=np.float32)
        anchors = Anchors.every(field.database.clip_starts, settings.anchor_stride)
        values = AnchorValues(task.axes, anchors, kept)
        return cls(field, task, settings, values, *training_from(facts["training"]))


def train_paper(
    field: MotionField,
    task: Task,
    *,
    settings: PaperSettings | None = None,
    tolerance: float = 1e-3,
    memory: int = MEMORY,
) -> PaperController:
    """Return the paper's controller for `task` with the motion of `field`; see `PaperSettings` for the settings.

    Value iteration stops when a full sweep changes all values by the same amount within `tolerance`, in the unit of the
    reward. The rewards and grid cells of all actions are kept in memory between sweeps if they fit into `memory` bytes,
    see `paper.sweeps`; `estimate_paper_memory` estimates the memory that training needs.
    """
    use = settings or PaperSettings()
    fitted = task.adapted(field.database)
    check_trainable(field, fitted)
    anchors = Anchors.every(field.database.clip_starts, use.anchor_stride)
    transitions = find_paper_transitions(field, anchors.states, use)
    solution = solve_paper(fitted, transitions, anchors, use, tolerance=tolerance, memory=memory)
    values = AnchorValues(fitted.axes, anchors, solution.values)
    return PaperController(field, fitted, use, values, sweeps=solution.sweeps, residual=solution.residual)


def train_as_published(
    field: MotionField, task: Task, *, anchor_stride: int = 1, tolerance: float = 1e-3
) -> PaperController:
    """Return the controller of the paper with every number as printed there.

    A `Direction` as `task` selects eq. 16 on 18 directions, a `Line` eq. 17 on 18 x 13 nodes. Values are trained only
    at every `anchor_stride`-th state of a clip (eq. 14), goals never change (eq. 13), and pushes follow eq. 15.
    """
    settings = PaperSettings(goal_change=0.0, anchor_stride=anchor_stride, pushes_from_rest=True)
    return train_paper(field, as_published(task), settings=settings, tolerance=tolerance)


METHOD = Method(PaperController, train_paper)
PUBLISHED = Method(PaperController, train_as_published)


@parallel_kernel
def _futures(
    table: FloatArray,
    means: FloatArray,
    neighbors: IntArray,
    weights: FloatArray,
    first: IntArray,
    shares: FloatArray,
    steps: IntArray,
    discounting: tuple[float, float],
    out: FloatArray,
) -> None:
    """Fill `out` [n] with the discounted value `expected` of each of n states with `neighbors` [n, k]."""
    for i in prange(len(out)):
        out[i] = expected(table, means, neighbors[i], weights[i], first[i], shares[i], steps, discounting)
