from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.geometry import quat_from_axis_angle, quat_from_yaw, quat_identity, quat_multiply
from motionfields.motion import quality
from motionfields.motion.clip import Clip, trim
from motionfields.motion.skeleton import Skeleton


def stiff(biped: Skeleton, root: np.typing.NDArray[np.float64], yaw: np.typing.NDArray[np.float64]) -> Clip:
    rotations = quat_identity(len(root), 12)
    rotations[:, 0] = quat_from_yaw(yaw)
    return Clip(biped, root, rotations, 1.0 / 30.0)


def test_facing_follows_the_hips_and_does_not_wrap(biped: Skeleton) -> None:
    yaw = np.linspace(0.2, 9.0, 90)
    clip = stiff(biped, np.zeros((90, 3)), yaw)
    np.testing.assert_allclose(quality.facing_yaw(clip), yaw, atol=1e-9)
    np.testing.assert_allclose(quality.turning_rate(clip), 8.8 / 89 * 30, atol=1e-9)
    peak = quality.peak_turning_rate(replace(clip, rotations=clip.rotations[::-1]))
    assert peak.maximum == pytest.approx(8.8 / 89 * 30)
    assert peak.p95 <= peak.p99 <= peak.maximum


def test_skate_is_the_speed_of_standing_feet(biped: Skeleton) -> None:
    root = np.zeros((60, 3))
    root[:, 0] = 0.03 * np.arange(60) / 30.0
    root[:, 1] = 0.5 * np.sin(np.arange(60))  # up and down does not count
    clip = stiff(biped, root, np.zeros(60))
    contacts = np.zeros((60, 2), dtype=np.bool_)
    assert quality.foot_skate(clip, contacts) == (0.0, 0.0)
    contacts[10:20, 1] = True
    assert quality.foot_skate(clip, contacts).mean == pytest.approx(0.03)


def test_jerk_of_a_cubic_is_its_third_derivative(biped: Skeleton) -> None:
    time = np.arange(30) / 30.0
    root = np.stack([time**3, 0.9 + time, time**2], axis=-1)
    clip = stiff(biped, root, np.zeros(30))
    np.testing.assert_allclose(quality.jerk(clip), 6.0, rtol=1e-6)
    assert quality.mean_jerk(clip) == pytest.approx(6.0)
    assert np.isnan(quality.mean_jerk_in_turns(clip))
    with pytest.raises(ValueError, match="at least 4 frames"):
        quality.jerk(trim(clip, 0, 3))


def test_jerk_in_turns_looks_at_fast_turns_alone(biped: Skeleton) -> None:
    yaw = np.concatenate([np.zeros(30), np.linspace(0.0, 2.0, 30), np.full(30, 2.0)])
    clip = stiff(biped, np.zeros((90, 3)), yaw)
    assert quality.mean_jerk_in_turns(clip) > quality.mean_jerk(clip) * 0.5


def test_joint_speed_counts_the_joints_that_move(biped: Skeleton) -> None:
    rotations = quat_identity(31, 12)
    bend = quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.02 * np.arange(31))
    rotations[:, 2] = bend
    rotations[:, 6] = quat_multiply(bend, bend)
    clip = Clip(biped, np.zeros((31, 3)), rotations, 1.0 / 30.0)
    np.testing.assert_allclose(quality.joint_speed(clip), 30 * (0.02 + 0.04) / 2, atol=1e-6)
    assert not quality.joint_speed(stiff(biped, np.zeros((5, 3)), np.zeros(5))).any()


def test_stills_are_found_and_timed(wobble: Clip) -> None:
    hold = np.concatenate([np.arange(60), np.full(90, 60), np.arange(60, 120)])
    paused = replace(wobble, root_position=wobble.root_position[hold], rotations=wobble.rotations[hold])
    found = quality.stillness(paused)
    assert found.longest == pytest.approx(1.5, abs=0.1)
    assert found.over_one_second == 1
    assert quality.stillness(wobble).over_one_second == 0


