"""One leg: a case worked by hand, and the compiled solver against the plain one of `motionfields.motion.legs`."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import quat_from_axis_angle, quat_identity, quat_normalize
from motionfields.motion.legs import solve_leg
from motionfields.motion.planting import FootPlanter, Stance
from motionfields.motion.planting.limb import FootGoal, bent_shank, find_limb, lacking_height, pose_leg, raise_heel
from motionfields.motion.skeleton import Skeleton, forward_kinematics

STANCE = Stance(np.array([0.0, 0.0]), np.array([0.05, 0.06]))


def test_a_leg_of_two_equal_bones_bends_by_a_right_angle_to_span_their_diagonal() -> None:
    thigh, shank, left = (0.0, -1.0, 0.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0)
    bent = bent_shank(thigh, shank, left, np.sqrt(2.0))
    np.testing.assert_allclose(bent, (0.0, 0.0, -1.0), atol=1e-12)
    np.testing.assert_allclose(bent_shank(thigh, shank, left, 5.0), (0.0, -1.0, 0.0), atol=1e-7)


def test_a_hip_one_metre_up_over_a_leg_of_five_quarters_sinks_by_what_pythagoras_says() -> None:
    assert lacking_height((0.0, 1.25, 0.0), (0.75, 0.0, 0.0), 1.25) == pytest.approx(0.25)
    assert lacking_height((0.0, 0.5, 0.0), (0.75, 0.0, 0.0), 1.25) == pytest.approx(-0.5)


def test_a_rising_heel_brings_the_ankle_within_reach_and_keeps_the_foot_long() -> None:
    hip, toe, arm = (0.0, 1.0, 0.0), (0.0, 0.0, 0.14), (0.0, 0.05, -0.13)
    raised, reached = raise_heel(hip, toe, arm, 0.93, 0.95)
    ankle = np.add(toe, raised)
    assert reached
    assert np.linalg.norm(np.subtract(hip, ankle)) <= 0.93 + 1e-9
    assert np.linalg.norm(raised) == pytest.approx(np.linalg.norm(arm))
    assert raised[1] > arm[1]
    assert raise_heel(hip, toe, arm, 1.2, 1.2) == (arm, True)
    assert not raise_heel((0.0, 3.0, 0.0), toe, arm, 0.93, 0.95)[1]


def test_the_compiled_leg_agrees_with_the_plain_solver(biped: Skeleton, rng: np.random.Generator) -> None:
    planter = FootPlanter(biped, STANCE, frame_time=1.0 / 30.0)
    rig = planter.rig
    for side, (hip, knee, ankle, toe) in enumerate(rig.joints.tolist()):
        for _ in range(20):
            rotations = quat_identity(biped.joint_count)
            rotations[[0, hip]] = quat_normalize(np.array([1.0, 0.0, 0.0, 0.0]) + 0.2 * rng.normal(size=(2, 4)))
            rotations[knee] = quat_from_axis_angle(rig.hinges[side], rng.uniform(0.7, 1.2))
            worlds = np.empty((biped.joint_count, 4))
            limb = find_limb(rig, side, (0.0, 0.9, 0.0), rotations, worlds)
            world = forward_kinematics(biped, np.array([0.0, 0.9, 0.0]), rotations)
            np.testing.assert_allclose(limb.toe, world.positions[toe], atol=1e-12)
            target = world.positions[ankle] + rng.uniform(-0.03, 0.03, 3)
            plain = solve_leg(
                world.positions[hip],
                target,
                world_from_thigh=world.rotations[hip],
                world_from_shank=world.rotations[knee],
                knee_offset=biped.offsets[knee],
                ankle_offset=biped.offsets[ankle],
                bend_axis=rig.hinges[side],
            )
            still = (1.0, 0.0, 0.0, 0.0)
            pose_leg(rig, side, limb, limb.hip, FootGoal(tuple(target), still, still), worlds, rotations)
            solved = forward_kinematics(biped, np.array([0.0, 0.9, 0.0]), rotations)
            np.testing.assert_allclose(solved.positions[ankle], target, atol=1e-9)
            for joint, expected in ((hip, plain.world_from_thigh), (knee, plain.world_from_shank)):
                assert abs(solved.rotations[joint] @ expected) == pytest.approx(1.0, abs=1e-9)
            np.testing.assert_allclose(solved.rotations[toe], world.rotations[toe], atol=1e-9)


def test_a_leg_at_its_goal_keeps_the_signs_of_its_rotations(biped: Skeleton, rng: np.random.Generator) -> None:
    """A quaternion and its negative are the same rotation; whichever the animation uses, the solver returns it."""
    rig, still = FootPlanter(biped, STANCE, frame_time=1.0 / 30.0).rig, (1.0, 0.0, 0.0, 0.0)
    for side, (_, knee, _, _) in enumerate(rig.joints.tolist()):
        for _ in range(20):
            rotations = quat_normalize(rng.normal(size=(biped.joint_count, 4)))
            rotations[knee] = rng.choice([-1.0, 1.0]) * quat_from_axis_angle(rig.hinges[side], rng.uniform(0.7, 1.2))
            given, worlds = rotations.copy(), np.empty((biped.joint_count, 4))
            limb = find_limb(rig, side, (0.0, 0.9, 0.0), rotations, worlds)
            pose_leg(rig, side, limb, limb.hip, FootGoal(limb.ankle, still, still), worlds, rotations)
            np.testing.assert_allclose(rotations, given, atol=1e-6)
