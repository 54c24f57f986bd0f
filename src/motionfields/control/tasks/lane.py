"""Walk along a line on the ground at a speed, facing along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.control.tasks.line import FORESIGHT, Line, beyond, both_sides
from motionfields.control.tasks.task import Axis, Ground, Motion, angle_cost
from motionfields.control.tasks.velocity import Paced, speed_cost, walking_share

# The grid is coarser than that of `Line`, since tables grow with its size: 13 x 9 x 5 nodes.
ANGLES = (7.5, 15.0, 35.0, 70.0, 120.0, 180.0)  # degrees off that values are kept for, each side
DISTANCES = (0.1, 0.2, 0.4, 0.8)  # metres off the line that values are kept for, each side
SPEEDS = (0.0, 0.4, 0.6, 0.8, 1.0)  # of the top speed, that values are kept for
PLACE = Line()  # says where a character is to a line


@dataclass(frozen=True)
class Lane(Paced):
    """The command is that of `Line`, a point and a heading, and a speed in m/s as in `Velocity`; 0 asks to stand still.

    The parameters are how far the heading is to the left of the facing, in radians, how far the character is to the
    left of the line, in metres, and the wanted speed, which stays as told. It is kept between 0 and `top`, which None
    takes from the data.

    The reward is minus the angle and minus `distance_weight` for each metre off the line, as in `Line`, and minus
    `speed_weight` for each m/s by which the speed is off the wanted one, as in `Velocity`; but the speed ahead counts,
    not that along the line. Otherwise a character that stands with its back to the heading may go on to stand: to turn
    it would have to walk the wrong way for a while, which would cost more than no speed at all.

    Below `facing_speed` angle and distance count less, down to `standing_share` of them at a standstill: who is told to
    stand does so at once, beside the line too.

    It needs a field that finds states that stand, as `Velocity` does.
    """

    distance_weight: float = 8.0  # radians for each metre
    last_weight: float = 0.6  # radians

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the line's heading, the distance to its left, and the wanted speed."""
        angle, distance = both_sides(np.radians(ANGLES)), both_sides(DISTANCES)
        return Axis("angle", angle, wraps=True), Axis("distance", distance), Axis("speed", self._top * np.array(SPEEDS))

    @property
    def command_names(self) -> tuple[str, ...]:
        """A point of the line, the way to walk along it, and the speed."""
        return ("point_x", "point_z", "heading", "speed")

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """Angle, distance and speed [n, 3] of characters at `ground` that were told `command` [n, 4]."""
        return np.column_stack([PLACE.params(command[:, :3], ground), np.clip(command[:, 3], 0.0, self._top)])

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Angle and distance after `motion` [...] and the same speed: [..., 3]."""
        place = PLACE.advance(params[..., :2], motion)
        speed = np.broadcast_to(params[..., 2:], (*place.shape[:-1], 1))
        return np.concatenate([place, speed], axis=-1)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Minus angle and distance after `motion` [...], as far as they count, and minus how far the speed is off."""
        distance, wanted = params[..., 1], params[..., 2]
        after = self.advance(params, motion)
        share = walking_share(wanted, self.facing_speed, self.standing_share)
        metres = np.abs(after[..., 1]) + FORESIGHT * (beyond(after[..., 1]) - beyond(distance))
        off = angle_cost(after[..., 0], self.last_weight) + self.distance_weight * metres
        aside, lacking = (1.0 - share) * motion.velocity[..., 0], wanted - motion.velocity[..., 1]
        return np.asarray(-share * off - self.speed_weight * speed_cost(lacking, aside, self.sway))
