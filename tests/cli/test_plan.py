"""The commands `steps`, `plan` and `sketch`, from a field to a planned motion."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from motionfields.cli.app import app
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats import load_clip
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plan")
    clips = [sample.clip for sample in generate_samples(only=re.compile("walk_stop$|turn_left_090_quick"))]
    MotionField(MotionDatabase.build(clips)).save(folder / "walk.field")
    run = CliRunner().invoke(app, ["steps", str(folder / "walk.field"), "-o", str(folder / "walk.steps")])
    assert run.exit_code == 0, run.output
    assert re.search(r"walk\.steps: \d+ steps, \d+ links, \d+ that a motion can end with", run.output)
    return folder / "walk.steps"


def test_a_plan_is_written_with_a_picture(steps: Path, tmp_path: Path) -> None:
    room = {"room": 1, "bounds_m": [-3, -2, 3, 6], "discs": [{"x_m": 0, "z_m": 1.5, "radius_m": 0.2}]}
    (tmp_path / "room.json").write_text(json.dumps(room))
    options = ["--to", "0.5,3.5", "--room", str(tmp_path / "room.json"), "--within", "0.1", "--picture"]
    run = CliRunner().invoke(app, ["plan", str(steps), *options, "-o", str(tmp_path / "walk.glb")])
    assert run.exit_code == 0, run.output
    assert re.search(r"walk\.glb: [\d.]+ s, \d+ steps?, cost [\d.]+ s \(.*cheapest\), clearance [\d.]+ m", run.output)
    assert load_clip(tmp_path / "walk.glb").frame_count > 30
    assert (tmp_path / "walk.png").read_bytes().startswith(b"\x89PNG")


def test_alternatives_get_numbers_and_a_narrow_room_has_fewer(steps: Path, tmp_path: Path) -> None:
    (tmp_path / "narrow.json").write_text(json.dumps({"room": 1, "bounds_m": [-0.6, -1, 0.6, 5]}))
    options = ["--to", "0,3", "--within", "0.05", "--alternatives", "2"]
    run = CliRunner().invoke(app, ["plan", str(steps), *options, "-o", str(tmp_path / "walk.bvh")])
    assert run.exit_code == 0, run.output
    assert {path.name for path in tmp_path.glob("*.bvh")} == {"walk.bvh", "walk-2.bvh"}
    narrow = ["--room", str(tmp_path / "narrow.json")]
    run = CliRunner().invoke(app, ["plan", str(steps), *options, *narrow, "-o", str(tmp_path / "one.bvh")])
    assert run.exit_code == 0, run.output
    assert "1 motion in place of 2" in run.output
    assert not (tmp_path / "one-2.bvh").exists()


def test_mistyped_places_get_a_clear_message(steps: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["plan", str(steps), "--to", "5;3", "-o", str(tmp_path / "walk.glb")])
    assert run.exit_code == 2
    assert "two numbers X,Z" in run.output


def test_a_sketch_is_written_with_its_distances(steps: Path, tmp_path: Path) -> None:
    strokes = {"sketch": 1, "strokes": [{"points_m": [[0, 0], [0.1, 2]]}]}
    (tmp_path / "path.json").write_text(json.dumps(strokes))
    options = [str(tmp_path / "path.json"), "-o", str(tmp_path / "along.bvh"), "--width", "30"]
    run = CliRunner().invoke(app, ["sketch", str(steps), *options])
    assert run.exit_code == 0, run.output
    assert re.search(r"along\.bvh: [\d.]+ s, \d+ steps?\n\w+: [\d.]+ cm from the stroke", run.output)
    assert load_clip(tmp_path / "along.bvh").frame_count > 30
