"""Motion quality measures, as plain functions on a clip (see `docs/quality.md`).

Lengths are metres, angles radians, times seconds. A ratio between two clips is meaningful only when both have the same
frame rate and went through the same filter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_indices, checked_count
from motionfields.base.geometry import angle_difference, quat_angle
from motionfields.base.runs import true_runs
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import central_velocity, checked_labels
from motionfields.motion.skeleton import Skeleton

FAST_TURN = np.radians(60.0)  # rad/s; above this turning rate, jerk is also reported separately
STILL_ROOT_SPEED = 0.15  # m/s
STILL_JOINT_SHARE = 0.15  # of the median joint speed


class FootSkate(NamedTuple):
    """Horizontal speed of the feet while they are labelled in contact, in metres per second."""

    mean: float
    p95: float


class TurningRate(NamedTuple):
    """Absolute turning rate of the facing, in radians per second."""

    p95: float
    p99: float
    maximum: float


class ResponseTime(NamedTuple):
    """Time in seconds until a turn reaches its target; infinite if it never does."""

    reached: float  # within the tolerance for the first time
    settled: float  # within the tolerance, and staying near the target for the hold time


class Stillness(NamedTuple):
    """Time for which a clip stands still."""

    longest: float  # seconds
    over_one_second: int  # number of still periods longer than one second


def facing_yaw(clip: Clip, *, body: Body | None = None) -> FloatArray:
    """Return the yaw [frame] in radians perpendicular to the hip line, unwrapped; 0 faces +z, positive turns left."""
    use = body or find_body(clip.skeleton)
    positions = clip.world().positions
    hip_line = positions[:, use.left_leg.hip] - positions[:, use.right_leg.hip]
    return np.unwrap(np.arctan2(-hip_line[:, 2], hip_line[:, 0]))


def turning_rate(clip: Clip, *, body: Body | None = None) -> FloatArray:
    """Return the turning rate [frame] of the facing in radians per second; positive to the left."""
    return central_velocity(facing_yaw(clip, body=body), clip.frame_time)


def peak_turning_rate(clip: Clip, *, body: Body | None = None) -> TurningRate:
    """Return the 95th and 99th percentile and the maximum of the absolute turning rate."""
    rate = np.abs(turning_rate(clip, body=body))
    return TurningRate(float(np.percentile(rate, 95)), float(np.percentile(rate, 99)), float(rate.max()))


def root_speed(clip: Clip) -> FloatArray:
    """Return the horizontal speed [frame] of the root in metres per second."""
    velocity = central_velocity(clip.root_position[:, ::2], clip.frame_time)
    return np.asarray(np.linalg.norm(velocity, axis=-1))


def foot_skate(clip: Clip, contacts: BoolArray, *, body: Body | None = None) -> FootSkate:
    """Return the mean and 95th percentile of the sliding speed of the feet during `contacts` [frame, 2]."""
    standing = contact_skate(clip, contacts, body=body)
    if standing.size == 0:
        return FootSkate(0.0, 0.0)
    return FootSkate(float(standing.mean()), float(np.percentile(standing, 95)))


def contact_skate(clip: Clip, contacts: BoolArray, *, body: Body | None = None) -> FloatArray:
    """Return horizontal speeds [n] in m/s of the balls of the feet between consecutive `contacts` [frame, 2]."""
    legs = (body or find_body(clip.skeleton)).legs
    toes = clip.world().positions[:, [leg.toe for leg in legs]][..., ::2]
    speed = np.linalg.norm(np.diff(toes, axis=0), axis=-1) / clip.frame_time
    labels = checked_labels(clip, contacts)
    return np.asarray(speed[labels[1:] & labels[:-1]])


def jerk(clip: Clip) -> FloatArray:
    """Return the mean magnitude [frame - 3] of the third derivative of the joints' world positions, in m/s3.

    Joints at the same position as their parent are left out, because they would count the parent twice.
    """
    if clip.frame_count < 4:
        raise ValueError(f"clip: expected at least 4 frames for a third difference, got {clip.frame_count}")
    positions = clip.world().positions[:, distinct_joints(clip.skeleton)]
    third = np.diff(positions, n=3, axis=0) / clip.frame_time**3
    return np.asarray(np.linalg.norm(third, axis=-1).mean(axis=-1))


def mean_jerk(clip: Clip) -> float:
    """Return the mean jerk in m/s3 over all frames."""
    return float(jerk(clip).mean())


def mean_jerk_in_turns(clip: Clip, *, body: Body | None = None) -> float:
    """Return the mean jerk in m/s3 over the frames that turn faster than 60 degrees per second; NaN without any."""
    rate = np.abs(turning_rate(clip, body=body))
    turning = (rate[1:-2] > FAST_TURN) | (rate[2:-1] > FAST_TURN)
    values = jerk(clip)[turning]
    return float(values.mean()) if values.size else float("nan")


def joint_speed(clip: Clip, *, joints: IntArray | None = None) -> FloatArray:
    """Return the mean angular speed [frame - 1] of the joints relative to their parents, in radians per second.

    `joints` [n] selects the joints to average. The default is all but the root and those that never rotate in this
    clip; to compare two motions, pass the same joints for both.
    """
    count = clip.skeleton.joint_count
    counted = np.arange(1, count) if joints is None else check_indices("joints", joints, count)
    turn = quat_angle(clip.rotations[1:, counted], clip.rotations[:-1, counted])
    if joints is not None:
        return np.asarray(turn.mean(axis=-1) / clip.frame_time)
    moving = turn.max(axis=0, initial=0.0) > 1e-9
    if not moving.any():
        return np.zeros(len(turn))
    return np.asarray(turn[:, moving].mean(axis=-1) / clip.frame_time)


def stillness(clip: Clip, *, median_joint_speed: float | None = None) -> Stillness:
    """Return the duration of the longest still period in seconds, and the number of those that last over a second.

    A frame is still when its joint speed is under 15 % of `median_joint_speed` (default: the clip's own median) and its
    root is slower than 0.15 m/s.
    """
    speed = joint_speed(clip)
    reference = float(np.median(speed)) if median_joint_speed is None else median_joint_speed
    still = (speed < STILL_JOINT_SHARE * reference) & (root_speed(clip)[1:] < STILL_ROOT_SPEED)
    lengths = np.diff(np.array(true_runs(still)).reshape(-1, 2))[:, 0] * clip.frame_time
    return Stillness(float(lengths.max(initial=0.0)), int((lengths > 1.0).sum()))


def exact_loop(clip: Clip, *, decimals: int = 6) -> int | None:
    """Return the length in frames of an exact loop in `clip`, or None.

    A loop is a moving pose that recurs together with the pose after it, equal to `decimals` decimal places in all
    joints and in the root's height. Position on the ground and facing do not matter.
    """
    decimals = checked_count("decimals", decimals, 0, 15)
    if clip.frame_count < 3:
        return None
    joints = _one_sign(np.round(clip.rotations[:, 1:], decimals)).reshape(clip.frame_count, -1)
    poses = np.column_stack([joints, np.round(clip.root_position[:, 1], decimals)]) + 0.0
    pairs = np.concatenate([poses[:-1], poses[1:]], axis=1)
    seen: dict[bytes, int] = {}
    for frame in np.flatnonzero((poses[:-1] != poses[1:]).any(axis=1)):
        key = pairs[frame].tobytes()
        if key in seen:
            return int(frame) - seen[key]
        seen[key] = int(frame)
    return None


def response_time(
    yaw: FloatArray,
    target: float,
    frame_time: float,
    *,
    tolerance: float = np.radians(5.0),
    hold_tolerance: float = np.radians(10.0),
    hold_time: float = 0.5,
) -> ResponseTime:
    """Return the time that the facing `yaw` [frame], starting at frame 0, takes to reach `target`.

    Angles are in radians, times in seconds. `reached` is the first time within `tolerance`; `settled` is the first such
    time from which the facing stays within `hold_tolerance` for `hold_time`.
    """
    error = np.abs(angle_difference(yaw, target))
    arrived = np.flatnonzero(error <= tolerance)
    if arrived.size == 0:
        return ResponseTime(np.inf, np.inf)
    hold_count = round(hold_time / frame_time)
    near = np.concatenate([[0], np.cumsum(error <= hold_tolerance)])
    whole = arrived[arrived + hold_count < len(error)]
    stays = whole[near[whole + hold_count + 1] - near[whole] == hold_count + 1]
    settled = float(stays[0]) * frame_time if stays.size else np.inf
    return ResponseTime(float(arrived[0]) * frame_time, settled)


def _one_sign(quats: FloatArray) -> FloatArray:
    """Return `quats` [..., 4] with signs chosen so that the first non-zero component is positive."""
    first = np.take_along_axis(quats, (quats != 0.0).argmax(axis=-1)[..., np.newaxis], axis=-1)
    return np.asarray(np.where(first < 0.0, -quats, quats))


def distinct_joints(skeleton: Skeleton) -> BoolArray:
    """Return which joints [joint] are not at the position of their parent; the root counts as distinct."""
    distinct = np.linalg.norm(skeleton.offsets, axis=-1) > 1e-6
    distinct[0] = True
    return np.asarray(distinct)
