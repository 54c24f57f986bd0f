"""Databases of any size within a bound on memory: clips pass one at a time into files, and the files become arrays.

A survey reads every motion file once, to know how many states there will be, where each body's floor is and what has
changed since a build that was interrupted. Then the states of some clips at a time go to a *shard*, an artifact of its
own. Its name comes from everything that decides what is in it: the files' checksums, all settings, the skeleton and
the floor. So a shard that is there need not be made again, and one that would be another has another name. When all
are there, their arrays are joined in files that are mapped, not read. The bits are those of `MotionDatabase.build`.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.artifacts import Artifact, JsonValue, read_artifact, write_artifact
from motionfields.clip import Clip, Finding, LoadReport
from motionfields.database.bodies import Bodies, Change
from motionfields.database.building import (
    Bones,
    BuildSettings,
    ClipStates,
    ClipSummary,
    check_bones,
    choose_metric,
    clip_states,
    common_bones,
    finished_database,
    own_features,
)
from motionfields.database.database import MotionDatabase
from motionfields.database.metric import choose_joints
from motionfields.database.saving import STATE_ARRAYS
from motionfields.errors import ArtifactError, FormatError
from motionfields.formats.loading import LoadOptions, clip_from_bytes, iter_files
from motionfields.skeleton import Skeleton
from motionfields.storage import Location, exists, forget, is_remote, joined, make_folder, remove

if sys.platform != "win32":
    import fcntl

SHARD_VERSION = 1
SHARD_STATES = 16_000  # at most, unless one clip has more; 30 MB with 31 joints
PLAN_NAME = "plan.shards"
BASE_BYTES = 350 << 20  # of the program, a shard and what is searched for at a time
FEATURE_COPIES = 2  # in the search for the nearest states of all
OTHER_BYTES = 900  # for each state: the states that it may change over to, and the graph of these


@dataclass(frozen=True, eq=False)
class Recipe:
    """All that decides what motion files become."""

    settings: BuildSettings = field(default_factory=BuildSettings)
    options: LoadOptions = field(default_factory=LoadOptions)
    target: Clip | None = None  # a clip of the body that all others are brought to; None: they share a skeleton
    names: Mapping[str, str] = field(default_factory=dict)  # joints of the clips and of the target, see `retarget`


class StreamedClip(NamedTuple):
    """What is known of one motion file after a build."""

    report: LoadReport
    change: Change | None  # what bringing it to another body did


class Streamed(NamedTuple):
    """A database whose arrays are mapped from files, and the files that it came from."""

    database: MotionDatabase
    clips: list[StreamedClip]


class _Surveyed(NamedTuple):
    path: str
    sha256: str
    state_count: int  # with its mirror image
    body: int  # its number in `Bodies`


class _Plan(NamedTuple):
    """One shard to be, and the files in it."""

    name: str
    files: list[_Surveyed]


@contextmanager
def streamed_database(
    sources: Sequence[str | Path],
    folder: Location,
    recipe: Recipe,
    *,
    memory: int | None = None,
    on_progress: Callable[[str], None] = lambda text: None,
) -> Iterator[Streamed]:
    """A database of the motion files of `sources`, within `memory` bytes, and what is known of them.

    Shards go to `folder`, which may be a URL, and are kept if the block or this function is interrupted: then the
    same call goes on where it was. When the block ends they are removed; the database can be used until then.
    `memory` is what the process may take up itself, mapped files not included; too little for the data raises
    `ValueError` at once. It includes what `MotionField` needs of the database.
    """
    make_folder(folder)
    with _removed_if_empty(folder), _locked(folder):
        survey = _Survey(recipe)
        surveyed = survey.run(sources, on_progress)
        if memory is not None:
            _check_memory(memory, sum(one.state_count for one in surveyed), survey.bones.skeleton)
        plans = _plans(surveyed, folder, survey)
        _make_shards(sources, plans, folder, survey, on_progress)
        with _scratch(folder) as scratch:
            yield _joined([_read_shard(folder, plan.name) for plan in plans], survey, scratch, on_progress)
        for name in (*(plan.name for plan in plans), PLAN_NAME):
            _discard(joined(folder, name))


class _Survey:
    """What is known of the files before any of them becomes states."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.bodies = None if recipe.target is None else Bodies(recipe.target, recipe.names)
        self._bones: Bones | None = None

    @property
    def bones(self) -> Bones:
        assert self._bones is not None  # after `run`
        return self._bones

    def run(self, sources: Iterable[str | Path], on_progress: Callable[[str], None]) -> list[_Surveyed]:
        """What there is in `sources`, in order."""
        found: list[_Surveyed] = []
        for source in sources:
            for path, read in iter_files(source):
                data = read()
                clip = clip_from_bytes(data, path, **self.recipe.options)
                found.append(self._one(clip, path, hashlib.sha256(data).hexdigest()))
                on_progress(f"looking at clips: {len(found)}")
        return found

    def _one(self, clip: Clip, path: str, sha256: str) -> _Surveyed:
        settings = self.recipe.settings
        body = 0 if self.bodies is None else self.bodies.survey(clip)
        if self._bones is None:
            skeleton = clip.skeleton if self.bodies is None or body == 0 else self.bodies.target
            self._bones = common_bones(skeleton, clip.name, mirrored=settings.mirrored)
        elif self.bodies is None:
            check_bones(clip, self._bones)
        state_count = round(clip.duration * settings.frame_rate) * (2 if settings.mirrored else 1)
        return _Surveyed(path, sha256, state_count, body)

    def prepared(self, data: bytes, path: str) -> tuple[Clip, StreamedClip]:
        """The clip in the bytes of a file, on the common skeleton, and what is known of it."""
        clip = clip_from_bytes(data, path, **self.recipe.options)
        assert clip.report is not None
        if self.bodies is None:
            return clip, StreamedClip(clip.report, None)
        brought = self.bodies.brought(clip)
        return brought.clip, StreamedClip(clip.report, brought.change)

    def lift(self, body: int) -> float:
        """By how many metres the floor of a body is raised."""
        return 0.0 if self.bodies is None else self.bodies.lift(body)

    def fingerprint(self) -> str:
        """A text that differs where anything but the files themselves would make other shards."""
        recipe = self.recipe
        target = None if recipe.target is None else _skeleton_digest(recipe.target.skeleton)
        return json.dumps(
            [
                version("motionfields"),
                SHARD_VERSION,
                asdict(recipe.settings),
                dict(recipe.options),
                dict(recipe.names),
                target,
                _skeleton_digest(self.bones.source),
            ],
            sort_keys=True,
        )


