"""What every controller is to a crowd: what it is shown of the characters, and what it decides for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.registry import Registry
from motionfields.control.policy import Policy
from motionfields.control.root_motion import Moves, measure_moves
from motionfields.control.tasks import Task
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase

HALF_LIFE, ROOT_HALF_LIFE = 0.18, 0.3  # seconds
CROWDS: Registry[Any] = Registry("motionfields.crowds", {"crowd": "motionfields.runtime.crowd:Crowd"})

PLACE, TURN, JOINTS = 0, 1, 2  # rows of an offset: the root's place, the root's turn, then the joints


class Followers(NamedTuple):
    """Where each character is in the world and in the data, and how far what it shows is off that."""

    position: FloatArray  # [n, 2], world x and z of the root in metres
    yaw: FloatArray  # [n], of the root, radians
    row: IntArray  # [n], the state of the data
    way: IntArray  # [n], how it came there, see `moves`
    spin: FloatArray  # [n], radians by which its root turned further than captured on the way there
    stretch: FloatArray  # [n], how many times as far as captured it went over the ground
    offset: FloatArray  # [n, 2 + joint - 1, 3], metres and rotation vectors from the data's pose to the one shown
    rate: FloatArray  # the same, per second

    @classmethod
    def at(cls, database: MotionDatabase, row: IntArray) -> Followers:
        """Characters at the states `row` [n], at the origin, facing yaw 0."""
        count = len(row)
        shape = (count, JOINTS + database.skeleton.joint_count - 1, 3)
        rows = np.asarray(row, dtype=np.int64).copy()
        way = np.zeros(count, np.int64)
        spin, stretch = np.zeros(count), np.ones(count)
        return cls(np.zeros((count, 2)), np.zeros(count), rows, way, spin, stretch, np.zeros(shape), np.zeros(shape))

    def copy(self) -> Followers:
        """A copy that shares no arrays."""
        return self._replace(**{name: track.copy() for name, track in self._asdict().items()})

    def take(self, characters: IntArray | slice) -> Followers:
        """Some of the `characters`."""
        return self._replace(**{name: track[characters] for name, track in self._asdict().items()})

    def bare(self) -> Followers:
        """The same without offsets, which controllers do not see: [n, 0, 3]."""
        return self._replace(offset=self.offset[:, :0], rate=self.rate[:, :0])


class Steps(NamedTuple):
    """How characters go on for one frame: which state of the data each follows, and how."""

    row: IntArray  # [n]
    way: IntArray  # [n], 0 as captured, 1 warped
    spin: FloatArray  # [n], radians by which the root turns further than captured
    stretch: FloatArray  # [n], how many times as far as captured it goes over the ground
    pivot: Pivot | None = None

    @classmethod
    def at(cls, row: IntArray) -> Steps:
        """Steps that follow the states `row` [n] as captured."""
        return cls(row, np.zeros_like(row), np.zeros(len(row)), np.ones(len(row)))

    @classmethod
    def along(cls, moves: Moves, row: IntArray, way: IntArray) -> Steps:
        """Steps that follow the states `row` [n] by the ways `way` [n] of `moves`."""
        return cls(row, way, moves.yaw_turn[row, way] - moves.yaw_turn[row, 0], np.ones(len(row)))


class Pivot(NamedTuple):
    """How what is followed is put elsewhere where characters change to another state.

    By default the root of the new state comes to where that of the old one is. A pivot puts it where a planted foot
    stays; as with all changes, what is shown goes there over time.
    """

    turn: FloatArray  # [n], radians to the left
    shift: FloatArray  # [n, 2], metres, world x and z


Mind = tuple[NDArray[Any], ...]
"""What characters keep in mind from frame to frame besides where they are: arrays [n, ...], as the controller wants."""


class Outlook(NamedTuple):
    """What characters think of their choices at one frame."""

    rows: IntArray  # [n, choice], the states that they may follow
    rewards: FloatArray  # [n, choice, way], what the task pays for it
    costs: FloatArray  # [n, choice, way], what the change costs
    futures: FloatArray  # [n, choice, way], the discounted value of the state it leads to
    scores: FloatArray  # [n, choice, way], all of it; the highest is followed, and -inf is no choice


class Controller(ABC):
    """Decides which state of the database each character follows next; `testing.check_controller` checks one.

    `decide` is the only method that a new controller must write.
    """

    field: MotionField  # the motion that is followed
    task: Task  # the meaning of commands, and the reward

    def __init__(self, field: MotionField, task: Task) -> None:
        self.field = field
        self.task = task

    @cached_property
    def moves(self) -> Moves:
        """The root motion of every state."""
        return measure_moves(self.field.database)

    @property
    def half_lives(self) -> tuple[float, float]:
        """Half-lives in seconds of the springs that spread a change of pose, and of the root's place."""
        return HALF_LIFE, ROOT_HALF_LIFE

    @property
    def policy(self) -> Policy | None:
        """`decide` in compiled form, which crowds run in one loop with the rest of a frame; None if there is none."""
        return None

    @property
    def starts(self) -> IntArray:
        """The states of the database that characters may begin at."""
        return self.field.findable

    def mind(self, count: int) -> Mind:
        """What `count` characters that have just begun keep in mind; by default nothing."""
        return ()

    @abstractmethod
    def decide(self, followers: Followers, mind: Mind, params: FloatArray) -> tuple[Steps, Mind]:
        """Return how the characters `followers` [n] go on for one frame under the task parameters `params` [n, axis].

        Also what they keep in mind then. Nothing that is given is changed.
        """

    def outlook(self, followers: Followers, mind: Mind, params: FloatArray) -> Outlook:
        """Return the scores of the available transitions, for people to look at; by default of the one decided on."""
        steps, _ = self.decide(followers, mind, params)
        zeros = np.zeros((len(params), 1, 1))
        return Outlook(steps.row[:, np.newaxis], zeros, zeros, zeros, zeros)

    def prospects(self, followers: Followers, mind: Mind, params: FloatArray) -> FloatArray | None:
        """Return the value [n] of where characters are for `params` [n, axis]; None for a method without values."""
        return None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the controller with its field to the file `path`."""
        raise NotImplementedError(f"{type(self).__name__} cannot be saved")

    def crowd(self, count: int = 1, **options: Any) -> Any:
        """Return `motionfields.Crowd(self, count, **options)`: characters that this controller moves."""
        return CROWDS.load("crowd")(self, count, **options)
