"""Layers: an arm from another motion, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.compose.layers import joints_below, with_layer
from motionfields.field import MotionField
from motionfields.motion import quality
from motionfields.motion.clip import Clip, trim


@pytest.fixture(scope="module")
def pair(field: MotionField) -> tuple[Clip, Clip]:
    clips = field.database.source_clips()
    return trim(clips[0], 0, 60), trim(clips[2], 20, 80)


def test_the_arm_comes_from_the_layer_and_the_rest_stays(pair: tuple[Clip, Clip]) -> None:
    base, other = pair
    name = next(name for name in base.skeleton.names if "Right" in name and "Arm" in name)
    found = with_layer(base, other, name, start=0.8, end=1.2, fade=0.4)
    arm = joints_below(base.skeleton, base.skeleton.index(name))
    rest = np.setdiff1d(np.arange(base.skeleton.joint_count), arm)
    np.testing.assert_array_equal(found.rotations[:, rest], base.rotations[:, rest])
    dots = np.abs((found.rotations[24:37][:, arm] * other.rotations[24:37][:, arm]).sum(axis=-1))
    np.testing.assert_allclose(dots, 1.0, atol=1e-9)
    np.testing.assert_allclose(np.abs((found.rotations[:12] * base.rotations[:12]).sum(axis=-1)), 1.0, atol=1e-9)
    assert quality.mean_jerk(found) < 1.5 * max(quality.mean_jerk(base), quality.mean_jerk(other))


def test_layers_that_do_not_fit_are_refused(pair: tuple[Clip, Clip]) -> None:
    base, other = pair
    name = base.skeleton.names[-1]
    with pytest.raises(ValueError, match="same skeleton and length"):
        with_layer(base, trim(other, 0, 30), name, start=0.0, end=1.0)
    with pytest.raises(ValueError, match="start < end"):
        with_layer(base, other, name, start=1.0, end=1.0)
    with pytest.raises(ValueError, match="below the root"):
        with_layer(base, other, base.skeleton.names[0], start=0.0, end=1.0)
