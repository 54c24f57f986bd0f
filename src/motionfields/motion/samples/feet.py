"""Foot motion: still during contact, rolling from heel to toe, swinging from footprint to footprint.

Curves are functions of the swing phase: 0 when the ball of the foot leaves the floor, 1 when it is down again; below 0
and above 1 the foot stands. Their knots were set by hand near the averages over 22 captured walking cycles (CMU subject
69) and then adjusted for still contacts and smooth knees.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.ndimage import binary_dilation

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.motion.samples.curves import Bump, ease
from motionfields.motion.samples.footsteps import LEFT, SWING_SHARE, USUAL_STEP, FootstepPlan, Step
from motionfields.motion.samples.pelvis import PelvisTrack
from motionfields.motion.samples.skeleton import HEEL_FROM_BALL, TOE_HEIGHT
from motionfields.motion.samples.spins import (
    FOOT_LAG,
    hurried_leg_seconds,
    leg_seconds,
    spin_seconds,
    spin_share,
    swing_phase,
)

PROGRESS = Bump((0.0, 0.0), (0.06, 0.006), (0.124, 0.03), (0.227, 0.112), (0.33, 0.245), (0.433, 0.41),
                (0.536, 0.588), (0.639, 0.76), (0.742, 0.896), (0.845, 0.973), (0.93, 0.998), (1.0, 1.0))  # fmt: skip
# Pitch in degrees, toes up positive. A step forward leaves over the toes and arrives on the heel; a step backward
# leaves over the heel and arrives on the toes.
HEEL_RISE = Bump((-0.55, 0.0), (-0.39, -2.0), (-0.29, -5.0), (-0.186, -10.0), (-0.082, -19.0), (0.021, -33.0),
                 (0.124, -47.5), (0.227, -53.5), (0.33, -46.5), (0.433, -31.0), (0.536, -14.5), (0.639, -4.0),
                 (0.76, 0.0))  # fmt: skip
TOE_RISE = Bump((0.5, 0.0), (0.639, 6.5), (0.742, 14.5), (0.845, 15.0), (0.948, 7.0), (1.0, 2.5), (1.09, 0.0))
LEAVE_BACKWARD = Bump((-0.05, 0.0), (0.08, 5.0), (0.2, 7.0), (0.5, 0.0))
ARRIVE_BACKWARD = Bump((0.3, 0.0), (0.5, -12.0), (0.75, -23.0), (0.95, -20.0), (1.1, -11.0), (1.3, 0.0))
# Height of the ball of the foot in metres.
LIFT = Bump((0.0, 0.0), (0.06, 0.006), (0.124, 0.021), (0.227, 0.05), (0.33, 0.061), (0.433, 0.05), (0.536, 0.029),
            (0.639, 0.012), (0.76, 0.0))  # fmt: skip
ARRIVAL = Bump((0.5, 0.0), (0.639, 0.011), (0.742, 0.032), (0.845, 0.036), (0.948, 0.013), (1.0, 0.0))
CLEARANCE = Bump((0.0, 0.0), (0.12, 0.01), (0.3, 0.031), (0.5, 0.04), (0.7, 0.032), (0.88, 0.014), (1.0, 0.0))
# Toes relative to the foot in degrees, bent up positive.
TOE_BEND = Bump((-0.55, 0.0), (-0.39, 2.0), (-0.29, 5.0), (-0.186, 10.0), (-0.082, 18.0), (0.021, 26.0), (0.124, 17.0),
                (0.25, 2.0), (0.4, 1.0), (0.6, 7.0), (0.8, 13.0), (0.9, 11.0), (1.1, 0.0))  # fmt: skip
HEEL_PAD = 0.006  # metres by which a loaded heel compresses
STILL_SPEED, STILL_HEIGHT = 0.15, 0.01  # m/s and m; a slower and lower foot counts as standing
CLEAR_OF_OTHER_FOOT = 0.105  # metres between the centre lines of the feet when one passes the other
FOOT_POINTS = np.array([[-0.12], [-0.06], [0.0], [0.06]])  # metres along the foot from its ball
PIVOT_HEEL, PIVOT_HEEL_ANGLE = np.radians(9.0), np.radians(60.0)  # heel rise in spins of at least the second angle
LATE_FOOT = 0.14  # seconds by which a foot that came down during a spin ends its turn after the body
STILL_BEFORE_DOWN = 0.03  # seconds before touch-down at which a leg that swings round has completed its turn
USUAL_BOW = 0.012  # metres by which a swing in a straight walk bows around the other foot
BOWS = (
    0.012,
    0.025,
    0.04,
    0.055,
    0.07,
    0.085,
    0.1,
    0.12,
    0.14,
)  # metres; tried in this order until the swing clears the other foot


class FootTrack(NamedTuple):
    """One foot over time; the foot's frame is rotated by `yaw` about y and then by `-pitch` about x."""

    toe: FloatArray  # [frame, 3], metres, the ball of the foot
    yaw: FloatArray  # [frame], radians
    pitch: FloatArray  # [frame], radians, toes up
    toe_bend: FloatArray  # [frame], radians, toes bent up relative to the foot
    contact: BoolArray  # [frame], true while the ball of the foot stands


