"""The motion database: motion states built from clips, which a motion field searches and follows."""

from motionfields.field.database.bodies import Bodies, Brought, Change, onto_one_body
from motionfields.field.database.building import BuildSettings
from motionfields.field.database.columns import ClipColumn, ClipColumns
from motionfields.field.database.database import MotionDatabase
from motionfields.field.database.metric import Metric, MetricSettings
from motionfields.field.database.report import BuildReport
from motionfields.field.database.state_metric import METRICS, StateMetric
from motionfields.field.database.states import (
    MotionState,
    Pose,
    PoseDelta,
    apply_delta,
    blend_deltas,
    copied,
    grounded,
    pose_difference,
)
from motionfields.field.database.streaming import Recipe, Streamed, StreamedClip, streamed_database

__all__ = [
    "METRICS",
    "Bodies",
    "Brought",
    "BuildReport",
    "BuildSettings",
    "Change",
    "ClipColumn",
    "ClipColumns",
    "Metric",
    "MetricSettings",
    "MotionDatabase",
    "MotionState",
    "Pose",
    "PoseDelta",
    "Recipe",
    "StateMetric",
    "Streamed",
    "StreamedClip",
    "apply_delta",
    "blend_deltas",
    "copied",
    "grounded",
    "onto_one_body",
    "pose_difference",
    "streamed_database",
]
