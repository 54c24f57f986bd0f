"""Legs reach from hip to ankle without stretching."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_rotate
from motionfields.motion.samples.feet import FootTrack
from motionfields.motion.samples.legs import ankle_position, place_leg

THIGH, SHANK = 0.42, 0.415
TOE_OFFSET = np.array([0.0, -0.04, 0.118])


def _foot(rng: np.random.Generator, count: int) -> FootTrack:
    toe = rng.uniform([-0.15, 0.03, -0.2], [0.15, 0.15, 0.35], (count, 3))
    yaw, pitch = rng.uniform(-0.6, 0.6, (2, count))
    return FootTrack(toe, yaw, pitch, np.zeros(count), np.ones(count, dtype=bool))


def _hips(count: int) -> FloatArray:
    return np.tile([0.0, 0.8, 0.0], (count, 1))


def test_bones_keep_their_lengths_and_end_at_the_ankle(rng: np.random.Generator) -> None:
    foot = _foot(rng, 200)
    ankle, hip = ankle_position(foot, TOE_OFFSET), _hips(200)
    leg = place_leg(hip, ankle, thigh=THIGH, shank=SHANK, foot=foot, knee_yaw=foot.yaw)
    knee = hip + quat_rotate(leg.world_from_thigh, np.array([0.0, -THIGH, 0.0]))
    reached = knee + quat_rotate(leg.world_from_shank, np.array([0.0, -SHANK, 0.0]))
    np.testing.assert_allclose(reached, ankle, atol=1e-9)
    toe = ankle + quat_rotate(leg.world_from_foot, TOE_OFFSET)
    np.testing.assert_allclose(toe, foot.toe, atol=1e-12)


def test_the_knee_bends_to_the_front(rng: np.random.Generator) -> None:
    foot = _foot(rng, 200)
    ankle, hip = ankle_position(foot, TOE_OFFSET), _hips(200)
    leg = place_leg(hip, ankle, thigh=THIGH, shank=SHANK, foot=foot, knee_yaw=foot.yaw)
    knee = hip + quat_rotate(leg.world_from_thigh, np.array([0.0, -THIGH, 0.0]))
    front = np.stack([np.sin(foot.yaw), np.zeros(200), np.cos(foot.yaw)], axis=-1)
    middle = hip + THIGH / (THIGH + SHANK) * (ankle - hip)
    assert np.all(((knee - middle) * front).sum(axis=-1) > 0.0)


def test_an_ankle_out_of_reach_is_refused(rng: np.random.Generator) -> None:
    foot = _foot(rng, 3)
    far = ankle_position(foot, TOE_OFFSET) - np.array([0.0, 1.0, 0.0])
    with pytest.raises(ValueError, match="ankle"):
        place_leg(_hips(3), far, thigh=THIGH, shank=SHANK, foot=foot, knee_yaw=foot.yaw)