def foot_track(plan: FootstepPlan, side: int, time: FloatArray, pelvis: PelvisTrack) -> FootTrack:
    """Return the foot of `side` at `time` [frame] in seconds; the position of the `pelvis` sets how the foot rolls."""
    own = np.flatnonzero(plan.side == side)
    ground = np.repeat(plan.position[own[:1]], len(time), axis=0)
    yaw = np.full(len(time), plan.yaw[own[0]])
    height, pitch, bend = np.zeros(len(time)), np.zeros(len(time)), np.zeros(len(time))
    contact = np.ones(len(time), dtype=bool)
    for step, landing in pairwise(own.tolist()):
        lift_time, down_time = plan.lift_time[step], plan.down_time[landing]
        s = _phase(plan, step, landing, time)
        after = s >= 0.0
        ground = np.where(after[:, None], _ground_path(plan, step, landing, time), ground)
        turning = (plan.lift_yaw[step] - plan.yaw[step]) * _pivot_share(plan, step, time)
        yaw = np.where(after, plan.lift_yaw[step], yaw + turning)
        usual_turn = plan.yaw[landing] - plan.early_turn[landing] - plan.lift_yaw[step]
        yaw = yaw + usual_turn * _swing_turn_share(plan, landing, s, time) * after + _early_turn(plan, landing, time)
        leave = _reach_along(pelvis, time, lift_time, plan.position[step], plan.lift_yaw[step])
        arrive = -_reach_along(pelvis, time, down_time, plan.position[landing], plan.yaw[landing])
        roll = _roll(s, leave, arrive)
        heel_up = _pivot_heel(plan, step, time)
        height, pitch, bend = height + roll[0], pitch + roll[1] - heel_up, bend + roll[2] + heel_up
        contact &= (s <= 0.0) | (s >= 1.0)
    toe = np.stack([ground[:, 0], TOE_HEIGHT + height + _heel_lift(height, pitch), ground[:, 1]], axis=-1)
    return FootTrack(toe, yaw, pitch, np.maximum(bend, 0.0), contact | _barely_moving(toe, contact, time))


def _phase(plan: FootstepPlan, step: int, landing: int, time: FloatArray) -> FloatArray:
    """Return the phase [frame] of the swing from `step` to `landing` at `time` [frame] in seconds."""
    lift, down, begin = float(plan.lift_time[step]), float(plan.down_time[landing]), float(plan.spin_time[landing])
    if np.isnan(begin):
        return np.asarray((time - lift) / (down - lift))
    return swing_phase(time, (lift, down), begin=max(begin, lift), usual=SWING_SHARE * USUAL_STEP)


def _pivot_share(plan: FootstepPlan, step: int, time: FloatArray) -> FloatArray:
    """Return the share [frame] of its turn on its ball that the foot of `step` has made at `time` [frame]."""
    lift, spin = float(plan.lift_time[step]), float(plan.spin_time[step + 1])
    if np.isnan(spin):
        seconds = lift - float(plan.spin_time[step + 2]) if plan.early_turn[step + 1] else 0.45
        return ease((time - lift + seconds) / seconds)
    angle, begin = _spin_angle(plan, step + 1), max(spin, float(plan.down_time[step])) + FOOT_LAG
    within = spin + spin_seconds(angle) - begin + (LATE_FOOT if plan.early_turn[step] else FOOT_LAG)
    return spin_share(time - begin, angle, within=min(within, lift - begin))


def _pivot_heel(plan: FootstepPlan, step: int, time: FloatArray) -> FloatArray:
    """Return radians [frame] by which the heel of the foot of `step` is up because the body spins on its ball."""
    begin = float(plan.spin_time[step + 1])
    if np.isnan(begin):
        return np.zeros(len(time))
    angle = _spin_angle(plan, step + 1)
    up = ease((time - max(begin, float(plan.down_time[step]))) / 0.2)
    down = ease((time - begin - spin_seconds(angle) + 0.1) / 0.3)
    return np.asarray(PIVOT_HEEL * np.minimum(abs(angle) / PIVOT_HEEL_ANGLE, 1.0) * (up - down))


