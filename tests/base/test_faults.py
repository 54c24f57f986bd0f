"""Each write, flush, rename and map of an operation fails once: the old file or the new one stays whole."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base import files
from motionfields.base.artifacts import reading
from motionfields.base.errors import MotionFieldsError
from motionfields.base.files import DRAFT_NAME
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.database.building import BuildSettings
from motionfields.field.database.streaming import Recipe, streamed_database
from motionfields.motion.formats import load_clip, save_clip
from motionfields.motion.samples import generate_samples
from motionfields.runtime.recording import Commands, record
from tests.control.training.small import SETTINGS, direction_controller, small_field

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)
CALLS = ("write", "fsync", "replace", "map")


class Injector:
    """Counts calls of each kind, and lets one of them fail."""

    def __init__(self, call: str = "", number: int = -1, error: int = errno.EIO) -> None:
        self.call, self.number, self.error = call, number, error
        self.counts = dict.fromkeys(CALLS, 0)

    def count(self, call: str) -> None:
        self.counts[call] += 1
        if (call, self.counts[call] - 1) == (self.call, self.number):
            raise OSError(self.error, os.strerror(self.error))


class CountedFile:
    """A file whose writes are counted."""

    def __init__(self, file: Any, injector: Injector) -> None:
        self._file, self._injector = file, injector

    def write(self, data: Any) -> int:
        self._injector.count("write")
        return int(self._file.write(data))

    def __enter__(self) -> CountedFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextmanager
def injected(injector: Injector) -> Iterator[None]:
    """Count the calls of this package to the system inside the block."""
    usual = (os.fsync, os.replace, files._open_draft, reading._map)

    def counted(call: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            injector.count(call)
            return function(*arguments, **options)

        return run

    def open_draft(target: Path) -> tuple[Path, Any]:
        path, file = usual[2](target)
        return path, CountedFile(file, injector)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", counted("fsync", usual[0]))
        patch.setattr(os, "replace", counted("replace", usual[1]))
        patch.setattr(files, "_open_draft", open_draft)
        patch.setattr(reading, "_map", counted("map", usual[3]))
        yield


def points(operation: Callable[[], Any]) -> list[tuple[str, int]]:
    """Return calls of `operation` that may fail: the first two, the middle and the last of each kind."""
    injector = Injector()
    with injected(injector):
        operation()
    found = []
    for call, count in injector.counts.items():
        found += [(call, number) for number in sorted({0, 1, count // 2, count - 1}) if 0 <= number < count]
    return found


def drafts_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if DRAFT_NAME.fullmatch(path.name)]


SAVES: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "field": ("a.field", lambda path: small_field().save(path)),
    "controller": ("a.controller", lambda path: direction_controller().save(path)),
    "bvh": ("a.bvh", lambda path: save_clip(small_field().database.source_clips()[0], path)),
    "gltf": ("a.glb", lambda path: save_clip(small_field().database.source_clips()[0], path)),
    "recording": (
        "take.bvh",
        lambda path: save_clip(
            record(direction_controller(), Commands(("heading",), np.zeros(1), np.zeros((1, 1)), 0.2)), path
        ),
    ),
}


@pytest.mark.parametrize("name", SAVES)
def test_a_save_that_fails_leaves_the_old_file_or_the_new_one(tmp_path: Path, name: str) -> None:
    path = tmp_path / SAVES[name][0]

    def save() -> None:
        SAVES[name][1](path)

    found = points(save)
    assert {call for call, _ in found} >= {"write", "fsync", "replace"}
    new = path.read_bytes()
    for call, number in found:
        for error in ERRORS:
            path.write_bytes(b"old")
            with pytest.raises((OSError, MotionFieldsError)), injected(Injector(call, number, error)):
                save()
            assert path.read_bytes() in (b"old", new), (call, number)
            assert list(tmp_path.iterdir()) == [path], (call, number)


@pytest.mark.parametrize("name", ["field", "controller"])
def test_a_load_that_fails_says_so_in_our_own_words(tmp_path: Path, name: str) -> None:
    path = tmp_path / SAVES[name][0]
    SAVES[name][1](path)
    load = MotionField.load if name == "field" else type(direction_controller()).load
    for error in ERRORS:
        with pytest.raises(MotionFieldsError, match=path.name), injected(Injector("map", 0, error)):
            load(path)


def digest(controller: Any) -> bytes:
    return bytes(controller.values.table().tobytes() + controller.transitions.costs.tobytes())


def test_training_that_fails_resumes_with_the_same_bits(tmp_path: Path) -> None:
    def run(folder: Path) -> Any:
        return train(small_field(), Direction(), settings=SETTINGS, tolerance=0.5, work=folder, checkpoint_sweeps=1)

    whole = digest(run(tmp_path / "whole"))
    for case, (call, number) in enumerate(points(lambda: run(tmp_path / "counted"))):
        folder = tmp_path / str(case)
        with pytest.raises((OSError, MotionFieldsError)), injected(Injector(call, number, ERRORS[case % 3])):
            run(folder)
        assert not drafts_in(folder), (call, number)
        assert digest(run(folder)) == whole, (call, number)


def test_a_build_that_fails_resumes_with_the_same_bits(tmp_path: Path) -> None:
    takes = tmp_path / "takes"
    takes.mkdir()
    for sample in generate_samples(only=re.compile("walk_forward|turn_left_090_quick")):
        save_clip(sample.clip, takes / f"{sample.clip.name}.bvh")

    def run(folder: Path) -> bytes:
        with streamed_database([takes], folder, Recipe(BuildSettings())) as streamed:
            return bytes(streamed.database.features.tobytes()) + streamed.database.joint_rotations.tobytes()

    whole = run(tmp_path / "whole")
    plain = MotionDatabase.build([load_clip(path) for path in sorted(takes.iterdir())])
    assert whole == plain.features.tobytes() + plain.joint_rotations.tobytes()
    for case, (call, number) in enumerate(points(lambda: run(tmp_path / "counted"))):
        folder = tmp_path / str(case)
        with pytest.raises((OSError, MotionFieldsError)), injected(Injector(call, number, ERRORS[case % 3])):
            run(folder)
        assert not folder.exists() or not drafts_in(folder), (call, number)
        assert run(folder) == whole, (call, number)
