"""Ranges of motion of human joints, and the correction of joints that leave them.

The limits are the mean clinical ranges of motion (American Academy of Orthopaedic Surgeons, "Joint Motion: Method of
Measuring and Recording"), widened where the character's own data exceeds them. The deviation of a joint from neutral is
a rotation vector in anatomical axes: flexion about the axis to the left, twist about the vertical, and sideways bending
about the axis that points ahead. Knees and elbows flex about the hinge axis found in the data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import checked_numbers
from motionfields.base.compiled import kernel
from motionfields.base.geometry import (
    quat_angle,
    quat_between,
    quat_conjugate,
    quat_exp,
    quat_identity,
    quat_log,
    quat_multiply,
    quat_rotate,
    rotation_difference,
    split_yaw,
)
from motionfields.base.geometry.vectors import (
    Vector,
    add,
    conjugate,
    dot,
    exponential,
    length,
    logarithm,
    multiply,
    put,
    quat_of,
    scale,
    subtract,
    vector_of,
)
from motionfields.runtime.physics.segments import Segment, SegmentedBody, mean_rotations

SAMPLE_COUNT = 2000  # poses of the data that are sampled
# Low and high in degrees about the axes to the left, up and ahead, for the left side, by the right-hand rule. About the
# first axis, bending a trunk or neck forward or a knee back is positive; swinging a hanging limb forward is negative.
LIMITS: Mapping[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "spine": ((-30.0, 80.0), (-45.0, 45.0), (-35.0, 35.0)),  # total of all joints of the spine
    "neck": ((-60.0, 50.0), (-80.0, 80.0), (-45.0, 45.0)),  # total of neck and head
    "upper arm": ((-170.0, 60.0), (-90.0, 90.0), (-45.0, 170.0)),
    "forearm": ((-5.0, 150.0), (-90.0, 90.0), (-15.0, 15.0)),
    "hand": ((-80.0, 80.0), (-90.0, 90.0), (-80.0, 80.0)),
    "thigh": ((-120.0, 30.0), (-45.0, 45.0), (-30.0, 45.0)),
    "shank": ((-5.0, 140.0), (-20.0, 20.0), (-15.0, 15.0)),
    "foot": ((-20.0, 50.0), (-35.0, 35.0), (-35.0, 35.0)),
}
HINGES = ("shank", "forearm")
LEAST_BEND = 1e-6  # metres by which the end of a bone must be off the line of the bone before it
SLACK = np.radians(5.0)  # between the data and the edge of a cone
WIDEST = np.radians(175.0)  # widest cone


class JointRanges(NamedTuple):
    """The range of every joint between two segments; entry 0 is the root, which is not limited."""

    neutral: FloatArray  # [segment, 4], rotation relative to the parent segment from which angles count
    axes: FloatArray  # [segment, 3, 3], rows are the axes in the frame of the parent segment
    low: FloatArray  # [segment, 3], radians
    high: FloatArray  # [segment, 3], radians
    middle: FloatArray  # [segment, 4], rotation in the middle of the range
    reach: FloatArray  # [segment], radians from `middle` to the edge of a cone that holds the range's widest axis

    def angles(self, turns: FloatArray) -> FloatArray:
        """Return the angles [n, segment, 3] in radians of `turns` [n, segment, 4] about the axes."""
        away = quat_log(rotation_difference(turns, np.broadcast_to(self.neutral, turns.shape)))
        return np.asarray(np.einsum("sac,nsc->nsa", self.axes, away))

    def excess(self, turns: FloatArray) -> FloatArray:
        """Return the radians [n, segment] by which the joints of `turns` [n, segment, 4] exceed their range."""
        short = self.angles(turns)
        size = np.linalg.norm(short, axis=-1, keepdims=True)
        long = short * (1.0 - 2.0 * np.pi / np.maximum(size, 1e-9))  # the same rotation, the other way round
        beyond = [np.maximum(np.maximum(self.low - a, a - self.high), 0.0).max(axis=-1) for a in (short, long)]
        return np.asarray(np.minimum(*beyond))


def endless_ranges(segment_count: int) -> JointRanges:
    """Return ranges without limits."""
    turns, edge = quat_identity(segment_count), np.full((segment_count, 3), np.inf)
    return JointRanges(
        turns, np.tile(np.eye(3), (segment_count, 1, 1)), -edge, edge, turns, np.full(segment_count, np.pi)
    )


def measure_ranges(body: SegmentedBody, rotations: FloatArray) -> JointRanges:
    """Return the ranges of `body`, widened to include the poses `rotations` [n, joint, 4] of its data."""
    rotations = checked_numbers("rotations", rotations, 2.0, shape=(None, body.skeleton.joint_count, 4))
    if not len(rotations):
        raise ValueError("rotations: expected at least one pose")
    chosen = np.linspace(0, len(rotations) - 1, min(len(rotations), SAMPLE_COUNT)).astype(np.int64)
    turns = body.turns(rotations[chosen])
    turns[:, 0] = split_yaw(turns[:, 0])[1]
    mean = mean_rotations(turns)
    _, axes, low, high, _, reach = endless_ranges(len(mean))
    neutral, world = mean.copy(), mean.copy()
    for number, segment in enumerate(body.segments[1:], start=1):
        above = world[body.parents[number]]
        world[number] = quat_multiply(above, mean[number])
        axes[number] = quat_rotate(quat_conjugate(above), np.eye(3))
        if segment.part in HINGES:
            bone = body.places[segment.joint] / np.linalg.norm(body.places[segment.joint])
            neutral[number], axes[number] = _hinge(bone, segment, mean[number], turns[:, number], axes[number, 0])
        low[number], high[number] = _limits(body, segment)
    ranges = JointRanges(neutral, axes, low, high, neutral, reach)
    seen = ranges.angles(turns)
    return _with_cones(
        ranges._replace(low=np.minimum(low, seen.min(axis=0)), high=np.maximum(high, seen.max(axis=0))), turns
    )


def _with_cones(ranges: JointRanges, turns: FloatArray) -> JointRanges:
    """Return `ranges` with cones around their middles that include all `turns` [n, segment, 4] of the data."""
    low, high = ranges.low[1:], ranges.high[1:]
    middle, reach = ranges.middle.copy(), ranges.reach.copy()
    away = np.einsum("sac,sa->sc", ranges.axes[1:], 0.5 * (low + high))
    middle[1:] = quat_multiply(quat_exp(away), ranges.neutral[1:])
    middle[0] = quat_identity()
    farthest = quat_angle(turns, np.broadcast_to(middle, turns.shape)).max(axis=0)[1:]
    reach[1:] = np.minimum(np.maximum(0.5 * (high - low).max(axis=-1), farthest + SLACK), WIDEST)
    return ranges._replace(middle=middle, reach=reach)


def _hinge(
    bone: FloatArray, segment: Segment, mean: FloatArray, turns: FloatArray, left: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the neutral rotation [4] and axes [3, 3] of a hinge between `bone` [3] and the bone of `segment`.

    Neutral is straight. The first axis is the one about which the joint bends over the poses `turns` [n, 4]; if it is
    straight in all of them, it is the one to the `left` [3].
    """
    straight = quat_multiply(quat_between(quat_rotate(mean, segment.end), bone), mean)
    bends = np.cross(bone, quat_rotate(turns, segment.end)).mean(axis=0)
    across = bends if float(np.linalg.norm(bends)) > LEAST_BEND else left
    across = across - (across @ bone) * bone
    hinge = across / np.linalg.norm(across)
    return straight, np.stack([hinge, bone, np.cross(hinge, bone)])


