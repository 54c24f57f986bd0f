"""Pushes: how long they act, how they fade (eq. 15), and what is no push at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle, quat_exp, quat_multiply
from motionfields.field import MotionField
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime.physics import BLEND_FRAMES, Push, Pushes
from motionfields.runtime.physics.pushes import (
    BRAKE_TIME,
    MOST_FORCE,
    REACTION_TIME,
    RECOVERY_FRAMES,
    STIFF_TIME,
    resisted,
)
from motionfields.runtime.physics.simulation import MOST_ROOT_SPEED
from tests.control.training.small import small_field

FORCE = np.array([150.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


@pytest.fixture
def pushes(field: MotionField) -> Pushes:
    return Pushes(field, 3)


def still(pushes: Pushes, field: MotionField) -> tuple[FloatArray, FloatArray]:
    """One pose, for all characters."""
    count = len(pushes.ages)
    return np.tile([0.0, 1.0, 0.0], (count, 1)), np.repeat(field.database.rotations[100:101], count, axis=0)


def displacement(pushes: Pushes, field: MotionField, frame_count: int) -> FloatArray:
    """Return how far [frame, n] roots are moved along the x axis in each of the frames to come."""
    root, rotations = still(pushes, field)
    displacements = np.zeros((frame_count, len(root)))
    for frame in range(frame_count):
        moving = pushes.moving
        before, poses = root[moving, 0].copy(), (root[moving], rotations[moving])
        if len(moving):
            pushes.move(moving, *poses, np.zeros((len(moving), 2), np.bool_))
        root[moving], rotations[moving] = poses
        displacements[frame, moving] = root[moving, 0] - before
        pushes.advance()
    return displacements


def test_a_force_acts_for_its_time_and_then_its_share_falls_by_a_twentieth_a_frame(
    pushes: Pushes, field: MotionField
) -> None:
    frame_time = field.database.frame_time
    pushes.start(np.array([1]), pushes.push_on("Spine2", FORCE, duration=3.0 * frame_time))
    root, rotations = still(pushes, field)
    shares = []
    for _ in range(3 + BLEND_FRAMES + 3):
        moving = pushes.moving
        shares.append(float(1.0 - pushes.ages[1] / BLEND_FRAMES) if 1 in moving else 0.0)
        poses = root[moving], rotations[moving]
        if len(moving):
            pushes.move(moving, *poses, np.zeros((len(moving), 2), np.bool_))
        pushes.advance()
    falling = 1.0 - np.arange(1, BLEND_FRAMES) / BLEND_FRAMES
    np.testing.assert_allclose(shares, [1.0, 1.0, 1.0, *falling, 0.0, 0.0, 0.0, 0.0], atol=1e-12)
    assert BLEND_FRAMES == 20


def test_the_pose_goes_the_share_of_what_physics_does(field: MotionField) -> None:
    """Eq. 15 by hand: the engine's own way, at full share, times (k - i) / k."""
    pushes = Pushes(field, 1)
    frame_time = field.database.frame_time
    pushes.start(np.array([0]), pushes.push_on("Hips", FORCE, duration=frame_time))
    root, rotations = still(pushes, field)
    for age in range(6):
        velocity = pushes.velocity.copy()
        whole, turned = root.copy(), rotations.copy()
        load = pushes._load.of(np.array([0]), np.zeros((1, 2), np.bool_))
        pushes.simulation.move(whole, turned, velocity, load, shares=np.ones(1))
        before = root.copy()
        pushes.move(np.array([0]), root, rotations, np.zeros((1, 2), np.bool_))
        np.testing.assert_allclose(root - before, (1.0 - age / BLEND_FRAMES) * (whole - before), atol=1e-12)
        np.testing.assert_array_equal(pushes.velocity, velocity)
        pushes.advance()


def test_what_is_pushed_goes_on_moving_after_the_force_and_then_stops(pushes: Pushes, field: MotionField) -> None:
    pushes.start(np.array([0, 2]), pushes.push_on("Spine2", FORCE, duration=0.1))
    displacements = displacement(pushes, field, 30)
    assert not displacements[:, 1].any()
    np.testing.assert_array_equal(displacements[:, 0], displacements[:, 2])
    assert (displacements[3:8, 0] > 0.0).all()
    assert displacements[3:, 0].sum() > displacements[:3, 0].sum()
    assert not displacements[22:].any()  # three frames of force, then nineteen with some share left
    assert not pushes.velocity.any()
    assert not len(pushes.moving)


