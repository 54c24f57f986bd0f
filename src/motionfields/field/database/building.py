"""Building a database from clips: filter, resample, mirror, difference, label contacts, measure and warn.

The states of a clip depend on that clip alone (`clip_states`). Results over all clips need a second pass over the
states (`choose_metric`, `finished_parts`). So between the two, states can be kept in memory or in files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_angle
from motionfields.base.wording import counted
from motionfields.field.database.columns import COLUMN_PREFIX, ClipColumns, FrameValues, clip_key, state_values
from motionfields.field.database.duplicates import near_duplicates
from motionfields.field.database.metric import Metric, MetricSettings, bone_lengths, choose_joints
from motionfields.field.database.report import SPEED_EDGES, TURNING_EDGES, BuildReport
from motionfields.field.database.state_metric import StateMetric, check_metric, checked_features
from motionfields.field.database.states import MotionState, Pose, grounded, pose_difference, poses_of
from motionfields.motion import quality
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, fit_skeleton, low_pass, mirror, resample, symmetric_skeleton
from motionfields.motion.clip.timing import LOW_PASS_CUTOFF
from motionfields.motion.contact_labels import ContactLabels
from motionfields.motion.contacts import ContactSettings, detect_contacts
from motionfields.motion.skeleton import Skeleton

SAME_BONES = 1e-4  # metres: skeletons whose bones differ by at most this count as equal
HIGHEST_RATE = 1000.0  # frames per second of a database
MIRROR = ".mirror"  # ending of the names of mirror images
SHORTEST_CLIP = 4  # frames after resampling; shorter clips are left out


@dataclass(frozen=True)
class BuildSettings:
    """The settings of `MotionDatabase.build`."""

    frame_rate: float = 30.0
    mirrored: bool = True
    cutoff: float | None = LOW_PASS_CUTOFF  # Hz
    metric: MetricSettings | StateMetric = field(default_factory=MetricSettings)
    contacts: ContactSettings | ContactLabels = field(default_factory=ContactSettings)

    def __post_init__(self) -> None:
        if not 0.0 < self.frame_rate <= HIGHEST_RATE:
            raise ValueError(f"frame_rate: expected more than 0 and at most {HIGHEST_RATE:g}, got {self.frame_rate}")
        if isinstance(self.metric, StateMetric):
            check_metric(self.metric)


class Bones(NamedTuple):
    """The skeleton of a database, and its source."""

    skeleton: Skeleton
    change: float  # metres: largest change of a bone when the skeleton was made symmetric
    source: Skeleton  # the skeleton of the first clip
    source_name: str


class ClipSummary(NamedTuple):
    """Figures about one clip of the database, for the build report."""

    name: str
    state_count: int
    frame_time: float  # seconds
    seconds: float
    turning: list[int]  # number of frames between TURNING_EDGES
    speed: list[int]  # number of frames between SPEED_EDGES
    contact_count: list[int]  # number of states in contact, left and right


class ClipStates(NamedTuple):
    """The states that one clip adds to a database."""

    summary: ClipSummary
    arrays: dict[str, NDArray[Any]]  # by field name of `MotionDatabase`; the features are of all joints


class ReadyClip(NamedTuple):
    """The states made from one input clip and its mirror image, or only a warning if it is too short."""

    states: list[ClipStates]
    load_warnings: list[str]
    warnings: list[str]
    source: tuple[str, str] | None  # path and sha256


def database_parts(
    clips: Sequence[Clip], settings: BuildSettings, columns: ClipColumns | None = None
) -> dict[str, Any]:
    """Return the fields of the `MotionDatabase` of `clips`, by name, with the values of `columns`."""
    if not clips:
        raise ValueError("clips: expected at least one, got none")
    values, keys = columns or ClipColumns(), [clip_key(clip) for clip in clips]
    values.check_clips(keys, ordered=True)
    if isinstance(settings.contacts, ContactLabels):
        settings.contacts.check_used(keys)
    bones = common_bones(clips[0].skeleton, clips[0].name, mirrored=settings.mirrored)
    for clip in clips[1:]:
        check_bones(clip.skeleton, clip.name, bones)
    ready = [
        clip_states(clip, bones, settings, values.of(key, number))
        for number, (clip, key) in enumerate(zip(clips, keys, strict=True))
    ]
    parts = [states for one in ready for states in one.states]
    if not parts:
        longest = max(clips, key=lambda clip: clip.duration)
        raise ValueError(
            f"clips: expected at least one of {SHORTEST_CLIP} frames after resampling; the longest, {longest.name}, "
            f"lasts {longest.duration:.2f} s"
        )
    metric, dropped = choose_metric(bones.skeleton, (part.arrays["joint_rotations"] for part in parts), settings.metric)
    if isinstance(settings.metric, MetricSettings):
        for part in parts:
            part.arrays["features"] = own_features(part.arrays["features"], metric)
    return finished_parts(
        {name: np.concatenate([part.arrays[name] for part in parts]) for name in parts[0].arrays},
        [part.summary for part in parts],
        bones=bones,
        metric=metric,
        dropped=dropped,
        mirrored=settings.mirrored,
        warnings=[text for one in ready for text in one.load_warnings]
        + [text for one in ready for text in one.warnings],
        sources=tuple(one.source for one in ready if one.source),
    )


def common_bones(skeleton: Skeleton, name: str, *, mirrored: bool) -> Bones:
    """Return the skeleton of a database whose first clip, called `name`, has this `skeleton`."""
    try:
        find_body(skeleton)  # contact detection needs the legs: fail early
    except SkeletonError as error:
        raise SkeletonError(f"{name}: {error}") from None
    if mirrored:
        even = symmetric_skeleton(skeleton)
        change = float(np.linalg.norm(even.offsets[1:] - skeleton.offsets[1:], axis=-1).max(initial=0.0))
        if change > 1e-6:
            return Bones(even, change, skeleton, name)
    return Bones(skeleton, 0.0, skeleton, name)


def check_bones(skeleton: Skeleton, name: str, bones: Bones) -> None:
    """Raise `SkeletonError` unless the `skeleton` of the clip called `name` is that of the first clip."""
    if not skeleton.matches(bones.source, tolerance=SAME_BONES):
        raise SkeletonError(
            f"{name} and {bones.source_name} have different skeletons; a database needs one: retarget the clips "
            "first, or pass --skeleton to motionfields build"
        )


def clip_states(
    clip: Clip, bones: Bones, settings: BuildSettings, columns: Mapping[str, FrameValues] | None = None
) -> ReadyClip:
    """Return the states of `clip`, filtered, at the common frame rate, on the common bones, and mirrored.

    `columns` are the clip's own values, by column name.
    """
    report = clip.report
    told = [f"{clip.name}: {warning}" for warning in report.warnings] if report else []
    source = (report.path, report.sha256) if report else None
    even = resample(clip if settings.cutoff is None else low_pass(clip, settings.cutoff), settings.frame_rate)
    if even.frame_count < SHORTEST_CLIP:
        return ReadyClip(
            [],
            told,
            [f"{clip.name}: left out: {counted(even.frame_count, 'frame')}, needs at least {SHORTEST_CLIP}"],
            source,
        )
    fitted = even if bones.change == 0.0 else fit_skeleton(even, bones.skeleton)
    ready = [fitted]
    if settings.mirrored:
        ready.append(replace(mirror(fitted), skeleton=bones.skeleton, name=f"{clip.name}{MIRROR}"))
    labels = _given_contacts(clip, even, settings.contacts)
    states = []
    for is_mirrored, one in enumerate(ready):
        if labels is None:
            contacts = detect_contacts(one, _contact_settings(settings.contacts))
        else:
            contacts = labels[:, ::-1] if is_mirrored else labels
        made = _states(one, bones.skeleton, settings.metric, contacts[:-1])
        for name, values in (columns or {}).items():
            made.arrays[COLUMN_PREFIX + name] = state_values(name, values[is_mirrored], clip, even)
        states.append(made)
    return ReadyClip(states, told, [], source)


def _contact_settings(contacts: ContactSettings | ContactLabels) -> ContactSettings:
    return contacts.settings if isinstance(contacts, ContactLabels) else contacts


def _given_contacts(clip: Clip, even: Clip, contacts: ContactSettings | ContactLabels) -> BoolArray | None:
    """Return the contacts [frame, 2] that `contacts` give for `clip`, at the frames of `even`; None to detect them."""
    name = contacts.name_of(clip_key(clip)) if isinstance(contacts, ContactLabels) else None
    if name is None:
        return None
    assert isinstance(contacts, ContactLabels)
    report = clip.report
    offset = int(report.rest_frames.value) / float(report.frame_rate.value) if report else 0.0
    return contacts.labels(name, even, offset=offset)


def choose_metric(
    skeleton: Skeleton, rotations: Iterable[FloatArray], settings: MetricSettings | StateMetric
) -> tuple[StateMetric, dict[str, str]]:
    """Return the metric of a database, and the joints it leaves out with the reason for each.

    `rotations` are the joint rotations of all states, in parts [state, joint - 1, 4]; joints that never turn are left
    out. If `settings` is already a metric, it is returned as it is.
    """
    if isinstance(settings, StateMetric):
        return settings, {}
    first: FloatArray | None = None
    motion = np.zeros(skeleton.joint_count - 1)
    for part in rotations:
        first = part[:1] if first is None else first
        motion = np.maximum(motion, quat_angle(part, first).max(axis=0, initial=0.0))
    joints, dropped = choose_joints(skeleton, motion)
    return Metric(joints, bone_lengths(skeleton)[1:][joints], settings), dropped


def own_features(features: FloatArray, metric: StateMetric) -> FloatArray:
    """Return the features [state, dimension] of `metric`, selected from those [state, any] of all joints."""
    assert isinstance(metric, Metric)
    joint_count = (features.shape[1] - 6) // 6
    places = (3 * metric.joints[:, np.newaxis] + np.arange(3)).ravel()
    columns = np.concatenate([np.arange(6), 6 + places, 6 + 3 * joint_count + places])
    return np.take(features, columns, axis=1)


def finished_parts(
    arrays: Mapping[str, NDArray[Any]],
    clips: Sequence[ClipSummary],
    *,
    bones: Bones,
    metric: StateMetric,
    dropped: dict[str, str],
    mirrored: bool,
    warnings: Sequence[str],
    sources: tuple[tuple[str, str], ...],
) -> dict[str, Any]:
    """Return the fields of the `MotionDatabase` with the states in `arrays`, which come from `clips` in order."""
    starts = clip_ranges([clip.state_count for clip in clips])
    names = tuple(clip.name for clip in clips)
    alike = near_duplicates(arrays["features"], starts)
    told = (*warnings, *(f"{names[a]} and {names[b]} are nearly the same motion" for a, b in alike))
    return {
        "skeleton": bones.skeleton,
        "frame_time": clips[0].frame_time,
        "clip_starts": starts,
        "clip_names": names,
        "metric": metric,
        "report": _report(clips, bones.change, mirrored, dropped, told),
        "sources": sources,
        **{name: array for name, array in arrays.items() if not name.startswith(COLUMN_PREFIX)},
        "columns": {
            name.removeprefix(COLUMN_PREFIX): array for name, array in arrays.items() if name.startswith(COLUMN_PREFIX)
        },
    }


def _states(clip: Clip, skeleton: Skeleton, metric: MetricSettings | StateMetric, contacts: BoolArray) -> ClipStates:
    """Return the states of a clip: grounded poses, velocities and features; n frames give n - 1 states.

    `contacts` [state, 2] are the contacts of these states.
    """
    frames = poses_of(clip)
    later, earlier = (Pose(*(track[part] for track in frames)) for part in (slice(1, None), slice(None, -1)))
    pose, velocity = grounded(earlier), pose_difference(later, earlier)
    state = MotionState(pose, velocity)
    if isinstance(metric, StateMetric):
        features = checked_features(metric, state)
    else:  # features of all joints; the joints that count are known only after all clips
        every_joint = np.arange(skeleton.joint_count - 1)
        features = Metric(every_joint, bone_lengths(skeleton)[1:], metric).embed(state)
    arrays = {
        "root_height": pose.root_position[:, 1].astype(np.float32),
        "root_tilt": pose.root_rotation.astype(np.float32),
        "joint_rotations": pose.joint_rotations.astype(np.float32),
        "root_step": velocity.root_step.astype(np.float32),
        "root_turn": velocity.root_turn.astype(np.float32),
        "joint_turns": velocity.joint_turns.astype(np.float32),
        "contacts": contacts,
        "features": features,
    }
    summary = ClipSummary(
        clip.name,
        clip.frame_count - 1,
        clip.frame_time,
        clip.duration,
        _counts(np.abs(np.degrees(quality.turning_rate(clip))), TURNING_EDGES),
        _counts(quality.root_speed(clip), SPEED_EDGES),
        [int(count) for count in contacts.sum(axis=0)],
    )
    return ClipStates(summary, arrays)


def _report(
    clips: Sequence[ClipSummary], bone_change: float, mirrored: bool, dropped: dict[str, str], warnings: tuple[str, ...]
) -> BuildReport:
    """Return the build report of `clips`."""
    state_count = sum(clip.state_count for clip in clips)
    left, right = (sum(clip.contact_count[foot] for clip in clips) / state_count for foot in range(2))
    return BuildReport(
        clip_count=len(clips) // (2 if mirrored else 1),
        seconds=sum(clip.seconds for clip in clips),
        state_count=state_count,
        frame_rate=1.0 / clips[0].frame_time,
        mirrored=mirrored,
        bone_change=bone_change,
        dropped_joints=dropped,
        turning=_shares(np.sum([clip.turning for clip in clips], axis=0)),
        speed=_shares(np.sum([clip.speed for clip in clips], axis=0)),
        contact_share=(left, right),
        warnings=warnings,
    )


def _counts(values: FloatArray, edges: tuple[float, ...]) -> list[int]:
    return [int(count) for count in np.histogram(values, bins=np.array(edges))[0]]


def _shares(counts: IntArray) -> tuple[float, ...]:
    return tuple((counts / max(1, counts.sum())).tolist())


def clip_ranges(counts: Sequence[int]) -> IntArray:
    """Return the first state of each clip, followed by the total, [clip + 1], for clips of `counts` states."""
    return np.concatenate([[0], np.cumsum(np.asarray(counts, dtype=np.int64))])
