"""The navigation task: its formulas by hand, and what a controller trained for it does on generated samples."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Ground, Motion, Navigation, task_facts, task_from
from motionfields.control.tasks.velocity import speed_nodes
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples
from motionfields.runtime import Crowd
from tests.conftest import LONG

NAMES = (
    *("walk_forward", "walk_slow", "walk_stop", "stand_idle", "sidestep_left", "sidestep_right", "walk_backward"),
    *("turn_left_090_quick", "turn_left_180_quick"),
)
COUNT = 30
STEP = 1.0 / 30.0


def test_parameters_are_the_angle_to_the_facing_and_the_course_relative_to_it() -> None:
    ground = Ground(np.zeros((2, 2)), np.array([0.2, -3.0]))
    command = np.array([[1.0, 0.7, 0.5], [0.5, 9.0, 3.0]])
    params = Navigation(top=1.2).params(command, ground)
    np.testing.assert_allclose(params, [[0.3, 0.5, 0.7], [6.0 - 2.0 * np.pi, -2.5, 1.2]])
    gaits = Navigation(top=1.2, gait_count=2).params(np.column_stack([command, [0.6, -4.0]]), ground)
    np.testing.assert_allclose(gaits, np.column_stack([params, [1.0, 0.0]]))


def test_only_the_angle_changes_as_the_character_moves() -> None:
    motion = Motion(np.array([0.1]), np.array([[0.4, 1.0]]), STEP)
    after = Navigation(gait_count=2).advance(np.array([[0.5, -2.0, 0.7, 1.0]]), motion)
    np.testing.assert_allclose(after, [[0.4, -2.0, 0.7, 1.0]])


@pytest.mark.parametrize(("course", "velocity"), [(0.0, (0, 0.8)), (np.pi / 2, (0.8, 0)), (np.pi, (0, -0.8))])
def test_the_velocity_that_is_asked_for_costs_nothing(course: float, velocity: tuple[float, float]) -> None:
    task = Navigation(top=1.2)
    facing = np.array([[0.0, course, 0.8]])
    assert task.reward(facing, Motion(np.zeros(1), np.array([velocity]), STEP)) == pytest.approx(0.0, abs=1e-9)
    # Half a metre a second off in any direction costs the same.
    for variant in np.linspace(-np.pi, np.pi, 7):
        wrong = np.array(velocity) + 0.5 * np.array([np.sin(variant), np.cos(variant)])
        cost = task.speed_weight * (np.hypot(0.5, task.sway) - task.sway)
        assert task.reward(facing, Motion(np.zeros(1), wrong[np.newaxis], STEP)) == pytest.approx(-cost)


def test_the_facing_counts_apart_from_the_velocity_and_at_a_stand_too() -> None:
    task = Navigation(top=1.2, facing_weight=2.0)
    still = Motion(np.array([0.1]), np.zeros((1, 2)), STEP)
    assert task.reward(np.array([[0.5, 1.0, 0.0]]), still) == pytest.approx(-2.0 * (0.4 + 0.7))
    # Facing 0.5 radians off and travelling as asked: the velocity is relative to the facing that the character has.
    ahead = Motion(np.zeros(1), np.array([[0.8 * np.sin(1.5), 0.8 * np.cos(1.5)]]), STEP)
    assert task.reward(np.array([[0.5, 1.0, 0.8]]), ahead) == pytest.approx(-2.0 * (0.5 + 0.7))


def test_half_of_the_last_15_degrees_costs_half_of_their_weight() -> None:
    still, angle = Motion(np.zeros(1), np.zeros((1, 2)), STEP), np.radians(7.5)
    cost = Navigation(top=1.2, last_weight=0.4).reward(np.array([[angle, 0.0, 0.0]]), still)
    assert cost == pytest.approx(-angle - 0.2)


def test_a_file_without_the_weight_of_the_last_degrees_keeps_its_reward_and_grid() -> None:
    facts = {key: value for key, value in task_facts(Navigation(top=1.2)).items() if key != "last_weight"}
    task = task_from(facts)
    assert isinstance(task, Navigation)
    assert (task.last_weight, len(task.axes[0].nodes)) == (0.0, 13)


def test_another_gait_costs_and_a_motion_without_gait_fits_all() -> None:
    task = Navigation(top=3.0, gait_count=3, gait_weight=5.0)
    asked = np.array([[0.0, 0.0, 0.0, 1.0]] * 4)
    motion = Motion(np.zeros(4), np.zeros((4, 2)), STEP, np.array([1, 0, 2, -1]))
    np.testing.assert_allclose(task.reward(asked, motion), [0.0, -5.0, -5.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(task.reward(asked, motion._replace(label=None)), 0.0, atol=1e-12)


def test_the_number_of_gaits_comes_from_the_data_unless_it_is_given(wobble: Clip) -> None:
    database = MotionDatabase.build([wobble])
    assert Navigation(top=1.0).adapted(database).gait_count == 0
    labelled = database.with_column("gait", np.arange(database.state_count) % 3 - 1)
    task = Navigation(top=1.0).adapted(labelled)
    assert task.command_names == ("heading", "speed", "facing", "gait")
    assert task.axes[3].nodes.tolist() == [0.0, 1.0]
    assert Navigation(top=1.0, gait_count=0).adapted(labelled).command_names == ("heading", "speed", "facing")
    assert task_from(dict(task_facts(task))) == task


def test_a_top_speed_that_is_a_run_keeps_nodes_for_walking() -> None:
    np.testing.assert_allclose(speed_nodes(1.6, (0.0, 0.5, 1.0), most=0.5), [0.0, 0.8, 1.6])
    np.testing.assert_allclose(speed_nodes(2.5, (0.0, 0.5, 1.0), most=0.5), [0.0, 0.65, 1.3, 1.7, 2.1, 2.5])
    assert np.diff(speed_nodes(4.1, (0.0, 1.0), most=0.5))[1:].max() <= 0.5


@pytest.fixture(scope="module")
def controller() -> FieldController:
    if not LONG:
        pytest.skip("a minute and a half: set MOTIONFIELDS_LONG=1; docs/tasks.md trains and walks on fewer clips")
    clips = [sample.clip for sample in generate_samples(only=NAMES)]
    field = MotionField(MotionDatabase.build(clips))
    return train(field, Navigation(), settings=ControlSettings(neighbor_count=30), tolerance=0.05)


def travel(controller: FieldController, command: FloatArray, seconds: float) -> tuple[FloatArray, FloatArray]:
    """Return velocity [n, 2] in m/s and facing error [n] in radians, means over the last half of `seconds`."""
    crowd = Crowd(controller, COUNT, seed=3)
    places, errors = [], []
    for _ in range(round(seconds / controller.field.database.frame_time)):
        places.append(crowd.step(command).root_position[:, ::2])
        errors.append(np.abs(angle_difference(crowd.ground.facing, command[:, 2])))
    half = len(places) // 2
    span = (len(places) - 1 - half) * controller.field.database.frame_time
    return (places[-1] - places[half]) / span, np.mean(errors[half:], axis=0)


@pytest.mark.parametrize(("course", "speed"), [(0.0, 0.85), (90.0, 0.4), (-90.0, 0.4), (180.0, 0.6)])
def test_characters_travel_one_way_and_face_another(controller: FieldController, course: float, speed: float) -> None:
    facing = np.random.default_rng(4).uniform(-np.pi, np.pi, COUNT)
    heading = facing + np.radians(course)
    velocity, error = travel(controller, np.stack([heading, np.full(COUNT, speed), facing], axis=-1), 10.0)
    way = np.arctan2(velocity[:, 0], velocity[:, 1])
    off = np.degrees(np.abs(angle_difference(way, heading)))
    fast = np.linalg.norm(velocity, axis=-1)
    print(
        f"course {course:.0f}: facing off {np.degrees(error).mean():.1f} (at most {np.degrees(error).max():.0f}), "
        f"way off {off.mean():.1f} (at most {off.max():.0f}) degrees, {fast.mean():.2f} m/s"
    )
    assert np.degrees(error).mean() <= 10.0
    assert off.mean() <= 15.0
    assert abs(fast.mean() / speed - 1.0) <= 0.3


def test_characters_told_to_stand_turn_to_the_facing(controller: FieldController) -> None:
    facing = np.random.default_rng(5).uniform(-np.pi, np.pi, COUNT)
    velocity, error = travel(controller, np.stack([np.zeros(COUNT), np.zeros(COUNT), facing], axis=-1), 10.0)
    print(f"standing: facing off {np.degrees(error).mean():.1f}, {np.linalg.norm(velocity, axis=-1).mean():.2f} m/s")
    assert np.degrees(error).mean() <= 20.0
    assert np.linalg.norm(velocity, axis=-1).max() <= 0.1
