"""Mapping between the joints of two skeletons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import IntArray
from motionfields.base.errors import SkeletonError
from motionfields.motion.clip.rigs import find_parts, joints_by_bare_name
from motionfields.motion.skeleton import Skeleton


class JointMap(NamedTuple):
    """For each joint of a target skeleton, the joint of a source skeleton that drives it."""

    source_of: IntArray  # [target joint], a joint of the source, or -1
    pairs: tuple[tuple[str, str], ...]  # names (source, target)
    dropped: tuple[str, ...]  # joints of the source without a target; the joints below inherit their rotation
    at_rest: tuple[str, ...]  # joints of the target without a source; they stay in the rest pose


def map_joints(source: Skeleton, target: Skeleton, *, names: Mapping[str, str] | None = None) -> JointMap:
    """Pair each joint of `target` with its counterpart in `source`; no joint is used twice.

    The pairs in `names` (source name -> target name) come first, then equal names, then names that are equal except for
    a prefix, then the same parts of the body according to `RIGS`, then the roots. A pair by body part is left out if it
    would reverse the order along a limb or the spine.
    """
    source_of = np.full(target.joint_count, -1)
    for a, b in _given(source, target, names or {}):
        if b in source_of or source_of[a] >= 0:
            pair = f"{source.names[b]} = {target.names[a]}"
            raise SkeletonError(f"names: expected each joint in one pair, got {pair} in addition to another")
        source_of[a] = b
    _take(source_of, _by_name(source), _by_name(target))
    _take(source_of, joints_by_bare_name(source), joints_by_bare_name(target))
    _take(source_of, find_parts(source), find_parts(target), order=(source, target))
    _take(source_of, {"root": 0}, {"root": 0}, order=(source, target))
    mapped = np.flatnonzero(source_of >= 0)
    taken = set(source_of[mapped].tolist())
    return JointMap(
        source_of,
        tuple((source.names[source_of[joint]], target.names[joint]) for joint in mapped),
        tuple(name for joint, name in enumerate(source.names) if joint not in taken),
        tuple(target.names[joint] for joint in np.flatnonzero(source_of < 0)),
    )


def _given(source: Skeleton, target: Skeleton, names: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs (target joint, source joint) that the caller specified."""
    for ours, theirs in names.items():
        for name, skeleton, whose in ((ours, source, "the clip's skeleton"), (theirs, target, "the target skeleton")):
            if name not in skeleton.names:
                raise SkeletonError(f"names: {whose} has no joint {name!r}; it has {', '.join(skeleton.names)}")
        yield target.index(theirs), source.index(ours)


def _by_name(skeleton: Skeleton) -> dict[str, int]:
    return {name: joint for joint, name in enumerate(skeleton.names)}


def _take(
    source_of: IntArray,
    sources: Mapping[str, int],
    targets: Mapping[str, int],
    *,
    order: tuple[Skeleton, Skeleton] | None = None,
) -> None:
    """Add to `source_of` the free joints with equal keys, and with `order` only those that keep it."""
    for key, joint in targets.items():
        other = sources.get(key, -1)
        if other < 0 or source_of[joint] >= 0 or other in source_of:
            continue
        if order is None or not _turned_around(source_of, other, joint, order):
            source_of[joint] = other


def _turned_around(source_of: IntArray, source: int, target: int, order: tuple[Skeleton, Skeleton]) -> bool:
    """Return whether a joint above `target` has its source below `source`, or the other way round."""
    ours, theirs = order
    for joint in np.flatnonzero(source_of >= 0).tolist():
        other = int(source_of[joint])
        if joint in theirs.path_to(target) and source in ours.path_to(other):
            return True
        if target in theirs.path_to(joint) and other in ours.path_to(source):
            return True
    return False
