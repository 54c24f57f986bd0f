"""Quality measures of locked feet, in addition to those in `motionfields.motion.quality`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.planting.stance import Stance

LOW_FOOT = 0.03  # metres above its resting height; a lower foot may be in contact
LEVEL_SPEED = 0.25  # m/s of vertical speed; a slower low foot may be in contact


class PeakSpeed(NamedTuple):
    """The 99th percentile and the maximum of a speed."""

    p99: float
    maximum: float


def low_foot_skate(clip: Clip, stance: Stance, *, body: Body | None = None) -> float:
    """Return the mean horizontal speed in m/s of the balls of the feet while they are low and level, labelled or not.

    Low is within 3 cm of the foot's standing height, level is under 0.25 m/s of vertical speed. Toes that swing low
    over the floor count too, so captured motion also has a high value.
    """
    toes = _toes(clip, body)
    low = toes[..., 1] - stance.toe_heights < LOW_FOOT
    velocity = np.diff(toes, axis=0) / clip.frame_time
    counted = low[1:] & low[:-1] & (np.abs(velocity[..., 1]) < LEVEL_SPEED)
    speed = np.hypot(velocity[..., 0], velocity[..., 2])[counted]
    return float(speed.mean()) if speed.size else 0.0


def knee_speed(clip: Clip, *, body: Body | None = None) -> PeakSpeed:
    """Return the 99th percentile and maximum of the knees' angular speed in radians per second, over both legs."""
    knees = [leg.knee for leg in (body or find_body(clip.skeleton)).legs]
    speed = quat_angle(clip.rotations[1:, knees], clip.rotations[:-1, knees]) / clip.frame_time
    return PeakSpeed(float(np.percentile(speed, 99.0)), float(speed.max()))


def leg_jerk(clip: Clip, *, body: Body | None = None) -> float:
    """Return the mean jerk in m/s3 of knees, ankles and balls of the feet."""
    legs = (body or find_body(clip.skeleton)).legs
    joints = sorted({joint for leg in legs for joint in (leg.knee, leg.ankle, leg.toe)})
    third = np.diff(clip.world().positions[:, joints], n=3, axis=0) / clip.frame_time**3
    return float(np.linalg.norm(third, axis=-1).mean())


def deepest_toe(clip: Clip, stance: Stance, *, body: Body | None = None) -> float:
    """Return how far, in metres, the ball of a foot goes below its standing height; 0 if it never does."""
    return float(max(0.0, (stance.toe_heights - _toes(clip, body)[..., 1]).max()))


def _toes(clip: Clip, body: Body | None) -> FloatArray:
    """Return the positions [frame, 2, 3] in metres of the balls of the feet."""
    legs = (body or find_body(clip.skeleton)).legs
    return np.asarray(clip.world().positions[:, [leg.toe for leg in legs]])