def test_exact_loops_are_found_wherever_the_character_goes(wobble: Clip, biped: Skeleton) -> None:
    twice = np.concatenate([np.arange(1, 100), np.arange(1, 100)])
    looped = replace(
        wobble,
        root_position=wobble.root_position[twice] + np.arange(198)[:, None] * [0.1, 0.0, 0.0],
        rotations=wobble.rotations[twice],
    )
    assert quality.exact_loop(looped) == 99
    assert quality.exact_loop(trim(wobble, 0, 55)) is None
    assert quality.exact_loop(stiff(biped, np.zeros((20, 3)), np.zeros(20))) is None


def test_response_is_timed_to_the_tolerance_and_to_rest() -> None:
    yaw = np.radians(np.concatenate([np.linspace(0.0, 90.0, 31), np.linspace(90.0, 105.0, 16), np.full(60, 92.0)]))
    response = quality.response_time(yaw, float(np.radians(90.0)), 1.0 / 30.0)
    assert response.reached == pytest.approx(29 / 30)
    assert response.settled == pytest.approx(47 / 30)
    assert quality.response_time(yaw, float(np.radians(-90.0)), 1.0 / 30.0) == (np.inf, np.inf)
    assert quality.response_time(yaw[:32], float(np.radians(90.0)), 1.0 / 30.0).settled == np.inf


def test_response_takes_the_short_way_across_the_seam() -> None:
    yaw = np.radians(np.array([170.0, 178.0, 186.0]))
    assert quality.response_time(yaw, float(np.radians(-174.0)), 0.1).reached == pytest.approx(0.2)


def test_contacts_may_be_numbers_and_their_shape_is_checked(wobble: Clip) -> None:
    contacts = np.zeros((120, 2), dtype=np.bool_)
    contacts[10:60, 0] = contacts[50:110, 1] = True
    assert quality.foot_skate(wobble, contacts.astype(np.int64)) == quality.foot_skate(wobble, contacts)
    for shape in ((5, 2), (120,), (120, 3)):
        with pytest.raises(ValueError, match=r"contacts: expected \[frame, 2\] = \(120, 2\), got"):
            quality.foot_skate(wobble, np.zeros(shape, dtype=np.bool_))


def test_a_nod_up_and_then_down_is_no_loop(biped: Skeleton) -> None:
    swing = 0.5 * np.sin(np.linspace(0.0, np.pi, 20))
    nod = np.concatenate([swing, -swing, np.linspace(0.0, 1.0, 20)])
    rotations = quat_identity(60, 12)
    rotations[:, 10] = quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), nod)
    assert quality.exact_loop(Clip(biped, np.zeros((60, 3)), rotations, 1.0 / 30.0)) is None


def test_a_loop_is_found_whatever_the_signs_of_its_quaternions(wobble: Clip) -> None:
    twice = np.concatenate([np.arange(1, 100), np.arange(1, 100)])
    signs = np.where(np.arange(198) < 99, 1.0, -1.0)[:, np.newaxis, np.newaxis]
    looped = replace(wobble, root_position=wobble.root_position[twice], rotations=wobble.rotations[twice] * signs)
    assert quality.exact_loop(looped) == 99


def test_clips_of_no_or_few_frames_have_no_loop(wobble: Clip) -> None:
    for frame_count in range(4):
        assert quality.exact_loop(trim(wobble, 0, frame_count)) is None


def test_joint_speed_of_given_joints_counts_those_that_rest(biped: Skeleton) -> None:
    rotations = quat_identity(31, 12)
    rotations[:, 2] = quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.02 * np.arange(31))
    clip = Clip(biped, np.zeros((31, 3)), rotations, 1.0 / 30.0)
    np.testing.assert_allclose(quality.joint_speed(clip, joints=np.array([2, 3, 4])), 30 * 0.02 / 3, atol=1e-6)
    np.testing.assert_allclose(quality.joint_speed(clip, joints=np.array([2])), quality.joint_speed(clip), atol=1e-9)
    assert not quality.joint_speed(clip, joints=np.array([3])).any()


def test_joints_on_their_parent_are_not_distinct(biped: Skeleton) -> None:
    distinct = quality.distinct_joints(biped)
    assert biped.names[11] == "Extra"  # which has no offset
    np.testing.assert_array_equal(np.flatnonzero(~distinct), [11])
    at_origin = replace(biped, offsets=np.where(np.arange(12)[:, np.newaxis] == 0, 0.0, biped.offsets))
    assert quality.distinct_joints(at_origin)[0]
