"""Crowds serve every method: blends as well as followed states, hand-overs, and decisions that make no sense."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_exp, quat_from_yaw, quat_multiply
from motionfields.control.contract import Controller, ControllerState, Decision, Observation, load_controller
from motionfields.control.followers import Followers, displayed_state, followers_from
from motionfields.control.methods import PaperController, PaperSettings, as_published, train_as_published, train_paper
from motionfields.control.tasks import Direction, Line, Motion
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase, copied
from motionfields.measure.testing import check_controller
from motionfields.motion.clip import rescale
from motionfields.motion.samples import generate_samples
from motionfields.runtime import Crowd
from tests.control.training.small import direction_controller, small_field


@cache
def paper() -> PaperController:
    return train_paper(small_field(), Direction(), settings=PaperSettings(neighbor_count=6), tolerance=0.05)


@cache
def published() -> PaperController:
    return train_as_published(small_field(), Direction(), anchor_stride=10, tolerance=0.5)


class Chosen(Controller):
    """Decides what it is given."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(small_field(), Direction())
        self.decision = decision

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        return self.decision, ()


def anywhere(rng: np.random.Generator, count: int) -> Followers:
    database = small_field().database
    state = copied(database.states(rng.integers(0, database.state_count, count)))
    bent = quat_exp(rng.uniform(-0.4, 0.4, (*state.pose.joint_rotations.shape[:-1], 3)))
    turned = quat_multiply(quat_from_yaw(rng.uniform(-3.0, 3.0, count)), state.pose.root_rotation)
    pose = state.pose._replace(
        root_position=state.pose.root_position + rng.uniform(-2.0, 2.0, (count, 3)),
        root_rotation=turned,
        joint_rotations=quat_multiply(bent, state.pose.joint_rotations),
    )
    return followers_from(database, state._replace(pose=pose), rng.integers(0, database.state_count, count))


def test_the_displayed_state_is_the_one_that_characters_were_made_from(rng: np.random.Generator) -> None:
    database, followers = small_field().database, anywhere(rng, 20)
    again = followers_from(database, displayed_state(database, followers), followers.state)
    for track, other in zip(again, followers, strict=True):
        np.testing.assert_allclose(track, other, atol=1e-6)


def test_the_displayed_pose_is_what_the_crowd_shows(rng: np.random.Generator) -> None:
    crowd = Crowd(direction_controller(), 5, seed=2, plant=False)
    for _ in range(12):
        frame = crowd.step(2.0)
    pose = crowd.state.pose
    np.testing.assert_allclose(pose.root_position, frame.root_position, atol=1e-6)
    np.testing.assert_allclose(np.abs((pose.rotations * frame.rotations).sum(-1)), 1.0, atol=1e-6)


@pytest.mark.parametrize("make", [paper, published])
def test_the_papers_controller_keeps_the_contract(make: Callable[[], PaperController]) -> None:
    check_controller(make())


@pytest.mark.parametrize("make", [paper, published])
def test_the_papers_controller_comes_back_from_its_file(make: Callable[[], PaperController], tmp_path: Path) -> None:
    controller = make()
    controller.save(tmp_path / "paper.ctrl")
    loaded = load_controller(tmp_path / "paper.ctrl")
    assert isinstance(loaded, PaperController)
    assert loaded.settings == controller.settings
    assert loaded.task == controller.task
    one, other = Crowd(controller, 3, seed=1), Crowd(loaded, 3, seed=1)
    for _ in range(5):
        np.testing.assert_array_equal(one.step(1.0).rotations, other.step(1.0).rotations)


@pytest.mark.parametrize("make", [paper, published])
def test_pushes_move_the_papers_characters_and_a_force_of_zero_does_not(make: Callable[[], PaperController]) -> None:
    pytest.importorskip("mujoco")
    crowds = [Crowd(make(), 2, seed=1) for _ in range(3)]
    frames = []
    for number in range(12):
        if number == 3:
            crowds[1].push(0, 0, [0.0, 0.0, 0.0])
            crowds[2].push(0, 0, [400.0, 0.0, 0.0])
        frames = [crowd.step(0.0) for crowd in crowds]
    np.testing.assert_array_equal(frames[0].root_position, frames[1].root_position)
    assert np.linalg.norm(frames[2].root_position[0] - frames[0].root_position[0]) > 0.03
    np.testing.assert_array_equal(frames[2].root_position[1], frames[0].root_position[1])


