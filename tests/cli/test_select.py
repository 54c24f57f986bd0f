"""`select` as a user types it."""

from __future__ import annotations

from pathlib import Path

from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import trim
from motionfields.motion.samples import generate_samples
from tests.cli.conftest import Run


def test_select_writes_a_smaller_field_and_prints_what_it_can_do(run: Run, tmp_path: Path) -> None:
    names = ["walk_forward", "turn_left_090_quick"]
    clips = [trim(sample.clip, 0, 120) for sample in generate_samples(frame_rate=30.0, only=names)]
    MotionField(MotionDatabase.build(clips)).save(tmp_path / "walker.field")
    result = run("select", tmp_path / "walker.field", "--keep", "1", "-o", tmp_path / "small.field")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[0].split() == ["takes", "added", "performance", "turns", "speed"]
    assert lines[1].split()[:2] == ["1", "turn_left_090_quick"]
    assert lines[-1].startswith(f"{tmp_path / 'small.field'}: 1 of 2 takes, ")
    small = MotionField.load(tmp_path / "small.field")
    assert small.database.clip_names == ("turn_left_090_quick", "turn_left_090_quick.mirror")


def test_select_says_what_is_wrong_with_its_input(run: Run, tmp_path: Path) -> None:
    assert "ends in .field" in run("select", tmp_path / "none.field", "-o", tmp_path / "small.bin").err
    assert "no such file" in run("select", tmp_path / "none.field", "-o", tmp_path / "small.field").err.lower()
