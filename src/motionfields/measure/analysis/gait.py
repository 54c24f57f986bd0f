"""Joint angles of the legs, and gait cycles cut out of any curve."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.checks import checked_count
from motionfields.base.geometry import heading_vector, quat_rotate
from motionfields.measure.analysis.figure import toe_offset
from motionfields.motion.body import Body, Leg, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.quality import facing_yaw
from motionfields.motion.skeleton import Skeleton, WorldPose


def leg_angles(clip: Clip, *, body: Body | None = None) -> FloatArray:
    """Return hip, knee and ankle flexion in radians, [frame, 2 sides (left, right), 3 (hip, knee, ankle)].

    Hip: the thigh's angle from the vertical in the sagittal plane (the vertical plane perpendicular to the line of the
    hips), positive forwards, 0 hanging straight down. Knee: the angle between thigh and shank, 0 straight, never
    negative. Ankle: the angle between the shank and the line from ankle to ball of the foot, minus 90 degrees; toes up
    (dorsiflexion) is positive. Since the ankle is higher than the ball, a flat foot gives a negative angle, by the
    slope of that line. A foot with neither ball joint nor end site has an ankle angle of NaN.
    """
    use = body or find_body(clip.skeleton)
    world = clip.world()
    forward = heading_vector(facing_yaw(clip, body=use))
    return np.stack([_one_leg(clip.skeleton, world, leg, forward) for leg in use.legs], axis=1)


def gait_cycles(values: FloatArray, contacts: BoolArray, *, phase_count: int = 101) -> FloatArray:
    """Cut `values` [frame, ...] into gait cycles of one foot, [cycle, phase, ...].

    `contacts` [frame] marks the frames in which that foot stands. A cycle runs from the first frame of one contact to
    the first frame of the next, both included, at `phase_count` evenly spaced phases, interpolated linearly between
    frames. A contact already under way at the first frame starts no cycle; fewer than two starts give no cycles.
    """
    series, standing = np.asarray(values, dtype=np.float64), np.asarray(contacts, dtype=np.bool_)
    if standing.ndim != 1 or standing.shape != series.shape[:1]:
        raise ValueError(f"contacts: expected one foot's [frame] = {series.shape[:1]}, got {standing.shape}")
    phase_count = checked_count("phase_count", phase_count, 2)
    onsets = np.flatnonzero(standing[1:] & ~standing[:-1]) + 1
    starts, ends = onsets[:-1, np.newaxis], onsets[1:, np.newaxis]
    place = starts + (ends - starts) * np.linspace(0.0, 1.0, phase_count)
    before = np.floor(place).astype(np.int64)
    after = np.minimum(before + 1, len(series) - 1)
    share = (place - before).reshape(*place.shape, *[1] * (series.ndim - 1))
    return np.asarray(series[before] + share * (series[after] - series[before]))


def _one_leg(skeleton: Skeleton, world: WorldPose, leg: Leg, forward: FloatArray) -> FloatArray:
    """Return hip, knee and ankle flexion [frame, 3] of one leg, in radians."""
    thigh = world.positions[:, leg.knee] - world.positions[:, leg.hip]
    shank = world.positions[:, leg.ankle] - world.positions[:, leg.knee]
    foot = quat_rotate(world.rotations[:, leg.ankle], toe_offset(skeleton, leg))
    hip = np.arctan2((thigh * forward).sum(axis=-1), -thigh[:, 1])
    return np.stack([hip, _angle_between(thigh, shank), _angle_between(shank, foot) - 0.5 * np.pi], axis=-1)


def _angle_between(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the angle [...] between vectors [..., 3], accurate for nearly parallel ones too; NaN for a zero vector."""
    cross, dot = np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1)
    defined = np.hypot(cross, dot) > 0.0
    return np.asarray(np.where(defined, np.arctan2(cross, dot), np.nan))
