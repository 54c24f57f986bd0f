"""The paper's actions at states of the data, against the field's own equations one state at a time."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_rotate
from motionfields.control.methods.paper import PaperSettings, find_paper_transitions
from motionfields.control.methods.paper import actions as transitions_module
from motionfields.control.methods.paper.actions import Place, find_options, motion_between
from motionfields.control.root_motion import facing_of, hip_line, measure_root_motion
from motionfields.field import MotionField, actions, similarity_weights
from motionfields.field.database import MotionState, Pose, apply_delta
from motionfields.field.neighbors import Neighbors

SETTINGS = PaperSettings(neighbor_count=5, strength=2.0, drift=0.2)


def test_transitions_are_what_integration_and_search_give_one_by_one(
    field: MotionField, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions_module, "CHUNK", 20)  # so that rows come in parts, the last one smaller
    rows = np.array([3, 40, 77, 150, int(field.database.clip_starts[1]) - 1, 9])
    found = find_paper_transitions(field, rows, SETTINGS)
    hips = hip_line(field.database.skeleton)
    for place, row in enumerate(rows):
        state = field.database.states(np.array([row]))
        near = field.neighbors(state, 5)
        weights = actions(similarity_weights(near.distances), strength=2.0)[0]
        for action in range(5):
            after = field.integrate(state, near, weights[action : action + 1], drift=0.2)
            reached = field.neighbors(after, 5)
            np.testing.assert_array_equal(found.states[place, action], reached.indices[0])
            np.testing.assert_array_equal(
                found.weights[place, action], similarity_weights(reached.distances)[0].astype(np.float32)
            )
            turn = facing_of(after.pose.root_rotation, hips) - facing_of(state.pose.root_rotation, hips)
            np.testing.assert_allclose(found.motion.turn[place, action], turn[0], atol=1e-12)


def test_weights_of_where_an_action_leads_sum_to_one(field: MotionField) -> None:
    found = find_paper_transitions(field, field.findable[:50], SETTINGS)
    np.testing.assert_allclose(found.weights.sum(axis=-1), 1.0, atol=1e-6)
    assert found.states.shape == found.weights.shape == (50, 5, 5)


def test_following_the_data_moves_as_the_data_does(field: MotionField) -> None:
    rows = field.findable[:80]
    root_motion = measure_root_motion(field.database)
    state = field.database.states(rows)
    motion = motion_between(
        state.pose,
        apply_delta(state.pose, state.velocity),
        hips=hip_line(field.database.skeleton),
        frame_time=field.database.frame_time,
    )
    np.testing.assert_allclose(motion.turn, root_motion.turn[rows, 0], atol=1e-6)
    np.testing.assert_allclose(motion.velocity, root_motion.velocity[rows], atol=1e-5)


def test_options_do_not_depend_on_where_a_character_stands_and_faces(field: MotionField) -> None:
    state = field.database.states(field.findable[:30])
    turn = np.broadcast_to(quat_from_yaw(2.0), (30, 4))
    pose = state.pose
    elsewhere = MotionState(
        Pose(
            quat_rotate(turn, pose.root_position) + np.array([5.0, 0.0, -3.0]),
            quat_multiply(turn, pose.root_rotation),
            pose.joint_rotations,
        ),
        state.velocity,
    )
    hips = hip_line(field.database.skeleton)
    here, there = (find_options(field, Place.of(field, each, 5), SETTINGS, hips=hips) for each in (state, elsewhere))
    np.testing.assert_allclose(here.motion.turn, there.motion.turn, atol=1e-6)
    np.testing.assert_allclose(here.motion.velocity, there.motion.velocity, atol=1e-5)
    np.testing.assert_allclose(here.after.weights, there.after.weights, atol=1e-2)


def test_a_place_takes_some_of_its_batch(field: MotionField) -> None:
    place = Place.of(field, field.database.states(field.findable[:6]), 3)
    some = place.take(np.array([4, 1]))
    assert isinstance(some.neighbors, Neighbors)
    np.testing.assert_array_equal(some.neighbors.indices, place.neighbors.indices[[4, 1]])
    np.testing.assert_array_equal(some.state.pose.joint_rotations, place.state.pose.joint_rotations[[4, 1]])


@pytest.mark.parametrize(
    ("name", "value"),
    [("neighbor_count", 0), ("strength", 0.0), ("drift", 1.5), ("discount", 1.0), ("goal_change", float("nan"))],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        PaperSettings(**{name: value})  # type: ignore[arg-type]