def _limits(body: SegmentedBody, segment: Segment) -> tuple[FloatArray, FloatArray]:
    """Return the clinical limits [3] and [3] of `segment` in radians, mirrored for the right side.

    The limits of spine and neck are divided evenly among their segments.
    """
    limits = np.radians(LIMITS[segment.part])
    if segment.part in ("spine", "neck"):
        limits = limits / sum(other.part == segment.part for other in body.segments)
    if segment.side == "right":
        limits[1:] = -limits[1:, ::-1]
    return limits[:, 0], limits[:, 1]


@kernel
def keep_in_range(ranges: JointRanges, before: FloatArray, turns: FloatArray) -> bool:
    """Move the joints of one pose `turns` [segment, 4] into their ranges, in place; return whether any moved.

    A joint that already exceeded its range in the pose `before` [segment, 4] may keep half of that excess.
    """
    moved = False
    for segment in range(1, turns.shape[0]):
        neutral = quat_of(ranges.neutral[segment])
        to_neutral = conjugate(neutral)
        was = _within(ranges, segment, logarithm(multiply(quat_of(before[segment]), to_neutral)))
        away = _nearer(logarithm(multiply(quat_of(turns[segment]), to_neutral)), was)
        kept = (0.0, 0.0, 0.0)
        beyond = False
        for a in range(3):
            axis = vector_of(ranges.axes[segment, a])
            angle, past = dot(axis, away), dot(axis, was)
            low, high = ranges.low[segment, a], ranges.high[segment, a]
            # Widen the range halfway to where the joint was, so that it returns smoothly over frames.
            low, high = min(low, 0.5 * (low + past)), max(high, 0.5 * (high + past))
            allowed = min(max(angle, low), high)
            beyond |= allowed != angle
            kept = add(kept, scale(axis, allowed))
        moved |= beyond
        if beyond:
            put(multiply(exponential(kept), neutral), turns[segment])
    return moved


@kernel
def _within(ranges: JointRanges, segment: int, vector: Vector) -> Vector:
    """Return `vector` or the same rotation the other way round, whichever exceeds the range less."""
    size = length(vector)
    if size < 0.5 * math.pi:
        return vector
    back = scale(vector, 1.0 - 2.0 * math.pi / size)
    return vector if _beyond(ranges, segment, vector) <= _beyond(ranges, segment, back) else back


@kernel
def _beyond(ranges: JointRanges, segment: int, vector: Vector) -> float:
    """Return the radians by which a rotation vector exceeds the range of `segment`."""
    most = 0.0
    for a in range(3):
        angle = dot(vector_of(ranges.axes[segment, a]), vector)
        most = max(most, ranges.low[segment, a] - angle, angle - ranges.high[segment, a])
    return most


@kernel
def _nearer(vector: Vector, other: Vector) -> Vector:
    """Return `vector` or the same rotation the other way round, whichever is nearer to `other`."""
    size = length(vector)
    if size < 0.5 * math.pi:
        return vector
    back = scale(vector, 1.0 - 2.0 * math.pi / size)
    here, there = subtract(vector, other), subtract(back, other)
    return vector if dot(here, here) <= dot(there, there) else back
