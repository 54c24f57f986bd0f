"""Each hole of coverage is found in a set made to have it, and in no set without it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from motionfields.measure.survey.coverage import coverage_statements, motion_map
from motionfields.measure.survey.statements import NOTE
from motionfields.measure.survey.tracks import Tracks, find_starts, find_stops, motion_kinds, smoothed, stands

from .conftest import only, parts

QUICK = ("turn_left_090_quick", "turn_right_090_quick")


def _one_foot_turns(tracks: Tracks) -> Tracks:
    """All quick left turns on the left foot alone."""
    quick = np.degrees(tracks.turning) > 90.0
    return tracks._replace(contacts=np.where(quick[:, np.newaxis], [True, False], tracks.contacts))


def _turns_at(tracks: Tracks, *speeds: float) -> Tracks:
    """Copies of a quick turn to both sides, each moving ahead at one of `speeds`."""
    copies = only(tracks, *QUICK * len(speeds))
    speed = np.repeat(np.repeat(speeds, 2), np.diff(copies.starts))
    return copies._replace(velocity=np.stack([np.zeros_like(speed), speed], axis=-1))


# Each statement, a set that has this hole, the same set without it, and words that the statement must use.
SETS: dict[str, tuple[Callable[[Tracks], Tracks], Callable[[Tracks], Tracks], str]] = {
    "little-motion": (
        lambda t: only(t, "walk_fast"),
        lambda t: only(t, "walk_fast", "walk_forward", "stand_idle"),
        "only 5",
    ),
    "no-standing": (
        lambda t: only(t, "walk_forward", *QUICK),
        lambda t: only(t, "walk_forward", "stand_idle", *QUICK),
        "No take stands still",
    ),
    "no-start": (
        lambda t: parts(t, [("walk_stop", 0.0, 0.55), ("walk_stop.mirror", 0.0, 0.55)]),
        lambda t: only(t, "walk_stop", "walk_stop.mirror"),
        "No take walks off",
    ),
    "no-stop": (
        lambda t: parts(t, [("walk_stop", 0.55, 1.0), ("walk_stop.mirror", 0.55, 1.0)]),
        lambda t: only(t, "walk_stop", "walk_stop.mirror"),
        "comes to stand",
    ),
    "one-foot-start": (
        lambda t: only(t, "walk_stop"),
        lambda t: only(t, "walk_stop", "walk_stop.mirror"),
        "No take starts to walk with the left foot",
    ),
    "one-foot-stop": (
        lambda t: only(t, "walk_stop"),
        lambda t: only(t, "walk_stop", "walk_stop_other_foot"),
        "No take stops on the right foot",
    ),
    "cannot-turn": (
        lambda t: only(t, "walk_forward", "walk_fast"),
        lambda t: only(t, "walk_forward", *QUICK),
        "The set cannot turn",
    ),
    "no-turn-to-side": (
        lambda t: only(t, "walk_forward", "turn_right_090_quick", "turn_right_180_quick"),
        lambda t: only(t, "walk_forward", *QUICK),
        "No take turns left",
    ),
    "one-sided-turn": (
        lambda t: only(t, "turn_left_180_quick", "turn_left_090_quick", "turn_right_045_quick"),
        lambda t: only(t, *QUICK),
        "No right turn above 45 deg/s at any speed",
    ),
    "turn-hole": (
        lambda t: _turns_at(t, *(4 * [0.8] + 4 * [1.7])),
        lambda t: _turns_at(t, *(4 * [0.8] + [1.2] + 4 * [1.7])),
        "No left turn above 45 deg/s at 1 to 1.5 m/s",
    ),
    "turn-one-foot": (_one_foot_turns, lambda t: t, "No quick left turn on the right foot"),
    "turn-limit": (
        lambda t: only(t, *QUICK),
        lambda t: _turns_at(t._replace(turning=3.0 * t.turning), 0.8),
        "No turn above 150 deg/s at any speed",
    ),
    "one-speed": (
        lambda t: only(t, "walk_forward"),
        lambda t: only(t, "walk_forward", "walk_fast", "walk_slow"),
        "All walking has one speed",
    ),
    "speed-gap": (
        lambda t: only(t, "walk_forward", "walk_forward", scale=np.array([1.0, 2.5])),
        lambda t: only(t, *["walk_forward"] * 4, scale=np.array([1.0, 1.35, 1.9, 2.5])),
        "Nothing moves at 1.0 to 2.0",
    ),
    "hardly-walks": (
        lambda t: only(t, "walk_forward", scale=np.array([0.3])),
        lambda t: only(t, "walk_forward"),
        "No take walks: the fastest speed held for half a second is 0.2",
    ),
    "no-turn-in-place": (lambda t: only(t, "walk_forward"), lambda t: t, "on the spot"),
    "no-sidestep": (lambda t: only(t, "walk_forward"), lambda t: t, "sideways"),
    "no-backward": (lambda t: only(t, "walk_forward"), lambda t: t, "backwards"),
}


@pytest.mark.parametrize("kind", SETS)
def test_a_hole_is_named_where_it_is_and_nowhere_else(whole: Tracks, kind: str) -> None:
    lacking, complete, words = SETS[kind]
    named = [one.text for one in coverage_statements(lacking(whole), mirrored=False) if one.kind == kind]
    assert any(words in text for text in named), named
    assert kind not in {one.kind for one in coverage_statements(complete(whole), mirrored=False)}


def test_the_whole_set_has_no_hole(whole: Tracks) -> None:
    assert {one.level for one in coverage_statements(whole, mirrored=True)} == {NOTE}


def test_the_speed_limit_is_the_speed_that_the_set_holds(whole: Tracks) -> None:
    still = only(whole, "walk_forward", scale=np.zeros(1))
    still.velocity[:30, 1] = 2.0
    (limit,) = (one for one in coverage_statements(still, mirrored=False) if one.kind == "speed-limit")
    assert limit.value == pytest.approx(2.0)


def test_turn_limits_are_true_and_mentioned_once(whole: Tracks) -> None:
    limits = [one for one in coverage_statements(whole, mirrored=True) if one.kind == "turn-limit"]
    speeds = [0.0 if "any speed" in one.text else float(one.text.split("than ")[1].split()[0]) for one in limits]
    assert speeds == sorted(set(speeds))
    for limit, speed in zip(limits, speeds, strict=True):
        beyond = (np.abs(np.degrees(whole.turning)) > limit.value) & (whole.speed > speed)
        assert whole.seconds(beyond) < 0.5


def test_the_map_counts_every_state_once_and_is_symmetric_with_mirror_images(whole: Tracks) -> None:
    found = motion_map(whole)
    assert found.seconds.sum() == pytest.approx(len(whole.turning) * whole.frame_time)
    np.testing.assert_allclose(found.seconds, found.seconds[:, ::-1], atol=0.5)


def test_smoothing_is_the_mean_within_a_clip() -> None:
    values, starts = np.arange(10.0) ** 2, np.array([0, 4, 10])
    for state, value in enumerate(smoothed(values, starts, 2)):
        low, high = (0, 4) if state < 4 else (4, 10)
        assert value == pytest.approx(values[max(low, state - 2) : min(high, state + 3)].mean())


def test_starts_and_stops_of_a_walk_that_stops_once(whole: Tracks) -> None:
    tracks = only(whole, "walk_stop")
    (start,), (stop,) = find_starts(tracks), find_stops(tracks)
    assert stop.first < stop.last <= start.first < start.last
    standing = np.flatnonzero(stands(tracks))
    assert (stop.last, start.first) == (standing[0], standing[-1])


def test_kinds_of_motion_agree_with_the_names_of_the_clips(whole: Tracks) -> None:
    for kind, clip in (("backward walk", "walk_backward"), ("step to the left", "sidestep_left"),
                       ("left turn", "turn_left_090_quick"), ("standing", "stand_idle")):  # fmt: skip
        tracks = only(whole, clip)
        assert tracks.seconds(motion_kinds(tracks)[kind]) > 0.5
        assert tracks.seconds(motion_kinds(only(whole, "walk_forward"))[kind]) == 0.0
