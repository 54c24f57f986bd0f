"""Clips of several bodies retargeted to one skeleton and one floor, with a report of the changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from motionfields.base.errors import FormatError
from motionfields.base.wording import counted
from motionfields.field.database.building import SAME_BONES
from motionfields.motion.clip import Clip
from motionfields.motion.clip.retargeting import match_skeletons
from motionfields.motion.retargeting import errors_of, retarget_with_report, standing_height
from motionfields.motion.skeleton import Skeleton


class Change(NamedTuple):
    """The changes made to one clip when it was retargeted from another body."""

    name: str
    rig: str | None
    mapped_count: int
    dropped_count: int
    at_rest_count: int
    scale: float  # leg length of the new body divided by that of the old
    lift: float  # metres by which the floor was raised
    skate_before: float  # foot skate, mean of both feet, metres per second
    skate_after: float
    contact_seconds: float  # contact time of both feet, over which the skate is averaged


class Brought(NamedTuple):
    """A clip on the common skeleton, and the changes made to it; None if it already had that skeleton."""

    clip: Clip
    change: Change | None


@dataclass(eq=False)
class _Body:
    """One body of the surveyed clips: its skeleton, scale and standing heights."""

    skeleton: Skeleton
    scale: float  # leg length of the target divided by its own
    heights: list[float] = field(default_factory=list)  # standing height of the feet in each clip, metres


class Bodies:
    """The bodies of a set of clips, and the common skeleton and floor: those of `target`.

    Captures differ by some centimetres in the height of their floor. All clips of a body are raised or lowered by one
    height, so that its feet stand as high as those of the target. The height of each of the two is the median of
    `standing_height` over its clips. So all clips must be surveyed (`survey`) before the first is converted
    (`brought`). Clips that already have the target's skeleton stay as they are. `names` are those of `retarget`.
    """

    def __init__(self, target: Clip, names: Mapping[str, str] | None = None) -> None:
        self.target = target.skeleton
        self._names = names or {}
        self._bodies = [_Body(target.skeleton, 1.0)]
        self.survey(target)

    def survey(self, clip: Clip) -> int:
        """Return the body number of `clip`, 0 for the target's, and record its standing height in the clip."""
        number = self._number(clip.skeleton)
        legs = None
        with errors_of(clip):
            if number != 0:
                match = match_skeletons(clip.skeleton, self.target, names=self._names)
                legs = match.source_body
                if number == len(self._bodies):
                    self._bodies.append(_Body(clip.skeleton, match.scale))
            height = standing_height(clip, body=legs)
        if height is not None:
            self._bodies[number].heights.append(height)
        return number

    def lift(self, number: int) -> float:
        """Return the metres by which the floor of a body is raised; 0 if it or the target never stands."""
        target, body = self._bodies[0], self._bodies[number]
        if number == 0 or not target.heights or not body.heights:
            return 0.0
        return float(np.median(target.heights) - body.scale * np.median(body.heights))

    def brought(self, clip: Clip) -> Brought:
        """Return the surveyed `clip` on the skeleton and floor of the target, with its feet locked again."""
        number = self._number(clip.skeleton)
        if number == 0:
            return Brought(clip, None)
        with errors_of(clip):
            moved, report = retarget_with_report(clip, self.target, names=self._names)
        lift = self.lift(number)
        change = Change(
            clip.name,
            report.source_rig,
            len(report.pairs),
            len(report.dropped),
            len(report.at_rest),
            report.scale,
            lift,
            report.skate_before.mean,
            report.skate_after.mean,
            report.contact_seconds,
        )
        return Brought(replace(moved, root_position=moved.root_position + np.array([0.0, lift, 0.0])), change)

    def _number(self, skeleton: Skeleton) -> int:
        """Return the number of the body with this `skeleton`, or the next free number."""
        alike = (n for n, body in enumerate(self._bodies) if body.skeleton.matches(skeleton, tolerance=SAME_BONES))
        return next(alike, len(self._bodies))


def onto_one_body(
    clips: Sequence[Clip],
    target: Clip,
    names: Mapping[str, str] | None = None,
    *,
    on_error: Callable[[FormatError], None] | None = None,
) -> tuple[list[Clip], list[Change]]:
    """Return `clips` on the skeleton and floor of `target` (see `Bodies`), and the changes to retargeted clips.

    A clip that cannot be retargeted raises `FormatError`; with `on_error`, that function receives the error and the
    clip is left out.
    """
    bodies = Bodies(target, names)
    usable = []
    for clip in clips:
        try:
            bodies.survey(clip)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            usable.append(clip)
    brought = [bodies.brought(clip) for clip in usable]
    return [one.clip for one in brought], [one.change for one in brought if one.change is not None]


def change_lines(changes: Sequence[Change]) -> list[str]:
    """Return a line of text for each source body; bodies of equal rig, size and floor count as one.

    Foot skate is the mean over the time in contact.
    """
    groups: dict[tuple[object, ...], list[Change]] = {}
    for change in changes:
        groups.setdefault((change.rig, change.scale, change.lift), []).append(change)
    lines = [_line(group) for group in groups.values()]
    if len(groups) > 1:
        before, after = mean_skate(changes)
        lines.append(
            f"retargeted {counted(len(changes), 'clip')} of {counted(len(groups), 'body', 'bodies')}: "
            f"foot skate {100.0 * before:.2f} cm/s before, {100.0 * after:.2f} after"
        )
    return lines


def mean_skate(changes: Sequence[Change]) -> tuple[float, float]:
    """Return foot skate in metres per second before and after, over all contact time; 0 if there is none."""
    seconds = sum(change.contact_seconds for change in changes)
    before = sum(change.contact_seconds * change.skate_before for change in changes)
    after = sum(change.contact_seconds * change.skate_after for change in changes)
    return (before / seconds, after / seconds) if seconds > 0.0 else (0.0, 0.0)


def _line(group: Sequence[Change]) -> str:
    """Return the line of text for the clips of one source body."""
    first = group[0]
    before, after = mean_skate(group)
    name = first.name + (f" and {len(group) - 1} more" if len(group) > 1 else "")
    return (
        f"retargeted {name}: {first.rig or 'unknown rig'}, {counted(first.mapped_count, 'joint')} mapped, "
        f"{first.dropped_count} dropped, {first.at_rest_count} left at rest, scale {first.scale:.3f}, "
        f"raised {100.0 * first.lift:.1f} cm, foot skate {100.0 * before:.1f} cm/s before, {100.0 * after:.1f} after"
    )
