from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import IntArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_exp
from motionfields.motion import quality
from motionfields.motion.body import find_body, find_pairs
from motionfields.motion.clip import Clip, fit_skeleton, mirror, symmetric_skeleton
from motionfields.motion.formats import load_clip
from motionfields.motion.samples import sample_skeleton
from motionfields.motion.skeleton import Skeleton, tip_positions

FLIP = np.array([-1.0, 1.0, 1.0])


def toes(clip: Clip) -> list[int]:
    return [leg.toe for leg in find_body(clip.skeleton).legs]


def assert_mirrors(clip: Clip) -> None:
    """Every joint of the image is where its partner was, mirrored; twice is the identity."""
    image = mirror(clip)
    world, mirrored = clip.world(), image.world()
    for joint, name in enumerate(clip.skeleton.names):
        other = name.replace("Left", "*").replace("Right", "Left").replace("*", "Right")
        if other[0] in "LR" and other[1].isupper():
            other = {"L": "R", "R": "L"}[other[0]] + other[1:]
        np.testing.assert_allclose(
            mirrored.positions[:, joint], world.positions[:, clip.skeleton.index(other)] * FLIP, atol=1e-9
        )
    twice = mirror(image)
    assert twice.skeleton.matches(clip.skeleton, tolerance=0.0)
    np.testing.assert_allclose(twice.rotations, clip.rotations, atol=1e-12)
    np.testing.assert_array_equal(twice.root_position, clip.root_position)


def test_the_mirror_image_is_exact_and_twice_is_the_identity(wobble: Clip) -> None:
    assert_mirrors(wobble)
    tips = [tip_positions(clip.skeleton, clip.world()) for clip in (wobble, mirror(wobble))]
    np.testing.assert_allclose(tips[1][:, 0], tips[0][:, 1] * FLIP, atol=1e-9)


def test_on_a_symmetric_skeleton_the_image_keeps_the_skeleton(wobble: Clip) -> None:
    even = symmetric_skeleton(wobble.skeleton)
    image = mirror(replace(wobble, skeleton=even))
    assert image.skeleton.matches(even, tolerance=1e-12)


def test_a_knee_that_is_overextended_bends_forwards_when_its_leg_is_shortened() -> None:
    skeleton = sample_skeleton()
    leg, count = find_body(skeleton).left_leg, 60
    angles = np.zeros((count, skeleton.joint_count, 3))
    angles[:, leg.hip, 0] = -0.1
    angles[:, leg.knee, 0] = 0.06 + 0.08 * np.sin(np.linspace(0.0, 12.0, count))  # at times 0.02 beyond straight
    clip = Clip(skeleton, np.tile([0.0, 0.9, 0.0], (count, 1)), quat_exp(angles), 1.0 / 30.0)
    offsets = skeleton.offsets.copy()
    offsets[leg.knee] *= 1.01
    fitted = fit_skeleton(clip, replace(skeleton, offsets=offsets)).world().positions
    own = clip.world().positions
    hip, knee, ankle = (fitted[:, joint] for joint in (leg.hip, leg.knee, leg.ankle))
    assert (np.cross(knee - hip, ankle - knee)[:, 0] > 0.0).all()  # bent about +x, as a knee is
    jumps = [np.linalg.norm(np.diff(track, n=2, axis=0), axis=1).max() for track in (own[:, leg.knee], knee)]
    assert jumps[1] < jumps[0] + 0.01


def test_fitting_other_bones_keeps_the_balls_of_the_feet_in_place(wobble: Clip) -> None:
    fitted = fit_skeleton(mirror(wobble), wobble.skeleton)
    assert fitted.skeleton is wobble.skeleton
    joints = toes(wobble)
    expected = mirror(wobble).world().positions[:, joints]
    np.testing.assert_allclose(fitted.world().positions[:, joints], expected, atol=1e-6)


def test_fitting_to_its_own_skeleton_changes_nothing(wobble: Clip) -> None:
    fitted = fit_skeleton(wobble, wobble.skeleton)
    np.testing.assert_allclose(fitted.world().positions, wobble.world().positions, atol=1e-6)


def test_a_leg_too_short_lowers_the_pelvis_smoothly(wobble: Clip) -> None:
    skeleton = wobble.skeleton
    offsets = skeleton.offsets.copy()
    offsets[[2, 3]] *= 0.97
    fitted = fit_skeleton(wobble, replace(skeleton, offsets=offsets))
    np.testing.assert_allclose(
        fitted.world().positions[:, toes(wobble)], wobble.world().positions[:, toes(wobble)], atol=1e-6
    )
    drop = wobble.root_position[:, 1] - fitted.root_position[:, 1]
    assert 0.0 < drop.max() < 0.05
    assert np.abs(np.diff(drop)).max() < 0.003


