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
from motionfields.geometry import quat_exp, quat_from_yaw, quat_log, quat_multiply, quat_rotate, split_yaw
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
    spin: FloatArray  # [n], radians by which its root turned further than captured on the way there
    stretch: FloatArray  # [n], how many times as far as captured it went over the ground
    offset: FloatArray  # [n, 2 + joint - 1, 3], metres and rotation vectors from the data's pose to the one shown
    rate: FloatArray  # the same, per second

    @classmethod
    def at(cls, database: MotionDatabase, row: IntArray) -> Followers:
        """Characters at the states `row` [n], at the origin, facing yaw 0."""
        count = len(row)
        shape = (count, JOINTS + database.skeleton.joint_count - 1, 3)
        rows = np.asarray(row, dtype=np.int64).copy()
        way = np.zeros(count, np.int64)
        spin, stretch = np.zeros(count), np.ones(count)
        return cls(np.zeros((count, 2)), np.zeros(count), rows, way, spin, stretch, np.zeros(shape), np.zeros(shape))

    def copy(self) -> Followers:
        """A copy that shares no arrays."""
        return self._replace(**{name: track.copy() for name, track in self._asdict().items()})

    def take(self, characters: IntArray | slice) -> Followers:
        """Some of the `characters`."""
        return self._replace(**{name: track[characters] for name, track in self._asdict().items()})

    def bare(self) -> Followers:
        """The same without offsets, which controllers do not see: [n, 0, 3]."""
        return self._replace(offset=self.offset[:, :0], rate=self.rate[:, :0])


class Steps(NamedTuple):
    """How characters go on for one frame: which state of the data each follows, and how."""

    row: IntArray  # [n]
    way: IntArray  # [n], 0 as captured, 1 warped
    spin: FloatArray  # [n], radians by which the root turns further than captured
    stretch: FloatArray  # [n], how many times as far as captured it goes over the ground
    pivot: Pivot | None = None

    @classmethod
    def along(cls, moves: Moves, row: IntArray, way: IntArray) -> Steps:
        """Steps that follow the states `row` [n] by the ways `way` [n] of `moves`."""
        return cls(row, way, moves.yaw_turn[row, way] - moves.yaw_turn[row, 0], np.ones(len(row)))


class Pivot(NamedTuple):
    """How what is followed is put elsewhere where characters change to another state.

    By default the root of the new state comes to where that of the old one is. A pivot puts it where a planted foot
    stays; as with all changes, what is shown goes there over time.
    """

    turn: FloatArray  # [n], radians to the left
    shift: FloatArray  # [n, 2], metres, world x and z


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
    steps: Steps,
    *,
    half_lives: tuple[float, float],
) -> tuple[Followers, Shown]:
    """The characters one frame on, having gone the `steps` [n], and what they show.

    `half_lives` are those of the springs, in seconds, of the pose and of the root's place.
    """
    after = followers.copy()
    if steps.pivot is not None:
        _pivot(database, after, steps.pivot)
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
        steps.row,
        steps.way,
        steps.spin,
        steps.stretch,
        *where,
        after.row,
        after.way,
        after.spin,
        after.stretch,
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


def _pivot(database: MotionDatabase, followers: Followers, pivot: Pivot) -> None:
    """Put characters elsewhere in place, and let what they show and how fast it moves stay as it is."""
    world_from_yaw, turned = quat_from_yaw(followers.yaw), quat_from_yaw(followers.yaw + pivot.turn)
    offset, rate = followers.offset, followers.rate
    offset[:, PLACE, ::2] -= pivot.shift
    shown = quat_multiply(quat_exp(offset[:, TURN]), quat_from_yaw(-pivot.turn))
    offset[:, TURN] = np.where(pivot.turn[:, np.newaxis] == 0.0, offset[:, TURN], quat_log(shown))
    step = followers.stretch[:, np.newaxis] * database.root_step[followers.row]
    for part, moved in ((PLACE, step), (TURN, database.root_turn[followers.row].astype(np.float64))):
        rate[:, part] += (quat_rotate(world_from_yaw, moved) - quat_rotate(turned, moved)) / database.frame_time
    followers.position[:] += pivot.shift
    followers.yaw[:] += pivot.turn


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
    chosen_spin: FloatArray,
    chosen_stretch: FloatArray,
    position: FloatArray,
    yaw: FloatArray,
    row: IntArray,
    way: IntArray,
    spin: FloatArray,
    stretch: FloatArray,
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
            jump = _between(step[old], stretch[i], step[new], chosen_stretch[i])
            _add(rate[i, PLACE], rotate(world_from_yaw, jump), 1.0 / frame_time)
            jump = _between(turn[old], 1.0, turn[new], 1.0)
            jump = (jump[0], jump[1] + spin[i] - chosen_spin[i], jump[2])
            _add(rate[i, TURN], rotate(world_from_yaw, jump), 1.0 / frame_time)
        way[i], spin[i], stretch[i] = chosen_way[i], chosen_spin[i], chosen_stretch[i]
        moved = rotate(world_from_yaw, (stretch[i] * step[new, 0], 0.0, stretch[i] * step[new, 2]))
        position[i, 0] += moved[0]
        position[i, 1] += moved[2]
        yaw[i] += yaw_turn[new, 0] + spin[i]
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
def _between(old: FloatArray, old_share: float, new: FloatArray, new_share: float) -> Vector:
    """The way from `new` to `old`, each with so much of it over the ground."""
    return (
        old_share * float(old[0]) - new_share * float(new[0]),
        float(old[1]) - float(new[1]),
        old_share * float(old[2]) - new_share * float(new[2]),
    )


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
