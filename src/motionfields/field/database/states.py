"""Poses, the changes between them, and motion states m = (x, v), in batches (Lee et al. 2010, section 3.1).

A change of pose is relative to the character: its root step and root turn are given in the yaw frame of the earlier
pose, so that the same change can be applied to a character at any place and facing. Turns are rotation vectors; they
are so small that their weighted sum is the quaternion blend of Park et al. 2002 about the identity.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import (
    apply_rotation_difference,
    quat_conjugate,
    quat_exp,
    quat_from_yaw,
    quat_log,
    quat_normalize,
    quat_rotate,
    rotation_difference,
    split_yaw,
    yaw_from_quat,
)
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton


class Pose(NamedTuple):
    """x: the position of the root and the rotations of all joints."""

    root_position: FloatArray  # [..., 3], metres, float64
    root_rotation: FloatArray  # [..., 4], world_from_root
    joint_rotations: FloatArray  # [..., joint - 1, 4], parent_from_joint of all joints but the root

    @property
    def rotations(self) -> FloatArray:
        """Rotations of all joints [..., joint, 4], the root first, as in a `Clip`."""
        return np.concatenate([self.root_rotation[..., np.newaxis, :], self.joint_rotations], axis=-2)


class PoseDelta(NamedTuple):
    """v: the change of a pose over one frame, not a rate per second."""

    root_step: FloatArray  # [..., 3], metres, in the yaw frame of the earlier pose
    root_turn: FloatArray  # [..., 3], rotation vector in the same frame
    joint_turns: FloatArray  # [..., joint - 1, 3], rotation vectors in the parents' frames


class MotionState(NamedTuple):
    """m = (x, v): a pose and its change to the next frame."""

    pose: Pose
    velocity: PoseDelta

    def take(self, entries: IntArray | BoolArray | slice) -> MotionState:
        """Return the states `entries` of the batch."""
        return MotionState(
            Pose(*(track[entries] for track in self.pose)), PoseDelta(*(track[entries] for track in self.velocity))
        )


def copied(state: MotionState) -> MotionState:
    """Return a float64 copy of `state` that shares no arrays."""
    pose, velocity = ([np.array(track, dtype=np.float64) for track in tracks] for tracks in state)
    return MotionState(Pose(*pose), PoseDelta(*velocity))


def pose_difference(later: Pose, earlier: Pose) -> PoseDelta:
    """Return x' - x (circled): the change that takes `earlier` to `later`."""
    world_from_yaw = quat_from_yaw(yaw_from_quat(earlier.root_rotation))
    yaw_from_world = quat_conjugate(world_from_yaw)
    root_turn = quat_log(rotation_difference(later.root_rotation, earlier.root_rotation))
    return PoseDelta(
        quat_rotate(yaw_from_world, later.root_position - earlier.root_position),
        quat_rotate(yaw_from_world, root_turn),
        quat_log(rotation_difference(later.joint_rotations, earlier.joint_rotations)),
    )


def apply_delta(pose: Pose, delta: PoseDelta) -> Pose:
    """Return x + v (circled): `pose` after the change `delta`; undoes `pose_difference`."""
    world_from_yaw = quat_from_yaw(yaw_from_quat(pose.root_rotation))
    root_turn = quat_exp(quat_rotate(world_from_yaw, delta.root_turn))
    return Pose(
        pose.root_position + quat_rotate(world_from_yaw, delta.root_step),
        quat_normalize(apply_rotation_difference(root_turn, pose.root_rotation)),
        quat_normalize(apply_rotation_difference(quat_exp(delta.joint_turns), pose.joint_rotations)),
    )


def blend_deltas(deltas: PoseDelta, weights: FloatArray) -> PoseDelta:
    """Return the weighted mean [...] of `deltas` [..., k] under `weights` [..., k]: the circled sum of eq. 3."""
    return PoseDelta(
        np.einsum("...k,...kc->...c", weights, deltas.root_step),
        np.einsum("...k,...kc->...c", weights, deltas.root_turn),
        np.einsum("...k,...kjc->...jc", weights, deltas.joint_turns),
    )


def grounded(pose: Pose) -> Pose:
    """Return `pose` at the origin of the ground, facing yaw 0; height, tilt and joints remain."""
    root_position = np.zeros_like(pose.root_position)
    root_position[..., 1] = pose.root_position[..., 1]
    return Pose(root_position, split_yaw(pose.root_rotation)[1], pose.joint_rotations)


def poses_of(clip: Clip) -> Pose:
    """Return the poses [frame] of a clip."""
    return Pose(clip.root_position, clip.rotations[:, 0], clip.rotations[:, 1:])


def clip_from_poses(skeleton: Skeleton, poses: Pose, *, frame_time: float, name: str) -> Clip:
    """Return poses [frame] of `skeleton` as a clip; undoes `poses_of`."""
    rotations = quat_normalize(poses.rotations.astype(np.float64))
    return Clip(skeleton, poses.root_position, rotations, frame_time, name=name)
