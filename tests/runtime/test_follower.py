"""Followers: they show the data, and smooth changes between parts of it."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import (
    GroundFrame,
    angle_difference,
    quat_angle,
    quat_exp,
    quat_from_yaw,
    quat_multiply,
    quat_rotate,
    split_yaw,
)
from motionfields.control.followers import JOINTS, PLACE, TURN, followers_from
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.control.transitions import BLOCKED, find_transitions, jump_features
from motionfields.field import MotionField
from motionfields.field.database import MotionState, Pose, PoseDelta, apply_delta, pose_difference
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import Decision, DisplayPose, Followers, Pivot
from motionfields.runtime.follower import displace
from tests.control.training.small import SETTINGS, WARP, small_field
from tests.runtime.following import follow

HALF_LIVES = (0.18, 0.3)


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


@pytest.fixture(scope="module")
def root_motion(field: MotionField) -> RootMotion:
    return measure_root_motion(field.database, warp=WARP)


def step(
    field: MotionField,
    root_motion: RootMotion,
    followers: Followers,
    row: IntArray,
    variant: int = 0,
    half_lives: tuple[float, float] = HALF_LIVES,
) -> tuple[Followers, DisplayPose]:
    steps = Decision.along(root_motion, np.asarray(row, dtype=np.int64), np.full(len(row), variant))
    return follow(field, root_motion, followers, steps, half_lives=half_lives)


def joint_places(field: MotionField, shown: DisplayPose) -> FloatArray:
    return forward_kinematics(field.database.skeleton, *shown).positions


def pairs(field: MotionField, root_motion: RootMotion, count: int) -> tuple[IntArray, IntArray]:
    """States that last a while, and another that each may change to."""
    transitions = find_transitions(field, root_motion, SETTINGS)
    rng = np.random.default_rng(5)
    old = rng.choice(field.findable[field.database.frames_left[field.findable] > 10], count)
    new = transitions.states[old, rng.integers(1, 6, count)].astype(np.int64)
    good = (new != old) & (transitions.costs[old, 1, 0, 0] < BLOCKED) & (field.database.frames_left[new] > 10)
    assert good.sum() > count // 2
    return old[good], new[good]


@pytest.mark.parametrize("number", [0, 3, 6])
def test_who_keeps_following_shows_the_clip_wherever_it_stands(
    field: MotionField, root_motion: RootMotion, number: int
) -> None:
    database = field.database
    place = GroundFrame(np.array([3.0, -2.0]), np.array(2.1))
    clip = database.source_clips()[number]
    followers = Followers.at(database, database.clip_starts[number : number + 1])
    followers.position[:], followers.yaw[:] = place.position, place.yaw
    shown = []
    for _ in range(1, clip.frame_count - 1):
        followers, now = step(field, root_motion, followers, followers.state)
        shown.append(now)
    root, rotations = (np.concatenate(track) for track in zip(*shown, strict=True))
    np.testing.assert_allclose(root, place.to_world(clip.root_position[1:-1]), atol=1e-5)
    turned = quat_multiply(quat_from_yaw(place.yaw), clip.rotations[1:-1, 0])
    assert quat_angle(rotations[:, 0], turned).max() < 1e-5
    assert quat_angle(rotations[:, 1:], clip.rotations[1:-1, 1:]).max() < 1e-5
    assert followers.state[0] == database.clip_starts[number + 1] - 1
    assert not followers.offset.any()
    assert not followers.offset_rate.any()


@pytest.mark.parametrize("variant", [0, 1])
def test_the_facing_changes_as_moves_say(field: MotionField, root_motion: RootMotion, variant: int) -> None:
    row = field.findable
    before = root_motion.facing[row]
    followers, _ = step(field, root_motion, Followers.at(field.database, row), row, variant)
    turned = followers.yaw + root_motion.facing[followers.state] - before
    np.testing.assert_allclose(turned, root_motion.turn[row, variant], atol=1e-5)
    velocity = followers.position / field.database.frame_time
    np.testing.assert_allclose(np.linalg.norm(velocity, axis=-1), np.linalg.norm(root_motion.velocity[row], axis=-1))


def test_an_offset_dies_away_as_a_critically_damped_spring(
    field: MotionField, root_motion: RootMotion, rng: np.random.Generator
) -> None:
    followers = Followers.at(field.database, field.findable[[10, 20]])
    offset, rate = rng.normal(size=followers.offset.shape), rng.normal(size=followers.offset_rate.shape)
    followers.offset[:], followers.offset_rate[:] = offset, rate
    stiffness = np.full((1, offset.shape[1], 1), 2.0 * np.log(2.0) / HALF_LIVES[0])
    stiffness[:, PLACE] = 2.0 * np.log(2.0) / HALF_LIVES[1]
    for frame in range(1, 8):
        followers, _ = step(field, root_motion, followers, followers.state)
        time = frame * field.database.frame_time
        push = rate + stiffness * offset
        np.testing.assert_allclose(followers.offset, np.exp(-stiffness * time) * (offset + push * time), atol=1e-12)
        speed = np.exp(-stiffness * time) * (rate - stiffness * push * time)
        np.testing.assert_allclose(followers.offset_rate, speed, atol=1e-12)


def test_a_change_is_shown_as_the_new_state_and_what_is_left_of_the_gap(
    field: MotionField, root_motion: RootMotion
) -> None:
    """`follow`, worked out by plain numpy: offset and rate take up the jump, and are damped for a frame."""
    old, new = pairs(field, root_motion, 40)
    database, time, yaw = field.database, field.database.frame_time, 0.7
    start = Followers.at(database, old)
    start.yaw[:] = yaw
    _, shown = step(field, root_motion, start, new)
    gap = pose_difference(database.poses(old), database.poses(new))
    jump = [(mine - its) / time for mine, its in zip(database.velocities(old), database.velocities(new), strict=True)]
    left = []
    for part, half_life in zip(range(3), (HALF_LIVES[1], HALF_LIVES[0], HALF_LIVES[0]), strict=True):
        y = 2.0 * np.log(2.0) / half_life
        left.append(np.exp(-y * time) * (gap[part] + (jump[part] + y * gap[part]) * time))
    after = database.poses(new + 1)
    step_taken = database.root_step[new] * [1.0, 0.0, 1.0]
    place = quat_rotate(quat_from_yaw(yaw), step_taken + left[0]) + after.root_position
    np.testing.assert_allclose(shown.root_position, place, atol=1e-6)
    turn = quat_multiply(quat_from_yaw(yaw + root_motion.yaw_turn[new, 0]), after.root_rotation)
    root = quat_multiply(quat_exp(quat_rotate(quat_from_yaw(yaw), left[1])), turn)
    assert quat_angle(shown.rotations[:, 0], root).max() < 1e-5
    joints = quat_multiply(quat_exp(left[2]), after.joint_rotations.astype(np.float64))
    assert quat_angle(shown.rotations[:, 1:], joints).max() < 1e-5


def test_a_change_keeps_pose_and_velocity_and_jumps_in_acceleration_as_choices_say(
    field: MotionField, root_motion: RootMotion
) -> None:
    """By da + 2 y dv + y^2 dx, about: the second difference between going on and changing."""
    half_life = 1.0  # a soft spring, which hardly moves within the two frames that are looked at
    old, new = pairs(field, root_motion, 60)
    time, lives = field.database.frame_time, (half_life, half_life)
    start = Followers.at(field.database, old)
    gaps = []
    for rows in (old, new):
        followers, first = step(field, root_motion, start, rows, half_lives=lives)
        _, second = step(field, root_motion, followers, followers.state, half_lives=lives)
        gaps.append((joint_places(field, first), joint_places(field, second)))
    first_gap, second_gap = gaps[1][0] - gaps[0][0], gaps[1][1] - gaps[0][1]
    features = jump_features(field.database, root_motion, half_life=half_life)[:, 0]
    predicted = np.linalg.norm(features[new] - features[old], axis=-1).sum(axis=-1)
    jump = np.linalg.norm(second_gap - 2.0 * first_gap, axis=-1).mean(axis=-1) / time**2
    # Not equal: the spring is on turns of joints, and the cost is on where that takes them.
    assert np.median(np.abs(jump / predicted - 1.0)) < 0.1
    assert np.corrcoef(jump, predicted)[0, 1] > 0.97
    # One frame after the change the poses differ by half the spring's part of that, times dt^2, and no more.
    assert np.linalg.norm(first_gap, axis=-1).mean() < 0.5 * time**2 * predicted.mean()


def test_a_change_of_way_keeps_the_velocity_that_is_shown(field: MotionField, root_motion: RootMotion) -> None:
    turning = np.argsort(-np.abs(root_motion.turn[field.findable, 0]))[:20]
    row = field.findable[turning]
    start = Followers.at(field.database, row)
    _, tables = step(field, root_motion, start, row, 0)
    _, warped = step(field, root_motion, start, row, 1)
    extra = np.abs(root_motion.yaw_turn[row, 1] - root_motion.yaw_turn[row, 0])
    assert extra.max() > 1e-3
    gap = quat_angle(tables.rotations[:, 0], warped.rotations[:, 0])
    assert (gap <= 0.5 * extra + 1e-9).all()


def test_followers_from_a_state_show_it(field: MotionField, rng: np.random.Generator) -> None:
    state = noisy_states(field, 12, rng)
    followers = followers_from(field.database, state, field.findable[:12])
    data = field.database.poses(followers.state)
    place = np.column_stack([followers.position[:, 0], data.root_position[:, 1], followers.position[:, 1]])
    np.testing.assert_allclose(place + followers.offset[:, PLACE], state.pose.root_position, atol=1e-9)
    root = quat_multiply(quat_from_yaw(followers.yaw), data.root_rotation.astype(np.float64))
    shown = quat_multiply(quat_exp(followers.offset[:, TURN]), root)
    assert quat_angle(shown, state.pose.root_rotation).max() < 1e-5
    joints = quat_multiply(quat_exp(followers.offset[:, JOINTS:]), data.joint_rotations.astype(np.float64))
    assert quat_angle(joints, state.pose.joint_rotations).max() < 1e-5


def shown_by(field: MotionField, followers: Followers) -> DisplayPose:
    """Return the displayed poses of `followers`: those of the data, plus their offsets."""
    data = field.database.poses(followers.state)
    root = data.root_position + followers.offset[:, PLACE]
    root[:, ::2] += followers.position
    placed = quat_multiply(quat_from_yaw(followers.yaw), data.root_rotation.astype(np.float64))
    turns = [quat_multiply(quat_exp(followers.offset[:, TURN]), placed)[:, np.newaxis]]
    turns.append(quat_multiply(quat_exp(followers.offset[:, JOINTS:]), data.joint_rotations.astype(np.float64)))
    return DisplayPose(root, np.concatenate(turns, axis=1))


def displaced(
    field: MotionField, root_motion: RootMotion, rng: np.random.Generator, *, count: int = 8, yaw: float = 0.5
) -> tuple[Followers, DisplayPose, Followers, DisplayPose]:
    """Characters on the move and what they show, and the same displaced to other poses."""
    start = followers_from(field.database, noisy_states(field, count, rng), field.findable[200 : 200 + count])
    followers, was = step(field, root_motion, start, start.state)
    noise = quat_exp(rng.normal(0.0, 0.2, (*was.rotations.shape[:-1], 3)))
    rotations = quat_multiply(noise, was.rotations)
    rotations[:, 0] = quat_multiply(quat_from_yaw(yaw), rotations[:, 0])
    now = DisplayPose(was.root_position + rng.normal(0.0, 0.1, (count, 3)), rotations)
    after = followers.copy()
    displace(field.database, after, np.arange(count), was, now)
    return followers, was, after, now


@pytest.mark.parametrize("yaw", [0.0, 0.5, -3.0, 3.0])
def test_displaced_characters_show_what_they_are_told(
    field: MotionField, root_motion: RootMotion, rng: np.random.Generator, yaw: float
) -> None:
    followers, was, after, now = displaced(field, root_motion, rng, yaw=yaw)
    np.testing.assert_allclose(shown_by(field, followers).root_position, was.root_position, atol=1e-6)
    shown = shown_by(field, after)
    np.testing.assert_allclose(shown.root_position, now.root_position, atol=1e-6)
    assert quat_angle(shown.rotations, now.rotations).max() < 1e-5
    np.testing.assert_array_equal(after.state, followers.state)
    np.testing.assert_array_equal(after.offset_rate, followers.offset_rate)


def test_displaced_characters_are_elsewhere_for_good_and_the_rest_dies_away(
    field: MotionField, root_motion: RootMotion, rng: np.random.Generator
) -> None:
    followers, was, after, now = displaced(field, root_motion, rng)
    gone = now.root_position - was.root_position
    np.testing.assert_allclose(after.position - followers.position, gone[:, ::2], atol=1e-12)
    turned = angle_difference(split_yaw(now.rotations[:, 0])[0], split_yaw(was.rotations[:, 0])[0])
    np.testing.assert_allclose(after.yaw - followers.yaw, turned, atol=1e-9)
    np.testing.assert_array_equal(after.offset[:, PLACE, ::2], followers.offset[:, PLACE, ::2])
    soon = (0.01, 0.01)  # springs so short that next to nothing is left after a few frames
    for _ in range(8):
        after, shown = step(field, root_motion, after, after.state, half_lives=soon)
    data = field.database.poses(after.state)
    assert quat_angle(shown.rotations[:, 1:], data.joint_rotations.astype(np.float64)).max() < 1e-3
    np.testing.assert_allclose(shown.root_position[:, ::2], after.position, atol=1e-3)


def test_who_is_displaced_to_where_it_is_stays_as_it_is(
    field: MotionField, root_motion: RootMotion, rng: np.random.Generator
) -> None:
    followers, was, _, _ = displaced(field, root_motion, rng)
    same = followers.copy()
    displace(field.database, same, np.arange(len(was.rotations)), was, was)
    for name in Followers._fields:
        np.testing.assert_allclose(getattr(same, name), getattr(followers, name), atol=1e-9, err_msg=name)


def test_the_sign_of_a_rotation_says_nothing(
    field: MotionField, root_motion: RootMotion, rng: np.random.Generator
) -> None:
    followers, was, after, now = displaced(field, root_motion, rng, yaw=2.0)
    same = followers.copy()
    displace(field.database, same, np.arange(len(was.rotations)), was, now._replace(rotations=-now.rotations))
    np.testing.assert_allclose(same.yaw, after.yaw, atol=1e-12)
    np.testing.assert_allclose(same.offset, after.offset, atol=1e-9)


def test_only_those_named_are_displaced(field: MotionField, root_motion: RootMotion, rng: np.random.Generator) -> None:
    followers, was, whole, now = displaced(field, root_motion, rng)
    some, chosen = followers.copy(), np.array([5, 2])
    displace(field.database, some, chosen, was.take(chosen), now.take(chosen))
    others = np.setdiff1d(np.arange(len(was.rotations)), chosen)
    for part, all_parts, old in zip(some, whole, followers, strict=True):
        np.testing.assert_array_equal(part[chosen], all_parts[chosen])
        np.testing.assert_array_equal(part[others], old[others])


def noisy_states(field: MotionField, count: int, rng: np.random.Generator) -> MotionState:
    """States with 30 degrees of noise on every joint, standing and facing anywhere."""
    pose, velocity = field.database.states(rng.choice(field.findable, count))
    noise = rng.normal(0.0, np.radians(30.0) / np.sqrt(3.0), (*pose.joint_rotations.shape[:-1], 3))
    ground = np.insert(rng.normal(size=(count, 2)), 1, 0.0, axis=1)
    root = quat_multiply(quat_from_yaw(rng.uniform(-3.0, 3.0, count)), pose.root_rotation.astype(np.float64))
    joints = quat_multiply(quat_exp(noise), pose.joint_rotations.astype(np.float64))
    return MotionState(Pose(pose.root_position + ground, root, joints), velocity)


def test_a_stretched_step_goes_as_many_times_as_far(field: MotionField, root_motion: RootMotion) -> None:
    row = field.findable[:50]
    variants = []
    for stretch in (1.0, 1.5):
        followers = Followers.at(field.database, row)
        steps = Decision.along(root_motion, row, np.zeros(len(row), np.int64))._replace(
            stretch=np.full(len(row), stretch)
        )
        after, _ = follow(field, root_motion, followers, steps, half_lives=HALF_LIVES)
        variants.append(after.position)
    np.testing.assert_allclose(variants[1], 1.5 * variants[0], atol=1e-12)


def test_a_pivot_moves_what_is_followed_and_not_what_is_shown(field: MotionField, root_motion: RootMotion) -> None:
    old, new = pairs(field, root_motion, 60)
    count = len(old)
    pivot = Pivot(np.full(count, 0.1), np.tile([0.05, -0.02], (count, 1)))
    slow = (1e3, 1e3)  # seconds: springs that take nothing back
    shown, ends = [], []
    for change in (None, pivot):
        followers = Followers.at(field.database, old)
        followers.yaw[:] = 0.7
        steps = Decision.along(root_motion, new, np.zeros(count, np.int64))._replace(pivot=change)
        after, poses = follow(field, root_motion, followers, steps, half_lives=slow)
        shown.append(joint_places(field, poses))
        ends.append(after)
    np.testing.assert_allclose(shown[1], shown[0], atol=2e-3)
    np.testing.assert_allclose(ends[1].yaw - ends[0].yaw, 0.1, atol=1e-12)


def test_followers_from_a_state_move_at_its_velocity(
    field: MotionField, root_motion: RootMotion, rng: np.random.Generator
) -> None:
    """With springs that hardly act, the next frame shows the pose and one frame of the velocity that were given."""
    rows = rng.choice(field.findable, 12)
    pose, velocity = field.database.states(rows)
    place, turn = rng.normal(size=(12, 3)) * [1.0, 0.0, 1.0], quat_from_yaw(rng.uniform(-3.0, 3.0, 12))
    pose = Pose(pose.root_position + place, quat_multiply(turn, pose.root_rotation), pose.joint_rotations)
    velocity = PoseDelta(*(track + rng.normal(0.0, 0.01, track.shape) for track in velocity))
    followers = followers_from(field.database, MotionState(pose, velocity), rows)
    _, shown = step(field, root_motion, followers, rows, half_lives=(1e6, 1e6))
    expected = apply_delta(pose, velocity)
    np.testing.assert_allclose(shown.root_position, expected.root_position, atol=1e-3)
    assert quat_angle(shown.rotations[:, 0], expected.root_rotation).max() < 3e-3
    assert quat_angle(shown.rotations[:, 1:], expected.joint_rotations).max() < 3e-3
