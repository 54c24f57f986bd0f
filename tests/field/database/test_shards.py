"""The assignment of files to shards."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.field.database.shards import PLAN_NAME, _is_whole, make_shards, plan_shards, read_shard
from motionfields.field.database.survey import Recipe, Survey, SurveyedFile
from motionfields.motion.samples import generate_samples


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    """The survey of one walk, which determines the skeleton."""
    (walk,) = generate_samples(frame_rate=30.0, only=re.compile("walk_slow"))
    mf.save_clip(walk.clip, tmp_path / "walk.bvh")
    survey = Survey(Recipe())
    survey.run([tmp_path / "walk.bvh"], lambda text: None)
    return survey


def test_a_shard_takes_files_until_it_is_full(survey: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that no longer fits begins the next shard; one that is larger than a shard has a shard of its own."""
    monkeypatch.setattr("motionfields.field.database.shards.SHARD_STATES", 100)
    counts = [40, 60, 1, 250, 30, 70, 1]
    files = [SurveyedFile(f"{number}.bvh", "", count, 0) for number, count in enumerate(counts)]
    plans = plan_shards(files, tmp_path, survey)
    planned = [[file.state_count for file in plan.files] for plan in plans]
    assert planned == [[40, 60], [1], [250], [30, 70], [1]]
    assert [file for plan in plans for file in plan.files] == files


@pytest.mark.parametrize("names", [None, 5, ["a"], {"a.bvh": 3}, {"a.bvh": "other.field"}, {"a.bvh": "../x.shard"}])
def test_a_forged_plan_deletes_nothing(survey: Survey, tmp_path: Path, names: Any) -> None:
    kept = tmp_path / "other.field"
    kept.write_bytes(b"kept")
    write_artifact(tmp_path / PLAN_NAME, kind="shards", version=1, arrays={}, facts={"names": names})
    plan_shards([SurveyedFile("a.bvh", "", 40, 0)], tmp_path, survey)
    assert kept.read_bytes() == b"kept"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("reports", ["x"]),
        ("reports", [{"path": "a", "warnings": None}]),
        ("changes", [1.5]),
        ("clips", []),
        ("clips", [["a", 1, 0.03, 1.0, [[1]], [1], [1, 1]]]),
        ("root_step", np.full((3, 3), 1e30, np.float32)),
        ("features", np.zeros((3, 4), np.float32)),
        ("joint_rotations", np.ones((3, 21, 4, 1), np.float32)),
    ],
)
def test_a_forged_shard_is_made_again(survey: Survey, tmp_path: Path, name: str, value: Any) -> None:
    """Its checksums are right; its content is not what a build writes."""
    source, folder = [tmp_path / "walk.bvh"], tmp_path / "shards"
    folder.mkdir()
    (plan,) = plan_shards(survey.run(source, lambda text: None), folder, survey)
    make_shards(source, [plan], folder, survey, lambda text: None)
    assert _is_whole(folder, plan, survey)
    good = read_shard(folder, plan.name).arrays["features"].copy()
    sound = (folder / plan.name).read_bytes()
    shard = read_artifact(folder / plan.name, kind="shard", newest_version=1)
    arrays, facts = {one: np.array(shard.arrays[one]) for one in shard.arrays}, dict(shard.facts)
    if isinstance(value, np.ndarray):
        arrays[name] = np.resize(value, (len(arrays[name]), *value.shape[1:]))
    else:
        facts[name] = value
    write_artifact(folder / plan.name, kind="shard", version=1, arrays=arrays, facts=facts)
    assert (folder / plan.name).read_bytes() != sound
    make_shards(source, [plan], folder, survey, lambda text: None)
    assert (folder / plan.name).read_bytes() == sound
    np.testing.assert_array_equal(read_shard(folder, plan.name).arrays["features"], good)
