"""Links between clips: the placement of the next clip by the planted foot, and the jump in motion at the change."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import parallel_kernel, prange
from motionfields.base.geometry import turn_over_ground, wrap_angle
from motionfields.base.springs import spring_stiffness
from motionfields.control.methods.graph.cutting import BOTH, LEFT, StepClips
from motionfields.control.root_motion import RootMotion
from motionfields.control.transitions import BLOCKED, jump_features
from motionfields.field.database import MotionDatabase
from motionfields.motion.body import find_body
from motionfields.motion.skeleton import forward_kinematics

MOST_PIVOT = math.radians(60.0)  # radians that a clip may be turned at most to fit a planted foot


class Links(NamedTuple):
    """The links from m states to the starts of clips; arrays are [m, clip]."""

    costs: FloatArray  # m/s2, mean jump of the joints' acceleration, float32; `BLOCKED`: not available
    turns: FloatArray  # radians to the left that the clip is turned so that the planted foot stays, float32


class Joints(NamedTuple):
    """Features of every state that matter at a change of clips."""

    features: FloatArray  # [state, joint, 3], m/s2, see `transitions.jump_features`
    foot_place: FloatArray  # [state, foot, 2], metres to the left and ahead of the root, in the yaw frame, float32
    foot_yaw: FloatArray  # [state, foot], radians, yaw of the foot in the yaw frame, float32
    stiffness: float  # per second, of the spring that spreads a jump

    @classmethod
    def of(cls, database: MotionDatabase, root_motion: RootMotion, *, half_life: float) -> Joints:
        """Return the features of the states of `database`, for a spring of `half_life` seconds that spreads jumps."""
        features = jump_features(database, root_motion, half_life=half_life)[:, 0]
        world = forward_kinematics(database.skeleton, database.poses(slice(None)).root_position, database.rotations)
        legs = find_body(database.skeleton).legs
        toes = world.positions[:, [leg.toe for leg in legs]]
        ankles = world.positions[:, [leg.ankle for leg in legs]]
        directions = toes - ankles
        yaw = np.arctan2(directions[..., 0], directions[..., 2])
        return cls(
            np.ascontiguousarray(features),
            np.ascontiguousarray(toes[..., ::2], dtype=np.float32),
            yaw.astype(np.float32),
            spring_stiffness(half_life),
        )

    def links(self, rows: IntArray, feet: IntArray, clips: StepClips) -> Links:
        """Return the links from the states `rows` [m], at which `feet` [m] stand, to each of `clips`."""
        costs = np.empty((len(rows), len(clips.start)), np.float32)
        turns = np.empty_like(costs)
        _links(*self, rows, feet, clips.start, clips.foot, costs, turns)
        return Links(costs, turns)

    def turn(self, row: IntArray, new: IntArray, foot: IntArray) -> FloatArray:
        """Return the radians [m] that `new` [m] turns to the left to follow `row` [m] with `foot` [m] fixed."""
        gap = self.foot_yaw[row, foot].astype(np.float64) - self.foot_yaw[new, foot]
        return np.clip(wrap_angle(gap), -MOST_PIVOT, MOST_PIVOT)

    def shift(self, row: IntArray, new: IntArray, foot: IntArray, turn: FloatArray) -> FloatArray:
        """Return the shift [m, 2] of the root in metres when `new` [m] follows `row` [m] with `foot` [m] fixed.

        The shift is in the yaw frame of the state `row`. `turn` [m] is the result of `turn` for the same states.
        """
        before, place = (self.foot_place[states, foot].astype(np.float64) for states in (row, new))
        return np.asarray(before - turn_over_ground(place, turn))


def jump_costs(costs: FloatArray, each: float) -> FloatArray:
    """Return the costs of jumps of `costs` [...] m/s2 at `each` per m/s2; blocked ones stay blocked."""
    return np.where(costs >= BLOCKED, costs.dtype.type(BLOCKED), each * costs)


def standing_foot(foot: IntArray, next_foot: IntArray) -> IntArray:
    """Return the foot [m] to pivot about, from the standing foot before and after the change."""
    return np.where(next_foot != BOTH, next_foot, np.where(foot != BOTH, foot, LEFT))


@parallel_kernel
def _links(
    features: FloatArray,
    foot_place: FloatArray,
    foot_yaw: FloatArray,
    stiffness: float,
    states: IntArray,
    feet: IntArray,
    starts: IntArray,
    start_feet: IntArray,
    costs: FloatArray,
    turns: FloatArray,
) -> None:
    """Fill `costs` and `turns` [m, clip] with the links from `states` [m] to the clips' `starts`."""
    joint_count = features.shape[1]
    for m in prange(len(states)):
        state = states[m]
        for clip in range(len(starts)):
            new = starts[clip]
            if feet[m] != start_feet[clip] and feet[m] != BOTH and start_feet[clip] != BOTH:
                costs[m, clip], turns[m, clip] = BLOCKED, 0.0
                continue
            # The same choice of foot, turn and shift as `standing_foot`, `Joints.turn` and `Joints.shift`.
            foot = start_feet[clip] if start_feet[clip] != BOTH else (feet[m] if feet[m] != BOTH else LEFT)
            turn = float(foot_yaw[state, foot]) - float(foot_yaw[new, foot])
            turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
            turn = min(max(turn, -MOST_PIVOT), MOST_PIVOT)
            sine, cosine = math.sin(turn), math.cos(turn)
            x, z = float(foot_place[new, foot, 0]), float(foot_place[new, foot, 1])
            # A shift by x adds y^2 x to each joint's feature, which is divided by the number of joints.
            push = stiffness * stiffness / joint_count
            shift_x = push * (float(foot_place[state, foot, 0]) - cosine * x - sine * z)
            shift_z = push * (float(foot_place[state, foot, 1]) - cosine * z + sine * x)
            total = 0.0
            for joint in range(joint_count):
                old, after = features[state, joint], features[new, joint]
                gap_x = old[0] - (cosine * after[0] + sine * after[2]) - shift_x
                gap_y = old[1] - after[1]
                gap_z = old[2] - (cosine * after[2] - sine * after[0]) - shift_z
                total += math.sqrt(gap_x * gap_x + gap_y * gap_y + gap_z * gap_z)
            costs[m, clip], turns[m, clip] = total, turn
