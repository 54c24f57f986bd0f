"""Motion matching: at intervals, continue from the captured state that best fits the pose and the wanted trajectory.

It follows Clavet (2016) and Holden's reference implementation, on our data: the character compares its own state and
its wanted trajectory with every captured state, and follows the one that fits best. There is no planning and no
training, and therefore no foresight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.artifacts import Artifact, JsonValue
from motionfields.base.compiled import kernel
from motionfields.base.errors import INVALID, ArtifactError
from motionfields.base.geometry import wrap_angle
from motionfields.control.contract import (
    ActionValues,
    Controller,
    ControllerState,
    Decision,
    Method,
    Observation,
    check_trainable,
)
from motionfields.control.methods.matching.desired import Desired, Steer, desired_by
from motionfields.control.methods.matching.features import (
    POSE_SIZE,
    MatchingFeatures,
    measure_features,
    searchable_states,
)
from motionfields.control.methods.matching.prediction import predict, spring_places, spring_turns
from motionfields.control.methods.matching.settings import MatchingSettings
from motionfields.control.tasks import Motion, Task, check_task
from motionfields.field import MotionField
from motionfields.field.neighbors import BoundedIndex

LOOKED_AT = 30  # best matches that `action_values` returns
NEVER = 1 << 20  # frames since the last search, for a character that has not searched yet


class Matches(NamedTuple):
    """The best matches of characters that search, and the cost of continuing instead."""

    states: IntArray  # [n, match], states, the best first
    costs: FloatArray  # [n, match], of pose and trajectory, float64
    going_on: FloatArray  # [n], the cost of continuing; infinite at the end of a clip


@dataclass(frozen=True, eq=False)
class MatchingController(Controller):
    """Motion, task and settings; characters follow the state that matches best, see `MatchingSettings`.

    `steer` returns the desired motion for a user-defined task; it is not saved.
    """

    kind = "matching"
    version = 2

    field: MotionField
    task: Task
    settings: MatchingSettings
    steer: Steer | None = None

    def __post_init__(self) -> None:
        check_task(self.task)

    @property
    def half_lives(self) -> tuple[float, float]:
        """Half-lives in seconds of the springs that smooth a change of pose, and of the root's position."""
        return self.settings.half_life, self.settings.root_half_life

    @cached_property
    def start_states(self) -> IntArray:
        """The database states that characters may start at: all that a search may find."""
        return searchable_states(self.field, self.settings)

    @cached_property
    def features(self) -> MatchingFeatures:
        """The features by which states are compared."""
        return measure_features(self.field.database, self.root_motion, self.settings, among=self.start_states)

    @cached_property
    def index(self) -> BoundedIndex:
        """The search index over the weighted features of `start_states`."""
        return BoundedIndex(self.features.values[self.start_states])

    @cached_property
    def _springs(self) -> tuple[FloatArray, FloatArray]:
        times = np.array(self.settings.horizons)
        settings = self.settings
        return spring_places(times, settings.velocity_half_life), spring_turns(times, settings.facing_half_life)

    def initial_state(self, count: int) -> ControllerState:
        """Return the controller state of `count` characters that have not searched yet.

        It is the parameters [n, axis] that the last motion led to, and the frames [n] since the last search.
        """
        return np.full((count, len(self.task.axes)), np.nan), np.full(count, NEVER)

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        """Return the decision to continue, or to follow the best match where a search is due and finds a better one."""
        before, params = seen.followers.state, seen.params
        state, due = before.copy(), self.due(before, seen.controller_state, params)
        who = np.flatnonzero(due)
        if len(who):
            matches = self.matches(before[who], params[who], 1)
            better = matches.costs[:, 0] + self.settings.change_cost < matches.going_on
            state[who] = np.where(better, matches.states[:, 0], state[who])
        spin = self._spin(before, state, params)
        waited = np.where(due, 0, seen.controller_state[1]) + 1
        kept = (self._expected(before, state, spin, params), waited)
        return Decision.follow(state, variant=(spin != 0.0).astype(np.int64), spin=spin), kept

    def due(self, row: IntArray, controller_state: ControllerState, params: FloatArray) -> BoolArray:
        """Return whether each character [n] at the states `row` [n] searches now."""
        expected, waited = controller_state
        late = waited * self.root_motion.frame_time >= self.settings.interval - 1e-9
        calm = np.ones(len(row), np.bool_)
        for number, axis in enumerate(self.task.axes):
            gap = params[:, number] - expected[:, number]
            calm &= np.abs(wrap_angle(gap) if axis.wraps else gap) <= self.settings.surprise
        return np.asarray(late | ~calm | (self.field.database.frames_left[row] < 1))

    def matches(self, state: IntArray, params: FloatArray, count: int) -> Matches:
        """Return the `count` best matches of characters at `state` [n] with the parameters `params` [n, axis]."""
        queries = self.queries(state, params)
        found = self.index.search(queries, count)
        going_on = self._trajectory_costs(queries, state[:, np.newaxis])[:, 0]
        going_on[self.field.database.frames_left[state] < 1] = np.inf
        return Matches(self.start_states[found.indices], found.distances.astype(np.float64) ** 2, going_on)

    def queries(self, state: IntArray, params: FloatArray) -> FloatArray:
        """Return the weighted features [n, 16 + 4 points] of an ideal match: current pose, wanted trajectory."""
        asked = self._desired(params)
        features = self.features
        out = np.empty((len(state), features.values.shape[1]))
        tables = (features.values, features.scales, *features.paths[1:], self.root_motion.facing, *self._springs)
        _queries(state, *asked, *tables, out)
        return out

    def action_values(self, seen: Observation) -> ActionValues:
        """Return the scores of continuing and of the best matches; rewards are minus the trajectory costs.

        Between searches, only continuing is available.
        """
        state, params = seen.followers.state, seen.params
        matches = self.matches(state, params, min(LOOKED_AT, len(self.start_states)))
        states = np.concatenate([state[:, np.newaxis], matches.states], axis=1)
        lacking = self._trajectory_costs(self.queries(state, params), states)
        total = np.concatenate([matches.going_on[:, np.newaxis], matches.costs + self.settings.change_cost], axis=1)
        is_open = np.isfinite(total)
        is_open[:, 1:] &= self.due(state, seen.controller_state, params)[:, np.newaxis]
        scores = np.where(is_open, -total, -np.inf)
        costs = np.where(np.isfinite(total), total - lacking, 0.0)
        parts = (-lacking, costs, np.zeros_like(total), scores)
        return ActionValues(states, *(part[..., np.newaxis] for part in parts))

    def _desired(self, params: FloatArray) -> Desired:
        asked = desired_by(self.task, params, self.settings) if self.steer is None else self.steer(self.task, params)
        return Desired(*(np.array(np.broadcast_to(part, len(params)), np.float64) for part in asked))

    def _trajectory_costs(self, queries: FloatArray, states: IntArray) -> FloatArray:
        """Return the squared distances [n, k] of the trajectories of `states` [n, k] from those of `queries` [n]."""
        out = np.empty(states.shape)
        _trajectory_costs(queries, self.features.values, states, out)
        return out

    @cached_property
    def _most_spin(self) -> FloatArray:
        """Radians [state] that a frame may turn at most in addition to the captured turn."""
        rate = np.abs(self.features.paths.turning)
        extra = np.clip(self.settings.extra_limit - rate, 0.0, self.settings.extra_turn * rate)
        return np.asarray(extra * self.root_motion.frame_time)

    def _spin(self, before: IntArray, state: IntArray, params: FloatArray) -> FloatArray:
        """Return the radians [n] to turn in addition when characters at `before` [n] follow `state` [n]."""
        if self.settings.extra_turn == 0.0:
            return np.zeros(len(state))
        paths, root_motion = self.features.paths, self.root_motion
        faced = paths.facing[state] + paths.turning[state] * root_motion.frame_time
        left = wrap_angle(self._desired(params).facing + root_motion.facing[before] - faced)
        most = self._most_spin[state]
        share = 1.0 - 0.5 ** (root_motion.frame_time / self.settings.spin_half_life)
        return np.asarray(np.clip(share * left, -most, most))

    def _expected(self, before: IntArray, state: IntArray, spin: FloatArray, params: FloatArray) -> FloatArray:
        """Return the parameters [n, axis] after a frame in which characters at `before` [n] follow `state` [n]."""
        root_motion, still = self.root_motion, np.zeros((len(params), 2))
        # A transition keeps the yaw of the root, but the facing, measured at the hips, may change relative to it.
        changed = Motion(root_motion.facing[state] - root_motion.facing[before], still, root_motion.frame_time)
        moved = Motion(root_motion.turn[state, 0] + spin, root_motion.velocity[state], root_motion.frame_time)
        return self.task.advance(self.task.advance(params, changed), moved)

    def facts(self) -> Mapping[str, JsonValue]:
        """Return the settings."""
        return {"settings": {**asdict(self.settings), "horizons": list(self.settings.horizons)}}

    @classmethod
    def restore(cls, artifact: Artifact, field: MotionField, task: Task) -> MatchingController:
        """Return the controller whose `facts` are in `artifact`; ValueError if they are invalid."""
        facts: dict[str, Any] = dict(artifact.facts)
        return cls(field, task, MatchingSettings(**facts["settings"]))

    @classmethod
    def load(
        cls, path: str | PathLike[str], *, task: Task | None = None, steer: Steer | None = None
    ) -> MatchingController:
        """Return the controller in the file `path`, as `Controller.load`; a user-defined task needs its `steer`."""
        loaded = super().load(path, task=task)
        try:
            return _made(loaded.field, loaded.task, loaded.settings, steer)
        except INVALID as error:
            raise ArtifactError(f"holds an invalid controller: {error}", path=str(path)) from None


