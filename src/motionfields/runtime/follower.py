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
from numba import prange

from motionfields.arrays import FloatArray, IntArray
from motionfields.choices import spring_stiffness
from motionfields.compiled import kernel, parallel_kernel
from motionfields.database import MotionDatabase, MotionState, Pose, pose_difference
from motionfields.database.states import grounded
from motionfields.geometry import quat_from_yaw, quat_rotate, split_yaw
from motionfields.moves import Moves
from motionfields.planting.vectors import (
    Quat,
    Vector,
    about,
    conjugate,
    exponential,
    logarithm,
    multiply,
    normalized,
    rotate,
)

PLACE, TURN, JOINTS = 0, 1, 2  # rows of an offset: the root's place, the root's turn, then the joints
UP = (0.0, 1.0, 0.0)
FURTHEST_LIFT = 0.3  # metres by which pushes may lift or lower a root off its data


class Followers(NamedTuple):
    """Where each character is in the world and in the data, and how far what it shows is off that."""

    position: FloatArray  # [n, 2], world x and z of the root in metres
    yaw: FloatArray  # [n], of the root, radians
    row: IntArray  # [n], the state of the data
    way: IntArray  # [n], how it came there, see `moves`
    offset: FloatArray  # [n, 2 + joint - 1, 3], metres and rotation vectors from the data's pose to the one shown
    rate: FloatArray  # the same, per second

    @classmethod
    def at(cls, database: MotionDatabase, row: IntArray) -> Followers:
        """Characters at the states `row` [n], at the origin, facing yaw 0."""
        count = len(row)
        shape = (count, JOINTS + database.skeleton.joint_count - 1, 3)
        rows = np.asarray(row, dtype=np.int64).copy()
        way = np.zeros(count, np.int64)
        return cls(np.zeros((count, 2)), np.zeros(count), rows, way, np.zeros(shape), np.zeros(shape))

    def copy(self) -> Followers:
        """A copy that shares no arrays."""
        return self._replace(**{name: track.copy() for name, track in self._asdict().items()})


class Shown(NamedTuple):
    """The poses that are shown."""

    root_position: FloatArray  # [n, 3], metres
    rotations: FloatArray  # [n, joint, 4], as in a `Clip`

    def take(self, characters: IntArray | slice) -> Shown:
        """Copies of the poses of some `characters`."""
        return Shown(*(np.array(track[characters]) for track in self))

    def poses(self, characters: IntArray | slice = slice(None)) -> Pose:
        """The poses of some `characters`."""
        rotations = self.rotations[characters]
        return Pose(self.root_position[characters], rotations[:, 0], rotations[:, 1:])


def followers_from(database: MotionDatabase, state: MotionState, row: IntArray) -> Followers:
    """Characters that show the states `state` [n], whatever they are, and go on from the rows `row` [n] of the data."""
    followers = Followers.at(database, row)
    yaw, _ = split_yaw(state.pose.root_rotation)
    gap = pose_difference(grounded(state.pose), database.poses(followers.row))
    jump = [mine - own for mine, own in zip(state.velocity, database.velocities(followers.row), strict=True)]
    followers.position[:] = state.pose.root_position[:, ::2]
    followers.yaw[:] = yaw
    world_from_yaw = quat_from_yaw(yaw)
    for track, parts in ((followers.offset, gap), (followers.rate, [part / database.frame_time for part in jump])):
        track[:, PLACE] = quat_rotate(world_from_yaw, parts[0])
        track[:, TURN] = quat_rotate(world_from_yaw, parts[1])
        track[:, JOINTS:] = parts[2]
    return followers


