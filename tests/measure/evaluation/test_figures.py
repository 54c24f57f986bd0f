"""Figures of trials that replay the data, and gates."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import IntArray
from motionfields.field import MotionField
from motionfields.measure.evaluation import (
    GATES,
    Figures,
    SourceFigures,
    Trials,
    direction_trials,
    measure_source,
    measure_trials,
    missed_gates,
)
from motionfields.measure.evaluation.source import LEAST_SKATE, MEAN_ANGLE, counted_joints, fast_turns
from motionfields.motion import quality
from tests.control.training.small import direction_controller, small_field


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


@pytest.fixture(scope="module")
def source(field: MotionField) -> SourceFigures:
    return measure_source(field)


def test_the_source_is_measured_by_the_definitions(field: MotionField, source: SourceFigures) -> None:
    clips = field.database.source_clips()
    assert source.jerk == pytest.approx(np.concatenate([quality.jerk(clip) for clip in clips]).mean())
    rate = np.concatenate([np.abs(quality.turning_rate(clip)) for clip in clips])
    assert source.turning_rate == pytest.approx(tuple(np.percentile(rate, [95.0, 99.0, 100.0])))
    assert source.limit == pytest.approx(np.radians(92.5) / source.turning_rate.p95)
    assert pytest.approx(np.radians(92.5)) == MEAN_ANGLE
    assert source.skate >= LEAST_SKATE
    assert source.turning_jerk > 0.0
    for number, clip in enumerate(clips):
        rows = slice(field.database.clip_starts[number], field.database.clip_starts[number + 1])
        speed = quality.joint_speed(clip, joints=counted_joints(field))
        np.testing.assert_allclose(source.joint_speed[rows][:-1], speed[:-1], atol=2e-3)


def test_jerk_belongs_to_the_two_frames_in_its_middle() -> None:
    rate = np.zeros(8)
    rate[4] = 2.0
    np.testing.assert_array_equal(np.flatnonzero(fast_turns(rate)), [2, 3])
    assert len(fast_turns(rate)) == 8 - 3


def replayed(field: MotionField) -> Trials:
    """Characters that show the clips of the database as they are."""
    database = field.database
    clips = database.source_clips()
    rows: list[IntArray] = [
        np.minimum(np.arange(start, start + clip.frame_count), database.state_count - 1)
        for start, clip in zip(database.clip_starts[:-1], clips, strict=True)
    ]
    reached = np.array([1.0, 2.0, np.inf, 1.5])
    settled = np.array([1.0, np.inf, np.inf, 2.5])
    variants: list[IntArray] = [np.zeros(len(row), np.int64) for row in rows]
    variants[0][:] = 1
    return Trials(np.ones(4), reached, settled, np.zeros((4, 181)), clips, clips, rows, variants)


def test_data_that_is_replayed_is_as_good_as_the_data(field: MotionField, source: SourceFigures) -> None:
    figures = measure_trials(field, source, replayed(field))
    assert figures.jerk == pytest.approx(1.0)
    assert figures.turning_jerk == pytest.approx(1.0)
    assert figures.joint_speed == pytest.approx(1.0, abs=1e-3)
    assert figures.distance < 1.0
    assert figures.turning_p99 == pytest.approx(source.turning_rate.p99)
    assert figures.turning_max == pytest.approx(source.turning_rate.maximum)


def test_times_are_those_of_the_trials_that_were_done(field: MotionField, source: SourceFigures) -> None:
    figures = measure_trials(field, source, replayed(field))
    assert figures.trial_count == 4
    assert (figures.fastest, figures.mean, figures.slowest) == (1.0, 1.5, 2.0)
    assert figures.error == pytest.approx(np.std([1.0, 2.0, 1.5]) / np.sqrt(3))
    assert figures.settled == 1.75
    assert figures.failures == 0.25
    assert figures.warped == pytest.approx(1.0 / field.database.clip_count)


def test_trials_that_all_failed_have_no_times(field: MotionField, source: SourceFigures) -> None:
    never = replayed(field)._replace(reached=np.full(4, np.inf), settled=np.full(4, np.inf))
    figures = measure_trials(field, source, never)
    assert figures.failures == 1.0
    assert np.isnan(figures.mean)
    assert np.isnan(figures.settled)


def test_gates_that_are_missed_are_named() -> None:
    good = {name: 0.5 * (low + high) for name, (low, high) in GATES.items()}
    rest = dict.fromkeys(Figures._fields, 0.0)
    assert missed_gates(Figures(**(rest | good))) == []  # type: ignore[arg-type]
    for name, (_, high) in GATES.items():
        figures = Figures(**(rest | good | {name: high + 0.125}))  # type: ignore[arg-type]
        (message,) = missed_gates(figures)
        assert message.startswith(f"{name} is {high + 0.125:.3f}, allowed")
    unknown = Figures(**(rest | good | {"jerk": float("nan")}))  # type: ignore[arg-type]
    assert len(missed_gates(unknown)) == 1


def test_a_trained_controller_is_judged(field: MotionField, source: SourceFigures) -> None:
    figures = measure_trials(field, source, direction_trials(direction_controller(), count=4, change_count=1))
    assert figures.failures == 0.0
    assert 0.0 < figures.fastest <= figures.mean <= figures.p95 <= figures.slowest < 6.0
    assert figures.mean <= figures.settled
    assert 0.5 < figures.jerk < 3.0
    assert 0.5 < figures.speed < 1.6
