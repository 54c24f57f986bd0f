"""Pelvis motion over the footsteps: an inverted pendulum on the ground, with the tilts and bob of the gait cycle.

Gait-cycle curves are low-order Fourier series with coefficients set by hand near the averages over 22 captured walking
cycles (CMU subject 69); the cycle of a side is 0 at the touch-down of its foot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_banded

from motionfields.base.arrays import FloatArray
from motionfields.motion.samples.curves import ease, slow_drift, smoothed, through, wave
from motionfields.motion.samples.footsteps import LEFT, USUAL_STEP, FootstepPlan
from motionfields.motion.samples.spins import spin_share

NOMINAL_STEP = 0.54  # metres; gait amplitudes are 1 at this length
PENDULUM_RATE = 3.6  # 1/s, about sqrt(gravity / height of the centre of mass)
BRAKING = 8.0  # 1/s2; rate added per second of stance before a spin, because trunk and arms help to brake the body
SPIN_FORESIGHT = 0.35  # low, because a spin responds to a sudden command and is hardly anticipated
HEEL_PRESSURE, BALL_PRESSURE = -0.13, 0.02  # metres from the ball of the foot: the load rolls from heel to ball


class Gait(NamedTuple):
    """Phase of the walk in each frame."""

    cycle: FloatArray  # [frame], strides since the left foot's first touch-down; the right foot is half a stride off
    drive: FloatArray  # [frame], forward step length divided by the nominal one, negative backwards
    moving: FloatArray  # [frame], 0 while standing to 1 while stepping
    frame_time: float  # seconds


class PelvisTrack(NamedTuple):
    """Midpoint between the hip joints, and direction and tilt of the pelvis."""

    ground: FloatArray  # [frame, 2], x and z in metres
    body_yaw: FloatArray  # [frame], radians, smooth direction of the body without the twist of the gait
    yaw: FloatArray  # [frame], radians
    pitch: FloatArray  # [frame], radians, forward tilt
    roll: FloatArray  # [frame], radians, left side up
    foresight: float  # factor on the time by which chest and head turn before the pelvis


def gait_of(plan: FootstepPlan, time: FloatArray) -> Gait:
    """Return phase, step length and activity of the walk at `time` [frame] in seconds."""
    frame_time = float(time[1] - time[0])
    steps = slice(1, None)
    first = 0.0 if plan.side[1] == LEFT else 0.5
    beats = plan.down_time[steps]
    around = 0.5 * (plan.forward[steps] + np.append(plan.forward[2:], plan.forward[-1]))
    beats, strides, around = _with_spins(plan, first + 0.5 * np.arange(len(beats)), around)
    cycle = through(beats, strides, time)
    drive = smoothed(through(beats, around / NOMINAL_STEP, time), width=0.12, frame_time=frame_time)
    moving = smoothed(1.0 - _standing(plan, time), width=0.12, frame_time=frame_time)
    return Gait(cycle, drive, moving, frame_time)


def pelvis_over(plan: FootstepPlan, gait: Gait, time: FloatArray, rng: np.random.Generator) -> PelvisTrack:
    """Return the path and rotation of the pelvis at `time` [frame] in seconds; `rng` draws its sway while standing."""
    body_yaw = turning_body(plan, time)
    ground = balanced_path(pressure_path(plan, time), gait.frame_time, rate=_pendulum_rate(plan, time))
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
        foresight=SPIN_FORESIGHT if np.isfinite(plan.spin_time).any() else 1.0,
    )


def turning_body(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Return the direction [frame] of the body in radians: each step's turn is eased in around its swing.

    Quick turns are sharper.
    """
    turn = np.diff(plan.body_yaw[1:])
    seconds = np.maximum(np.diff(plan.down_time[1:]), 0.2)
    sharpness = np.minimum(np.abs(turn) / seconds / np.radians(80.0), 1.0)
    seconds = np.minimum(seconds, 0.75)
    middle = plan.down_time[2:] - 0.46 * seconds
    spread = (1.75 - 0.75 * sharpness) * seconds
    done = ease((time[:, None] - middle) / spread + 0.5)
    for column in np.flatnonzero(np.isfinite(plan.spin_time[2:])):
        done[:, column] = spin_share(time - plan.spin_time[2 + column], float(turn[column]))
    return np.asarray(plan.body_yaw[1] + done @ turn)


