"""The root motion of every database state over one frame, captured or warped.

A state has one or two *variants* of root motion: variant 0 as captured and, with a warp, variant 1, which turns
further. Tasks and training see the turn and velocity of each variant (`motions`); `transitions` holds the costs of
changing between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_fields
from motionfields.base.geometry import quat_exp, quat_multiply, quat_rotate, turn_over_ground, wrap_angle, yaw_from_quat
from motionfields.control.tasks import Motion
from motionfields.field.database import MotionDatabase
from motionfields.field.database.columns import whole_numbers
from motionfields.motion.body import Body, find_body
from motionfields.motion.skeleton import Skeleton


@dataclass(frozen=True)
class Warp:
    """Settings for turning further than the data, as a second variant of every state's root motion.

    The root of a warped state turns `turn` times as far. The turning rate stays below `limit` times the 99th percentile
    of the data, except where the data itself is faster. `cost` is subtracted from the reward for every warped frame.
    """

    turn: float = 1.2
    limit: float = 1.5
    cost: float = 0.3  # radians

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("turn", "limit"):
            if not 1.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name}: expected 1 or more, got {getattr(self, name)}")
        if not 0.0 <= self.cost < np.inf:
            raise ValueError(f"cost: expected 0 or more, got {self.cost}")


class RootMotion(NamedTuple):
    """The root motion of each state over one frame, for each variant."""

    yaw_turn: FloatArray  # [state, variant], radians that the root turns about the vertical
    turn: FloatArray  # [state, variant], radians that the facing turns
    velocity: FloatArray  # [state, 2], m/s to the left and ahead of the facing
    facing: FloatArray  # [state], yaw of the facing relative to the root's, radians
    variant_cost: FloatArray  # [variant], radians for each frame
    frame_time: float
    labels: IntArray | None = None  # [state], int64, for tasks with a `label_column`

    @property
    def variant_count(self) -> int:
        """Number of variants of root motion of a state."""
        return len(self.variant_cost)

    def motions(self) -> Motion:
        """Return the motion [state, variant] of every state and variant, as tasks see it."""
        velocity = np.broadcast_to(self.velocity[:, np.newaxis], (*self.turn.shape, 2))
        labels = None if self.labels is None else np.broadcast_to(self.labels[:, np.newaxis], self.turn.shape)
        return Motion(self.turn, velocity, self.frame_time, labels)

    def labels_of(self, states: IntArray) -> IntArray | None:
        """Return the labels [...] of `states` [...]; None if there are no labels."""
        return None if self.labels is None else self.labels[states]


def hip_line(skeleton: Skeleton, *, body: Body | None = None) -> FloatArray:
    """Return the vector [3] in metres from the right to the left hip, in the frame of the root."""
    legs = (body or find_body(skeleton)).legs
    places = []
    for leg in legs:
        place, joint = np.zeros(3), leg.hip
        while skeleton.parents[joint] >= 0:
            place, joint = place + skeleton.offsets[joint], int(skeleton.parents[joint])
        places.append(place)
    return np.asarray(places[0] - places[1])


def facing_of(world_from_root: FloatArray, hips: FloatArray) -> FloatArray:
    """Return the yaw [...] perpendicular to the line of the `hips` [3] of roots with `world_from_root` [..., 4]."""
    line = quat_rotate(world_from_root, np.broadcast_to(hips, (*world_from_root.shape[:-1], 3)))
    return np.arctan2(-line[..., 2], line[..., 0])


def measure_root_motion(
    database: MotionDatabase,
    *,
    warp: Warp | None = None,
    body: Body | None = None,
    label_column: str | None = None,
) -> RootMotion:
    """Return the root motion of every state of `database`, as captured and, with a `warp`, warped.

    Its labels are the whole numbers in the column `label_column` of the database, if there is one of that name.
    """
    hips = hip_line(database.skeleton, body=body)
    tilt = database.root_tilt.astype(np.float64)
    after = quat_multiply(quat_exp(database.root_turn.astype(np.float64)), tilt)
    facing = facing_of(tilt, hips)
    turn = wrap_angle(facing_of(after, hips) - facing)
    yaw_turn = yaw_from_quat(after)
    step = database.root_step[:, ::2].astype(np.float64) / database.frame_time
    extra = [np.zeros_like(turn)]
    if warp is not None:
        extra.append(_extra_turn(turn, yaw_turn, warp, database.frames_left >= 1))
    return RootMotion(
        np.stack([yaw_turn + more for more in extra], axis=-1),
        np.stack([turn + more for more in extra], axis=-1),
        turn_over_ground(step, -facing),
        facing,
        np.array([0.0] if warp is None else [0.0, warp.cost]),
        database.frame_time,
        _labels(database, label_column),
    )


def _labels(database: MotionDatabase, column: str | None) -> IntArray | None:
    """Return the numbers [state] in a column of `database`; None if it has no such column."""
    return None if column is None or column not in database.columns else whole_numbers(column, database.columns[column])


def _extra_turn(turn: FloatArray, yaw_turn: FloatArray, warp: Warp, counted: BoolArray) -> FloatArray:
    """Return the radians [state] that a warped state turns in addition, so that its facing stays below the limit."""
    limit = warp.limit * np.percentile(np.abs(turn[counted]), 99.0)
    wanted = turn + (warp.turn - 1.0) * yaw_turn
    most = np.maximum(limit, np.abs(turn))
    return np.asarray(np.clip(wanted, -most, most) - turn)
