"""Crowds with disturbed characters: they search, the others do not notice, and nothing jumps."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import quat_angle, quat_exp, quat_multiply
from motionfields.control.controller import FieldController
from motionfields.field.database import MotionState
from motionfields.runtime import Frame
from motionfields.runtime.recovery import Recovery, RecoverySettings
from motionfields.runtime.recovery.landing import Feet, FootNumbers, return_feet
from tests.control.training.small import direction_controller
from tests.runtime.test_crowd import assert_alike

START = 10


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller()


def pushed_frames(controller: FieldController, force: float, count: int = 6, length: int = 60) -> list[Frame]:
    crowd = controller.crowd(count, seed=4)
    frames = []
    for number in range(length):
        if number == START:
            crowd.push(np.arange(0, count, 2), "Spine2", np.array([force, 0.0, 0.0]))
        frames.append(crowd.step(0.0))
    return frames


def bent(state: MotionState, degrees: float) -> MotionState:
    """Return `state` with every joint turned by `degrees` about a random axis."""
    axes = np.random.default_rng(3).normal(size=(*state.pose.joint_rotations.shape[:-1], 3))
    turns = quat_exp(np.radians(degrees) * axes / np.linalg.norm(axes, axis=-1, keepdims=True))
    joints = quat_multiply(turns, state.pose.joint_rotations.astype(np.float64))
    return state._replace(pose=state.pose._replace(joint_rotations=joints))


def test_a_push_of_zero_searches_for_nobody(controller: FieldController) -> None:
    assert_alike(pushed_frames(controller, 0.0), plain(controller))


def plain(controller: FieldController, count: int = 6, length: int = 60) -> list[Frame]:
    crowd = controller.crowd(count, seed=4)
    return [crowd.step(0.0) for _ in range(length)]


def test_others_in_the_crowd_keep_their_bits(controller: FieldController) -> None:
    for one, other in zip(pushed_frames(controller, 500.0), plain(controller), strict=True):
        np.testing.assert_array_equal(one.root_position[1::2], other.root_position[1::2])
        np.testing.assert_array_equal(one.rotations[1::2], other.rotations[1::2])
        np.testing.assert_array_equal(one.states[1::2], other.states[1::2])


def test_a_strong_push_changes_the_followed_motion(controller: FieldController) -> None:
    states = np.stack([frame.states for frame in pushed_frames(controller, 600.0, count=40)])
    usual = np.stack([frame.states for frame in plain(controller, count=40)])
    window = slice(START + 1, START + 12)
    changed = (states[window, ::2] != usual[window, ::2]).any(axis=0)
    assert changed.mean() >= 0.9, f"{changed.mean():.0%}"


def test_the_displayed_pose_does_not_jump(controller: FieldController) -> None:
    for force in (0.0, 500.0):
        frames = pushed_frames(controller, force, length=90)
        rotations = np.stack([frame.rotations for frame in frames])
        roots = np.stack([frame.root_position for frame in frames])
        fastest = quat_angle(rotations[1:], rotations[:-1]).max()
        assert fastest < (0.6 if force == 0.0 else 0.9)
        assert np.linalg.norm(np.diff(roots, axis=0), axis=-1).max() < 0.15


def test_characters_that_start_at_the_data_do_not_recover(controller: FieldController) -> None:
    crowd = controller.crowd(3)
    crowd.start_from(controller.field.database.states(controller.start_states[:3]))
    assert not crowd._recovery.busy(None)


def test_characters_that_start_off_the_data_recover_and_then_follow_the_policy(controller: FieldController) -> None:
    crowd = controller.crowd(3)
    crowd.start_from(bent(controller.field.database.states(controller.start_states[:3]), 40.0))
    assert crowd._recovery.active(None).all()
    for _ in range(120):
        frame = crowd.step(0.0)
    assert not crowd._recovery.active(None).any()
    assert np.isfinite(frame.rotations).all()


def test_a_hand_over_and_a_resized_crowd_keep_the_recovery(controller: FieldController) -> None:
    crowd = controller.crowd(2)
    crowd.start_from(bent(controller.field.database.states(controller.start_states[:2]), 40.0))
    crowd.step(0.0)
    larger = crowd.resized(3)
    np.testing.assert_array_equal(larger._recovery.active(None), [True, True, False])
    crowd.hand_over(controller)
    assert crowd._recovery.active(None).all()
    crowd.place(slice(None), np.zeros((2, 2)), np.zeros(2))
    assert not crowd._recovery.busy(None)


def test_displaced_feet_return_with_their_time_constants() -> None:
    numbers = FootNumbers(2.0, 0.07, 0.035, 0.06, 0.12, 0.5, 1.0 / 30.0)
    feet = Feet.none(2)
    feet.offset[:] = 0.1
    active, locked = np.array([True, False]), np.array([[True, False], [True, False]])
    return_feet(numbers, np.arange(2), active, locked, feet)
    np.testing.assert_allclose(feet.offset[:, 0, 0], 0.1 * np.exp(-1.0 / 15.0))
    np.testing.assert_allclose(feet.offset[:, 1, 0], [0.1, 0.1 * np.exp(-1.0 / 4.5)])
    np.testing.assert_allclose(feet.offset[:, 0, 1], [0.1, 0.1 * np.exp(-1.0 / 3.6)])
    feet.offset[:] = 1e-5
    return_feet(numbers, np.arange(2), active, locked, feet)
    assert not feet.offset[1].any()


def test_a_recovering_character_keeps_a_standing_foot_until_the_other_stands_firmly(
    controller: FieldController,
) -> None:
    crowd = controller.crowd(4, seed=4)
    recovery, planting = crowd._recovery, crowd._stepper.planting
    votes = np.tile([0.1, 0.9], (4, 1))
    planting.locked[:] = [[True, False], [True, True], [True, True], [True, False]]
    planting.fade_clock[:] = [[1.0, 0.0], [1.0, 0.01], [1.0, 0.2], [1.0, 0.0]]
    assert recovery.contact_votes(votes, planting, None) is votes  # nobody recovers
    recovery._left[:3] = 5
    kept = recovery.contact_votes(votes, planting, None)
    np.testing.assert_array_equal(kept, [[1.0, 0.9], [1.0, 0.9], [0.1, 0.9], [0.1, 0.9]])


def test_settings_refuse_numbers_that_make_no_sense() -> None:
    for wrong in ({"reach": -1.0}, {"foot_time": 0.0}, {"candidate_count": 0}, {"delay": float("nan")}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            RecoverySettings(**wrong)


def test_without_a_compiled_policy_nobody_recovers(controller: FieldController) -> None:
    class Undecided(FieldController):
        policy = None

    recovery = Recovery(controller, 2)
    assert recovery.works
    recovery.controller = object.__new__(Undecided)
    assert not recovery.works
    assert not recovery.active(None).any()
