"""The pelvis over the footsteps: an inverted pendulum on the ground, and the tilts and the bob of the gait cycle.

Gait-cycle curves are low Fourier series with coefficients set by hand near the averages over 22 captured walking
cycles (CMU subject 69); the cycle of a side is 0 at the touch-down of its foot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_banded

from motionfields.arrays import FloatArray
from motionfields.samples.curves import ease, slow_drift, smoothed, through, wave
from motionfields.samples.footsteps import LEFT, FootstepPlan

NOMINAL_STEP = 0.54  # metres; gait amplitudes are 1 at this length
PENDULUM_RATE = 3.6  # 1/s, about sqrt(gravity / height of the centre of mass)
HEEL_PRESSURE, BALL_PRESSURE = -0.13, 0.02  # metres from the ball of the foot: the load rolls from heel to ball


class Gait(NamedTuple):
    """Where each frame is in the walk."""

    cycle: FloatArray  # [frame], strides since the left foot's first touch-down; the right foot is half a stride off
    drive: FloatArray  # [frame], forward step length over the nominal one, negative backwards
    moving: FloatArray  # [frame], 0 while standing to 1 while stepping
    frame_time: float  # seconds


class PelvisTrack(NamedTuple):
    """The middle between the hip joints and the pelvis' direction."""

    ground: FloatArray  # [frame, 2], x and z in metres
    body_yaw: FloatArray  # [frame], radians, smooth direction of the body without the twist of the gait
    yaw: FloatArray  # [frame], radians
    pitch: FloatArray  # [frame], radians, forward tilt
    roll: FloatArray  # [frame], radians, left side up


def gait_of(plan: FootstepPlan, time: FloatArray) -> Gait:
    """Phase, strength and liveliness of the walk at `time` [frame] in seconds."""
    frame_time = float(time[1] - time[0])
    steps = slice(1, None)
    first = 0.0 if plan.side[1] == LEFT else 0.5
    beats = plan.down_time[steps]
    cycle = through(beats, first + 0.5 * np.arange(len(beats)), time)
    around = 0.5 * (plan.forward[steps] + np.append(plan.forward[2:], plan.forward[-1]))
    drive = smoothed(through(beats, around / NOMINAL_STEP, time), width=0.12, frame_time=frame_time)
    moving = smoothed(1.0 - _standing(plan, time), width=0.12, frame_time=frame_time)
    return Gait(cycle, drive, moving, frame_time)


def pelvis_over(plan: FootstepPlan, gait: Gait, time: FloatArray, rng: np.random.Generator) -> PelvisTrack:
    """The path and the turning of the pelvis at `time` [frame] in seconds; `rng` draws how it shifts in a stand."""
    body_yaw = turning_body(plan, time)
    ground = balanced_path(pressure_path(plan, time), gait.frame_time)
    left = np.stack([np.cos(body_yaw), -np.sin(body_yaw)], axis=-1)
    rest = (1.0 - gait.moving) * slow_drift(rng, time, size=0.014, periods=(4.3, 7.1, 11.0))
    sway = 0.01 * gait.moving * wave(gait.cycle, (1, 1.0, 0.26)) + rest
    strength = np.minimum(np.abs(gait.drive), 1.4)
    twist = np.radians(2.6) * gait.drive * wave(gait.cycle, (1, 1.0, 0.53))
    drop = np.radians(4.6) * gait.moving * (0.5 + 0.5 * strength) * wave(gait.cycle, (1, 1.0, 0.33), (3, 0.12, 0.13))
    nod = np.radians(1.1) * strength * wave(gait.cycle, (2, 1.0, 0.99))
    return PelvisTrack(
        ground=ground + sway[:, None] * left,
        body_yaw=body_yaw,
        yaw=body_yaw + twist,
        pitch=nod - np.radians(0.5),
        roll=drop + 1.6 * rest,
    )


