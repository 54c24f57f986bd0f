"""Conversion of a database to the arrays and facts of an artifact file, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionfields.base.artifacts import Artifact, JsonValue
from motionfields.base.checks import check_indices, checked_number
from motionfields.base.errors import INVALID, ArtifactError, invalid_reason
from motionfields.field.database.columns import COLUMN_PREFIX, Column, checked_column
from motionfields.field.database.database import MotionDatabase
from motionfields.field.database.metric import Metric, MetricSettings
from motionfields.field.database.report import BuildReport
from motionfields.field.database.state_metric import StateMetric, checked_features, metric_from_facts
from motionfields.field.database.validation import LONGEST_FRAME, SHORTEST_FRAME, check_clip_starts, check_names
from motionfields.motion.skeleton import Skeleton

STATE_ARRAYS = (
    "root_height",
    "root_tilt",
    "joint_rotations",
    "root_step",
    "root_turn",
    "joint_turns",
    "contacts",
    "features",
)


def database_arrays(database: MotionDatabase) -> dict[str, NDArray[Any]]:
    """Return the arrays of `database`, by name."""
    skeleton, metric = database.skeleton, database.metric
    weights: dict[str, NDArray[Any]] = {}
    if isinstance(metric, Metric):
        weights = {"metric.joints": metric.joints, "metric.bone_weights": metric.bone_weights}
    return {
        **{name: getattr(database, name) for name in STATE_ARRAYS},
        "clip_starts": database.clip_starts,
        "skeleton.parents": skeleton.parents,
        "skeleton.offsets": skeleton.offsets,
        "skeleton.tip_joints": skeleton.tip_joints,
        "skeleton.tip_offsets": skeleton.tip_offsets,
        **weights,
        **{COLUMN_PREFIX + name: column for name, column in database.columns.items()},
    }


def database_facts(database: MotionDatabase) -> dict[str, JsonValue]:
    """Return the names, settings, report and sources of `database` as JSON values."""
    metric = database.metric
    own: JsonValue = (
        asdict(metric.settings) if isinstance(metric, Metric) else {"name": metric.name, "facts": metric.facts()}
    )
    columns: dict[str, JsonValue] = {"columns": list(database.columns)} if database.columns else {}
    return {
        "joint_names": list(database.skeleton.names),
        "frame_time": database.frame_time,
        "clip_names": list(database.clip_names),
        "metric": own,
        "report": database.report.as_json(),
        "sources": [list(source) for source in database.sources],
        **columns,
    }


def database_from(artifact: Artifact) -> MotionDatabase:
    """Return the database in `artifact`, with checked, memory-mapped arrays; raises `ArtifactError` if not valid."""
    facts: dict[str, Any] = dict(artifact.facts)
    try:
        skeleton, metric = _skeleton(artifact, facts), _metric(artifact, facts)
        check_names("clip_names", facts["clip_names"])
        starts = artifact.array("clip_starts", dtype=np.int64, shape=(len(facts["clip_names"]) + 1,))
        check_clip_starts(starts, len(facts["clip_names"]), int(starts[-1]))
        count, others = int(starts[-1]), skeleton.joint_count - 1
        shapes = {
            "root_height": (count,),
            "root_tilt": (count, 4),
            "joint_rotations": (count, others, 4),
            "root_step": (count, 3),
            "root_turn": (count, 3),
            "joint_turns": (count, others, 3),
            "features": (count, metric.dimension if isinstance(metric, Metric) else None),
        }
        database = MotionDatabase(
            skeleton=skeleton,
            frame_time=checked_number("frame_time", facts["frame_time"], SHORTEST_FRAME, LONGEST_FRAME),
            **{name: artifact.array(name, dtype=np.float32, shape=shape) for name, shape in shapes.items()},
            contacts=artifact.array("contacts", dtype=np.bool_, shape=(count, 2)),
            clip_starts=starts,
            clip_names=tuple(facts["clip_names"]),
            metric=metric,
            report=BuildReport.from_json(facts["report"]),
            sources=_sources(facts["sources"]),
            columns={name: _column(artifact, name, count) for name in facts.get("columns", ())},
        )
        if not isinstance(metric, Metric):
            _check_dimension(database)
        return database
    except INVALID as error:
        raise ArtifactError(
            f"holds an invalid motion database: {invalid_reason(error)}", path=str(artifact.path)
        ) from None


def _skeleton(artifact: Artifact, facts: dict[str, Any]) -> Skeleton:
    check_names("joint_names", facts["joint_names"])
    parents, tip_joints = (artifact.array(f"skeleton.{name}", dtype=np.int64) for name in ("parents", "tip_joints"))
    offsets, tip_offsets = (artifact.array(f"skeleton.{name}", dtype=np.float64) for name in ("offsets", "tip_offsets"))
    return Skeleton(tuple(facts["joint_names"]), parents, offsets, tip_joints, tip_offsets)


def _sources(given: Any) -> tuple[tuple[str, str], ...]:
    """Return paths and checksums of source files; ValueError if `given` is not a list of pairs of texts."""
    if not isinstance(given, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
        raise ValueError("sources: expected a list of paths with their checksums")
    for pair in given:
        check_names("sources", pair)
    return tuple((path, digest) for path, digest in given)


def _column(artifact: Artifact, name: str, state_count: int) -> Column:
    values = artifact.array(f"{COLUMN_PREFIX}{name}")
    column = checked_column(name, values)
    if len(column) != state_count:
        raise ValueError(f"column {name}: expected {state_count} values, got {len(column)}")
    return column


def _check_dimension(database: MotionDatabase) -> None:
    """Raise ValueError unless the metric's feature vectors have the dimension of those in the file."""
    wanted = checked_features(database.metric, database.states(slice(0, 1))).shape[1]
    if wanted != database.features.shape[1]:
        raise ValueError(f"features: expected the {wanted} of the metric, got {database.features.shape[1]}")


def _metric(artifact: Artifact, facts: dict[str, Any]) -> StateMetric:
    if "name" in facts["metric"]:
        return metric_from_facts(facts["metric"]["name"], facts["metric"]["facts"], path=str(artifact.path))
    joints = artifact.array("metric.joints", dtype=np.int64, shape=(None,))
    check_indices("metric.joints", joints, len(facts["joint_names"]) - 1)
    weights = artifact.array("metric.bone_weights", dtype=np.float64, shape=joints.shape)
    return Metric(joints, weights, MetricSettings(**facts["metric"]))
