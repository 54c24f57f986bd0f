"""Face and walk in a direction (Lee et al. 2010, eq. 16)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference
from motionfields.control.tasks.task import (
    Axis,
    Ground,
    Motion,
    Task,
    along,
    angle_axis,
    angle_cost,
    pace_cost,
    turned,
    typical_speed,
)

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase


@dataclass(frozen=True)
class Direction(Task):
    """Task to face and walk in a direction. The command is a desired heading, a yaw in radians.

    The parameter is the angle of the heading to the left of the facing. The reward is eq. 16, minus the angle to the
    goal, with two additions. The last 15 degrees count more, by `last_weight` in total; otherwise correcting the last
    few degrees would not be worth a transition. And the character should make progress: `pace_weight` is subtracted for
    each m/s that it is slower towards the goal than `speed`; otherwise a character that stands still and faces the goal
    would fulfil the task. With `speed` None, the typical speed of the data is used.
    """

    speed: float | None = None  # m/s
    pace_weight: float = 0.6  # radians for each m/s
    last_weight: float = 2.1  # radians

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the desired heading."""
        return (angle_axis(),)

    @property
    def command_names(self) -> tuple[str, ...]:
        """The desired heading."""
        return ("heading",)

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """Return the angle [n, 1] from the facing to the heading in `command` [n, 1]."""
        return angle_difference(command[:, 0], ground.facing)[:, np.newaxis]

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return the angle [..., 1] after `motion` [...]."""
        return turned(params[..., 0], motion)[..., np.newaxis]

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return minus the angle to the goal after `motion` [...] (eq. 16), minus the cost of moving too slowly."""
        angle = params[..., 0]
        slowness = pace_cost(along(angle, motion.velocity), self.speed or 0.0)
        return np.asarray(-angle_cost(turned(angle, motion), self.last_weight) - self.pace_weight * slowness)

    def adapted(self, database: MotionDatabase) -> Direction:
        """Return this task with the typical speed of the data, unless a speed was given."""
        return self if self.speed is not None else replace(self, speed=typical_speed(database))
