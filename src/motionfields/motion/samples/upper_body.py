"""Spine and head motion: counter-rotation in the gait, leaning into turns, and a head that looks ahead."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import (
    quat_conjugate,
    quat_exp,
    quat_from_axis_angle,
    quat_from_yaw,
    quat_log,
    quat_multiply,
)
from motionfields.motion.samples.curves import ahead, smoothed, wave
from motionfields.motion.samples.pelvis import Gait, PelvisTrack

GRAVITY = 9.81  # m/s2
BREATH_SECONDS = 3.7
CHEST_LEAD, HEAD_LEAD = 0.04, 0.17  # seconds by which chest and head are ahead of the pelvis in a turn
X_AXIS, _, Z_AXIS = np.eye(3)


class Lean(NamedTuple):
    """Tilt of the trunk due to the body's acceleration, in radians [frame]."""

    forward: FloatArray
    left: FloatArray


def tilted(yaw: FloatArray, pitch: FloatArray, roll: FloatArray) -> FloatArray:
    """Return world_from_part [frame, 4] for `yaw`, forward `pitch` and left-side-up `roll` in radians [frame]."""
    tilt = quat_multiply(quat_from_axis_angle(X_AXIS, pitch), quat_from_axis_angle(Z_AXIS, roll))
    return quat_multiply(quat_from_yaw(yaw), tilt)


def lean_of(pelvis: PelvisTrack, gait: Gait) -> Lean:
    """Return the lean for the low-frequency part of the pelvis' acceleration on the ground."""
    path = smoothed(pelvis.ground, width=0.16, frame_time=gait.frame_time)
    velocity = np.gradient(path, gait.frame_time, axis=0)
    acceleration = np.gradient(velocity, gait.frame_time, axis=0)
    sin, cos = np.sin(pelvis.body_yaw), np.cos(pelvis.body_yaw)
    forward = acceleration[:, 0] * sin + acceleration[:, 1] * cos
    left = acceleration[:, 0] * cos - acceleration[:, 1] * sin
    return Lean(0.45 * np.arctan(forward / GRAVITY), 0.5 * np.arctan(left / GRAVITY))


def chest_rotation(gait: Gait, pelvis: PelvisTrack, lean: Lean, drift: FloatArray) -> FloatArray:
    """Return world_from_chest [frame, 4]; `drift` [frame, 2] in radians wanders slowly in yaw and pitch."""
    counter = np.radians(3.9) * gait.drive * wave(gait.cycle, (1, 1.0, 0.895))
    nod = np.radians(0.5) * np.abs(gait.drive) * wave(gait.cycle, (2, 1.0, 0.0))
    breath = np.radians(0.35) * np.sin(2.0 * np.pi * np.arange(len(nod)) * gait.frame_time / BREATH_SECONDS)
    pitch = np.radians(2.5) + np.radians(1.8) * gait.drive + nod + breath + lean.forward + drift[:, 1]
    roll = np.radians(1.1) * gait.moving * wave(gait.cycle, (1, 1.0, 0.48)) - lean.left
    return tilted(
        ahead(pelvis.body_yaw, pelvis.foresight * CHEST_LEAD, frame_time=gait.frame_time) + counter + drift[:, 0],
        pitch,
        roll,
    )


def head_rotation(gait: Gait, pelvis: PelvisTrack, lean: Lean, drift: FloatArray) -> FloatArray:
    """Return world_from_head [frame, 4]: level, calm, turned to where the body will face shortly."""
    aim = smoothed(
        ahead(pelvis.body_yaw, pelvis.foresight * HEAD_LEAD, frame_time=gait.frame_time),
        width=0.07,
        frame_time=gait.frame_time,
    )
    yaw = aim + np.radians(1.2) * gait.drive * wave(gait.cycle, (1, 1.0, 0.9)) + (4.0 - 2.5 * gait.moving) * drift[:, 0]
    nod = np.radians(0.7) * np.abs(gait.drive) * wave(gait.cycle, (2, 1.0, 0.4))
    return tilted(yaw, np.radians(7.0) + nod + 2.0 * drift[:, 1] + 0.3 * lean.forward, -0.35 * lean.left)


def shared_bend(world_from_lower: FloatArray, world_from_upper: FloatArray, count: int) -> FloatArray:
    """Return the rotation [frame, 4] that takes the lower part to the upper part when applied `count` times."""
    lower_from_upper = quat_multiply(quat_conjugate(world_from_lower), world_from_upper)
    return quat_exp(quat_log(lower_from_upper) / count)
