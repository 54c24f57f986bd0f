"""Frames, clouds of joint positions and the transitions between similar frames."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from motionfields.authoring.plan.frames import FrameGraph, FrameSettings
from motionfields.authoring.plan.frames.pool import (
    Clouds,
    captured_frames,
    cloud_distances,
    clouds_of,
    find_transitions,
    placements,
    state_clouds,
)
from motionfields.authoring.plan.steps import relative, settled_places
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import turn_over_ground
from motionfields.control.root_motion import measure_root_motion
from motionfields.field import MotionField


def placed(cloud: FloatArray, pose: FloatArray) -> FloatArray:
    """A cloud [point, 3] moved by a ground pose."""
    out = np.asarray(cloud, dtype=np.float64).copy()
    out[:, ::2] = pose[:2] + turn_over_ground(out[:, ::2], np.full(len(out), pose[2]))
    return out


def test_the_distance_of_clouds_is_the_least_over_all_placements() -> None:
    rng = np.random.default_rng(1)
    clouds = rng.normal(size=(4, 12, 3))
    found = cloud_distances(Clouds.of(clouds[:2]), Clouds.of(clouds[2:]))

    def apart(pose: FloatArray, a: FloatArray, b: FloatArray) -> float:
        return float(np.sqrt(np.square(placed(b, pose) - a).sum(axis=1).mean()))

    for i, a in enumerate(clouds[:2]):
        for j, b in enumerate(clouds[2:]):
            starts = [np.array([0.0, 0.0, yaw]) for yaw in (-2.0, 0.0, 2.0)]
            least = min(minimize(apart, start, args=(a, b), tol=1e-10).fun for start in starts)
            assert found[i, j] == pytest.approx(least, abs=1e-6)
            best = placements(Clouds.of(a[np.newaxis]), Clouds.of(b[np.newaxis]))[0]
            assert apart(best, a, b) == pytest.approx(least, abs=1e-6)


def test_a_cloud_that_is_moved_over_the_ground_has_distance_0() -> None:
    cloud = np.random.default_rng(2).normal(size=(10, 3))
    pose = np.array([1.5, -0.7, 2.2])
    one, other = Clouds.of(placed(cloud, pose)[np.newaxis]), Clouds.of(cloud[np.newaxis])
    assert cloud_distances(one, other)[0, 0] == pytest.approx(0.0, abs=1e-6)
    found = placements(one, other)[0]
    np.testing.assert_allclose(found, pose, atol=1e-9)


def test_clouds_of_one_frame_have_its_joints_and_windows_add_those_around_it(walking: MotionField) -> None:
    places = settled_places(walking, measure_root_motion(walking.database))
    joints = walking.database.skeleton.joint_count
    plain, wide = (state_clouds(walking, places, window) for window in (0.0, 0.1))
    assert plain.shape[1:] == (joints, 3)
    np.testing.assert_array_equal(wide[:, joints : 2 * joints], plain)
    shift = round(0.1 / walking.database.frame_time)
    row = 20
    later = placed(plain[row + shift], relative(places[row], places[row + shift]))
    np.testing.assert_allclose(wide[row, 2 * joints :], later, atol=1e-5)


def test_transitions_are_the_local_minima_below_the_threshold_with_equal_contacts(walking: MotionField) -> None:
    settings = FrameSettings(threshold=0.1, reach=1, window=0.0)
    places = settled_places(walking, measure_root_motion(walking.database))
    frames = captured_frames(walking, places)
    clouds = clouds_of(frames, state_clouds(walking, places, 0.0))
    found = find_transitions(frames, clouds, settings, walking.database.frame_time)
    every = Clouds.of(clouds)
    distance = cloud_distances(every, every)
    run, count = frames.run, len(frames.run)
    gap = math.ceil(settings.gap / walking.database.frame_time)
    wanted = set()
    for i, j in zip(*np.nonzero(distance <= settings.threshold), strict=True):
        beside = [
            distance[i + a, j + b]
            for a in (-1, 0, 1)
            for b in (-1, 0, 1)
            if 0 <= i + a < count and 0 <= j + b < count and run[i + a] == run[i] and run[j + b] == run[j]
        ]
        near = run[i] == run[j] and abs(i - j) < gap
        follows = j + 1 < count and run[j + 1] == run[j]
        if frames.phase[i] == frames.phase[j] and not near and follows and distance[i, j] <= min(beside) + 1e-6:
            wanted.add((int(i), int(j + 1)))
    got = set(zip(found.source.tolist(), found.target.tolist(), strict=True))
    assert got
    assert got <= wanted
    assert len(wanted - got) <= 0.01 * len(wanted)  # ties within the error of arithmetic


def test_settings_out_of_range_are_refused() -> None:
    wrong: dict[str, Any] = {"threshold": -1.0, "branching": 0, "window": math.nan, "stretch": 0.5}
    for name, value in wrong.items():
        with pytest.raises((ValueError, TypeError), match=name):
            replace(FrameSettings(), **{name: value})
    with pytest.raises(ValueError, match="shares"):
        FrameSettings(shares=(0.5, 2.0))


def test_interpolated_clouds_lie_between_those_of_their_states(connected_graph: FrameGraph) -> None:
    frames = connected_graph.frames
    row = int(np.flatnonzero(~frames.captured)[0])
    places = settled_places(connected_graph.field, measure_root_motion(connected_graph.field.database))
    clouds = state_clouds(connected_graph.field, places, 0.0)
    middle = 0.5 * (clouds[frames.first[row]] + clouds[frames.second[row]])
    np.testing.assert_allclose(clouds_of(frames, clouds)[row], middle, atol=1e-6)
