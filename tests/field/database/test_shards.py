"""The assignment of files to shards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import motionfields as mf
from motionfields.field.database.shards import plan_shards
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
