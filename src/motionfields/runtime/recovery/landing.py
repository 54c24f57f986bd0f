"""Landing places: if no captured step catches a falling character, the next landing place is moved.

The landing place of a swing foot is moved along the fall by the distance that the displayed capture point lies beyond
that of the followed state. The foot is lifted meanwhile, and the root takes over the change after the landing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.geometry.vectors import NO_TURN, vector_of
from motionfields.motion.planting.limb import FootGoal, Rig, find_limb, pose_leg
from motionfields.runtime.recovery.search import landing_shift
from motionfields.runtime.recovery.settings import Costs
from motionfields.runtime.recovery.sight import Fall, Sight
from motionfields.runtime.recovery.tables import STANDS, Outlines

SETTLED = 1e-4  # metres: a smaller displacement of a foot is dropped
FREE_TIME = 0.15  # seconds, time constant with which a free foot returns after the recovery
FAR_OFF = 0.06  # metres from its place at which a foot that should stand is lifted
LAST_MOVE = 0.03  # seconds before the landing in which the place is not moved any more


class Feet(NamedTuple):
    """The displacement of feet: over the ground along world x and z, and upwards; column 0 is the left foot."""

    offset: FloatArray  # [n, 2, 3], metres
    rate: FloatArray  # [n, 2, 3], metres per second

    @classmethod
    def none(cls, count: int) -> Feet:
        """Return the feet of `count` characters, not moved."""
        return cls(np.zeros((count, 2, 3)), np.zeros((count, 2, 3)))


class FootNumbers(NamedTuple):
    """The settings that moving feet needs, named like those of `RecoverySettings`."""

    foot_speed: float
    foot_time: float
    lift_time: float
    lift: float
    land_time: float
    return_time: float
    frame_time: float


@kernel
def aim_feet(
    numbers: FootNumbers,
    costs: Costs,
    outlines: Outlines,
    sight: Sight,
    fall: Fall,
    characters: IntArray,
    states: IntArray,
    feet: Feet,
) -> None:
    """Move the swing feet of `characters` [m], which follow `states` [m], by one frame, in place."""
    for k in range(len(characters)):
        i, state = characters[k], states[k]
        side, wait = outlines.side[state], float(outlines.wait[state])
        for foot in range(2):
            offset, rate = feet.offset[i, foot], feet.rate[i, foot]
            goal_x, goal_y, goal_z = offset[0], 0.0, offset[2]
            if foot == side and wait < costs.soon:
                if not sight.stands[k, foot]:
                    goal_x, goal_z = _landing_goal(numbers, costs, outlines, state, sight, fall, k, offset)
                # A standing foot is lifted in the frame in which it is released, before it moves over the ground.
                if wait > numbers.land_time and outlines.votes[state, foot] < STANDS:
                    goal_y = max(numbers.lift - sight.heights[k, foot], 0.0)
            # A foot that was released because it is too far off steps to its place, instead of sliding there.
            if not sight.stands[k, foot] and outlines.votes[state, foot] >= STANDS and sight.gaps[k, foot] > FAR_OFF:
                goal_y = max(numbers.lift - sight.heights[k, foot], 0.0)
            _pull(numbers.lift_time, numbers.frame_time, offset, rate, 1, goal_y)
            if sight.stands[k, foot]:
                rate[0] = rate[2] = 0.0
            else:
                _pull(numbers.foot_time, numbers.frame_time, offset, rate, 0, goal_x)
                _pull(numbers.foot_time, numbers.frame_time, offset, rate, 2, goal_z)


@lean_kernel
def _landing_goal(
    numbers: FootNumbers,
    costs: Costs,
    outlines: Outlines,
    state: int,
    sight: Sight,
    fall: Fall,
    k: int,
    offset: FloatArray,
) -> tuple[float, float]:
    """Return the displacement along world x and z that the swing foot of character `k` should have, in metres.

    It differs from the present `offset` [3] by at most what the foot can move until it lands.
    """
    capture, way = outlines.capture[state], fall.way[k]
    excess = 0.0
    if fall.falls[k]:
        excess = max(fall.wanted[k] - (capture[0] * way[0] + capture[1] * way[1]), 0.0)
    left, ahead = landing_shift(costs, outlines, state, sight.middles[k], way[0], way[1], excess)
    sine, cosine = math.sin(sight.yaw[k]), math.cos(sight.yaw[k])
    more_x = cosine * left + sine * ahead - offset[0]
    more_z = cosine * ahead - sine * left - offset[2]
    most = numbers.foot_speed * max(float(outlines.wait[state]) - LAST_MOVE, 0.0)
    share = min(1.0, most / max(math.hypot(more_x, more_z), 1e-9))
    return offset[0] + share * more_x, offset[2] + share * more_z


@lean_kernel
def _pull(time: float, frame_time: float, offset: FloatArray, rate: FloatArray, axis: int, goal: float) -> None:
    """Advance one axis of a foot's displacement by a frame of a critically damped spring towards `goal`.

    `time` is the time constant of the spring in seconds.
    """
    off, decay = offset[axis] - goal, math.exp(-frame_time / time)
    push = rate[axis] + off / time
    rate[axis] = decay * (rate[axis] - push * frame_time / time)
    offset[axis] = goal + decay * (off + push * frame_time)


@kernel
def return_feet(numbers: FootNumbers, characters: IntArray, active: BoolArray, locked: BoolArray, feet: Feet) -> None:
    """Let displaced feet return by one frame, in place: `characters` [m] are displaced, `active` [n] still recover.

    `locked` [n, 2] are feet that are held in place: the root takes over their displacement.
    """
    for i in characters:
        for foot in range(2):
            offset, rate = feet.offset[i, foot], feet.rate[i, foot]
            keep = 1.0
            if locked[i, foot]:
                keep = math.exp(-numbers.frame_time / numbers.return_time)
            elif not active[i]:
                keep = math.exp(-numbers.frame_time / FREE_TIME)
            offset[0] *= keep
            offset[2] *= keep
            if not active[i]:
                offset[1] *= math.exp(-numbers.frame_time / numbers.land_time)
                for axis in range(3):
                    rate[axis] = 0.0
                    if abs(offset[axis]) < SETTLED:
                        offset[axis] = 0.0


@kernel
def move_feet(rig: Rig, characters: IntArray, feet: Feet, root_position: FloatArray, rotations: FloatArray) -> None:
    """Move the feet of `characters` [m] in the poses `root_position` [n, 3], `rotations` [n, joint, 4], in place."""
    worlds = np.empty((len(rig.parents), 4))
    for i in characters:
        for side in range(2):
            offset = feet.offset[i, side]
            if abs(offset[0]) + abs(offset[1]) + abs(offset[2]) < SETTLED:
                continue
            limb = find_limb(rig, side, vector_of(root_position[i]), rotations[i], worlds)
            ankle = (limb.ankle[0] + offset[0], limb.ankle[1] + offset[1], limb.ankle[2] + offset[2])
            pose_leg(rig, side, limb, limb.hip, FootGoal(ankle, NO_TURN, NO_TURN), worlds, rotations[i])