def _swing_turn_share(plan: FootstepPlan, landing: int, s: FloatArray, time: FloatArray) -> FloatArray:
    """Return the share [frame] of its turn in the air that the foot on its way to `landing` has made."""
    begin = max(float(plan.spin_time[landing]), float(plan.lift_time[landing - 2]))
    if np.isnan(plan.spin_time[landing]):
        return ease((s - 0.02) / 0.93)
    angle, left = _spin_angle(plan, landing), float(plan.down_time[landing]) - begin - STILL_BEFORE_DOWN
    if plan.early_turn[landing - 1]:
        outside = (angle > 0.0) != (plan.side[landing - 1] == LEFT)
        return spin_share(time - begin, angle, within=hurried_leg_seconds(angle, left=left, outside=bool(outside)))
    return spin_share(time - begin, angle, within=leg_seconds(angle, left=left))


def _early_turn(plan: FootstepPlan, landing: int, time: FloatArray) -> FloatArray:
    """Return radians [frame] by which the foot of `landing` turns before it is down, for a spin that has begun."""
    if not plan.early_turn[landing]:
        return np.zeros(len(time))
    begin = plan.spin_time[landing + 1]
    return np.asarray(plan.early_turn[landing] * ease((time - begin) / (plan.down_time[landing] - begin)))


def _spin_angle(plan: FootstepPlan, landing: int) -> float:
    """Return radians by which the body spins into the step `landing`."""
    return float(plan.body_yaw[landing] - plan.body_yaw[landing - 1])


def _barely_moving(toe: FloatArray, planned: BoolArray, time: FloatArray) -> BoolArray:
    """Return which frames [frame] at the edges of the `planned` contacts have an almost still ball of the foot."""
    velocity = np.gradient(toe, time, axis=0)
    slow = (np.linalg.norm(velocity, axis=-1) < STILL_SPEED) & (toe[:, 1] < TOE_HEIGHT + STILL_HEIGHT)
    slow &= np.hypot(velocity[:, 0], velocity[:, 2]) < 0.6 * STILL_SPEED
    near = round(0.05 / float(time[1] - time[0]))
    return np.asarray(slow & binary_dilation(planned, iterations=max(near, 1)))


