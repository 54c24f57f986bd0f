"""Figures of footwork: replays, cross-clip loops and spins are seen, captured motion is not blamed."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import IntArray
from motionfields.base.geometry import quat_from_yaw, quat_multiply
from motionfields.field import MotionField
from motionfields.measure.evaluation import GATES, Figures, Trials, measure_source, measure_trials, missed_gates
from motionfields.measure.evaluation.figures import FOOTWORK_GATES, REQUIRED_GATES
from motionfields.measure.evaluation.footing import (
    FootFigures,
    FootTracks,
    compare_feet,
    foot_figures,
    foot_tracks,
    largest_share,
    replayed_frames,
    replayed_share,
)
from motionfields.motion.clip import Clip
from tests.control.training.small import small_field

FRAME_TIME = 1.0 / 30.0


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


def tracks(speed: list[float], turning: list[bool]) -> FootTracks:
    values = np.array(speed)
    return FootTracks(np.array(turning), values, 2.0 * values, 0.1 * values, values > 0.5)


def test_figures_are_over_all_frames_and_over_turns() -> None:
    figures = foot_figures([tracks([0.0, 0.7], [False, True]), tracks([0.1, 0.2], [True, False])])
    assert figures.foot_speed == pytest.approx(0.25)
    assert figures.foot_p95 == pytest.approx(np.percentile([0.0, 0.1, 0.2, 0.7], 95.0))
    assert figures.fast_feet == pytest.approx(0.25)
    assert figures.turning_foot_speed == pytest.approx(0.4)
    assert figures.turning_foot_p95 == pytest.approx(0.1 + 0.95 * 0.6)
    assert figures.turning_fast_feet == pytest.approx(0.5)
    assert figures.foot_spin == pytest.approx(0.8)
    assert figures.twist == pytest.approx(0.1 * figures.foot_p95)
    assert figures.flight == pytest.approx(0.25)


def test_figures_are_compared_with_the_source() -> None:
    source = FootFigures(0.1, 0.2, 0.02, 0.2, 0.4, 0.04, 1.0, 0.2, 0.01)
    own = FootFigures(0.2, 0.2, 0.01, 0.6, 0.4, 0.1, 3.0, 0.1, 0.04)
    expected = (2.0, 1.0, 0.5, 3.0, 1.0, 2.5, 3.0, 0.5, 0.03)
    assert compare_feet(own, source) == pytest.approx(expected)
    assert compare_feet(source, source) == pytest.approx((*[1.0] * 8, 0.0))
    assert compare_feet(source, own).flight == 0.0  # less than the source is no fault


def test_a_source_that_hardly_moves_counts_as_the_least() -> None:
    source = FootFigures(*[0.0] * 9)
    own = FootFigures(0.1, 0.2, 0.015, 0.1, 0.2, 0.015, np.radians(30.0), 0.1, 0.0)
    assert compare_feet(own, source) == pytest.approx((2.0, 2.0, 1.5, 2.0, 2.0, 1.5, 3.0, 1.0, 0.0))


def test_motion_without_turns_has_no_turning_figures() -> None:
    straight, turns = foot_figures([tracks([0.1], [False])]), foot_figures([tracks([0.1], [True])])
    assert np.isnan(straight.turning_foot_speed)
    compared = compare_feet(straight, turns)
    assert (compared.turning_foot_speed, compared.turning_fast_feet, compared.foot_spin) == (0.0, 0.0, 0.0)
    assert np.isnan(compare_feet(turns, straight).turning_foot_speed)


def plain_replayed(moments: IntArray) -> list[bool]:
    """The definition at 30 frames per second, as plain loops."""
    found = []
    for f in range(len(moments)):
        before = set(moments[max(0, f - 20) : f].tolist())
        few = f >= 7 and len(set(moments[f - 7 : f + 1].tolist())) <= 4
        found.append(bool(moments[f] in before or few))
    return found


def test_replays_are_found_as_by_the_definition() -> None:
    rng = np.random.default_rng(3)
    for high in (3, 10, 40, 200):
        moments = rng.integers(0, high, 90)
        assert replayed_frames(moments, FRAME_TIME).tolist() == plain_replayed(moments)
    assert replayed_frames(np.array([1, 1]), FRAME_TIME).tolist() == [False, True]
    assert replayed_frames(np.array([1]), FRAME_TIME).tolist() == [False]


def test_progress_is_no_replay() -> None:
    assert not replayed_frames(np.arange(100), FRAME_TIME).any()
    loop = np.tile(np.arange(21), 4)  # seen again after 21 frames, which is a step
    assert not replayed_frames(loop, FRAME_TIME).any()
    assert replayed_frames(np.tile(np.arange(20), 4), FRAME_TIME)[20:].all()


def test_times_scale_with_the_frame_rate() -> None:
    assert not replayed_frames(np.tile(np.arange(41), 3), 1.0 / 60.0).any()
    assert replayed_frames(np.tile(np.arange(40), 3), 1.0 / 60.0)[40:].all()


def test_one_instant_shown_again_and_again_is_a_replay() -> None:
    rows = np.tile([9180, 9181], 30)
    assert replayed_frames(rows, FRAME_TIME)[2:].all()
    turning = np.ones(59, np.bool_)
    assert replayed_share([replayed_frames(rows, FRAME_TIME)], [turning]) == pytest.approx(57 / 59)
    assert replayed_share([replayed_frames(rows, FRAME_TIME)], [~turning]) == 0.0  # only turns count


def test_a_loop_between_two_takes_is_a_replay() -> None:
    rows = np.tile([100, 101, 102, 5000, 5001, 5002], 10)
    assert replayed_frames(rows, FRAME_TIME)[6:].all()


def test_the_largest_share_is_that_of_one_captured_clip() -> None:
    assert largest_share([np.array([0, 0, 1]), np.array([2, 0, 1, 0, 0])]) == pytest.approx(5 / 8)


def trials_of(clips: list[Clip], states: list[IntArray]) -> Trials:
    one = np.ones(len(clips))
    variants: list[IntArray] = [np.zeros(len(rows), np.int64) for rows in states]
    return Trials(one, one, one, np.zeros((len(clips), 181)), clips, clips, states, variants)


def shown(field: MotionField, states: IntArray, *, degrees: float) -> Clip:
    """The poses of `states` as a turntable shows them: on the spot, turning by `degrees` per second."""
    database = field.database
    poses = database.poses(states)
    yaw = np.radians(degrees) * database.frame_time * np.arange(len(states))
    rotations = np.array(database.rotations[states])
    rotations[:, 0] = quat_multiply(quat_from_yaw(yaw), rotations[:, 0])
    return Clip(database.skeleton, poses.root_position, rotations, database.frame_time)


def missed_by(field: MotionField, states: IntArray, *, degrees: float) -> set[str]:
    clip = shown(field, states, degrees=degrees)
    figures: Figures = measure_trials(field, measure_source(field), trials_of([clip], [states]))
    return {gate.split()[0] for gate in missed_gates(figures)}


def test_a_statue_on_a_turntable_misses_the_gates(field: MotionField) -> None:
    missed = missed_by(field, np.tile([40, 41], 60), degrees=150.0)
    assert {"replayed", "turning_foot_speed", "turning_foot_p95"} <= missed


def test_a_two_take_loop_misses_the_gates(field: MotionField) -> None:
    second = int(field.database.clip_starts[2]) + 40
    missed = missed_by(field, np.tile([40, 41, 42, second, second + 1, second + 2], 20), degrees=150.0)
    assert {"replayed", "turning_foot_speed"} <= missed


def test_a_spin_on_one_foot_through_several_clips_misses_the_gates(field: MotionField) -> None:
    # Thirty different moments of three clips: no moment returns within 20 frames, but the foot spins and slides.
    starts = field.database.clip_starts[[0, 2, 4]] + 40
    states = np.tile((starts[:, np.newaxis] + np.arange(10)).ravel(), 4)
    missed = missed_by(field, states, degrees=720.0)
    assert "replayed" not in missed
    assert {"foot_spin", "turning_fast_feet"} <= missed


def test_the_data_itself_keeps_every_gate_of_footwork(field: MotionField) -> None:
    database = field.database
    clips = database.source_clips()
    rows: list[IntArray] = [
        np.minimum(np.arange(start, start + clip.frame_count), database.state_count - 1)
        for start, clip in zip(database.clip_starts[:-1], clips, strict=True)
    ]
    figures = measure_trials(field, measure_source(field), trials_of(clips, rows))
    assert missed_gates(figures, FOOTWORK_GATES) == []
    assert figures.twist == pytest.approx(1.0)
    assert figures.replayed == 0.0
    assert 0.0 < figures.foot_spin <= 1.0


def test_tracks_have_one_value_for_each_pair_of_frames(field: MotionField) -> None:
    clip = field.database.source_clips()[0]
    assert {len(track) for track in foot_tracks(clip, field.stance)} == {clip.frame_count - 1}


def test_the_required_gates_are_gates() -> None:
    assert set(REQUIRED_GATES) <= set(GATES)
    assert set(REQUIRED_GATES) >= {"failures", "jerk", "turning_jerk", "joint_speed", "skate", "distance"}
