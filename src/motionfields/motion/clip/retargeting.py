"""Retargeting of a motion to a skeleton with other proportions, another rest pose and other joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_conjugate, quat_multiply
from motionfields.motion.body import Body, Leg, find_body
from motionfields.motion.clip.clip import Clip
from motionfields.motion.clip.fitting import LegGoal, ankle_target, fit_legs
from motionfields.motion.clip.mapping import JointMap, map_joints
from motionfields.motion.clip.place import rescale
from motionfields.motion.clip.resting import IDENTITY, rest_corrections, rest_positions
from motionfields.motion.skeleton import Skeleton


class Match(NamedTuple):
    """Correspondence between the joints and legs of two skeletons."""

    joints: JointMap
    scale: float  # leg length of the new body divided by that of the old
    source_body: Body  # legs of the old one
    body: Body  # legs of the new one; the ankle stands in for the ball of the foot where either skeleton has none


class Transfer(NamedTuple):
    """A retargeted clip with its intermediate results."""

    clip: Clip  # the retargeted motion
    carried: Clip  # the same before the legs were fitted: rotations only
    match: Match


def retarget(
    clip: Clip, skeleton: Skeleton, *, body: Body | None = None, names: Mapping[str, str] | None = None
) -> Clip:
    """Return `clip` as a motion of `skeleton`, with joints matched by their names (see `map_joints`).

    Joints keep their rotations in the world, corrected by the difference of the two rest poses (see
    `rest_corrections`). The body and the root's path [frame, 3] in metres are scaled by the ratio of the leg lengths
    (thigh and shank, mean of both sides). Inverse kinematics then puts the ball of each foot exactly where the scaled
    body had it, so a foot that stood on the floor still does. `names` maps joints of the clip to joints of `skeleton`
    where the names alone do not.

    Raises `SkeletonError` if the legs of `skeleton` are not found by name and no `body` is given, or if the clip has no
    joints for them.
    """
    return transfer(clip, skeleton, body=body, names=names).clip


def match_skeletons(
    source: Skeleton, target: Skeleton, *, body: Body | None = None, names: Mapping[str, str] | None = None
) -> Match:
    """Return how motions of `source` map to motions of `target`; raise `SkeletonError` as `retarget` does."""
    joints = map_joints(source, target, names=names)
    old, new = _counterparts(source, target, joints, body or find_body(target))
    return Match(joints, _leg_length(target, new) / _leg_length(source, old), old, new)


def transfer(
    clip: Clip, skeleton: Skeleton, *, body: Body | None = None, names: Mapping[str, str] | None = None
) -> Transfer:
    """Retarget as `retarget` does, and return the intermediate results too."""
    match = match_skeletons(clip.skeleton, skeleton, body=body, names=names)
    joints, scale, old, new = match
    scaled = rescale(clip, scale)
    goal = scaled.world()
    turns = rest_corrections(clip.skeleton, skeleton, joints, new)
    carried = replace(
        clip, skeleton=skeleton, root_position=scaled.root_position, rotations=_carried(scaled, skeleton, joints, turns)
    )
    own = carried.world()
    hips = [[leg.hip for leg in side.legs] for side in (old, new)]
    shift = (goal.positions[:, hips[0]] - own.positions[:, hips[1]]).mean(axis=1)
    carried = replace(carried, root_position=scaled.root_position + shift)
    goals = []
    for was, leg in zip(old.legs, new.legs, strict=True):
        stretch = _distance(skeleton, leg.ankle, leg.toe) / max(_distance(scaled.skeleton, was.ankle, was.toe), 1e-9)
        aimed = {joint: own.rotations[:, joint] for joint in (leg.hip, leg.knee, leg.ankle, leg.toe)}
        goals.append(LegGoal(goal.positions[:, was.hip], ankle_target(goal, was, stretch=stretch), aimed))
    return Transfer(fit_legs(carried, new.legs, goals), carried, match)


def _counterparts(source: Skeleton, target: Skeleton, joints: JointMap, body: Body) -> tuple[Body, Body]:
    """Return the corresponding legs of both skeletons."""
    old, new, missing = [], [], []
    for leg in body.legs:
        hip, knee, ankle, toe = joints.source_of[[leg.hip, leg.knee, leg.ankle, leg.toe]].tolist()
        missing += [
            target.names[own] for own, other in ((leg.hip, hip), (leg.knee, knee), (leg.ankle, ankle)) if other < 0
        ]
        old.append(Leg(hip, knee, ankle, toe if toe >= 0 else ankle))
        new.append(leg if toe >= 0 else replace(leg, toe=leg.ankle))
    if missing:
        raise SkeletonError(
            f"no joint of the clip matches {', '.join(missing)} of the target skeleton; the clip has "
            f"{', '.join(source.names[:40])}: map them with names={{clip's: target's}} or --map CLIP=TARGET"
        )
    for skeleton, legs in ((source, old), (target, new)):
        if not _leg_length(skeleton, Body(legs[0], legs[1])) > 0.0:
            raise SkeletonError(f"{skeleton.names[legs[0].hip]}: expected a leg of positive length, got 0")
    return Body(old[0], old[1]), replace(body, left_leg=new[0], right_leg=new[1])


def _carried(clip: Clip, target: Skeleton, joints: JointMap, turns: FloatArray) -> FloatArray:
    """Return the rotations [frame, target joint, 4] that give mapped joints the corrected world rotations of `clip`."""
    source = clip.world().rotations
    world = np.empty((clip.frame_count, target.joint_count, 4))
    rotations = np.tile(IDENTITY, (clip.frame_count, target.joint_count, 1))
    for joint in range(target.joint_count):
        parent, other = target.parents[joint], joints.source_of[joint]
        above = world[:, parent] if parent >= 0 else rotations[:, joint]
        world[:, joint] = quat_multiply(source[:, other], turns[joint]) if other >= 0 else above
        if other >= 0:
            rotations[:, joint] = quat_multiply(quat_conjugate(above), world[:, joint])
    return rotations


def _distance(skeleton: Skeleton, upper: int, lower: int) -> float:
    """Return the distance in metres between two joints at rest."""
    places = rest_positions(skeleton)
    return float(np.linalg.norm(places[lower] - places[upper]))


def _leg_length(skeleton: Skeleton, body: Body) -> float:
    """Return the length of thigh plus shank in metres, the mean of both sides."""
    bones = [bone for leg in body.legs for bone in ((leg.hip, leg.knee), (leg.knee, leg.ankle))]
    return sum(_distance(skeleton, *bone) for bone in bones) / 2.0
