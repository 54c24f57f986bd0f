from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import heading_vector
from motionfields.measure.analysis.camera import (
    GRID_SPACING,
    MOST_GRID_LINES,
    Camera,
    best_camera,
    grid_spacings,
    ground_lines,
    side_camera,
    travel_yaw,
)
from motionfields.motion.clip import Clip


def test_a_level_camera_on_plus_z_sees_x_to_the_right_and_y_up() -> None:
    seen = Camera(yaw=0.0, elevation=0.0).project(np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_allclose(seen, [[1.0, 2.0, 3.0]], atol=1e-15)


def test_a_raised_camera_lowers_what_is_near_on_the_ground() -> None:
    camera = Camera(yaw=0.0, elevation=np.radians(30.0))
    # One metre towards the viewer appears sin 30 lower and is cos 30 nearer; one metre up appears cos 30 higher.
    np.testing.assert_allclose(camera.project(np.array([0.0, 0.0, 1.0])), [0.0, -0.5, np.sqrt(0.75)], atol=1e-15)
    np.testing.assert_allclose(camera.project(np.array([0.0, 1.0, 0.0])), [0.0, np.sqrt(0.75), 0.5], atol=1e-15)


def test_a_camera_on_plus_x_sees_minus_z_to_the_right() -> None:
    seen = Camera(yaw=0.5 * np.pi, elevation=0.0).project(np.array([0.0, 0.0, -1.0]))
    np.testing.assert_allclose(seen, [1.0, 0.0, 0.0], atol=1e-15)


def test_the_axes_of_a_camera_are_a_rotation() -> None:
    axes = Camera(yaw=0.7, elevation=0.4).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


def test_ground_points_land_where_their_raised_points_do() -> None:
    camera = Camera(yaw=-1.1, elevation=0.3)
    flat = camera.project_ground(np.array([[0.4, -0.2]]), height=0.6)
    np.testing.assert_allclose(flat, camera.project(np.array([[0.4, 0.6, -0.2]]))[:, :2])


@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_the_side_camera_sees_a_walk_go_right_and_towards_the_viewer(yaw: float) -> None:
    camera = side_camera(yaw, turn=np.radians(30.0))
    level = Camera(camera.yaw, elevation=0.0)
    np.testing.assert_allclose(level.project(heading_vector(yaw)), [np.sqrt(0.75), 0.0, 0.5], atol=1e-12)


def test_a_straight_walk_gets_the_usual_side_camera_and_a_turn_one_that_sees_it_from_the_side() -> None:
    assert best_camera(0.3, np.full(10, 0.3)) == side_camera(0.3)
    right_turn = np.linspace(0.3 + 0.8, 0.3 - 0.8, 50)
    chosen = best_camera(0.3, right_turn)
    share = np.abs(heading_vector(right_turn) @ chosen.axes[0])
    usual = np.abs(heading_vector(right_turn) @ side_camera(0.3).axes[0])
    assert share.mean() > usual.mean() + 0.05


def test_travel_goes_to_the_farthest_point_and_a_turn_in_place_by_its_first_facing(wobble: Clip) -> None:
    assert abs(travel_yaw(wobble)) < 0.1  # the fixture walks along +z
    still = Clip(wobble.skeleton, np.zeros_like(wobble.root_position), wobble.rotations, wobble.frame_time)
    assert travel_yaw(still, np.linspace(0.25, 3.0, wobble.frame_count)) == 0.25


def test_grid_lines_are_clipped_to_the_window() -> None:
    # Seen from +z, the window spans x from 0.2 to 1.2 and z from -0.7 to 0.1: lines x = 0.5, x = 1, z = -0.5, z = 0.
    lines = ground_lines(Camera(yaw=0.0), np.array([0.7, 0.0, -0.3]), (0.5, 0.4), 0.5)
    expected = [
        [[-0.2, -0.4], [-0.2, 0.4]],
        [[0.3, -0.4], [0.3, 0.4]],
        [[-0.5, 0.2], [0.5, 0.2]],
        [[-0.5, -0.3], [0.5, -0.3]],
    ]
    ends = [sorted(map(tuple, np.round(line, 9))) for line in lines]
    assert ends == [sorted(map(tuple, line)) for line in expected]


def test_a_slanted_grid_stays_inside_the_window() -> None:
    half = (0.6, 0.3)
    lines = ground_lines(Camera(yaw=0.6), np.array([10.3, 0.0, -4.1]), half, 0.5)
    assert len(lines) > 0
    assert np.all(np.abs(lines) <= np.array(half) + 1e-12)


def test_an_elevation_under_the_ground_is_refused() -> None:
    with pytest.raises(ValueError, match="elevation"):
        Camera(yaw=0.0, elevation=-0.1)


@pytest.mark.parametrize("extent", [0.0, 1.0, 59.0, 61.0, 1e3, 1e9, 1e300])
def test_a_grid_has_few_lines_whatever_the_extent(extent: float) -> None:
    minor, major = grid_spacings(extent)
    assert major == 2.0 * minor
    assert extent / minor <= MOST_GRID_LINES
    assert minor == GRID_SPACING or extent / minor >= MOST_GRID_LINES / 10.0
