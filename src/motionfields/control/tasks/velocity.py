"""Walk in a direction at a speed, or stand still."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference
from motionfields.control.tasks.task import Axis, Ground, Motion, Task, across, along, angle_axis, top_speed, turned

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase

DIRECTIONS = 12  # that values are kept for; 24 made no difference
SPEEDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of the top speed, that values are kept for
USUAL_TOP = 1.3  # m/s, where no data says more


@dataclass(frozen=True)
class Paced(Task):
    """What tasks with a wanted speed share: how it counts, and the `top` up to which it is asked for."""

    top: float | None = None  # m/s
    speed_weight: float = 4.0  # radians for each m/s
    sway: float = 0.2  # m/s
    facing_speed: float = 0.5  # m/s
    standing_share: float = 0.05

    @property
    def _top(self) -> float:
        return USUAL_TOP if self.top is None else self.top

    def adapted(self, database: MotionDatabase) -> Self:
        """With the fastest that the data keeps up, unless a top speed was given."""
        return self if self.top is not None else replace(self, top=top_speed(database))


@dataclass(frozen=True)
class Velocity(Paced):
    """The command is a heading, a yaw in radians, and a speed in m/s; 0 asks to stand still, facing anywhere.

    The parameters are how far the heading is to the left of the facing, and the speed, which stays as told while the
    character moves; it is kept between 0 and `top`, which None takes from the data.

    The reward is minus the angle to the heading and minus `speed_weight` for each m/s by which the speed is off the
    wanted one; less below `sway`, so that it does not pay to stay in the one moment of a step that has the very speed.
    Below `facing_speed` the angle counts less, down to `standing_share` of it at a standstill, where speed in any
    direction is off: who stands may face anywhere.

    To stop, the character needs clips with standing in them.
    """

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the desired heading, and the wanted speed."""
        return angle_axis(count=DIRECTIONS), Axis("speed", self._top * np.array(SPEEDS))

    @property
    def command_names(self) -> tuple[str, ...]:
        """The desired heading and speed."""
        return ("heading", "speed")

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """The angle from the facing to the heading told by `command` [n, 2], and the speed: [n, 2]."""
        angle = angle_difference(command[:, 0], ground.facing)
        return np.stack([angle, np.clip(command[:, 1], 0.0, self._top)], axis=-1)

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """The angle after `motion` [...] and the same speed: [..., 2]."""
        return np.stack(np.broadcast_arrays(turned(params[..., 0], motion), params[..., 1]), axis=-1)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Minus the angle after `motion` [...], as far as it counts, and minus how far the velocity is off."""
        angle, wanted = params[..., 0], params[..., 1]
        share = walking_share(wanted, self.facing_speed, self.standing_share)
        aside = (1.0 - share) * across(angle, motion.velocity)
        lacking = wanted - along(angle, motion.velocity)
        gap = self.speed_weight * speed_cost(lacking, aside, self.sway)
        return np.asarray(-share * np.abs(turned(angle, motion)) - gap)


def walking_share(wanted: FloatArray, facing_speed: float, standing_share: float) -> FloatArray:
    """How much [...] the way counts: in full from a `wanted` [...] speed of `facing_speed` m/s, less below."""
    return np.asarray(standing_share + (1.0 - standing_share) * np.minimum(1.0, wanted / facing_speed))


def speed_cost(lacking: FloatArray, aside: FloatArray, sway: float) -> FloatArray:
    """How far [...] in m/s a velocity is off, `lacking` [...] along the way and `aside` [...]; less below `sway`."""
    return np.asarray(np.sqrt(lacking**2 + aside**2 + sway**2) - sway)


def commands_from_velocity(velocity: ArrayLike, *, standing_heading: float | FloatArray = 0.0) -> FloatArray:
    """Return commands [n, 2] for the `Velocity` task, heading and speed, from velocities [n, 2] in m/s, world x and z.

    A velocity of 0 has no heading; `standing_heading`, a yaw in radians or one for each character, stands in.
    """
    vectors = np.asarray(velocity, dtype=np.float64)
    if vectors.shape[-1:] != (2,) or not np.isfinite(vectors).all():
        raise ValueError(f"velocity: expected finite m/s of shape [n, 2], world x and z, got shape {vectors.shape}")
    speed = np.linalg.norm(vectors, axis=-1)
    heading = np.where(speed > 0.0, np.arctan2(vectors[..., 0], vectors[..., 1]), standing_heading)
    return np.stack([heading, speed], axis=-1)
