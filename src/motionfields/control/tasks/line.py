"""Walk along a line on the ground (Lee et al. 2010, eq. 17)."""

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
    across,
    along,
    angle_cost,
    both_sides,
    pace_cost,
    turned,
    typical_speed,
)

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase

ANGLES = (5.0, 10.0, 15.0, 30.0, 50.0, 80.0, 120.0, 180.0)  # nodes in degrees, on each side
DISTANCES = (0.05, 0.1, 0.2, 0.4, 0.8)  # nodes in metres off the line, on each side
FORESIGHT = 30.0  # frames of distance cost paid at once for each metre gained beyond the grid


@dataclass(frozen=True)
class Line(Task):
    """Task to walk along a line. The command is a point of the line, world x and z in metres, and a heading in radians.

    The heading is the yaw of the direction to walk along the line. The parameters are the angle of that heading to the
    left of the facing, in radians, and the distance of the character to the left of the line, in metres. Beyond 0.8 m,
    values are the same at all distances, so each metre that the character approaches is paid at once; otherwise it
    would always seem better to turn towards the line a frame later.

    The reward is eq. 17, minus the angle and minus `distance_weight` for each metre off the line, and rewards progress
    as `Direction` does. With angles in radians and distances in metres, the paper's weight of 0.05 gives no reason to
    return to the line: 0.1 m off would weigh as much as 0.3 degrees. As in `Direction`, the last 15 degrees count more,
    by `last_weight` in total.
    """

    speed: float | None = None  # m/s; None: the typical speed of the data
    pace_weight: float = 1.75  # radians for each m/s; with 0.4, all stood on the line if the data has standing
    distance_weight: float = 14.0  # radians for each metre
    last_weight: float = 2.1  # radians

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the line's heading, and the distance to its left."""
        return Axis("angle", both_sides(np.radians(ANGLES)), wraps=True), Axis("distance", both_sides(DISTANCES))

    @property
    def command_names(self) -> tuple[str, ...]:
        """A point of the line and the heading along it."""
        return ("point_x", "point_z", "heading")

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """Return angle and distance [n, 2] of characters at `ground` relative to the line in `command` [n, 3]."""
        heading = command[:, 2]
        gap = ground.position - command[:, :2]
        distance = np.cos(heading) * gap[:, 0] - np.sin(heading) * gap[:, 1]
        return np.stack([angle_difference(heading, ground.facing), distance], axis=-1)

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return angle and distance [..., 2] after `motion` [...]."""
        angle = params[..., 0]
        distance = params[..., 1] + across(angle, motion.velocity) * motion.frame_time
        return np.stack(np.broadcast_arrays(turned(angle, motion), distance), axis=-1)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return minus angle and weighted distance after `motion` [...] (eq. 17), minus the cost of slow motion."""
        after = self.advance(params, motion)
        slowness = pace_cost(along(params[..., 0], motion.velocity), self.speed or 0.0)
        off = angle_cost(after[..., 0], self.last_weight) + self.distance_weight * np.abs(after[..., 1])
        away = FORESIGHT * self.distance_weight * (beyond(after[..., 1]) - beyond(params[..., 1]))
        return np.asarray(-off - away - self.pace_weight * slowness)

    def adapted(self, database: MotionDatabase) -> Line:
        """Return this task with the typical speed of the data, unless a speed was given."""
        return self if self.speed is not None else replace(self, speed=typical_speed(database))


def beyond(distance: FloatArray) -> FloatArray:
    """Return the metres [...] by which `distance` [...] lies outside the grid."""
    return np.asarray(np.maximum(np.abs(distance) - DISTANCES[-1], 0.0))
