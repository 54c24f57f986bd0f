"""The body as segments: what each weighs, whose each joint is, and the turns between them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_angle, quat_conjugate, quat_identity, quat_normalize, quat_rotate
from motionfields.motion.body import Arm, Body, Leg, find_body
from motionfields.motion.formats import load_clip
from motionfields.motion.skeleton import Skeleton, forward_kinematics
from motionfields.runtime.physics import SegmentedBody
from motionfields.runtime.physics.segments import DENSITY, LIMBS, TRUNK, mean_rotations
from tests.control.training.small import small_field


def random_poses(skeleton: Skeleton, count: int, rng: np.random.Generator) -> FloatArray:
    """Poses in which every joint, the rigid ones too, is turned any way."""
    return quat_normalize(rng.normal(size=(count, skeleton.joint_count, 4)))


def part_masses(body: SegmentedBody) -> dict[tuple[str, str | None], float]:
    """Shares of the body's mass of each part and side."""
    masses: dict[tuple[str, str | None], float] = {}
    for segment in body.segments:
        key = (segment.part, segment.side)
        masses[key] = masses.get(key, 0.0) + segment.mass / body.mass
    return masses


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return small_field().database.skeleton


@pytest.fixture(scope="module")
def captured(locomotion: list[Path]) -> tuple[Skeleton, FloatArray]:
    """A skeleton of captured motion, and poses of it."""
    clip = load_clip(locomotion[0])
    return clip.skeleton, clip.rotations[::40]


def test_the_segments_weigh_what_the_body_does(skeleton: Skeleton, biped: Skeleton) -> None:
    for body in (SegmentedBody(skeleton), SegmentedBody(skeleton, mass=50.0), SegmentedBody(biped)):
        np.testing.assert_allclose(sum(segment.mass for segment in body.segments), body.mass, rtol=1e-12)
    assert SegmentedBody(skeleton, mass=50.0).mass == 50.0


def test_a_grown_person_weighs_as_much_as_its_legs_are_long(skeleton: Skeleton) -> None:
    # Thigh and shank of 0.835 m are 49.1 % of 1.70 m; 23 kg/m2 makes that 66.5 kg.
    assert SegmentedBody(skeleton).mass == pytest.approx(23.0 * (0.835 / 0.491) ** 2, rel=1e-9)


def test_a_full_body_has_the_shares_of_mass_in_the_table(skeleton: Skeleton) -> None:
    masses = part_masses(SegmentedBody(skeleton))
    assert masses["thigh", "left"] == pytest.approx(0.1416, abs=2e-4)
    table = {**{part: inertia.mass for part, inertia in LIMBS.items()}, **TRUNK}
    assert 2.0 * sum(inertia.mass for inertia in LIMBS.values()) + sum(TRUNK.values()) == pytest.approx(1.0, abs=1e-3)
    for (part, _), share in masses.items():
        assert share == pytest.approx(table[part], rel=1e-3), part
    assert {part for part, _ in masses} == set(table)


def test_left_weighs_as_much_as_right(skeleton: Skeleton, biped: Skeleton) -> None:
    for body in (SegmentedBody(skeleton), SegmentedBody(biped)):
        masses = part_masses(body)
        for (part, side), share in masses.items():
            if side == "left":
                assert share == pytest.approx(masses[part, "right"], rel=1e-12), part


def test_a_capsule_of_flesh_weighs_what_its_segment_does(skeleton: Skeleton) -> None:
    for segment in SegmentedBody(skeleton).segments:
        length = float(np.linalg.norm(segment.end - segment.start))
        volume = np.pi * segment.radius**2 * length + 4.0 / 3.0 * np.pi * segment.radius**3
        assert volume * DENSITY == pytest.approx(segment.mass, rel=1e-9)


def assert_every_joint_has_an_owner(skeleton: Skeleton) -> None:
    body = SegmentedBody(skeleton)
    assert body.joints[0] == 0
    assert body.parents[0] == -1
    assert (body.parents[1:] < np.arange(1, len(body.joints))).all()
    for joint in range(skeleton.joint_count):
        segment = body.segment_of(joint)
        assert body.joints[segment] == body.owner[joint]
        above = joint
        while above != body.owner[joint]:
            assert above not in body.joints
            above = int(skeleton.parents[above])


