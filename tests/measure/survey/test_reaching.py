"""Each fault of connection is found in a set made to have it; times equal those of a plain search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import quat_exp, quat_multiply
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey.reaching import (
    Links,
    Reach,
    cut_off,
    find_links,
    frames_to,
    no_choice,
    reach_statements,
    reach_times,
    single_entries,
    speed_out_of_reach,
    step_graph,
)
from motionfields.measure.survey.statements import Statement
from motionfields.measure.survey.tracks import Tracks, measure_tracks
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip

from .conftest import clip_called

KINDS = ("lost-take", "island", "dead-end", "unreached-start", "unreachable-kind", "slow-to-reach", "no-choice",
         "single-entry", "speed-out-of-reach")  # fmt: skip


def arms_raised(clip: Clip, share: FloatArray, name: str) -> Clip:
    """`clip` with both arms turned by 1.5 rad times `share` [frame]."""
    body = find_body(clip.skeleton)
    assert body.left_arm is not None
    assert body.right_arm is not None
    rotations = clip.rotations.copy()
    for arm, axis in ((body.left_arm, 1.0), (body.right_arm, -1.0)):
        turn = quat_exp(1.5 * share[:, np.newaxis] * np.array([0.0, 0.0, axis]))
        rotations[:, arm.shoulder] = quat_multiply(turn, rotations[:, arm.shoulder])
    return replace(clip, rotations=rotations, name=name)


def cut_off_of(*others: Clip) -> list[Statement]:
    """What is cut off in a set of three walks and `others`."""
    clips = [clip_called(name) for name in ("walk_forward", "turn_left_090_quick", "turn_right_090_quick")]
    field = MotionField(MotionDatabase.build([*clips, *others], mirror=False))
    return cut_off(field, measure_tracks(field.database), find_links(field))


def test_a_set_that_connects_has_nothing_cut_off(whole_field: MotionField, whole: Tracks) -> None:
    assert cut_off(whole_field, whole, find_links(whole_field)) == []


def test_a_take_that_resembles_no_other_is_lost_and_its_nearest_pair_shown() -> None:
    walk = clip_called("walk_stop")
    (lost,) = cut_off_of(arms_raised(walk, np.ones(walk.frame_count), "strange"))
    assert (lost.kind, lost.take) == ("lost-take", "strange")
    assert lost.value > 1.0
    assert "Hand is" in lost.text or "Arm is" in lost.text
    assert lost.other_take in ("walk_forward", "turn_left_090_quick", "turn_right_090_quick")
    assert lost.other_frame >= 0


def test_takes_that_connect_with_each_other_only_are_one_island() -> None:
    first, second = clip_called("turn_left_045_quick"), clip_called("turn_left_180_quick")
    strange = [arms_raised(clip, np.ones(clip.frame_count), f"strange_{clip.name}") for clip in (first, second)]
    (island,) = cut_off_of(*strange)
    assert island.kind == "island"
    assert all(clip.name in island.text for clip in strange)


@pytest.mark.parametrize(("kind", "words"), [("dead-end", "the last"), ("unreached-start", "the first")])
def test_a_take_that_departs_from_the_others_loses_that_part(kind: str, words: str) -> None:
    walk = clip_called("walk_fast")
    walk = replace(clip_called("walk_forward"), name=walk.name)
    time = np.linspace(0.0, 1.0, walk.frame_count)
    share = np.clip(5.0 * (time - 0.4), 0.0, 1.0)
    strange = arms_raised(walk, share if kind == "dead-end" else share[::-1], "departs")
    (part,) = cut_off_of(strange)
    assert (part.kind, part.take) == (kind, "departs")
    assert words in part.text
    half = strange.frame_count // 3
    assert part.frame > half if kind == "dead-end" else part.frame < 2 * half


def chain(count: int, links: dict[int, int]) -> tuple[Links, Tracks]:
    """One clip of `count` states with the given `links`, and its tracks."""
    states = np.full((count, 2), -1)
    for state, target in links.items():
        states[state, 0] = target
    tracks = Tracks(np.zeros((count, 2)), np.zeros(count), np.zeros((count, 2), np.bool_), np.array([0, count]),
                    ("long",), 1.0 / 30.0)  # fmt: skip
    return Links(states, np.zeros(states.shape)), tracks


def test_motion_at_the_end_of_a_long_take_is_slow_to_reach() -> None:
    links, tracks = chain(400, {399: 0})
    kinds = {"dance": np.arange(400) >= 380}
    graph = step_graph(links, tracks.starts, tracks.frame_time)
    times = reach_times(graph, kinds, np.ones(400, np.bool_), tracks.frame_time)
    assert times["dance"].longest == pytest.approx(380 / 30.0)
    (slow,) = reach_statements(times, kinds, tracks)
    assert slow.kind == "slow-to-reach"
    shortcuts, _ = chain(400, dict.fromkeys(range(360), 370) | {399: 0})
    graph = step_graph(shortcuts, tracks.starts, tracks.frame_time)
    assert not reach_statements(reach_times(graph, kinds, np.ones(400, np.bool_), tracks.frame_time), kinds, tracks)


def test_motion_outside_the_core_is_unreachable() -> None:
    links, tracks = chain(100, {60: 0})
    kinds, core = {"dance": np.arange(100) >= 80}, np.arange(100) <= 60
    times = reach_times(step_graph(links, tracks.starts, tracks.frame_time), kinds, core, tracks.frame_time)
    (gone,) = reach_statements(times, kinds, tracks)
    assert (gone.kind, gone.take, gone.frame) == ("unreachable-kind", "long", 80)
    assert not reach_statements({"dance": Reach(0.1, 0.2, 0.3)}, kinds, tracks)


def test_a_run_outside_the_core_is_a_speed_out_of_reach() -> None:
    _, tracks = chain(200, {})
    tracks.velocity[:, 1] = np.where(np.arange(200) < 150, 1.2, 3.0)
    (fast,) = speed_out_of_reach(np.arange(200) < 150, tracks)
    assert (fast.kind, fast.frame) == ("speed-out-of-reach", 150)
    assert "3.0 m/s" in fast.text
    assert "1.2 m/s" in fast.text
    assert speed_out_of_reach(np.ones(200, np.bool_), tracks) == []


def test_a_stretch_without_transitions_is_named_with_its_length() -> None:
    core = np.ones(200, np.bool_)
    links, tracks = chain(200, {state: 0 for state in range(200) if not 50 <= state < 140})
    (stretch,) = no_choice(links, core, tracks)
    assert (stretch.kind, stretch.frame) == ("no-choice", 50)
    assert stretch.value == pytest.approx(3.0)
    links, _ = chain(200, dict.fromkeys(range(0, 200, 30), 0))
    assert no_choice(links, core, tracks) == []


def test_a_take_that_others_enter_at_one_moment_is_named() -> None:
    links, tracks = chain(200, {state: 150 + state % 3 for state in range(100)})
    tracks = tracks._replace(starts=np.array([0, 100, 200]), names=("walk", "dance"))
    core = np.ones(200, np.bool_)
    (single,) = single_entries(links, core, tracks)
    assert (single.kind, single.take, single.frame) == ("single-entry", "dance", 50)
    links, _ = chain(200, {state: 100 + state for state in range(100)})
    assert single_entries(links, core, tracks) == []


def test_times_equal_those_of_a_plain_search(rng: np.random.Generator) -> None:
    count, starts = 60, np.array([0, 25, 60])
    states: IntArray = np.where(rng.random((count, 3)) < 0.15, rng.integers(0, count, (count, 3)), -1)
    targets = np.zeros(count, np.bool_)
    targets[[7, 40]] = True
    found = frames_to(step_graph(Links(states, np.zeros(states.shape)), starts, 1.0 / 30.0), targets)
    best = np.where(targets, 0.0, np.inf)
    for _ in range(count):
        for state in range(count):
            end = starts[1] if state < starts[1] else starts[2]
            options = [1.0 + best[state + 1]] if state + 1 < end else []
            for link in states[state][states[state] >= 0]:
                ahead = min(8, (starts[1] if link < starts[1] else starts[2]) - 1 - link)
                options += [ahead + best[link + ahead]] if ahead > 0 else []
            best[state] = min([best[state], *options])
    np.testing.assert_array_equal(found, best)
