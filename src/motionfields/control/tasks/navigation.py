"""Travel in one direction while facing another, at a speed (Lee's thesis, chapter 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference
from motionfields.control.tasks.task import Axis, Ground, Motion, across, along, angle_axis, angle_cost, turned
from motionfields.control.tasks.velocity import Paced, heading_axis, speed_cost, speed_nodes

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase

COURSES = 8  # number of directions of travel, relative to the wanted facing, at which values are kept
SPEEDS = (0.0, 0.3, 0.55, 0.8, 1.0)  # nodes as fractions of the top speed


@dataclass(frozen=True)
class Navigation(Paced):
    """Task to travel in a direction at a speed while facing in another. The command is a heading, a speed and a facing.

    Heading and facing are yaws in radians, the speed is in m/s: facing 90 degrees to the left of the heading asks for
    side steps, a facing opposite to it for walking backwards. A speed of 0 asks to stand and face. The data must
    contain such motion. The parameters are the angle of the wanted facing to the left of the facing; the course, which
    is the heading relative to the wanted facing; and the speed. The last two stay as commanded while the character
    moves. The speed is clamped to 0 to `top`; with `top` None, the top speed of the data is used.

    The reward is minus `facing_weight` times the angle, whose last 15 degrees cost `last_weight` more, and minus
    `speed_weight` for each m/s by which the velocity is off. Errors below `sway` cost less, as in `Velocity`. With a
    `last_weight` of 0, reward and grid are those of earlier versions.

    If the database has a column `gait` of whole numbers from 0 on, for example 0 for walking and 1 for running, the
    command has a fourth number, the wanted gait, which is also a parameter. A motion of another gait costs
    `gait_weight`; a negative number in the column, for example for standing, fits all gaits. `gait_count` is the number
    of gaits; with None, it is read from the data. It is 0 for data without such a column.
    """

    facing_weight: float = 1.0
    gait_weight: float = 4.0  # radians
    gait_count: int | None = None
    last_weight: float = 0.7  # radians

    earlier: ClassVar[Mapping[str, float]] = {"last_weight": 0.0}
    label_column: ClassVar[str] = "gait"  # the column of the database whose numbers motions have as labels
    brake_cost: ClassVar[float] = 20.0  # radians per (m/s)^2; with 160, side steps face 6 degrees off

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the wanted facing, the course relative to it, the wanted speed, and the gait if any."""
        axes = (
            heading_axis(self.last_weight),
            angle_axis("course", count=COURSES),
            Axis("speed", speed_nodes(self._top, SPEEDS, most=1.0)),
        )
        return (*axes, Axis("gait", np.arange(self._gaits, dtype=np.float64))) if self._gaits else axes

    @property
    def command_names(self) -> tuple[str, ...]:
        """The heading, the speed and the facing; and the gait if there are any."""
        return ("heading", "speed", "facing", *(["gait"] if self._gaits else []))

    @property
    def _gaits(self) -> int:
        """Number of gaits to choose from; 0 if there is no choice."""
        return 0 if self.gait_count is None or self.gait_count < 2 else self.gait_count

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """Return angle, course, speed and, if there are any, gait [n, axis] for `command` [n, column]."""
        angle = angle_difference(command[:, 2], ground.facing)
        course = angle_difference(command[:, 0], command[:, 2])
        columns = [angle, course, np.clip(command[:, 1], 0.0, self._top)]
        if self._gaits:
            columns.append(np.clip(np.round(command[:, 3]), 0.0, self._gaits - 1.0))
        return np.stack(columns, axis=-1)

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return the angle after `motion` [...] and the other, unchanged parameters: [..., axis]."""
        angle = turned(params[..., 0], motion)
        kept = [params[..., axis] for axis in range(1, params.shape[-1])]
        return np.stack(np.broadcast_arrays(angle, *kept), axis=-1)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return minus the cost of the angle after `motion` [...], of the velocity error and of another gait."""
        angle, course, wanted = params[..., 0], params[..., 1], params[..., 2]
        ahead, left = along(angle, motion.velocity), across(angle, motion.velocity)
        lacking = wanted - (np.cos(course) * ahead + np.sin(course) * left)
        aside = np.cos(course) * left - np.sin(course) * ahead
        off = self.facing_weight * angle_cost(turned(angle, motion), self.last_weight)
        cost = off + self.speed_weight * speed_cost(lacking, aside, self.sway)
        if self._gaits and motion.label is not None:
            other = np.minimum(np.abs(params[..., 3] - motion.label), 1.0)
            cost = cost + self.gait_weight * np.where(motion.label >= 0, other, 0.0)
        return np.asarray(-cost)

    def adapted(self, database: MotionDatabase) -> Self:
        """Return this task with the top speed and the number of gaits of the data, unless they were given."""
        task = super().adapted(database)
        if task.gait_count is not None:
            return task
        gaits = database.columns.get("gait")
        return replace(task, gait_count=0 if gaits is None else int(gaits.max()) + 1)
