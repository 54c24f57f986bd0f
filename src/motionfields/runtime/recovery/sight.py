"""The displayed states of disturbed characters, measured from the frames that they displayed, and their balance."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.control.followers import Followers
from motionfields.motion.planting import PlantingState
from motionfields.motion.planting.limb import Rig
from motionfields.motion.planting.state import X, Z
from motionfields.runtime.follower import MotionTables, show
from motionfields.runtime.recovery.outline import Figure, place_joints, write_outline
from motionfields.runtime.recovery.tables import MotionRows, Outlines, outline_state

LOW, SLOW = 0.03, 0.5  # metres above its standing height and m/s below which a foot without a lock counts as standing
HALF_WIDTH, HALF_LENGTH = 0.05, 0.13  # metres from the middle of a foot to its edges
LEAST_MOVE = 0.02  # metres between capture points below which they have no direction


class Sight(NamedTuple):
    """The displayed states of m characters; positions are metres in the yaw frame, from the point below the root."""

    yaw: FloatArray  # [m], of the displayed root, radians
    features: FloatArray  # [m, feature], see `write_outline`
    own_features: FloatArray  # [m, feature], of the followed state
    velocity: FloatArray  # [m, 2], ground velocity of the root, m/s
    capture: FloatArray  # [m, 2], capture point
    stands: BoolArray  # [m, 2], whether each foot stands
    middles: FloatArray  # [m, 2, 2], middle of each displayed foot
    gaps: FloatArray  # [m, 2], metres over the ground from each foot of the pose to the displayed one
    heights: FloatArray  # [m, 2], metres of ball or ankle of each foot above its standing height, the lower of the two


class Fall(NamedTuple):
    """The balance of m characters."""

    way: FloatArray  # [m, 2], direction in which the capture point was moved, in the yaw frame, unit length or zero
    wanted: FloatArray  # [m], the capture point along `way`, metres from the root
    lack: FloatArray  # [m], metres that it is outside the support along `way`
    edge: FloatArray  # [m], metres from the middle of a foot to its edge along `way`
    falls: BoolArray  # [m], whether a step must catch the character


class Past(NamedTuple):
    """The last displayed frame of each character."""

    places: FloatArray  # [n, joint + 1, 3], joints and centre of mass in the world, metres
    known: BoolArray  # [n], whether there is one

    @classmethod
    def none(cls, count: int, joint_count: int) -> Past:
        """Return the past of `count` characters that have displayed nothing yet."""
        return cls(np.zeros((count, joint_count + 1, 3)), np.zeros(count, np.bool_))


def blank_sight(count: int, figure: Figure) -> Sight:
    """Return the uninitialised sight of `count` characters to write to."""
    return Sight(
        np.empty(count),
        np.empty((count, figure.feature_count)),
        np.empty((count, figure.feature_count)),
        np.empty((count, 2)),
        np.empty((count, 2)),
        np.empty((count, 2), np.bool_),
        np.empty((count, 2, 2)),
        np.empty((count, 2)),
        np.empty((count, 2)),
    )


@kernel
def see(
    figure: Figure,
    rows: MotionRows,
    tables: MotionTables,
    rig: Rig,
    planting: PlantingState,
    plants: BoolArray,
    followers: Followers,
    characters: IntArray,
    past: Past,
    sight: Sight,
) -> None:
    """Fill the `sight` [m] of `characters` [m], and record their displayed frame in `past` [n].

    Velocities are the changes since the last frame; where `past` has none, they are zero. Feet are those displayed
    after foot locking if the character's feet are locked (`plants` [n]), else those of the pose. Heights are
    those of the pose.
    """
    count = len(figure.parents)
    places, rates = np.empty((count + 1, 3)), np.empty((count + 1, 3))
    root, rotations, worlds = np.empty(3), np.empty((count, 4)), np.empty((count, 4))
    unused = np.empty(2)
    for k in range(len(characters)):
        i = characters[k]
        outline_state(figure, rows, followers.state[i], sight.own_features[k], unused, places, rates, rotations, worlds)
        show(tables, followers, i, root, rotations)
        place_joints(figure, root, rotations, places, worlds)
        for joint in range(count + 1):
            for c in range(3):
                before = past.places[i, joint, c] if past.known[i] else places[joint, c]
                rates[joint, c] = (places[joint, c] - before) / figure.frame_time
                past.places[i, joint, c] = places[joint, c]
        past.known[i] = True
        yaw = 2.0 * math.atan2(rotations[0, 2], rotations[0, 0])
        sine, cosine = math.sin(yaw), math.cos(yaw)
        sight.yaw[k] = yaw
        sight.velocity[k, 0] = cosine * rates[0, 0] - sine * rates[0, 2]
        sight.velocity[k, 1] = sine * rates[0, 0] + cosine * rates[0, 2]
        write_outline(figure, places, rates, yaw, sight.features[k], sight.capture[k])
        locks = plants[i] and planting.frames[i] > 0
        for side in range(2):
            ankle, ball = places[figure.feet[side, 0]], places[figure.feet[side, 1]]
            shift_x, shift_z = 0.0, 0.0
            if locks:
                shown = planting.shown[i, side, 0]
                shift_x, shift_z = shown[X] - ball[0], shown[Z] - ball[2]
            x = 0.5 * (ankle[0] + ball[0]) + shift_x - root[0]
            z = 0.5 * (ankle[2] + ball[2]) + shift_z - root[2]
            sight.middles[k, side, 0] = cosine * x - sine * z
            sight.middles[k, side, 1] = sine * x + cosine * z
            sight.gaps[k, side] = math.hypot(shift_x, shift_z)
            heel = rig.foot_lengths[side] * math.sin(rig.heel_pitches[side])
            sight.heights[k, side] = min(ball[1], ankle[1] - heel) - rig.toe_heights[side]
            rate = rates[figure.feet[side, 1]]
            rests = sight.heights[k, side] < LOW and math.hypot(rate[0], rate[2]) < SLOW
            sight.stands[k, side] = planting.locked[i, side] if locks else rests


@kernel
def measure_fall(
    outlines: Outlines, sight: Sight, own: IntArray, world_way: FloatArray, safety: float, tolerance: float, fall: Fall
) -> None:
    """Fill the `fall` [m] of characters that follow the states `own` [m] and were pushed along `world_way` [m, 2].

    A character falls if its capture point is not `safety` metres inside the support of its standing feet, and is more
    than `tolerance` metres beyond that of the followed state, both along that direction.
    """
    for k in range(len(own)):
        sine, cosine = math.sin(sight.yaw[k]), math.cos(sight.yaw[k])
        way_x = cosine * world_way[k, 0] - sine * world_way[k, 1]
        way_z = sine * world_way[k, 0] + cosine * world_way[k, 1]
        fall.way[k, 0], fall.way[k, 1] = way_x, way_z
        fall.wanted[k] = sight.capture[k, 0] * way_x + sight.capture[k, 1] * way_z
        # A foot is longer than wide, so its edge is further from its middle ahead than to the side.
        edge = HALF_WIDTH + (HALF_LENGTH - HALF_WIDTH) * abs(way_z)
        fall.edge[k] = edge
        far, near, stands = -np.inf, np.inf, False
        for side in range(2):
            along = sight.middles[k, side, 0] * way_x + sight.middles[k, side, 1] * way_z + edge
            near = min(near, along)
            if sight.stands[k, side]:
                far, stands = max(far, along), True
        fall.lack[k] = fall.wanted[k] - (far if stands else near)
        capture = outlines.capture[own[k]]
        excess = fall.wanted[k] - (capture[0] * way_x + capture[1] * way_z)
        fall.falls[k] = fall.lack[k] > -safety and excess > tolerance


def direction_of_fall(sight: Sight, capture: FloatArray) -> FloatArray:
    """Return the unit direction [m, 2], world x and z, from the points `capture` [m, 2] to the capture points in sight.

    It is zero where they are nearly the same. Both are in the yaw frames.
    """
    off = sight.capture - capture
    size = np.sqrt(off[:, 0] ** 2 + off[:, 1] ** 2)
    sine, cosine = np.sin(sight.yaw), np.cos(sight.yaw)
    world = np.stack([cosine * off[:, 0] + sine * off[:, 1], cosine * off[:, 1] - sine * off[:, 0]], axis=-1)
    return np.where(size[:, np.newaxis] < LEAST_MOVE, 0.0, world / np.maximum(size, LEAST_MOVE)[:, np.newaxis])
