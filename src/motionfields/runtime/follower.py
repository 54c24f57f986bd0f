"""Characters that follow states of the data, and the poses they show.

A follower stands on the ground, faces somewhere, and is at one state of the data. Where it goes on as another state
than its own next one, its pose and velocity jump; what is shown does not. The jump becomes an offset that is added to
the data's pose and dies away as a critically damped spring does, from the velocity that the shown pose had. So the
character decides freely at every frame and still moves without a break (inertialisation).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.compiled import lean_kernel
from motionfields.base.geometry import quat_exp, quat_from_yaw, quat_log, quat_multiply, quat_rotate
from motionfields.base.geometry.vectors import (
    UP,
    Quat,
    Vector,
    about,
    conjugate,
    exponential,
    logarithm,
    multiply,
    normalized,
    put,
    quat_of,
    rotate,
    vector_of,
)
from motionfields.base.springs import damp, spring_stiffness
from motionfields.control.contract import Pivot
from motionfields.control.followers import JOINTS, PLACE, TURN, Followers
from motionfields.control.root_motion import RootMotion
from motionfields.field.database import MotionDatabase, Pose

FURTHEST_LIFT = 0.3  # metres by which pushes may lift or lower a root off its data


class MotionTables(NamedTuple):
    """What following reads of the data, and the springs; all arrays are read-only."""

    root_height: FloatArray  # [state] and so on, as in a `MotionDatabase`
    root_tilt: FloatArray
    joint_rotations: FloatArray
    root_step: FloatArray
    root_turn: FloatArray
    joint_turns: FloatArray
    yaw_turn: FloatArray  # [state, variant], see `RootMotion`
    stiffness: float  # per second, of the springs of the pose
    decay: float  # what is left of an offset that has no rate after a frame, but for a factor
    root_stiffness: float  # the same for the root's place
    root_decay: float
    frame_time: float  # seconds

    @classmethod
    def of(cls, database: MotionDatabase, root_motion: RootMotion, half_lives: tuple[float, float]) -> MotionTables:
        """Return the tables of `database` with its `root_motion`; `half_lives` in seconds are of pose and root."""
        pose, place = (spring_stiffness(half_life) for half_life in half_lives)
        return cls(
            read_only(database.root_height),
            read_only(database.root_tilt),
            read_only(database.joint_rotations),
            read_only(database.root_step),
            read_only(database.root_turn),
            read_only(database.joint_turns),
            read_only(root_motion.yaw_turn),
            pose,
            math.exp(-pose * database.frame_time),
            place,
            math.exp(-place * database.frame_time),
            database.frame_time,
        )


class DisplayPose(NamedTuple):
    """The poses that are shown."""

    root_position: FloatArray  # [n, 3], metres
    rotations: FloatArray  # [n, joint, 4], as in a `Clip`

    @classmethod
    def blank(cls, count: int, joint_count: int) -> DisplayPose:
        """Poses of `count` characters to write to."""
        return cls(np.empty((count, 3)), np.empty((count, joint_count, 4)))

    def take(self, characters: IntArray | slice) -> DisplayPose:
        """Copies of the poses of some `characters`."""
        return DisplayPose(*(np.array(track[characters]) for track in self))

    def poses(self, characters: IntArray | slice = slice(None)) -> Pose:
        """The poses of some `characters`."""
        rotations = self.rotations[characters]
        return Pose(self.root_position[characters], rotations[:, 0], rotations[:, 1:])


def displace(
    database: MotionDatabase, followers: Followers, characters: IntArray, was: DisplayPose, now: DisplayPose
) -> None:
    """Let `characters` [m] show the poses `now` [m] where they showed `was` [m], in place.

    Where they are on the ground and which way they face changes for good; the rest is an offset that dies away.
    """
    tracks = (followers.position, followers.yaw, followers.state, followers.offset)
    _displace(database.root_tilt, database.joint_rotations, characters, *tracks, *was, *now)


def pivot_about(database: MotionDatabase, followers: Followers, pivot: Pivot) -> None:
    """Put characters elsewhere in place, and let what they show and how fast it moves stay as it is."""
    world_from_yaw, turned = quat_from_yaw(followers.yaw), quat_from_yaw(followers.yaw + pivot.turn)
    offset, rate = followers.offset, followers.offset_rate
    offset[:, PLACE, ::2] -= pivot.shift
    shown = quat_multiply(quat_exp(offset[:, TURN]), quat_from_yaw(-pivot.turn))
    offset[:, TURN] = np.where(pivot.turn[:, np.newaxis] == 0.0, offset[:, TURN], quat_log(shown))
    step = followers.stretch[:, np.newaxis] * database.root_step[followers.state]
    for part, moved in ((PLACE, step), (TURN, database.root_turn[followers.state].astype(np.float64))):
        rate[:, part] += (quat_rotate(world_from_yaw, moved) - quat_rotate(turned, moved)) / database.frame_time
    followers.position[:] += pivot.shift
    followers.yaw[:] += pivot.turn


@lean_kernel
def _displace(
    tilt: FloatArray,
    joints: FloatArray,
    characters: IntArray,
    position: FloatArray,
    yaw: FloatArray,
    state: IntArray,
    offset: FloatArray,
    old_root: FloatArray,
    old_rotations: FloatArray,
    root: FloatArray,
    rotations: FloatArray,
) -> None:
    for m in range(len(characters)):
        i = characters[m]
        yaw[i] += _turned(quat_of(old_rotations[m, 0]), quat_of(rotations[m, 0]))
        position[i, 0] += root[m, 0] - old_root[m, 0]
        position[i, 1] += root[m, 2] - old_root[m, 2]
        before = offset[i, PLACE, 1]
        offset[i, PLACE, 1] = min(max(before + root[m, 1] - old_root[m, 1], -FURTHEST_LIFT), FURTHEST_LIFT)
        root[m, 1] = old_root[m, 1] + offset[i, PLACE, 1] - before
        placed = multiply(about(UP, yaw[i]), quat_of(tilt[state[i]]))
        put(logarithm(multiply(quat_of(rotations[m, 0]), conjugate(placed))), offset[i, TURN])
        for joint in range(joints.shape[1]):
            tables = conjugate(quat_of(joints[state[i], joint]))
            put(logarithm(multiply(quat_of(rotations[m, joint + 1]), tables)), offset[i, JOINTS + joint])


@lean_kernel
def follow(
    tables: MotionTables, followers: Followers, i: int, chosen: int, variant: int, spin: float, stretch: float
) -> None:
    """Let character `i` go on for a frame as the state `chosen` does; see `Steps` for the rest."""
    old = followers.state[i]
    offset, rate = followers.offset[i], followers.offset_rate[i]
    world_from_yaw = about(UP, followers.yaw[i])
    if chosen != old:
        _take_over_pose(tables, offset, rate, old, chosen, world_from_yaw)
    if chosen != old or variant != followers.variant[i]:
        jump = _between(tables.root_step[old], followers.stretch[i], tables.root_step[chosen], stretch)
        _add(rate[PLACE], rotate(world_from_yaw, jump), 1.0 / tables.frame_time)
        jump = _between(tables.root_turn[old], 1.0, tables.root_turn[chosen], 1.0)
        jump = (jump[0], jump[1] + followers.spin[i] - spin, jump[2])
        _add(rate[TURN], rotate(world_from_yaw, jump), 1.0 / tables.frame_time)
    followers.variant[i], followers.spin[i], followers.stretch[i] = variant, spin, stretch
    step = tables.root_step[chosen]
    moved = rotate(world_from_yaw, (stretch * step[0], 0.0, stretch * step[2]))
    followers.position[i, 0] += moved[0]
    followers.position[i, 1] += moved[2]
    followers.yaw[i] += tables.yaw_turn[chosen, 0] + spin
    followers.state[i] = chosen + 1
    damp(offset[PLACE], rate[PLACE], tables.root_stiffness, tables.root_decay, tables.frame_time)
    for part in range(TURN, len(offset)):
        damp(offset[part], rate[part], tables.stiffness, tables.decay, tables.frame_time)


@lean_kernel
def _take_over_pose(
    tables: MotionTables, offset: FloatArray, rate: FloatArray, old: int, new: int, world_from_yaw: Quat
) -> None:
    """Add to the offset of one character what its pose jumps by where it changes from the state `old` to `new`."""
    gap = logarithm(multiply(quat_of(tables.root_tilt[old]), conjugate(quat_of(tables.root_tilt[new]))))
    _add(offset[TURN], rotate(world_from_yaw, gap), 1.0)
    offset[PLACE, 1] += tables.root_height[old] - tables.root_height[new]
    joints, turns = tables.joint_rotations, tables.joint_turns
    for joint in range(joints.shape[1]):
        gap = logarithm(multiply(quat_of(joints[old, joint]), conjugate(quat_of(joints[new, joint]))))
        _add(offset[JOINTS + joint], gap, 1.0)
        for c in range(3):
            rate[JOINTS + joint, c] += (turns[old, joint, c] - turns[new, joint, c]) / tables.frame_time


@lean_kernel
def show(tables: MotionTables, followers: Followers, i: int, root: FloatArray, rotations: FloatArray) -> None:
    """Write the pose of character `i`, that of the data plus its offset, to `root` [3] and `rotations` [joint, 4]."""
    state, offset = followers.state[i], followers.offset[i]
    root[0] = followers.position[i, 0] + offset[PLACE, 0]
    root[1] = tables.root_height[state] + offset[PLACE, 1]
    root[2] = followers.position[i, 1] + offset[PLACE, 2]
    placed = multiply(about(UP, followers.yaw[i]), quat_of(tables.root_tilt[state]))
    put(normalized(multiply(exponential(vector_of(offset[TURN])), placed)), rotations[0])
    joints = tables.joint_rotations[state]
    for joint in range(len(joints)):
        turn = exponential(vector_of(offset[JOINTS + joint]))
        put(normalized(multiply(turn, quat_of(joints[joint]))), rotations[joint + 1])


@lean_kernel
def _between(old: FloatArray, old_share: float, new: FloatArray, new_share: float) -> Vector:
    """The way from `new` to `old`, each with so much of it over the ground."""
    return (
        old_share * float(old[0]) - new_share * float(new[0]),
        float(old[1]) - float(new[1]),
        old_share * float(old[2]) - new_share * float(new[2]),
    )


@lean_kernel
def _turned(old: Quat, new: Quat) -> float:
    """By how many radians the yaw of `new` is to the left of that of `old`, the short way round."""
    sine, cosine = new[2] * old[0] - new[0] * old[2], new[0] * old[0] + new[2] * old[2]
    sign = 1.0 if cosine >= 0.0 else -1.0
    return 2.0 * math.atan2(sign * sine, sign * cosine)


@lean_kernel
def _add(track: FloatArray, vector: Vector, factor: float) -> None:
    for c in range(3):
        track[c] += factor * vector[c]
