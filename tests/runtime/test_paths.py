"""Walks along a path: the geometry of paths, what is refused, and that characters stay on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.errors import FormatError
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, Ground, Line, Velocity
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.runtime.paths import AHEAD, LINE_AHEAD, GroundPath, _command, read_path, walk_path

CORNER = GroundPath(np.array([(0.0, 0.0), (0.0, 3.0), (0.0, 3.0), (2.0, 3.0)]))
STEPS = np.linspace(0.0, 1.0, 60)
BEND = GroundPath(np.stack([1.5 - 1.5 * np.cos(2.0 * STEPS), 1.5 * np.sin(2.0 * STEPS)], axis=1))


@pytest.fixture(scope="module")
def field() -> MotionField:
    names = ("walk_forward", "walk_stop", "turn_left_045_gentle", "turn_left_090_quick")
    return MotionField(MotionDatabase.build([sample.clip for sample in generate_samples(frame_rate=30.0, only=names)]))


def trained(field: MotionField, task: Any) -> FieldController:
    return train(field, task, settings=ControlSettings(neighbor_count=20), tolerance=0.2)


def test_places_and_headings_are_those_of_a_corner_and_go_on_behind_its_end() -> None:
    assert CORNER.length == 5.0  # the repeated point is dropped
    assert len(CORNER.points) == 3
    np.testing.assert_allclose(CORNER.at(np.array([0.0, 1.0, 4.0, 6.0])), [(0, 0), (0, 1), (1, 3), (3, 3)])
    headings = [CORNER.heading(distance) for distance in (0.0, 1.0, 3.0, 4.0, 9.0)]
    np.testing.assert_allclose(headings, np.radians([0.0, 0.0, 45.0, 90.0, 90.0]), atol=1e-9)


def test_the_nearest_point_is_looked_for_ahead_only() -> None:
    loop = GroundPath(np.array([(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0), (-2.0, 0.0)]))
    assert loop.nearest(np.array([0.1, 0.5]), 0.0) == pytest.approx(0.5)
    assert loop.nearest(np.array([0.1, 0.0]), 7.5) == pytest.approx(7.9)  # at its second passage


def test_a_character_heads_for_the_point_ahead_or_is_told_the_line_there() -> None:
    ground = Ground(np.array([[0.3, 1.0]]), np.zeros(1))
    [[heading]] = _command(CORNER, Direction().command_names, ground, 1.0, 0.8)
    assert heading == pytest.approx(np.arctan2(-0.3, AHEAD))
    [line] = _command(CORNER, Line().command_names, ground, 1.0, 0.8)
    np.testing.assert_allclose(line, [0.0, 1.0 + LINE_AHEAD, 0.0], atol=1e-9)
    [[_, speed]] = _command(CORNER, Velocity().command_names, ground, 1.0, 0.8)
    assert speed == 0.8


def test_a_character_walks_a_bend_from_its_start_to_its_end(field: MotionField) -> None:
    controller = trained(field, Direction())
    walk = walk_path(controller, BEND, seed=3)
    assert walk.arrived
    assert walk.distance.mean() < 0.08
    assert walk.distance.max() < 0.25
    places = walk.clip.root_position[:, ::2]
    np.testing.assert_allclose(places[0], BEND.points[0], atol=0.15)
    np.testing.assert_allclose(places[-1], BEND.points[-1], atol=0.15)
    plain = min(np.hypot(*(BEND.at(np.arange(0.0, BEND.length, 1e-3)) - places[40]).T))
    assert walk.distance[40] == pytest.approx(plain, abs=1e-4)
    again = walk_path(controller, BEND, seed=3)
    np.testing.assert_array_equal(again.clip.rotations, walk.clip.rotations)
    with pytest.raises(ValueError, match="the task direction has none"):
        walk_path(controller, BEND, speed=1.0)


def test_a_character_with_a_speed_stands_at_the_end(field: MotionField) -> None:
    straight = GroundPath(np.array([(1.0, 1.0), (1.0, 4.0)]))
    walk = walk_path(trained(field, Velocity()), straight)
    assert walk.arrived
    speed = np.hypot(*np.diff(walk.clip.root_position[-4:, ::2], axis=0).T) * walk.clip.frame_rate
    assert speed.mean() < 0.25
    np.testing.assert_allclose(walk.clip.root_position[-1, ::2], (1.0, 4.0), atol=0.6)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"path": 2, "points_m": [[0, 0], [0, 1]]}, "path: expected version 1"),
        ({"path": 1, "points_m": [[0, 0]]}, "points_m: expected from 2"),
        ({"path": 1, "points_m": [[0, 0], [0]]}, r"points_m\[1\]: expected 2 numbers"),
        ({"path": 1, "points_m": [[0, 0], [0, 1e9]]}, "points_m: expected finite coordinates"),
        ({"path": 1, "points_m": [[0, 0], [0, 0.1]]}, "points_m: expected a path of 0.5 to 500 m"),
        ({"path": 1, "points_m": [[0, 0], [0, 9000]]}, "points_m: expected a path of 0.5 to 500 m"),
        ({"path": 1, "points_m": [[0, 0]] * 20_001}, "at most 20000 points"),
        ({"path": 1}, "points_m is missing"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(tmp_path: Path, facts: Any, reason: str) -> None:
    path = tmp_path / "path.json"
    path.write_text(json.dumps(facts))
    with pytest.raises(FormatError, match=reason):
        read_path(path)


def test_a_file_of_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "path.json"
    path.write_text(json.dumps({"path": 1, "points_m": [[0, 0], [0, 4], [3, 8]]}))
    assert read_path(path).length == 9.0
