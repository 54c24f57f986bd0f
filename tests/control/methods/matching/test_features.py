"""Features of motion matching, state by state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import angle_difference
from motionfields.control.methods.matching import MatchingSettings
from motionfields.control.methods.matching.features import (
    UNITS,
    group_columns,
    measure_features,
    measure_paths,
    pose_features,
    searchable_states,
)
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.field import MotionField
from motionfields.motion.body import find_body
from motionfields.motion.quality import facing_yaw
from motionfields.motion.skeleton import forward_kinematics

PLAIN = MatchingSettings(smoothing=0.0)


@pytest.fixture(scope="module")
def root_motion(field: MotionField) -> RootMotion:
    return measure_root_motion(field.database)


def seen_from(yaw: float, vector: FloatArray) -> FloatArray:
    """A world `vector` [3] seen from something that faces `yaw`."""
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([cosine * vector[0] - sine * vector[2], vector[1], sine * vector[0] + cosine * vector[2]])


def test_poses_are_feet_and_hips_of_the_clip_seen_from_the_root(field: MotionField, root_motion: RootMotion) -> None:
    database, found = field.database, pose_features(field.database, root_motion)
    legs = find_body(database.skeleton).legs
    for clip, start in zip(database.source_clips(), database.clip_starts[:-1].tolist(), strict=True):
        places = forward_kinematics(database.skeleton, clip.root_position, clip.rotations).positions
        yaw = np.concatenate([[0.0], np.cumsum(root_motion.yaw_turn[start : start + clip.frame_count - 1, 0])])
        turns = np.diff(np.unwrap(facing_yaw(clip)))
        for frame in range(0, clip.frame_count - 1, 11):
            ground = clip.root_position[frame] * [1.0, 0.0, 1.0]
            feet = [seen_from(yaw[frame], places[frame, leg.ankle] - ground) for leg in legs]
            # A clip's heights are those of its states; a state knows where its next frame would be.
            steps = [places[frame + 1, leg.ankle] - places[frame, leg.ankle] for leg in legs]
            speeds = [seen_from(yaw[frame], step) / database.frame_time for step in steps]
            np.testing.assert_allclose(found[start + frame, :6], np.ravel(feet), atol=1e-4)
            np.testing.assert_allclose(found[start + frame, 6:12], np.ravel(speeds), atol=5e-3)
            assert found[start + frame, 15] == pytest.approx(turns[frame] / database.frame_time, abs=5e-3)
    np.testing.assert_allclose(found[:, 12:15], database.root_step / database.frame_time, rtol=1e-6)


def test_trajectories_are_where_the_clip_goes(field: MotionField, root_motion: RootMotion) -> None:
    database, found = field.database, measure_paths(field.database, root_motion, PLAIN)
    ahead = [round(seconds / database.frame_time) for seconds in PLAIN.horizons]
    for clip, start in zip(database.source_clips(), database.clip_starts[:-1].tolist(), strict=True):
        facing = facing_yaw(clip)
        yaw = np.concatenate([[0.0], np.cumsum(root_motion.yaw_turn[start : start + clip.frame_count - 1, 0])])
        for frame in range(0, clip.frame_count - 1, 7):
            points = found.trajectory[start + frame].reshape(-1, 4)
            for point, frames in zip(points, ahead, strict=True):
                if frame + frames < clip.frame_count:
                    variant = clip.root_position[frame + frames] - clip.root_position[frame]
                    np.testing.assert_allclose(point[:2], seen_from(yaw[frame], variant)[::2], atol=1e-4)
                    angle = facing[frame + frames] - yaw[frame]
                    np.testing.assert_allclose(point[2:], [np.sin(angle), np.cos(angle)], atol=1e-4)


def test_the_end_of_a_clip_goes_on_as_it_last_went(field: MotionField, root_motion: RootMotion) -> None:
    database, found = field.database, measure_paths(field.database, root_motion, PLAIN)
    for clip, end in zip(database.source_clips(), database.clip_starts[1:].tolist(), strict=True):
        facing = np.unwrap(facing_yaw(clip))
        rate = (facing[-1] - facing[-7]) / 6
        speed = np.linalg.norm(clip.root_position[-1, ::2] - clip.root_position[-7, ::2]) / 6
        points = found.trajectory[end - 1].reshape(-1, 4)
        angles = np.arctan2(points[:, 2], points[:, 3])
        frames = np.array([10, 20, 30])
        turned = rate * (frames - 1) + facing[-1] - facing[-2]
        np.testing.assert_allclose(angle_difference(angles - root_motion.facing[end - 1], turned), 0.0, atol=1e-4)
        steps = np.linalg.norm(np.diff(points[:, :2], axis=0), axis=-1)
        np.testing.assert_allclose(steps, 10 * speed, rtol=0.1, atol=0.01)  # an arc, so a little less


def test_nothing_reaches_over_a_cut(field: MotionField, root_motion: RootMotion) -> None:
    database = field.database
    found = measure_paths(database, root_motion, MatchingSettings())
    start, end = database.clip_starts[1:3].tolist()
    noise = np.random.default_rng(0).uniform(-1.0, 1.0, database.root_step.shape).astype(np.float32)
    noise[start:end] = 0.0
    other = measure_paths(replace(database, root_step=database.root_step + noise), root_motion, MatchingSettings())
    for one, another in zip(found, other, strict=True):
        np.testing.assert_array_equal(one[start:end], another[start:end])
    assert (found.trajectory[:start] != other.trajectory[:start]).any()


def test_smoothed_paths_keep_their_course(field: MotionField, root_motion: RootMotion) -> None:
    rough, smooth = (measure_paths(field.database, root_motion, MatchingSettings(smoothing=s)) for s in (0.0, 0.5))
    # The line of the hips sways with every step; its speed changes less once it is smoothed.
    assert np.abs(np.diff(smooth.turning)).max() < 0.8 * np.abs(np.diff(rough.turning)).max()
    np.testing.assert_allclose(smooth.trajectory, rough.trajectory, atol=0.2)


def test_each_group_is_scaled_alike_and_by_its_weight(field: MotionField, root_motion: RootMotion) -> None:
    settings = MatchingSettings(foot_velocity=2.0)
    among = searchable_states(field, settings)
    features = measure_features(field.database, root_motion, settings, among=among)
    assert sorted(np.concatenate(list(group_columns(3).values()))) == list(range(features.values.shape[1]))
    for name, columns in group_columns(3).items():
        spread = features.values[np.ix_(among, columns)].std(axis=0).mean()
        unit = 1.0 if name not in UNITS else spread / getattr(settings, name)
        assert spread == pytest.approx(getattr(settings, name) * unit)
        assert len(set(features.scales[columns])) == 1
    directions = features.values[:, group_columns(3)["trajectory_direction"]].reshape(-1, 3, 2)
    radius = settings.trajectory_direction / UNITS["trajectory_direction"]
    np.testing.assert_allclose(np.linalg.norm(directions, axis=-1), radius)


def test_ends_of_clips_are_not_searched(field: MotionField) -> None:
    for seconds in (0.0, 0.1, 0.5):
        found = searchable_states(field, MatchingSettings(tail=seconds))
        assert field.database.frames_left[found].min() == max(1, round(30 * seconds))
    short = searchable_states(field, MatchingSettings(tail=60.0))
    assert set(field.database.clip_of[short]) == set(range(field.database.clip_count))
