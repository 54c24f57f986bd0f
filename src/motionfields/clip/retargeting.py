"""A motion of one body as a motion of another, larger or smaller one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionfields.body import Body, find_body
from motionfields.clip.clip import Clip
from motionfields.clip.fitting import fit_skeleton
from motionfields.clip.place import rescale
from motionfields.errors import SkeletonError
from motionfields.skeleton import Skeleton


def retarget(clip: Clip, skeleton: Skeleton, *, body: Body | None = None) -> Clip:
    """`clip` as a motion of `skeleton`, which has joints of the same names on the same parents, in any order.

    The body is scaled by the ratio of the leg lengths (thigh and shank, mean of both sides), and the way of the root
    [frame, 3] in metres with it. Joints keep their rotations [frame, joint, 4], by name: both skeletons must mean the
    same by them, with bones that point the same way at rest. Legs are then solved for, so that the ball of each foot
    is exactly where the scaled body had it: a foot that stood on the floor still does (see `fit_skeleton`).

    Raises `SkeletonError` where joints differ, or a leg is not found by name and no `body` of `skeleton` is given.
    """
    order = _joint_order(clip.skeleton, skeleton)
    legs = body or find_body(skeleton)
    source = _in_order(clip.skeleton, skeleton, order)
    ratio = _leg_length(skeleton, legs) / _leg_length(source, legs)
    scaled = rescale(replace(clip, skeleton=source, rotations=clip.rotations[:, order]), ratio)
    return fit_skeleton(scaled, skeleton, body=legs)


def _joint_order(source: Skeleton, target: Skeleton) -> list[int]:
    """The joint of `source` that each of `target` is, by name."""
    if set(source.names) != set(target.names):
        missing, extra = (
            sorted(set(a) - set(b)) for a, b in ((target.names, source.names), (source.names, target.names))
        )
        raise SkeletonError(
            f"skeleton: expected joints of the clip's names; the clip lacks {', '.join(missing[:8]) or 'none'} "
            f"and has {', '.join(extra[:8]) or 'none'} besides"
        )
    for joint, name in enumerate(target.names):
        above = [s.names[s.parents[i]] if s.parents[i] >= 0 else "nothing" for s, i in _places(source, target, joint)]
        if above[0] != above[1]:
            raise SkeletonError(f"skeleton: {name} hangs on {above[1]}, in the clip on {above[0]}")
    return [source.index(name) for name in target.names]


def _places(source: Skeleton, target: Skeleton, joint: int) -> list[tuple[Skeleton, int]]:
    """Where joint `joint` of `target` is in both skeletons."""
    return [(source, source.index(target.names[joint])), (target, joint)]


def _in_order(source: Skeleton, target: Skeleton, order: list[int]) -> Skeleton:
    """`source` with its joints as `target` has them."""
    place = np.argsort(order)
    return Skeleton(target.names, target.parents, source.offsets[order], place[source.tip_joints], source.tip_offsets)


def _leg_length(skeleton: Skeleton, body: Body) -> float:
    """Thigh and shank in metres, the mean of both sides."""
    bones = [joint for leg in body.legs for joint in (leg.knee, leg.ankle)]
    return float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum()) / 2.0