def test_a_frame_of_force_is_scaled_to_its_duration(field: MotionField) -> None:
    displacements = []
    for duration in (0.5, 1.0, 2.0):
        pushes = Pushes(field, 1)
        pushes.start(np.array([0]), pushes.push_on("Hips", FORCE, duration=duration * field.database.frame_time))
        displacements.append(displacement(pushes, field, 25).sum())
    np.testing.assert_allclose(displacements[0] / displacements[1], 0.5, atol=0.06)
    np.testing.assert_allclose(displacements[2] / displacements[1], 2.0, atol=0.2)


def test_resistance_slows_the_root_and_the_trunk_and_leaves_limbs_loose() -> None:
    velocity = np.arange(1.0, 13.0)[np.newaxis]
    trunk = np.array([False] * 3 + [True] * 6 + [False] * 3)
    slower = resisted(velocity, trunk, 0.04)
    np.testing.assert_allclose(slower[:, [0, 2]], velocity[:, [0, 2]] * np.exp(-0.04 / BRAKE_TIME))
    np.testing.assert_allclose(slower[:, 3:9], velocity[:, 3:9] * np.exp(-0.04 / STIFF_TIME))
    np.testing.assert_array_equal(slower[:, [1, 9, 10, 11]], velocity[:, [1, 9, 10, 11]])


def test_a_force_that_lasts_is_resisted_after_the_reaction_time(field: MotionField) -> None:
    frame_time = field.database.frame_time
    reaction = int(np.ceil(REACTION_TIME / frame_time))
    moved = {}
    for duration in (reaction * frame_time, 1.0):
        pushes = Pushes(field, 1)
        pushes.start(np.array([0]), pushes.push_on("Spine2", FORCE, duration=duration))
        moved[duration] = displacement(pushes, field, 30)[:, 0]
    short, long = moved.values()
    np.testing.assert_array_equal(short[:reaction], long[:reaction])
    # A free body would gain this speed: that of the first frames, times the number of frames.
    assert 0.0 < long[29] < 0.3 * 30 / reaction * long[reaction - 1]


def test_forces_that_follow_each_other_without_a_break_are_resisted_as_one(field: MotionField) -> None:
    one, many = Pushes(field, 1), Pushes(field, 1)
    one.start(np.array([0]), one.push_on("Spine2", FORCE, duration=1.0))
    long = displacement(one, field, 20)
    push = many.push_on("Spine2", FORCE, duration=0.1)
    root, rotations = still(many, field)
    for frame in range(20):
        many.start(np.array([0]), push)
        before = root[0, 0]
        many.move(np.array([0]), root, rotations, np.zeros((1, 2), np.bool_))
        many.advance()
        np.testing.assert_array_equal(root[0, 0] - before, long[frame, 0])


def test_joints_are_kept_in_range_until_they_need_it_no_more(pushes: Pushes, field: MotionField) -> None:
    _, usual = still(pushes, field)
    twisted = usual.copy()
    ankle = field.database.skeleton.index("LeftFoot")
    twisted[1, ankle] = quat_multiply(quat_exp(np.array([0.0, 0.0, 2.0])), twisted[1, ankle])
    everybody, kept = np.arange(3), twisted.copy()
    pushes.keep_in_range(everybody, usual, kept)
    assert quat_angle(kept[1, ankle], twisted[1, ankle]) > 0.5
    np.testing.assert_array_equal(kept[[0, 2]], usual[[0, 2]])
    assert list(pushes.recovering) == [1]  # although no force has acted
    pushes.keep_in_range(np.array([1]), usual[1:2], usual[1:2].copy())
    assert not len(pushes.recovering)


