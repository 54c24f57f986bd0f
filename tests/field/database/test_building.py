"""The skeleton that all clips of a database share, and the report of a build."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionfields.base.geometry import quat_from_yaw, quat_identity
from motionfields.field.database import MotionDatabase
from motionfields.field.database.building import common_bones
from motionfields.field.database.report import TURNING_EDGES
from motionfields.motion.clip import Clip
from motionfields.motion.samples import sample_skeleton
from motionfields.motion.skeleton import Skeleton


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


def turning(skeleton: Skeleton, rate: float) -> Clip:
    """Return two seconds at 60 Hz of `skeleton` turning on the spot by `rate` degrees per second; the spine sways."""
    time = np.arange(121) / 60.0
    rotations = np.repeat(quat_identity(skeleton.joint_count)[np.newaxis], len(time), axis=0)
    rotations[:, 0] = quat_from_yaw(np.radians(rate) * time)
    rotations[:, skeleton.index("Spine")] = quat_from_yaw(0.1 * np.sin(6.0 * time))
    root = np.repeat(skeleton.offsets[:1], len(time), axis=0)
    return Clip(skeleton, root, rotations, 1.0 / 60.0, name="turning")


@pytest.mark.parametrize("rate", [45.0, -45.0])
def test_the_report_counts_turns_to_either_side(rate: float, biped: Skeleton) -> None:
    report = MotionDatabase.build([turning(biped, rate)], mirror=False).report
    expected = [float(low <= 45.0 < high) for low, high in pairwise(TURNING_EDGES)]
    assert list(report.turning) == expected


@pytest.mark.parametrize("frame_rate", [20.0, 30.0])
def test_the_report_gives_the_frame_rate_of_the_database(frame_rate: float, biped: Skeleton) -> None:
    report = MotionDatabase.build([turning(biped, 45.0)], frame_rate=frame_rate, mirror=False).report
    assert report.frame_rate == pytest.approx(frame_rate)
    assert report.seconds == pytest.approx(2.0)
