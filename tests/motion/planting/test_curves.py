"""The easing curves: fades, soft limits and the damped spring."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.motion.planting.curves import damped, fading, smoothstep, soft_positive


def test_a_fade_starts_with_its_value_and_slope_and_ends_at_rest() -> None:
    step = 1e-5
    assert fading(0.0, 0.3, -2.0) == 0.3
    assert (fading(step, 0.3, -2.0) - 0.3) / step == pytest.approx(-2.0, abs=1e-3)
    assert fading(1.0, 0.3, -2.0) == 0.0
    assert abs(fading(1.0 - 1e-3, 0.3, -2.0)) < 1e-6


def test_a_soft_positive_part_is_the_hard_one_outside_its_softness_and_never_less() -> None:
    x = np.linspace(-0.05, 0.05, 101)
    soft = np.array([soft_positive(value, 0.01) for value in x])
    outside = np.abs(x) >= 0.01
    np.testing.assert_array_equal(soft[outside], np.maximum(x, 0.0)[outside])
    assert np.all(soft >= np.maximum(x, 0.0))
    assert np.diff(soft, n=2).min() > -1e-12


def test_a_smoothstep_goes_from_0_to_1() -> None:
    assert [smoothstep(x) for x in (-1.0, 0.0, 0.5, 1.0, 2.0, np.inf)] == [0.0, 0.0, 0.5, 1.0, 1.0, 1.0]


def test_the_spring_does_not_depend_on_the_frame_rate_and_lags_a_moving_goal_by_its_duration() -> None:
    coarse = damped(0.0, 0.5, 1.0, 0.2, 0.1)
    fine = (0.0, 0.5)
    for _ in range(10):
        fine = damped(*fine, 1.0, 0.2, 0.01)
    np.testing.assert_allclose(fine, coarse, rtol=1e-12)
    value, rate = 0.0, 0.0
    for frame in range(2000):
        value, rate = damped(value, rate, 0.3 * frame * 1e-3, 0.2, 1e-3)
    assert 0.3 * 1999e-3 - value == pytest.approx(0.3 * 0.2, rel=0.02)
