"""The lane task: its formulas by hand, and what a controller trained for it does on generated samples."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import wrap_angle
from motionfields.control.compression import compress, value_error
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Ground, Lane, Line, Motion, Velocity, task_facts, task_from, top_speed
from motionfields.control.tasks.compiled import FURTHEST
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples
from tests.conftest import LONG

NAMES = (
    *("walk_forward", "walk_slow", "walk_fast", "walk_stop"),
    *(("walk_speed_up", "walk_slow_down") if LONG else ()),
    *(f"turn_left_{angle:03d}_quick" for angle in (15, 45, 90, 135, 180)),
)
COUNT = 40
SECONDS = 7.0  # on one command


def test_parameters_are_those_of_the_line_and_the_speed_within_what_the_data_has(rng: np.random.Generator) -> None:
    ground = Ground(rng.normal(size=(3, 2)), rng.uniform(-3.0, 3.0, 3))
    command = np.column_stack([rng.normal(size=(3, 3)), [0.7, -1.0, 9.0]])
    params = Lane(top=1.2).params(command, ground)
    np.testing.assert_array_equal(params[:, :2], Line().params(command[:, :3], ground))
    np.testing.assert_array_equal(params[:, 2], [0.7, 0.0, 1.2])


def test_angle_and_distance_change_and_the_wanted_speed_stays() -> None:
    motion = Motion(np.array([0.1]), np.array([[0.0, 1.2]]), 0.1)
    after = Lane().advance(np.array([[np.pi / 6.0, 0.2, 0.7]]), motion)
    np.testing.assert_allclose(after, [[np.pi / 6.0 - 0.1, 0.2 - 0.06, 0.7]])


def test_the_reward_by_hand() -> None:
    task = Lane(distance_weight=4.0, last_weight=0.3, speed_weight=2.0, sway=0.4)
    motion = Motion(np.zeros(2), np.array([[0.0, 0.5], [0.0, 0.5]]), 1.0 / 30.0)
    reward = task.reward(np.array([[0.0, -0.25, 0.8], [0.0, 0.0, 0.5]]), motion)
    np.testing.assert_allclose(reward, [-4.0 * 0.25 - 2.0 * (0.5 - 0.4), 0.0], atol=1e-15)


def test_sideways_motion_costs_those_who_should_stand() -> None:
    task = Lane(speed_weight=2.0, sway=0.4, standing_share=0.25, distance_weight=0.0)
    asked = np.array([[0.0, 0.0, 0.0]])
    rewards = [
        task.reward(asked, Motion(np.zeros(1), np.array([velocity]), 1.0 / 30.0))[0]
        for velocity in ([0.4, 0.0], [0.0, 0.3])
    ]
    # The lateral part counts three quarters; 0.3 and 0.4 m/s make 0.5 m/s.
    np.testing.assert_allclose(rewards, [-2.0 * (0.5 - 0.4), -2.0 * (0.5 - 0.4)], atol=1e-12)


def test_along_the_line_it_costs_what_line_and_velocity_do(rng: np.random.Generator) -> None:
    lane, line = Lane(), Line(speed=0.0, pace_weight=0.0)
    velocity = Velocity(speed_weight=lane.speed_weight, standing_share=lane.standing_share, last_weight=0.0)
    motion = Motion(rng.uniform(-0.3, 0.3, 50), rng.uniform(-1.5, 1.5, (50, 2)), 1.0 / 30.0)
    params = np.column_stack([np.zeros(50), rng.uniform(-1.0, 1.0, 50), rng.uniform(0.5, 1.3, 50)])
    facing = np.abs(motion.turn)  # which both of them count
    both = line.reward(params[:, :2], motion) + velocity.reward(params[:, ::2], motion) + facing
    np.testing.assert_allclose(lane.reward(params, motion), both)


def test_who_stands_with_its_back_to_the_heading_gains_by_walking() -> None:
    task, still = Lane(), Motion(np.zeros(1), np.zeros((1, 2)), 1.0 / 30.0)
    asked = np.array([[np.pi, 0.0, 0.8]])
    walking = still._replace(velocity=np.array([[0.0, 0.8]]))
    assert task.reward(asked, walking)[0] > task.reward(asked, still)[0] + 1.0


def test_who_is_told_to_stand_gains_more_by_it_than_by_going_to_the_line() -> None:
    task, still = Lane(), Motion(np.zeros(1), np.zeros((1, 2)), 1.0 / 30.0)
    asked = np.array([[0.5 * np.pi, 1.5, 0.0]])  # the line is behind its back
    nearer = still._replace(velocity=np.array([[0.0, 0.6]]))
    assert task.advance(asked, nearer)[0, 1] < asked[0, 1]
    assert task.reward(asked, nearer)[0] < task.reward(asked, still)[0] - 0.5


def test_the_goal_is_a_node_at_every_speed() -> None:
    angle, distance, speed = Lane(top=1.5).axes
    assert 0.0 in angle.nodes
    assert 0.0 in distance.nodes
    assert speed.nodes[[0, -1]].tolist() == [0.0, 1.5]
    assert distance.nodes[-1] == Line().axes[1].nodes[-1] == FURTHEST  # beyond which metres are paid at once


def test_the_top_speed_comes_from_the_data_unless_it_is_given(wobble: Clip) -> None:
    database = MotionDatabase.build([wobble])
    assert Lane().adapted(database).top == pytest.approx(top_speed(database))
    assert Lane(top=0.9).adapted(database) == Lane(top=0.9)


def test_it_can_be_saved() -> None:
    assert task_from(dict(task_facts(Lane(top=1.1, sway=0.3)))) == Lane(top=1.1, sway=0.3)


@pytest.fixture(scope="module")
def controller() -> FieldController:
    clips = [sample.clip for sample in generate_samples(only=NAMES)]
    field = MotionField(MotionDatabase.build(clips))
    settings = ControlSettings() if LONG else ControlSettings(candidate_factor=2)
    return train(field, Lane(), settings=settings, tolerance=0.1)


class Walk(NamedTuple):
    """The motion of a crowd on one command."""

    angle: FloatArray  # [frame, n], radians off the line's heading
    distance: FloatArray  # [frame, n], metres off the line
    speed: FloatArray  # [n], m/s along the line over the last 3 s
    place: FloatArray  # [frame, n, 2], metres


def walk(controller: FieldController, speed: float, seed: int) -> Walk:
    """A crowd that is told a line within half a metre, in any direction, and a `speed`, after 2 s of walking."""
    rng, crowd = np.random.default_rng(seed), controller.crowd(COUNT, seed=seed)
    frame_time, ground = controller.field.database.frame_time, crowd.ground
    first = np.column_stack([ground.position, ground.facing, np.full(COUNT, 0.87)])
    for _ in range(60):
        crowd.step(first)
    ground = crowd.ground
    heading = wrap_angle(ground.facing + rng.uniform(-np.pi, np.pi, COUNT))
    left = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
    ahead = np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    point = ground.position - rng.uniform(-0.5, 0.5, (COUNT, 1)) * left
    command = np.column_stack([point, heading, np.full(COUNT, speed)])
    params, places = [], []
    for _ in range(round(SECONDS / frame_time)):
        crowd.step(command)
        params.append(np.abs(controller.task.params(command, crowd.ground)))
        places.append(crowd.ground.position)
    place, last = np.array(places), round(3.0 / frame_time)
    gone = ((place[-1] - place[-1 - last]) * ahead).sum(axis=-1) / (last * frame_time)
    return Walk(np.array(params)[..., 0], np.array(params)[..., 1], gone, place)


@pytest.mark.parametrize("wanted", [0.7, 0.87, 1.1] if LONG else [0.7, 0.87])
def test_it_comes_to_the_line_and_keeps_speed_and_facing(controller: FieldController, wanted: float) -> None:
    seen = walk(controller, wanted, seed=3)
    there = (seen.angle < np.radians(5.0)) & (seen.distance < 0.1)
    seconds = (there.argmax(axis=0) + 1) * controller.field.database.frame_time
    off = np.abs(seen.speed / wanted - 1.0)
    print(f"{wanted} m/s: mean {seconds.mean():.2f} s, longest {seconds.max():.2f} s")
    print(f"last 3 s: {seen.speed.mean():.2f} m/s, off by {100 * off.mean():.1f} % (at most {100 * off.max():.1f})")
    print(f"last 2 s: {np.degrees(seen.angle[-60:].mean()):.1f} degrees, {100 * seen.distance[-60:].mean():.1f} cm off")
    assert there.any(axis=0).all()
    assert seconds.mean() <= 1.9
    assert off.mean() <= 0.12  # between the speeds that the data has, characters take the nearest one
    assert seen.distance[-60:].mean() < 0.06
    assert np.degrees(seen.angle[-60:]).mean() < 4.0


def test_it_stands_when_it_is_told_to(controller: FieldController) -> None:
    seen = walk(controller, 0.0, seed=4)
    still = np.linalg.norm(np.diff(seen.place[60:], axis=0), axis=-1) / controller.field.database.frame_time
    assert (still.mean(axis=0) < 0.1).all()


def test_its_values_are_saved_whole_and_as_a_small_code(controller: FieldController, tmp_path: Path) -> None:
    controller.save(tmp_path / "lane.ctrl")
    again = FieldController.load(tmp_path / "lane.ctrl")
    assert again.task == controller.task
    np.testing.assert_array_equal(again.values.table(), controller.values.table())
    small = compress(controller, factor=15.0)
    small.save(tmp_path / "small.ctrl")
    np.testing.assert_array_equal(FieldController.load(tmp_path / "small.ctrl").values.table(), small.values.table())
    error = value_error(controller.values, small.values)
    print(f"compressed: values off by {error:.2f} radians")
    assert error < 0.3
    seen = walk(small, 0.87, seed=3)
    assert seen.distance[-60:].mean() < 0.08
    assert np.abs(seen.speed / 0.87 - 1.0).mean() < 0.15


def test_crowds_decide_in_compiled_code(controller: FieldController) -> None:
    assert controller.policy is not None
