"""Joining two motions: the first until the join, the second in the end, no jump between."""

from __future__ import annotations

import numpy as np

from motionfields.base.geometry import quat_from_yaw
from motionfields.motion.samples.splice import Join

TIME = np.arange(0.0, 2.0, 1.0 / 240.0)
JOIN = Join(TIME, at=0.8, within=0.4)


def test_the_first_motion_holds_until_the_join_and_the_second_from_the_end_of_the_fade() -> None:
    first, second = np.sin(3.0 * TIME), 0.2 + np.cos(2.0 * TIME)
    joined = JOIN.over(first, second)
    np.testing.assert_array_equal(joined[TIME <= 0.8], first[TIME <= 0.8])
    np.testing.assert_allclose(joined[TIME >= 1.2], second[TIME >= 1.2], atol=1e-12)


def test_value_speed_and_acceleration_go_on_without_a_jump() -> None:
    first, second = np.sin(3.0 * TIME), 0.2 + np.cos(2.0 * TIME)
    joined = JOIN.over(np.stack([first, second], axis=-1), np.stack([second, first], axis=-1))
    acceleration = np.diff(joined, n=2, axis=0) * 240.0**2
    assert np.abs(np.diff(acceleration, axis=0)).max() < 0.06 * np.ptp(acceleration)


def test_motions_that_agree_at_the_join_are_only_put_together() -> None:
    first = TIME**2
    second = first + np.where(TIME > 0.8, (TIME - 0.8) ** 4, 0.0)
    np.testing.assert_allclose(JOIN.over(first, second), second, atol=1e-4)


def test_rotations_about_one_axis_are_joined_as_their_angles() -> None:
    first, second = 0.3 * np.sin(3.0 * TIME), 0.2 + 0.4 * np.cos(2.0 * TIME)
    joined = JOIN.over_rotations(quat_from_yaw(first)[:, None], quat_from_yaw(second)[:, None])
    np.testing.assert_allclose(joined[:, 0], quat_from_yaw(JOIN.over(first, second)), atol=1e-9)
