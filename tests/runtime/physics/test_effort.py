"""Effort by inverse dynamics: the ground carries the weight, and moving costs more than standing."""

from __future__ import annotations

import numpy as np

from motionfields.motion.clip import Clip
from motionfields.runtime.physics.effort import measure_effort
from tests.control.training.small import small_field


def standing(frames: int) -> Clip:
    """The first pose of a take, held."""
    take = next(small_field().database.iter_source_clips())
    root = np.repeat(take.root_position[:1], frames, axis=0)
    return Clip(take.skeleton, root, np.repeat(take.rotations[:1], frames, axis=0), take.frame_time)


def test_the_ground_carries_the_weight_of_a_standing_body() -> None:
    found = measure_effort(standing(5), np.ones((5, 2), np.bool_))
    np.testing.assert_allclose(found.support, 1.0, atol=1e-6)
    assert (found.squares > 0.0).all()
    assert np.ptp(found.squares) < 1e-6


def test_a_body_that_is_lifted_needs_the_force_of_its_acceleration() -> None:
    clip = standing(9)
    times = clip.frame_time * np.arange(9)
    root = clip.root_position.copy()
    root[:, 1] += 0.5 * 2.0 * times**2  # 2 m/s2 upwards, without a change of pose
    lifted = Clip(clip.skeleton, root, clip.rotations, clip.frame_time)
    found = measure_effort(lifted, np.ones((9, 2), np.bool_))
    np.testing.assert_allclose(found.support, 1.0 + 2.0 / 9.81, atol=1e-6)
    assert found.squares[4] > measure_effort(clip, np.ones((9, 2), np.bool_)).squares[4]


def test_without_contacts_nothing_carries() -> None:
    found = measure_effort(standing(4), np.zeros((4, 2), np.bool_))
    np.testing.assert_array_equal(found.support, 0.0)


def test_walking_is_carried_by_its_feet() -> None:
    field = small_field()
    take = next(field.database.iter_source_clips())
    end = int(field.database.clip_starts[1])
    votes = field.state_votes[:end] >= 0.5
    found = measure_effort(take, np.concatenate([votes, votes[-1:]]))
    carried = found.support[np.concatenate([votes, votes[-1:]]).any(axis=1)]
    assert 0.8 < carried.mean() < 1.2
    assert np.isfinite(found.squares).all()
