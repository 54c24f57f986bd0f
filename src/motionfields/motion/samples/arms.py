"""Arm motion: swinging opposite to the legs, hanging at rest, carried outward and behind in a turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_from_axis_angle, quat_multiply
from motionfields.motion.samples.curves import ahead, slow_drift, smoothed, wave
from motionfields.motion.samples.footsteps import LEFT
from motionfields.motion.samples.pelvis import Gait, PelvisTrack

ARM_LAG = 0.11  # seconds by which the hands lag in an unanticipated turn
FLEX_PER_YAW = 0.35  # degrees of upper-arm flexion per degree that the hand lags
X_AXIS, Y_AXIS, Z_AXIS = np.eye(3)


class ArmAngles(NamedTuple):
    """The angles of one arm in degrees, [frame] each; all zero is the T-pose rotated down to hang along the body."""

    shrug: FloatArray  # shoulder up
    flex: FloatArray  # upper arm forward
    spread: FloatArray  # upper arm away from the body
    twist: FloatArray  # upper arm about its axis, elbow inward
    elbow: FloatArray  # forearm bent forward
    pronation: FloatArray  # forearm about its axis, palm backward
    curl: FloatArray  # hand towards the thigh


class ArmPose(NamedTuple):
    """Rotations of one arm relative to the part above, parent_from_joint [frame, 4] each."""

    clavicle: FloatArray
    upper_arm: FloatArray
    forearm: FloatArray
    hand: FloatArray


def swing_arm(
    gait: Gait, pelvis: PelvisTrack, side: int, *, stance_width: FloatArray, rng: np.random.Generator
) -> ArmPose:
    """Return the arm of `side` over the frames of `gait`, with a slightly different swing for each draw from `rng`.

    `stance_width` [frame] in metres is the sideways distance of the feet; wide legs push the hands out.
    """
    out = 1.0 if side == LEFT else -1.0
    angles = _swing(gait, gait.cycle if side == LEFT else gait.cycle - 0.5, rng)
    trail, fling = _inertia(gait, pelvis)
    room = _room(gait, pelvis, stance_width)
    return _posed(out, angles._replace(flex=angles.flex + out * trail, spread=angles.spread + fling + room))


def _swing(gait: Gait, cycle: FloatArray, rng: np.random.Generator) -> ArmAngles:
    """Return the arm's motion in the gait: forward with the opposite leg, forearm and hand slightly later."""
    time = np.arange(len(cycle)) * gait.frame_time

    def wander(size: float) -> FloatArray:
        return slow_drift(rng, time, size=size)

    pace = np.minimum(np.abs(gait.drive), 1.5)
    strength = gait.drive * (1.0 + 0.1 * rng.standard_normal() + wander(0.08))
    late = cycle - 0.01 * rng.standard_normal()
    return ArmAngles(
        shrug=-2.0 + pace * wave(cycle, (2, 0.8, 0.15)),
        flex=-2.5 + 0.8 * pace + strength * wave(late, (1, 6.6, 0.425), (2, 1.4, 0.40)) + wander(0.9),
        spread=9.0 + np.abs(strength) * wave(late, (1, 1.4, 0.36)) + wander(0.6),
        twist=4.0 + strength * wave(late, (1, 4.5, 0.44)) + wander(1.5),
        elbow=22.0 + 8.0 * pace + strength * wave(late, (1, 4.8, 0.465), (2, 1.1, 0.41)) + wander(1.3),
        pronation=25.0 + strength * wave(late, (1, 5.0, 0.5)) + wander(2.5),
        curl=9.0 + strength * wave(late, (1, 4.0, 0.56), (2, 1.5, 0.45)) + wander(2.0),
    )


def _posed(out: float, angles: ArmAngles) -> ArmPose:
    """Return the rotations for `angles`; `out` is 1 for the left arm and -1 for the right."""
    shrug, flex, spread, twist, elbow, pronation, curl = (np.radians(angle) for angle in angles)
    hang = quat_from_axis_angle(Z_AXIS, -out * (0.5 * np.pi - spread))
    swing = quat_from_axis_angle(X_AXIS, -flex)
    return ArmPose(
        clavicle=quat_from_axis_angle(Z_AXIS, out * shrug),
        upper_arm=quat_multiply(quat_multiply(swing, hang), quat_from_axis_angle(X_AXIS, twist)),
        forearm=quat_multiply(quat_from_axis_angle(Y_AXIS, -out * elbow), quat_from_axis_angle(X_AXIS, pronation)),
        hand=quat_from_axis_angle(Z_AXIS, -out * curl),
    )


def _inertia(gait: Gait, pelvis: PelvisTrack) -> tuple[FloatArray, FloatArray]:
    """Return degrees [frame] by which a turning body leaves the left arm forward, and flings both arms outward."""
    if pelvis.foresight < 1.0:
        return _left_behind(gait, pelvis)
    rate = _turning_rate(gait, pelvis)
    onset = smoothed(np.gradient(rate, gait.frame_time), width=0.1, frame_time=gait.frame_time)
    fling = smoothed(rate**2, width=0.1, frame_time=gait.frame_time)
    return np.clip(0.5 * onset, -6.0, 6.0), np.minimum(0.35 * fling, 4.0)


def _left_behind(gait: Gait, pelvis: PelvisTrack) -> tuple[FloatArray, FloatArray]:
    """Return the same for an unanticipated turn: the hands follow the body slightly late and smoothly."""
    late = [ahead(values, -ARM_LAG, frame_time=gait.frame_time) for values in
            (smoothed(pelvis.body_yaw, width=0.5 * ARM_LAG, frame_time=gait.frame_time),
             smoothed(_turning_rate(gait, pelvis) ** 2, width=0.1, frame_time=gait.frame_time))]  # fmt: skip
    return FLEX_PER_YAW * np.degrees(pelvis.body_yaw - late[0]), 4.0 * np.tanh(0.06 * late[1])


def _room(gait: Gait, pelvis: PelvisTrack, stance_width: FloatArray) -> FloatArray:
    """Return degrees [frame] by which sideways-spread legs push the hands out, less so while the body turns."""
    wide = smoothed(np.clip(stance_width - 0.26, 0.0, 0.35), width=0.1, frame_time=gait.frame_time)
    return np.asarray(28.0 * wide * np.clip(1.0 - 0.5 * np.abs(_turning_rate(gait, pelvis)), 0.0, 1.0))


def _turning_rate(gait: Gait, pelvis: PelvisTrack) -> FloatArray:
    """Return the turning rate [frame] of the body in radians per second."""
    return np.asarray(np.gradient(pelvis.body_yaw, gait.frame_time))