def _plans(surveyed: Sequence[_Surveyed], folder: Location, survey: _Survey) -> list[_Plan]:
    """Which files go to which shard; written down, and what an earlier plan has besides is removed.

    A shard ends where it is full, and where a shard of the earlier plan began, so that a file that has become
    longer since does not shift all that come after it.
    """
    earlier = _earlier_plan(folder)
    groups: list[list[_Surveyed]] = []
    room = 0
    for file in surveyed:
        if not groups or file.state_count > room or file.path in earlier:
            groups.append([])
            room = SHARD_STATES
        groups[-1].append(file)
        room -= file.state_count
    text = survey.fingerprint()
    plans = [_Plan(_shard_name(text, group, survey), group) for group in groups]
    names: dict[str, JsonValue] = {plan.files[0].path: plan.name for plan in plans}
    for name in set(earlier.values()) - set(names.values()):
        _discard(joined(folder, name))
    write_artifact(joined(folder, PLAN_NAME), kind="shards", version=SHARD_VERSION, arrays={}, facts={"names": names})
    return plans


def _earlier_plan(folder: Location) -> dict[str, str]:
    """The names of shards by the first file in each, of a build that was interrupted."""
    if not exists(joined(folder, PLAN_NAME)):
        return {}
    try:
        facts: Any = read_artifact(joined(folder, PLAN_NAME), kind="shards", newest_version=SHARD_VERSION).facts
    except ArtifactError:
        return {}
    return {str(path): str(name) for path, name in facts["names"].items()}


