"""The commands `futures` and `walk`, from a controller to a walk around an obstacle."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from motionfields.cli.app import app
from motionfields.control.controller import FieldController
from motionfields.motion.formats import load_clip
from tests.authoring.worlds.conftest import walker  # noqa: F401 - a fixture


@pytest.fixture(scope="module")
def files(walker: FieldController, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    folder = tmp_path_factory.mktemp("walk")
    walker.save(folder / "walker.ctrl")
    run = CliRunner().invoke(app, ["futures", str(folder / "walker.ctrl"), "-o", str(folder / "walker.futures")])
    assert run.exit_code == 0, run.output
    assert re.search(r"walker\.futures: \d+ states, 73 commands, 2\.1 s ahead", run.output)
    return folder


def test_a_walk_is_written_with_a_picture(files: Path, tmp_path: Path) -> None:
    world = {"world": 1, "bounds_m": [-4, -2, 4, 6], "discs": [{"x_m": 0, "z_m": 1.5, "radius_m": 0.3}]}
    world |= {"movers": [{"disc": {"x_m": 3, "z_m": 3, "radius_m": 0.3}, "path_m": [[2, 3]]}]}
    (tmp_path / "world.json").write_text(json.dumps(world))
    options = ["--world", str(tmp_path / "world.json"), "--goal", "0,3.5", "--picture", "--seconds", "20"]
    options += ["--futures", str(files / "walker.futures")]
    run = CliRunner().invoke(app, ["walk", str(files / "walker.ctrl"), *options, "-o", str(tmp_path / "walk.glb")])
    assert run.exit_code == 0, run.output
    found = re.search(r"walk\.glb: [\d.]+ s, arrived, clearance ([\d.]+) m", run.output)
    assert found is not None
    assert float(found[1]) > 0.28  # bodies have a radius of 0.3 m
    assert load_clip(tmp_path / "walk.glb").frame_count > 60
    assert (tmp_path / "walk.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("way", ["--depth", "--trees"])
def test_a_walk_by_depth_and_by_trees(files: Path, tmp_path: Path, way: str) -> None:
    controller, common = str(files / "walker.ctrl"), ["--futures", str(files / "walker.futures")]
    options = [way]
    if way == "--trees":
        small = ["--sense", "nearest:2", "--rounds", "1", "--states", "40", "--worlds", "6"]
        made = CliRunner().invoke(app, ["trees", controller, *common, *small, "-o", str(tmp_path / "walker.trees")])
        assert made.exit_code == 0, made.output
        assert re.search(r"walker\.trees: 10 trees, \d+ nodes, 21 features", made.output)
        options = [way, str(tmp_path / "walker.trees")]
    told = [*common, "--goal", "0,2.5", "--seconds", "12", "-o", str(tmp_path / "walk.bvh")]
    run = CliRunner().invoke(app, ["walk", controller, *options, *told])
    assert run.exit_code == 0, run.output
    assert ("arrived" if way == "--depth" else "walk.bvh:") in run.output


def test_a_world_without_a_goal_needs_one(files: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["walk", str(files / "walker.ctrl"), "-o", str(tmp_path / "walk.glb")])
    assert run.exit_code == 1
    assert "--goal: expected X,Z" in str(run.exception)


def test_steering_is_measured_in_worlds(files: Path, tmp_path: Path) -> None:
    options = ["--futures", str(files / "walker.futures"), "--steering", "straight", "--count", "2"]
    options += ["--json", str(tmp_path / "worlds.json")]
    run = CliRunner().invoke(app, ["bench", "worlds", str(files / "walker.ctrl"), *options])
    assert run.exit_code == 0, run.output
    assert re.search(r"straight +[\d.]+% +[\d.]+% +[\d.]+% +\d+", run.output)
    found = json.loads((tmp_path / "worlds.json").read_text())["steering"]["straight"]
    assert found["reached"] + found["collided"] + found["late"] == pytest.approx(1.0)
