"""The paper's tasks with rewards and grids as printed there (Lee et al. 2010, section 6.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.control.tasks import Axis, Direction, Line, Motion, Task, angle_axis

DIRECTIONS = 18  # uniformly sampled
DISTANCES = np.linspace(-2.0, 2.0, 13)  # metres
METRE = 0.05  # radians, cost of each metre off the line


@dataclass(frozen=True)
class PublishedDirection(Direction):
    """Task to face a direction, with the reward of eq. 16: minus the angle to the goal, before the motion."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the desired heading, at 18 directions."""
        return (angle_axis(count=DIRECTIONS),)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return minus the angle to the goal (eq. 16)."""
        return np.broadcast_to(-np.abs(params[..., 0]), np.broadcast_shapes(params.shape[:-1], motion.turn.shape))


@dataclass(frozen=True)
class PublishedLine(Line):
    """Task to walk along a line, with the reward of eq. 17, before the motion.

    The reward is minus the angle in radians and minus 0.05 times the distance in metres.
    """

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the line's heading at 18 directions, and the distance to its left at 13 nodes, -2 to 2 m."""
        return angle_axis(count=DIRECTIONS), Axis("distance", DISTANCES)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return minus the angle and minus 0.05 times the distance in metres (eq. 17)."""
        off = np.abs(params[..., 0]) + METRE * np.abs(params[..., 1])
        return np.broadcast_to(-off, np.broadcast_shapes(off.shape, motion.turn.shape))


def as_published(task: Task) -> Task:
    """Return the paper's task that corresponds to `task`, a `Direction` or a `Line`."""
    if isinstance(task, Direction):
        return PublishedDirection()
    if isinstance(task, Line):
        return PublishedLine()
    raise ValueError(f"task: expected Direction or Line, the tasks of the paper, got {type(task).__name__}")