def train_matching(
    field: MotionField,
    task: Task,
    *,
    settings: MatchingSettings | None = None,
    agility: float = 0.5,
    steer: Steer | None = None,
) -> MatchingController:
    """Return a motion matching controller for `task` with the motion of `field`; nothing is trained.

    `agility` from 0 to 1 weighs the trajectory against the pose; 0.5 leaves `settings` unchanged. `steer` returns the
    desired motion for a task that is not built in, see `Desired`.
    """
    fitted = task.adapted(field.database)
    check_trainable(field, fitted)
    return _made(field, fitted, (settings or MatchingSettings()).agile(agility), steer)


def _made(field: MotionField, task: Task, settings: MatchingSettings, steer: Steer | None) -> MatchingController:
    """Return a controller after one test search, which measures its features and raises any error now."""
    controller = MatchingController(field, task, settings, steer)
    controller.matches(controller.start_states[:1], np.zeros((1, len(task.axes))), 1)
    return controller


METHOD = Method(MatchingController, train_matching)


@kernel
def _queries(
    state: IntArray,
    heading: FloatArray,
    speed: FloatArray,
    goal: FloatArray,
    values: FloatArray,
    scales: FloatArray,
    velocity: FloatArray,
    turning: FloatArray,
    facing: FloatArray,
    hips: FloatArray,
    places: FloatArray,
    turns: FloatArray,
    out: FloatArray,
) -> None:
    """Fill `out` [n, 16 + 4 points] with the weighted query features of characters at `state` [n]."""
    for i in range(len(state)):
        own = state[i]
        out[i, :POSE_SIZE] = values[own, :POSE_SIZE]
        # Tasks measure angles from the facing at the hips, features from the yaw of the root.
        direction = heading[i] + hips[own]
        wanted = (speed[i] * np.sin(direction), speed[i] * np.cos(direction))
        trajectory = out[i, POSE_SIZE:]
        predict(velocity[own], turning[own], facing[own], wanted, goal[i] + hips[own], places, turns, trajectory)
        for c in range(len(trajectory)):
            trajectory[c] *= scales[POSE_SIZE + c]


@kernel
def _trajectory_costs(queries: FloatArray, values: FloatArray, states: IntArray, out: FloatArray) -> None:
    """Fill `out` [n, k] with the squared distances of trajectory features between `queries` [n] and `states` [n, k]."""
    for i in range(states.shape[0]):
        for k in range(states.shape[1]):
            total = 0.0
            for c in range(POSE_SIZE, values.shape[1]):
                total += (queries[i, c] - values[states[i, k], c]) ** 2
            out[i, k] = total
