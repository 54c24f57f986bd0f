"""Footwork: every measure on a motion whose value is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_from_axis_angle, quat_from_yaw, quat_identity, quat_multiply
from motionfields.motion import footwork
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.planting import Stance, measure_stance
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton

RATE = 30.0
LEFT_HIP, LEFT_ANKLE, RIGHT_HIP, RIGHT_ANKLE, RIGHT_TOE = 1, 3, 5, 7, 8


def posed(biped: Skeleton, count: int, root: FloatArray | None = None) -> Clip:
    """The rest pose for `count` frames, with the root at `root` [frame, 3]."""
    place = np.tile(biped.offsets[0], (count, 1)) if root is None else root
    return Clip(biped, place, quat_identity(count, biped.joint_count), 1.0 / RATE)


def turned(clip: Clip, joint: int, rotations: FloatArray) -> Clip:
    changed = np.array(clip.rotations)
    changed[:, joint] = rotations
    return replace(clip, rotations=changed)


def standing(clip: Clip) -> Stance:
    """The stance of the first frame of `clip`."""
    heights, legs = clip.world().positions[0, :, 1], find_body(clip.skeleton).legs
    toes = heights[[leg.toe for leg in legs]]
    return Stance(toes, heights[[leg.ankle for leg in legs]] - toes)


def lifted(clip: Clip, hip: int, frames: slice) -> Clip:
    """`clip` with the leg of `hip` swung forward, and with it its foot up, in `frames`."""
    angles = np.zeros(clip.frame_count)
    angles[frames] = -1.0
    return turned(clip, hip, quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), angles))


def test_the_foot_nearer_to_its_own_standing_height_supports(biped: Skeleton) -> None:
    clip = posed(biped, 6)
    stance = standing(clip)
    np.testing.assert_array_equal(footwork.lower_foot(clip, stance), 0)  # both stand, a tie
    np.testing.assert_array_equal(footwork.lower_foot(lifted(clip, LEFT_HIP, slice(2, 4)), stance), [0, 0, 1, 1, 0, 0])
    np.testing.assert_array_equal(footwork.lower_foot(lifted(clip, RIGHT_HIP, slice(2, 4)), stance), 0)


def test_a_foot_that_is_carried_along_has_the_speed_of_the_root(biped: Skeleton) -> None:
    root = np.tile(biped.offsets[0], (20, 1))
    root[:, 0] += 0.3 * 0.8 * np.arange(20) / RATE
    root[:, 2] += 0.3 * 0.6 * np.arange(20) / RATE
    root[:, 1] += 0.01 * np.sin(np.arange(20))  # up and down does not count
    clip = posed(biped, 20, root)
    np.testing.assert_allclose(footwork.lower_foot_speed(clip, standing(clip)), 0.3)
    fast = posed(biped, 20, root * 40.0)
    np.testing.assert_allclose(footwork.lower_foot_speed(fast, standing(clip)), 12.0)  # there is no cap


def test_only_the_supporting_foot_counts(biped: Skeleton) -> None:
    clip = posed(biped, 40)
    stance = standing(clip)
    swing = quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), -0.5 - 0.3 * np.sin(np.arange(40)))
    swung = turned(clip, RIGHT_HIP, swing)
    np.testing.assert_allclose(footwork.lower_foot_speed(swung, stance), 0.0, atol=1e-12)
    np.testing.assert_allclose(footwork.foot_spin(swung, stance), 0.0, atol=1e-12)
    both = turned(swung, LEFT_HIP, quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), np.full(40, -1.2)))
    assert footwork.lower_foot_speed(both, stance).max() > 1.0  # now the right foot is the lower one


def test_a_pivot_on_the_ball_spins_and_does_not_slide(biped: Skeleton) -> None:
    clip = posed(biped, 30)
    yaw = np.radians(90.0) * np.arange(30) / RATE
    ball = clip.world().positions[0, RIGHT_TOE]
    arm = biped.offsets[0] - ball
    turns = quat_from_yaw(yaw)
    root = ball + np.stack(
        [arm[0] * np.cos(yaw) + arm[2] * np.sin(yaw), np.full(30, arm[1]), arm[2] * np.cos(yaw) - arm[0] * np.sin(yaw)],
        axis=-1,
    )
    pivot = lifted(turned(replace(clip, root_position=root), 0, turns), LEFT_HIP, slice(None))
    stance = standing(clip)
    np.testing.assert_allclose(footwork.lower_foot_speed(pivot, stance), 0.0, atol=1e-9)
    np.testing.assert_allclose(footwork.foot_spin(pivot, stance), np.radians(90.0))
    np.testing.assert_array_equal(footwork.turning_frames(pivot), True)


def test_a_foot_that_tips_does_not_spin(biped: Skeleton) -> None:
    clip = posed(biped, 20)
    tip = quat_from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.05 * np.arange(20))
    aside = quat_from_yaw(np.full(20, 0.4))
    tipped = turned(turned(clip, LEFT_ANKLE, quat_multiply(aside, tip)), RIGHT_ANKLE, tip)
    np.testing.assert_allclose(footwork.foot_spin(tipped, standing(clip)), 0.0, atol=1e-9)


def test_turning_frames_are_those_over_60_degrees_per_second(biped: Skeleton) -> None:
    for degrees, turns in ((59.0, False), (61.0, True)):
        yaw = quat_from_yaw(-np.radians(degrees) * np.arange(40) / RATE)
        np.testing.assert_array_equal(footwork.turning_frames(turned(posed(biped, 40), 0, yaw)), turns)


def test_the_torso_twists_against_the_pelvis() -> None:
    clip = generate_samples(only=["walk_forward"])[0].clip
    body = find_body(clip.skeleton)
    still = replace(clip, rotations=np.tile(quat_identity(clip.skeleton.joint_count), (clip.frame_count, 1, 1)))
    np.testing.assert_allclose(footwork.torso_twist(still), 0.0, atol=1e-9)
    whole = turned(still, 0, quat_from_yaw(np.full(still.frame_count, 3.0)))
    np.testing.assert_allclose(footwork.torso_twist(whole), 0.0, atol=1e-9)
    assert body.left_arm is not None
    joint = body.left_arm.shoulder
    while clip.skeleton.parents[joint] != 0:  # the lowest joint of the spine
        joint = int(clip.skeleton.parents[joint])
    twisted = turned(whole, joint, quat_from_yaw(np.full(still.frame_count, 0.2)))
    np.testing.assert_allclose(footwork.torso_twist(twisted), 0.2, atol=1e-9)


def test_a_body_without_arms_does_not_twist(biped: Skeleton) -> None:
    body: Body = find_body(biped)
    assert body.left_arm is None
    np.testing.assert_array_equal(footwork.torso_twist(posed(biped, 5), body=body), np.zeros(5))


def test_a_jump_of_over_3_cm_is_airborne(biped: Skeleton) -> None:
    clip = posed(biped, 6)
    root = np.array(clip.root_position)
    root[:, 1] += [0.0, 0.029, 0.031, 0.2, 0.031, 0.0]
    jump = replace(clip, root_position=root)
    np.testing.assert_array_equal(footwork.airborne(jump, standing(clip)), [False, False, True, True, True, False])
    one_leg = lifted(clip, LEFT_HIP, slice(None))
    assert not footwork.airborne(one_leg, standing(clip)).any()
    on_heels = Stance(standing(clip).toe_heights - 0.05, standing(clip).heel_heights + 0.05)
    assert not footwork.airborne(clip, on_heels).any()  # the balls are up, the ankles at their standing height


def test_braking_steps_are_the_landings_before_the_character_stands(biped: Skeleton) -> None:
    root = np.tile(biped.offsets[0], (60, 1))
    root[:, 2] += 0.9 / RATE * np.minimum(np.arange(60), 40)  # walks to frame 40
    clip = posed(biped, 60, root)
    contacts = np.ones((60, 2), np.bool_)
    contacts[0:12, 0] = contacts[14:22, 1] = contacts[24:32, 0] = contacts[44:50, 1] = False
    assert footwork.braking_steps(clip, contacts, stop=10) == 3  # at 12, 22 and 32; at 50 it stands already
    assert footwork.braking_steps(clip, contacts, stop=13) == 2
    assert footwork.braking_steps(clip, contacts, stop=45) == 1  # slow, but on one foot until 50
    walking = posed(biped, 60, root + np.outer(np.arange(60), [0.0, 0.0, 1.0 / RATE]))
    assert footwork.braking_steps(walking, contacts, stop=10) is None
    for stop in (-1, 60):
        with pytest.raises(ValueError, match="stop: expected a frame from 0 to 59"):
            footwork.braking_steps(clip, contacts, stop=stop)


def test_a_generated_walk_steps_and_does_not_slide() -> None:
    clip = generate_samples(only=["walk_forward"])[0].clip
    stance = measure_stance(clip)
    assert footwork.lower_foot_speed(clip, stance).mean() < 0.05
    assert not footwork.airborne(clip, stance).any()
    assert len(footwork.foot_spin(clip, stance)) == clip.frame_count - 1
