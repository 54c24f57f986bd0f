"""Retargeting of clips to one skeleton with foot locking, and a report of the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.errors import FormatError, SkeletonError
from motionfields.base.wording import counted
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.clip.retargeting import transfer
from motionfields.motion.clip.rigs import find_rig
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.planting import plant_clip
from motionfields.motion.quality import FootSkate, foot_skate
from motionfields.motion.skeleton import Skeleton


class FootShift(NamedTuple):
    """Distance in metres by which the balls of the feet were moved, over all frames and both feet."""

    mean: float
    p95: float


@dataclass(frozen=True)
class RetargetReport:
    """Result of retargeting one clip; lengths in metres, speeds in metres per second."""

    source_rig: str | None  # a name of `RIGS`, or None
    target_rig: str | None
    pairs: tuple[tuple[str, str], ...]  # names (source, target) of the joints that were mapped
    dropped: tuple[str, ...]  # joints of the clip without a target
    at_rest: tuple[str, ...]  # joints of the new skeleton without a source
    scale: float  # leg length of the new body divided by that of the old
    fitted: FootShift  # by inverse kinematics of the legs
    planted: FootShift | None  # by foot locking, in addition; None where the feet were not locked
    skate_before: FootSkate  # of the source clip, in its contacts
    skate_after: FootSkate  # of the retargeted clip, in the same contacts
    contact_seconds: float  # total contact time of both feet

    def mapping_lines(self) -> list[str]:
        """Return a description of the joint mapping, line by line; it is the same for all clips of one skeleton."""
        renamed = [f"{source} -> {target}" for source, target in self.pairs if source != target]
        same = len(self.pairs) - len(renamed)
        lines = [
            f"rig: {self.source_rig or 'unknown'} to {self.target_rig or 'unknown'}, scale {self.scale:.3f}",
            f"mapped: {counted(len(self.pairs), 'joint')}, {same} of them with equal names",
        ]
        for label, names in (("renamed", renamed), ("dropped", self.dropped), ("left at rest", self.at_rest)):
            lines += [f"{label}: {', '.join(names)}"] if names else []
        return lines

    def motion_lines(self) -> list[str]:
        """Return a description of the changes to the motion, line by line."""
        shifts = [("fitting", self.fitted), *([("foot locking", self.planted)] if self.planted else [])]
        moved = ", ".join(
            f"{100.0 * shift.mean:.1f} cm by {name} (p95 {100.0 * shift.p95:.1f})" for name, shift in shifts
        )
        before, after = 100.0 * self.skate_before.mean, 100.0 * self.skate_after.mean
        return [f"feet moved {moved}", f"foot skate {before:.1f} cm/s before, {after:.1f} after"]

    def lines(self) -> list[str]:
        """Return the whole report, one fact per line."""
        return [*self.mapping_lines(), *self.motion_lines()]


class Retargeted(NamedTuple):
    """A retargeted clip and the report on it."""

    clip: Clip
    report: RetargetReport


def retarget_with_report(
    clip: Clip,
    skeleton: Skeleton,
    *,
    body: Body | None = None,
    names: Mapping[str, str] | None = None,
    plant: bool = True,
) -> Retargeted:
    """Retarget `clip` to `skeleton` as `retarget` does, lock its feet again, and report the result.

    With `plant`, the feet are locked during the contacts of `clip` itself; a clip in which one of the feet never stands
    is only fitted. `body` and `names` are those of `retarget`.
    """
    fitted, carried, match = transfer(clip, skeleton, body=body, names=names)
    contacts = detect_contacts(clip, body=match.source_body)
    result, planted = fitted, None
    if plant and contacts.any(axis=0).all():
        result = plant_clip(fitted, contacts, body=match.body)
        planted = _foot_shift(fitted, result, match.body)
    report = RetargetReport(
        find_rig(clip.skeleton),
        find_rig(skeleton),
        match.joints.pairs,
        match.joints.dropped,
        match.joints.at_rest,
        match.scale,
        _foot_shift(carried, fitted, match.body),
        planted,
        foot_skate(clip, contacts, body=match.source_body),
        foot_skate(result, contacts, body=match.body),
        int(contacts.sum()) * clip.frame_time,
    )
    return Retargeted(result, report)


def standing_height(clip: Clip, *, body: Body | None = None) -> float | None:
    """Return the height in metres of the balls of the feet while they stand on the lowest ground of `clip`.

    It is the 25th percentile over all contacts, so that stairs and boxes count only in clips that rarely leave them.
    None if no foot ever stands.
    """
    legs = (body or find_body(clip.skeleton)).legs
    contacts = detect_contacts(clip, body=body)
    heights = clip.world().positions[:, [leg.toe for leg in legs], 1][contacts]
    return float(np.percentile(heights, 25.0)) if heights.size else None


@contextmanager
def errors_of(clip: Clip) -> Iterator[None]:
    """Add the file of `clip` to errors about skeletons."""
    try:
        yield
    except SkeletonError as error:
        raise FormatError(str(error), path=clip.report.path if clip.report else clip.name) from None


def _foot_shift(before: Clip, after: Clip, body: Body) -> FootShift:
    """Return how far the balls of the feet moved from `before` to `after`, in metres."""
    balls = [clip.world().positions[:, [leg.toe for leg in body.legs]] for clip in (before, after)]
    distance = np.linalg.norm(balls[1] - balls[0], axis=-1)
    return (
        FootShift(float(distance.mean()), float(np.percentile(distance, 95.0)))
        if distance.size
        else FootShift(0.0, 0.0)
    )