def pressure_path(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Return the centre of pressure on the ground, [frame, 2] in metres: from heel to ball, then to the next foot."""
    share = np.clip((time[:, None] - plan.down_time) / _stance_seconds(plan), 0.0, 1.0)
    along = HEEL_PRESSURE + (BALL_PRESSURE - HEEL_PRESSURE) * share
    standing = _standing(plan, time)[:, None]
    along = along + standing * (-0.06 - along)
    along = along + _on_the_ball(plan, time) * (BALL_PRESSURE - along)
    direction = np.stack([np.sin(plan.yaw), np.cos(plan.yaw)], axis=-1)
    points = plan.position + along[:, :, None] * direction
    moved = _transfers(plan, time)[:, :, None] * np.diff(points, axis=1)
    return np.asarray(points[:, 0] + moved.sum(axis=1))


def balanced_path(pressure: FloatArray, frame_time: float, *, rate: FloatArray | float = PENDULUM_RATE) -> FloatArray:
    """Return the path [frame, 2] in metres of a pendulum that never falls over the `pressure` [frame, 2] points.

    An inverted pendulum has x'' = rate^2 (x - pressure); the one solution that stays bounded depends on both past and
    future, so the body starts to lean before a foot lifts. `rate` in 1/s may differ from frame to frame.
    """
    count = len(pressure)
    stiffness = np.broadcast_to(1.0 / (np.asarray(rate) * frame_time) ** 2, count)
    bands = np.zeros((3, count))
    bands[0, 1:], bands[1], bands[2, :-1] = -stiffness[:-1], 1.0 + 2.0 * stiffness, -stiffness[1:]
    bands[1, [0, -1]] = 1.0 + stiffness[[0, -1]]
    return smoothed(solve_banded((1, 1), bands, pressure), width=0.02, frame_time=frame_time)


def hip_height(gait: Gait, leg_length: float, ankle_height: float) -> FloatArray:
    """Return the height [frame] in metres of the hips' midpoint: legs nearly straight, lower and bobbing in a walk."""
    strength = np.minimum(np.abs(gait.drive), 1.6)
    stretch = 0.985 - 0.007 * gait.moving - 0.0155 * strength**2
    bob = strength**1.5 * wave(gait.cycle, (2, 0.009, 0.152), (4, 0.002, 0.104), (6, 0.0006, 0.025))
    return np.asarray(ankle_height + leg_length * stretch + bob)


def _with_spins(
    plan: FootstepPlan, strides: FloatArray, forward: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return times, `strides` and `forward` lengths [knot] from step 1 on, as in a usual walk until a spin begins."""
    spins = np.flatnonzero(np.isfinite(plan.spin_time))
    begins, before = plan.spin_time[spins], spins - 2
    begun = strides[before] + 0.5 * (begins - plan.down_time[spins - 1]) / USUAL_STEP
    usual = forward.copy()
    usual[before] = plan.forward[spins - 1]
    apart = np.abs(begins - plan.down_time[spins - 1]) > 0.01
    times = np.append(plan.down_time[1:], begins[apart])
    order = np.argsort(times)
    return times[order], np.append(strides, begun[apart])[order], np.append(usual, usual[before][apart])[order]


def _pendulum_rate(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Return the pendulum rate [frame] of the body in 1/s, higher from the start of a spin to its touch-down."""
    begins, downs = plan.spin_time[1:], plan.down_time[1:]
    spinning = ease((time[:, None] - begins) / 0.15 + 0.5) - ease((time[:, None] - downs) / 0.15 + 0.5)
    more = BRAKING * np.maximum(begins - plan.down_time[:-1], 0.0)
    return np.asarray(PENDULUM_RATE + np.nan_to_num(more * spinning).sum(axis=1))


def _on_the_ball(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Return how far the load has moved to the ball of a foot that the body spins on, 0 to 1, [frame, step]."""
    begins = np.maximum(np.append(plan.spin_time[1:], np.nan), plan.down_time)
    return np.nan_to_num(ease((time[:, None] - begins) / 0.15 + 0.5))


def _stance_seconds(plan: FootstepPlan) -> FloatArray:
    return np.asarray(np.where(np.isfinite(plan.lift_time), plan.lift_time - plan.down_time, 1.0))


def _double_support(plan: FootstepPlan) -> tuple[FloatArray, FloatArray]:
    """Return start and end of the time on both feet for each pair of consecutive steps, [step - 1] each, in seconds."""
    return plan.down_time[1:], plan.lift_time[:-1]


def _standing(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Return 1 in frames with long double support, else 0, [frame]."""
    start, stop = _double_support(plan)
    long = stop - start > 0.3
    inside = (time[:, None] >= start + 0.05) & (time[:, None] <= stop - 0.1) & long
    return np.asarray(inside.any(axis=1), dtype=np.float64)


def _transfers(plan: FootstepPlan, time: FloatArray) -> FloatArray:
    """Return how much of the load has moved from each step to the next one, 0 to 1, [frame, step - 1]."""
    start, stop = _double_support(plan)
    start[0] = -10.0
    now = time[:, None]
    quick = ease((now - (start - 0.1)) / (stop + 0.05 - (start - 0.1)))
    halfway = 0.5 * ease((now - (start - 0.1)) / 0.55)
    away = 0.5 * ease((now - (stop - 0.45)) / 0.5)
    return np.asarray(np.where(stop - start > 0.3, halfway + away, quick))