def follow(
    database: MotionDatabase,
    moves: Moves,
    followers: Followers,
    chosen: tuple[IntArray, IntArray],
    *,
    half_lives: tuple[float, float],
) -> tuple[Followers, Shown]:
    """The characters one frame on, having followed the states and ways `chosen` ([n] each), and what they show.

    `half_lives` are those of the springs, in seconds, of the pose and of the root's place.
    """
    after = followers.copy()
    count, joint_count = len(after.row), database.skeleton.joint_count
    shown = Shown(np.empty((count, 3)), np.empty((count, joint_count, 4)))
    stiffness = (spring_stiffness(half_lives[0]), spring_stiffness(half_lives[1]))
    data = (database.root_height, database.root_tilt, database.joint_rotations)
    velocity = (database.root_step, database.root_turn, database.joint_turns)
    where, offset = (after.position, after.yaw), (after.offset, after.rate)
    _follow(
        *data,
        *velocity,
        moves.yaw_turn,
        *chosen,
        *where,
        after.row,
        after.way,
        *offset,
        *shown,
        stiffness,
        database.frame_time,
    )
    return after, shown


def displace(database: MotionDatabase, followers: Followers, characters: IntArray, was: Shown, now: Shown) -> None:
    """Let `characters` [m] show the poses `now` [m] where they showed `was` [m], in place.

    Where they are on the ground and which way they face changes for good; the rest is an offset that dies away.
    """
    tracks = (followers.position, followers.yaw, followers.row, followers.offset)
    _displace(database.root_tilt, database.joint_rotations, characters, *tracks, *was, *now)


@kernel
def _displace(
    tilt: FloatArray,
    joints: FloatArray,
    characters: IntArray,
    position: FloatArray,
    yaw: FloatArray,
    row: IntArray,
    offset: FloatArray,
    old_root: FloatArray,
    old_rotations: FloatArray,
    root: FloatArray,
    rotations: FloatArray,
) -> None:
    for m in range(len(characters)):
        i = characters[m]
        yaw[i] += _turned(_quat(old_rotations[m, 0]), _quat(rotations[m, 0]))
        position[i, 0] += root[m, 0] - old_root[m, 0]
        position[i, 1] += root[m, 2] - old_root[m, 2]
        before = offset[i, PLACE, 1]
        offset[i, PLACE, 1] = min(max(before + root[m, 1] - old_root[m, 1], -FURTHEST_LIFT), FURTHEST_LIFT)
        root[m, 1] = old_root[m, 1] + offset[i, PLACE, 1] - before
        placed = multiply(about(UP, yaw[i]), _quat(tilt[row[i]]))
        _set(offset[i, TURN], logarithm(multiply(_quat(rotations[m, 0]), conjugate(placed))))
        for joint in range(joints.shape[1]):
            captured = conjugate(_quat(joints[row[i], joint]))
            _set(offset[i, JOINTS + joint], logarithm(multiply(_quat(rotations[m, joint + 1]), captured)))


@parallel_kernel
def _follow(
    height: FloatArray,
    tilt: FloatArray,
    joints: FloatArray,
    step: FloatArray,
    turn: FloatArray,
    joint_turns: FloatArray,
    yaw_turn: FloatArray,
    chosen: IntArray,
    chosen_way: IntArray,
    position: FloatArray,
    yaw: FloatArray,
    row: IntArray,
    way: IntArray,
    offset: FloatArray,
    rate: FloatArray,
    root: FloatArray,
    rotations: FloatArray,
    stiffness: tuple[float, float],
    frame_time: float,
) -> None:
    for i in prange(len(row)):
        old, new = row[i], chosen[i]
        world_from_yaw = about(UP, yaw[i])
        if new != old:
            gap = logarithm(multiply(_quat(tilt[old]), conjugate(_quat(tilt[new]))))
            _add(offset[i, TURN], rotate(world_from_yaw, gap), 1.0)
            offset[i, PLACE, 1] += height[old] - height[new]
            for joint in range(joints.shape[1]):
                gap = logarithm(multiply(_quat(joints[old, joint]), conjugate(_quat(joints[new, joint]))))
                _add(offset[i, JOINTS + joint], gap, 1.0)
                for c in range(3):
                    rate[i, JOINTS + joint, c] += (joint_turns[old, joint, c] - joint_turns[new, joint, c]) / frame_time
        if new != old or chosen_way[i] != way[i]:
            extra = (yaw_turn[old, way[i]] - yaw_turn[old, 0]) - (yaw_turn[new, chosen_way[i]] - yaw_turn[new, 0])
            jump = _between(step[old], step[new])
            _add(rate[i, PLACE], rotate(world_from_yaw, jump), 1.0 / frame_time)
            jump = _between(turn[old], turn[new])
            jump = (jump[0], jump[1] + extra, jump[2])
            _add(rate[i, TURN], rotate(world_from_yaw, jump), 1.0 / frame_time)
        way[i] = chosen_way[i]
        moved = rotate(world_from_yaw, (float(step[new, 0]), 0.0, float(step[new, 2])))
        position[i, 0] += moved[0]
        position[i, 1] += moved[2]
        yaw[i] += yaw_turn[new, way[i]]
        row[i] = new + 1
        for part in range(offset.shape[1]):
            _damp(offset[i, part], rate[i, part], stiffness[1] if part == PLACE else stiffness[0], frame_time)
        _show(i, height, tilt, joints, position, yaw, row, offset, root, rotations)


