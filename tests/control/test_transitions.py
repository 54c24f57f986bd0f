"""The actions of control: who may follow whom, and what it costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import quat_normalize
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.control.tasks import Direction, Velocity
from motionfields.control.transitions import (
    AGILITY_RANGE,
    BLOCKED,
    CHUNK,
    REPLAY,
    ControlSettings,
    Transitions,
    find_transitions,
    joint_places,
    relative_jerk,
)
from motionfields.field import MotionField
from motionfields.motion.body import find_body
from motionfields.motion.quality import distinct_joints, jerk
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import Decision, DisplayPose, Followers
from tests.control.training.small import SETTINGS, WARP, small_field
from tests.runtime.following import follow


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


@pytest.fixture(scope="module")
def root_motion(field: MotionField) -> RootMotion:
    return measure_root_motion(field.database, warp=WARP)


@pytest.fixture(scope="module")
def transitions(field: MotionField, root_motion: RootMotion) -> Transitions:
    return find_transitions(field, root_motion, SETTINGS)


def followed(
    field: MotionField, root_motion: RootMotion, row: IntArray, variant: int, frame_count: int
) -> list[DisplayPose]:
    """The poses of characters that follow the states `row` and those after them, all one way."""
    followers = Followers.at(field.database, row)
    followers.variant[:], followers.spin[:] = variant, root_motion.yaw_turn[row, variant] - root_motion.yaw_turn[row, 0]
    pose = field.database.poses(row)
    rotations = np.concatenate([pose.root_rotation[:, np.newaxis], pose.joint_rotations], axis=1)
    shown = [DisplayPose(pose.root_position, quat_normalize(rotations.astype(np.float64)))]
    for _ in range(frame_count):
        steps = Decision.along(root_motion, followers.state, np.full(len(row), variant))
        followers, now = follow(field, root_motion, followers, steps, half_lives=(0.1, 0.1))
        shown.append(now)
    return shown


def plain_features(
    field: MotionField, root_motion: RootMotion, row: IntArray, variant: int, half_life: float
) -> FloatArray:
    """a + 2 y v + y^2 x [n, joint, 3] of the joints, from three frames of following `row`."""
    joints = distinct_joints(field.database.skeleton)
    first, second, third = (
        forward_kinematics(field.database.skeleton, *shown).positions[:, joints]
        for shown in followed(field, root_motion, row, variant, 2)
    )
    time, y = field.database.frame_time, 2.0 * np.log(2.0) / half_life
    velocity, acceleration = (second - first) / time, (third - 2.0 * second + first) / time**2
    return np.asarray(acceleration + 2.0 * y * velocity + y**2 * first)


def test_every_state_that_is_found_may_go_on_as_it_is_for_nothing(
    field: MotionField, root_motion: RootMotion, transitions: Transitions
) -> None:
    for row in field.findable:
        (own,) = np.flatnonzero((transitions.states[row] == row) & (transitions.costs[row, :, 0, 0] < BLOCKED))
        for variant in range(root_motion.variant_count):
            assert transitions.costs[row, own, variant, variant] == pytest.approx(root_motion.variant_cost[variant])
        others = np.delete(transitions.costs[row, :, 0, 0], own)
        assert (others >= SETTINGS.change_cost).all()


@pytest.mark.parametrize("size", [1, 100, 333])
def test_choices_do_not_depend_on_how_many_are_worked_out_at_once(
    field: MotionField, root_motion: RootMotion, transitions: Transitions, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert field.database.state_count <= CHUNK
    monkeypatch.setattr("motionfields.control.transitions.CHUNK", size)
    for part, whole in zip(find_transitions(field, root_motion, SETTINGS), transitions, strict=True):
        np.testing.assert_array_equal(part, whole)


def plain_feet(field: MotionField) -> tuple[FloatArray, FloatArray]:
    """Positions of the balls in the frame of the root, and the load of each foot: all of it on the lower one."""
    database, balls, clear = field.database, [], []
    poses = database.states(slice(0, database.state_count)).pose
    places = joint_places(database, poses)
    for leg in find_body(database.skeleton).legs:
        balls.append(places[:, leg.toe])
        heights = places[:, [leg.toe, leg.ankle], 1]
        clear.append((heights - np.percentile(heights, 5.0, axis=0)).min(axis=1))
    lower = np.argmin(clear, axis=0)
    loads = field.state_votes.astype(np.float64)
    loads[np.arange(len(loads)), lower] = 1.0
    return np.stack(balls, axis=1), loads


def test_costs_are_those_of_the_formula(
    field: MotionField, root_motion: RootMotion, transitions: Transitions, rng: np.random.Generator
) -> None:
    lasts = field.database.frames_left >= 3
    state = rng.choice(np.flatnonzero(lasts), 60)
    transition = rng.integers(0, transitions.states.shape[1], 60)
    row = transitions.states[state, transition].astype(np.int64)
    use = lasts[row] & (transitions.costs[state, transition, 0, 0] < BLOCKED)
    state, transition, row = state[use], transition[use], row[use]
    assert len(state) > 30
    votes = np.abs(field.state_votes[state] - field.state_votes[row]).sum(axis=-1)
    balls, loads = plain_feet(field)
    slip = (np.linalg.norm(balls[state] - balls[row], axis=-1) * np.maximum(loads[state], loads[row])).sum(axis=-1)
    hold = np.minimum(field.state_votes[state], field.state_votes[row]).max(axis=-1)
    back = (field.database.clip_of[state] == field.database.clip_of[row]) & (row < state) & (row >= state - 20)
    feet = SETTINGS.contact_cost * votes + SETTINGS.slip_cost * slip + SETTINGS.flight_cost * (1.0 - hold)
    fixed = np.where(row == state, 0.0, SETTINGS.change_cost + feet) + REPLAY * back
    assert (slip > 0.01).any()
    assert (hold < 1.0).any()
    assert back.any()
    for before in range(2):
        for variant in range(2):
            jump = plain_features(field, root_motion, state, before, SETTINGS.half_life)
            jump -= plain_features(field, root_motion, row, variant, SETTINGS.half_life)
            mean = np.linalg.norm(jump, axis=-1).mean(axis=-1)
            found = transitions.costs[state, transition, before, variant]
            cost = SETTINGS.jump_cost * mean + fixed
            np.testing.assert_allclose(found, cost + root_motion.variant_cost[variant], rtol=1e-3, atol=2e-3)


def test_a_jump_of_speed_costs_its_square_and_a_gain_a_quarter(field: MotionField, root_motion: RootMotion) -> None:
    free, braked = (find_transitions(field, root_motion, replace(SETTINGS, brake_cost=cost)) for cost in (None, 50.0))
    np.testing.assert_array_equal(free.states, braked.states)
    speed = np.linalg.norm(field.database.root_step[:, ::2], axis=-1) / field.database.frame_time
    gain = speed[free.states] - speed[:, np.newaxis]
    jump = np.where(gain > 0.0, 0.5 * gain, gain)
    is_open = free.costs[..., 0, 0] < BLOCKED
    expected = free.costs + (50.0 * jump**2)[..., np.newaxis, np.newaxis]
    np.testing.assert_allclose(braked.costs[is_open], expected[is_open], rtol=1e-4, atol=1e-3)


def test_a_task_gives_its_own_brake_cost_unless_one_is_set() -> None:
    assert ControlSettings().fitted(Direction()).brake_cost is None
    assert ControlSettings().fitted(Velocity()).brake_cost == Velocity.brake_cost > 0.0
    assert ControlSettings(brake_cost=0.0).fitted(Velocity()).brake_cost == 0.0


def test_roughness_is_jerk_above_that_of_states_as_fast(field: MotionField, transitions: Transitions) -> None:
    rough = relative_jerk(field.database)
    np.testing.assert_allclose(transitions.roughness, SETTINGS.rough_cost * np.maximum(rough - 1.0, 0.0), rtol=1e-6)
    starts = field.database.clip_starts
    np.testing.assert_array_equal(rough[starts[:-1]], 1.0)
    clip = field.database.source_clips()[0]
    inner = rough[starts[0] + 1 : starts[0] + clip.frame_count - 2]
    assert np.corrcoef(inner, jerk(clip))[0, 1] > 0.5
    assert rough.mean() == pytest.approx(1.0, abs=0.05)


def test_the_end_of_a_clip_is_never_followed(field: MotionField, transitions: Transitions) -> None:
    open_rows = transitions.states[transitions.costs[..., 0, 0] < BLOCKED]
    assert (field.database.frames_left[open_rows] >= 1).all()
    assert (transitions.costs[..., 0, 0] < BLOCKED).any(axis=1).all()


def test_places_that_no_moment_fills_are_blocked(field: MotionField) -> None:
    root_motion = measure_root_motion(field.database)
    transitions = find_transitions(field, root_motion, ControlSettings(neighbor_count=20, looked_at=1, frame_gap=40))
    blocked = transitions.costs[..., 0, 0] >= BLOCKED
    assert blocked.any()
    assert not blocked[:, 0].any()
    for state in range(0, field.database.state_count, 97):
        rows = transitions.states[state][~blocked[state]]
        gaps = np.abs(rows[:, np.newaxis] - rows) + 1000 * np.eye(len(rows), dtype=np.int64)
        alike = field.database.clip_of[rows][:, np.newaxis] == field.database.clip_of[rows]
        assert (gaps[alike] > 40).all()


def test_more_choices_than_there_are_states_are_not_asked_for(field: MotionField) -> None:
    settings = ControlSettings(neighbor_count=10**6, looked_at=1, frame_gap=0)
    transitions = find_transitions(field, measure_root_motion(field.database), settings)
    assert transitions.states.shape == (field.database.state_count, len(field.findable))


def test_agility_makes_jumps_cheaper_and_changes_nothing_else() -> None:
    settings = ControlSettings()
    assert settings.agile(0.5) == settings
    assert settings.agile(0.0).jump_cost == pytest.approx(AGILITY_RANGE * settings.jump_cost)
    assert settings.agile(1.0).jump_cost == pytest.approx(settings.jump_cost / AGILITY_RANGE)
    assert settings.agile(0.0).change_cost == settings.change_cost
    with pytest.raises(ValueError, match="agility: expected 0 to 1, got 2"):
        settings.agile(2.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"neighbor_count": 0},
        {"jump_cost": -1.0},
        {"brake_cost": -1.0},
        {"memory": 21},
        {"half_life": 0.0},
        {"discount": 1.0},
        {"rough_cost": np.nan},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ControlSettings(**wrong)  # type: ignore[arg-type]
