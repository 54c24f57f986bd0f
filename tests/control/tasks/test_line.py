"""The line task: its formulas by hand, and what a controller trained for it does on generated samples."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import wrap_angle
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Ground, Line, Motion, task_facts, task_from, typical_speed
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples

NAMES = ("walk_forward", *(f"turn_left_{angle:03d}_quick" for angle in (15, 45, 90, 135, 180)))
COUNT = 60


def test_a_character_to_the_left_of_the_line_has_a_positive_distance() -> None:
    ground = Ground(np.array([[0.5, 5.0], [0.0, 0.3], [0.0, 0.3]]), np.array([0.0, 0.0, np.pi]))
    command = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.5 * np.pi], [0.0, 0.0, -0.5 * np.pi]])
    params = Line().params(command, ground)  # along +z, +x and -x; left of +z is +x, left of +x is -z
    np.testing.assert_allclose(params, [[0.0, 0.5], [0.5 * np.pi, -0.3], [0.5 * np.pi, 0.3]], atol=1e-12)


def test_who_walks_at_an_angle_comes_nearer_to_the_line() -> None:
    motion = Motion(np.array([0.1]), np.array([[0.0, 1.2]]), 0.1)
    after = Line().advance(
        np.array([[np.pi / 6.0, 0.2]]), motion
    )  # the line leads to the left, so it walks to the right
    np.testing.assert_allclose(after, [[np.pi / 6.0 - 0.1, 0.2 - 0.06]])


def test_the_reward_is_eq_17_and_pace() -> None:
    motion = Motion(np.array([0.0]), np.array([[0.0, 0.5]]), 1.0 / 30.0)
    task = Line(speed=0.8, pace_weight=0.5, distance_weight=4.0, last_weight=0.3)
    reward = task.reward(np.array([[0.0, -0.25]]), motion)
    np.testing.assert_allclose(reward, [-4.0 * 0.25 - 0.5 * 0.3])


def test_the_last_15_degrees_count_more() -> None:
    task, still = Line(speed=0.0, last_weight=0.6), Motion(np.zeros(3), np.zeros((3, 2)), 1.0 / 30.0)
    angles = np.radians([0.0, 7.5, 40.0])
    reward = task.reward(np.stack([angles, np.zeros(3)], axis=-1), still)
    np.testing.assert_allclose(reward, -angles - np.array([0.0, 0.3, 0.6]))


def test_the_goal_is_a_node_and_nodes_are_packed_about_it() -> None:
    for axis in Line().axes:
        above = axis.nodes[axis.nodes >= 0.0]
        assert above[0] == 0.0
        assert (axis.nodes == -axis.nodes[::-1]).all()
        assert (np.diff(above, n=2) >= -1e-12).all()


def test_the_speed_comes_from_the_data_unless_it_is_given(wobble: Clip) -> None:
    database = MotionDatabase.build([wobble])
    assert Line().adapted(database).speed == pytest.approx(typical_speed(database))
    assert Line(speed=0.5).adapted(database) == Line(speed=0.5)


def test_it_can_be_saved() -> None:
    assert task_from(dict(task_facts(Line(speed=1.1)))) == Line(speed=1.1)


@pytest.fixture(scope="module")
def controller() -> FieldController:
    clips = [sample.clip for sample in generate_samples(only=NAMES)]
    field = MotionField(MotionDatabase.build(clips))
    return train(field, Line(), settings=ControlSettings(neighbor_count=30), tolerance=0.05)


def test_it_comes_to_the_line_and_stays(controller: FieldController) -> None:
    rng, crowd = np.random.default_rng(3), controller.crowd(COUNT, seed=2)
    ground = crowd.ground
    first = np.concatenate([ground.position, ground.facing[:, np.newaxis]], axis=-1)
    for _ in range(60):
        crowd.step(first)
    ground = crowd.ground
    heading = wrap_angle(ground.facing + rng.uniform(-np.pi, np.pi, COUNT))
    left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
    point = ground.position - rng.uniform(-0.5, 0.5, (COUNT, 1)) * left
    command = np.concatenate([point, heading[:, np.newaxis]], axis=-1)
    tracks = []
    for _ in range(240):
        crowd.step(command)
        tracks.append(np.abs(controller.task.params(command, crowd.ground)))
    angle, distance = np.moveaxis(np.array(tracks), -1, 0)
    there = (angle < np.radians(5.0)) & (distance < 0.1)
    seconds = (there.argmax(axis=0) + 1) * controller.field.database.frame_time
    print(f"line: mean {seconds.mean():.2f} s, longest {seconds.max():.2f} s, {(~there.any(axis=0)).sum()} failed")
    print(f"after 5 s: {np.degrees(angle[150:].mean()):.1f} degrees, {100 * distance[150:].mean():.1f} cm off")
    assert there[:180].any(axis=0).all()
    assert seconds.mean() <= 1.8
    assert distance[150:].mean() < 0.06
    assert np.degrees(angle[150:]).mean() < 3.0


def test_it_comes_from_farther_off_than_values_are_kept_for(controller: FieldController) -> None:
    crowd = controller.crowd(COUNT, seed=5)
    aside = np.where(np.arange(COUNT) % 2, 3.0, -4.0)
    command = np.stack([crowd.ground.position[:, 0] + aside, crowd.ground.position[:, 1], np.zeros(COUNT)], axis=-1)
    for _ in range(360):
        crowd.step(command)
    assert (np.abs(controller.task.params(command, crowd.ground)[:, 1]) < 0.3).all()