def test_pairs_can_be_given_and_are_checked(wobble: Clip) -> None:
    skeleton = wobble.skeleton
    renamed = replace(skeleton, names=tuple(n.replace("Left", "Port").replace("Right", "Star") for n in skeleton.names))
    clip = replace(wobble, skeleton=renamed)
    pairs = {n: n.replace("Port", "Star") for n in renamed.names if n.startswith("Port")}
    np.testing.assert_allclose(mirror(clip, pairs=pairs).rotations, mirror(wobble).rotations)
    with pytest.raises(SkeletonError, match="one pair only"):
        mirror(clip, pairs={"PortLeg": "StarLeg", "PortFoot": "StarLeg"})
    with pytest.raises(SkeletonError, match="no partner found for LeftUpLeg"):
        mirror(wobble, pairs={})
    with pytest.raises(SkeletonError, match="left and right differ above"):
        mirror(
            wobble,
            pairs={"LeftUpLeg": "RightLeg", "LeftLeg": "RightUpLeg", "LeftFoot": "RightToeBase"}
            | {"LeftToeBase": "RightFoot"},
        )


def test_fitting_refuses_other_joints(wobble: Clip) -> None:
    with pytest.raises(SkeletonError, match="joints and hierarchy"):
        fit_skeleton(wobble, Skeleton(("a",), np.array([-1]), np.zeros((1, 3))))


def test_captured_walks_mirror_with_their_feet_on_the_floor(locomotion: list[Path]) -> None:
    for path in locomotion:
        clip = load_clip(path)
        assert_mirrors(clip)
        image = mirror(clip)
        goal = image.world().positions[:, toes(clip)]
        for skeleton, source in ((clip.skeleton, image), (symmetric_skeleton(clip.skeleton), image)):
            fitted = fit_skeleton(source, skeleton)
            assert np.abs(fitted.world().positions[:, toes(clip)] - goal).max() < 1e-3
            assert np.abs(fitted.root_position - image.root_position).max() < 0.012


def test_a_mirrored_turn_goes_the_other_way_by_the_same_angle(locomotion: list[Path]) -> None:
    clip = load_clip(next(path for path in locomotion if path.stem == "69_22"))
    fitted = fit_skeleton(mirror(clip), clip.skeleton)
    turns = [float(np.degrees(np.diff(quality.facing_yaw(c)[[0, -1]])[0])) for c in (clip, mirror(clip), fitted)]
    assert turns[0] < -80.0
    assert turns[1] == pytest.approx(-turns[0], abs=0.1)
    assert turns[2] == pytest.approx(-turns[0], abs=0.1)


def with_roll_bone(clip: Clip) -> Clip:
    """`clip` with a joint halfway between the left hip and knee that twists by 0.3 radians."""
    skeleton, knee = clip.skeleton, clip.skeleton.index("LeftLeg")

    def moved(joints: IntArray) -> IntArray:
        return np.where(joints >= knee, joints + 1, joints)

    parents = np.insert(moved(skeleton.parents), knee, knee - 1)
    parents[knee + 1] = knee
    offsets = np.insert(skeleton.offsets, knee, 0.5 * skeleton.offsets[knee], axis=0)
    offsets[knee + 1] *= 0.5
    names = (*skeleton.names[:knee], "LeftUpLegRoll", *skeleton.names[knee:])
    longer = Skeleton(names, parents, offsets, moved(skeleton.tip_joints), skeleton.tip_offsets)
    return replace(clip, skeleton=longer, rotations=np.insert(clip.rotations, knee, quat_exp([0.0, 0.3, 0.0]), axis=1))


def test_fitting_refuses_legs_with_a_joint_between_and_names_it(wobble: Clip) -> None:
    clip = with_roll_bone(wobble)
    with pytest.raises(SkeletonError, match="LeftUpLegRoll lies between LeftUpLeg and LeftLeg"):
        fit_skeleton(clip, clip.skeleton)


def test_a_vertebra_called_l5_stays_in_the_middle(wobble: Clip) -> None:
    names = tuple({"Spine": "L5", "Head": "L3"}.get(name, name) for name in wobble.skeleton.names)
    image = mirror(replace(wobble, skeleton=replace(wobble.skeleton, names=names)))
    np.testing.assert_array_equal(image.rotations, mirror(wobble).rotations)


def test_a_joint_paired_with_itself_stays_in_the_middle(wobble: Clip) -> None:
    names = tuple("LeftoverL" if name == "Extra" else name for name in wobble.skeleton.names)
    clip = replace(wobble, skeleton=replace(wobble.skeleton, names=names))
    with pytest.raises(SkeletonError, match="no partner found for LeftoverL"):
        mirror(clip)
    image = mirror(clip, pairs={**find_pairs(clip.skeleton), "LeftoverL": "LeftoverL"})
    np.testing.assert_array_equal(image.rotations, mirror(wobble).rotations)
