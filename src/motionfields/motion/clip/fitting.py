"""Transfer of a clip to slightly different bone lengths, with the feet kept in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_between, quat_conjugate, quat_multiply, quat_rotate
from motionfields.motion.body import Body, Leg, find_body
from motionfields.motion.clip.clip import Clip
from motionfields.motion.legs import bend_axis, solve_leg
from motionfields.motion.skeleton import Skeleton, WorldPose

DROP_EASE = 0.2  # seconds over which the pelvis sinks and rises again
LEAST_BEND = 0.05  # radians: forward bend of a knee before a leg is solved
SAME_LENGTH = 1e-6  # metres by which a leg may get shorter without a change of its knee
MOST_OVEREXTENDED = 0.15  # radians: a knee that bends further backwards is meant to


class LegGoal(NamedTuple):
    """Target of one leg, as positions and rotations in the world."""

    hip: FloatArray  # [frame, 3], metres
    ankle: FloatArray  # [frame, 3], metres
    rotations: Mapping[int, FloatArray]  # of hip, knee, ankle and toe [frame, 4], before hip and knee are solved


def fit_skeleton(clip: Clip, skeleton: Skeleton, *, body: Body | None = None) -> Clip:
    """Return `clip` as a motion of `skeleton`, which has the same joints and bones of nearly the same lengths.

    The ball of each foot stays exactly in place and the foot keeps its direction; inverse kinematics solves hips and
    knees. A leg that is too short lowers the pelvis by the missing length, eased over 0.2 s. Spine and arms keep their
    rotations. Knee, ankle and ball must be direct children of the joint above; a leg with a joint between them, such as
    a roll bone, raises `SkeletonError`.
    """
    source = clip.skeleton
    if source.names != skeleton.names or not np.array_equal(source.parents, skeleton.parents):
        raise SkeletonError("skeleton: expected the same joints and hierarchy as the clip's own skeleton")
    legs = (body or find_body(skeleton)).legs
    goal = clip.world()
    goals = [
        LegGoal(
            goal.positions[:, leg.hip],
            ankle_target(goal, leg, stretch=_length(skeleton, leg.toe) / max(_length(source, leg.toe), 1e-9)),
            _aimed_rotations(skeleton, source, leg, goal),
        )
        for leg in legs
    ]
    return fit_legs(replace(clip, skeleton=skeleton), legs, goals)


def fit_legs(clip: Clip, legs: Sequence[Leg], goals: Sequence[LegGoal], *, kept_bend: float = 0.0) -> Clip:
    """Return `clip` with its pelvis moved to the hips of `goals` and its legs bent so that the ankles reach theirs.

    The pelvis keeps its rotation. Where a leg is too short, the pelvis sinks by the missing length, eased over 0.2 s.
    A leg is also too short if its knee would be bent by less than `kept_bend` radians and less than in `clip`: a knee
    that is stretched straight for a moment moves by centimetres within a frame.
    """
    skeleton = clip.skeleton
    for leg in legs:
        _check_chain(skeleton, leg)
    own = clip.world()
    hips = [leg.hip for leg in legs]
    shift = (np.stack([goal.hip for goal in goals], axis=1) - own.positions[:, hips]).mean(axis=1)
    hip_positions = own.positions[:, hips] + shift[:, np.newaxis]
    targets = np.stack([goal.ankle for goal in goals], axis=1)
    lengths = np.stack([_longest(skeleton, leg, own, kept_bend) for leg in legs], axis=1)
    shift[:, 1] -= (drop := _pelvis_drop(hip_positions, targets, lengths, clip.frame_rate))
    hip_positions[..., 1] -= drop[:, np.newaxis]
    rotations = clip.rotations.copy()
    for side, leg in enumerate(legs):
        turned = _solved(skeleton, leg, goals[side].rotations, hip_positions[:, side], targets[:, side])
        above = own.rotations[:, skeleton.parents[leg.hip]]
        for joint, world_from_joint in turned.items():
            rotations[:, joint] = quat_multiply(quat_conjugate(above), world_from_joint)
            above = world_from_joint
    return replace(clip, root_position=clip.root_position + shift, rotations=rotations)


def _check_chain(skeleton: Skeleton, leg: Leg) -> None:
    """Raise `SkeletonError` if another joint lies between two joints of `leg`."""
    chain = (leg.hip, leg.knee, leg.ankle) if leg.toe == leg.ankle else (leg.hip, leg.knee, leg.ankle, leg.toe)
    for upper, lower in pairwise(chain):
        between = int(skeleton.parents[lower])
        if between != upper:
            names = [skeleton.names[joint] for joint in (between, upper, lower)]
            raise SkeletonError(
                f"{names[0]} lies between {names[1]} and {names[2]}; fitting needs hip, knee, ankle and toe joints "
                "that are direct children of each other: remove the joint between them"
            )


def ankle_target(goal: WorldPose, leg: Leg, *, stretch: float) -> FloatArray:
    """Return the ankle position [frame, 3] that keeps the ball in place for a foot `stretch` times as long."""
    ball, ankle = goal.positions[:, leg.toe], goal.positions[:, leg.ankle]
    return np.asarray(ankle if leg.toe == leg.ankle else ball + stretch * (ankle - ball))


def _aimed_rotations(skeleton: Skeleton, source: Skeleton, leg: Leg, goal: WorldPose) -> dict[int, FloatArray]:
    """Return world rotations [frame, 4] of hip, knee, ankle and toe that point each bone as in `source`."""

    def aimed(joint: int, own_bone: FloatArray, source_bone: FloatArray) -> FloatArray:
        return quat_multiply(goal.rotations[:, joint], quat_between(own_bone, source_bone))

    turned = {
        joint: aimed(joint, skeleton.offsets[below], source.offsets[below])
        for joint, below in pairwise((leg.hip, leg.knee, leg.ankle))
    }
    if leg.toe == leg.ankle:
        return {**turned, leg.ankle: goal.rotations[:, leg.ankle]}
    turned[leg.ankle] = aimed(leg.ankle, skeleton.offsets[leg.toe], source.offsets[leg.toe])
    turned[leg.toe] = aimed(leg.toe, skeleton.tip_of(leg.toe), source.tip_of(leg.toe))
    return turned


def _solved(
    skeleton: Skeleton, leg: Leg, aimed: Mapping[int, FloatArray], hip_position: FloatArray, target: FloatArray
) -> dict[int, FloatArray]:
    """Return world rotations [frame, 4] of hip, knee, ankle and toe, in this order, with the ankle at `target`."""
    bones = skeleton.offsets[[leg.knee, leg.ankle]]
    hinge = bend_axis(aimed[leg.hip], aimed[leg.knee], bones)
    length = np.linalg.norm(target - hip_position, axis=-1)
    solution = solve_leg(
        hip_position,
        target,
        world_from_thigh=aimed[leg.hip],
        world_from_shank=_bent_forwards(aimed[leg.hip], aimed[leg.knee], bones, hinge, length),
        knee_offset=bones[0],
        ankle_offset=bones[1],
        bend_axis=hinge,
    )
    feet = {joint: aimed[joint] for joint in (leg.ankle, leg.toe)}
    return {leg.hip: solution.world_from_thigh, leg.knee: solution.world_from_shank, **feet}


def _bent_forwards(
    world_from_thigh: FloatArray, world_from_shank: FloatArray, bones: FloatArray, hinge: FloatArray, length: FloatArray
) -> FloatArray:
    """Return world rotations [frame, 4] of a shank, turned forwards where its leg, nearly straight, must get shorter.

    Captured knees overextend by millimetres. To shorten such a leg to `length` [frame], in metres, the knee would bend
    further that way and jump backwards for a frame.
    """
    thigh, shank = quat_rotate(world_from_thigh, bones[0]), quat_rotate(world_from_shank, bones[1])
    shorter = length < np.linalg.norm(thigh + shank, axis=-1) - SAME_LENGTH
    thigh, shank = (bone / np.linalg.norm(bone, axis=-1, keepdims=True) for bone in (thigh, shank))
    forwards = np.cross(quat_rotate(world_from_thigh, np.broadcast_to(hinge, thigh.shape)), thigh)
    bend = (shank * forwards).sum(axis=-1, keepdims=True)
    straight = shorter[:, np.newaxis] & (bend > -MOST_OVEREXTENDED)
    lacking = np.where(straight, np.maximum(0.0, LEAST_BEND - bend), 0.0)
    return quat_multiply(quat_between(shank, shank + lacking * forwards), world_from_shank)


def _pelvis_drop(hip_positions: FloatArray, targets: FloatArray, lengths: FloatArray, frame_rate: float) -> FloatArray:
    """Return how far the pelvis must sink [frame], in metres, for both legs [frame, 2, 3] to reach, eased over time.

    `lengths` [frame, 2] are the distances from hip to ankle that the legs reach.
    """
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    offset = hip_positions - targets
    level = np.linalg.norm(offset[..., ::2], axis=-1)
    reachable = np.sqrt(np.maximum(lengths**2 - level**2, 0.0))
    lacking = np.maximum(offset[..., 1] - reachable, 0.0).max(axis=-1)
    width = 2 * round(0.5 * DROP_EASE * frame_rate) + 1
    return np.asarray(uniform_filter1d(maximum_filter1d(lacking, width, mode="nearest"), width, mode="nearest"))


def _longest(skeleton: Skeleton, leg: Leg, own: WorldPose, kept_bend: float) -> FloatArray:
    """Return the distance [frame] in metres from hip to ankle that `leg` may reach: see `fit_legs`."""
    thigh, shank = _length(skeleton, leg.knee), _length(skeleton, leg.ankle)
    straight = thigh + shank
    bent = np.sqrt(straight**2 - 4.0 * thigh * shank * np.sin(0.5 * kept_bend) ** 2)  # the law of cosines
    captured = np.linalg.norm(own.positions[:, leg.ankle] - own.positions[:, leg.hip], axis=-1)
    return np.asarray(np.clip(captured, bent, straight))


def _length(skeleton: Skeleton, joint: int) -> float:
    return float(np.linalg.norm(skeleton.offsets[joint]))
