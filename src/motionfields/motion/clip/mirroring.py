"""Mirror images of motions, with left and right exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionfields.base.arrays import IntArray
from motionfields.base.errors import SkeletonError
from motionfields.motion.body import find_pairs, split_side
from motionfields.motion.clip.clip import Clip
from motionfields.motion.skeleton import Skeleton

FLIP_VECTOR = np.array([-1.0, 1.0, 1.0])  # reflection in the plane x = 0
FLIP_ROTATION = np.array([1.0, 1.0, -1.0, -1.0])  # the same reflection, applied to a quaternion wxyz


def mirror(clip: Clip, *, pairs: Mapping[str, str] | None = None) -> Clip:
    """Return the exact mirror image of `clip` in the plane x = 0.

    `pairs` maps left joint names to right ones (default: found by name, see `find_pairs`); a joint mapped to itself
    counts as central whatever its name. Left and right bones are exchanged together with the motion, so every foot
    stands exactly where the other one stood, and mirroring twice is the identity. If left and right bones differ, the
    result is a motion of the mirrored skeleton. To get a motion of the clip's own skeleton, use `fit_skeleton`, or
    mirror a clip on its `symmetric_skeleton`.
    """
    skeleton = clip.skeleton
    partner = _partners(skeleton, find_pairs(skeleton) if pairs is None else pairs)
    return replace(
        clip,
        skeleton=_mirrored(skeleton, partner),
        root_position=clip.root_position * FLIP_VECTOR,
        rotations=clip.rotations[:, partner] * FLIP_ROTATION,
    )


def symmetric_skeleton(skeleton: Skeleton, *, pairs: Mapping[str, str] | None = None) -> Skeleton:
    """Return `skeleton` with equal left and right bones: the mean of itself and its mirror image."""
    image = _mirrored(skeleton, _partners(skeleton, find_pairs(skeleton) if pairs is None else pairs))
    return replace(
        skeleton,
        offsets=0.5 * (skeleton.offsets + image.offsets),
        tip_offsets=0.5 * (skeleton.tip_offsets + image.tip_offsets),
    )


def _mirrored(skeleton: Skeleton, partner: IntArray) -> Skeleton:
    return replace(
        skeleton,
        offsets=skeleton.offsets[partner] * FLIP_VECTOR,
        tip_offsets=skeleton.tip_offsets[_tip_partners(skeleton, partner)] * FLIP_VECTOR,
    )


def _partners(skeleton: Skeleton, pairs: Mapping[str, str]) -> IntArray:
    """Return the joint [joint] that each joint is exchanged with, checked against the hierarchy."""
    partner = np.arange(skeleton.joint_count)
    for left, right in pairs.items():
        a, b = skeleton.index(left), skeleton.index(right)
        partner[a], partner[b] = b, a
    if not np.array_equal(partner[partner], np.arange(skeleton.joint_count)):
        raise SkeletonError("pairs: expected each joint in one pair only")
    lone = [name for joint, name in enumerate(skeleton.names) if partner[joint] == joint and pairs.get(name) != name]
    alone = [name for name in lone if split_side(name)[0] is not None]
    if alone:
        raise SkeletonError(f"no partner found for {', '.join(alone)}; pass pairs of left and right joint names")
    parents = skeleton.parents
    apart = [n for j, n in enumerate(skeleton.names) if j and parents[partner[j]] != partner[parents[j]]]
    if apart:
        raise SkeletonError(f"left and right differ above {apart[0]}; mirroring needs the same joints on both sides")
    return partner


def _tip_partners(skeleton: Skeleton, partner: IntArray) -> IntArray:
    """Return the tip [tip] whose offset each tip takes: the one at the same rank on the partner joint."""
    places: dict[int, list[int]] = {}
    for tip, joint in enumerate(skeleton.tip_joints):
        places.setdefault(int(joint), []).append(tip)
    order = np.arange(len(skeleton.tip_joints))
    for joint, tips in places.items():
        others = places.get(int(partner[joint]), [])
        if len(others) != len(tips):
            raise SkeletonError(f"{skeleton.names[joint]} and its partner have different end sites")
        order[tips] = others
    return order
