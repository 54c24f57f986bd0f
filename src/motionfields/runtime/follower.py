"""Compiled steps of characters that follow database states, and of the poses they display.

A follower has a place on the ground, a facing, and one database state. At a transition its pose and velocity jump, but
the displayed pose does not. The jump becomes an offset that is added to the pose of the database and decays like a
critically damped spring, starting at the velocity of the displayed pose (inertialization). So the character can choose
a transition at every frame and still move smoothly.
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

FURTHEST_LIFT = 0.3  # metres: most by which pushes may raise or lower a root relative to its data


class MotionTables(NamedTuple):
    """The arrays of the database that following reads, and the spring constants; all arrays are read-only."""

    root_height: FloatArray  # [state] and so on, as in a `MotionDatabase`
    root_tilt: FloatArray
    joint_rotations: FloatArray
    root_step: FloatArray
    root_turn: FloatArray
    joint_turns: FloatArray
    yaw_turn: FloatArray  # [state, variant], see `RootMotion`
    stiffness: float  # per second, of the springs of root turn and joints
    decay: float  # exp(-stiffness * frame_time), see `damp`
    root_stiffness: float  # the same for the root position
    root_decay: float
    frame_time: float  # seconds

    @classmethod
    def of(cls, database: MotionDatabase, root_motion: RootMotion, half_lives: tuple[float, float]) -> MotionTables:
        """Return the tables of `database` with its `root_motion`; `half_lives` of pose and root are in seconds."""
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
    """The displayed poses of a crowd."""

    root_position: FloatArray  # [n, 3], metres
    rotations: FloatArray  # [n, joint, 4], as in a `Clip`

    @classmethod
    def blank(cls, count: int, joint_count: int) -> DisplayPose:
        """Return uninitialised poses of `count` characters to write to."""
        return cls(np.empty((count, 3)), np.empty((count, joint_count, 4)))

    def take(self, characters: IntArray | slice) -> DisplayPose:
        """Return a copy of the poses of some `characters`."""
        return DisplayPose(*(np.array(track[characters]) for track in self))

    def poses(self, characters: IntArray | slice = slice(None)) -> Pose:
        """Return the poses of some `characters` as a `Pose`."""
        rotations = self.rotations[characters]
        return Pose(self.root_position[characters], rotations[:, 0], rotations[:, 1:])


def displace(
    database: MotionDatabase, followers: Followers, characters: IntArray, was: DisplayPose, now: DisplayPose
) -> None:
    """Move the displayed poses of `characters` [m] from `was` [m] to `now` [m], in place.

    The change of ground position and facing is permanent; the rest becomes an offset that decays. The heights of `now`
    are limited to `FURTHEST_LIFT` from the data.
    """
    tracks = (followers.position, followers.yaw, followers.state, followers.offset)
    _displace(database.root_tilt, database.joint_rotations, characters, *tracks, *was, *now)


def pivot_about(database: MotionDatabase, followers: Followers, pivot: Pivot) -> None:
    """Move and turn the followers by `pivot`, in place, keeping their displayed poses and velocities."""
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
    """Update the tracks of `characters` [m] for `displace`."""
    for m in range(len(characters)):
        i = characters[m]
        # Place and facing come first: the remaining offsets are measured from the pose placed there.
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
    """Advance character `i` by one frame along the state `chosen`; the other arguments are as in `Decision`."""
    old = followers.state[i]
    offset, rate = followers.offset[i], followers.offset_rate[i]
    world_from_yaw = about(UP, followers.yaw[i])
    # The offset takes the jump of pose and velocity first, so that the displayed motion is continuous; then the
    # character moves, and the offset decays by one frame.
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
    recent = followers.recent[i]
    for place in range(len(recent) - 1, 0, -1):
        recent[place] = recent[place - 1]
    recent[0] = chosen + 1
    damp(offset[PLACE], rate[PLACE], tables.root_stiffness, tables.root_decay, tables.frame_time)
    for part in range(TURN, len(offset)):
        damp(offset[part], rate[part], tables.stiffness, tables.decay, tables.frame_time)


@lean_kernel
def _take_over_pose(
    tables: MotionTables, offset: FloatArray, rate: FloatArray, old: int, new: int, world_from_yaw: Quat
) -> None:
    """Add the jump from state `old` to `new` to the offset of one character, and that of its joints to `rate`."""
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
    """Write the displayed pose of character `i`, database pose plus offset, to `root` [3], `rotations` [joint, 4]."""
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
    """Return the offset from `new` to `old`, with the ground components of each scaled by its share."""
    return (
        old_share * float(old[0]) - new_share * float(new[0]),
        float(old[1]) - float(new[1]),
        old_share * float(old[2]) - new_share * float(new[2]),
    )


@lean_kernel
def _turned(old: Quat, new: Quat) -> float:
    """Return the yaw in radians from `old` to `new`, to the left, the short way round."""
    # The twists about the vertical are (w, y) of the quaternions. Both signs mean the same rotation, so a non-negative
    # cosine gives the short way.
    sine, cosine = new[2] * old[0] - new[0] * old[2], new[0] * old[0] + new[2] * old[2]
    sign = 1.0 if cosine >= 0.0 else -1.0
    return 2.0 * math.atan2(sign * sine, sign * cosine)


@lean_kernel
def _add(track: FloatArray, vector: Vector, factor: float) -> None:
    """Add `factor` times `vector` to `track` [3], in place."""
    for c in range(3):
        track[c] += factor * vector[c]
