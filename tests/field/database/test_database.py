from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.geometry import quat_angle, quat_from_yaw, quat_identity, quat_rotate
from motionfields.field.database import MetricSettings, MotionDatabase, MotionState, Pose, PoseDelta, apply_delta
from motionfields.field.database.building import own_features
from motionfields.field.database.duplicates import _step_lengths
from motionfields.field.database.metric import PROBE, Metric, bone_lengths
from motionfields.motion.clip import Clip, mirror, trim
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton
from tests.conftest import LONG


@pytest.fixture(scope="module")
def clips() -> list[Clip]:
    return [
        sample.clip for sample in generate_samples(only=re.compile("walk_(forward|slow|fast|speed_up|slow_down|stop)"))
    ]


@pytest.fixture(scope="module")
def database(clips: list[Clip]) -> MotionDatabase:
    return MotionDatabase.build(clips)


def one_state(step: float, turn: float, bend: float, bend_speed: float) -> MotionState:
    """A state of one joint about x, of a character that walks ahead and turns left."""
    half = 0.5 * bend
    pose = Pose(np.zeros((1, 3)), quat_identity(1), np.array([[[np.cos(half), np.sin(half), 0.0, 0.0]]]))
    velocity = PoseDelta(
        np.array([[0.0, 0.0, step]]), np.array([[0.0, turn, 0.0]]), np.array([[[bend_speed, 0.0, 0.0]]])
    )
    return MotionState(pose, velocity)


def test_equation_1_worked_by_hand() -> None:
    """Four terms: root velocity, root turn, the joint, and the joint one frame on, each a squared length."""
    metric = Metric(np.array([0]), np.array([0.4]), MetricSettings(root_velocity=0.5, root_turn=0.25))
    first, second = one_state(0.03, 0.1, 0.2, 0.05), one_state(0.01, 0.0, 0.5, -0.02)

    def chord(angle: float, axis: int) -> float:
        """Distance that the probe's tip moves when it is turned by `angle` about an axis."""
        across = np.sqrt(1.0 - PROBE[axis] ** 2)
        return float(2.0 * across * np.sin(0.5 * angle))

    expected = 0.5 * 0.02**2 + 0.25 * chord(0.1, 1) ** 2 + 0.4 * chord(0.3, 0) ** 2 + 0.4 * chord(0.25 - 0.48, 0) ** 2
    assert float(metric.distance(first, second)[0]) == pytest.approx(np.sqrt(expected), rel=1e-5)


def test_embedding_a_batch_is_embedding_each(database: MotionDatabase) -> None:
    states = database.states(np.arange(0, 200, 7))
    together = database.metric.embed(states)
    for row in (0, 5, 20):
        np.testing.assert_array_equal(database.metric.embed(states.take(slice(row, row + 1)))[0], together[row])


def test_the_embedding_forgets_place_and_facing(database: MotionDatabase) -> None:
    states = database.states(np.arange(50))
    turn = quat_from_yaw(1.3)
    from motionfields.base.geometry import quat_multiply

    elsewhere = Pose(
        quat_rotate(turn, states.pose.root_position) + np.array([4.0, 0.0, -7.0]),
        quat_multiply(turn, states.pose.root_rotation),
        states.pose.joint_rotations,
    )
    np.testing.assert_allclose(
        database.metric.embed(MotionState(elsewhere, states.velocity)), database.metric.embed(states), atol=1e-6
    )
    np.testing.assert_allclose(database.metric.embed(states), database.features[:50], atol=1e-6)


def test_states_follow_each_other_within_a_clip(database: MotionDatabase) -> None:
    for clip in range(database.clip_count):
        rows = np.arange(database.clip_starts[clip], database.clip_starts[clip + 1] - 1)
        ahead = apply_delta(database.poses(rows), database.velocities(rows))
        following = database.poses(rows + 1)
        np.testing.assert_allclose(ahead.root_position[:, 1], following.root_position[:, 1], atol=1e-5)
        assert quat_angle(ahead.joint_rotations, following.joint_rotations).max() < 1e-3


def test_nothing_reaches_over_a_cut(database: MotionDatabase) -> None:
    last = database.clip_starts[1:] - 1
    assert not database.frames_left[last].any()
    np.testing.assert_array_equal(database.frames_left[last - 1], 1)
    with pytest.raises(ValueError, match="last state of a clip"):
        database.next_velocities(last[:1])
    rows = np.array([3, 10])
    np.testing.assert_array_equal(database.next_velocities(rows).root_step, database.root_step[rows + 1])


