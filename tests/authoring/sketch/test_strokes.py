"""Strokes, their projections and their files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.authoring.sketch import Stroke, parse_sketch, read_sketch, write_sketch
from motionfields.base.errors import FormatError

UP = np.array([0.0, 1.0, 0.0])


def test_strokes_of_a_file_have_their_kinds(tmp_path: Path) -> None:
    content = {
        "sketch": 1,
        "strokes": [
            {"points_m": [[1, 2], [3, 4]]},
            {"joint": "Head", "points_m": [[1, 1.5, 2], [3, 1.6, 4]], "times_s": [0, 2]},
            {
                "joint": "LeftHand",
                "view": {"origin_m": [0, 1, 5], "right": [2, 0, 0], "up": [1, 3, 0]},
                "points_m": [[0.5, 0.25], [1, 0.5]],
            },
        ],
    }
    (tmp_path / "strokes.json").write_text(json.dumps(content))
    ground, space, view = read_sketch(tmp_path / "strokes.json")
    np.testing.assert_array_equal(ground.points, [[1, 0, 2], [3, 0, 4]])
    np.testing.assert_array_equal(ground.seen, np.diag([1, 0, 1]))
    assert (ground.joint, ground.times) == (None, None)
    np.testing.assert_array_equal(space.at(np.array([-1.0, 1.0, 5.0])), [[1, 1.5, 2], [2, 1.55, 3], [3, 1.6, 4]])
    np.testing.assert_allclose(view.points, np.array([[0.5, 1.25, 5], [1, 1.5, 5]]), atol=1e-12)
    np.testing.assert_allclose(view.seen, np.diag([1, 1, 0]), atol=1e-12)


def test_strokes_come_back_from_their_file(tmp_path: Path) -> None:
    flat, times = np.array([(0.0, 0.5), (1.0, 0.25), (1.5, 2.0)]), np.array([0.0, 0.5, 2.0])
    strokes = (
        Stroke.on_ground(flat),
        Stroke.in_space("Head", np.array([(0.1, 1.5, 2.0), (0.3, 1.6, 4.0)]), times[:2]),
        Stroke.in_view("Hand", flat, times, origin=np.array([1.0, 2.0, 3.0]), right=np.array([1.0, 0.0, 1.0]), up=UP),
    )
    write_sketch(strokes, tmp_path / "strokes.json")
    for one, other in zip(strokes, read_sketch(tmp_path / "strokes.json"), strict=True):
        assert one.joint == other.joint
        assert (one.times is None) == (other.times is None)
        np.testing.assert_allclose(other.points, one.points, atol=1e-12)
        np.testing.assert_allclose(other.seen, one.seen, atol=1e-12)


def test_a_stroke_is_timed_at_an_even_speed() -> None:
    stroke = Stroke.on_ground(np.array([(0.0, 0.0), (0.0, 1.0), (0.0, 1.0), (3.0, 1.0)])).timed(2.0)
    np.testing.assert_allclose(stroke.at(np.array([0.5, 1.25])), np.array([[0.0, 0, 1], [1.5, 0, 1]]))


VIEW = {"origin_m": [0, 0, 0], "right": [1, 0, 0], "up": [0, 1, 0]}
GOOD = {"points_m": [[0, 0], [0, 1]]}


@pytest.mark.parametrize(
    ("strokes", "said"),
    [
        ([], "at least one"),
        ([GOOD] * 17, "at most 16"),
        ([{}], "points_m is missing"),
        ([{**GOOD, "colour": 1}], "colour"),
        ([{"points_m": [[0, 0]]}], "from 2"),
        ([{"points_m": [[0, 0], [0, 0, 0]]}], "2 numbers"),
        ([{"points_m": [[0], [1]]}], "from 2"),
        ([{"points_m": [0, 1]}], "numbers"),
        ([{"points_m": [[0, 0], [0, 1e9]]}], "at most"),
        ([{"points_m": [[0, 0], [0, 0]]}], "0.05 to"),
        ([{"points_m": [[0, 0], [0, "x"]]}], "finite number"),
        ([{**GOOD, "times_s": [1, 1]}], "rising"),
        ([{**GOOD, "times_s": [0, 1e9]}], "rising"),
        ([{**GOOD, "times_s": [0]}], "2 numbers"),
        ([{**GOOD, "joint": 3}], "a name"),
        ([{**GOOD, "view": {"origin_m": [0, 0, 0], "right": [1, 0, 0], "up": [2, 0, 0]}}], "up"),
        ([{**GOOD, "view": {"origin_m": [0, 0, 0], "right": [0, 0, 0], "up": [0, 1, 0]}}], "right"),
        ([{**GOOD, "view": {"origin_m": [0, 0], "right": [0, 0, 1], "up": [0, 1, 0]}}], "3 numbers"),
        (
            [{"points_m": [[0, 0, 0], [1, 1, 1]], "view": {"origin_m": [0] * 3, "right": [1, 0, 0], "up": [0, 1, 0]}}],
            "n, 2",
        ),
    ],
)
def test_hostile_strokes_are_refused(strokes: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_sketch(json.dumps({"sketch": 1, "strokes": strokes}).encode())


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{", b'{"sketch": 2, "strokes": []}', b'{"sketch": true, "strokes": [1]}', b"\xff\x00", b"[" * 99999],
)
def test_files_that_are_no_sketches_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        parse_sketch(data)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(FormatError):
            read_sketch(path)
