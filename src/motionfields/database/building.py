"""From clips to a database: filter, resample, mirror, take differences, label contacts, measure and warn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionfields import quality
from motionfields.arrays import BoolArray, FloatArray
from motionfields.body import find_body
from motionfields.clip import Clip, fit_skeleton, low_pass, mirror, resample, symmetric_skeleton
from motionfields.contacts import ContactSettings, detect_contacts
from motionfields.database.database import MotionDatabase, clip_ranges
from motionfields.database.duplicates import near_duplicates
from motionfields.database.metric import Metric, MetricSettings, bone_lengths, choose_joints
from motionfields.database.report import SPEED_EDGES, TURNING_EDGES, BuildReport
from motionfields.database.states import MotionState, Pose, PoseDelta, grounded, pose_difference, poses_of
from motionfields.errors import SkeletonError
from motionfields.geometry import quat_angle
from motionfields.skeleton import Skeleton

SAME_BONES = 1e-4  # metres by which the bones of skeletons may differ that count as one
SHORTEST_CLIP = 4  # frames after resampling; a shorter clip has hardly a state


def build_database(
    clips: Sequence[Clip],
    *,
    frame_rate: float,
    mirrored: bool,
    cutoff: float | None,
    metric_settings: MetricSettings,
    contact_settings: ContactSettings,
) -> MotionDatabase:
    """See `MotionDatabase.build`."""
    skeleton, bone_change = _common_skeleton(clips, mirrored)
    warnings = [f"{clip.name}: {warning}" for clip in clips if clip.report for warning in clip.report.warnings]
    ready = []
    for clip in clips:
        even = resample(clip if cutoff is None else low_pass(clip, cutoff), frame_rate)
        if even.frame_count < SHORTEST_CLIP:
            warnings.append(f"{clip.name}: {even.frame_count} frames are too few; left out")
            continue
        fitted = even if bone_change == 0.0 else fit_skeleton(even, skeleton)
        ready.append(fitted)
        if mirrored:
            ready.append(replace(mirror(fitted), skeleton=skeleton, name=f"{clip.name}.mirror"))
    if not ready:
        raise ValueError("clips: expected at least one clip of a few frames")
    return _from_ready(
        ready,
        skeleton=skeleton,
        bone_change=bone_change,
        mirrored=mirrored,
        metric_settings=metric_settings,
        contact_settings=contact_settings,
        warnings=warnings,
        sources=tuple((clip.report.path, clip.report.sha256) for clip in clips if clip.report),
    )


def _from_ready(
    clips: Sequence[Clip],
    *,
    skeleton: Skeleton,
    bone_change: float,
    mirrored: bool,
    metric_settings: MetricSettings,
    contact_settings: ContactSettings,
    warnings: list[str],
    sources: tuple[tuple[str, str], ...],
) -> MotionDatabase:
    """The database of `clips` that all have the final skeleton and frame rate."""
    pose, velocity = _states(clips)
    motion = quat_angle(pose.joint_rotations, pose.joint_rotations[:1]).max(axis=0)
    joints, dropped = choose_joints(skeleton, motion)
    metric = Metric(joints, bone_lengths(skeleton)[1:][joints], metric_settings)
    features = metric.embed(MotionState(pose, velocity))
    labels = [detect_contacts(clip, contact_settings)[:-1] for clip in clips]
    starts = clip_ranges([clip.frame_count - 1 for clip in clips])
    names = tuple(clip.name for clip in clips)
    warnings += [f"{names[a]} and {names[b]} are nearly the same motion" for a, b in near_duplicates(features, starts)]
    contacts = np.concatenate(labels)
    report = _report(clips, contacts, bone_change, mirrored, dropped, tuple(warnings))
    return MotionDatabase(
        skeleton=skeleton,
        frame_time=clips[0].frame_time,
        root_height=pose.root_position[:, 1].astype(np.float32),
        root_tilt=pose.root_rotation.astype(np.float32),
        joint_rotations=pose.joint_rotations.astype(np.float32),
        root_step=velocity.root_step.astype(np.float32),
        root_turn=velocity.root_turn.astype(np.float32),
        joint_turns=velocity.joint_turns.astype(np.float32),
        contacts=contacts,
        features=features,
        clip_starts=starts,
        clip_names=names,
        metric=metric,
        report=report,
        sources=sources,
    )


def _common_skeleton(clips: Sequence[Clip], mirrored: bool) -> tuple[Skeleton, float]:
    """The skeleton of the database, and by how many metres making it symmetric changed a bone at most."""
    if not clips:
        raise ValueError("clips: expected at least one")
    skeleton = clips[0].skeleton
    for clip in clips[1:]:
        if not clip.skeleton.matches(skeleton, tolerance=SAME_BONES):
            raise SkeletonError(
                f"{clip.name} and {clips[0].name} have different skeletons; a database holds one: retarget the clips "
                "to one of them first, or give --skeleton to motionfields build"
            )
    find_body(skeleton)  # contacts need the legs: better to say so at once
    if not mirrored:
        return skeleton, 0.0
    even = symmetric_skeleton(skeleton)
    change = float(np.linalg.norm(even.offsets[1:] - skeleton.offsets[1:], axis=-1).max(initial=0.0))
    return (even, change) if change > 1e-6 else (skeleton, 0.0)


def _states(clips: Sequence[Clip]) -> tuple[Pose, PoseDelta]:
    """Grounded poses and velocities [state] of all clips; a clip of n frames gives n - 1."""
    poses, velocities = [], []
    for clip in clips:
        frames = poses_of(clip)
        later, earlier = (Pose(*(track[part] for track in frames)) for part in (slice(1, None), slice(None, -1)))
        poses.append(grounded(earlier))
        velocities.append(pose_difference(later, earlier))
    return (
        Pose(*(np.concatenate(tracks) for tracks in zip(*poses, strict=True))),
        PoseDelta(*(np.concatenate(tracks) for tracks in zip(*velocities, strict=True))),
    )


def _report(
    clips: Sequence[Clip],
    contacts: BoolArray,
    bone_change: float,
    mirrored: bool,
    dropped: dict[str, str],
    warnings: tuple[str, ...],
) -> BuildReport:
    turning = np.concatenate([np.abs(np.degrees(quality.turning_rate(clip))) for clip in clips])
    speed = np.concatenate([quality.root_speed(clip) for clip in clips])
    return BuildReport(
        clip_count=len(clips) // (2 if mirrored else 1),
        seconds=sum(clip.duration for clip in clips),
        state_count=sum(clip.frame_count - 1 for clip in clips),
        frame_rate=clips[0].frame_rate,
        mirrored=mirrored,
        bone_change=bone_change,
        dropped_joints=dropped,
        turning=_shares(turning, TURNING_EDGES),
        speed=_shares(speed, SPEED_EDGES),
        contact_share=(float(contacts[:, 0].mean()), float(contacts[:, 1].mean())),
        warnings=warnings,
    )


def _shares(values: FloatArray, edges: tuple[float, ...]) -> tuple[float, ...]:
    counts = np.histogram(values, bins=np.array(edges))[0]
    return tuple((counts / max(1, counts.sum())).tolist())