def test_published_tasks_pay_as_printed() -> None:
    """Eq. 16 and 17: the angle, and 0.05 a metre, of where the character is before it moves."""
    direction, line = as_published(Direction()), as_published(Line())
    still = Motion(np.array([0.3]), np.zeros((1, 2)), 1.0 / 30.0)
    np.testing.assert_allclose(direction.reward(np.array([[-0.7]]), still), -0.7)
    np.testing.assert_allclose(line.reward(np.array([[0.5, -2.0]]), still), -0.5 - 0.05 * 2.0)
    assert [len(axis.nodes) for axis in line.axes] == [19, 13]  # 18 directions; the first and last are the same


def test_a_blend_without_an_arrival_ends_beside_its_heaviest_state() -> None:
    field = small_field()
    states = np.array([[10, 11, 12], [40, 41, 42]])
    weights = np.array([[0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])
    crowd = Crowd(Chosen(Decision.blend(states, weights, drift=0.1)), 2)
    frame = crowd.step(0.0)
    np.testing.assert_array_equal(frame.states, [12, 43])
    assert np.isfinite(frame.rotations).all()
    expected = field.blend(states, weights)
    np.testing.assert_allclose(crowd.state.velocity.root_step.shape, expected.root_step.shape)


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (Decision.follow(np.array([10**9, 1])), "states: expected 0 to"),
        (Decision.follow(np.array([-1, 1])), "states: expected 0 to"),
        (Decision.follow(np.array([1])), r"states \[2, k\]"),
        (Decision.follow(np.array([1.0, 2.0])), r"states \[2, k\]"),
        (Decision.follow(np.array([1, 2]), spin=np.array([0.0, np.nan])), "finite spin"),
        (Decision.follow(small_field().database.clip_starts[1:3] - 1), "with a next state"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(decision: Decision, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Crowd(Chosen(decision), 2).step(0.0)


def test_characters_go_on_smoothly_between_methods() -> None:
    crowd = Crowd(paper(), 4, seed=3)
    for controller in (paper(), direction_controller(), paper()):
        crowd.hand_over(controller)
        for _ in range(15):
            before = crowd.state.pose.root_position.copy()
            frame = crowd.step(0.5)
            assert np.linalg.norm(frame.root_position - before, axis=-1).max() < 0.2
    assert np.isfinite(frame.rotations).all()


def test_a_hand_over_to_other_data_goes_on_from_the_displayed_pose() -> None:
    clips = [sample.clip for sample in generate_samples(only=("walk_forward", "walk_fast"))]
    other = Chosen(Decision.follow(np.array([3, 4])))
    other.field = MotionField(MotionDatabase.build(clips))
    crowd = Crowd(direction_controller(), 2, seed=5)
    for _ in range(5):
        crowd.step(1.0)
    shown = crowd.state.pose
    crowd.hand_over(other)
    np.testing.assert_allclose(crowd.state.pose.root_position, shown.root_position, atol=1e-6)
    assert crowd.followers.state.max() < other.field.database.state_count
    crowd.step(1.0)


def test_a_hand_over_to_another_body_is_refused() -> None:
    clips = [rescale(sample.clip, 1.2) for sample in generate_samples(only=["walk_forward"])]
    other = Chosen(Decision.follow(np.array([3])))
    other.field = MotionField(MotionDatabase.build(clips))
    with pytest.raises(SkeletonError, match="skeleton"):
        Crowd(direction_controller(), 1).hand_over(other)


@pytest.mark.parametrize("plant", [1, "yes", None, direction_controller])
def test_plant_is_true_or_false(plant: object) -> None:
    with pytest.raises(TypeError, match="plant"):
        Crowd(direction_controller(), 1, plant=plant)  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [paper, direction_controller])
def test_characters_can_be_placed_while_they_move(make: Callable[[], Controller]) -> None:
    crowd = Crowd(make(), 2, seed=1)
    for _ in range(4):
        crowd.step(0.0)
    crowd.place(slice(1, 2), [[5.0, -3.0]], [2.0])
    np.testing.assert_allclose(crowd.ground.position[1], [5.0, -3.0])
    np.testing.assert_allclose(crowd.ground.facing[1], 2.0)
    crowd.step(2.0)
    assert np.linalg.norm(crowd.ground.position[1] - [5.0, -3.0]) < 0.2