def test_mirrored_clips_are_there_on_the_same_skeleton(clips: list[Clip], database: MotionDatabase) -> None:
    assert database.clip_count == 2 * len(clips)
    assert database.clip_names[1] == "walk_forward.mirror"
    a, b = (slice(*database.clip_starts[clip : clip + 2]) for clip in (0, 1))
    np.testing.assert_allclose(database.root_step[a] * [-1.0, 1.0, 1.0], database.root_step[b], atol=1e-6)
    np.testing.assert_array_equal(database.contacts[a], database.contacts[b][:, ::-1])
    alone = MotionDatabase.build(clips, mirror=False)
    assert alone.clip_count == len(clips)
    assert alone.state_count == database.state_count // 2


def test_unequal_legs_are_made_alike_before_mirroring(wobble: Clip) -> None:
    database = MotionDatabase.build([wobble], cutoff=None)
    assert database.report.bone_change > 0.001
    image = mirror(replace(wobble, skeleton=database.skeleton))
    assert image.skeleton.matches(database.skeleton, tolerance=1e-9)


def test_joints_that_say_nothing_are_left_out_and_named(wobble: Clip) -> None:
    rotations = wobble.rotations.copy()
    rotations[:, wobble.skeleton.index("Head")] = quat_identity()
    names = tuple(name.replace("Extra", "LeftThumb") for name in wobble.skeleton.names)
    clip = replace(wobble, rotations=rotations, skeleton=replace(wobble.skeleton, names=names))
    dropped = MotionDatabase.build([clip], mirror=False).report.dropped_joints
    assert dropped == {"Head": "never turns", "LeftThumb": "finger"}


def test_a_joint_on_another_hands_on_its_bone() -> None:
    offsets = np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0], [0.0, 0.3, 0.0]])
    skeleton = Skeleton(
        ("a", "b", "c", "d"), np.array([-1, 0, 1, 2]), offsets, np.array([3]), np.array([[0.0, 0.1, 0]])
    )
    np.testing.assert_allclose(bone_lengths(skeleton), [0.5, 0.3, 0.3, 0.1])


def test_near_duplicates_are_reported(clips: list[Clip]) -> None:
    again = replace(trim(clips[1], 30, -30), name="copy")
    warnings = MotionDatabase.build([*clips[:3], again], mirror=False).report.warnings
    assert warnings == (f"{clips[1].name} and copy are nearly the same motion",)


def test_the_report_reads_well(database: MotionDatabase) -> None:
    text = "\n".join(database.report.lines())
    assert "6 clips and their mirror images" in text
    assert "turning, deg/s: 0-10" in text
    assert sum(database.report.turning) == pytest.approx(1.0)
    assert sum(database.report.speed) == pytest.approx(1.0)


def test_clips_that_do_not_fit_are_refused(clips: list[Clip], wobble: Clip) -> None:
    with pytest.raises(mf.SkeletonError, match="different skeletons"):
        MotionDatabase.build([clips[0], wobble])
    with pytest.raises(ValueError, match="at least one"):
        MotionDatabase.build([])
    with pytest.raises(ValueError, match="expected at least one of 4 frames"):
        MotionDatabase.build([trim(clips[0], 0, 3)])
    short = MotionDatabase.build([clips[0], replace(trim(clips[1], 0, 3), name="tiny")])
    assert short.report.warnings == ("tiny: left out: 2 frames, needs at least 4",)


def test_captured_walks_build(locomotion: list[Path]) -> None:
    database = MotionDatabase.build([mf.load_clip(path) for path in locomotion])
    assert database.state_count == 10484
    assert isinstance(database.metric, Metric)
    assert database.metric.dimension == 126
    assert not database.report.warnings


@pytest.mark.slow
@pytest.mark.skipif(not LONG, reason="more than a minute: set MOTIONFIELDS_LONG=1")
def test_the_captured_subject_with_most_motion_builds(shared_data: Path) -> None:
    clips = [clip for clip in mf.iter_clips(shared_data / "large.zip") if clip.report and "/036/" in clip.report.path]
    database = MotionDatabase.build(clips)
    assert len(clips) == 37
    assert database.state_count == 74892
    field = mf.MotionField(database)
    assert field.connectivity.core.mean() > 0.99


