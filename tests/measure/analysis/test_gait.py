from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.geometry import quat_from_axis_angle, quat_from_yaw, quat_multiply
from motionfields.measure.analysis import gait_cycles, leg_angles
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton

RIGHTWARD = np.array([1.0, 0.0, 0.0])  # a turn about +x takes the leg, which hangs down, backwards


@pytest.fixture
def straight() -> Clip:
    """One frame of legs that hang straight down, with feet level and forwards; hip, knee, ankle, ball on each side."""
    names = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "RightUpLeg", "RightLeg", "RightFoot")
    leg = np.array([[0.0, 0.0, 0.0], [0.0, -0.4, 0.0], [0.0, -0.4, 0.0], [0.0, 0.0, 0.1]])
    offsets = np.concatenate([[[0.0, 0.9, 0.0]], leg, leg])
    offsets[[1, 5], 0] = 0.1, -0.1
    skeleton = Skeleton((*names, "RightToeBase"), np.array([-1, 0, 1, 2, 3, 0, 5, 6, 7]), offsets)
    return Clip(skeleton, np.array([[0.0, 0.9, 0.0]]), np.tile([1.0, 0.0, 0.0, 0.0], (1, 9, 1)), 0.01)


def _turned(clip: Clip, joint: int, degrees: float) -> Clip:
    rotations = clip.rotations.copy()
    rotations[:, joint] = quat_from_axis_angle(RIGHTWARD, np.radians(degrees))
    return replace(clip, rotations=rotations)


def test_straight_legs_with_level_feet_have_no_flexion(straight: Clip) -> None:
    np.testing.assert_allclose(leg_angles(straight), np.zeros((1, 2, 3)), atol=1e-12)


def test_each_joint_counts_its_own_turn_with_the_stated_sign(straight: Clip) -> None:
    forwards = np.degrees(leg_angles(_turned(straight, 1, -30.0)))
    np.testing.assert_allclose(forwards[0], [[30.0, 0.0, 0.0], [0.0, 0.0, 0.0]], atol=1e-9)
    bent = np.degrees(leg_angles(_turned(straight, 6, 50.0)))
    np.testing.assert_allclose(bent[0], [[0.0, 0.0, 0.0], [0.0, 50.0, 0.0]], atol=1e-9)
    toes_up = np.degrees(leg_angles(_turned(straight, 3, -20.0)))
    np.testing.assert_allclose(toes_up[0], [[0.0, 0.0, 20.0], [0.0, 0.0, 0.0]], atol=1e-9)


def test_where_the_character_faces_does_not_matter(straight: Clip) -> None:
    bent = _turned(_turned(straight, 1, -30.0), 2, 40.0)
    rotations = bent.rotations.copy()
    rotations[:, 0] = quat_multiply(quat_from_yaw(2.0), rotations[:, 0])
    np.testing.assert_allclose(leg_angles(replace(bent, rotations=rotations)), leg_angles(bent), atol=1e-12)


def test_a_foot_without_ball_or_end_site_has_no_ankle_angle(straight: Clip) -> None:
    short = [0, 1, 2, 3, 5, 6, 7]
    skeleton = straight.skeleton
    footless = Skeleton(
        tuple(skeleton.names[joint] for joint in short), np.array([-1, 0, 1, 2, 0, 4, 5]), skeleton.offsets[short]
    )
    angles = leg_angles(replace(straight, skeleton=footless, rotations=straight.rotations[:, short]))
    assert np.isnan(angles[..., 2]).all()
    np.testing.assert_allclose(angles[..., :2], 0.0, atol=1e-12)


def test_cycles_run_from_onset_to_onset() -> None:
    contacts = np.zeros(30, np.bool_)
    contacts[0:3] = contacts[5:9] = contacts[15:18] = contacts[23:30] = True
    values = np.stack([np.arange(30.0), 2.0 * np.arange(30.0)], axis=-1)
    cycles = gait_cycles(values, contacts, phase_count=5)
    np.testing.assert_allclose(cycles[..., 0], [[5.0, 7.5, 10.0, 12.5, 15.0], [15.0, 17.0, 19.0, 21.0, 23.0]])
    np.testing.assert_allclose(cycles[..., 1], 2.0 * cycles[..., 0])


def test_without_two_onsets_there_are_no_cycles() -> None:
    standing = np.ones(10, np.bool_)
    assert gait_cycles(np.zeros((10, 2, 3)), standing).shape == (0, 101, 2, 3)
    assert gait_cycles(np.zeros(10), standing, phase_count=7).shape == (0, 7)


def test_contacts_of_two_feet_at_once_are_refused() -> None:
    with pytest.raises(ValueError, match="one foot"):
        gait_cycles(np.zeros(10), np.zeros((10, 2), np.bool_))
