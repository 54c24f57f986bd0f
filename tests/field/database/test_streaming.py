"""Databases made by way of files are those made in memory, whatever happens on the way."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionfields as mf
from motionfields.field.database import MotionDatabase
from motionfields.field.database.bodies import onto_one_body
from motionfields.field.database.building import Bones, BuildSettings, ReadyClip, clip_states
from motionfields.field.database.saving import STATE_ARRAYS, database_arrays, database_facts
from motionfields.field.database.streaming import Recipe, least_memory, streamed_database
from motionfields.motion.clip import Clip, trim
from motionfields.motion.samples import generate_samples

WALKS = ["walk_forward", "walk_slow", "walk_fast", "walk_speed_up", "walk_slow_down", "walk_stop"]


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six walks, one of which is there twice, and one that is too short."""
    folder = tmp_path_factory.mktemp("walks")
    clips = [sample.clip for sample in generate_samples(frame_rate=30.0, only=WALKS)]
    clips.append(replace(trim(clips[1], 30, -30), name="copy"))
    clips.append(replace(trim(clips[1], 0, 3), name="tiny"))
    for clip in clips:
        mf.save_clip(clip, folder / f"{clip.name}.bvh")
    return folder


@pytest.fixture
def takes(walks: Path, tmp_path: Path) -> Path:
    """The walks, to be changed by a test."""
    return Path(shutil.copytree(walks, tmp_path / "takes"))


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motionfields.field.database.shards.SHARD_STATES", 300)


def same(first: MotionDatabase, second: MotionDatabase) -> None:
    for name, array in database_arrays(first).items():
        np.testing.assert_array_equal(database_arrays(second)[name], array, err_msg=name, strict=True)
    assert database_facts(second) == database_facts(first)


def streamed(folder: Path | str, source: Path, recipe: Recipe | None = None) -> MotionDatabase:
    """A database by way of files, copied before these are removed."""
    with streamed_database([source], folder, recipe or Recipe()) as made:
        arrays: dict[str, Any] = {name: getattr(made.database, name).copy() for name in STATE_ARRAYS}
        return replace(made.database, **arrays)


@pytest.mark.parametrize("mirrored", [True, False])
def test_the_bits_are_those_of_a_build_in_memory(takes: Path, tmp_path: Path, mirrored: bool) -> None:
    expected = MotionDatabase.build(mf.load_clips(takes), mirror=mirrored)
    assert {"tiny: left out: 3 frames, needs at least 4"} < set(expected.report.warnings)
    assert any("copy" in warning and "nearly the same" in warning for warning in expected.report.warnings)
    found = streamed(tmp_path / "shards", takes, Recipe(BuildSettings(mirrored=mirrored)))
    same(expected, found)
    assert not (tmp_path / "shards").exists()


def test_archives_are_streamed_like_folders(takes: Path, tmp_path: Path) -> None:
    archive = tmp_path / "takes.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(takes.iterdir()):
            file.write(path, path.name)
    same(MotionDatabase.build(mf.load_clips(archive)), streamed(tmp_path / "shards", archive))


def test_bodies_are_brought_to_one_skeleton_and_floor(takes: Path, tmp_path: Path) -> None:
    for scale, lift in ((1.1, 0.05), (0.9, -0.03)):
        clip = mf.rescale(mf.load_clip(takes / "walk_slow.bvh"), scale)
        raised = replace(clip, root_position=clip.root_position + np.array([0.0, lift, 0.0]))
        mf.save_clip(raised, takes / f"body_{scale}.bvh")
    target = mf.load_clip(takes / "walk_forward.bvh")
    clips, changes = onto_one_body(mf.load_clips(takes, scale="cm"), target)
    assert [change.name for change in changes] == ["body_0.9", "body_1.1"]
    np.testing.assert_allclose([change.lift for change in changes], [0.03 / 0.9, -0.05 / 1.1], atol=2e-3)
    settings = BuildSettings()
    recipe = Recipe(settings, {"scale": "cm"}, target)
    stages: list[str] = []
    with streamed_database([takes], tmp_path / "shards", recipe, on_progress=stages.append) as made:
        assert stages[-2:] == ["joining shards", "checking for duplicate clips"]
        same(MotionDatabase.assemble(clips, settings), made.database)
        assert [clip.change for clip in made.clips if clip.change] == changes
        assert [clip.report.path for clip in made.clips] == [clip.report.path for clip in clips if clip.report]


class StopError(Exception):
    pass


