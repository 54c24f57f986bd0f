"""`bench crowd` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from motionfields.control.methods import train_matching
from motionfields.control.tasks import Direction
from tests.cli.test_control_commands import typed
from tests.control.training.small import direction_controller, small_field


@pytest.fixture(scope="module")
def controller(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crowd") / "small.ctrl"
    direction_controller(warped=False).save(path)
    return path


def test_it_says_how_many_characters_run_and_where_the_time_goes(controller: Path, tmp_path: Path) -> None:
    out = tmp_path / "speed.json"
    result = typed("bench", "crowd", controller, "--count", "1", "--count", "100", "--frames", "20", "--json", out)
    assert result.code == 0, result.err
    assert "planting" in result.out
    assert "at 30 Hz" in result.out
    facts = json.loads(out.read_text())
    (one,) = facts["controllers"]
    assert one["states"] == small_field().database.state_count
    alone, crowd = one["crowds"]
    assert alone["split"] is None
    assert crowd["characters"] == 100
    assert crowd["frames"]["frame_count"] == 20
    assert crowd["frames"]["median"] <= crowd["frames"]["p99"] <= crowd["frames"]["worst"]
    assert crowd["per_second"] == pytest.approx(1e6 / crowd["microseconds"])
    split = crowd["split"]
    assert all(split[name] > 0.0 for name in ("lists", "blend", "planting", "whole", "bare", "scattered"))
    assert crowd["of_bare"] == pytest.approx(split["whole"] / split["bare"])
    assert 1000 < crowd["bytes_each"] < 20_000


def test_controllers_that_decide_in_numpy_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "matching.ctrl"
    train_matching(small_field(), Direction()).save(path)
    result = typed("bench", "crowd", path, "--count", "100", "--frames", "10")
    assert result.code == 1
    assert "expected a controller, got a matching" in result.err
    assert "Traceback" not in result.err


def test_a_name_that_is_no_json_is_refused_before_anything_runs(controller: Path) -> None:
    result = typed("bench", "crowd", controller, "--json", "speed.txt")
    assert result.code == 1
    assert "ends in .json" in result.err
