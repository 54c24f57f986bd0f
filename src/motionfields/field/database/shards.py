"""Shards: files with the states of some clips each, so that an interrupted build can resume.

The name of a *shard* is a hash of everything that determines its content: the checksums of the files, all settings, the
skeleton and the floor. So an existing shard can be reused, and a shard with other content has another name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.artifacts import Artifact, JsonValue, read_artifact, write_artifact
from motionfields.base.errors import INVALID, ArtifactError, FormatError
from motionfields.base.storage import Location, exists, forget, joined, remove
from motionfields.base.wording import counted
from motionfields.field.database.building import BuildSettings, ClipStates, clip_states
from motionfields.field.database.metric import MetricSettings
from motionfields.field.database.shard_checks import check_shard
from motionfields.field.database.state_metric import StateMetric
from motionfields.field.database.survey import StreamedClip, Survey, SurveyedFile
from motionfields.motion.clip import Clip
from motionfields.motion.formats.loading import iter_files
from motionfields.motion.skeleton import Skeleton

SHARD_VERSION = 1
SHARD_STATES = 16_000  # most states in a shard, unless one clip has more; 30 MB with 31 joints
PLAN_NAME = "plan.shards"
_SHARD_NAME = re.compile(r"[0-9a-f]{32}\.shard")


class ShardPlan(NamedTuple):
    """The name of one shard and the files it holds."""

    name: str
    files: list[SurveyedFile]


def plan_shards(surveyed: Sequence[SurveyedFile], folder: Location, survey: Survey) -> list[ShardPlan]:
    """Assign files to shards, save the plan, and delete shards that only an earlier plan has.

    A shard ends where it is full, and where a shard of the earlier plan began, so that a file that has become longer
    does not shift all shards after it.
    """
    earlier = _earlier_plan(folder)
    groups: list[list[SurveyedFile]] = []
    room = 0
    for file in surveyed:
        if not groups or file.state_count > room or file.path in earlier:
            groups.append([])
            room = SHARD_STATES
        groups[-1].append(file)
        room -= file.state_count
    text = _fingerprint(survey)
    plans = [ShardPlan(_shard_name(text, group, survey), group) for group in groups]
    names: dict[str, JsonValue] = {plan.files[0].path: plan.name for plan in plans}
    for name in set(earlier.values()) - set(names.values()):
        _discard(joined(folder, name))
    write_artifact(joined(folder, PLAN_NAME), kind="shards", version=SHARD_VERSION, arrays={}, facts={"names": names})
    return plans


def make_shards(
    sources: Iterable[str | Path],
    plans: Sequence[ShardPlan],
    folder: Location,
    survey: Survey,
    on_progress: Callable[[str], None],
) -> None:
    """Write the shards of `plans` that are missing or incomplete."""
    missing = {plan.name for plan in plans if not _is_whole(folder, plan, survey)}
    if not missing:
        return
    file_count = sum(len(plan.files) for plan in plans)
    done = state_count = 0
    planned = {surveyed.path for plan in plans for surveyed in plan.files}  # without files that were skipped
    files = (file for source in sources for file in iter_files(source) if file.path in planned)
    for plan in plans:
        shard = _Shard()
        for surveyed in plan.files:
            file = next(files, None)
            if plan.name in missing:
                data = file.read() if file is not None and file.path == surveyed.path else b""
                if hashlib.sha256(data).hexdigest() != surveyed.sha256:
                    raise FormatError("changed during the build; run the same command again", path=surveyed.path)
                shard.add(*survey.prepared(data, surveyed.path), survey)
            done += 1
            state_count += surveyed.state_count
            on_progress(f"building states: {done} of {counted(file_count, 'clip')}, {counted(state_count, 'state')}")
        if plan.name in missing:
            shard.write(joined(folder, plan.name))


def read_shard(folder: Location, name: str) -> Artifact:
    """Return the shard `name`: the arrays of its states, and facts about its clips."""
    return read_artifact(joined(folder, name), kind="shard", newest_version=SHARD_VERSION)


def discard_shards(plans: Sequence[ShardPlan], folder: Location) -> None:
    """Delete the shards of `plans`, and the plan."""
    for name in (*(plan.name for plan in plans), PLAN_NAME):
        _discard(joined(folder, name))


class _Shard:
    """The states of some clips, collected to be written to one file."""

    def __init__(self) -> None:
        self._parts: list[ClipStates] = []
        self._facts: dict[str, list[JsonValue]] = {"load_warnings": [], "warnings": [], "reports": [], "changes": []}

    def add(self, clip: Clip, known: StreamedClip, survey: Survey) -> None:
        columns = survey.recipe.columns.of(known.report.path)
        ready = clip_states(clip, survey.bones, survey.recipe.settings, columns)
        self._parts += ready.states
        self._facts["load_warnings"] += ready.load_warnings
        self._facts["warnings"] += ready.warnings
        self._facts["reports"].append(known.report.as_json())
        self._facts["changes"].append(None if known.change is None else list(known.change))

    def write(self, location: Location) -> None:
        clips: list[JsonValue] = [list(part.summary) for part in self._parts]
        names = self._parts[0].arrays if self._parts else ()
        arrays = {name: np.concatenate([part.arrays[name] for part in self._parts]) for name in names}
        write_artifact(
            location, kind="shard", version=SHARD_VERSION, arrays=arrays, facts={**self._facts, "clips": clips}
        )


def _earlier_plan(folder: Location) -> dict[str, str]:
    """Return the shard names of an interrupted build, by the first file in each."""
    if not exists(joined(folder, PLAN_NAME)):
        return {}
    try:
        facts: Any = read_artifact(joined(folder, PLAN_NAME), kind="shards", newest_version=SHARD_VERSION).facts
    except ArtifactError:
        return {}
    names = facts.get("names")
    if not isinstance(names, Mapping) or not all(_SHARD_NAME.fullmatch(str(name)) for name in names.values()):
        return {}  # not written by `plan_shards`; deleting what it names could delete other files
    return {str(path): str(name) for path, name in names.items()}


def _shard_name(fingerprint: str, files: Sequence[SurveyedFile], survey: Survey) -> str:
    columns = survey.recipe.columns
    parts = [
        [
            *(file.path, file.sha256, survey.lift(file.body)),
            *([name, values.digest()] for name, values in columns.of(file.path).items()),
        ]
        for file in files
    ]
    return hashlib.sha256(json.dumps([fingerprint, parts]).encode()).hexdigest()[:32] + ".shard"


def _fingerprint(survey: Survey) -> str:
    """Return a text that changes if anything that affects shards, other than the files themselves, changes."""
    recipe = survey.recipe
    target = None if recipe.target is None else _skeleton_digest(recipe.target.skeleton)
    return json.dumps(
        [
            version("motionfields"),
            SHARD_VERSION,
            _settings_facts(recipe.settings),
            dict(recipe.options),
            dict(recipe.names),
            target,
            _skeleton_digest(survey.bones.source),
        ],
        sort_keys=True,
    )


def _settings_facts(settings: BuildSettings) -> dict[str, Any]:
    """Return `settings` as JSON values; a custom metric is given by its name and facts."""
    if not isinstance(settings.metric, StateMetric):
        return asdict(settings)
    own = {"name": settings.metric.name, "facts": settings.metric.facts()}
    return {**asdict(replace(settings, metric=MetricSettings())), "metric": own}


def _skeleton_digest(skeleton: Skeleton) -> str:
    digest = hashlib.sha256(json.dumps(skeleton.names).encode())
    for array in (skeleton.parents, skeleton.offsets, skeleton.tip_joints, skeleton.tip_offsets):
        digest.update(array.tobytes())
    return digest.hexdigest()


def _is_whole(folder: Location, plan: ShardPlan, survey: Survey) -> bool:
    if not exists(joined(folder, plan.name)):
        return False
    try:
        shard = read_shard(folder, plan.name)
        shard.verify()
        check_shard(shard, plan.files, survey)
    except (ArtifactError, *INVALID):
        return False
    return True


def _discard(location: Location) -> None:
    remove(location)
    forget(location)
