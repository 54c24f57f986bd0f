"""Outlines of poses in motion, the capture point, next landings, and the balance that follows from them."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import quat_rotate
from motionfields.control.controller import FieldController
from motionfields.field.database import apply_delta
from motionfields.motion.quality import distinct_joints
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime.physics.segments import SegmentedBody
from motionfields.runtime.recovery.outline import GRAVITY, Figure, capture_point, placed_joints
from motionfields.runtime.recovery.sight import Fall, blank_sight, direction_of_fall, measure_fall
from motionfields.runtime.recovery.tables import MOST_STATES, NEVER, STANDS, Outlines, measure_outlines
from tests.control.training.small import direction_controller


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller()


@pytest.fixture(scope="module")
def figure(controller: FieldController) -> Figure:
    return Figure.of(controller.field.database, controller.half_lives[0])


@pytest.fixture(scope="module")
def outlines(controller: FieldController, figure: Figure) -> Outlines:
    return measure_outlines(controller.field, figure, ahead=0.27)


def test_the_capture_point_is_the_centre_of_mass_plus_its_velocity_times_root_h_over_g() -> None:
    assert capture_point(0.1, 0.981, -0.2, 1.0, -0.5) == pytest.approx((0.1 + 0.1**0.5, -0.2 - 0.5 * 0.1**0.5))
    # A pendulum of this height that stands on the capture point comes to rest above it.
    place, velocity, foot, dt = 0.0, 0.7, 0.7 * (0.9 / GRAVITY) ** 0.5, 1e-4
    for _ in range(10_000):  # 1 s; what is left of the way is exp(-sqrt(g / h))
        velocity += dt * GRAVITY / 0.9 * (place - foot)
        place += dt * velocity
    assert place == pytest.approx(foot, abs=0.05 * foot)


def test_joints_and_centre_of_mass_are_those_of_forward_kinematics(controller: FieldController, figure: Figure) -> None:
    database = controller.field.database
    pose = database.poses(np.arange(0, database.state_count, 97))
    world = forward_kinematics(database.skeleton, pose.root_position, pose.rotations.astype(np.float64))
    body = SegmentedBody(database.skeleton, rotations=database.rotations)
    masses = np.array([segment.mass for segment in body.segments])
    turns = world.rotations[:, body.joints]
    at = world.positions[:, body.joints] + quat_rotate(turns, np.broadcast_to(figure.centres, (*turns.shape[:2], 3)))
    places = placed_joints(figure, pose.root_position, pose.rotations)
    np.testing.assert_allclose(places[:, :-1], world.positions, atol=1e-6)
    np.testing.assert_allclose(places[:, -1], (masses[:, np.newaxis] * at).sum(axis=1) / masses.sum(), atol=1e-6)


def test_features_and_capture_points_of_states_equal_a_plain_computation(
    controller: FieldController, figure: Figure, outlines: Outlines
) -> None:
    database = controller.field.database
    state = database.states(outlines.pool)
    after = apply_delta(state.pose, state.velocity)
    places, later = (placed_joints(figure, one.root_position, one.rotations) for one in (state.pose, after))
    rates = (later - places) / database.frame_time
    joints = np.flatnonzero(distinct_joints(database.skeleton))
    near, fast = figure.stiffness**2 / len(joints), 2.0 * figure.stiffness / len(joints)
    features = np.concatenate([near * places[:, joints], fast * rates[:, joints]], axis=1)
    np.testing.assert_allclose(outlines.features.T, features.reshape(len(places), -1), rtol=1e-4, atol=1e-4)
    pace = np.sqrt(places[:, -1, 1] / GRAVITY)[:, np.newaxis]
    capture = places[:, -1, ::2] + pace * rates[:, -1, ::2]
    np.testing.assert_allclose(outlines.capture[outlines.pool], capture, atol=1e-4)
    ball = figure.feet[:, 1]
    np.testing.assert_allclose(
        outlines.foot_speed[outlines.pool], np.linalg.norm(rates[:, ball][..., ::2], axis=-1), atol=1e-4
    )


def test_the_pool_holds_states_that_can_be_followed_for_a_while(
    controller: FieldController, outlines: Outlines
) -> None:
    database = controller.field.database
    assert (np.diff(outlines.pool) > 0).all()
    assert len(outlines.pool) <= MOST_STATES
    assert (database.frames_left[outlines.pool] >= round(0.27 / database.frame_time)).all()


def test_the_next_landing_is_the_first_state_in_which_a_foot_stands_again(
    controller: FieldController, figure: Figure, outlines: Outlines
) -> None:
    field, database = controller.field, controller.field.database
    stands = field.state_votes >= STANDS
    clip = next(iter(database.iter_source_clips()))
    places, found = clip.world().positions, 0
    for state in range(0, int(database.clip_starts[1]), 5):
        later = [
            (t, side)
            for t in range(state + 1, int(database.clip_starts[1]))
            for side in range(2)
            if stands[t, side] and not stands[t - 1, side]
        ]
        if not later:
            assert outlines.wait[state] == NEVER
            continue
        (at, side), found = later[0], found + 1
        assert outlines.side[state] == side
        assert outlines.wait[state] == pytest.approx((at - state) * database.frame_time, rel=1e-5)
        away = places[at, figure.feet[side, 1], ::2] - places[state, 0, ::2]
        assert np.linalg.norm(outlines.spot[state]) == pytest.approx(np.linalg.norm(away), abs=1e-5)
    assert found > 3


def test_who_falls_is_out_of_the_support_and_beyond_the_followed_state(figure: Figure, outlines: Outlines) -> None:
    sight = blank_sight(4, figure)
    sight.yaw[:] = 0.0
    sight.middles[:] = [[0.1, 0.0], [-0.1, 0.0]]
    sight.stands[:] = [[True, True], [True, True], [True, False], [True, True]]
    flat = outlines._replace(capture=np.zeros_like(outlines.capture))
    # To the left: inside, outside, outside; then outside, but no further than the followed state.
    sight.capture[:] = [[0.1, 0.0], [0.3, 0.0], [0.3, 0.0], [0.3, 0.0]]
    flat.capture[7] = [0.28, 0.0]
    fall = Fall(np.empty((4, 2)), np.empty(4), np.empty(4), np.empty(4), np.empty(4, np.bool_))
    measure_fall(flat, sight, np.array([0, 0, 0, 7]), np.tile([1.0, 0.0], (4, 1)), 0.02, 0.05, fall)
    np.testing.assert_allclose(fall.wanted, [0.1, 0.3, 0.3, 0.3])
    np.testing.assert_allclose(fall.lack, np.array([0.1, 0.3, 0.3, 0.3]) - (0.1 + 0.05))
    np.testing.assert_array_equal(fall.falls, [False, True, True, False])


def test_the_direction_of_a_fall_is_in_the_world(figure: Figure) -> None:
    sight = blank_sight(2, figure)
    sight.yaw[:] = 0.5 * np.pi  # facing +x, so ahead is +x and the left is -z
    sight.capture[:] = [[0.0, 0.3], [0.01, 0.0]]
    way = direction_of_fall(sight, np.zeros((2, 2)))
    np.testing.assert_allclose(way, [[1.0, 0.0], [0.0, 0.0]], atol=1e-12)
