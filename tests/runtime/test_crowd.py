"""Crowds: the same bits for each character whoever else there is, commands, and starts from anywhere."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle, quat_normalize
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Line
from motionfields.field.database import apply_delta
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.runtime import Crowd, Frame
from motionfields.runtime.checking import checked_commands
from tests.control.training.small import direction_controller, threads
from tests.runtime.test_follower import noisy_states


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller()


def run(controller: FieldController, count: int, frame_count: int = 60) -> list[Frame]:
    """Frames of a crowd in which each character has goals of its own."""
    crowd = controller.crowd(count, seed=4)
    goals = np.random.default_rng(8).uniform(-3.0, 3.0, (3, 64))[:, :count]
    return [crowd.step(goals[frame // 20]) for frame in range(frame_count)]


def assert_alike(few: list[Frame], many: list[Frame]) -> None:
    for one, other in zip(few, many, strict=True):
        for name in Frame._fields:
            mine = getattr(one, name)
            np.testing.assert_array_equal(mine, getattr(other, name)[: len(mine)], err_msg=name)


def test_a_character_does_the_same_in_a_crowd_of_any_size(controller: FieldController) -> None:
    many = run(controller, 64)
    assert any(frame.planted.any() for frame in many)
    assert len({tuple(frame.states) for frame in many}) > 1
    for count in (1, 7):
        assert_alike(run(controller, count), many)


def test_any_number_of_threads_gives_the_same_bits(controller: FieldController) -> None:
    runs = []
    for count in (1, 2):
        with threads(count):
            runs.append(run(controller, 64))
    assert_alike(runs[0], runs[1])


def test_a_frame_says_where_characters_are(controller: FieldController) -> None:
    crowd = controller.crowd(3, seed=1, plant=False)
    for _ in range(10):
        frame = crowd.step(0.0)
    database = controller.field.database
    assert frame.rotations.shape == (3, database.skeleton.joint_count, 4)
    np.testing.assert_allclose(np.linalg.norm(frame.rotations, axis=-1), 1.0, atol=1e-12)
    np.testing.assert_array_equal(frame.states, crowd.followers.state)
    assert not frame.planted.any()
    assert crowd.unplanted is not None
    np.testing.assert_array_equal(crowd.unplanted.rotations, frame.rotations)
    offset = crowd.followers.offset[:, 0, ::2]
    np.testing.assert_allclose(crowd.ground.position + offset, frame.root_position[:, ::2], atol=1e-12)


def test_commands_fit_one_or_all(controller: FieldController) -> None:
    for commands in (0.5, [0.5] * 4, np.full((4, 1), 0.5)):
        np.testing.assert_array_equal(checked_commands(controller.task, commands, 4), np.full((4, 1), 0.5))
    one = checked_commands(Line(), [1.0, 2.0, 3.0], 2)
    np.testing.assert_array_equal(one, [[1.0, 2.0, 3.0]] * 2)


def test_commands_that_do_not_fit_are_refused(controller: FieldController) -> None:
    crowd = controller.crowd(4)
    with pytest.raises(ValueError, match=r"commands: expected \[4, 1\] \(heading\), got shape \(3, 1\)"):
        crowd.step(np.zeros(3))
    with pytest.raises(ValueError, match=r"commands: expected \[2, 3\] \(point_x, point_z, heading\)"):
        checked_commands(Line(), 1.0 * np.ones(2), 2)
    with pytest.raises(ValueError, match="commands: expected finite numbers"):
        crowd.step(np.inf)
    with pytest.raises(ValueError, match="count: expected at least 1 character, got 0"):
        controller.crowd(0)


def clips_of(controller: FieldController, frames: list[Frame]) -> list[Clip]:
    database = controller.field.database
    root = np.stack([frame.root_position for frame in frames], axis=1)
    rotations = np.stack([frame.rotations for frame in frames], axis=1)
    return [
        Clip(database.skeleton, place, quat_normalize(turns), database.frame_time)
        for place, turns in zip(root, rotations, strict=True)
    ]


def assert_reach(controller: FieldController, crowd: Crowd, goals: FloatArray) -> None:
    frames = [crowd.step(goals) for _ in range(180)]
    for character, clip in enumerate(clips_of(controller, frames)):
        assert np.isfinite(clip.root_position).all()
        time = quality.response_time(quality.facing_yaw(clip), goals[character], clip.frame_time)
        assert time.reached < 6.0, f"character {character}"
        assert quality.root_speed(clip)[30:].mean() > 0.4, f"character {character} stands"


def test_characters_turn_to_the_heading_they_are_told(controller: FieldController) -> None:
    crowd = controller.crowd(6, seed=2)
    assert_reach(controller, crowd, crowd.ground.facing + np.radians([-150.0, -90.0, -20.0, 45.0, 100.0, 170.0]))


def test_characters_reach_their_goal_from_states_far_off_the_data(
    controller: FieldController, rng: np.random.Generator
) -> None:
    crowd = controller.crowd(12, seed=2)
    crowd.start_from(noisy_states(controller.field, 12, rng))
    assert_reach(controller, crowd, rng.uniform(-3.0, 3.0, 12))


def test_some_characters_start_anew_and_the_others_go_on(controller: FieldController) -> None:
    alone, crowd = controller.crowd(3, seed=3, plant=False), controller.crowd(3, seed=3, plant=False)
    for _ in range(10):
        alone.step(0.0)
        crowd.step(0.0)
    row = controller.field.findable[200:201]
    state = controller.field.database.states(row)
    state.pose.root_position[:] += [7.0, 0.0, 8.0]
    crowd.start_from(state, np.array([1]))
    np.testing.assert_array_equal(crowd.ground.position[1], [7.0, 8.0])
    assert crowd.followers.state[1] == row[0]
    frame, other = crowd.step(0.0), alone.step(0.0)
    np.testing.assert_array_equal(frame.rotations[[0, 2]], other.rotations[[0, 2]])
    after = apply_delta(*state)  # what is shown goes on as the state did, but for what the spring adds
    assert np.linalg.norm(frame.root_position[1] - after.root_position[0]) < 0.02
    assert quat_angle(frame.rotations[1, 1:], after.joint_rotations[0]).max() < 0.1


def test_a_frame_can_be_written_to_again(controller: FieldController) -> None:
    crowd, other = (controller.crowd(5, seed=6) for _ in range(2))
    out = crowd.step(0.0)
    other.step(0.0)
    for number in range(20):
        assert crowd.step(0.1 * number, out=out) is out
        assert_alike([out], [other.step(0.1 * number)])
    for wrong in (controller.crowd(4).step(0.0), out._replace(rotations=out.rotations.astype(np.float32))):
        with pytest.raises(ValueError, match="out: expected a frame that `step` returned for a crowd of 5"):
            crowd.step(0.0, out=wrong)


def test_those_far_away_decide_less_often_and_never_run_off_a_clip(controller: FieldController) -> None:
    crowd = controller.crowd(40, seed=5)
    crowd.set_detail(np.arange(30), every=4)
    goals = np.random.default_rng(2).uniform(-3.0, 3.0, (4, 40))
    frames_left = controller.field.database.frames_left
    changed = np.zeros(40, np.int64)
    for number in range(240):
        row, thinks = crowd.followers.state.copy(), (crowd.frame_number + np.arange(40)) % 4 == 0
        frame = crowd.step(goals[number // 60])
        free = thinks | (frames_left[row] < 1) | (np.arange(40) >= 30)
        changes = frame.states != row + 1
        assert not changes[~free].any()
        changed += changes
    assert changed.min() > 0
    crowd.set_detail(every=1)
    usual = controller.crowd(40, seed=5)
    usual.followers, usual._stepper.planting = crowd.followers.copy(), crowd._stepper.planting.copy()
    for _ in range(10):
        assert_alike([crowd.step(goals[0])], [usual.step(goals[0])])


def test_feet_are_held_for_whom_it_is_asked(controller: FieldController) -> None:
    crowd, planted = (controller.crowd(8, seed=5) for _ in range(2))
    crowd.set_detail(np.arange(4), plant=False)
    frames = [crowd.step(0.0) for _ in range(40)]
    others = [planted.step(0.0) for _ in range(40)]
    assert not any(frame.planted[:4].any() for frame in frames)
    for frame, other in zip(frames, others, strict=True):
        np.testing.assert_array_equal(frame.rotations[4:], other.rotations[4:])
    np.testing.assert_array_equal(crowd.unplanted.rotations[:4], frames[-1].rotations[:4])
    crowd.set_detail(plant=True)
    assert any(crowd.step(0.0).planted[:4].any() for _ in range(40))


def test_detail_that_makes_no_sense_is_refused(controller: FieldController) -> None:
    with pytest.raises(ValueError, match=r"every: expected a whole number from 1 to .*, got 0"):
        controller.crowd(2).set_detail(every=0)


def test_a_crowd_keeps_its_care_when_it_grows(controller: FieldController) -> None:
    crowd = controller.crowd(3, seed=1)
    crowd.set_detail(np.array([1]), every=5, plant=False)
    for _ in range(7):
        crowd.step(0.0)
    larger = crowd.resized(6)
    assert_alike([crowd.step(0.3)], [larger.step(0.3)])
    assert larger._stepper.detail.every.tolist() == [1, 5, 1, 1, 1, 1]
