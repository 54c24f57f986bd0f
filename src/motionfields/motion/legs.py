"""Two-bone inverse kinematics: bend the knee and swing the hip so that the ankle reaches a target."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.geometry import quat_between, quat_conjugate, quat_multiply, quat_rotate


class LegSolution(NamedTuple):
    """World rotations of thigh and shank that bring the ankle to its target."""

    world_from_thigh: FloatArray  # [..., 4]
    world_from_shank: FloatArray  # [..., 4]
    reached: BoolArray  # [...], false where the leg is too short; it is then straight and points at the target


def solve_leg(
    hip_position: FloatArray,
    ankle_target: FloatArray,
    *,
    world_from_thigh: FloatArray,
    world_from_shank: FloatArray,
    knee_offset: FloatArray,
    ankle_offset: FloatArray,
    bend_axis: FloatArray,
) -> LegSolution:
    """Return the leg changed as little as needed to put its ankle at `ankle_target` [..., 3] from `hip_position`.

    The knee keeps the plane in which it bends: first the knee angle is set to give the required length, then the whole
    leg is swung by the smallest rotation. `knee_offset` and `ankle_offset` [3] are the bones in the frames of the thigh
    and the shank, in metres; `bend_axis` [3] is the knee's hinge in the thigh's frame, used only where the leg is
    straight. If a solution was reached, solving back to the old target restores the leg.
    """
    thigh = quat_rotate(world_from_thigh, knee_offset)
    shank = quat_rotate(world_from_shank, ankle_offset)
    thigh_length, shank_length = float(np.linalg.norm(knee_offset)), float(np.linalg.norm(ankle_offset))
    offset = ankle_target - hip_position
    distance = np.linalg.norm(offset, axis=-1)
    longest = thigh_length + shank_length
    clamped = np.clip(distance, abs(thigh_length - shank_length), longest)
    cosine = (clamped**2 - thigh_length**2 - shank_length**2) / (2.0 * thigh_length * shank_length)
    cosine = np.clip(cosine, -1.0, 1.0)[..., np.newaxis]
    thigh_direction = thigh / thigh_length
    across = _across(shank / shank_length, thigh_direction, quat_rotate(world_from_thigh, bend_axis))
    bent_shank = shank_length * (cosine * thigh_direction + np.sqrt(1.0 - cosine**2) * across)
    knee_turn = quat_between(shank, bent_shank)
    swing = quat_between(thigh + bent_shank, offset)
    return LegSolution(
        quat_multiply(swing, world_from_thigh),
        quat_multiply(swing, quat_multiply(knee_turn, world_from_shank)),
        np.asarray(distance <= longest * (1.0 + 1e-9)),
    )


def bend_axis(world_from_thigh: FloatArray, world_from_shank: FloatArray, offsets: FloatArray) -> FloatArray:
    """Return the hinge [3] of a knee in the thigh's frame, estimated from the frames [frame, 4] of a motion.

    `offsets` [2, 3] are the bones of thigh and shank in their own frames, in metres.
    """
    shank_in_thigh = quat_rotate(quat_multiply(quat_conjugate(world_from_thigh), world_from_shank), offsets[1])
    hinge = np.cross(offsets[0], shank_in_thigh).reshape(-1, 3).sum(axis=0)
    length = np.linalg.norm(hinge)
    return np.asarray(hinge / length) if length > 0.0 else np.array([1.0, 0.0, 0.0])


def _across(shank_direction: FloatArray, thigh_direction: FloatArray, hinge: FloatArray) -> FloatArray:
    """Return the unit direction [..., 3] across the thigh in which the knee bends; from the hinge if it is straight."""
    across = shank_direction - (shank_direction * thigh_direction).sum(axis=-1, keepdims=True) * thigh_direction
    straight = np.linalg.norm(across, axis=-1, keepdims=True) < 1e-6
    across = np.where(straight, np.cross(hinge, thigh_direction), across)
    length = np.linalg.norm(across, axis=-1, keepdims=True)
    return np.asarray(across / np.where(length > 0.0, length, 1.0))
