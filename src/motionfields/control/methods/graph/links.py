"""What it takes to go on with another clip: where the planted foot puts it, and how much the motion jumps there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import prange

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import parallel_kernel
from motionfields.base.geometry import turn_over_ground, wrap_angle
from motionfields.base.springs import spring_stiffness
from motionfields.control.methods.graph.cutting import BOTH, LEFT, StepClips
from motionfields.control.root_motion import RootMotion
from motionfields.control.transitions import BLOCKED, jump_features
from motionfields.field.database import MotionDatabase
from motionfields.motion.body import find_body
from motionfields.motion.skeleton import forward_kinematics

MOST_PIVOT = math.radians(60.0)  # by which a clip may be turned to fit a planted foot


class Links(NamedTuple):
    """How clips follow a state each: [m, clip] each."""

    costs: FloatArray  # m/s2 by which the joints' acceleration jumps on average, float32; `BLOCKED` for none
    turns: FloatArray  # radians to the left by which the clip is turned so that the planted foot stays, float32


class Joints(NamedTuple):
    """What of every state matters where clips meet."""

    features: FloatArray  # [state, joint, 3], m/s2, see `choices.jump_features`
    foot_place: FloatArray  # [state, foot, 2], metres to the left and ahead of the root, in the yaw frame, float32
    foot_yaw: FloatArray  # [state, foot], radians, which way the foot points, float32
    stiffness: float  # per second, of the spring that spreads a jump

    @classmethod
    def of(cls, database: MotionDatabase, root_motion: RootMotion, *, half_life: float) -> Joints:
        """What matters of the states of `database`; jumps are spread by a spring of `half_life` seconds."""
        features = jump_features(database, root_motion, half_life=half_life)[:, 0]
        world = forward_kinematics(database.skeleton, database.poses(slice(None)).root_position, database.rotations)
        legs = find_body(database.skeleton).legs
        toes = world.positions[:, [leg.toe for leg in legs]]
        ankles = world.positions[:, [leg.ankle for leg in legs]]
        ways = toes - ankles
        yaw = np.arctan2(ways[..., 0], ways[..., 2])
        return cls(
            np.ascontiguousarray(features),
            np.ascontiguousarray(toes[..., ::2], dtype=np.float32),
            yaw.astype(np.float32),
            spring_stiffness(half_life),
        )

    def links(self, rows: IntArray, feet: IntArray, clips: StepClips) -> Links:
        """How each of `clips` follows the states `rows` [m], at which `feet` [m] stand."""
        costs = np.empty((len(rows), len(clips.start)), np.float32)
        turns = np.empty_like(costs)
        _links(*self, rows, feet, clips.start, clips.foot, costs, turns)
        return Links(costs, turns)

    def turn(self, row: IntArray, new: IntArray, foot: IntArray) -> FloatArray:
        """Radians [m] by which the state `new` [m] is turned to the left to follow `row` [m] with `foot` [m] fixed."""
        gap = self.foot_yaw[row, foot].astype(np.float64) - self.foot_yaw[new, foot]
        return np.clip(wrap_angle(gap), -MOST_PIVOT, MOST_PIVOT)

    def shift(self, row: IntArray, new: IntArray, foot: IntArray, turn: FloatArray) -> FloatArray:
        """Where the root goes [m, 2], in the yaw frame of the state `row` [m], when `foot` stays and it becomes `new`.

        `turn` [m] is the turn of that link.
        """
        before, place = (self.foot_place[rows, foot].astype(np.float64) for rows in (row, new))
        return np.asarray(before - turn_over_ground(place, turn))


def jump_costs(costs: FloatArray, each: float) -> FloatArray:
    """What changes that jump by `costs` [...] m/s2 cost at `each` for one; what is blocked stays so at any price."""
    return np.where(costs >= BLOCKED, costs.dtype.type(BLOCKED), each * costs)


def standing_foot(foot: IntArray, next_foot: IntArray) -> IntArray:
    """The foot [m] about which a change pivots, by who stands before and after it."""
    return np.where(next_foot != BOTH, next_foot, np.where(foot != BOTH, foot, LEFT))


@parallel_kernel
def _links(
    features: FloatArray,
    foot_place: FloatArray,
    foot_yaw: FloatArray,
    stiffness: float,
    rows: IntArray,
    feet: IntArray,
    starts: IntArray,
    start_feet: IntArray,
    costs: FloatArray,
    turns: FloatArray,
) -> None:
    joint_count = features.shape[1]
    for m in prange(len(rows)):
        row = rows[m]
        for clip in range(len(starts)):
            new = starts[clip]
            if feet[m] != start_feet[clip] and feet[m] != BOTH and start_feet[clip] != BOTH:
                costs[m, clip], turns[m, clip] = BLOCKED, 0.0
                continue
            foot = start_feet[clip] if start_feet[clip] != BOTH else (feet[m] if feet[m] != BOTH else LEFT)
            turn = float(foot_yaw[row, foot]) - float(foot_yaw[new, foot])
            turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
            turn = min(max(turn, -MOST_PIVOT), MOST_PIVOT)
            sine, cosine = math.sin(turn), math.cos(turn)
            x, z = float(foot_place[new, foot, 0]), float(foot_place[new, foot, 1])
            push = stiffness * stiffness / joint_count
            shift_x = push * (float(foot_place[row, foot, 0]) - cosine * x - sine * z)
            shift_z = push * (float(foot_place[row, foot, 1]) - cosine * z + sine * x)
            total = 0.0
            for joint in range(joint_count):
                old, after = features[row, joint], features[new, joint]
                gap_x = old[0] - (cosine * after[0] + sine * after[2]) - shift_x
                gap_y = old[1] - after[1]
                gap_z = old[2] - (cosine * after[2] - sine * after[0]) - shift_z
                total += math.sqrt(gap_x * gap_x + gap_y * gap_y + gap_z * gap_z)
            costs[m, clip], turns[m, clip] = total, turn
