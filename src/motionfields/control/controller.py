"""A controller: the policy over a field that a value function implies (Lee et al. 2010, eq. 12), and its file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.errors import ArtifactError
from motionfields.control.contract import Controller, Followers, Mind, Outlook, Steps
from motionfields.control.policy import Policy
from motionfields.control.root_motion import Moves, Warp, measure_moves
from motionfields.control.tasks import Motion, Task, task_facts, task_from
from motionfields.control.transitions import BLOCKED, Choices, ControlSettings
from motionfields.control.values import ValueTable, value_means, values_from
from motionfields.field import MotionField, field_arrays, field_facts, field_from

CONTROLLER_VERSION = 2  # of what a controller's file holds


@dataclass(frozen=True, eq=False)
class FieldController(Controller):
    """Motion field, task and value function: at every frame the best of the choices is followed, one frame ahead."""

    field: MotionField
    task: Task
    settings: ControlSettings
    warp: Warp | None
    choices: Choices
    values: ValueTable
    sweeps: int = 0  # how training ended
    residual: float = float("nan")

    @cached_property
    def moves(self) -> Moves:
        """How each state moves a character."""
        return measure_moves(self.field.database, warp=self.warp)

    @property
    def half_lives(self) -> tuple[float, float]:
        """The half-lives in seconds of the springs that spread a change of pose, and of the root's place."""
        return self.settings.half_life, self.settings.root_half_life

    @cached_property
    def _means(self) -> FloatArray:
        """The mean value [state] over all goals."""
        return value_means(self.values.table())

    @cached_property
    def policy(self) -> Policy | None:
        """What `decide` does in compiled form; None for a task that has none."""
        return Policy.of(self.task, self.settings, self.moves, self.choices, self.values)

    @property
    def starts(self) -> IntArray:
        """The states of the data that characters may begin at: all that the field finds."""
        return self.field.findable

    def mind(self, count: int) -> Mind:
        """Nothing: the state that a character is at says it all."""
        return ()

    def greedy(self) -> FieldController:
        """This controller without foresight: it takes what pays most at once (eq. 9)."""
        nothing = ValueTable(self.task.axes, np.zeros_like(self.values.table()))
        return replace(self, values=nothing)

    def decide(self, followers: Followers, mind: Mind, params: FloatArray) -> tuple[Steps, Mind]:
        """The states and ways with the best outlook (eq. 12); of equals, the first."""
        outlook = self.outlook(followers, mind, params)
        best = outlook.scores.reshape(len(params), -1).argmax(axis=1)
        choice, way = np.divmod(best, self.moves.way_count)
        return Steps.along(self.moves, outlook.rows[np.arange(len(params)), choice], way), mind

    def prospects(self, followers: Followers, mind: Mind, params: FloatArray) -> FloatArray:
        """The value [n] of the states that characters are at for `params` [n, axis]."""
        return self.values.lookup(followers.row + self.field.database.state_count * followers.way, params)

    def outlook(self, followers: Followers, mind: Mind, params: FloatArray) -> Outlook:
        """What each choice is worth to the characters `followers` [n] for `params` [n, axis]."""
        row = followers.row
        return self.rate(self.choices.rows[row].astype(np.int64), self.choices.costs[row], followers.way, params)

    def rate(self, rows: IntArray, costs: FloatArray, way: IntArray, params: FloatArray) -> Outlook:
        """What it is worth to follow the states `rows` [n, choice], for `costs` [n, choice, way before, way chosen].

        The characters came by `way` [n], and their task parameters are `params` [n, axis].
        """
        moves, settings = self.moves, self.settings
        shape = (*rows.shape, moves.way_count)
        motion = Motion(
            moves.turn[rows], np.broadcast_to(moves.velocity[rows][..., np.newaxis, :], (*shape, 2)), moves.frame_time
        )
        asked = np.broadcast_to(params[:, np.newaxis, np.newaxis], (*shape, params.shape[-1]))
        rewards = self.task.reward(asked, motion)
        state_count = len(moves.turn)
        reached = np.minimum(rows + 1, state_count - 1)[..., np.newaxis] + state_count * np.arange(moves.way_count)
        after = self.values.lookup(reached, self.task.advance(asked, motion))
        new_goal = settings.goal_change
        futures = settings.discount * ((1.0 - new_goal) * after + new_goal * self._means[reached])
        charged = np.take_along_axis(costs, way[:, np.newaxis, np.newaxis, np.newaxis], axis=2)[:, :, 0]
        charged = charged + self.choices.roughness[rows][..., np.newaxis]
        scores = np.where(charged >= BLOCKED, -np.inf, rewards - charged + futures)
        return Outlook(rows, rewards, charged, futures, scores)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the controller with its field to the file `path`, in one step (see `motionfields.base.artifacts`)."""
        arrays = {
            **field_arrays(self.field),
            **{f"choices.{name}": track for name, track in self.choices._asdict().items()},
            **self.values.arrays(),
        }
        facts = {
            **field_facts(self.field),
            "task": task_facts(self.task),
            "settings": asdict(self.settings),
            "warp": None if self.warp is None else asdict(self.warp),
            "training": {"sweeps": self.sweeps, "residual": self.residual if np.isfinite(self.residual) else None},
        }
        write_artifact(path, kind="controller", version=CONTROLLER_VERSION, arrays=arrays, facts=facts)

    @classmethod
    def load(cls, path: str | PathLike[str], *, task: Task | None = None) -> FieldController:
        """The controller in the file `path`; raises `ArtifactError` for one that is damaged or something else.

        A task that this package does not bring must be given as `task`.
        """
        artifact = read_artifact(path, kind="controller", newest_version=CONTROLLER_VERSION)
        field = field_from(artifact)
        facts: dict[str, Any] = dict(artifact.facts)
        try:
            settings = ControlSettings(**facts["settings"])
            warp = None if facts["warp"] is None else Warp(**facts["warp"])
            meant = task or task_from(facts["task"])
            count, ways = field.database.state_count, 1 if warp is None else 2
            rows = artifact.array("choices.rows", dtype=np.int32, shape=(count, None))
            if rows.size and not (rows.min() >= 0 and rows.max() < count):
                raise ValueError("choices.rows: expected states of the database")
            costs = artifact.array("choices.costs", dtype=np.float32, shape=(*rows.shape, ways, ways))
            roughness = artifact.array("choices.roughness", dtype=np.float32, shape=(count,))
            _check_choices(Choices(rows, costs, roughness), field.database.frames_left)
            values = values_from(artifact, meant.axes, ways * count)
            training = facts["training"]
            return cls(
                field,
                meant,
                settings,
                warp,
                Choices(rows, costs, roughness),
                values,
                sweeps=int(training["sweeps"]),
                residual=float("nan") if training["residual"] is None else float(training["residual"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ArtifactError(f"holds no controller that makes sense: {error}", path=str(path)) from None


def _check_choices(choices: Choices, frames_left: IntArray) -> None:
    """ValueError unless every state has a choice, and none leads over the end of a clip."""
    if not (np.isfinite(choices.costs).all() and np.isfinite(choices.roughness).all()):
        raise ValueError("choices.costs, choices.roughness: expected finite numbers")
    is_open = choices.costs.min(axis=(2, 3)) < BLOCKED
    if not is_open.any(axis=1).all():
        raise ValueError("choices.costs: expected a way to go on from every state")
    if (is_open & (frames_left[choices.rows] < 1)).any():
        raise ValueError("choices.rows: expected states that another follows, got the last one of a clip")
