"""Characters that follow database states: world position, database state, and offset from the data to the display."""

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

MEMORY = 20  # frames that a character remembers
PLACE, TURN, JOINTS = 0, 1, 2  # indices into an offset: the root's position, the root's turn, then the joints


class Followers(NamedTuple):
    """The characters of a crowd: position and yaw in the world, database state, and offset of the displayed pose.

    A follower is at one database state. When it follows a state other than its own successor, the pose and velocity of
    the data jump; the displayed pose does not. The jump becomes an offset that is added to the pose of the database and
    decays like a critically damped spring (inertialization).
    """

    position: FloatArray  # [n, 2], world x and z of the root in metres
    yaw: FloatArray  # [n], yaw of the root, radians
    state: IntArray  # [n], the database state
    recent: IntArray  # [n, MEMORY], the last states, newest first, `state` included; -1 before the start
    variant: IntArray  # [n], the variant of root motion that led to the state, see `root_motion`
    spin: FloatArray  # [n], radians that the root turned in addition to the captured turn, in the last frame
    stretch: FloatArray  # [n], ground distance of the last frame as a multiple of the captured one
    offset: FloatArray  # [n, 2 + joint - 1, 3], metres and rotation vectors from the data's pose to the displayed pose
    offset_rate: FloatArray  # the rate of `offset`, per second

    @classmethod
    def at(cls, database: MotionDatabase, states: IntArray) -> Followers:
        """Return characters at the database states `states` [n], at the origin, with yaw 0."""
        count = len(states)
        shape = (count, JOINTS + database.skeleton.joint_count - 1, 3)
        return cls(
            np.zeros((count, 2)),
            np.zeros(count),
            np.asarray(states, dtype=np.int64).copy(),
            np.full((count, MEMORY), -1),
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
        """Return the `characters` selected by index or slice."""
        return self._replace(**{name: track[characters] for name, track in self._asdict().items()})

    def without_offsets(self) -> Followers:
        """Return the same characters with empty offsets [n, 0, 3], for controllers that do not read them."""
        return self._replace(offset=self.offset[:, :0], offset_rate=self.offset_rate[:, :0])


def followers_from(database: MotionDatabase, state: MotionState, states: IntArray) -> Followers:
    """Return characters that display `state` [n] in the world and continue from the database states `states` [n].

    `displayed_state` is the inverse.
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
    """Return the displayed pose and velocity [n] in the world, before foot locking."""
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
