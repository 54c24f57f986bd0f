"""The protocol of tasks: parameters that measure progress, their change as the character moves, and a reward.

A task knows nothing of poses. It sees a character as a position on the ground and a facing, moved by one `Motion` per
frame (Lee et al. 2010, section 4.1). All methods are batched over any leading shape, so the same code serves training,
which combines all database states with all task parameters, and the crowd at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import wrap_angle

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase

LAST_PART = float(np.radians(15.0))  # the last part of a turn, which counts more
HASTE = 0.3  # cost of moving too fast, as a fraction of the cost of moving too slowly
ANGLE_COUNT = 36  # number of directions at which values are kept


class Axis(NamedTuple):
    """One task parameter and the nodes at which values are kept."""

    name: str
    nodes: FloatArray  # [node], rising; the goal should be one of them
    wraps: bool = False  # True for an angle: the first node is -pi, the last is pi, and both are the same direction


class Motion(NamedTuple):
    """The motion of a character in one frame, as a task sees it; all arrays have the same leading shape."""

    turn: FloatArray  # [...], radians that the facing turns to the left
    velocity: FloatArray  # [..., 2], m/s to the left and ahead, relative to the facing before the turn
    frame_time: float  # seconds
    label: IntArray | None = None  # [...], number in the task's `label_column` of the database; None if there is none


class Ground(NamedTuple):
    """Position and facing of characters on the ground."""

    position: FloatArray  # [n, 2], world x and z in metres
    facing: FloatArray  # [n], yaw across the hips in radians


class TaskKernel(NamedTuple):
    """A task for compiled code: `advance` and `reward` of one motion at a time, as plain functions.

    Numba compiles them into the loop that decides, so they may use what numba's nopython mode supports and must not
    allocate memory. A motion is given as `turn` in radians, `velocity` in m/s to the left and ahead, and `frame_time`
    in seconds.
    """

    advance: Callable[..., None]  # (numbers, params [axis], turn, velocity, frame_time, after [axis]): fills `after`
    reward: Callable[..., float]  # (numbers, params [axis], after [axis], turn, velocity, frame_time)
    numbers: tuple[float, ...] = ()  # parameters of the task, passed to both functions as an array


class Task(Protocol):
    """A goal set by the user, as parameters on a grid. Subclass it to write a task; `testing.check_task` checks it.

    A task is a frozen dataclass of numbers, so that it can be saved with the controller trained for it. It may also
    have a method `kernel` that returns a `TaskKernel`, which lets crowds decide in compiled code.

    A task whose class has a string `label_column` sees the number that each followed state has in that column of the
    database, as `Motion.label`. Compiled forms of user-defined tasks do not see it. A class may also have a number
    `brake_cost`, the default of `ControlSettings.brake_cost` for its tasks, and a mapping `earlier` from fields that
    files of earlier versions lack to the values that those tasks had.
    """

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The task parameters theta and the grid of their nodes."""
        ...

    @property
    def command_names(self) -> tuple[str, ...]:
        """Names of the columns of a command, which the user gives at every frame."""
        ...

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """Return the task parameters [n, axis] of characters at `ground` [n] with commands `command` [n, column]."""
        ...

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return the parameters [..., axis] after `motion` [...] from `params` [..., axis]."""
        ...

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return the reward R [...] per frame, in radians, of `motion` [...] from `params` [..., axis]."""
        ...

    def adapted(self, database: MotionDatabase) -> Self:
        """Return this task with the parameters that depend on the data filled in."""
        return self


def angle_axis(name: str = "angle", *, count: int = ANGLE_COUNT) -> Axis:
    """Return an axis of `count` equally spaced directions, straight ahead (0) among them."""
    if count < 2 or count % 2:
        raise ValueError(f"count: expected an even number of directions, got {count}")
    return Axis(name, np.linspace(-np.pi, np.pi, count + 1), wraps=True)


def both_sides(positive: ArrayLike) -> FloatArray:
    """Return nodes in rising order: minus the rising values `positive`, 0, and `positive`."""
    above = np.asarray(positive, dtype=np.float64)
    return np.concatenate([-above[::-1], [0.0], above])


def along(angle: FloatArray, velocity: FloatArray) -> FloatArray:
    """Return the speed [...] in m/s of `velocity` [..., 2] towards a goal `angle` [...] to the left of the facing."""
    return np.asarray(np.sin(angle) * velocity[..., 0] + np.cos(angle) * velocity[..., 1])


def across(angle: FloatArray, velocity: FloatArray) -> FloatArray:
    """Return the speed [...] in m/s of `velocity` [..., 2] to the left of the direction to a goal at `angle` [...]."""
    return np.asarray(np.cos(angle) * velocity[..., 0] - np.sin(angle) * velocity[..., 1])


def turned(angle: FloatArray, motion: Motion) -> FloatArray:
    """Return the angle [...] to a goal after `motion` [...], in (-pi, pi]."""
    return wrap_angle(angle - motion.turn)


def typical_speed(database: MotionDatabase, *, least: float = 0.3) -> float:
    """Return the median ground speed in m/s of the states faster than `least`, or of all states if none is."""
    speed = np.linalg.norm(database.root_step[:, ::2], axis=-1) / database.frame_time
    moving = speed[speed > least]
    return float(np.median(moving if moving.size else speed))


def top_speed(database: MotionDatabase, *, seconds: float = 1.0) -> float:
    """Return the highest mean ground speed in m/s that a clip keeps up for `seconds`.

    A clip that is shorter counts with its mean. A percentile over all states would not do: a short run in a lot of
    walking would be out of reach, however well it was captured.
    """
    speed = np.linalg.norm(database.root_step[:, ::2], axis=-1) / database.frame_time
    window = max(1, round(seconds / database.frame_time))
    fastest = 0.0
    for start, stop in pairwise(database.clip_starts.tolist()):
        total = np.concatenate([[0.0], np.cumsum(speed[start:stop], dtype=np.float64)])
        width = min(window, stop - start)
        fastest = max(fastest, float((total[width:] - total[:-width]).max()) / width)
    return fastest


def angle_cost(angle: FloatArray, last_weight: float) -> FloatArray:
    """Return the cost [...] in radians of `angle` [...]: its size, plus `last_weight` over the last 15 degrees."""
    off = np.abs(angle)
    return np.asarray(off + last_weight * np.minimum(off / LAST_PART, 1.0))


def pace_cost(speed: FloatArray, wanted: float | FloatArray) -> FloatArray:
    """Return the m/s [...] by which `speed` [...] falls short of `wanted`; each m/s too fast counts 0.3."""
    lacking = wanted - speed
    return np.asarray(np.maximum(lacking, -HASTE * lacking))
