"""Crowds that are pushed: where characters go, that they come back, and that it is nobody else's business."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import MissingExtraError
from motionfields.base.geometry import quat_angle
from motionfields.control.controller import FieldController
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import Crowd, DisplayPose, Frame
from motionfields.runtime.follower import FURTHEST_LIFT
from motionfields.runtime.physics import Ball
from motionfields.runtime.physics.pushes import MOST_FORCE
from tests.control.training.small import direction_controller, threads
from tests.runtime.test_crowd import assert_alike

START = 10  # the frame before which pushes start


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller()


def run(
    controller: FieldController,
    count: int,
    frame_count: int,
    act: Callable[[Crowd], None] | None = None,
    *,
    turning: bool = False,
) -> list[Frame]:
    """Frames of a crowd that walks straight on, or each to a goal of its own; `act` is done before one of them."""
    crowd = controller.crowd(count, seed=4)
    goals = np.random.default_rng(8).uniform(-3.0, 3.0, 64)[:count] if turning else np.zeros(count)
    frames = []
    for frame in range(frame_count):
        if act is not None and frame == START:
            act(crowd)
        frames.append(crowd.step(goals))
    return frames


def roots(frames: list[Frame]) -> FloatArray:
    return np.stack([frame.root_position for frame in frames])


def places(controller: FieldController, frames: list[Frame], joint: str) -> FloatArray:
    """Return the positions of a joint, [frame, n, 3]."""
    skeleton = controller.field.database.skeleton
    world = forward_kinematics(skeleton, roots(frames), np.stack([frame.rotations for frame in frames]))
    return world.positions[:, :, skeleton.index(joint)]


def scattered_pushes(crowd: Crowd) -> None:
    """A push on every other of at most 64 characters, each of another kind."""
    rng = np.random.default_rng(5)
    forces, joints = rng.normal(0.0, 150.0, (64, 3)), rng.integers(0, 22, 64)
    for character in range(0, crowd.count, 2):
        crowd.push(character, int(joints[character]), forces[character], duration=0.02 + 0.01 * character)


def test_a_push_of_zero_for_300_frames_is_no_push_at_all(controller: FieldController) -> None:
    def nothing(crowd: Crowd) -> None:
        crowd.push(np.arange(4), "Spine2", np.zeros(3), duration=20.0)

    assert_alike(run(controller, 4, 300, turning=True), run(controller, 4, 300, nothing, turning=True))


@pytest.mark.parametrize("direction", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
def test_who_is_pushed_goes_the_way_of_the_push(controller: FieldController, direction: tuple[float, float]) -> None:
    force = 250.0 * np.array([direction[0], 0.0, direction[1]])
    pushed = run(controller, 6, 45, lambda crowd: crowd.push(np.arange(6), "Spine2", force, duration=0.2))
    away = (roots(pushed) - roots(run(controller, 6, 45)))[..., ::2]
    np.testing.assert_array_equal(away[:START], 0.0)
    along, across = away @ direction, away @ [direction[1], -direction[0]]
    assert (along[START + 6] > 0.03).all()
    assert (np.abs(across[START + 6]) < along[START + 6]).all()
    # By then they have taken other steps than their twins, so places differ by more than the push.
    later = START + 30
    assert np.median(along[later]) > 0.1
    assert (along[later] > 0.05).all()
    assert np.median(np.abs(across[later])) < np.median(along[later])


def off_the_data(controller: FieldController, frames: list[Frame]) -> float:
    """Return the largest angle in radians of an upper joint to its rotation in the followed states."""
    skeleton, captured = controller.field.database.skeleton, controller.field.database.rotations
    joints = [skeleton.index(name) for name in ("Spine", "Spine2", "Head", "LeftArm", "LeftForeArm", "RightForeArm")]
    rows = np.stack([frame.states for frame in frames])
    shown = np.stack([frame.rotations for frame in frames])
    return float(quat_angle(shown[:, :, joints], captured[rows][:, :, joints]).max())


def test_pushed_characters_stay_where_they_were_pushed_and_find_back_to_their_pose(
    controller: FieldController,
) -> None:
    force = np.array([400.0, 0.0, 0.0])
    usual = run(controller, 6, 130)
    pushed = run(controller, 6, 130, lambda crowd: crowd.push(np.arange(6), "Spine2", force))
    least = off_the_data(controller, usual)
    assert off_the_data(controller, pushed[START : START + 15]) > least + np.radians(10.0)
    assert off_the_data(controller, pushed[-30:]) < least + np.radians(3.0)
    # Steps that recover the balance are other steps than those of the twin, so places differ by more than the push.
    moved = np.median((roots(pushed) - roots(usual))[:, :, 0], axis=1)
    assert 0.05 < 0.5 * moved[START + 30] < moved[-1] < 2.0 * moved[START + 30]


def test_a_push_on_the_hand_moves_the_hand_before_the_root(controller: FieldController) -> None:
    force = np.array([100.0, 0.0, 0.0])
    pushed = run(controller, 6, 20, lambda crowd: crowd.push(np.arange(6), "LeftHand", force))
    usual = run(controller, 6, 20)
    hand = np.linalg.norm(places(controller, pushed, "LeftHand") - places(controller, usual, "LeftHand"), axis=-1)
    root = np.linalg.norm(roots(pushed) - roots(usual), axis=-1)
    assert (hand[START] > 0.02).all()
    assert (hand[START : START + 4] > 10.0 * root[START : START + 4]).all()


def test_a_long_push_is_a_pull_that_holds_the_hand_away_while_it_lasts(controller: FieldController) -> None:
    force = np.array([40.0, 0.0, 0.0])
    pulled = run(controller, 6, 130, lambda crowd: crowd.push(np.arange(6), "LeftHand", force, duration=2.0))
    usual = run(controller, 6, 130)
    away = [places(controller, frames, "LeftHand") - roots(frames) for frames in (pulled, usual)]
    moved = away[0] - away[1]
    held = slice(START + 15, START + 60)
    assert moved[held, :, 0].min() > 0.15
    assert off_the_data(controller, pulled[START + 100 :]) < off_the_data(controller, usual) + np.radians(3.0)


def test_pushes_do_the_same_in_a_crowd_of_any_size(controller: FieldController) -> None:
    many = run(controller, 64, 50, scattered_pushes, turning=True)
    usual = run(controller, 64, 50, turning=True)
    assert np.linalg.norm(roots(many)[-1] - roots(usual)[-1], axis=-1).max() > 0.05
    for count in (1, 7):
        assert_alike(run(controller, count, 50, scattered_pushes, turning=True), many)


def test_any_number_of_threads_gives_the_same_bits_with_pushes(controller: FieldController) -> None:
    runs = []
    for count in (1, 2):
        with threads(count):
            runs.append(run(controller, 64, 40, scattered_pushes, turning=True))
    assert_alike(runs[0], runs[1])


def test_a_push_on_one_leaves_all_others_their_bits(controller: FieldController) -> None:
    pushed = run(controller, 6, 100, lambda crowd: crowd.push(2, "Head", [0.0, 0.0, 300.0]))
    others = np.arange(6) != 2
    for one, other in zip(pushed, run(controller, 6, 100), strict=True):
        for name in Frame._fields:
            np.testing.assert_array_equal(getattr(one, name)[others], getattr(other, name)[others], err_msg=name)
    assert np.abs(roots(pushed)[-1, 2] - roots(run(controller, 6, 100))[-1, 2]).max() > 0.01


def test_a_hard_push_on_any_joint_leaves_numbers_that_are_numbers(controller: FieldController) -> None:
    joint_count = controller.field.database.skeleton.joint_count

    def hard(crowd: Crowd) -> None:
        for joint in range(joint_count):
            angle = 2.4 * joint
            crowd.push(joint, joint, 600.0 * np.array([np.cos(angle), 0.0, np.sin(angle)]), duration=0.2)

    for frame in run(controller, joint_count, 90, hard):
        assert np.isfinite(frame.root_position).all()
        assert np.isfinite(frame.rotations).all()
        np.testing.assert_allclose(np.linalg.norm(frame.rotations, axis=-1), 1.0, atol=1e-9)
        assert frame.root_position[:, 1].min() > 0.3


def test_the_hardest_pull_on_any_joint_keeps_the_engine_steady(
    controller: FieldController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where an engine that loses its state writes a log
    body = controller.crowd(1).pushes.body
    directions = np.concatenate([np.eye(3), -np.eye(3)])
    crowd = controller.crowd(6 * len(body.joints), seed=2)
    for number, (joint, direction) in enumerate(product(body.joints.tolist(), directions)):
        crowd.push(number, joint, MOST_FORCE * direction, duration=1.0)
    heights = []
    for _ in range(60):
        frame = crowd.step(0.0)
        assert np.isfinite(frame.rotations).all()
        assert crowd.unplanted is not None
        heights.append(crowd.unplanted.root_position[:, 1] - controller.field.database.root_height[frame.states])
    assert np.abs(heights).max() < FURTHEST_LIFT + 0.05
    assert list(tmp_path.iterdir()) == []


def test_whoever_starts_anew_forgets_the_push(controller: FieldController) -> None:
    field = controller.field
    state = field.database.states(field.findable[200:201])

    def jump(crowd: Crowd) -> None:
        crowd.start_from(state, np.array([1]))

    def push_and_jump(crowd: Crowd) -> None:
        crowd.push(1, "Spine2", [300.0, 0.0, 0.0], duration=5.0)
        for _ in range(3):
            crowd.step(0.0)
        crowd.start_from(state, np.array([1]))

    frames = []
    for act in (jump, push_and_jump):
        crowd = controller.crowd(2, seed=4)
        act(crowd)
        frames.append([crowd.step(0.0) for _ in range(40)])
    for one, other in zip(*frames, strict=True):
        for name in Frame._fields:
            np.testing.assert_array_equal(getattr(one, name)[1], getattr(other, name)[1], err_msg=name)


def test_pushes_work_without_planting(controller: FieldController) -> None:
    crowd, usual = (controller.crowd(2, seed=4, plant=False) for _ in range(2))
    crowd.push(0, "Hips", [200.0, 0.0, 0.0])
    for _ in range(20):
        frame, other = crowd.step(0.0), usual.step(0.0)
    assert frame.root_position[0, 0] - other.root_position[0, 0] > 0.03
    np.testing.assert_array_equal(frame.rotations[1], other.rotations[1])
    assert isinstance(crowd.unplanted, DisplayPose)
    np.testing.assert_allclose(crowd.unplanted.rotations, frame.rotations, atol=1e-12)


def test_characters_that_are_not_there_are_refused(controller: FieldController) -> None:
    crowd = controller.crowd(4)
    wrong: list[Any] = [-1, 4, np.array([0, 4]), np.array([0.0]), np.zeros((1, 1), np.int64), np.ones(4, np.bool_)]
    for character in wrong:
        with pytest.raises(ValueError, match="character: expected 0 to 3"):
            crowd.push(character, "Head", [1.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="no joint is called"):
        crowd.push(0, "Tail", [1.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="force: expected three"):
        crowd.push(0, "Head", [1.0, 0.0])


def throw_at_chest(controller: FieldController, crowd: Crowd, *, mass: float, above: float = 0.0) -> None:
    """Throw a ball for it to meet the chest of character 0 within three frames, or to fly past so far `above` it."""
    shown = crowd.unplanted
    assert shown is not None
    skeleton = controller.field.database.skeleton
    chest = forward_kinematics(skeleton, *shown).positions[0, skeleton.index("Spine2")]
    crowd.throw(chest + np.array([2.0, above, 0.0]), [-20.0, 0.5, 0.0], mass=mass, radius=0.12, bounce=0.4)


def test_a_ball_at_the_chest_pushes_a_heavier_one_more_and_is_gone_in_the_end(controller: FieldController) -> None:
    usual, displacements = roots(run(controller, 2, 100)), []
    for mass in (1.0, 3.0):
        crowds: list[Crowd] = []

        def throw(crowd: Crowd, mass: float = mass, crowds: list[Crowd] = crowds) -> None:
            throw_at_chest(controller, crowd, mass=mass)
            assert len(crowd.balls) == 1
            crowds.append(crowd)

        away = roots(run(controller, 2, 100, throw)) - usual
        np.testing.assert_array_equal(away[:, 1], 0.0)
        assert not crowds[0].balls
        displacements.append(away[START + 20, 0, 0])
    assert displacements[0] < -0.01
    assert displacements[1] < 1.5 * displacements[0]


def test_a_ball_thrown_past_leaves_everybody_alone_and_is_gone_at_the_floor(controller: FieldController) -> None:
    crowds: list[Crowd] = []

    def throw(crowd: Crowd) -> None:
        throw_at_chest(controller, crowd, mass=3.0, above=1.5)
        crowds.append(crowd)

    assert_alike(run(controller, 2, 100, throw), run(controller, 2, 100))
    assert not crowds[0].balls


def test_a_ball_that_is_let_go_falls_to_the_floor_in_its_time(controller: FieldController) -> None:
    crowd, frame_count = controller.crowd(1, seed=4), 0
    crowd.throw([5.0, 1.12, 5.0], [0.0, 0.0, 0.0], mass=1.0, radius=0.12, bounce=0.4)
    while crowd.balls:
        assert crowd.balls[0].position[1] > crowd.balls[0].radius
        crowd.step(0.0)
        frame_count += 1
    assert frame_count == 14  # a metre takes sqrt(2 / 9.81) = 0.45 s, and a frame lasts 1/30 s


def test_two_balls_at_once_push_as_both_do(controller: FieldController) -> None:
    usual, displacements = roots(run(controller, 1, 40)), []
    for count in (1, 2):

        def throw(crowd: Crowd, count: int = count) -> None:
            for _ in range(count):
                throw_at_chest(controller, crowd, mass=2.0)

        displacements.append((roots(run(controller, 1, 40, throw)) - usual)[START + 20, 0, 0])
    assert displacements[0] < -0.01
    assert displacements[1] < 1.5 * displacements[0]


def test_a_ball_about_which_nothing_is_said_is_as_balls_are(controller: FieldController) -> None:
    crowd = controller.crowd(1)
    crowd.throw([0.0, 3.0, 0.0], [0.0, 0.0, 0.0])
    expected = Ball(np.array([0.0, 3.0, 0.0]), np.zeros(3))
    assert len(crowd.balls) == 1
    for mine, its in zip(crowd.balls[0], expected, strict=True):
        np.testing.assert_array_equal(mine, its)


def test_what_is_no_ball_is_refused(controller: FieldController) -> None:
    crowd = controller.crowd(1)
    fine: dict[str, Any] = {"position": np.ones(3), "velocity": np.zeros(3), "mass": 1.0, "radius": 0.1, "bounce": 0.4}
    for name, wrong, message in (
        ("position", [0.0, 1.0], "three finite numbers"),
        ("velocity", [0.0, np.nan, 0.0], "three finite numbers"),
        ("mass", 0.0, "a positive number"),
        ("mass", np.nan, "a positive number"),
        ("mass", np.inf, "a positive number"),
        ("radius", -0.1, "a positive number"),
        ("bounce", 1.5, "0 to 1"),
        ("bounce", np.nan, "0 to 1"),
    ):
        with pytest.raises(ValueError, match=f"{name}: expected {message}"):
            crowd.throw(**{**fine, name: wrong})
    assert not crowd.balls


def test_without_the_engine_a_push_names_the_extra(
    controller: FieldController, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = controller.crowd(1)
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r"motionfields\[physics\]"):
        crowd.push(0, "Head", [1.0, 0.0, 0.0])
    with pytest.raises(MissingExtraError, match=r"motionfields\[physics\]"):
        crowd.throw([0.0, 1.0, 0.0], [0.0, 0.0, 0.0], mass=1.0, radius=0.1, bounce=0.4)
    crowd.step(0.0)


def test_who_is_never_pushed_needs_no_engine(controller: FieldController, tmp_path: Path) -> None:
    saved = tmp_path / "walk.mf"
    controller.save(saved)
    code = f"""
import sys
sys.modules["mujoco"] = None
from motionfields.control.controller import FieldController
from motionfields.base.errors import MissingExtraError
from motionfields.runtime import PassiveCrowd
import motionfields.runtime.physics
controller = FieldController.load({str(saved)!r})
crowd, passive = controller.crowd(2, seed=4), PassiveCrowd(controller.field, 2)
for _ in range(5):
    frame = crowd.step(0.5)
    passive.step()
try:
    crowd.push(0, "Head", [1.0, 0.0, 0.0])
except MissingExtraError as error:
    print(error.extra, frame.root_position.shape)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "physics (2, 3)\n"
