"""Grasping: weights reach what lies between takes, blends bring the hand there, and plans get within reach."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from motionfields.authoring.groups.grasping import GRASPED, TOLERANCE, Grasps, GraspTask, hand_place
from motionfields.base.errors import MotionError
from motionfields.base.geometry import quat_conjugate, quat_from_axis_angle, quat_multiply
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip
from tests.authoring.worlds.conftest import trained


def reaching(side: float, low: float) -> Clip:
    """A standing clip whose left arm comes down from above to `low` radians, `side` radians to the left."""
    first = next(iter(trained()[0].field.database.iter_source_clips()))
    body = find_body(first.skeleton)
    assert body.left_arm is not None
    joint = body.left_arm.shoulder
    world = first.world().rotations[0, first.skeleton.parents[joint]]
    swing = -np.linspace(2.2, low, 31)  # about the axis to the left: forward and up
    turn = quat_multiply(
        quat_from_axis_angle(np.array([0.0, 1.0, 0.0]), np.full(31, side)),
        quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), swing),
    )
    rotations = np.repeat(first.rotations[:1], 31, axis=0)
    local = quat_multiply(quat_multiply(quat_conjugate(world), turn), world)
    rotations[:, joint] = quat_multiply(local, rotations[:, joint])
    place = np.repeat(first.root_position[:1], 31, axis=0)
    return Clip(first.skeleton, place, rotations, first.frame_time, name="reach")


def grasps() -> Grasps:
    spans = [(reaching(side, low), 0.0, 1.0) for side, low in ((0.5, 1.2), (-0.3, 1.2), (0.1, 0.7))]
    return Grasps.of(spans)


def test_weights_are_positive_sum_to_one_and_meet_the_goal() -> None:
    found = grasps()
    inside = found.places.mean(axis=0)
    weights, off = found.weights(np.stack([inside, inside + np.array([9.0, 0.0])]))
    assert (weights >= 0.0).all()
    assert weights.sum(axis=1) == pytest.approx([1.0, 1.0], abs=1e-3)
    assert off[0] == pytest.approx(0.0, abs=1e-3)
    assert 8.0 < off[1] < 9.5
    assert found.nearest(found.places) == pytest.approx(np.zeros(3))


def test_a_blend_reaches_between_takes() -> None:
    found = grasps()
    goal = 0.4 * found.places[0] + 0.4 * found.places[1] + 0.2 * found.places[2]
    made, off = found.reach(goal)
    assert off < 0.01 < found.nearest(goal[np.newaxis])[0]
    assert np.linalg.norm(hand_place(made.clip, "left") - goal) == pytest.approx(off)
    own, exact = found.reach(found.places[1])
    assert exact == pytest.approx(0.0, abs=1e-3)
    assert own.clip.frame_count == found.members[1].clip.frame_count


def test_objects_move_against_the_steps() -> None:
    moves = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, np.pi / 2]])
    task = GraspTask(grasps(), moves, np.zeros((2, 2)), False)
    after = task.after(np.array([[0.2, 3.0]]))
    assert after[0, 0] == pytest.approx([0.2, 2.0])
    assert after[0, 1] == pytest.approx([-3.0, 0.2])  # after a turn to the left, what was ahead is to the right


def test_plans_reach_an_object_and_greedy_characters_pass_it() -> None:
    found = grasps()
    ahead = np.array([[0.0, 0.5, 0.0], [0.0, 0.3, 0.0]])
    costs = np.array([[0.0, 0.5], [0.5, 0.6]])
    goal = found.places[2] + np.array([0.0, 2 * 0.5 + 2 * 0.3])
    for parametric in (False, True):
        task = GraspTask(found, ahead, costs, parametric)
        values = task.solve()
        ended = task.run(values, goal[np.newaxis], np.zeros(1, np.int64))
        assert ended.grasped.tolist() == [True]
        fewest = next(
            count
            for count in range(5)
            for way in product((0.5, 0.3), repeat=count)
            if task.off(goal[np.newaxis] - [0.0, sum(way)])[0] <= TOLERANCE
        )
        assert ended.steps.tolist() == [fewest]
        assert fewest > 1
        assert ended.off[0] <= TOLERANCE
        assert values.max() <= GRASPED
    greedy = GraspTask(found, ahead, costs, False).run(np.zeros_like(values), goal[np.newaxis], np.zeros(1, np.int64))
    assert greedy.grasped.tolist() == [False]


def test_a_hand_that_does_not_go_down_is_refused() -> None:
    with pytest.raises(MotionError, match="does not go down"):
        Grasps.of([(reaching(0.0, 1.0), 0.0, 0.0)])


def test_odd_tasks_are_refused() -> None:
    for moves, costs in ((np.zeros((2, 2)), np.zeros((2, 2))), (np.full((1, 3), np.nan), np.zeros((1, 1)))):
        with pytest.raises(ValueError, match="moves"):
            GraspTask(grasps(), moves, costs, True)
