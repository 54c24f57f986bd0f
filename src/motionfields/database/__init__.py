"""Motion states from clips: what a motion field searches and follows."""

from motionfields.database.database import MotionDatabase
from motionfields.database.metric import Metric, MetricSettings
from motionfields.database.report import BuildReport
from motionfields.database.states import (
    MotionState,
    Pose,
    PoseDelta,
    apply_delta,
    blend_deltas,
    copied,
    grounded,
    pose_difference,
)

__all__ = [
    "BuildReport",
    "Metric",
    "MetricSettings",
    "MotionDatabase",
    "MotionState",
    "Pose",
    "PoseDelta",
    "apply_delta",
    "blend_deltas",
    "copied",
    "grounded",
    "pose_difference",
]