def test_source_clips_are_what_following_every_state_gives(database: MotionDatabase) -> None:
    for number, clip in enumerate(database.source_clips()):
        start, end = database.clip_starts[number : number + 2]
        assert clip.frame_count == end - start + 1
        assert clip.name == database.clip_names[number]
        pose = database.poses(slice(start, start + 1))
        for frame, row in enumerate(range(start, end + 1)):
            np.testing.assert_allclose(clip.root_position[frame], pose.root_position[0], atol=1e-5)
            assert quat_angle(clip.rotations[frame, 0], pose.root_rotation[0].astype(np.float64)) < 1e-4
            assert quat_angle(clip.rotations[frame, 1:], pose.joint_rotations[0].astype(np.float64)).max() < 1e-4
            if row < end:
                pose = apply_delta(pose, database.velocities(slice(row, row + 1)))


def test_source_clips_are_the_clips_after_the_filter(clips: list[Clip]) -> None:
    rate = 1.0 / clips[0].frame_time
    (again,) = MotionDatabase.build(clips[:1], mirror=False, cutoff=None, frame_rate=rate).source_clips()
    assert again.frame_count == clips[0].frame_count
    gap = np.linalg.norm(np.diff(again.root_position[:, ::2] - again.root_position[0, ::2], axis=0), axis=-1)
    own = np.linalg.norm(np.diff(clips[0].root_position[:, ::2], axis=0), axis=-1)
    np.testing.assert_allclose(gap, own, atol=1e-5)
    assert quat_angle(again.rotations[:, 1:], clips[0].rotations[:, 1:]).max() < 1e-3


def test_features_of_some_joints_are_columns_of_those_of_all(database: MotionDatabase) -> None:
    every = np.arange(database.skeleton.joint_count - 1)
    assert isinstance(database.metric, Metric)
    wide = Metric(every, bone_lengths(database.skeleton)[1:], database.metric.settings)
    some = Metric(every[2:9:2], bone_lengths(database.skeleton)[1:][2:9:2], database.metric.settings)
    states = database.states(np.arange(0, 300, 3))
    np.testing.assert_array_equal(own_features(wide.embed(states), some), some.embed(states), strict=True)


def test_measuring_some_rows_at_a_time_changes_no_bit(
    database: MotionDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    speed, steps = database.joint_speed, _step_lengths(database.features)
    np.testing.assert_array_equal(steps, np.linalg.norm(np.diff(database.features, axis=0), axis=-1))
    turns = np.linalg.norm(database.joint_turns, axis=-1)
    np.testing.assert_array_equal(speed, turns[:, turns.max(axis=0) > 1e-9].mean(axis=-1) / database.frame_time)
    for module in ("database", "duplicates"):
        monkeypatch.setattr(f"motionfields.field.database.{module}.ROWS_AT_ONCE", 97)
    np.testing.assert_array_equal(replace(database).joint_speed, speed)
    np.testing.assert_array_equal(_step_lengths(database.features), steps)


def test_source_clips_come_one_at_a_time_too(database: MotionDatabase) -> None:
    first = next(database.iter_source_clips())
    np.testing.assert_array_equal(first.rotations, database.source_clips()[0].rotations)


def test_the_yaw_rate_weighs_turns_about_the_vertical_alone() -> None:
    def turning(axis: int, angle: float) -> MotionState:
        pose, velocity = one_state(0.02, 0.0, 0.3, 0.1)
        return MotionState(pose, velocity._replace(root_turn=angle * np.eye(3)[[axis]]))

    plain = Metric(np.array([0]), np.array([0.4]), MetricSettings())
    weighted = Metric(np.array([0]), np.array([0.4]), MetricSettings(yaw_rate=3.0))
    for axis, factor in ((0, 1.0), (1, 3.0), (2, 1.0)):
        expected = plain.embed(turning(axis, factor * 0.1))
        np.testing.assert_allclose(weighted.embed(turning(axis, 0.1)), expected, atol=1e-7)


def test_states_stand_that_are_followed_by_so_many_still_ones(database: MotionDatabase) -> None:
    """Ten still states in the middle of a clip, and the last three of another."""
    turns, steps = np.full_like(database.joint_turns, 0.1), np.full_like(database.root_step, 0.05)
    end = int(database.clip_starts[2])
    for still in (slice(20, 30), slice(end - 3, end)):
        turns[still], steps[still] = 0.0, 0.0
    stands = replace(database, joint_turns=turns, root_step=steps).stands(5.0 * database.frame_time)
    expected = [20, 21, 22, 23, 24, 25, end - 3, end - 2, end - 1]
    np.testing.assert_array_equal(np.flatnonzero(stands), expected)
