"""The springs of motion matching: what they predict is what they do, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.springs import spring_stiffness
from motionfields.control.methods.matching.prediction import predict, spring_places, spring_turns

TIMES = np.array([0.2, 0.5, 1.0])


def integrated(half_life: float, start: float, rate: float, goal: float) -> tuple[FloatArray, FloatArray]:
    """The value of a spring, and its integral, at `TIMES`, in steps of 20 microseconds."""
    y, step = spring_stiffness(half_life), 2e-5
    value, total, values, totals = start, 0.0, [], []
    for number in range(1, round(TIMES[-1] / step) + 1):
        rate += step * (y * y * (goal - value) - 2.0 * y * rate)
        total += step * value
        value += step * rate
        if np.abs(TIMES - number * step).min() < 0.5 * step:
            values.append(value)
            totals.append(total)
    return np.array(values), np.array(totals)


@pytest.mark.parametrize("half_life", [0.08, 0.27])
def test_places_are_the_integral_of_a_velocity_on_a_spring(half_life: float) -> None:
    _, places = integrated(half_life, 1.4, 0.0, -0.6)
    np.testing.assert_allclose(spring_places(TIMES, half_life) @ [1.4, -0.6], places, atol=1e-4)


@pytest.mark.parametrize("half_life", [0.08, 0.27])
def test_turns_are_what_is_left_of_an_angle_on_a_spring(half_life: float) -> None:
    left, _ = integrated(half_life, 1.1, -2.0, 0.0)
    np.testing.assert_allclose(spring_turns(TIMES, half_life) @ [1.1, -2.0], left, atol=1e-3)


def trajectory(facing: float, goal: float) -> FloatArray:
    out = np.empty(4 * len(TIMES))
    places, turns = spring_places(TIMES, 0.2), spring_turns(TIMES, 0.2)
    predict(np.array([0.1, 0.9]), 0.5, facing, (-0.7, 0.3), goal, places, turns, out)
    return out.reshape(-1, 4)


def test_a_prediction_is_place_and_facing_at_each_time() -> None:
    found = trajectory(0.2, 1.0)
    for axis, (start, goal) in enumerate(((0.1, -0.7), (0.9, 0.3))):
        np.testing.assert_allclose(found[:, axis], integrated(0.2, start, 0.0, goal)[1], atol=1e-4)
    angles, _ = integrated(0.2, 0.2, 0.5, 1.0)
    np.testing.assert_allclose(found[:, 2:], np.stack([np.sin(angles), np.cos(angles)], axis=-1), atol=1e-3)


def test_a_facing_goes_the_short_way_round() -> None:
    np.testing.assert_allclose(trajectory(3.0, -3.0), trajectory(3.0, 2.0 * np.pi - 3.0), atol=1e-12)
    np.testing.assert_allclose(trajectory(-3.0, 3.0), trajectory(-3.0, 3.0 - 2.0 * np.pi), atol=1e-12)