def turning_body(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Direction [frame] of the body: each step's turn eased in around its swing, the sharper the quicker it is."""
    turn = np.diff(plan.body_yaw[1:])
    seconds = np.maximum(np.diff(plan.down_time[1:]), 0.2)
    sharpness = np.minimum(np.abs(turn) / seconds / np.radians(80.0), 1.0)
    seconds = np.minimum(seconds, 0.75)
    middle = plan.down_time[2:] - 0.46 * seconds
    spread = (1.75 - 0.75 * sharpness) * seconds
    done = ease((time[:, None] - middle) / spread + 0.5)
    return np.asarray(plan.body_yaw[1] + done @ turn)


def pressure_path(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Where the body's load presses on the ground, [frame, 2]: from heel to ball of a foot, then to the next foot."""
    share = np.clip((time[:, None] - plan.down_time) / _stance_seconds(plan), 0.0, 1.0)
    along = HEEL_PRESSURE + (BALL_PRESSURE - HEEL_PRESSURE) * share
    standing = _standing(plan, time)[:, None]
    along = along + standing * (-0.06 - along)
    direction = np.stack([np.sin(plan.yaw), np.cos(plan.yaw)], axis=-1)
    points = plan.position + along[:, :, None] * direction
    moved = _transfers(plan, time)[:, :, None] * np.diff(points, axis=1)
    return np.asarray(points[:, 0] + moved.sum(axis=1))


def balanced_path(pressure: FloatArray, frame_time: float) -> FloatArray:
    """The path [frame, 2] of a pendulum that never falls over the `pressure` [frame, 2] points.

    An inverted pendulum has x'' = rate^2 (x - pressure); the one solution that stays bounded looks both back and
    ahead, so the body starts to lean before a foot lifts.
    """
    count = len(pressure)
    stiffness = 1.0 / (PENDULUM_RATE * frame_time) ** 2
    bands = np.empty((3, count))
    bands[0], bands[1], bands[2] = -stiffness, 1.0 + 2.0 * stiffness, -stiffness
    bands[1, 0] = bands[1, -1] = 1.0 + stiffness
    return smoothed(solve_banded((1, 1), bands, pressure), width=0.02, frame_time=frame_time)


def hip_height(gait: Gait, leg_length: float, ankle_height: float) -> FloatArray:
    """Height [frame] in metres of the hip joints' middle: nearly stretched legs, lower and bobbing in a walk."""
    strength = np.minimum(np.abs(gait.drive), 1.6)
    stretch = 0.985 - 0.007 * gait.moving - 0.0155 * strength**2
    bob = strength**1.5 * wave(gait.cycle, (2, 0.009, 0.152), (4, 0.002, 0.104), (6, 0.0006, 0.025))
    return np.asarray(ankle_height + leg_length * stretch + bob)


def _stance_seconds(plan: FootstepPlan) -> FloatArray:
    return np.asarray(np.where(np.isfinite(plan.lift_time), plan.lift_time - plan.down_time, 1.0))


def _double_support(plan: FootstepPlan) -> tuple[FloatArray, FloatArray]:
    """From when to when both feet of each pair of following steps stand, [step - 1] each."""
    return plan.down_time[1:], plan.lift_time[:-1]


def _standing(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """1 in frames where both feet stand for long, else 0, [frame]."""
    start, stop = _double_support(plan)
    long = stop - start > 0.3
    inside = (time[:, None] >= start + 0.05) & (time[:, None] <= stop - 0.1) & long
    return np.asarray(inside.any(axis=1), dtype=np.float64)


def _transfers(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """How much of the load has gone from each step to the next one, 0 to 1, [frame, step - 1]."""
    start, stop = _double_support(plan)
    start[0] = -10.0
    now = time[:, None]
    quick = ease((now - (start - 0.1)) / (stop + 0.05 - (start - 0.1)))
    halfway = 0.5 * ease((now - (start - 0.1)) / 0.55)
    away = 0.5 * ease((now - (stop - 0.45)) / 0.5)
    return np.asarray(np.where(stop - start > 0.3, halfway + away, quick))