def test_a_knee_that_is_brought_back_into_range_leaves_its_foot_in_place(pushes: Pushes, field: MotionField) -> None:
    skeleton = field.database.skeleton
    root, usual = still(pushes, field)
    bent = usual.copy()
    knee, ball = skeleton.index("LeftLeg"), skeleton.index("LeftToeBase")
    bent[:, knee] = quat_multiply(quat_exp(np.array([0.0, 0.0, 0.6])), bent[:, knee])  # sideways
    kept = bent.copy()
    pushes.keep_in_range(np.arange(3), usual, kept)
    assert quat_angle(kept[:, knee], bent[:, knee]).min() > 0.1
    before, after = (forward_kinematics(skeleton, root, pose).positions[:, ball] for pose in (bent, kept))
    assert np.linalg.norm((after - before)[:, ::2], axis=-1).max() < 0.01  # over the ground
    assert np.abs((after - before)[:, 1]).max() < 0.03


def test_two_quick_pushes_move_further_than_one(field: MotionField) -> None:
    """The second starts from the velocity that the first gave, not from rest."""
    one, two = Pushes(field, 1), Pushes(field, 1)
    push = one.push_on("Spine2", FORCE, duration=0.1)
    first: list[FloatArray] = []
    second: list[FloatArray] = []
    for each, displacements in ((one, first), (two, second)):
        each.start(np.array([0]), push)
        displacements.append(displacement(each, field, 6))
    two.start(np.array([0]), push)
    first.append(displacement(one, field, 30))
    second.append(displacement(two, field, 30))
    np.testing.assert_array_equal(first[0], second[0])
    alone = Pushes(field, 1)
    alone.start(np.array([0]), push)
    single = displacement(alone, field, 36)[:30].sum()
    assert second[0].sum() + second[1].sum() > 1.4 * (first[0].sum() + first[1].sum())
    assert second[1].sum() > 1.05 * single  # what is left of the first push comes on top


def test_a_new_push_ends_the_force_of_the_old(field: MotionField) -> None:
    pushes, other = Pushes(field, 1), Pushes(field, 1)
    pushes.start(np.array([0]), pushes.push_on("LeftHand", FORCE, duration=5.0))
    back = pushes.push_on("Spine2", -FORCE, duration=0.1)
    pushes.start(np.array([0]), back)
    other.start(np.array([0]), back)
    np.testing.assert_array_equal(displacement(pushes, field, 30), displacement(other, field, 30))
    assert not len(pushes.moving)


def test_a_stopped_push_is_forgotten(pushes: Pushes, field: MotionField) -> None:
    pushes.start(np.array([0, 1]), pushes.push_on("Spine2", FORCE, duration=5.0))
    displacement(pushes, field, 3)
    pushes.stop(np.array([0]))
    assert list(pushes.moving) == [1]
    assert list(pushes.recovering) == [1]
    assert not pushes.velocity[0].any()
    displacements = displacement(pushes, field, 5)
    assert not displacements[:, 0].any()
    assert (displacements[:, 1] > 0.0).all()


def test_a_force_of_zero_moves_nobody(pushes: Pushes, field: MotionField) -> None:
    pushes.start(np.array([0]), pushes.push_on("Spine2", np.zeros(3), duration=5.0))
    assert not len(pushes.moving)
    assert not len(pushes.recovering)
    assert not displacement(pushes, field, 5).any()


def test_a_force_of_zero_lets_what_was_pushed_before_fade_as_if_there_were_none(field: MotionField) -> None:
    pushes, other = Pushes(field, 1), Pushes(field, 1)
    for each in (pushes, other):
        each.start(np.array([0]), each.push_on("Spine2", FORCE, duration=0.1))
        displacement(each, field, 8)
    pushes.start(np.array([0]), pushes.push_on("Spine2", np.zeros(3), duration=5.0))
    np.testing.assert_array_equal(displacement(pushes, field, 30), displacement(other, field, 30))
    assert not len(pushes.moving)


def test_recovery_lasts_longer_than_the_push_moves(pushes: Pushes, field: MotionField) -> None:
    pushes.start(np.array([2]), pushes.push_on("Spine2", FORCE, duration=field.database.frame_time))
    displacement(pushes, field, BLEND_FRAMES + 1)
    assert not len(pushes.moving)
    assert list(pushes.recovering) == [2]
    displacement(pushes, field, RECOVERY_FRAMES - BLEND_FRAMES)
    assert not len(pushes.recovering)


