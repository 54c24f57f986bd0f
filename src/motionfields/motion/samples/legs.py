"""Leg poses by two-bone inverse kinematics: from hip and foot to rotations of thigh, shank and foot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import heading_vector, quat_from_axis_angle, quat_from_yaw, quat_multiply, quat_rotate
from motionfields.motion.samples.feet import FootTrack

X_AXIS = np.array([1.0, 0.0, 0.0])


class LegPose(NamedTuple):
    """World rotations of one leg, [frame, 4] wxyz each."""

    world_from_thigh: FloatArray
    world_from_shank: FloatArray
    world_from_foot: FloatArray
    world_from_toes: FloatArray


def foot_rotation(foot: FootTrack) -> FloatArray:
    """Return world_from_foot [frame, 4]."""
    return quat_multiply(quat_from_yaw(foot.yaw), quat_from_axis_angle(X_AXIS, -foot.pitch))


def ankle_position(foot: FootTrack, toe_offset: FloatArray) -> FloatArray:
    """Return the ankle position [frame, 3] in metres; `toe_offset` [3] is the ball of the foot in the foot's frame."""
    return foot.toe - quat_rotate(foot_rotation(foot), toe_offset)


def place_leg(
    hip: FloatArray, ankle: FloatArray, *, thigh: float, shank: float, foot: FootTrack, knee_yaw: FloatArray
) -> LegPose:
    """Return the leg from `hip` to `ankle` [frame, 3] with the knee bent towards `knee_yaw` [frame] in radians.

    `thigh` and `shank` are bone lengths in metres; the distance of the ankle must be less than their sum.
    """
    line = ankle - hip
    reach = np.linalg.norm(line, axis=-1)
    if not np.all(reach < thigh + shank):
        raise ValueError(f"ankle: expected within {thigh + shank:.3f} m of the hip, got {float(reach.max()):.3f} m")
    down = line / reach[:, None]
    pole = heading_vector(knee_yaw)
    front = _unit(pole - (pole * down).sum(-1, keepdims=True) * down)
    bend = np.arccos((thigh**2 + reach**2 - shank**2) / (2.0 * thigh * reach))[:, None]
    knee = hip + thigh * (np.cos(bend) * down + np.sin(bend) * front)
    hinge = _unit(np.cross(-down, front))
    world_from_foot = foot_rotation(foot)
    return LegPose(
        world_from_thigh=_frame(hinge, _unit(hip - knee)),
        world_from_shank=_frame(hinge, _unit(knee - ankle)),
        world_from_foot=world_from_foot,
        world_from_toes=quat_multiply(world_from_foot, quat_from_axis_angle(X_AXIS, -foot.toe_bend)),
    )


def _frame(x_axis: FloatArray, y_axis: FloatArray) -> FloatArray:
    """Return the rotations [frame, 4] that take x and y to the orthonormal `x_axis`, `y_axis` [frame, 3]."""
    matrix = np.stack([x_axis, y_axis, np.cross(x_axis, y_axis)], axis=-1)
    return np.asarray(Rotation.from_matrix(matrix).as_quat()[:, [3, 0, 1, 2]])


def _unit(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
