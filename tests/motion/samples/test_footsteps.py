"""Footsteps come out where and when the steps say."""

from __future__ import annotations

import numpy as np

from motionfields.motion.samples.footsteps import LEFT, RIGHT, FootstepPlan, Step, plan_footsteps


def _plan(*steps: Step, first_side: int = LEFT) -> FootstepPlan:
    return plan_footsteps(steps, first_side=first_side, rng=np.random.default_rng(0), variation=0.0)


def test_two_steps_straight_ahead_alternate_sides_and_gain_their_lengths() -> None:
    plan = _plan(Step(forward=0.5, duration=0.6), Step(forward=0.4, duration=0.7))
    np.testing.assert_array_equal(plan.side, [LEFT, RIGHT, LEFT, RIGHT])
    np.testing.assert_allclose(plan.position, [[0.05, 0.0], [-0.05, 0.0], [0.05, 0.5], [-0.05, 0.9]])
    np.testing.assert_allclose(plan.down_time, [0.0, 0.0, 0.6, 1.3])
    assert plan.lift_time[0] < plan.down_time[2]
    assert np.isinf(plan.lift_time[2:]).all()


def test_a_step_to_the_left_after_a_left_turn_of_90_degrees_goes_backwards_in_the_world() -> None:
    plan = _plan(Step(forward=0.0, turn=0.5 * np.pi), Step(forward=0.0, sideways=0.3))
    np.testing.assert_allclose(plan.position[3] - plan.position[1], [0.05, 0.05 - 0.3], atol=1e-12)


def test_a_slow_step_stands_on_both_feet_until_its_swing() -> None:
    plan = _plan(Step(duration=3.0), Step())
    assert plan.down_time[2] - plan.lift_time[0] < 0.7


def test_a_foot_turns_on_its_ball_only_where_the_hip_cannot_follow() -> None:
    gentle = _plan(Step(), Step(turn=0.3), Step(turn=0.3), Step())
    np.testing.assert_array_equal(gentle.lift_yaw, gentle.yaw)
    sharp = _plan(Step(), Step(turn=1.6, lead=1.0), Step(), first_side=RIGHT)
    assert sharp.lift_yaw[2] > sharp.yaw[2] + 0.2
