"""Characters that follow states of the database: where each is, and how far its displayed pose is off the data."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import (
    apply_rotation_difference,
    quat_conjugate,
    quat_exp,
    quat_from_yaw,
    quat_multiply,
    quat_rotate,
    split_yaw,
)
from motionfields.field.database import MotionDatabase, MotionState, Pose, PoseDelta, pose_difference
from motionfields.field.database.states import grounded

PLACE, TURN, JOINTS = 0, 1, 2  # rows of an offset: the root's place, the root's turn, then the joints


class Followers(NamedTuple):
    """The characters of a crowd: place and facing in the world, state in the database, and offset of the display.

    A follower is at one state of the database. Where it follows another state than its own next one, its pose and
    velocity jump; the displayed pose does not. The jump becomes an offset that is added to the pose of the database and
    dies away like a critically damped spring (inertialization).
    """

    position: FloatArray  # [n, 2], world x and z of the root in metres
    yaw: FloatArray  # [n], of the root, radians
    state: IntArray  # [n], the state of the database
    variant: IntArray  # [n], the variant of root motion that led there, see `root_motion`
    spin: FloatArray  # [n], radians by which the root turned further than captured on the way there
    stretch: FloatArray  # [n], ground distance as a multiple of the captured one
    offset: FloatArray  # [n, 2 + joint - 1, 3], metres and rotation vectors from the data's pose to the displayed one
    offset_rate: FloatArray  # the same, per second

    @classmethod
    def at(cls, database: MotionDatabase, states: IntArray) -> Followers:
        """Return characters at the states `states` [n], at the origin, facing yaw 0."""
        count = len(states)
        shape = (count, JOINTS + database.skeleton.joint_count - 1, 3)
        return cls(
            np.zeros((count, 2)),
            np.zeros(count),
            np.asarray(states, dtype=np.int64).copy(),
            np.zeros(count, np.int64),
            np.zeros(count),
            np.ones(count),
            np.zeros(shape),
            np.zeros(shape),
        )

    def copy(self) -> Followers:
        """Return a copy that shares no arrays."""
        return self._replace(**{name: track.copy() for name, track in self._asdict().items()})

    def take(self, characters: IntArray | slice) -> Followers:
        """Return some of the `characters`."""
        return self._replace(**{name: track[characters] for name, track in self._asdict().items()})

    def without_offsets(self) -> Followers:
        """Return the same characters with empty offsets [n, 0, 3], for controllers that do not read them."""
        return self._replace(offset=self.offset[:, :0], offset_rate=self.offset_rate[:, :0])


def followers_from(database: MotionDatabase, state: MotionState, states: IntArray) -> Followers:
    """Return characters that display the states `state` [n] in the world and go on from `states` [n] of the database.

    `displayed_state` undoes it.
    """
    followers = Followers.at(database, states)
    yaw, _ = split_yaw(state.pose.root_rotation)
    gap = pose_difference(grounded(state.pose), database.poses(followers.state))
    jump = [mine - own for mine, own in zip(state.velocity, database.velocities(followers.state), strict=True)]
    followers.position[:] = state.pose.root_position[:, ::2]
    followers.yaw[:] = yaw
    world_from_yaw = quat_from_yaw(yaw)
    rates = [part / database.frame_time for part in jump]
    for track, parts in ((followers.offset, gap), (followers.offset_rate, rates)):
        track[:, PLACE] = quat_rotate(world_from_yaw, parts[0])
        track[:, TURN] = quat_rotate(world_from_yaw, parts[1])
        track[:, JOINTS:] = parts[2]
    return followers


def displayed_state(database: MotionDatabase, followers: Followers) -> MotionState:
    """Return the pose and velocity [n] in the world that characters display, before feet are locked."""
    offset, rate = followers.offset, database.frame_time * followers.offset_rate
    pose, velocity = database.states(followers.state)
    world_from_yaw = quat_from_yaw(followers.yaw)
    root = np.stack([followers.position[:, 0], pose.root_position[:, 1], followers.position[:, 1]], axis=-1)
    tilted = quat_multiply(world_from_yaw, pose.root_rotation.astype(np.float64))
    joints = apply_rotation_difference(quat_exp(offset[:, JOINTS:]), pose.joint_rotations.astype(np.float64))
    shown = Pose(root + offset[:, PLACE], apply_rotation_difference(quat_exp(offset[:, TURN]), tilted), joints)
    yaw_from_world = quat_conjugate(world_from_yaw)
    return MotionState(
        shown,
        PoseDelta(
            velocity.root_step + quat_rotate(yaw_from_world, rate[:, PLACE]),
            velocity.root_turn + quat_rotate(yaw_from_world, rate[:, TURN]),
            velocity.joint_turns + rate[:, JOINTS:],
        ),
    )
