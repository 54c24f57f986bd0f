"""The skeleton that all clips of a database share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.field.database.building import common_bones
from motionfields.motion.samples import sample_skeleton


def test_a_skeleton_with_equal_sides_stays_as_it_is() -> None:
    """So clips on it need no fitting, and the build report mentions no change of bones."""
    skeleton = sample_skeleton()
    bones = common_bones(skeleton, "walk", mirrored=True)
    assert bones.skeleton is skeleton
    assert bones.change == 0.0


def test_a_left_shank_2_cm_longer_changes_both_shanks_by_1_cm() -> None:
    skeleton = sample_skeleton()
    left, right = skeleton.index("LeftFoot"), skeleton.index("RightFoot")
    offsets = skeleton.offsets.copy()
    offsets[left, 1] -= 0.02
    bones = common_bones(replace(skeleton, offsets=offsets), "limp", mirrored=True)
    assert bones.change == pytest.approx(0.01)
    expected = skeleton.offsets.copy()
    expected[[left, right], 1] -= 0.01
    np.testing.assert_allclose(bones.skeleton.offsets, expected, atol=1e-12)
