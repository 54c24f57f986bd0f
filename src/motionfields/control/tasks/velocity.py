"""Walk in a direction at a speed, or stand still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import check_fields, checked_number
from motionfields.base.errors import MotionError
from motionfields.base.geometry import angle_difference
from motionfields.control.tasks.task import (
    Axis,
    Ground,
    Motion,
    Task,
    across,
    along,
    angle_axis,
    angle_cost,
    both_sides,
    top_speed,
    turned,
)

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase

ANGLES = (7.5, 15.0, 30.0, 60.0, 90.0, 120.0, 150.0, 180.0)  # nodes in degrees, on each side
EARLIER_DIRECTIONS = 12  # nodes of controllers of version 0.1, evenly spaced
SPEEDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # nodes as fractions of the top speed
SLOWEST_TOP, FASTEST = 0.02, 1e3  # m/s, bounds of a top speed
LEAST_FACING_SPEED = 1e-3  # m/s
USUAL_TOP = 1.3  # m/s, if neither the user nor the data gives a top speed
FASTEST_WALK = 1.8  # m/s; with a higher top speed, the nodes `SPEEDS` are those of walking, and more follow


@dataclass(frozen=True)
class Paced(Task):
    """Base of tasks with a wanted speed: the weights of its cost, and the `top` speed that a command may request."""

    top: float | None = None  # m/s
    speed_weight: float = 4.0  # radians for each m/s
    sway: float = 0.2  # m/s
    facing_speed: float = 0.5  # m/s
    standing_share: float = 0.05

    def __post_init__(self) -> None:
        check_fields(self)
        if self.top is not None:
            checked_number("top", self.top, SLOWEST_TOP, FASTEST)
        checked_number("facing_speed", self.facing_speed, LEAST_FACING_SPEED, FASTEST)
        checked_number("sway", self.sway, 0.0, FASTEST)
        checked_number("standing_share", self.standing_share, 0.0, 1.0)

    @property
    def _top(self) -> float:
        return USUAL_TOP if self.top is None else self.top

    def adapted(self, database: MotionDatabase) -> Self:
        """Return this task with the `top_speed` of the data, unless a top speed was given."""
        if self.top is not None:
            return self
        fastest = top_speed(database)
        if fastest < SLOWEST_TOP:
            raise MotionError(
                f"{type(self).__name__}: expected clips that travel over the ground, the fastest moves at "
                f"{fastest:.2g} m/s; add clips with root motion, or give a top speed"
            )
        return replace(self, top=fastest)


@dataclass(frozen=True)
class Velocity(Paced):
    """Task to walk at a velocity. The command is a heading, a yaw in radians, and a speed in m/s.

    A speed of 0 asks to stand still, facing any direction. The parameters are the angle of the heading to the left of
    the facing, and the speed, which stays as commanded while the character moves. The speed is clamped to 0 to `top`;
    with `top` None, the top speed of the data is used.

    The reward is minus the angle to the heading, whose last 15 degrees cost `last_weight` more, and minus
    `speed_weight` for each m/s of speed error. Errors below `sway` cost less, so that staying in the one state of a
    step with exactly the wanted speed does not pay. Below `facing_speed` the angle counts less, down to the fraction
    `standing_share` at a standstill, where speed in any direction is an error: a standing character may face anywhere.
    With a `last_weight` of 0, reward and grid are those of version 0.1.

    To stop, the character needs clips that contain standing. Transitions that change the speed cost `brake_cost`, so
    that it stops with captured steps.
    """

    standing_share: float = 0.04
    last_weight: float = 0.7  # radians

    brake_cost: ClassVar[float] = 200.0  # radians per (m/s)^2, as in `ControlSettings`
    earlier: ClassVar[Mapping[str, float]] = {"last_weight": 0.0}

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the desired heading, and the wanted speed."""
        return heading_axis(self.last_weight), Axis("speed", speed_nodes(self._top, SPEEDS, most=0.5))

    @property
    def command_names(self) -> tuple[str, ...]:
        """The desired heading and speed."""
        return ("heading", "speed")

    def params(self, command: FloatArray, ground: Ground) -> FloatArray:
        """Return the angle from the facing to the heading in `command` [n, 2], and the speed: [n, 2]."""
        angle = angle_difference(command[:, 0], ground.facing)
        return np.stack([angle, np.clip(command[:, 1], 0.0, self._top)], axis=-1)

    def advance(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return the angle after `motion` [...] and the unchanged speed: [..., 2]."""
        return np.stack(np.broadcast_arrays(turned(params[..., 0], motion), params[..., 1]), axis=-1)

    def reward(self, params: FloatArray, motion: Motion) -> FloatArray:
        """Return minus the weighted angle after `motion` [...], minus the cost of the velocity error."""
        angle, wanted = params[..., 0], params[..., 1]
        share = walking_share(wanted, self.facing_speed, self.standing_share)
        aside = (1.0 - share) * across(angle, motion.velocity)
        lacking = wanted - along(angle, motion.velocity)
        gap = self.speed_weight * speed_cost(lacking, aside, self.sway)
        return np.asarray(-share * angle_cost(turned(angle, motion), self.last_weight) - gap)


def heading_axis(last_weight: float) -> Axis:
    """Return the axis of angles, with nodes near 0 for the last degrees unless they count no more than others."""
    if not last_weight:
        return angle_axis(count=EARLIER_DIRECTIONS)
    return Axis("angle", both_sides(np.radians(ANGLES)), wraps=True)


def speed_nodes(top: float, shares: Sequence[float], *, most: float) -> FloatArray:
    """Return the nodes [node] in m/s of an axis of speeds up to `top`: its fractions `shares`, which end at 1.

    A top speed that is a run would spread these too far to tell walking speeds apart. Then they are fractions of 1.3
    m/s, and evenly spaced nodes at most `most` m/s apart follow up to `top`.
    """
    if top <= FASTEST_WALK:
        return top * np.array(shares)
    count = int(np.ceil((top - USUAL_TOP) / most))
    return np.concatenate([USUAL_TOP * np.array(shares), np.linspace(USUAL_TOP, top, count + 1)[1:]])


def walking_share(wanted: FloatArray, facing_speed: float, standing_share: float) -> FloatArray:
    """Return the weight [...] of the direction: 1 from a `wanted` [...] speed of `facing_speed` m/s, less below it."""
    return np.asarray(standing_share + (1.0 - standing_share) * np.minimum(1.0, wanted / facing_speed))


def speed_cost(lacking: FloatArray, aside: FloatArray, sway: float) -> FloatArray:
    """Return the size [...] in m/s of a velocity error, `lacking` [...] ahead and `aside` [...]; less below `sway`."""
    return np.asarray(np.sqrt(lacking**2 + aside**2 + sway**2) - sway)


def commands_from_velocity(velocity: ArrayLike, *, standing_heading: float | FloatArray = 0.0) -> FloatArray:
    """Return commands [n, 2] for the `Velocity` task, heading and speed, from velocities [n, 2] in m/s, world x and z.

    A velocity of 0 has no heading; `standing_heading`, one yaw in radians or one for each character, is used instead.
    """
    vectors = np.asarray(velocity, dtype=np.float64)
    if vectors.shape[-1:] != (2,) or not np.isfinite(vectors).all():
        raise ValueError(f"velocity: expected finite m/s of shape [n, 2], world x and z, got shape {vectors.shape}")
    speed = np.linalg.norm(vectors, axis=-1)
    heading = np.where(speed > 0.0, np.arctan2(vectors[..., 0], vectors[..., 1]), standing_heading)
    return np.stack([heading, speed], axis=-1)
