"""Shove trials: each measure by hand, and a trial of a few characters."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.tasks import Velocity
from motionfields.field import MotionField
from motionfields.measure.evaluation.shoves import (
    Shove,
    ShoveTrials,
    _landings,
    feet_cross,
    joint_jerk,
    lower_foot_speed,
    named_in,
    shove_figures,
    shove_trials,
)
from motionfields.motion.body import find_body
from tests.control.training.small import small_controller, small_field


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


def standing(field: MotionField, frames: int) -> np.ndarray:
    """Joints [1, frame, joint, 3] of nobody, with both feet at their standing heights, 0.2 m apart."""
    places = np.zeros((1, frames, field.database.skeleton.joint_count, 3))
    for side, leg in enumerate(find_body(field.database.skeleton).legs):
        x = 0.1 - 0.2 * side
        places[..., leg.hip, 0] = x
        places[..., leg.toe, :] = [x, field.stance.toe_heights[side], 0.1]
        places[..., leg.ankle, :] = [x, field.stance.toe_heights[side] + field.stance.heel_heights[side], 0.0]
    return places


def test_the_speed_of_the_lower_foot_is_that_of_the_foot_on_the_ground(field: MotionField) -> None:
    places, legs, frame_time = standing(field, 3), find_body(field.database.skeleton).legs, field.database.frame_time
    for joint in (legs[0].toe, legs[0].ankle):
        places[0, :, joint, 2] += 0.02 * np.arange(3)
        places[0, :, joint, 1] += 0.1  # in the air
    np.testing.assert_allclose(lower_foot_speed(field, places), 0.0)
    for joint in (legs[0].toe, legs[0].ankle):
        places[0, :, joint, 1] -= 0.11  # now it is the lower one
    np.testing.assert_allclose(lower_foot_speed(field, places), 0.02 / frame_time)
    places[..., 1] += 1.0
    assert np.isnan(lower_foot_speed(field, places)).all()


def test_feet_cross_where_the_left_ankle_is_to_the_right(field: MotionField) -> None:
    places, legs = standing(field, 2), find_body(field.database.skeleton).legs
    places[0, 1, legs[0].ankle, 0] = -0.2
    np.testing.assert_array_equal(feet_cross(field, places), [[False, True]])


def test_jerk_is_the_third_derivative() -> None:
    time = 0.1 * np.arange(8)
    places = np.zeros((1, 8, 2, 3))
    places[0, :, 0, 0] = time**3
    np.testing.assert_allclose(joint_jerk(places, 0.1), 0.5 * 6.0)


def test_landings_are_the_frames_in_which_a_foot_is_planted_again() -> None:
    planted = np.array([1, 0, 1, 1, 0, 0, 1], dtype=np.bool_)
    np.testing.assert_array_equal(_landings(planted, 2), [6])
    np.testing.assert_array_equal(_landings(planted, 1), [2, 6])


def test_figures_are_shares_and_ratios() -> None:
    def trials(changed: list[bool], step: list[float], speed: float, jerk: float) -> ShoveTrials:
        count = len(step)
        zeros, flags = np.zeros(count), np.array(changed)
        speeds, recovery = np.full((count, 4), speed), np.array([0.2, np.inf])
        return ShoveTrials(
            flags,
            np.array(step),
            np.array([0.2, 0.0]),
            zeros,
            zeros,
            speeds,
            zeros + jerk,
            np.array([1.0, 2.0]),
            recovery,
        )

    figures = shove_figures(
        [trials([True, False], [0.3, 0.2], 0.4, 6.0)], [trials([False, False], [0.0, 0.0], 0.2, 4.0)]
    )
    assert (figures.trials, figures.changed, figures.stepped, figures.widened) == (2, 0.5, 1.0, 0.5)
    assert (figures.foot_ratio, figures.jerk_ratio) == pytest.approx((2.0, 1.5))
    assert (figures.moved, figures.furthest, figures.recovered, figures.recovery) == (1.5, 2.0, 0.5, 0.2)


def test_takes_are_named_with_their_mirror_images() -> None:
    reactive = named_in({"69_50", "104_"})
    assert [reactive(name) for name in ("69_50", "69_50.mirror", "69_51", "104_02", "1_04")] == [1, 1, 0, 1, 0]


def test_pushed_characters_are_compared_with_their_twins() -> None:
    controller = small_controller(Velocity())
    trials = shove_trials(controller, Shove(500.0, speed=0.9), 4, seed=1, reactive=lambda name: "turn" in name)
    assert all(len(track) == 4 for track in trials)
    assert trials.changed.any()
    assert (trials.moved > 0.02).all()
    assert ((trials.reactive >= 0.0) & (trials.reactive <= 1.0)).all()
    unpushed = shove_trials(controller, Shove(0.0, speed=0.9), 4, seed=1)
    assert not unpushed.changed.any()
    np.testing.assert_array_equal(unpushed.moved, 0.0)
    np.testing.assert_array_equal(unpushed.step, 0.0)