def test_every_joint_has_an_owner_and_segments_come_after_their_parents(skeleton: Skeleton, biped: Skeleton) -> None:
    assert_every_joint_has_an_owner(skeleton)
    assert_every_joint_has_an_owner(biped)


def test_so_it_is_with_a_captured_skeleton(captured: tuple[Skeleton, FloatArray]) -> None:
    assert_every_joint_has_an_owner(captured[0])


def test_collar_bones_and_toes_are_part_of_what_they_sit_on(skeleton: Skeleton) -> None:
    body = SegmentedBody(skeleton)
    for rigid, owner in (("LeftShoulder", "Spine2"), ("RightToeBase", "RightFoot")):
        assert body.owner[skeleton.index(rigid)] == skeleton.index(owner)
        assert skeleton.index(rigid) not in body.joints


def test_turns_of_any_pose_give_the_pose_back(skeleton: Skeleton, biped: Skeleton, rng: np.random.Generator) -> None:
    for each in (skeleton, biped):
        poses = random_poses(each, 50, rng)
        body = SegmentedBody(each, rotations=poses[:10])
        assert quat_angle(body.rotations(body.turns(poses), poses), poses).max() < 1e-6
        np.testing.assert_allclose(body.rotations(body.turns(poses), poses), poses, atol=1e-12)


def test_poses_from_any_turns_have_those_turns(skeleton: Skeleton, rng: np.random.Generator) -> None:
    body, poses = SegmentedBody(skeleton), random_poses(skeleton, 50, rng)
    turns = quat_normalize(rng.normal(size=(50, len(body.joints), 4)))
    made = body.rotations(turns, poses)
    np.testing.assert_allclose(body.turns(made), turns, atol=1e-12)
    rigid = np.setdiff1d(np.arange(skeleton.joint_count), body.joints)
    np.testing.assert_array_equal(made[:, rigid], poses[:, rigid])


def test_captured_poses_come_back_from_their_turns(
    captured: tuple[Skeleton, FloatArray], rng: np.random.Generator
) -> None:
    skeleton, poses = captured
    body = SegmentedBody(skeleton, rotations=poses)
    assert len(body.joints) < skeleton.joint_count
    for each in (poses, random_poses(skeleton, 30, rng)):
        np.testing.assert_allclose(body.rotations(body.turns(each), each), each, atol=1e-12)


def test_turns_are_how_segments_stand_to_each_other_in_the_world(skeleton: Skeleton, rng: np.random.Generator) -> None:
    body, poses = SegmentedBody(skeleton), random_poses(skeleton, 20, rng)
    world = forward_kinematics(skeleton, np.zeros((20, 3)), poses).rotations[:, body.joints]
    axes = np.broadcast_to(rng.normal(size=3), (*world.shape[:-1], 3))
    here = quat_rotate(world, axes)
    turned = quat_rotate(body.turns(poses), axes)
    np.testing.assert_allclose(turned[:, 0], here[:, 0], atol=1e-12)
    parents = body.parents[1:]
    np.testing.assert_allclose(quat_rotate(world[:, parents], turned[:, 1:]), here[:, 1:], atol=1e-12)


def assert_places_are_true(skeleton: Skeleton, data: FloatArray, rng: np.random.Generator) -> None:
    body = SegmentedBody(skeleton, rotations=data)
    pose = random_poses(skeleton, 1, rng)[0]
    rigid = np.setdiff1d(np.arange(skeleton.joint_count), body.joints)
    pose[rigid] = mean_rotations(data)[rigid]
    world = forward_kinematics(skeleton, rng.normal(size=3), pose)
    for joint in range(skeleton.joint_count):
        point, owner = rng.normal(size=3), body.owner[joint]
        place = world.positions[joint] + quat_rotate(world.rotations[joint], point)
        expected = quat_rotate(quat_conjugate(world.rotations[owner]), place - world.positions[owner])
        np.testing.assert_allclose(body.place_in_segment(joint, point), expected, atol=1e-9)
    for segment, joint in enumerate(body.joints.tolist()[1:], start=1):
        before = body.joints[body.parents[segment]]
        offset = quat_rotate(quat_conjugate(world.rotations[before]), world.positions[joint] - world.positions[before])
        np.testing.assert_allclose(body.places[joint], offset, atol=1e-9)


