"""Root motion of states, compared with the clips."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import angle_difference, quat_from_yaw, quat_multiply
from motionfields.control.root_motion import Warp, facing_of, hip_line, measure_root_motion
from motionfields.field.database import MotionDatabase, apply_delta
from motionfields.motion import quality
from tests.control.training.small import small_field


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    return small_field().database


def test_the_facing_of_a_root_is_that_across_the_hips(database: MotionDatabase) -> None:
    hips = hip_line(database.skeleton)
    for clip in database.source_clips():
        gap = angle_difference(facing_of(clip.rotations[:, 0], hips), quality.facing_yaw(clip))
        np.testing.assert_allclose(gap, 0.0, atol=1e-9)


def test_turns_and_velocities_are_those_that_the_clips_show(database: MotionDatabase) -> None:
    root_motion = measure_root_motion(database)
    assert root_motion.variant_count == 1
    for number, clip in enumerate(database.source_clips()):
        rows = slice(database.clip_starts[number], database.clip_starts[number + 1])
        facing = quality.facing_yaw(clip)
        np.testing.assert_allclose(root_motion.turn[rows, 0], np.diff(facing), atol=1e-5)
        step = np.diff(clip.root_position[:, ::2], axis=0) / database.frame_time
        left = np.stack([np.cos(facing[:-1]), -np.sin(facing[:-1])], axis=-1)
        ahead = np.stack([np.sin(facing[:-1]), np.cos(facing[:-1])], axis=-1)
        seen = np.stack([(step * left).sum(axis=-1), (step * ahead).sum(axis=-1)], axis=-1)
        np.testing.assert_allclose(root_motion.velocity[rows], seen, atol=1e-4)


def test_tasks_see_the_labels_of_states_if_they_name_a_column(database: MotionDatabase) -> None:
    gait = np.arange(database.state_count) % 3 - 1
    labelled = database.with_column("gait", gait).with_column("float", 0.5 * gait)
    motions = measure_root_motion(labelled, warp=Warp(), label_column="gait").motions()
    np.testing.assert_array_equal(motions.label, np.stack([gait, gait], axis=1))
    assert measure_root_motion(database, label_column="gait").labels is None
    with pytest.raises(ValueError, match="column float: expected one whole number for each state"):
        measure_root_motion(labelled, label_column="float")


def test_tasks_see_every_state_and_way(database: MotionDatabase) -> None:
    root_motion = measure_root_motion(database, warp=Warp())
    turn, velocity, frame_time, label = root_motion.motions()
    assert label is None
    assert frame_time == database.frame_time
    np.testing.assert_array_equal(turn, root_motion.turn)
    for variant in range(2):
        np.testing.assert_array_equal(velocity[:, variant], root_motion.velocity)


def test_a_warp_leaves_the_first_way_as_it_was_captured(database: MotionDatabase) -> None:
    plain, warped = measure_root_motion(database), measure_root_motion(database, warp=Warp(cost=0.7))
    np.testing.assert_array_equal(warped.turn[:, 0], plain.turn[:, 0])
    np.testing.assert_array_equal(warped.yaw_turn[:, 0], plain.yaw_turn[:, 0])
    np.testing.assert_array_equal(warped.variant_cost, [0.0, 0.7])


@pytest.mark.parametrize("warp", [Warp(), Warp(turn=1.5, limit=1.0), Warp(turn=3.0, limit=1.2)])
def test_a_warped_state_turns_further_and_stays_below_the_limit(database: MotionDatabase, warp: Warp) -> None:
    root_motion = measure_root_motion(database, warp=warp)
    own, warped = root_motion.turn.T
    fastest = warp.limit * np.percentile(np.abs(own[database.frames_left >= 1]), 99.0)
    most = np.maximum(fastest, np.abs(own))
    assert (np.abs(warped) <= most + 1e-12).all()
    wanted = own + (warp.turn - 1.0) * root_motion.yaw_turn[:, 0]
    free = np.abs(wanted) <= most
    assert free.mean() > 0.5
    np.testing.assert_allclose(warped[free], wanted[free], atol=1e-12)
    np.testing.assert_allclose(np.abs(warped[~free]), most[~free], atol=1e-12)


def test_the_facing_of_a_warped_state_changes_by_its_turn(database: MotionDatabase) -> None:
    root_motion = measure_root_motion(database, warp=Warp(turn=1.4))
    hips = hip_line(database.skeleton)
    extra = root_motion.yaw_turn[:, 1] - root_motion.yaw_turn[:, 0]
    np.testing.assert_allclose(root_motion.turn[:, 1], root_motion.turn[:, 0] + extra, atol=1e-12)
    pose, velocity = database.states(slice(None))
    after = quat_multiply(quat_from_yaw(extra), apply_delta(pose, velocity).root_rotation)
    gap = angle_difference(facing_of(after, hips), facing_of(pose.root_rotation, hips))
    np.testing.assert_allclose(gap, root_motion.turn[:, 1], atol=1e-5)


@pytest.mark.parametrize("wrong", [{"turn": 0.9}, {"limit": np.inf}, {"cost": -0.1}, {"turn": np.nan}])
def test_a_warp_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Warp(**wrong)