def _shard_name(fingerprint: str, files: Sequence[_Surveyed], survey: _Survey) -> str:
    parts = [[file.path, file.sha256, survey.lift(file.body)] for file in files]
    return hashlib.sha256(json.dumps([fingerprint, parts]).encode()).hexdigest()[:32] + ".shard"


def _make_shards(
    sources: Iterable[str | Path],
    plans: Sequence[_Plan],
    folder: Location,
    survey: _Survey,
    on_progress: Callable[[str], None],
) -> None:
    """Write the shards of `plans` that are not there, or not whole."""
    missing = {plan.name for plan in plans if not _is_whole(folder, plan.name)}
    if not missing:
        return
    file_count = sum(len(plan.files) for plan in plans)
    done = state_count = 0
    files = (file for source in sources for file in iter_files(source))
    for plan in plans:
        shard = _Shard()
        for surveyed in plan.files:
            file = next(files, None)
            if plan.name in missing:
                data = file.read() if file is not None and file.path == surveyed.path else b""
                if hashlib.sha256(data).hexdigest() != surveyed.sha256:
                    raise FormatError("was changed during the build; build again", path=surveyed.path)
                shard.add(*survey.prepared(data, surveyed.path), survey)
            done += 1
            state_count += surveyed.state_count
            on_progress(f"making states: {done} of {file_count} clips, {state_count} states")
        if plan.name in missing:
            shard.write(joined(folder, plan.name))


class _Shard:
    """The states of some clips that become one file."""

    def __init__(self) -> None:
        self._parts: list[ClipStates] = []
        self._facts: dict[str, list[JsonValue]] = {"load_warnings": [], "warnings": [], "reports": [], "changes": []}

    def add(self, clip: Clip, known: StreamedClip, survey: _Survey) -> None:
        ready = clip_states(clip, survey.bones, survey.recipe.settings)
        self._parts += ready.states
        self._facts["load_warnings"] += ready.load_warnings
        self._facts["warnings"] += ready.warnings
        self._facts["reports"].append(known.report.as_json())
        self._facts["changes"].append(None if known.change is None else list(known.change))

    def write(self, location: Location) -> None:
        clips: list[JsonValue] = [list(part.summary) for part in self._parts]
        arrays = {name: np.concatenate([part.arrays[name] for part in self._parts]) for name in STATE_ARRAYS if clips}
        write_artifact(
            location, kind="shard", version=SHARD_VERSION, arrays=arrays, facts={**self._facts, "clips": clips}
        )


def _read_shard(folder: Location, name: str) -> Artifact:
    return read_artifact(joined(folder, name), kind="shard", newest_version=SHARD_VERSION)


def _discard(location: Location) -> None:
    remove(location)
    forget(location)


def _is_whole(folder: Location, name: str) -> bool:
    if not exists(joined(folder, name)):
        return False
    try:
        _read_shard(folder, name).verify()
    except ArtifactError:
        return False
    return True


