"""The pelvis balances over the feet."""

from __future__ import annotations

import numpy as np

from motionfields.motion.samples.pelvis import PENDULUM_RATE, balanced_path


def test_a_body_over_a_fixed_point_stays_there() -> None:
    pressure = np.tile([0.3, -0.2], (200, 1))
    np.testing.assert_allclose(balanced_path(pressure, 1.0 / 60.0), pressure, atol=1e-12)


def test_the_path_obeys_the_inverted_pendulum() -> None:
    frame_time = 1.0 / 240.0
    time = np.arange(2000) * frame_time
    pressure = np.stack([0.05 * np.sin(3.0 * time), 0.8 * time], axis=-1)
    path = balanced_path(pressure, frame_time)
    acceleration = np.diff(path, n=2, axis=0) / frame_time**2
    expected = PENDULUM_RATE**2 * (path - pressure)[1:-1]
    np.testing.assert_allclose(acceleration[600:-600], expected[600:-600], atol=2e-3)


def test_the_body_moves_before_the_pressure_does() -> None:
    pressure = np.where(np.arange(240) < 120, 0.0, 0.1)[:, None] * np.ones(2)
    path = balanced_path(pressure, 1.0 / 60.0)[:, 0]
    assert path[110] > 0.01
    assert np.all(np.diff(path) > -1e-12)