def test_joints_are_named_or_numbered_and_rigid_ones_push_what_they_sit_on(pushes: Pushes, field: MotionField) -> None:
    skeleton, body = field.database.skeleton, pushes.body
    hand = skeleton.index("LeftHand")
    by_name, by_number = pushes.push_on("LeftHand", FORCE), pushes.push_on(hand, FORCE)
    assert isinstance(by_name, Push)
    assert by_name.segment == by_number.segment == body.segment_of(hand)
    np.testing.assert_array_equal(by_name.point, body.centres[by_name.segment])
    toe = pushes.push_on("LeftToeBase", FORCE, point=np.array([0.0, 0.0, 0.03]))
    assert toe.segment == body.segment_of(skeleton.index("LeftFoot"))
    np.testing.assert_array_equal(
        toe.point, body.place_in_segment(skeleton.index("LeftToeBase"), np.array([0.0, 0.0, 0.03]))
    )


def test_what_is_no_push_is_refused(pushes: Pushes) -> None:
    with pytest.raises(ValueError, match="no joint is called 'Tail'"):
        pushes.push_on("Tail", FORCE)
    for joint in (-1, 22):
        with pytest.raises(ValueError, match=f"joint: expected a name or 0 to 21, got {joint}"):
            pushes.push_on(joint, FORCE)
    for force in (np.zeros(2), np.zeros((1, 3)), np.array([np.nan, 0.0, 0.0]), np.array([np.inf, 0.0, 0.0])):
        with pytest.raises(ValueError, match="force: expected three finite numbers"):
            pushes.push_on("Head", force)
    with pytest.raises(ValueError, match="force: expected at most 2000 N, got 20000"):
        pushes.push_on("Head", np.array([2e4, 0.0, 0.0]))
    for duration in (0.0, -1.0, np.nan, np.inf, 61.0):
        with pytest.raises(ValueError, match="duration: expected more than 0 and at most 60 seconds"):
            pushes.push_on("Head", FORCE, duration=duration)


def test_the_largest_force_acts_in_any_direction(pushes: Pushes, rng: np.random.Generator) -> None:
    directions = rng.normal(size=(10_000, 3))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    assert (np.linalg.norm(MOST_FORCE * directions, axis=-1) > MOST_FORCE).any()  # rounding makes some of them longer
    for direction in directions:
        assert pushes.push_on("Head", MOST_FORCE * direction).force is not None
    for direction in directions[:100]:
        with pytest.raises(ValueError, match=r"force: expected at most 2000 N, got 2000\.00002"):
            pushes.push_on("Head", (1.0 + 1e-8) * MOST_FORCE * direction)


@pytest.mark.parametrize("point", [np.array([np.nan, 0.0, 0.0]), np.zeros((1, 3)), np.zeros(2)])
def test_what_is_no_point_is_refused_by_its_name(pushes: Pushes, point: FloatArray) -> None:
    with pytest.raises(ValueError, match="point: expected three finite numbers"):
        pushes.push_on("Head", FORCE, point=point)


def test_legal_pushes_in_any_number_move_a_root_no_faster_than_its_bound(
    field: MotionField, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long levers and forces on light segments make the engine diverge; it must neither throw nor write a file."""
    monkeypatch.chdir(tmp_path)
    chance, pushes = np.random.default_rng(1), Pushes(field, 2)
    root, rotations = still(pushes, field)
    root, rotations, everyone = root[:2], rotations[:2], np.arange(2)
    most = MOST_ROOT_SPEED * field.database.frame_time * (1.0 + 1e-9)
    start = rotations.copy()
    for frame in range(200):
        if frame % 2 == 0:
            joint, point = int(chance.integers(0, field.database.skeleton.joint_count)), chance.uniform(-1.1, 1.1, 3)
            force = 1150.0 * chance.choice([-1.0, 1.0], 3)
            pushes.start(everyone, pushes.push_on(joint, force, point=point, duration=1.0))
        before, turned = root.copy(), start.copy()
        pushes.move(everyone, root, turned, np.zeros((2, 2), np.bool_))
        assert np.isfinite(root).all()
        assert np.isfinite(turned).all()
        assert np.abs(root - before).max() <= most
        pushes.advance()
    assert not list(tmp_path.iterdir())
