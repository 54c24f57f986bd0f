"""Push trials on a small controller, and on plans worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.controller import FieldController
from motionfields.measure.evaluation import PushPlan, PushTrials, draw_pushes, joined_pushes, push_trials
from motionfields.measure.evaluation.pushes import WATCH
from tests.control.training.small import direction_controller


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller(warped=False)


def plan_of(controller: FieldController, joint: str, forces: list[list[float]]) -> PushPlan:
    """One push each on `joint`, all at the same time."""
    count = len(forces)
    times = np.tile([3.5, np.inf], (count, 1))
    joints = np.full((count, 2), controller.field.database.skeleton.index(joint))
    return PushPlan(times, joints, np.stack([forces, np.zeros((count, 3))], axis=1))


@pytest.fixture(scope="module")
def pushed(controller: FieldController) -> PushTrials:
    return push_trials(
        controller, plan_of(controller, "Spine2", [[0.0, 0.0, 0.0], [120.0, 0.0, 0.0], [360.0, 0.0, 0.0]])
    )


def test_a_push_of_no_force_leaves_a_character_on_its_twin(pushed: PushTrials) -> None:
    assert pushed.along[0] == 0.0
    assert pushed.skate[0] == pushed.twin_skate[0]
    assert not pushed.part_first[0]


def test_a_stronger_push_displaces_further_along_it(pushed: PushTrials) -> None:
    assert 0.01 < pushed.along[1] < pushed.along[2]
    assert pushed.peak_speed[2] > pushed.peak_speed[0]


def test_characters_recover_within_the_time_they_are_watched(pushed: PushTrials) -> None:
    assert np.all(pushed.recovery <= WATCH)
    assert pushed.recovery[0] <= pushed.recovery[2]
    assert np.all(pushed.finite)
    assert np.all(pushed.excess < np.radians(15.0))
    assert list(pushed.parts) == ["spine"] * 3


def test_a_pushed_hand_moves_first(controller: FieldController) -> None:
    trials = push_trials(controller, plan_of(controller, "LeftHand", [[100.0, 0.0, 0.0], [0.0, 60.0, 80.0]]))
    assert trials.part_first.all()


def test_plans_are_drawn_as_they_say() -> None:
    plan = draw_pushes(np.array([2, 5]), 4000, np.random.default_rng(0), least=50.0, most=400.0)
    sizes = np.linalg.norm(plan.forces, axis=-1)
    assert sizes.min() >= 50.0
    assert sizes.max() <= 400.0
    assert np.all(plan.forces[..., 1] >= 0.0)
    assert 0.2 < np.isfinite(plan.times[:, 1]).mean() < 0.3
    assert set(np.unique(plan.joints)) == {2, 5}
    alone = np.isinf(plan.times[:, 1])
    np.testing.assert_array_equal(plan.strongest[alone], sizes[alone, 0])
    np.testing.assert_array_equal(plan.strongest[~alone], sizes[~alone].max(axis=-1))


def test_trials_of_all_parts_are_joined_in_order(pushed: PushTrials) -> None:
    both = joined_pushes([pushed, pushed])
    np.testing.assert_array_equal(both.along, np.tile(pushed.along, 2))
    np.testing.assert_array_equal(both.plan.forces[3:], pushed.plan.forces)
    assert len(both.parts) == 6
