"""The contract between controllers and crowds: observations, decisions, and the file format of a controller.

A decision is a set of database states with weights. The motion field of this package follows one state and ends at the
state after it; the paper's controller blends k states (Lee et al. 2010, eq. 8) and ends between the database states.
Both run in the same `motionfields.runtime.Crowd`, with the same foot locking, pushes, recorder, trials and studio.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.artifacts import Artifact, JsonValue, artifact_kind, read_artifact, write_artifact
from motionfields.base.checks import checked_count, checked_number
from motionfields.base.errors import INVALID, ArtifactError, MotionError, invalid_reason
from motionfields.base.registry import Registry
from motionfields.control.followers import Followers, displayed_state
from motionfields.control.policy import Policy
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.control.tasks import Task, check_task, task_facts, task_from
from motionfields.field import MotionField, field_arrays, field_facts, field_from
from motionfields.field.database import MotionDatabase, MotionState

HALF_LIFE, ROOT_HALF_LIFE = 0.18, 0.3  # seconds

ControllerState = tuple[NDArray[Any], ...]
"""Arrays [n, ...] that a controller keeps for its characters from frame to frame, in addition to the followers."""


@dataclass(frozen=True, eq=False)
class Observation:
    """The information about n characters that a controller decides by."""

    followers: Followers
    controller_state: ControllerState
    params: FloatArray  # [n, axis], the task parameters
    display: Callable[[], MotionState]  # computes `displayed`

    @classmethod
    def of(
        cls, database: MotionDatabase, followers: Followers, controller_state: ControllerState, params: FloatArray
    ) -> Observation:
        """Return the observation of characters that follow states of `database`."""
        return cls(followers, controller_state, params, lambda: displayed_state(database, followers))

    @cached_property
    def displayed(self) -> MotionState:
        """The pose and velocity [n] in the world that the characters display, before feet are locked."""
        return self.display()

    def kept(self, *, keep_display: bool = True) -> Observation:
        """Return a copy that later frames do not change, whose followers have no offsets."""
        displayed = self.displayed if keep_display else None

        def display() -> MotionState:
            if displayed is None:
                raise ValueError("displayed: expected a copy with its display; call kept(keep_display=True)")
            return displayed

        return Observation(self.followers.without_offsets().copy(), self.controller_state, self.params, display)

    def take(self, characters: IntArray | slice) -> Observation:
        """Return the observation of the `characters` selected by index or slice."""
        return Observation(
            self.followers.take(characters),
            tuple(track[characters] for track in self.controller_state),
            self.params[characters],
            lambda: self.displayed.take(characters),
        )


class Pivot(NamedTuple):
    """Offsets that place a followed state elsewhere at a transition, for example about a planted foot.

    By default the root of the new state takes the place of the old one's. The displayed pose moves there over time.
    """

    turn: FloatArray  # [n], radians to the left
    shift: FloatArray  # [n, 2], metres, world x and z


class Arrival(NamedTuple):
    """The state that a blend ends at, as far as the controller already knows it."""

    states: IntArray  # [n], the nearest database state
    contact_votes: FloatArray  # [n, 2], confidence that the left and the right foot are in contact, 0 to 1


class Decision(NamedTuple):
    """The motion of characters for one frame, as a weighted set of database states.

    With one state and a `drift` of 1, the character follows that state and ends at the state after it. Otherwise it
    moves as the weighted states do, pulled towards the first by `drift`, and ends at a pose of its own (eq. 3 to 6).
    """

    states: IntArray  # [n, k]
    weights: FloatArray  # [n, k], sum to 1
    variant: IntArray  # [n], variant of root motion: 0 captured, 1 warped
    spin: FloatArray  # [n], radians that the root turns in addition to the captured turn
    stretch: FloatArray  # [n], ground distance as a multiple of the captured one
    pivot: Pivot | None = None
    drift: float = 1.0
    arrival: Arrival | None = None

    @classmethod
    def follow(
        cls,
        states: IntArray,
        *,
        variant: IntArray | None = None,
        spin: FloatArray | None = None,
        stretch: FloatArray | None = None,
        pivot: Pivot | None = None,
    ) -> Decision:
        """Return the decision to follow one state per character, `states` [n], by default as captured."""
        count = len(states)
        return cls(
            states[:, np.newaxis],
            np.ones((count, 1)),
            np.zeros(count, np.int64) if variant is None else variant,
            np.zeros(count) if spin is None else spin,
            np.ones(count) if stretch is None else stretch,
            pivot,
        )

    @classmethod
    def along(cls, root_motion: RootMotion, states: IntArray, variant: IntArray) -> Decision:
        """Return the decision to follow `states` [n] with the variants `variant` [n] of `root_motion`."""
        spin = root_motion.yaw_turn[states, variant] - root_motion.yaw_turn[states, 0]
        return cls.follow(states, variant=variant, spin=spin)

    @classmethod
    def blend(cls, states: IntArray, weights: FloatArray, *, drift: float, arrival: Arrival | None = None) -> Decision:
        """Return the decision to move as the blend of `states` [n, k] with `weights` [n, k]."""
        count = len(states)
        return cls(states, weights, np.zeros(count, np.int64), np.zeros(count), np.ones(count), None, drift, arrival)

    @property
    def follows(self) -> bool:
        """Whether each character follows one state and ends at the state after it."""
        return self.states.shape[1] == 1 and self.drift == 1.0


class ActionValues(NamedTuple):
    """Scores of every available transition for each character, at one frame."""

    states: IntArray  # [n, transition], the states that may be followed
    rewards: FloatArray  # [n, transition, variant], reward of the task
    costs: FloatArray  # [n, transition, variant], cost of the transition
    futures: FloatArray  # [n, transition, variant], discounted value of the state it leads to
    scores: FloatArray  # [n, transition, variant], rewards - costs + futures; the highest is followed, -inf never


class Controller(ABC):
    """A method that decides which database states each character follows next; `testing.check_controller` checks one.

    `decide` is the only method that a new controller must define. A controller with parameters or tables of its own
    also defines `arrays`, `facts` and `restore`, so that it can be saved; `train` makes one from a field and a task.
    """

    kind: str = ""  # kind of the controller's file and name of the method; required to save controllers of a class
    version: int = 1  # of the file's content

    field: MotionField  # the motion to follow
    task: Task  # the meaning of commands, and the reward

    def __init__(self, field: MotionField, task: Task) -> None:
        self.field = field
        self.task = task

    @classmethod
    def train(cls, field: MotionField, task: Task, **options: Any) -> Self:
        """Return a controller for `task` with the motion of `field`; by default nothing is trained."""
        if options:
            raise ValueError(f"{cls.kind or cls.__name__}: unknown option {', '.join(options)}")
        return cls(field, task.adapted(field.database))

    @cached_property
    def root_motion(self) -> RootMotion:
        """The root motion of every state."""
        return measure_root_motion(self.field.database)

    @property
    def half_lives(self) -> tuple[float, float]:
        """Half-lives in seconds of the springs that smooth a change of pose, and of the root's position."""
        return HALF_LIFE, ROOT_HALF_LIFE

    @property
    def policy(self) -> Policy | None:
        """`decide` in compiled form, which crowds run in one loop with the rest of a frame; None if there is none."""
        return None

    @property
    def pushes_from_rest(self) -> bool:
        """Whether pushes follow eq. 15 as printed, with physics that starts from rest at every frame."""
        return False

    @property
    def start_states(self) -> IntArray:
        """The database states that characters may start at."""
        return self.field.findable

    def initial_state(self, count: int) -> ControllerState:
        """Return the controller state of `count` characters that start now; by default empty."""
        return ()

    @abstractmethod
    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        """Return the decision for the observed characters [n], and their controller state for the next frame.

        It must not change its input, and must give each character the same bits in any batch.
        """

    def action_values(self, seen: Observation) -> ActionValues:
        """Return the scores of the available transitions, for display; by default those of the decision alone."""
        decision, _ = self.decide(seen)
        zeros = np.zeros((len(seen.params), 1, 1))
        return ActionValues(decision.states[:, :1], zeros, zeros, zeros, zeros)

    def state_values(self, seen: Observation) -> FloatArray | None:
        """Return the state value [n] of each observed character; None for a method without a value function."""
        return None

    def crowd(self, count: int = 1, **options: Any) -> Any:
        """Return `motionfields.Crowd(self, count, **options)`: characters that this controller moves."""
        return CROWDS.load("crowd")(self, count, **options)

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the arrays to save in addition to the field's, by name."""
        return {}

    def facts(self) -> Mapping[str, JsonValue]:
        """Return the JSON values to save in addition to the field's and the task's, by name."""
        return {}

    @classmethod
    def restore(cls, artifact: Artifact, field: MotionField, task: Task) -> Self:
        """Return the controller whose `arrays` and `facts` are in `artifact`; ValueError if they are invalid."""
        return cls(field, task)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the controller with its field to the file `path`, in one step (see `motionfields.base.artifacts`)."""
        if not self.kind:
            raise TypeError(f"{type(self).__name__}: set `kind`, the name of the method, to save its controllers")
        arrays = {**field_arrays(self.field), **self.arrays()}
        facts = {**field_facts(self.field), "task": task_facts(self.task), **self.facts()}
        write_artifact(path, kind=self.kind, version=self.version, arrays=arrays, facts=facts)

    @classmethod
    def load(cls, path: str | PathLike[str], *, task: Task | None = None) -> Self:
        """Return the controller in the file `path`; raises `ArtifactError` if it is damaged or of another kind.

        A task that is not registered (see `motionfields.control.tasks.TASKS`) must be given as `task`.
        """
        artifact = read_artifact(path, kind=cls.kind, newest_version=cls.version)
        field = field_from(artifact)
        facts: dict[str, Any] = dict(artifact.facts)
        try:
            asked = task or task_from(facts["task"])
            check_trainable(field, asked)
            return cls.restore(artifact, field, asked)
        except INVALID as error:
            raise ArtifactError(f"holds an invalid controller: {invalid_reason(error)}", path=str(path)) from None


CROWDS: Registry[Any] = Registry("motionfields.crowds", {"crowd": "motionfields.runtime.crowd:Crowd"})


class Method(NamedTuple):
    """A method of control: its controller class, and the function that makes a controller from a field and a task."""

    controller: type[Controller]
    train: Callable[..., Controller]  # (field, task, *, ...); unknown options raise TypeError or ValueError


METHODS: Registry[Method | type[Controller]] = Registry(
    "motionfields.methods",
    {
        "field": "motionfields.control.training.train:METHOD",
        "graph": "motionfields.control.methods.graph.controller:METHOD",
        "matching": "motionfields.control.methods.matching.controller:METHOD",
        "paper": "motionfields.control.methods.paper.controller:METHOD",
        "published": "motionfields.control.methods.paper.controller:PUBLISHED",
    },
)
"""Methods of control by name: built-in ones, and those of installed packages (entry points `motionfields.methods`).

