"""The check of a shard that an interrupted build left: its states, and the facts about its clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from motionfields.base.artifacts import Artifact
from motionfields.base.checks import check_array, check_fields, checked_count, checked_number
from motionfields.field.database.bodies import Change
from motionfields.field.database.building import SHORTEST_CLIP, ClipSummary
from motionfields.field.database.columns import COLUMN_PREFIX
from motionfields.field.database.report import SPEED_EDGES, TURNING_EDGES
from motionfields.field.database.state_metric import StateMetric
from motionfields.field.database.survey import Survey, SurveyedFile
from motionfields.field.database.validation import (
    LONGEST_FRAME,
    SHORTEST_FRAME,
    STATE_NAMES,
    check_names,
    check_states,
)
from motionfields.motion.clip.report import Finding, LoadReport

FINDINGS = ("scale", "up", "facing", "rest_frames", "frame_rate")


def check_shard(shard: Artifact, files: Sequence[SurveyedFile], survey: Survey) -> None:
    """Raise an error of `INVALID` unless `shard` holds valid states of `files`, and facts that the build can read."""
    facts: dict[str, Any] = dict(shard.facts)
    for name in ("load_warnings", "warnings"):
        check_names(name, list(facts[name]))
    if not len(facts["reports"]) == len(facts["changes"]) == len(files):
        raise ValueError("reports, changes: expected one for each file")
    for report, file in zip(map(load_report, facts["reports"]), files, strict=True):
        _check_report(report)
        if (report.path, report.sha256) != (file.path, file.sha256):
            raise ValueError(f"reports: expected {file.path}, got {report.path}")
    for change in facts["changes"]:
        if change is not None:
            _check_change(Change(*change))
    clips = [ClipSummary(*clip) for clip in facts["clips"]]
    for clip in clips:
        _check_summary(clip)
    # Files of fewer frames than a clip needs have no states; with mirror images these are at most twice as many.
    if not clips and sum(file.state_count for file in files) > 2 * SHORTEST_CLIP * len(files):
        raise ValueError("clips: expected the clips of the files, got none")
    if clips:
        _check_arrays(shard, sum(clip.state_count for clip in clips), survey)


def load_report(facts: Mapping[str, Any]) -> LoadReport:
    """Return the report from the result of `LoadReport.as_json`."""
    parts: dict[str, Any] = {n: Finding(**value) if isinstance(value, Mapping) else value for n, value in facts.items()}
    parts["warnings"] = tuple(parts["warnings"])
    return LoadReport(**parts)


def _check_arrays(shard: Artifact, count: int, survey: Survey) -> None:
    joint_count = survey.bones.skeleton.joint_count
    check_states({name: shard.arrays[name] for name in STATE_NAMES}, count, joint_count)
    features = shard.arrays["features"]
    if not isinstance(survey.recipe.settings.metric, StateMetric):  # of all joints
        check_array("features", features, np.float32, (count, 6 * joint_count))
    for name in survey.recipe.columns.names:
        if len(shard.arrays[COLUMN_PREFIX + name]) != count:
            raise ValueError(f"column {name}: expected {count} values")


def _check_summary(clip: ClipSummary) -> None:
    check_names("clips", [clip.name])
    checked_count("state_count", clip.state_count, 1)
    checked_number("frame_time", clip.frame_time, SHORTEST_FRAME, LONGEST_FRAME)
    checked_number("seconds", clip.seconds, 0.0)
    _check_counts("turning", clip.turning, len(TURNING_EDGES) - 1, clip.state_count)
    _check_counts("speed", clip.speed, len(SPEED_EDGES) - 1, clip.state_count)
    _check_counts("contact_count", clip.contact_count, 2, clip.state_count)


def _check_counts(name: str, counts: Sequence[Any], length: int, most: int) -> None:
    if len(counts) != length:
        raise ValueError(f"{name}: expected {length} numbers, got {len(counts)}")
    for count in counts:
        checked_count(name, count, 0, most + 1)  # frames: one more than states


def _check_report(report: LoadReport) -> None:
    check_fields(report)
    check_names("warnings", report.warnings)
    for name in FINDINGS:
        finding = getattr(report, name)
        if not isinstance(finding, Finding):
            raise ValueError(f"{name}: expected a value with its evidence")
        check_fields(finding)
        if not isinstance(finding.value, str):
            checked_number(name, finding.value)


def _check_change(change: Change) -> None:
    check_names("change", [change.name, *([] if change.rig is None else [change.rig])])
    for count in change[2:5]:
        checked_count("change", count)
    for number in change[5:]:
        checked_number("change", number)
