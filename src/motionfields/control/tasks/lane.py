"""Walk along a line on the ground at a speed, facing along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.control.tasks.line import FORESIGHT, Line, beyond
from motionfields.control.tasks.task import Axis, Ground, Motion, angle_cost, both_sides
from motionfields.control.tasks.velocity import Paced, speed_cost, walking_share

# The grid is coarser than that of `Line`, since tables grow with its size: 13 x 9 x 5 nodes.
ANGLES = (7.5, 15.0, 35.0, 70.0, 120.0, 180.0)  # nodes in degrees, on each side
DISTANCES = (0.1, 0.2, 0.4, 0.8)  # nodes in metres off the line, on each side
SPEEDS = (0.0, 0.4, 0.6, 0.8, 1.0)  # nodes as fractions of the top speed
PLACE = Line()  # computes angle and distance relative to a line


@dataclass(frozen=True)
class Lane(Paced):
    """Task to walk along a line at a speed. The command is that of `Line`, a point and a heading, and a speed in m/s.

    A speed of 0 asks to stand still. The parameters are the angle of the heading to the left of the facing, in radians,
    the distance of the character to the left of the line, in metres, and the wanted speed, which stays as commanded.
    The speed is clamped to 0 to `top`; with `top` None, the top speed of the data is used.

    The reward is minus the angle and minus `distance_weight` for each metre off the line, as in `Line`, and minus
    `speed_weight` for each m/s of speed error, as in `Velocity`; but the speed in the direction of the facing
    counts, not the speed along the line. Otherwise a character that stands with its back to the heading might never
    start: to turn, it would have to walk the wrong way for a while, which would cost more than standing still.

    Below `facing_speed`, angle and distance count less, down to the fraction `standing_share` at a standstill: a
    character that is told to stand does so at once, even beside the line.

    Like `Velocity`, the task needs data that contain standing.
    """

    speed_weight: float = 7.0  # radians for each m/s
    distance_weight: float = 14.0  # radians for each metre
    last_weight: float = 2.1  # radians

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the line's heading, the distance to its left, and the wanted speed."""
        angle, distance = both_sides(np.radians(ANGLES)), both_sides(DISTANCES)
        return Axis("angle", angle, wraps=True), Axis("distance", distance), Axis("speed", self._top * np.array(SPEEDS))

    @property
    def command_names(self) -> tuple[str, ...]:
        """A point of the line, the heading along it, and the speed."""
        return ("point_x", "point_z", "heading", "speed")

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """Return angle, distance and speed [n, 3] of characters at `ground` with the command `command` [n, 4]."""
        return np.column_stack([PLACE.params(command[:, :3], ground), np.clip(command[:, 3], 0.0, self._top)])

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return angle and distance after `motion` [...] and the unchanged speed: [..., 3]."""
        place = PLACE.advance(params[..., :2], motion)
        speed = np.broadcast_to(params[..., 2:], (*place.shape[:-1], 1))
        return np.concatenate([place, speed], axis=-1)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return minus the weighted angle and distance after `motion` [...], minus the cost of the speed error."""
        distance, wanted = params[..., 1], params[..., 2]
        after = self.advance(params, motion)
        share = walking_share(wanted, self.facing_speed, self.standing_share)
        metres = np.abs(after[..., 1]) + FORESIGHT * (beyond(after[..., 1]) - beyond(distance))
        off = angle_cost(after[..., 0], self.last_weight) + self.distance_weight * metres
        aside, lacking = (1.0 - share) * motion.velocity[..., 0], wanted - motion.velocity[..., 1]
        return np.asarray(-share * off - self.speed_weight * speed_cost(lacking, aside, self.sway))
