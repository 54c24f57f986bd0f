"""Databases of any size built in bounded memory: clips are converted one at a time and stored in files.

A survey reads every motion file once, to find the number of states, the floor of each body and the changes since an
interrupted build (`survey`). Then the states of some clips at a time are written to files of their own (`shards`). When
all shards exist, their arrays are joined in files that are memory-mapped, not read. The result has the same bits as
`MotionDatabase.build`.
"""

from __future__ import annotations

import math
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.artifacts import Artifact
from motionfields.base.errors import FormatError
from motionfields.base.storage import Location, is_remote, make_folder
from motionfields.base.wording import counted
from motionfields.field.database.bodies import Change
from motionfields.field.database.building import (
    SHORTEST_CLIP,
    ClipSummary,
    choose_metric,
    finished_parts,
    own_features,
)
from motionfields.field.database.columns import COLUMN_PREFIX
from motionfields.field.database.database import MotionDatabase
from motionfields.field.database.metric import MetricSettings, choose_joints
from motionfields.field.database.saving import STATE_ARRAYS
from motionfields.field.database.shard_checks import load_report
from motionfields.field.database.shards import discard_shards, make_shards, plan_shards, read_shard
from motionfields.field.database.survey import Recipe, StreamedClip, Survey
from motionfields.motion.skeleton import Skeleton

if sys.platform != "win32":
    import fcntl

__all__ = ["Recipe", "Streamed", "StreamedClip", "least_memory", "streamed_database"]

BASE_BYTES = 350 << 20  # for the program, one shard and one part of a search
FEATURE_COPIES = 2  # copies of the features in the neighbour search of all states
OTHER_BYTES = 900  # per state: its transitions and their graph


class Streamed(NamedTuple):
    """A database whose arrays are memory-mapped from files, and the motion files it was built from."""

    database: MotionDatabase
    clips: list[StreamedClip]


@contextmanager
def streamed_database(
    sources: Sequence[str | Path],
    folder: Location,
    recipe: Recipe,
    *,
    memory: int | None = None,
    on_progress: Callable[[str], None] = lambda text: None,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Streamed]:
    """Build a database from the motion files of `sources` within `memory` bytes, for use inside a `with` block.

    Shards go to `folder`, which may be a URL. They are kept if the block or this function is interrupted, and the same
    call then resumes the build. When the block ends they are deleted, so the database can be used only inside the
    block. `memory` limits the process itself, without memory-mapped files, and includes what `MotionField` needs for
    the database; too small a value raises `ValueError` at once. `on_error` is as in `iter_clips`.
    """
    make_folder(folder)
    with _removed_if_empty(folder), _locked(folder):
        survey = Survey(recipe)
        surveyed = survey.run(sources, on_progress, on_error)
        if memory is not None:
            _check_memory(memory, sum(one.state_count for one in surveyed), survey.bones.skeleton)
        plans = plan_shards(surveyed, folder, survey)
        make_shards(sources, plans, folder, survey, on_progress)
        with _scratch(folder) as scratch:
            yield _joined([read_shard(folder, plan.name) for plan in plans], survey, scratch, on_progress)
        discard_shards(plans, folder)


def _joined(shards: Sequence[Artifact], survey: Survey, scratch: Path, on_progress: Callable[[str], None]) -> Streamed:
    """Return the database of all `shards`, memory-mapped from files in the folder `scratch`."""
    facts: list[dict[str, Any]] = [dict(shard.facts) for shard in shards]
    summaries = [ClipSummary(*clip) for one in facts for clip in one["clips"]]
    if not summaries:
        raise ValueError(f"clips: expected at least one of {SHORTEST_CLIP} frames after resampling, got none")
    full = [shard for shard, one in zip(shards, facts, strict=True) if one["clips"]]
    settings, bones = survey.recipe.settings, survey.bones
    on_progress("joining shards")
    metric, dropped = choose_metric(bones.skeleton, (shard.array("joint_rotations") for shard in full), settings.metric)

    def parts(name: str) -> Iterator[NDArray[Any]]:
        for shard in full:
            part = shard.array(name)
            picked = name == "features" and isinstance(settings.metric, MetricSettings)
            yield own_features(part, metric) if picked else part

    names = (*STATE_ARRAYS, *(COLUMN_PREFIX + name for name in survey.recipe.columns.names))
    arrays = {name: _mapped(parts(name), scratch / f"{name}.raw") for name in names}
    on_progress("checking for duplicate clips")
    clips = [
        StreamedClip(load_report(report), None if change is None else Change(*change))
        for one in facts
        for report, change in zip(one["reports"], one["changes"], strict=True)
    ]
    parts_of_database = finished_parts(
        arrays,
        summaries,
        bones=bones,
        metric=metric,
        dropped=dropped,
        mirrored=settings.mirrored,
        warnings=[text for kind in ("load_warnings", "warnings") for one in facts for text in one[kind]],
        sources=tuple((clip.report.path, clip.report.sha256) for clip in clips),
    )
    return Streamed(MotionDatabase(**parts_of_database), clips)


def _mapped(parts: Iterable[NDArray[Any]], path: Path) -> NDArray[Any]:
    """Write `parts` [n, ...] one after the other to the file `path`, and return them as one memory-mapped array."""
    row_count = 0
    with path.open("wb") as file:
        for part in parts:
            row_count += len(part)
            file.write(np.ascontiguousarray(part).data)
    return np.asarray(np.memmap(path, part.dtype, "r", shape=(row_count, *part.shape[1:])))


def least_memory(state_count: int, skeleton: Skeleton) -> int:
    """Return the approximate bytes that a streamed build of `state_count` states and its `MotionField` need."""
    joints = choose_joints(skeleton, np.full(skeleton.joint_count - 1, np.inf))[0]
    return BASE_BYTES + state_count * (FEATURE_COPIES * 4 * (6 + 6 * len(joints)) + OTHER_BYTES)


def _check_memory(memory: int, state_count: int, skeleton: Skeleton) -> None:
    least = least_memory(state_count, skeleton)
    if memory < least:
        raise ValueError(
            f"memory: expected at least {math.ceil(100 * least / 2**30) / 100:g}G for "
            f"{counted(state_count, 'state')}, got {memory / 2**30:.2g}G"
        )


@contextmanager
def _scratch(folder: Location) -> Iterator[Path]:
    """Provide a folder for memory-mapped files: inside `folder`, or a temporary one if that is a URL."""
    own = Path(tempfile.mkdtemp()) if is_remote(folder) else Path(folder, "joined")
    shutil.rmtree(own, ignore_errors=True)  # left by a killed build
    own.mkdir()
    try:
        yield own
    finally:
        shutil.rmtree(own, ignore_errors=True)


@contextmanager
def _removed_if_empty(folder: Location) -> Iterator[None]:
    """Delete the local `folder` after the block if it is empty."""
    try:
        yield
    finally:
        if not is_remote(folder):
            with suppress(OSError):  # it still holds shards or files of the user
                Path(folder).rmdir()


@contextmanager
def _locked(folder: Location) -> Iterator[None]:
    """Let only one build at a time use a local folder; the system releases the lock if a build is killed."""
    if is_remote(folder) or sys.platform == "win32":
        yield
        return
    lock = Path(folder, "lock")
    with lock.open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FormatError(
                "another build is using this folder; wait for it to end or choose another folder", path=str(folder)
            ) from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
