"""The motion database: motion states built from clips, which a motion field searches and follows.

Names for building from files and from several bodies are imported on first use, since playing does not need them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from motionfields.field.database.bodies import Bodies, Brought, Change, onto_one_body
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

_LATER = {
    **dict.fromkeys(("Bodies", "Brought", "Change", "onto_one_body"), "bodies"),
    **dict.fromkeys(("Recipe", "Streamed", "StreamedClip", "streamed_database"), "streaming"),
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
