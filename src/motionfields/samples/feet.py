"""The feet: still while they stand, rolling from heel to toe, swinging from footprint to footprint.

Curves are told over the swing: 0 when the ball of the foot leaves the floor, 1 when it is down again; below 0 and
above 1 the foot stands. Their knots were set by hand near the averages over 22 captured walking cycles (CMU subject
69) and then changed for still contacts and smooth knees.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.ndimage import binary_dilation

from motionfields.arrays import BoolArray, FloatArray
from motionfields.samples.curves import Bump, ease
from motionfields.samples.footsteps import LEFT, FootstepPlan
from motionfields.samples.pelvis import PelvisTrack
from motionfields.samples.skeleton import HEEL_FROM_BALL, TOE_HEIGHT

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
# Toes against the foot in degrees, bent up positive.
TOE_BEND = Bump((-0.55, 0.0), (-0.39, 2.0), (-0.29, 5.0), (-0.186, 10.0), (-0.082, 18.0), (0.021, 26.0), (0.124, 17.0),
                (0.25, 2.0), (0.4, 1.0), (0.6, 7.0), (0.8, 13.0), (0.9, 11.0), (1.1, 0.0))  # fmt: skip
HEEL_PAD = 0.006  # metres by which a loaded heel gives way
STILL_SPEED, STILL_HEIGHT = 0.15, 0.01  # m/s and m: slower and lower than this a foot counts as standing
CLEAR_OF_OTHER_FOOT = 0.105  # metres between the middles of the feet when one passes the other
FOOT_POINTS = np.array([[-0.12], [-0.06], [0.0], [0.06]])  # metres along the foot from its ball
BOWS = (0.012, 0.025, 0.04, 0.055, 0.07, 0.085, 0.1, 0.12, 0.14)  # metres by which a swing may go round the other foot


class FootTrack(NamedTuple):
    """One foot over time; the foot's frame is turned by `yaw` about y and then by `-pitch` about x."""

    toe: FloatArray  # [frame, 3], metres, the ball of the foot
    yaw: FloatArray  # [frame], radians
    pitch: FloatArray  # [frame], radians, toes up
    toe_bend: FloatArray  # [frame], radians, toes bent up against the foot
    contact: BoolArray  # [frame], true while the ball of the foot stands


def foot_track(plan: FootstepPlan, side: int, time: FloatArray, pelvis: PelvisTrack) -> FootTrack:
    """The foot of `side` at `time` [frame] in seconds, under the `pelvis` whose place sets how the foot rolls."""
    own = np.flatnonzero(plan.side == side)
    ground = np.repeat(plan.position[own[:1]], len(time), axis=0)
    yaw = np.full(len(time), plan.yaw[own[0]])
    height, pitch, bend = np.zeros(len(time)), np.zeros(len(time)), np.zeros(len(time))
    contact = np.ones(len(time), dtype=bool)
    for step, landing in pairwise(own.tolist()):
        lift_time, down_time = plan.lift_time[step], plan.down_time[landing]
        s = (time - lift_time) / (down_time - lift_time)
        after = s >= 0.0
        ground = np.where(after[:, None], _swing_path(plan, step, landing, s), ground)
        turning = (plan.lift_yaw[step] - plan.yaw[step]) * ease((time - lift_time + 0.45) / 0.45)
        yaw = np.where(after, plan.lift_yaw[step], yaw + turning)
        yaw = yaw + (plan.yaw[landing] - plan.lift_yaw[step]) * ease((s - 0.02) / 0.93) * after
        leave = _reach_along(pelvis, time, lift_time, plan.position[step], plan.lift_yaw[step])
        arrive = -_reach_along(pelvis, time, down_time, plan.position[landing], plan.yaw[landing])
        roll = _roll(s, leave, arrive)
        height, pitch, bend = height + roll[0], pitch + roll[1], bend + roll[2]
        contact &= (s <= 0.0) | (s >= 1.0)
    toe = np.stack([ground[:, 0], TOE_HEIGHT + height + _heel_lift(height, pitch), ground[:, 1]], axis=-1)
    return FootTrack(toe, yaw, pitch, np.maximum(bend, 0.0), contact | _barely_moving(toe, contact, time))


def _barely_moving(toe: FloatArray, planned: BoolArray, time: FloatArray) -> BoolArray:
    """Frames [frame] at the edges of the `planned` contacts in which the ball of the foot hardly moves."""
    velocity = np.gradient(toe, time, axis=0)
    slow = (np.linalg.norm(velocity, axis=-1) < STILL_SPEED) & (toe[:, 1] < TOE_HEIGHT + STILL_HEIGHT)
    slow &= np.hypot(velocity[:, 0], velocity[:, 2]) < 0.6 * STILL_SPEED
    near = round(0.05 / float(time[1] - time[0]))
    return np.asarray(slow & binary_dilation(planned, iterations=max(near, 1)))


def _roll(s: FloatArray, leave: float, arrive: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Height (metres), pitch and toe bend (radians) [frame] of one swing; `leave`, `arrive` 1 in a nominal walk."""
    behind, ahead = np.clip(leave, 0.0, 1.25), np.clip(arrive, 0.0, 1.2)
    pitch = (0.2 + 0.8 * behind) * HEEL_RISE(s) + ahead * TOE_RISE(s)
    pitch = pitch + np.clip(-leave, 0.0, 1.0) * LEAVE_BACKWARD(s) + np.clip(-arrive, 0.0, 1.0) * ARRIVE_BACKWARD(s)
    height = (0.25 + 0.75 * behind) * LIFT(s) + ahead * ARRIVAL(s) + np.clip(1.0 - behind, 0.0, 1.0) * CLEARANCE(s)
    bend = (0.2 + 0.8 * behind) * TOE_BEND(s)
    return height, np.radians(pitch), np.radians(bend)


def _swing_path(plan: FootstepPlan, step: int, landing: int, s: FloatArray) -> FloatArray:
    """Ground places [frame, 2] of the ball of the foot, bowed outward as far as the other leg needs to be passed."""
    start, end = plan.position[step], plan.position[landing]
    outward = _direction(plan.heading[[step, landing]].mean() + (0.5 if plan.side[step] == LEFT else -0.5) * np.pi)
    yaw = np.linspace(plan.lift_yaw[step], plan.yaw[landing], 21)
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
    """0 at both ends of the way and 1 a little before its middle, where a foot passes the other one."""
    return np.asarray(np.sin(np.pi * share**0.8) ** 2)


def _direction(yaw: FloatArray | float) -> FloatArray:
    """Unit vectors [..., 2] on the ground, x and z, that point along `yaw` [...]."""
    return np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)


def _reach_along(pelvis: PelvisTrack, time: FloatArray, at: float, place: FloatArray, yaw: float) -> float:
    """How far the hips are ahead of a foot at a moment, along the foot: 0 when standing, 1 at a nominal push-off."""
    if not np.isfinite(at):
        return 0.0
    hips = np.array([np.interp(at, time, pelvis.ground[:, axis]) for axis in range(2)])
    ahead = float((hips - place) @ _direction(yaw))
    return (ahead + 0.06) / 0.3


def _heel_lift(height: FloatArray, pitch: FloatArray) -> FloatArray:
    """How much higher [frame] the ball of the foot must be so that raised toes do not push the heel into the floor."""
    heel_depth = HEEL_FROM_BALL * np.sin(np.maximum(pitch, 0.0)) - HEEL_PAD
    return np.where(height > 1e-9, np.maximum(heel_depth - height, 0.0), 0.0)
