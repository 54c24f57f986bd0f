from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle, quat_exp, quat_from_yaw, quat_identity, quat_multiply, quat_normalize
from motionfields.field.database import (
    MotionState,
    Pose,
    PoseDelta,
    apply_delta,
    blend_deltas,
    grounded,
    pose_difference,
)
from motionfields.field.database.states import clip_from_poses, poses_of
from motionfields.motion.clip import Clip


def random_poses(rng: np.random.Generator, count: int, joint_count: int = 4) -> Pose:
    return Pose(
        rng.normal(size=(count, 3)),
        quat_normalize(rng.normal(size=(count, 4))),
        quat_normalize(rng.normal(size=(count, joint_count, 4))),
    )


def moved(pose: Pose, place: FloatArray, yaw: float) -> Pose:
    """The pose carried over the ground and turned about the vertical."""
    from motionfields.base.geometry import quat_rotate

    turn = quat_from_yaw(yaw)
    return Pose(
        quat_rotate(turn, pose.root_position) + place, quat_multiply(turn, pose.root_rotation), pose.joint_rotations
    )


def test_a_difference_worked_by_hand() -> None:
    """Someone facing left (+x) steps half a metre ahead, rises by 0.1 m and turns left by 0.2 rad."""
    earlier = Pose(np.array([1.0, 0.9, 2.0]), quat_from_yaw(np.pi / 2), quat_identity(1))
    later = Pose(np.array([1.5, 1.0, 2.0]), quat_from_yaw(np.pi / 2 + 0.2), quat_exp(np.array([[0.3, 0.0, 0.0]])))
    delta = pose_difference(later, earlier)
    np.testing.assert_allclose(delta.root_step, [0.0, 0.1, 0.5], atol=1e-12)
    np.testing.assert_allclose(delta.root_turn, [0.0, 0.2, 0.0], atol=1e-12)
    np.testing.assert_allclose(delta.joint_turns, [[0.3, 0.0, 0.0]], atol=1e-12)


def test_applying_a_difference_gives_the_later_pose(rng: np.random.Generator) -> None:
    earlier, later = random_poses(rng, 50), random_poses(rng, 50)
    again = apply_delta(earlier, pose_difference(later, earlier))
    np.testing.assert_allclose(again.root_position, later.root_position, atol=1e-12)
    assert quat_angle(again.root_rotation, later.root_rotation).max() < 1e-7
    assert quat_angle(again.joint_rotations, later.joint_rotations).max() < 1e-7


def test_a_change_does_not_depend_on_where_one_stands_and_faces(rng: np.random.Generator) -> None:
    earlier, later = random_poses(rng, 20), random_poses(rng, 20)
    place = np.array([3.0, 0.0, -2.0])
    here = pose_difference(later, earlier)
    there = pose_difference(moved(later, place, 2.0), moved(earlier, place, 2.0))
    for one, other in zip(here, there, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_grounding_takes_away_place_and_facing_only(rng: np.random.Generator) -> None:
    poses = random_poses(rng, 20)
    one, other = grounded(poses), grounded(moved(poses, np.array([5.0, 0.0, 1.0]), -1.0))
    np.testing.assert_allclose(one.root_position, other.root_position, atol=1e-12)
    assert quat_angle(one.root_rotation, other.root_rotation).max() < 1e-7
    np.testing.assert_array_equal(one.root_position[:, 1], poses.root_position[:, 1])
    assert not one.root_position[:, ::2].any()


def test_blending_is_a_weighted_mean() -> None:
    two = np.array([[[0.0, 0.0, 0.0], [0.0, 0.0, 2.0]]])
    deltas = PoseDelta(two, two, np.zeros((1, 2, 1, 3)))
    blended = blend_deltas(deltas, np.array([[0.25, 0.75]]))
    np.testing.assert_allclose(blended.root_step, [[0.0, 0.0, 1.5]])


def test_small_blends_agree_with_the_quaternion_average(rng: np.random.Generator) -> None:
    from motionfields.base.geometry import quat_average

    turns = rng.normal(0.0, 0.05, (30, 5, 3))
    weights = rng.dirichlet(np.ones(5), 30)
    blended = blend_deltas(PoseDelta(turns, turns, turns[:, :, np.newaxis]), weights).root_turn
    assert quat_angle(quat_exp(blended), quat_average(quat_exp(turns), weights)).max() < 1e-4


def test_clips_and_poses_are_two_forms_of_one_thing(wobble: Clip) -> None:
    again = clip_from_poses(wobble.skeleton, poses_of(wobble), frame_time=wobble.frame_time, name="again")
    np.testing.assert_allclose(again.world().positions, wobble.world().positions, atol=1e-12)
    np.testing.assert_array_equal(poses_of(wobble).rotations, wobble.rotations)


def test_some_states_can_be_taken_from_a_batch(rng: np.random.Generator) -> None:
    poses = random_poses(rng, 6)
    state = MotionState(poses, pose_difference(poses, poses))
    part = state.take(np.array([4, 1]))
    np.testing.assert_array_equal(part.pose.root_position, poses.root_position[[4, 1]])
    assert part.velocity.joint_turns.shape == (2, 4, 3)
    assert state.take(slice(2, 5)).pose.root_rotation.shape == (3, 4)
    with pytest.raises(IndexError):
        state.take(np.array([7]))
