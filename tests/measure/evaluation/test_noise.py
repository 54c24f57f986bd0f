"""Planted faults: they are what they say, and the gates see them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from motionfields.base.geometry import quat_angle
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.evaluation import (
    REQUIRED_GATES,
    direction_trials,
    measure_source,
    measure_trials,
    missed_gates,
)
from motionfields.measure.evaluation.noise import NoisyController
from motionfields.measure.evaluation.trials import Controlled
from motionfields.motion.samples import generate_samples
from tests.measure.evaluation.small_tables import quick_train, small_set

GENTLE = re.compile(r"walk_forward|turn_left_\d+_gentle")


def walker() -> FieldController:
    return quick_train(small_set().field, Direction(), 0.5)


def test_every_joint_but_the_root_is_off_by_the_angle() -> None:
    controller = walker()
    noisy, plain = NoisyController(controller, 2.0).crowd(3, seed=1), controller.crowd(3, seed=1)
    for _ in range(3):
        shown, meant = noisy.step(np.zeros((3, 1))), plain.step(np.zeros((3, 1)))
        np.testing.assert_array_equal(shown.rotations[:, 0], meant.rotations[:, 0])
        off = quat_angle(shown.rotations[:, 1:].astype(np.float64), meant.rotations[:, 1:].astype(np.float64))
        np.testing.assert_allclose(np.degrees(off), 2.0, atol=0.05)
        np.testing.assert_array_equal(shown.root_position, meant.root_position)
        assert noisy.unplanted is not None
        assert plain.unplanted is not None
        assert not np.array_equal(noisy.unplanted.rotations, plain.unplanted.rotations)
    np.testing.assert_array_equal(noisy.ground.facing, plain.ground.facing)


def test_noise_is_the_same_each_time_and_in_any_crowd() -> None:
    noisy = NoisyController(walker(), 2.0)
    frames = [crowd.step(np.zeros((count, 1))) for count in (2, 2, 5) for crowd in [noisy.crowd(count, seed=1)]]
    np.testing.assert_array_equal(frames[0].rotations, frames[1].rotations)
    np.testing.assert_array_equal(frames[0].rotations, frames[2].rotations[:2])
    other = NoisyController(walker(), 2.0, seed=1).crowd(2, seed=1).step(np.zeros((2, 1)))
    assert not np.array_equal(other.rotations, frames[0].rotations)


def test_an_angle_that_makes_no_sense_is_refused() -> None:
    for degrees in (-1.0, 181.0, float("nan")):
        with pytest.raises(ValueError, match="degrees: expected 0 to 180"):
            NoisyController(walker(), degrees)


def test_gates_see_planted_faults() -> None:
    clips = [sample.clip for sample in generate_samples(only=GENTLE)]
    field = MotionField(MotionDatabase.build(clips))
    source = measure_source(field)
    controller = train(field, Direction(), agility=0.25)

    def missed(one: Controlled) -> set[str]:
        trials = direction_trials(one, count=24, change_count=1, seed=2000)
        return {gate.split()[0] for gate in missed_gates(measure_trials(field, source, trials), REQUIRED_GATES)}

    assert missed(controller) == set()
    assert "failures" in missed(controller.greedy())
    assert {"jerk", "joint_speed"} <= missed(NoisyController(controller, 2.0))
