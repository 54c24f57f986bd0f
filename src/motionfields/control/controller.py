"""The controller of this package: the policy over a field that a value function implies (Lee et al. 2010, eq. 12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.artifacts import Artifact, JsonValue
from motionfields.control.contract import (
    ActionValues,
    Controller,
    ControllerState,
    Decision,
    Observation,
    training_facts,
    training_from,
)
from motionfields.control.policy import Policy
from motionfields.control.root_motion import RootMotion, Warp, measure_root_motion
from motionfields.control.tasks import Motion, Task, check_task, same_axes
from motionfields.control.transitions import BLOCKED, REPLAY, ControlSettings, Transitions, check_transitions
from motionfields.control.values import ValueTable, value_means, values_from
from motionfields.field import MotionField


@dataclass(frozen=True, eq=False)
class FieldController(Controller):
    """Motion field, task and value function; at every frame it follows the transition with the highest score."""

    kind = "controller"
    version = 2

    field: MotionField
    task: Task
    settings: ControlSettings
    warp: Warp | None
    transitions: Transitions
    values: ValueTable
    sweeps: int = 0  # full sweeps of value iteration
    residual: float = float("nan")  # radians, after the last full sweep

    def __post_init__(self) -> None:
        check_task(self.task)
        variants, count = 1 if self.warp is None else 2, self.field.database.state_count
        check_transitions(self.transitions, self.field.database.frames_left, variants)
        if len(self.values.table()) != variants * count or not same_axes(self.values.axes, self.task.axes):
            raise ValueError(f"values: expected values of {variants * count} states on the grid of the task")

    @cached_property
    def root_motion(self) -> RootMotion:
        """The root motion of every state, as captured and, with a warp, warped."""
        labels = getattr(self.task, "label_column", None)
        return measure_root_motion(self.field.database, warp=self.warp, label_column=labels)

    @property
    def half_lives(self) -> tuple[float, float]:
        """Half-lives in seconds of the springs that smooth a change of pose, and of the root's position."""
        return self.settings.half_life, self.settings.root_half_life

    @cached_property
    def _means(self) -> FloatArray:
        """The mean value [variant * state] over all goals."""
        return value_means(self.values.table())

    @cached_property
    def policy(self) -> Policy | None:
        """`decide` in compiled form; None for a task without a compiled form."""
        return Policy.of(self.task, self.settings, self.root_motion, self.transitions, self.values)

    def greedy(self) -> FieldController:
        """Return this controller without foresight: it takes the highest immediate reward (eq. 9)."""
        nothing = ValueTable(self.task.axes, np.zeros_like(self.values.table()))
        return replace(self, values=nothing)

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        """Return the transitions with the highest score (eq. 12); the first of equal ones."""
        scored = self.action_values(seen)
        count = len(seen.params)
        transition, variant = np.divmod(scored.scores.reshape(count, -1).argmax(axis=1), self.root_motion.variant_count)
        states = scored.states[np.arange(count), transition]
        return Decision.along(self.root_motion, states, variant), seen.controller_state

    def state_values(self, seen: Observation) -> FloatArray:
        """Return the state value [n] of the characters' states."""
        followers = seen.followers
        places = followers.state + self.field.database.state_count * followers.variant
        return self.values.lookup(places, seen.params)

    def action_values(self, seen: Observation) -> ActionValues:
        """Return the scores of the transitions from the characters' states."""
        state = seen.followers.state
        states, costs = self.transitions.states[state].astype(np.int64), self.transitions.costs[state]
        recent = seen.followers.recent[:, : self.settings.memory]
        return self.score(states, costs, seen.followers.variant, seen.params, recent=recent)

    def score(
        self,
        states: IntArray,
        costs: FloatArray,
        variant: IntArray,
        params: FloatArray,
        *,
        recent: IntArray | None = None,
    ) -> ActionValues:
        """Return the scores of following `states` [n, transition] under the task parameters `params` [n, axis].

        `costs` [n, transition, variant before, variant chosen] are the costs of the transitions. `variant` [n] is the
        variant of root motion that led each character to its state, `recent` [n, frame] the states that it showed last:
        to show one of these again costs `REPLAY`.
        """
        root_motion, settings = self.root_motion, self.settings
        shape = (*states.shape, root_motion.variant_count)
        velocity = np.broadcast_to(root_motion.velocity[states][..., np.newaxis, :], (*shape, 2))
        labels = root_motion.labels_of(np.broadcast_to(states[..., np.newaxis], shape))
        motion = Motion(root_motion.turn[states], velocity, root_motion.frame_time, labels)
        asked = np.broadcast_to(params[:, np.newaxis, np.newaxis], (*shape, params.shape[-1]))
        rewards = self.task.reward(asked, motion)
        state_count = len(root_motion.turn)
        next_states = np.minimum(states + 1, state_count - 1)[..., np.newaxis]
        reached = next_states + state_count * np.arange(root_motion.variant_count)
        after = self.values.lookup(reached, self.task.advance(asked, motion))
        new_goal = settings.goal_change
        futures = settings.discount * ((1.0 - new_goal) * after + new_goal * self._means[reached])
        charged = np.take_along_axis(costs, variant[:, np.newaxis, np.newaxis, np.newaxis], axis=2)[:, :, 0]
        charged = charged + self.transitions.roughness[states][..., np.newaxis]
        scores = np.where(charged >= BLOCKED, -np.inf, rewards - charged + futures)
        if recent is not None:
            again = (next_states == recent[:, np.newaxis]).any(axis=-1, keepdims=True)
            scores, charged = np.where(again, scores - REPLAY, scores), np.where(again, charged + REPLAY, charged)
        return ActionValues(states, rewards, charged, futures, scores)

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return transitions and values, by their names in a file."""
        states, costs, roughness = self.transitions
        return {
            "choices.rows": states,
            "choices.costs": costs,
            "choices.roughness": roughness,
            **self.values.arrays(),
        }

    def facts(self) -> Mapping[str, JsonValue]:
        """Return the settings and the outcome of training."""
        return {
            "settings": asdict(self.settings),
            "warp": None if self.warp is None else asdict(self.warp),
            "training": training_facts(self.sweeps, self.residual),
        }

    @classmethod
    def restore(cls, artifact: Artifact, field: MotionField, task: Task) -> FieldController:
        """Return the controller whose `arrays` and `facts` are in `artifact`; ValueError if they are invalid."""
        facts: dict[str, Any] = dict(artifact.facts)
        settings = ControlSettings.restored(facts["settings"])
        warp = None if facts["warp"] is None else Warp(**facts["warp"])
        count, variants = field.database.state_count, 1 if warp is None else 2
        states = artifact.array("choices.rows", dtype=np.int32, shape=(count, None))
        costs = artifact.array("choices.costs", dtype=np.float32, shape=(*states.shape, variants, variants))
        roughness = artifact.array("choices.roughness", dtype=np.float32, shape=(count,))
        transitions = Transitions(states, costs, roughness)
        values = values_from(artifact, task.axes, variants * count)
        sweeps, residual = training_from(facts["training"])
        return cls(field, task, settings, warp, transitions, values, sweeps=sweeps, residual=residual)
