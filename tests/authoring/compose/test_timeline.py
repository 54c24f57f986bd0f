"""Timelines: their files and their costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionfields.authoring.compose.cuts import COST_UNIT
from motionfields.authoring.compose.goals import JointGoal, LabelGoal, PathGoal, PlaceGoal, PoseGoal
from motionfields.authoring.compose.labels import NO, UNKNOWN, YES, StateLabels
from motionfields.authoring.compose.objective import HARD_COST, adherence, label_costs
from motionfields.authoring.compose.timeline import (
    Timeline,
    format_timeline,
    parse_timeline,
    read_timeline,
    write_timeline,
)
from motionfields.base.errors import AnnotationError

LABELS = StateLabels.of(("run", "walk"), np.array([[NO, YES], [YES, NO], [UNKNOWN, YES], [YES, YES]]))


@given(
    st.lists(st.tuples(st.sampled_from(["walk", "run", "sit"]), st.integers(0, 50), st.integers(1, 50), st.booleans()))
)
def test_timelines_come_back_from_their_files(parts: list[tuple[str, int, int, bool]]) -> None:
    goals = tuple(LabelGoal(n, a / 10, (a + b) / 10, w, 1.0 + b, not w) for n, a, b, w in parts)
    timeline = Timeline(10.0, goals)
    assert parse_timeline(format_timeline(timeline)) == timeline


def test_timelines_are_files(tmp_path: Path) -> None:
    timeline = Timeline(4.0, (LabelGoal("walk", 0.0, 2.0),))
    write_timeline(timeline, tmp_path / "scene.json")
    assert read_timeline(tmp_path / "scene.json") == timeline
    with pytest.raises(AnnotationError, match="there is no such file"):
        read_timeline(tmp_path / "missing.json")


def test_all_goals_come_back_from_their_file() -> None:
    timeline = Timeline(
        8.0,
        (LabelGoal("walk", 0.0, 2.0, False, 2.0, True),),
        (PlaceGoal(2.0, 1.0, -3.0), PlaceGoal(4.0, 1.0, 2.5, 0.5)),
        PathGoal(((0.0, 0.0), (1.0, 2.0)), 0.0, 8.0),
        (PoseGoal(3.0, "take", 1.5, 2.0),),
        (JointGoal(3.5, "Head", 1.75),),
    )
    assert parse_timeline(format_timeline(timeline)) == timeline
    assert parse_timeline(format_timeline(Timeline(2.0, loop=True))) == Timeline(2.0, loop=True)
    for goal in (timeline.places[1], timeline.path, timeline.poses[0], timeline.joints[0]):
        assert goal is not None
        assert goal.text


def test_a_shorter_timeline_keeps_its_goals() -> None:
    long = Timeline(
        4.0,
        (LabelGoal("walk", 0.0, 3.0), LabelGoal("sit", 3.0, 4.0)),
        (PlaceGoal(1.0, 0.0, 1.0), PlaceGoal(4.0, 0.0, 4.0)),
        PathGoal(((0.0, 0.0), (0.0, 4.0)), 0.0, 4.0),
        shortest=2.0,
    )
    short = long.ending_at(2.5)
    assert [(goal.label, goal.end) for goal in short.labels] == [("walk", 2.5)]
    assert [goal.time for goal in short.places] == [1.0, 2.5]
    assert (short.seconds, short.shortest, short.path and short.path.end) == (2.5, None, 2.5)
    assert parse_timeline(format_timeline(long)) == long
    with pytest.raises(ValueError, match="shortest: expected more than 0 and at most 4"):
        Timeline(4.0, shortest=5.0)
    with pytest.raises(ValueError, match=r"at most one after 0\.5 s"):
        Timeline(4.0, places=long.places, shortest=0.5)


def test_a_joint_has_a_whole_place_or_none() -> None:
    timeline = Timeline(2.0, joints=(JointGoal(1.0, "Head", 1.9, x=0.5, z=1.0),))
    assert parse_timeline(format_timeline(timeline)) == timeline
    assert timeline.is_placed
    assert timeline.joints[0].text == "Head at 1.9 m over (0.5, 1) m at 1 s"
    with pytest.raises(ValueError, match="both x and z"):
        JointGoal(1.0, "Head", 1.9, x=0.5)


def test_a_path_is_followed_at_even_speed() -> None:
    path = PathGoal(((0.0, 0.0), (0.0, 3.0), (1.0, 3.0)), 1.0, 5.0)
    places, headings = path.at(np.array([0.0, 1.0, 3.0, 5.0, 9.0]))
    np.testing.assert_allclose(places, [[0, 0], [0, 0], [0, 2], [1, 3], [1, 3]], atol=1e-12)
    np.testing.assert_allclose(headings, [0.0, 0.0, 0.0, np.pi / 2, np.pi / 2], atol=1e-12)
    assert path.length == 4.0


BAD = '{"timeline": 1, "seconds": 5, %s}'


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ('"places": [{"time_s": 1, "x_m": 0}]', "z_m is missing"),
        ('"places": [{"time_s": 9, "x_m": 0, "z_m": 0}]', "within the timeline"),
        ('"places": [{"time_s": 1, "x_m": 1e6, "z_m": 0}]', "at most 1000"),
        ('"places": [{"time_s": 1, "x_m": 0, "z_m": 0}, {"time_s": 1, "x_m": 1, "z_m": 0}]', "at most one at a time"),
        ('"path": {"points_m": [[0, 0]], "start_s": 0, "end_s": 5}', "2 to 10000 points"),
        ('"path": {"points_m": [[0, 0], [0]], "start_s": 0, "end_s": 5}', "expected x and z"),
        ('"path": {"points_m": [[0, 0], [0, 0]], "start_s": 0, "end_s": 5}', "different places"),
        ('"poses": [{"time_s": 1, "take": 3, "take_s": 0}]', "take: expected text"),
        ('"joints": [{"time_s": 1, "joint": "Head", "height_m": 1000}]', "at most 100 m"),
        ('"loop": 1', "loop: expected true or false"),
        ('"loop": true, "places": [{"time_s": 1, "x_m": 0, "z_m": 0}]', "no places and no path"),
    ],
)
def test_wrong_goals_are_refused(part: str, reason: str) -> None:
    with pytest.raises(AnnotationError, match=reason):
        parse_timeline((BAD % part).encode(), path="x")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected JSON"),
        ("[]", "expected an object with timeline, seconds"),
        ('{"timeline": 1}', "seconds is missing"),
        ('{"timeline": 2, "seconds": 1}', "expected version 1"),
        ('{"timeline": 1, "seconds": 0}', "seconds: expected more than 0"),
        ('{"timeline": 1, "seconds": NaN}', "finite"),
        ('{"timeline": 1, "seconds": 1e999}', "finite"),
        ('{"timeline": 1, "seconds": 1, "lables": []}', '"lables" is not one of them'),
        ('{"timeline": 1, "seconds": 1, "labels": {}}', "labels: expected a list"),
        ('{"timeline": 1, "seconds": 1, "labels": [{"label": 3, "start_s": 0, "end_s": 1}]}', "label: expected text"),
        ('{"timeline": 1, "seconds": 1, "labels": [{"label": "a", "start_s": 0, "end_s": 2}]}', "within the timeline"),
        ('{"timeline": 1, "seconds": 1, "labels": [{"label": "a", "start_s": 1, "end_s": 1}]}', "start < end"),
        (
            '{"timeline": 1, "seconds": 1, "labels": [{"label": "a", "start_s": 0, "end_s": 1, "hard": 1}]}',
            "true or false",
        ),
        (
            '{"timeline": 1, "seconds": 1, "labels": [{"label": "a", "start_s": 0, "end_s": 1, "weight": 0}]}',
            "weight above 0",
        ),
    ],
)
def test_wrong_timelines_are_refused(text: str, reason: str) -> None:
    with pytest.raises(AnnotationError, match=reason):
        parse_timeline(text.encode(), path="x")


def test_costs_count_what_a_state_fails() -> None:
    """Walk without run for half a second: state 0 fits, state 1 fails twice, state 2 may run, state 3 runs."""
    goals = (LabelGoal("walk", 0.0, 0.5), LabelGoal("run", 0.0, 0.5, wanted=False, weight=2.0))
    costs = label_costs(Timeline(1.0, goals), LABELS, frame_time=0.1, weight=3.0)
    np.testing.assert_array_equal(costs.at(0), np.array([0.0, 9.0, 3.0, 6.0]) * COST_UNIT)
    np.testing.assert_array_equal(costs.at(4), costs.at(0))
    np.testing.assert_array_equal(costs.at(5), 0)
    hard = label_costs(Timeline(1.0, (LabelGoal("walk", 0.0, 1.0, hard=True),)), LABELS, frame_time=0.1, weight=3.0)
    assert hard.at(0)[1] == HARD_COST * COST_UNIT
    with pytest.raises(ValueError, match="expected one of run, walk; got 'fly'"):
        label_costs(Timeline(1.0, (LabelGoal("fly", 0.0, 1.0),)), LABELS, frame_time=0.1, weight=1.0)


def test_adherence_gives_shares_and_reasons() -> None:
    goals = (
        LabelGoal("walk", 0.0, 0.4),
        LabelGoal("run", 0.0, 0.4, wanted=False),
        LabelGoal("run", 0.4, 0.6),
        LabelGoal("walk", 0.4, 0.6, wanted=False),
    )
    path = np.array([0, 0, 2, 1, 3, 3])
    found = adherence(Timeline(0.6, goals), LABELS, path, frame_time=0.1)
    assert [one.share for one in found] == [0.75, 0.5, 1.0, 0.0]
    assert "transitions" in found[0].reason
    assert found[2].reason == ""
    none = StateLabels.of(("run", "walk"), np.array([[NO, YES], [YES, YES]]))
    assert (
        "no frame of the data is known to lack walk"
        in adherence(Timeline(0.6, goals[3:]), none, np.array([0, 0, 0, 0, 0, 0]), frame_time=0.1)[0].reason
    )
    both = adherence(Timeline(0.6, goals[:2]), none, np.array([1, 1, 1, 1, 1, 1]), frame_time=0.1)
    assert [one.share for one in both] == [1.0, 0.0]
