"""The paper's controller: it does its task, alone and in a crowd."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference
from motionfields.control.grids import grid_points
from motionfields.control.methods.paper import PaperController, PaperSettings, train_paper
from motionfields.control.methods.paper.actions import Place, find_options
from motionfields.control.root_motion import hip_line
from motionfields.field import MotionField
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.runtime import Crowd, Frame


def walk(crowd: Crowd, command: FloatArray | float, frame_count: int) -> list[Frame]:
    return [crowd.step(command) for _ in range(frame_count)]


def test_characters_turn_to_the_heading_they_are_told(field: MotionField, controller: PaperController) -> None:
    crowd = controller.crowd(6, seed=1)
    goals = crowd.ground.facing + np.radians([-120.0, -60.0, 30.0, 60.0, 90.0, 150.0])
    frames = walk(crowd, goals, 180)
    rotations, root = (np.stack([getattr(frame, n) for frame in frames], 1) for n in ("rotations", "root_position"))
    for character, goal in enumerate(goals):
        clip = Clip(field.database.skeleton, root[character], rotations[character], field.database.frame_time)
        reached = quality.response_time(quality.facing_yaw(clip), goal, field.database.frame_time).reached
        assert reached < 6.0, f"character {character}"
        assert quality.root_speed(clip).mean() > 0.5, f"character {character} stands"


def test_a_character_does_the_same_alone_and_in_a_crowd(controller: PaperController) -> None:
    alone, together = controller.crowd(1, seed=3), controller.crowd(5, seed=3)
    for frame in range(40):
        heading = 1.5 if frame > 10 else 0.0
        one, many = alone.step(heading), together.step(np.array([heading, -1.0, 2.0, 0.5, 3.0]))
        for name in Frame._fields:
            np.testing.assert_array_equal(getattr(one, name)[0], getattr(many, name)[0], err_msg=name)
    np.testing.assert_array_equal(alone.ground.position[0], together.ground.position[0])


def test_ground_is_where_the_state_is_and_takes_in_what_planting_shifts(controller: PaperController) -> None:
    planted, free = controller.crowd(4, seed=2), controller.crowd(4, seed=2, plant=False)
    for _ in range(30):
        shown, bare = planted.step(0.0), free.step(0.0)
        np.testing.assert_array_equal(free.ground.position, bare.root_position[:, ::2])
    assert shown.planted.any()
    assert not bare.planted.any()
    assert np.abs(planted.ground.position - free.ground.position).max() > 0.0
    np.testing.assert_allclose(planted.ground.position, shown.root_position[:, ::2], atol=0.1)


def test_some_characters_go_on_from_given_states(field: MotionField, controller: PaperController) -> None:
    crowd = controller.crowd(3, seed=4)
    walk(crowd, 0.0, 5)
    untouched = crowd.ground.position[[0, 2]]
    row = field.findable[100:101]
    state = field.database.states(row)
    state.pose.root_position[:] += [7.0, 0.0, 8.0]
    crowd.start_from(state, np.array([1]))
    np.testing.assert_array_equal(crowd.ground.position[[0, 2]], untouched)
    np.testing.assert_array_equal(crowd.ground.position[1], [7.0, 8.0])
    frame = crowd.step(0.0)
    assert np.linalg.norm(frame.root_position[1, ::2] - [7.0, 8.0]) < 0.1


def test_frames_say_what_the_benchmark_needs(field: MotionField, controller: PaperController) -> None:
    crowd = controller.crowd(2)
    frame = crowd.step([0.0, 1.0])
    assert crowd.count == 2
    assert frame.rotations.shape == (2, field.database.skeleton.joint_count, 4)
    np.testing.assert_allclose(np.linalg.norm(frame.rotations, axis=-1), 1.0, atol=1e-6)
    np.testing.assert_array_equal(frame.states, field.neighbors(crowd.state, 1).indices[:, 0])
    np.testing.assert_array_equal(frame.variants, 0)


def test_the_best_score_is_chosen_and_greedy_sees_the_reward_alone(
    field: MotionField, controller: PaperController, rng: np.random.Generator
) -> None:
    place = Place.of(field, field.start(20, seed=5), controller.settings.neighbor_count)
    options = find_options(field, place, controller.settings, hips=hip_line(field.database.skeleton))
    params = rng.uniform(-3.0, 3.0, (20, 1))
    scores = controller.scores(options, params)
    np.testing.assert_array_equal(controller.choose(options, params), scores.argmax(axis=1))
    rewards = controller.task.reward(params[:, np.newaxis], options.motion)
    np.testing.assert_allclose(controller.greedy().scores(options, params), rewards, atol=1e-12)
    assert (controller.choose(options, params) != rewards.argmax(axis=1)).any()


def test_the_best_score_at_a_trained_state_is_its_value(field: MotionField, controller: PaperController) -> None:
    rows = field.findable[::40]
    place = Place.of(field, field.database.states(rows), controller.settings.neighbor_count)
    options = find_options(field, place, controller.settings, hips=hip_line(field.database.skeleton))
    points = grid_points(controller.task.axes)
    for node in (0, 10, 18, 30):
        best = controller.scores(options, np.broadcast_to(points[node], (len(rows), 1))).max(axis=1)
        change = best - controller.values.table()[rows, node]
        assert 0.5 * np.ptp(change) < 2e-3  # the residual of training


def test_anchors_make_a_smaller_controller_that_still_turns(field: MotionField, controller: PaperController) -> None:
    small = train_paper(field, controller.task, settings=PaperSettings(anchor_stride=10))
    assert small.values.byte_count < 0.15 * controller.values.byte_count
    assert small.values.table().shape == controller.values.table().shape
    crowd = small.crowd(2, seed=1)
    goals = crowd.ground.facing + np.array([1.0, -1.0])
    errors = []
    for _ in range(150):
        crowd.step(goals)
        errors.append(np.abs(angle_difference(crowd.ground.facing, goals)))
    assert (np.min(errors, axis=0) < np.radians(5.0)).all()


def test_training_says_how_it_ended(controller: PaperController) -> None:
    assert controller.sweeps > 1
    assert controller.residual <= 1e-3


def test_commands_that_do_not_fit_are_refused(controller: PaperController) -> None:
    crowd = controller.crowd(2)
    with pytest.raises(ValueError, match=r"commands: expected \[2, 1\] \(heading\)"):
        crowd.step(np.zeros(3))
    with pytest.raises(ValueError, match="finite"):
        crowd.step(np.nan)
    with pytest.raises(ValueError, match="count"):
        controller.crowd(0)
