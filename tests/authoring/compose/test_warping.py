"""The least warp meets its targets and changes nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.compose.goals import PathGoal, PlaceGoal
from motionfields.authoring.compose.rendering import Track, ground_path
from motionfields.authoring.compose.timeline import Timeline
from motionfields.authoring.compose.warping import Target, least_warp, targets_of
from motionfields.field import MotionField


def straight(count: int = 90) -> Track:
    """Return a walk at 1 m/s that stands still in its middle third."""
    steps = np.zeros((count, 2))
    steps[:, 1] = 1.0 / 30.0
    steps[count // 3 : 2 * count // 3] = 0.0
    ones = np.zeros((count, 2, 4))
    ones[..., 0] = 1.0
    return Track(ones, np.ones(count), steps, np.zeros(count), np.zeros((count, 2)))


def test_targets_are_met_with_their_headings() -> None:
    track, facing = straight(), np.zeros(90)
    targets = [Target(40, 0.1, 0.9, np.nan), Target(89, 0.3, 1.9, 0.4)]
    warp = least_warp(track, facing, targets, place=(0.0, 0.0), yaw=0.0)
    ground = ground_path(track, (0.0, 0.0), 0.0, warp)
    np.testing.assert_allclose(ground.place[[40, 89]], [[0.1, 0.9], [0.3, 1.9]], atol=1e-6)
    assert ground.yaw[89] == pytest.approx(0.4, abs=1e-6)
    moving, standing = np.abs(warp.shifts[5:25]).mean(), np.abs(warp.shifts[43:50]).mean()
    assert standing < 0.2 * moving


def test_a_point_beside_the_root_is_moved_to_its_target() -> None:
    track = straight()
    target = Target(89, 0.5, 1.9, np.nan, 0.3, 0.1)
    warp = least_warp(track, np.zeros(90), [target], place=(0.0, 0.0), yaw=0.7)
    ground = ground_path(track, (0.0, 0.0), 0.7, warp)
    sine, cosine = np.sin(ground.yaw[89]), np.cos(ground.yaw[89])
    point = ground.place[89] + [0.3 * cosine + 0.1 * sine, 0.1 * cosine - 0.3 * sine]
    np.testing.assert_allclose(point, [0.5, 1.9], atol=1e-6)


def test_nothing_changes_without_targets_or_need() -> None:
    track = straight()
    assert not least_warp(track, np.zeros(90), [], place=(0.0, 0.0), yaw=0.0).shifts.any()
    there = ground_path(track).place[89]
    warp = least_warp(
        track, np.zeros(90), [Target(89, float(there[0]), float(there[1]), 0.0)], place=(0.0, 0.0), yaw=0.0
    )
    assert np.abs(warp.shifts).max() < 1e-9
    assert np.abs(warp.turns).max() < 1e-9


def test_targets_come_from_places_and_paths(field: MotionField) -> None:
    timeline = Timeline(3.0, (), (PlaceGoal(3.0, 1.0, 2.0), PlaceGoal(0.0, 0.0, 0.0), PlaceGoal(1.0, 0.5, 0.5, 0.2)))
    found = targets_of(timeline, field.database, straight())
    assert [(one.frame, one.x) for one in found] == [(30, 0.5), (89, 1.0)]
    along = targets_of(Timeline(3.0, path=PathGoal(((0.0, 0.0), (0.0, 3.0)), 0.0, 3.0)), field.database, straight())
    assert [(one.frame, one.z) for one in along] == [(45, 1.5), (89, 3.0)]
