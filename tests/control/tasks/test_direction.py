"""The direction task."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.tasks import Direction, Ground, Motion, task_facts, task_from, typical_speed
from motionfields.control.tasks.task import LAST_PART
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import Clip

STEP = 1.0 / 30.0


def still(turn: float = 0.0) -> Motion:
    return Motion(np.array(turn), np.zeros(2), STEP)


def test_the_parameter_is_how_far_the_heading_is_to_the_left_of_the_facing() -> None:
    ground = Ground(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([0.5, -3.0]))
    np.testing.assert_allclose(
        Direction().params(np.array([[1.5], [3.0]]), ground), [[1.0], [6.0 - 2.0 * np.pi]], atol=1e-12
    )


def test_turning_takes_the_angle_down_and_wraps() -> None:
    task = Direction()
    np.testing.assert_allclose(task.advance(np.array([1.0]), still(0.3)), [0.7])
    np.testing.assert_allclose(task.advance(np.array([-3.0]), still(0.3)), [2.0 * np.pi - 3.3])


@pytest.mark.parametrize("angle", [-2.0, -0.1, 0.0, 0.2, 3.0])
def test_without_its_additions_the_reward_is_eq_16(angle: float) -> None:
    plain = Direction(speed=1.0, pace_weight=0.0, last_weight=0.0)
    assert plain.reward(np.array([angle]), still(0.05)) == pytest.approx(-abs(angle - 0.05))


def test_the_last_degrees_of_a_turn_count_more() -> None:
    task = Direction(speed=1.0, pace_weight=0.0, last_weight=0.5)
    for angle, more in ((2.0, 0.5), (LAST_PART, 0.5), (0.5 * LAST_PART, 0.25), (0.0, 0.0)):
        assert task.reward(np.array([angle]), still()) == pytest.approx(-angle - more)


def test_who_is_slow_towards_the_goal_pays_for_it() -> None:
    task = Direction(speed=1.0, pace_weight=0.2, last_weight=0.0)
    for angle, velocity, lacking in ((0.0, (0.0, 0.4), 0.6), (0.5 * np.pi, (0.4, 0.0), 0.6), (0.0, (0.0, 2.0), 0.3)):
        reward = task.reward(np.array([angle]), Motion(np.array(0.0), np.array(velocity), STEP))
        assert reward == pytest.approx(-angle - 0.2 * lacking)


def test_the_speed_comes_from_the_data_unless_it_is_given(wobble: Clip) -> None:
    database = MotionDatabase.build([wobble], mirror=False)
    assert Direction().adapted(database).speed == pytest.approx(typical_speed(database))
    assert Direction(speed=0.7).adapted(database).speed == 0.7


def test_it_can_be_saved() -> None:
    task = Direction(speed=1.1, last_weight=0.3)
    assert task_from(task_facts(task)) == task