def _joined(shards: Sequence[Artifact], survey: _Survey, scratch: Path, on_progress: Callable[[str], None]) -> Streamed:
    """The database of all `shards`, in mapped files in the folder `scratch`."""
    facts: list[dict[str, Any]] = [dict(shard.facts) for shard in shards]
    summaries = [ClipSummary(*clip) for one in facts for clip in one["clips"]]
    if not summaries:
        raise ValueError("clips: expected at least one clip of a few frames")
    full = [shard for shard, one in zip(shards, facts, strict=True) if one["clips"]]
    settings, bones = survey.recipe.settings, survey.bones
    on_progress("joining shards")
    metric, dropped = choose_metric(bones.skeleton, (shard.array("joint_rotations") for shard in full), settings.metric)

    def parts(name: str) -> Iterator[NDArray[Any]]:
        for shard in full:
            part = shard.array(name)
            yield own_features(part, metric) if name == "features" else part

    arrays = {name: _mapped(parts(name), scratch / f"{name}.raw") for name in STATE_ARRAYS}
    on_progress("looking for clips that are nearly the same")
    clips = [
        StreamedClip(_load_report(report), None if change is None else Change(*change))
        for one in facts
        for report, change in zip(one["reports"], one["changes"], strict=True)
    ]
    database = finished_database(
        arrays,
        summaries,
        bones=bones,
        metric=metric,
        dropped=dropped,
        mirrored=settings.mirrored,
        warnings=[text for kind in ("load_warnings", "warnings") for one in facts for text in one[kind]],
        sources=tuple((clip.report.path, clip.report.sha256) for clip in clips),
    )
    return Streamed(database, clips)


def _mapped(parts: Iterable[NDArray[Any]], path: Path) -> NDArray[Any]:
    """`parts` [n, ...] as one array, mapped from the file `path` that they are written to one after the other."""
    row_count = 0
    with path.open("wb") as file:
        for part in parts:
            row_count += len(part)
            file.write(np.ascontiguousarray(part).data)
    return np.asarray(np.memmap(path, part.dtype, "r", shape=(row_count, *part.shape[1:])))


def _load_report(facts: Mapping[str, Any]) -> LoadReport:
    """The report that `LoadReport.as_json` gave."""
    parts: dict[str, Any] = {n: Finding(**value) if isinstance(value, Mapping) else value for n, value in facts.items()}
    parts["warnings"] = tuple(parts["warnings"])
    return LoadReport(**parts)


def _skeleton_digest(skeleton: Skeleton) -> str:
    digest = hashlib.sha256(json.dumps(skeleton.names).encode())
    for array in (skeleton.parents, skeleton.offsets, skeleton.tip_joints, skeleton.tip_offsets):
        digest.update(array.tobytes())
    return digest.hexdigest()


def least_memory(state_count: int, skeleton: Skeleton) -> int:
    """About how many bytes a streamed build of so many states needs, and a `MotionField` of them."""
    counted = choose_joints(skeleton, np.full(skeleton.joint_count - 1, np.inf))[0]
    return BASE_BYTES + state_count * (FEATURE_COPIES * 4 * (6 + 6 * len(counted)) + OTHER_BYTES)


def _check_memory(memory: int, state_count: int, skeleton: Skeleton) -> None:
    least = least_memory(state_count, skeleton)
    if memory < least:
        raise ValueError(
            f"memory: {memory / 2**30:.2g}G are too little for {state_count} states; "
            f"expected at least {math.ceil(100 * least / 2**30) / 100:g}G"
        )


@contextmanager
def _scratch(folder: Location) -> Iterator[Path]:
    """A folder for what one build maps: in `folder`, or where temporary files go if that is a URL."""
    own = Path(tempfile.mkdtemp()) if is_remote(folder) else Path(folder, "joined")
    shutil.rmtree(own, ignore_errors=True)  # what a killed build left
    own.mkdir()
    try:
        yield own
    finally:
        shutil.rmtree(own, ignore_errors=True)


@contextmanager
def _removed_if_empty(folder: Location) -> Iterator[None]:
    try:
        yield
    finally:
        if not is_remote(folder):
            with suppress(OSError):  # there are shards in it still, or something of the user's
                Path(folder).rmdir()


@contextmanager
def _locked(folder: Location) -> Iterator[None]:
    """Only one build at a time may use a folder of this computer; the system lets go of it when a build is killed."""
    if is_remote(folder) or sys.platform == "win32":
        yield
        return
    lock = Path(folder, "lock")
    with lock.open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FormatError("another build is at work in this folder", path=str(folder)) from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