def stopped_after(count: int, takes: Path, folder: Path | str) -> None:
    """A build that ends when `count` clips have become states."""

    def stop(text: str) -> None:
        if text.startswith(f"building states: {count} of"):
            raise StopError

    with pytest.raises(StopError), streamed_database([takes], folder, Recipe(), on_progress=stop):
        pass


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the clips of which states are made from now on."""
    names: list[str] = []

    def noted(clip: Clip, bones: Bones, settings: BuildSettings, columns: Any) -> ReadyClip:
        names.append(clip.name)
        return clip_states(clip, bones, settings, columns)

    monkeypatch.setattr("motionfields.field.database.shards.clip_states", noted)
    return names


def test_what_was_done_is_not_done_again(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = MotionDatabase.build(mf.load_clips(takes))
    names = [path.stem for path in sorted(takes.iterdir())]
    folder = tmp_path / "shards"
    stopped_after(5, takes, folder)
    made = len(list(folder.glob("*.shard")))
    assert made >= 2
    again = counted(monkeypatch)
    same(expected, streamed(folder, takes))
    assert 8 - 5 <= len(again) < len(names)
    assert again == names[-len(again) :]


def test_a_file_that_changed_makes_its_shard_again(
    takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shards"
    stopped_after(8, takes, folder)
    longer = mf.load_clip(takes / "walk_fast.bvh")
    mf.save_clip(trim(longer, 0, 100), takes / "walk_fast.bvh")
    again = counted(monkeypatch)
    same(MotionDatabase.build(mf.load_clips(takes)), streamed(folder, takes))
    assert "walk_fast" in again
    assert len(again) <= 4


@pytest.mark.parametrize("place", [100, -100])
def test_a_damaged_shard_is_made_again(takes: Path, tmp_path: Path, place: int) -> None:
    folder = tmp_path / "shards"
    stopped_after(8, takes, folder)
    shard = sorted(folder.glob("*.shard"))[0]
    data = bytearray(shard.read_bytes())
    data[place] ^= 1
    shard.write_bytes(data)
    same(MotionDatabase.build(mf.load_clips(takes)), streamed(folder, takes))


def test_other_settings_make_other_shards(takes: Path, tmp_path: Path) -> None:
    stopped_after(8, takes, tmp_path / "shards")
    recipe = Recipe(BuildSettings(cutoff=6.0))
    same(MotionDatabase.build(mf.load_clips(takes), cutoff=6.0), streamed(tmp_path / "shards", takes, recipe))


def test_too_little_memory_is_told_before_the_work(takes: Path, tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match=r"memory: expected at least 0.\d+G for \d+ states, got 0.098G"),
        streamed_database([takes], tmp_path / "shards", Recipe(), memory=100 << 20),
    ):
        pass
    skeleton = mf.load_clip(takes / "walk_slow.bvh").skeleton
    assert least_memory(1000, skeleton) < least_memory(2000, skeleton)


def test_one_build_at_a_time_and_only_its_own_files_are_removed(takes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    folder.mkdir()
    (folder / "mine.txt").write_text("keep")
    with (
        streamed_database([takes], folder, Recipe()),
        pytest.raises(mf.FormatError, match="another build is using this folder"),
        streamed_database([takes], folder, Recipe()),
    ):
        pass
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_shards_may_be_on_object_storage(takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setenv("MOTIONFIELDS_CACHE", str(tmp_path / "cache"))
    stopped_after(5, takes, "memory://shards")
    objects = fsspec.filesystem("memory").find("/shards")
    assert len(objects) >= 3
    again = counted(monkeypatch)
    same(MotionDatabase.build(mf.load_clips(takes)), streamed("memory://shards", takes))
    assert len(again) < 8
    assert not fsspec.filesystem("memory").find("/shards")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_files_of_two_skeletons_are_refused(takes: Path, tmp_path: Path) -> None:
    mf.save_clip(mf.rescale(mf.load_clip(takes / "walk_slow.bvh"), 1.2), takes / "zoe.bvh")
    with (
        pytest.raises(mf.SkeletonError, match="zoe and copy have different skeletons"),
        streamed_database([takes], tmp_path / "shards", Recipe(options={"scale": "cm"})),
    ):
        pass


def test_a_killed_command_goes_on_and_gives_the_same_file(takes: Path, tmp_path: Path) -> None:
    """SIGKILL in the midst of a real build, again and again, and in the end the file that comes out at once."""
    script = (
        "import motionfields.field.database.shards as s, sys; s.SHARD_STATES = 300; sys.argv[0] = 'motionfields';"
        "from motionfields.cli import main; main()"
    )

    def command(output: Path) -> list[str]:
        return [sys.executable, "-c", script, "build", str(takes), "-o", str(output), "--memory", "1G"]

    def kept() -> int:
        return sum(path.is_file() for path in (tmp_path / "often.field.shards").rglob("*"))

    subprocess.run(command(tmp_path / "once.field"), check=True, capture_output=True)
    killed = 0
    for _ in range(3):  # each time as soon as it has kept one thing more
        before = kept()
        process = subprocess.Popen(command(tmp_path / "often.field"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while process.poll() is None and kept() <= before:
            time.sleep(0.005)
        killed += process.poll() is None
        process.kill()
        process.communicate()
    assert killed
    subprocess.run(command(tmp_path / "often.field"), check=True, capture_output=True)
    once, often = (hashlib.sha256((tmp_path / f"{n}.field").read_bytes()).hexdigest() for n in ("once", "often"))
    assert often == once
    assert sorted(path.name for path in tmp_path.iterdir()) == ["often.field", "once.field", "takes"]