A package may register a `Method`, or a `Controller` class whose `train` makes its controllers.
"""


def find_method(name: str) -> Method:
    """Return the method called `name`; ValueError lists the known names if there is none."""
    found = METHODS.load(name)
    return found if isinstance(found, Method) else Method(found, found.train)


def load_controller(path: str | PathLike[str], *, task: Task | None = None) -> Controller:
    """Return the controller in the file `path`, of any method; raises `ArtifactError` if it is damaged.

    A task that is not registered (see `motionfields.control.tasks.TASKS`) must be given as `task`.
    """
    kind = artifact_kind(path)
    if kind == "controller":  # the method "field", whose training is not needed here and takes long to import
        from motionfields.control.controller import FieldController

        return FieldController.load(path, task=task)
    if kind not in METHODS:
        known = ", ".join(METHODS)
        raise ArtifactError(f"expected a controller of a known method ({known}), got a {kind}", path=str(path))
    return find_method(kind).controller.load(path, task=task)


def training_facts(sweeps: int, residual: float) -> dict[str, JsonValue]:
    """Return the outcome of value iteration, sweeps and residual, as facts for a file."""
    return {"sweeps": sweeps, "residual": residual if np.isfinite(residual) else None}


def training_from(facts: Mapping[str, Any]) -> tuple[int, float]:
    """Return sweeps and residual from the `facts` that `training_facts` made."""
    residual = facts["residual"]
    sweeps = checked_count("training.sweeps", facts["sweeps"])
    return sweeps, float("nan") if residual is None else checked_number("training.residual", residual, 0.0)


def check_trainable(field: MotionField, task: Task) -> None:
    """Raise ValueError if `task` is not valid, and `MotionError` if characters cannot stand on the feet of `field`."""
    check_task(task)
    contacts = field.database.contacts
    for foot, stands in zip(("left", "right"), np.any(contacts, axis=0).tolist(), strict=True):
        if not stands:
            raise MotionError(
                f"the {foot} foot never stands on the ground in these clips, so feet cannot be locked; clips that walk "
                "in place need their root motion, other clips may need contact labels (read_contacts)"
            )