def _roll(s: FloatArray, leave: float, arrive: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return height (metres), pitch and toe bend (radians) [frame] of a swing; `leave`, `arrive` are 1 in a walk."""
    behind, ahead = np.clip(leave, 0.0, 1.25), np.clip(arrive, 0.0, 1.2)
    pitch = (0.2 + 0.8 * behind) * HEEL_RISE(s) + ahead * TOE_RISE(s)
    pitch = pitch + np.clip(-leave, 0.0, 1.0) * LEAVE_BACKWARD(s) + np.clip(-arrive, 0.0, 1.0) * ARRIVE_BACKWARD(s)
    height = (0.25 + 0.75 * behind) * LIFT(s) + ahead * ARRIVAL(s) + np.clip(1.0 - behind, 0.0, 1.0) * CLEARANCE(s)
    bend = (0.2 + 0.8 * behind) * TOE_BEND(s)
    return height, np.radians(pitch), np.radians(bend)


def _ground_path(plan: FootstepPlan, step: int, landing: int, time: FloatArray) -> FloatArray:
    """Return ground positions [frame, 2] in metres of the ball of the foot that swings from `step` to `landing`."""
    s = _phase(plan, step, landing, time)
    return _swing_path(plan, step, landing, s) if np.isnan(plan.spin_time[landing]) else _spin_path(plan, landing, time)


def _spin_path(plan: FootstepPlan, landing: int, time: FloatArray) -> FloatArray:
    """Return ground positions [frame, 2] in metres of the swing to `landing` round the foot that the body spins on.

    In a frame that turns with the leg about the ball of that foot, it is an ordinary swing, heading for an ordinary
    step until the spin begins.
    """
    standing, step = landing - 1, landing - 2
    pivot, out = plan.position[standing], 1.0 if plan.side[landing] == LEFT else -1.0
    s = _phase(plan, step, landing, time)
    turned = _swing_turn_share(plan, landing, s, time)
    start = _seen_from(plan.position[step] - pivot, plan.body_yaw[standing])
    end = _seen_from(plan.position[landing] - pivot, plan.body_yaw[landing])
    usual = np.array([out * Step.width, Step.forward])
    goal = usual + _late_share(plan, landing, time)[:, None] * (end - usual)
    progress = PROGRESS(s)[:, None]
    soon = ease((time - plan.spin_time[landing]) / 0.15)[:, None]
    for bow in BOWS:
        aside = (USUAL_BOW + soon * (bow - USUAL_BOW)) * _bulge(progress)
        place = start + progress * (goal - start) + aside * np.array([out, 0.0])
        toe = pivot + _seen_from(place, -(plan.body_yaw[standing] + _spin_angle(plan, landing) * turned))
        yaw = plan.lift_yaw[step] + (plan.yaw[landing] - plan.lift_yaw[step]) * turned
        if _gap_to_pivot(plan, standing, toe, yaw, time)[(s > 0.15) & (s < 0.85)].min() >= CLEAR_OF_OTHER_FOOT:
            break
    return np.asarray(toe)


def _gap_to_pivot(plan: FootstepPlan, standing: int, toe: FloatArray, yaw: FloatArray, time: FloatArray) -> FloatArray:
    """Return metres [frame] between the foot at `toe` [frame, 2] with `yaw` [frame] and the one of step `standing`."""
    pivots = plan.lift_yaw[standing] - plan.yaw[standing]
    other_yaw = plan.yaw[standing] + pivots * _pivot_share(plan, standing, time)
    other = plan.position[standing] + FOOT_POINTS * _direction(other_yaw)[:, None]
    points = toe[:, None] + FOOT_POINTS * _direction(yaw)[:, None]
    return np.asarray(np.linalg.norm(points[:, :, None] - other[:, None], axis=-1).min(axis=(1, 2)))


def _late_share(plan: FootstepPlan, landing: int, time: FloatArray) -> FloatArray:
    """Return 0 until the spin into `landing` begins, eased to 1 [frame] shortly before the foot is down."""
    begin = max(plan.spin_time[landing], plan.lift_time[landing - 2])
    down = plan.down_time[landing] - STILL_BEFORE_DOWN
    return ease((time - begin) / (down - begin))


def _seen_from(places: FloatArray, yaw: FloatArray | float) -> FloatArray:
    """Return `places` [..., 2] on the ground, x and z, in a frame that is rotated by `yaw` [...] radians."""
    sin, cos = np.sin(yaw), np.cos(yaw)
    x, z = places[..., 0], places[..., 1]
    return np.stack([x * cos - z * sin, x * sin + z * cos], axis=-1)


def _swing_path(plan: FootstepPlan, step: int, landing: int, s: FloatArray) -> FloatArray:
    """Return ground positions [frame, 2] in metres of the ball, bowed outward far enough to pass the other leg."""
    start, end = plan.position[step], plan.position[landing]
    outward = _direction(plan.heading[[step, landing]].mean() + (0.5 if plan.side[step] == LEFT else -0.5) * np.pi)
    yaw = np.linspace(plan.lift_yaw[step], plan.yaw[landing] - plan.early_turn[landing], 21)
    share = np.linspace(0.0, 1.0, 21)[:, None]
    other = plan.position[landing - 1] + FOOT_POINTS * _direction(plan.yaw[landing - 1])
    for bow in BOWS:
        toe = start + share * (end - start) + bow * _bulge(share) * outward
        points = toe[:, None] + FOOT_POINTS * _direction(yaw)[:, None]
        gaps = np.linalg.norm(points[3:-3, :, None] - other, axis=-1)
        if gaps.min() >= CLEAR_OF_OTHER_FOOT:
            break
    progress = PROGRESS(s)[:, None]
    return np.asarray(start + progress * (end - start) + bow * _bulge(progress) * outward)


def _bulge(share: FloatArray) -> FloatArray:
    """Return 0 at both ends of the path and 1 slightly before its middle, where a foot passes the other one."""
    return np.asarray(np.sin(np.pi * share**0.8) ** 2)


def _direction(yaw: FloatArray | float) -> FloatArray:
    """Return unit vectors [..., 2] on the ground, x and z, that point along `yaw` [...] radians."""
    return np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)


def _reach_along(pelvis: PelvisTrack, time: FloatArray, at: float, place: FloatArray, yaw: float) -> float:
    """Return how far the hips are ahead of a foot at time `at`, along the foot: 0 standing, 1 at a usual push-off."""
    if not np.isfinite(at):
        return 0.0
    hips = np.array([np.interp(at, time, pelvis.ground[:, axis]) for axis in range(2)])
    ahead = float((hips - place) @ _direction(yaw))
    return (ahead + 0.06) / 0.3


def _heel_lift(height: FloatArray, pitch: FloatArray) -> FloatArray:
    """Return metres [frame] by which the ball must rise so that lifted toes do not push the heel into the floor."""
    heel_depth = HEEL_FROM_BALL * np.sin(np.maximum(pitch, 0.0)) - HEEL_PAD
    return np.where(height > 1e-9, np.maximum(heel_depth - height, 0.0), 0.0)