@kernel
def _show(
    i: int,
    height: FloatArray,
    tilt: FloatArray,
    joints: FloatArray,
    position: FloatArray,
    yaw: FloatArray,
    row: IntArray,
    offset: FloatArray,
    root: FloatArray,
    rotations: FloatArray,
) -> None:
    """The pose of character `i`: that of the data, plus its offset."""
    root[i, 0] = position[i, 0] + offset[i, PLACE, 0]
    root[i, 1] = height[row[i]] + offset[i, PLACE, 1]
    root[i, 2] = position[i, 1] + offset[i, PLACE, 2]
    placed = multiply(about(UP, yaw[i]), _quat(tilt[row[i]]))
    _write(rotations[i, 0], multiply(exponential(_vector(offset[i, TURN])), placed))
    for joint in range(joints.shape[1]):
        turned = multiply(exponential(_vector(offset[i, JOINTS + joint])), _quat(joints[row[i], joint]))
        _write(rotations[i, joint + 1], turned)


@kernel
def _damp(offset: FloatArray, rate: FloatArray, stiffness: float, frame_time: float) -> None:
    """A frame of a critically damped spring back to zero, exactly."""
    decay = math.exp(-stiffness * frame_time)
    for c in range(3):
        push = rate[c] + stiffness * offset[c]
        rate[c] = decay * (rate[c] - stiffness * push * frame_time)
        offset[c] = decay * (offset[c] + push * frame_time)


@kernel
def _quat(values: FloatArray) -> Quat:
    return (float(values[0]), float(values[1]), float(values[2]), float(values[3]))


@kernel
def _vector(values: FloatArray) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))


@kernel
def _between(old: FloatArray, new: FloatArray) -> Vector:
    return (float(old[0]) - float(new[0]), float(old[1]) - float(new[1]), float(old[2]) - float(new[2]))


@kernel
def _turned(old: Quat, new: Quat) -> float:
    """By how many radians the yaw of `new` is to the left of that of `old`, the short way round."""
    sine, cosine = new[2] * old[0] - new[0] * old[2], new[0] * old[0] + new[2] * old[2]
    sign = 1.0 if cosine >= 0.0 else -1.0
    return 2.0 * math.atan2(sign * sine, sign * cosine)


@kernel
def _set(track: FloatArray, vector: Vector) -> None:
    for c in range(3):
        track[c] = vector[c]


@kernel
def _add(track: FloatArray, vector: Vector, factor: float) -> None:
    for c in range(3):
        track[c] += factor * vector[c]


@kernel
def _write(out: FloatArray, quat: Quat) -> None:
    unit = normalized(quat)
    for c in range(4):
        out[c] = unit[c]
