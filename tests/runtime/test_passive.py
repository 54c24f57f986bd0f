"""Characters that nobody steers: the field's own motion, out of which they can be pushed and into which they return."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_angle
from motionfields.field import Drifted, MotionField
from motionfields.field.database import MotionState, Pose, pose_difference
from motionfields.field.passive import PassiveSettings
from motionfields.runtime import DisplayPose, Frame, PassiveCrowd
from tests.control.training.small import small_field, threads
from tests.runtime.test_crowd import assert_alike

START = 10


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


def run(
    field: MotionField, count: int, frame_count: int, force: tuple[float, float, float] | None = None
) -> list[Frame]:
    """Frames of a crowd of which every other character is pushed, if there is a `force`, before one of them."""
    crowd, frames = PassiveCrowd(field, count, seed=3), []
    for frame in range(frame_count):
        if force is not None and frame == START:
            crowd.push(np.arange(0, count, 2), "Spine2", force, duration=0.2)
        frames.append(crowd.step())
    return frames


def roots(frames: list[Frame]) -> FloatArray:
    return np.stack([frame.root_position for frame in frames])


@pytest.mark.parametrize("settings", [None, PassiveSettings(lead_share=0.0)])
def test_without_pushes_characters_do_as_passive_synthesis_does(
    field: MotionField, settings: PassiveSettings | None
) -> None:
    crowd = PassiveCrowd(field, 4, seed=3, settings=settings, plant=False)
    runs = field.synthesize(field.start(4, seed=3), 3.0, seed=3, settings=settings)
    for frame in range(runs.poses.root_position.shape[1]):
        shown = crowd.step()
        np.testing.assert_array_equal(shown.states, runs.nearest[:, frame])
        np.testing.assert_allclose(shown.root_position, runs.poses.root_position[:, frame], atol=1e-6)
        assert quat_angle(shown.rotations[:, 0], runs.poses.root_rotation[:, frame]).max() < 1e-5
        assert quat_angle(shown.rotations[:, 1:], runs.poses.joint_rotations[:, frame]).max() < 1e-5
        assert not shown.planted.any()


def test_without_pushes_feet_are_held_as_in_clips_of_the_field(field: MotionField) -> None:
    crowd = PassiveCrowd(field, 3, seed=3)
    clips = field.clips(field.synthesize(field.start(3, seed=3), 3.0, seed=3))
    frames = [crowd.step() for _ in range(clips[0].frame_count)]
    assert any(frame.planted.any() for frame in frames)
    for character, clip in enumerate(clips):
        np.testing.assert_allclose(roots(frames)[:, character], clip.root_position, atol=1e-4)
        turns = np.stack([frame.rotations[character] for frame in frames])
        assert quat_angle(turns, clip.rotations).max() < 1e-3


def test_a_push_of_zero_is_no_push_at_all(field: MotionField) -> None:
    assert_alike(run(field, 4, 200), run(field, 4, 200, (0.0, 0.0, 0.0)))


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
def test_who_is_pushed_goes_the_way_of_the_push(field: MotionField, direction: tuple[float, float, float]) -> None:
    force = (300.0 * direction[0], 0.0, 300.0 * direction[2])
    pushed, usual = run(field, 6, START + 12, force), run(field, 6, START + 12)
    away = roots(pushed) - roots(usual)
    assert not away[:START].any()
    assert ((away[START + 8, ::2] @ direction) > 0.03).all()
    assert not away[:, 1::2].any()


def test_who_is_pushed_comes_back_to_the_data(field: MotionField) -> None:
    def far(frames: list[Frame]) -> FloatArray:
        """Return the distance [frame, n] of poses from the nearest state, radians, in the worst upper-body joint."""
        skeleton, captured = field.database.skeleton, field.database.rotations
        joints = [skeleton.index(name) for name in ("Spine", "Spine2", "Head", "LeftArm", "RightForeArm")]
        rows, shown = np.stack([f.states for f in frames]), np.stack([f.rotations for f in frames])
        return np.asarray(quat_angle(shown[:, :, joints], captured[rows][:, :, joints]).max(axis=-1))

    usual, pushed = far(run(field, 6, 120)), far(run(field, 6, 120, (250.0, 0.0, 150.0)))
    assert (pushed[START : START + 15, ::2].max(axis=0) > usual[:, ::2].max() + np.radians(5.0)).all()
    assert pushed[-30:].max() < usual.max() + np.radians(3.0)


def test_a_hard_push_on_any_joint_leaves_numbers_that_are_numbers(field: MotionField) -> None:
    joint_count = field.database.skeleton.joint_count
    crowd = PassiveCrowd(field, joint_count, seed=3)
    for _ in range(5):
        crowd.step()
    for joint in range(joint_count):
        crowd.push(joint, joint, [600.0 * np.cos(joint), 0.0, 600.0 * np.sin(joint)], duration=0.2)
    for _ in range(60):
        frame = crowd.step()
        assert np.isfinite(frame.root_position).all()
        np.testing.assert_allclose(np.linalg.norm(frame.rotations, axis=-1), 1.0, atol=1e-6)


def test_any_size_of_crowd_and_number_of_threads_gives_the_same_bits(field: MotionField) -> None:
    force = (120.0, 0.0, -200.0)
    many = run(field, 16, 40, force)
    for count in (1, 7):
        assert_alike(run(field, count, 40, force), many)
    with threads(2):
        assert_alike(run(field, 16, 40, force), many)


def test_whoever_starts_anew_forgets_the_push_and_the_others_go_on(field: MotionField) -> None:
    state = field.database.states(field.findable[200:201])
    crowd, other = (PassiveCrowd(field, 2, seed=3) for _ in range(2))
    crowd.push(0, "Spine2", [300.0, 0.0, 0.0], duration=5.0)
    for each in (crowd, other):
        for _ in range(5):
            each.step()
        each.start_from(state, np.array([0]))
    np.testing.assert_array_equal(crowd.state.pose.root_position[0], state.pose.root_position[0])
    assert_alike([crowd.step() for _ in range(30)], [other.step() for _ in range(30)])


def test_what_is_shown_before_planting_is_at_hand(field: MotionField) -> None:
    crowd = PassiveCrowd(field, 2, seed=3)
    pose = crowd.state.pose
    assert isinstance(pose, Pose)
    crowd.step()
    assert isinstance(crowd.unplanted, DisplayPose)
    np.testing.assert_allclose(crowd.unplanted.root_position, pose.root_position, atol=1e-9)


def test_a_crowd_of_nobody_is_refused(field: MotionField) -> None:
    with pytest.raises(ValueError, match="count: expected at least 1 character, got 0"):
        PassiveCrowd(field, 0)


def test_the_field_looks_for_states_that_move_as_the_push_does(
    field: MotionField, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[MotionState] = []
    drift_on = field.drift_on

    def seen(state: MotionState, *given: Any, **options: Any) -> Drifted:
        searched.append(state)
        return drift_on(state, *given, **options)

    monkeypatch.setattr(field, "drift_on", seen)
    for pushed in (False, True):
        crowd = PassiveCrowd(field, 1, seed=3)
        if pushed:
            crowd.push(0, "Hips", (400.0, 0.0, 0.0))
        crowd.step()
    alone, both = searched
    moved = pose_difference(both.pose, alone.pose)
    for mine, own, more in zip(both.velocity, alone.velocity, moved, strict=True):
        np.testing.assert_allclose(mine - own, more, atol=1e-6)
    assert np.abs(moved.root_step).max() > 1e-3