def test_places_in_segments_are_where_forward_kinematics_puts_them(
    skeleton: Skeleton, biped: Skeleton, rng: np.random.Generator
) -> None:
    for each in (skeleton, biped):
        assert_places_are_true(each, random_poses(each, 10, rng), rng)


def test_so_they_are_in_a_captured_skeleton(captured: tuple[Skeleton, FloatArray], rng: np.random.Generator) -> None:
    assert_places_are_true(*captured, rng)


def test_bones_end_where_the_next_segments_begin(skeleton: Skeleton) -> None:
    body = SegmentedBody(skeleton)
    by_name = {skeleton.names[segment.joint]: segment for segment in body.segments}
    np.testing.assert_array_equal(by_name["LeftUpLeg"].end, skeleton.offsets[skeleton.index("LeftLeg")])
    hips = [skeleton.offsets[leg.hip] for leg in body.body.legs]
    np.testing.assert_array_equal([by_name["Hips"].start, by_name["Hips"].end], hips)
    thigh = by_name["LeftUpLeg"]
    np.testing.assert_allclose(thigh.centre, 0.4095 * thigh.end)
    np.testing.assert_allclose(by_name["Head"].centre, 0.5 * by_name["Head"].end)


def test_the_balls_of_the_feet_are_the_toe_joints_or_the_ankles(skeleton: Skeleton) -> None:
    body = SegmentedBody(skeleton)
    toes = [skeleton.offsets[leg.toe] for leg in body.body.legs]
    np.testing.assert_allclose(body.balls, toes, atol=1e-15)
    legs = [Leg(leg.hip, leg.knee, leg.ankle, leg.ankle) for leg in body.body.legs]
    np.testing.assert_array_equal(SegmentedBody(skeleton, body=Body(legs[0], legs[1])).balls, np.zeros((2, 3)))


def test_a_skeleton_without_arms_has_segments(biped: Skeleton, rng: np.random.Generator) -> None:
    body = SegmentedBody(biped)
    assert {segment.part for segment in body.segments} >= {"pelvis", "thigh", "shank", "foot"}
    assert not {segment.part for segment in body.segments} & {"upper arm", "forearm", "hand"}
    assert min(segment.mass for segment in body.segments) > 0.0
    poses = random_poses(biped, 5, rng)
    np.testing.assert_allclose(body.rotations(body.turns(poses), poses), poses, atol=1e-12)


def test_legs_alone_are_a_body_too(biped: Skeleton) -> None:
    found = find_body(biped)
    body = SegmentedBody(biped, body=Body(found.left_leg, found.right_leg))
    assert [segment.part for segment in body.segments] == ["pelvis", *["thigh", "shank", "foot"] * 2]
    assert (body.owner[[biped.index(name) for name in ("Spine", "Head", "Extra")]] == 0).all()
    assert sum(segment.mass for segment in body.segments) == pytest.approx(body.mass)


def test_one_arm_is_enough(skeleton: Skeleton) -> None:
    whole = find_body(skeleton)
    body = SegmentedBody(skeleton, body=Body(whole.left_leg, whole.right_leg, left_arm=whole.left_arm))
    arms = [segment.side for segment in body.segments if segment.part == "upper arm"]
    assert arms == ["left"]
    assert isinstance(whole.left_arm, Arm)
    assert body.owner[skeleton.index("RightHand")] == skeleton.index("Spine2")


def test_a_skeleton_whose_legs_are_not_found_is_refused() -> None:
    stick = Skeleton(("Root", "Top"), np.array([-1, 0]), np.zeros((2, 3)))
    with pytest.raises(SkeletonError, match="no left hip"):
        SegmentedBody(stick)


def test_the_mean_of_one_pose_is_that_pose(skeleton: Skeleton, rng: np.random.Generator) -> None:
    pose = random_poses(skeleton, 1, rng)
    assert quat_angle(mean_rotations(pose), pose[0]).max() < 1e-6
    swung = quat_normalize(np.array([[[1.0, 0.2, 0.0, 0.0]], [[1.0, -0.2, 0.0, 0.0]]]))
    np.testing.assert_allclose(np.abs(mean_rotations(swung)), quat_identity(1), atol=1e-9)
