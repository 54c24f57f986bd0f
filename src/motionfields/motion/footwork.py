"""Footwork measures: speed, spin and height of the supporting foot, frame by frame (see `docs/quality.md`).

Lengths are metres, angles radians, times seconds. Nothing is averaged or capped here, so one bad frame stays visible.
The functions take the displayed motion only: no contact labels, which a controller could set to suit itself.
"""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import quat_conjugate, quat_multiply, wrap_angle, yaw_from_quat
from motionfields.motion import quality
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import checked_labels
from motionfields.motion.planting.measures import LOW_FOOT
from motionfields.motion.planting.stance import Stance

STAND_TIME = 0.3  # seconds under `quality.STILL_ROOT_SPEED` that count as standing


def turning_frames(clip: Clip, *, body: Body | None = None) -> BoolArray:
    """Return which frames [frame] turn faster than 60 degrees per second."""
    return np.asarray(np.abs(quality.turning_rate(clip, body=body)) > quality.FAST_TURN)


def lower_foot(clip: Clip, stance: Stance, *, body: Body | None = None) -> IntArray:
    """Return the supporting foot [frame]: 0 left, 1 right, whichever is lower above its own standing height.

    A foot is as high as the lower of its two ends, ball and ankle, so that it supports from the heel strike until its
    toes leave the ground. The left foot wins a tie.
    """
    return np.asarray(_end_heights(clip, stance, body or find_body(clip.skeleton)).min(axis=-1).argmin(axis=1))


def lower_foot_speed(clip: Clip, stance: Stance, *, body: Body | None = None) -> FloatArray:
    """Return the horizontal speed [frame - 1] in m/s of the supporting foot, to the next frame.

    It is the speed of the end on the ground, ball or ankle, whichever is within 3 cm of its standing height. If both
    are, or neither, it is that of the slower end, about which the foot turns.
    """
    use = body or find_body(clip.skeleton)
    ends = clip.world().positions[:, _foot_ends(use)][..., ::2]
    speed = np.linalg.norm(np.diff(ends, axis=0), axis=-1) / clip.frame_time
    low = _end_heights(clip, stance, use)[:-1] < LOW_FOOT
    slower = speed.min(axis=-1)
    grounded = np.where(low[..., 0] == low[..., 1], slower, np.where(low[..., 0], speed[..., 0], speed[..., 1]))
    return _of_foot(grounded, lower_foot(clip, stance, body=use))


def foot_spin(clip: Clip, stance: Stance, *, body: Body | None = None) -> FloatArray:
    """Return the absolute yaw speed [frame - 1] in rad/s of the supporting foot, to the next frame.

    It is the rotation of the ankle joint about the vertical, so that a foot that only rolls or tips has none.
    """
    use = body or find_body(clip.skeleton)
    world_from_foot = clip.world().rotations[:, [leg.ankle for leg in use.legs]]
    turn = yaw_from_quat(quat_multiply(world_from_foot[1:], quat_conjugate(world_from_foot[:-1])))
    return _of_foot(np.abs(turn) / clip.frame_time, lower_foot(clip, stance, body=use))


def torso_twist(clip: Clip, *, body: Body | None = None) -> FloatArray:
    """Return the yaw [frame] in radians of the shoulder line against the hip line; positive to the left.

    All zeros if the arms of the skeleton are not recognised.
    """
    use = body or find_body(clip.skeleton)
    if use.left_arm is None or use.right_arm is None:
        return np.zeros(clip.frame_count)
    positions = clip.world().positions
    shoulders = positions[:, use.left_arm.shoulder] - positions[:, use.right_arm.shoulder]
    hips = positions[:, use.left_leg.hip] - positions[:, use.right_leg.hip]
    return wrap_angle(_line_yaw(shoulders) - _line_yaw(hips))


def airborne(clip: Clip, stance: Stance, *, body: Body | None = None) -> BoolArray:
    """Return in which frames [frame] ball and ankle of both feet are over 3 cm above their standing heights."""
    heights = _end_heights(clip, stance, body or find_body(clip.skeleton))
    return np.asarray((heights > LOW_FOOT).all(axis=(1, 2)))


def braking_steps(clip: Clip, contacts: BoolArray, *, stop: int) -> int | None:
    """Return the number of feet that land from the stop command at frame `stop` until `clip` stands; None if never.

    `contacts` [frame, 2] are the feet on the ground. The clip stands when both feet are on the ground, after the root
    has come under 0.15 m/s for 0.3 s or more: a foot that closes up while the root is slow counts.
    """
    labels = checked_labels(clip, contacts)
    if not 0 <= stop < clip.frame_count:
        raise ValueError(f"stop: expected a frame from 0 to {clip.frame_count - 1}, got {stop}")
    slow = quality.root_speed(clip)[stop:] < quality.STILL_ROOT_SPEED
    hold = max(1, round(STAND_TIME / clip.frame_time))
    total = np.concatenate([[0], np.cumsum(slow)])
    stands = np.flatnonzero(total[hold:] - total[:-hold] == hold)
    if stands.size == 0:
        return None
    standing = np.flatnonzero(labels[stop + int(stands[0]) :].all(axis=1))
    if standing.size == 0:
        return None
    part = labels[stop : stop + int(stands[0]) + int(standing[0]) + 1]
    return int((part[1:] & ~part[:-1]).sum())


def _foot_ends(body: Body) -> IntArray:
    """Return the joints [2, 2] of ball and ankle of the left and the right foot."""
    return np.array([[leg.toe, leg.ankle] for leg in body.legs])


def _end_heights(clip: Clip, stance: Stance, body: Body) -> FloatArray:
    """Return the heights [frame, 2, 2] in metres of ball and ankle of each foot above their standing heights."""
    resting = np.stack([stance.toe_heights, stance.toe_heights + stance.heel_heights], axis=-1)
    return np.asarray(clip.world().positions[:, _foot_ends(body), 1] - resting)


def _of_foot(tracks: FloatArray, foot: IntArray) -> FloatArray:
    """Return the values [frame - 1] of `tracks` [frame - 1, 2] of the supporting `foot` [frame]."""
    return np.asarray(np.take_along_axis(tracks, foot[:-1, np.newaxis], axis=1)[:, 0])


def _line_yaw(line: FloatArray) -> FloatArray:
    """Return the yaw [frame] of the facing perpendicular to `line` [frame, 3] from right to left."""
    return np.asarray(np.arctan2(-line[:, 2], line[:, 0]))
