"""What a task is: parameters that say how well it is being done, how they change as the character moves, and a reward.

A task knows nothing of poses. It sees a character as a place on the ground and a facing, moving by one `Motion` a frame
(Lee et al. 2010, section 4.1). Everything is batched: arrays of any leading shape go in and come out, so the same few
lines serve training, where all moments of the data meet all task parameters, and the crowd at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import wrap_angle

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase

LAST_PART = float(np.radians(15.0))  # of a turn, which counts more
HASTE = 0.3  # how much going too fast costs, of what going too slowly does
ANGLE_COUNT = 36  # directions that values are kept for


class Axis(NamedTuple):
    """One task parameter and where on it values are kept."""

    name: str
    nodes: FloatArray  # [node], rising; the goal should be one of them
    wraps: bool = False  # an angle: the first node is -pi, the last is pi, and both mean the same


class Motion(NamedTuple):
    """What a character does in one frame, as a task sees it; arrays of one leading shape."""

    turn: FloatArray  # [...], radians its facing turns to the left
    velocity: FloatArray  # [..., 2], m/s to the left and ahead, seen from its facing before the turn
    frame_time: float  # seconds


class Ground(NamedTuple):
    """Where characters are and which way they face."""

    position: FloatArray  # [n, 2], world x and z in metres
    facing: FloatArray  # [n], yaw across the hips in radians


class TaskKernel(NamedTuple):
    """A task for compiled code: `advance` and `reward` of one motion at a time, as plain functions.

    Numba compiles them into the loop that decides, so they may use what numba's nopython mode knows and allocate
    nothing. A motion is `turn` in radians, `velocity`, m/s to the left and ahead, and `frame_time` in seconds.
    """

    advance: Callable[..., None]  # (numbers, params [axis], turn, velocity, frame_time, after [axis]): fills `after`
    reward: Callable[..., float]  # (numbers, params [axis], after [axis], turn, velocity, frame_time)
    numbers: tuple[float, ...] = ()  # parameters of the task, which both functions get as an array


class Task(Protocol):
    """What the user wants, made of parameters on a grid. Write one by subclassing; `testing.check_task` checks it.

    A task is a frozen dataclass of numbers, so that it can be saved with the controller trained for it. It may also
    have a method `kernel` that returns a `TaskKernel`, which lets crowds decide in compiled code.
    """

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The task parameters theta and the grid of values over them."""
        ...

    @property
    def command_names(self) -> tuple[str, ...]:
        """What the user says at every frame: the columns of a command."""
        ...

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """The task parameters [n, axis] of characters at `ground` [n] that were told `command` [n, column]."""
        ...

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """The parameters [..., axis] after `motion` [...] from `params` [..., axis]."""
        ...

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """R [...]: what `motion` [...] from `params` [..., axis] is worth, per frame; in radians off the goal."""
        ...

    def adapted(self, database: MotionDatabase) -> Self:
        """This task with what depends on the data filled in."""
        return self


def angle_axis(name: str = "angle", *, count: int = ANGLE_COUNT) -> Axis:
    """All directions in `count` steps, straight ahead (0) among them."""
    if count < 2 or count % 2:
        raise ValueError(f"count: expected an even number of directions, got {count}")
    return Axis(name, np.linspace(-np.pi, np.pi, count + 1), wraps=True)


def along(angle: FloatArray, velocity: FloatArray) -> FloatArray:
    """The speed [...] in m/s of `velocity` [..., 2] towards a goal at `angle` [...] to the left of the facing."""
    return np.asarray(np.sin(angle) * velocity[..., 0] + np.cos(angle) * velocity[..., 1])


def across(angle: FloatArray, velocity: FloatArray) -> FloatArray:
    """The speed [...] in m/s of `velocity` [..., 2] to the left of the way to a goal at `angle` [...]."""
    return np.asarray(np.cos(angle) * velocity[..., 0] - np.sin(angle) * velocity[..., 1])


def turned(angle: FloatArray, motion: Motion) -> FloatArray:
    """The angle [...] to a goal after `motion` [...], in (-pi, pi]."""
    return wrap_angle(angle - motion.turn)


def typical_speed(database: MotionDatabase, *, least: float = 0.3) -> float:
    """The median speed in m/s over the ground of the states that go faster than `least`; of all, where none does."""
    speed = np.linalg.norm(database.root_step[:, ::2], axis=-1) / database.frame_time
    moving = speed[speed > least]
    return float(np.median(moving if moving.size else speed))


def top_speed(database: MotionDatabase, *, percentile: float = 95.0) -> float:
    """The speed in m/s over the ground that only the fastest states, above the `percentile`, exceed."""
    speed = np.linalg.norm(database.root_step[:, ::2], axis=-1) / database.frame_time
    return float(np.percentile(speed, percentile))


def angle_cost(angle: FloatArray, last_weight: float) -> FloatArray:
    """How far [...] in radians `angle` [...] is off; its last 15 degrees count `last_weight` more in all."""
    off = np.abs(angle)
    return np.asarray(off + last_weight * np.minimum(off / LAST_PART, 1.0))


def pace_cost(speed: FloatArray, wanted: float | FloatArray) -> FloatArray:
    """How far [...] in m/s `speed` [...] falls short of `wanted`; going faster costs 0.3 of that."""
    lacking = wanted - speed
    return np.asarray(np.maximum(lacking, -HASTE * lacking))
