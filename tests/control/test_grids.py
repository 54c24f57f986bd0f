"""Grids of task parameters, against scipy's interpolator."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from motionfields.base.arrays import FloatArray
from motionfields.control.grids import corner_steps, find_corners, grid_points, grid_size, interpolated
from motionfields.control.tasks import Axis


def some_axes(count: int, rng: np.random.Generator) -> tuple[Axis, ...]:
    sizes = (7, 2, 5)[:count]
    return tuple(Axis(f"axis {place}", np.cumsum(rng.uniform(0.1, 1.0, size))) for place, size in enumerate(sizes))


def interpolate(axes: tuple[Axis, ...], row: FloatArray, points: FloatArray) -> FloatArray:
    corners = find_corners(axes, points)
    steps = corner_steps(axes)
    return np.array(
        [interpolated(row, first, shares, steps) for first, shares in zip(corners.first, corners.shares, strict=True)]
    )


@pytest.mark.parametrize("axis_count", [1, 2, 3])
def test_interpolation_agrees_with_scipy(axis_count: int, rng: np.random.Generator) -> None:
    axes = some_axes(axis_count, rng)
    row = rng.normal(size=grid_size(axes))
    low, high = (np.array([axis.nodes[end] for axis in axes]) for end in (0, -1))
    points = rng.uniform(low, high, (200, axis_count))
    shape = tuple(len(axis.nodes) for axis in axes)
    oracle = RegularGridInterpolator([axis.nodes for axis in axes], row.reshape(shape))
    np.testing.assert_allclose(interpolate(axes, row, points), oracle(points), atol=1e-6)


@pytest.mark.parametrize("axis_count", [1, 2, 3])
def test_points_outside_count_as_being_at_the_end(axis_count: int, rng: np.random.Generator) -> None:
    axes = some_axes(axis_count, rng)
    row = rng.normal(size=grid_size(axes))
    low, high = (np.array([axis.nodes[end] for axis in axes]) for end in (0, -1))
    points = rng.uniform(low - 2.0, high + 2.0, (200, axis_count))
    inside = np.clip(points, low, high)
    assert (points != inside).any()
    np.testing.assert_array_equal(interpolate(axes, row, points), interpolate(axes, row, inside))


@pytest.mark.parametrize("axis_count", [1, 2, 3])
def test_nodes_have_their_own_values_exactly(axis_count: int, rng: np.random.Generator) -> None:
    axes = some_axes(axis_count, rng)
    row = rng.normal(size=grid_size(axes))
    np.testing.assert_array_equal(interpolate(axes, row, grid_points(axes)), row)


def test_the_last_axis_is_the_fastest() -> None:
    axes = (Axis("slow", np.array([0.0, 1.0])), Axis("fast", np.array([0.0, 1.0, 2.0])))
    np.testing.assert_array_equal(corner_steps(axes), [3, 1])
    np.testing.assert_array_equal(grid_points(axes), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])


def test_points_of_any_leading_shape_give_corners_of_that_shape(rng: np.random.Generator) -> None:
    axes = some_axes(2, rng)
    corners = find_corners(axes, rng.uniform(0.0, 3.0, (4, 3, 2)))
    assert corners.first.shape == (4, 3)
    assert corners.shares.shape == (4, 3, 2)
    assert corners.shares.min() >= 0.0
    assert corners.shares.max() <= 1.0
