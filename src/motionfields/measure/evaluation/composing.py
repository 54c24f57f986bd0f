"""Figures of composed motion beside the captured frames that it shows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.authoring.compose.composing import Composition
from motionfields.authoring.compose.solving import cut_frames
from motionfields.base.arrays import FloatArray
from motionfields.field import MotionField
from motionfields.measure.evaluation.footing import replayed_frames
from motionfields.motion import footwork, quality

SEAM_REACH = 9  # frames before and after a cut that count as its seam, 0.3 s at 30 frames per second


class ComposeFigures(NamedTuple):
    """Quality of a composed motion; ratios are to the captured frames that it shows, by the same measures."""

    jerk: float  # ratio of the mean jerk
    joint_speed: float  # ratio of the mean angular speed of the joints
    skate: float  # m/s, mean horizontal speed of the balls of the feet in the contacts of the captured frames
    lower_foot: float  # ratio of the 95th percentiles of the speed of the supporting foot
    worst_seam: float  # highest jerk around a cut over the 99th percentile of the captured frames
    replayed: float  # share of frames whose moment was shown just before (see `replayed_frames`)
    cuts_per_second: float
    labels_met: float  # share of the asked frames


class SourceTracks(NamedTuple):
    """Measures of every state of a database as captured; NaN at the ends of clips."""

    jerk: FloatArray  # [state], m/s3
    joint_speed: FloatArray  # [state], rad/s
    lower_foot: FloatArray  # [state], m/s


def source_tracks(field: MotionField) -> SourceTracks:
    """Return the measures of every state of `field`."""
    database = field.database
    tracks = SourceTracks(*(np.full(database.state_count, np.nan) for _ in range(3)))
    joints = np.arange(1, database.skeleton.joint_count)
    for clip, start in zip(database.iter_source_clips(), database.clip_starts[:-1], strict=True):
        if clip.frame_count < 4:
            continue
        jerk, speed = quality.jerk(clip), quality.joint_speed(clip, joints=joints)
        lower = footwork.lower_foot_speed(clip, field.stance)
        tracks.jerk[start + 1 : start + 1 + len(jerk)] = jerk
        tracks.joint_speed[start : start + len(speed)] = speed
        tracks.lower_foot[start : start + len(lower)] = lower
    return tracks


def compose_figures(field: MotionField, composition: Composition, source: SourceTracks) -> ComposeFigures:
    """Return the quality figures of `composition`, with those of `source` at the states that it shows."""
    clip, path = composition.clip, composition.path
    joints = np.arange(1, clip.skeleton.joint_count)
    jerk, captured = quality.jerk(clip), source.jerk[path]
    cuts = cut_frames(path)
    near = np.zeros(len(jerk), np.bool_)
    for cut in cuts.tolist():
        near[max(0, cut - SEAM_REACH) : max(0, cut + SEAM_REACH - 2)] = True  # a jerk spans four frames
    lower = np.percentile(footwork.lower_foot_speed(clip, field.stance), 95.0)
    return ComposeFigures(
        float(jerk.mean() / np.nanmean(captured)),
        float(quality.joint_speed(clip, joints=joints).mean() / np.nanmean(source.joint_speed[path])),
        quality.foot_skate(clip, field.database.contacts[path]).mean,
        float(lower / np.nanpercentile(source.lower_foot[path], 95.0)),
        float(jerk[near].max(initial=0.0) / np.nanpercentile(captured, 99.0)),
        float(replayed_frames(path, clip.frame_time).mean()),
        len(cuts) / (len(path) * clip.frame_time),
        composition.labels_met,
    )
