"""The shot list asks for what a set lacks, and warps do what their names say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey.shots import (
    NEVER,
    abilities,
    hastened,
    retimed,
    saved_seconds,
    shot_list,
    started,
    stopped,
    straight_walk,
    turned,
)
from motionfields.measure.survey.tracks import find_starts, find_stops, measure_tracks
from motionfields.motion.clip import Clip, trim

from .conftest import clip_called


@pytest.fixture(scope="module")
def walk() -> Clip:
    return trim(clip_called("walk_forward"), 30, 120)


def database_of(clip: Clip) -> MotionDatabase:
    return MotionDatabase.build([clip], mirror=False, cutoff=None)


@pytest.mark.parametrize("degrees", [90.0, -180.0])
def test_a_turned_walk_turns_by_the_angle_and_keeps_its_speed(walk: Clip, degrees: float) -> None:
    clip, before = turned(walk, degrees), database_of(walk)
    after = database_of(clip)
    change = measure_tracks(after).turning.sum() - measure_tracks(before).turning.sum()
    assert np.degrees(change * clip.frame_time) == pytest.approx(degrees, abs=2.0)
    lengths = [np.linalg.norm(np.diff(one.root_position, axis=0), axis=1) for one in (walk, clip)]
    np.testing.assert_allclose(lengths[0], lengths[1], atol=1e-12)


def test_a_walk_at_its_own_rate_is_unchanged_and_at_half_rate_takes_twice_as_long(walk: Clip) -> None:
    same = retimed(walk, np.ones(walk.frame_count))
    np.testing.assert_allclose(same.root_position, walk.root_position, atol=1e-12)
    slow = retimed(walk, np.full(2 * walk.frame_count, 0.5))
    assert slow.frame_count == 2 * walk.frame_count - 1
    np.testing.assert_allclose(slow.root_position[::2], walk.root_position, atol=1e-12)


def test_a_stop_stops_a_start_starts_and_a_hastened_walk_is_faster(walk: Clip) -> None:
    assert len(find_stops(measure_tracks(database_of(stopped(walk))))) == 1
    assert len(find_starts(measure_tracks(database_of(started(walk))))) == 1
    fastest = [measure_tracks(database_of(clip)).speed.max() for clip in (walk, hastened(walk))]
    assert fastest[1] == pytest.approx(1.5 * fastest[0], rel=0.08)


def test_the_list_asks_for_the_side_that_is_missing_and_the_real_turn_saves_time() -> None:
    names = ("walk_forward", "turn_right_090_quick")
    clips = [clip_called(name) for name in names]
    field = MotionField(MotionDatabase.build(clips, mirror=False))
    shots = {shot.kind: shot for shot in shot_list(field)}
    assert {"turn left", "stop", "fast walk"} <= set(shots)
    assert "turn right" not in shots
    assert shots["stop"].before == NEVER
    assert "turn left" in shots["turn left"].text
    before = abilities(field)
    after = abilities(MotionField(MotionDatabase.build([*clips, clip_called("turn_left_090_quick")], mirror=False)))
    assert saved_seconds(before, after) >= 0.5 * (shots["turn left"].before - shots["turn left"].after)
    assert set(shots["stop"].as_json()) == {"kind", "text", "before", "after", "gain"}


def test_nothing_is_asked_for_where_nobody_walks_straight() -> None:
    still = replace(trim(clip_called("stand_idle"), 0, 60), name="still")
    database = database_of(still)
    assert straight_walk(database) is None
    assert shot_list(MotionField(database)) == []
