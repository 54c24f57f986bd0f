"""Figures of the source data, which are the denominators of every ratio."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.field import MotionField
from motionfields.field.database import Metric, MotionDatabase
from motionfields.measure.evaluation.footing import FootFigures, foot_figures, foot_tracks
from motionfields.motion import quality
from motionfields.motion.planting.measures import low_foot_skate

MEAN_ANGLE = np.radians(92.5)  # mean change of direction that counts: uniform from 5 to 180 degrees
LEAST_SKATE = 0.02  # m/s; generated feet do not slide, so their own skate cannot serve as a reference


class SourceFigures(NamedTuple):
    """Figures of a field's clips, as they entered the database."""

    jerk: float  # m/s3, mean over all frames
    turning_jerk: float  # m/s3, mean over frames that turn faster than 60 degrees per second
    skate: float  # m/s, judged by the height and horizontal speed of the feet, independent of contact labels
    turning_rate: quality.TurningRate  # rad/s
    joint_speed: FloatArray  # [state], rad/s, mean over the joints in the metric
    feet: FootFigures

    @property
    def limit(self) -> float:
        """Physical limit: seconds the mean turn takes at the data's own 95th percentile of turning rate."""
        return float(MEAN_ANGLE / self.turning_rate.p95)


def measure_source(field: MotionField) -> SourceFigures:
    """Measure the source data of `field`."""
    database = field.database
    clips = [clip for clip in database.source_clips() if clip.frame_count >= 4]
    jerks = [quality.jerk(clip) for clip in clips]
    rates = [np.abs(quality.turning_rate(clip)) for clip in clips]
    turning = np.concatenate([values[fast_turns(rate)] for values, rate in zip(jerks, rates, strict=True)])
    rate = np.concatenate(rates)
    speed = np.linalg.norm(database.joint_turns[:, _metric_joints(database)], axis=-1).mean(axis=-1)
    return SourceFigures(
        float(np.concatenate(jerks).mean()),
        float(turning.mean()) if turning.size else float("nan"),
        max(LEAST_SKATE, float(np.mean([low_foot_skate(clip, field.stance) for clip in clips]))),
        quality.TurningRate(*(float(np.percentile(rate, share)) for share in (95.0, 99.0, 100.0))),
        speed / database.frame_time,
        foot_figures([foot_tracks(clip, field.stance) for clip in clips]),
    )


def fast_turns(rate: FloatArray) -> BoolArray:
    """Return which values [frame - 3] of `quality.jerk` belong to fast turns, given the turning `rate` [frame]."""
    fast = rate > quality.FAST_TURN
    return np.asarray(fast[1:-2] | fast[2:-1])


def counted_joints(field: MotionField) -> IntArray:
    """Return the joints of the skeleton that the metric uses."""
    return np.asarray(_metric_joints(field.database) + 1)


def _metric_joints(database: MotionDatabase) -> IntArray:
    """Return the joints in the metric, as indices into `Pose.joint_rotations`; all joints for a custom metric."""
    metric = database.metric
    return metric.joints if isinstance(metric, Metric) else np.arange(database.skeleton.joint_count - 1)
