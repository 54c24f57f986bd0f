from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_between, quat_conjugate, quat_multiply, quat_normalize, quat_rotate
from motionfields.motion import quality
from motionfields.motion.body import find_body
from motionfields.motion.clip import RIGS, Clip, map_joints, rescale, retarget
from motionfields.motion.clip.retargeting import transfer
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.formats import load_clip
from motionfields.motion.skeleton import Skeleton


def standing_heights(clip: Clip) -> FloatArray:
    """How high the balls of the left and the right foot are, in metres, while they stand."""
    contacts = detect_contacts(clip)
    height = clip.world().positions[:, [leg.toe for leg in find_body(clip.skeleton).legs], 1]
    return np.array([np.median(height[contacts[:, foot], foot]) for foot in range(2)])


def reordered(skeleton: Skeleton, order: list[int]) -> Skeleton:
    place = np.argsort(order)
    parents = [-1 if skeleton.parents[joint] < 0 else place[skeleton.parents[joint]] for joint in order]
    names = tuple(skeleton.names[joint] for joint in order)
    return Skeleton(names, np.array(parents), skeleton.offsets[order], place[skeleton.tip_joints], skeleton.tip_offsets)


def test_on_its_own_skeleton_a_clip_stays_as_it_is(wobble: Clip) -> None:
    same = retarget(wobble, wobble.skeleton)
    np.testing.assert_allclose(same.root_position, wobble.root_position, atol=1e-9)
    np.testing.assert_allclose(same.world().positions, wobble.world().positions, atol=1e-6)
    assert same.name == wobble.name
    assert same.skeleton is wobble.skeleton


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_a_scaled_body_makes_exactly_the_scaled_way(wobble: Clip, factor: float) -> None:
    scaled = rescale(wobble, factor)
    moved = retarget(wobble, scaled.skeleton)
    np.testing.assert_allclose(moved.root_position, factor * wobble.root_position, atol=1e-9)
    np.testing.assert_allclose(moved.world().positions, scaled.world().positions, atol=1e-6)


def test_joints_are_matched_by_name_in_any_order(wobble: Clip) -> None:
    order = [0, 9, 10, 11, 5, 6, 7, 8, 1, 2, 3, 4]
    skeleton = reordered(wobble.skeleton, order)
    moved = retarget(wobble, skeleton)
    assert moved.skeleton.names == skeleton.names
    np.testing.assert_allclose(moved.world().positions, wobble.world().positions[:, order], atol=1e-6)


def test_a_joint_of_another_name_is_dropped_and_its_place_stays_at_rest(wobble: Clip) -> None:
    names = tuple("Antenna" if name == "Extra" else name for name in wobble.skeleton.names)
    moved = transfer(wobble, replace(wobble.skeleton, names=names))
    assert (moved.match.joints.dropped, moved.match.joints.at_rest) == (("Extra",), ("Antenna",))
    np.testing.assert_array_equal(moved.clip.rotations[:, names.index("Antenna")], [[1.0, 0.0, 0.0, 0.0]] * 120)
    np.testing.assert_allclose(moved.clip.world().positions, wobble.world().positions, atol=1e-6)


def test_names_say_which_joint_is_which(wobble: Clip) -> None:
    names = tuple("Antenna" if name == "Extra" else name for name in wobble.skeleton.names)
    moved = transfer(wobble, replace(wobble.skeleton, names=names), names={"Extra": "Antenna"})
    assert ("Extra", "Antenna") in moved.match.joints.pairs
    np.testing.assert_allclose(moved.clip.world().rotations, one_sign(moved.clip, wobble), atol=1e-6)


def test_what_names_say_goes_before_equal_names(wobble: Clip) -> None:
    joints = map_joints(wobble.skeleton, wobble.skeleton, names={"Extra": "Head"})
    assert ("Extra", "Head") in joints.pairs
    assert (joints.dropped, joints.at_rest) == (("Head",), ("Extra",))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"Nose": "Head"}, "the clip's skeleton has no joint 'Nose'; it has Hips, "),
        ({"Head": "Nose"}, "the target skeleton has no joint 'Nose'; it has Hips, "),
        ({"Head": "Extra", "Spine": "Extra"}, "expected each joint in one pair, got Spine = Extra in addition"),
    ],
)
def test_wrong_names_are_refused_with_the_right_ones(wobble: Clip, names: dict[str, str], words: str) -> None:
    with pytest.raises(SkeletonError, match=words):
        retarget(wobble, wobble.skeleton, names=names)


def test_on_another_parent_a_joint_turns_in_the_world_as_before(wobble: Clip) -> None:
    parents = wobble.skeleton.parents.copy()
    parents[wobble.skeleton.index("Extra")] = 0
    moved = retarget(wobble, replace(wobble.skeleton, parents=parents))
    np.testing.assert_allclose(moved.world().rotations, one_sign(moved, wobble), atol=1e-6)


def one_sign(moved: Clip, clip: Clip) -> FloatArray:
    """The world rotations of `clip` with the signs of those of `moved`."""
    wanted = clip.world().rotations
    return np.asarray(wanted * np.sign((moved.world().rotations * wanted).sum(axis=-1, keepdims=True)))


PARTS = {  # part: what it hangs on, and metres from there, in a T-pose
    "pelvis": (None, (0.0, 0.95, 0.0)),
    "low spine": ("pelvis", (0.0, 0.1, -0.01)),
    "mid spine": ("low spine", (0.0, 0.12, 0.01)),
    "chest": ("mid spine", (0.0, 0.12, 0.0)),
    "neck": ("chest", (0.0, 0.2, 0.0)),
    "head": ("neck", (0.0, 0.1, 0.02)),
    **{
        f"{side} {part}": (above if above in ("pelvis", "chest") else f"{side} {above}", (sign * x, y, z))
        for side, sign in (("left", 1.0), ("right", -1.0))
        for part, (above, (x, y, z)) in {
            "thigh": ("pelvis", (0.1, -0.05, 0.0)),
            "shank": ("thigh", (0.01, -0.42, 0.0)),
            "foot": ("shank", (0.0, -0.41, -0.02)),
            "toes": ("foot", (0.02, -0.06, 0.13)),
            "collar": ("chest", (0.05, 0.15, 0.01)),
            "upper arm": ("collar", (0.14, 0.01, -0.01)),
            "forearm": ("upper arm", (0.28, 0.0, -0.01)),
            "hand": ("forearm", (0.25, 0.01, 0.02)),
        }.items()
    },
}


def character(names: Mapping[str, str] | None = None) -> Skeleton:
    """The body of `PARTS`, its joints called by `names` or, by default, as Mixamo does."""
    called = names or {part: RIGS["Mixamo"][part][0] for part in PARTS}
    parts = list(PARTS)
    parents = np.array([-1 if above is None else parts.index(above) for above, _ in PARTS.values()])
    offsets = np.array([offset for _, offset in PARTS.values()])
    return Skeleton(tuple(called[part] for part in parts), parents, offsets)


def dance(skeleton: Skeleton, seed: int = 3) -> Clip:
    """A second of smooth made-up motion."""
    rng = np.random.default_rng(seed)
    time = np.arange(60) / 60.0
    phase, size = rng.uniform(0.0, 6.28, (2, skeleton.joint_count, 3))
    vectors = 0.03 * size * np.sin(6.28 * time[:, None, None] + phase)
    rotations = quat_normalize(np.concatenate([np.ones((*vectors.shape[:-1], 1)), vectors], axis=-1))
    root = np.stack([0.1 * time, 0.9 + 0.02 * np.sin(6.28 * time), time], axis=-1)
    return Clip(skeleton, root, rotations, 1.0 / 60.0, name="dance")


def with_rest(clip: Clip, rest: Mapping[int, FloatArray]) -> Clip:
    """The same motion of the same bones, for a rest pose in which joint j is turned in the world by `rest[j]` [4]."""
    skeleton, world = clip.skeleton, clip.world()
    turned = np.array([rest.get(joint, np.array([1.0, 0.0, 0.0, 0.0])) for joint in range(skeleton.joint_count)])
    offsets = skeleton.offsets.copy()
    offsets[1:] = quat_rotate(turned[skeleton.parents[1:]], offsets[1:])
    now = quat_multiply(world.rotations, quat_conjugate(turned))
    rotations = now.copy()
    rotations[:, 1:] = quat_multiply(quat_conjugate(now[:, skeleton.parents[1:]]), now[:, 1:])
    return replace(clip, skeleton=replace(skeleton, offsets=offsets), rotations=rotations)


def arm_rest(skeleton: Skeleton, left: float, right: float, bend: float) -> dict[int, FloatArray]:
    """Arms lowered from the T-pose by `left` and `right` radians, and elbows bent forward by `bend`."""
    rest: dict[int, FloatArray] = {}
    for side, down in (("Left", -left), ("Right", right)):
        lowered = Rotation.from_euler("z", down)
        bent = lowered * Rotation.from_euler("y", -bend if side == "Left" else bend)
        for part, turn in (("Arm", lowered), ("ForeArm", bent), ("Hand", bent)):
            rest[skeleton.index(side + part)] = turn.as_quat(scalar_first=True)
    return rest


angles = st.floats(-1.4, 1.4)


@settings(max_examples=40)
@given(left=angles, right=angles, bend=st.floats(-0.3, 1.2), seed=st.integers(0, 99))
def test_a_pose_and_t_pose_of_one_character_make_the_same_motion(
    left: float, right: float, bend: float, seed: int
) -> None:
    clip = dance(character(), seed)
    other = with_rest(clip, arm_rest(clip.skeleton, left, right, bend))
    np.testing.assert_allclose(other.world().positions, clip.world().positions, atol=1e-12)
    for source, target in ((other, clip), (clip, other)):
        moved = retarget(source, target.skeleton)
        np.testing.assert_allclose(moved.world().positions, clip.world().positions, atol=1e-6)


def test_a_rig_whose_bones_all_rest_along_one_axis_makes_the_same_motion() -> None:
    clip = dance(character())
    skeleton = clip.skeleton
    upright = Rotation.from_matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).as_quat(scalar_first=True)
    rest: dict[int, FloatArray] = {0: upright}
    for joint in range(1, skeleton.joint_count):
        below = np.flatnonzero(skeleton.parents == joint)
        bone = skeleton.offsets[below[0]] if len(below) == 1 else np.zeros(3)
        rest[joint] = quat_between(bone, [1.0, 0.0, 0.0]) if len(below) == 1 else upright
    other = with_rest(clip, rest)
    for source, target in ((other, clip), (clip, other)):
        moved = retarget(source, target.skeleton)
        np.testing.assert_allclose(moved.world().positions, clip.world().positions, atol=1e-6)


@pytest.mark.parametrize("rig", ["Mixamo", "LaFAN1", "SMPL", "VRM", "Unreal", "mixamorig:", "CMU, SMPL"])
def test_a_rig_of_other_names_makes_the_same_motion(rig: str) -> None:
    if rig == "mixamorig:":
        sides = [{part: prefix + RIGS["Mixamo"][part][0] for part in PARTS} for prefix in ("", rig)]
    else:
        first, second = rig.split(", ") if ", " in rig else ("Mixamo", rig)
        sides = [{part: RIGS[one][part][0] for part in PARTS} for one in (first, second)]
    clip, target = dance(character(sides[0])), character(sides[1])
    for source, skeleton in ((clip, target), (replace(clip, skeleton=target), clip.skeleton)):
        moved = transfer(source, skeleton)
        assert moved.match.joints.at_rest == ()
        np.testing.assert_allclose(moved.clip.world().positions, clip.world().positions, atol=1e-6)


def without(clip: Clip, name: str) -> Clip:
    """`clip` without the joint `name`, whose offset and turn go to the joints below it."""
    skeleton, gone = clip.skeleton, clip.skeleton.index(name)
    kept = [joint for joint in range(skeleton.joint_count) if joint != gone]
    parents = np.where(skeleton.parents == gone, skeleton.parents[gone], skeleton.parents)[kept]
    offsets, rotations = skeleton.offsets.copy(), clip.rotations.copy()
    for below in np.flatnonzero(skeleton.parents == gone):
        offsets[below] += offsets[gone]
        rotations[:, below] = quat_multiply(rotations[:, gone], rotations[:, below])
    names = tuple(skeleton.names[joint] for joint in kept)
    shorter = Skeleton(names, np.where(parents > gone, parents - 1, parents), offsets[kept])
    return replace(clip, skeleton=shorter, rotations=rotations[:, kept])


def test_a_joint_more_or_less_in_the_spine_changes_only_the_spine() -> None:
    clip = dance(character())
    stiff = clip.rotations.copy()
    stiff[:, clip.skeleton.index("Spine1")] = [1.0, 0.0, 0.0, 0.0]
    clip = replace(clip, rotations=stiff)
    shorter = without(clip, "Spine1")
    fewer, more = transfer(clip, shorter.skeleton), transfer(shorter, clip.skeleton)
    assert (fewer.match.joints.dropped, fewer.match.joints.at_rest) == (("Spine1",), ())
    assert (more.match.joints.dropped, more.match.joints.at_rest) == ((), ("Spine1",))
    np.testing.assert_allclose(fewer.clip.world().positions, shorter.world().positions, atol=1e-6)
    np.testing.assert_allclose(more.clip.world().positions, clip.world().positions, atol=1e-6)


def test_a_root_above_the_pelvis_comes_and_goes() -> None:
    clip = dance(character())
    own = clip.skeleton
    rooted = Skeleton(
        ("Armature", *own.names),
        np.concatenate([[-1], own.parents + 1]),
        np.concatenate([np.zeros((1, 3)), own.offsets]),
    )
    there = retarget(clip, rooted)
    np.testing.assert_allclose(there.world().positions[:, 1:], clip.world().positions, atol=1e-6)
    np.testing.assert_allclose(retarget(there, own).world().positions, clip.world().positions, atol=1e-6)


def test_a_part_that_would_turn_the_order_of_a_spine_around_is_left_out() -> None:
    cmu, smpl = (
        character({part: RIGS[rig][part][place] for part in PARTS}) for rig, place in (("CMU", 0), ("SMPL", -1))
    )
    pairs = dict(map_joints(cmu, smpl).pairs)
    assert pairs["Spine1"] == "Spine1"  # the chest of one rig, the lowest joint of the other: the same name goes first
    assert "Spine" not in pairs


def test_a_hand_is_refused_and_the_way_out_is_named(wobble: Clip) -> None:
    names = ("Wrist", "Thumb", "Index")
    hand = Skeleton(names, np.array([-1, 0, 0]), np.array([[0.0, 0.0, 0.0], [0.02, 0.0, 0.03], [0.0, 0.0, 0.09]]))
    clip = Clip(hand, np.zeros((9, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (9, 3, 1)), 1.0 / 30.0)
    with pytest.raises(SkeletonError, match=r"matches LeftUpLeg, .* Wrist, Thumb, Index: .*--map CLIP=TARGET"):
        retarget(clip, wobble.skeleton)
    with pytest.raises(SkeletonError, match=r"no left hip .* found by name among Wrist, Thumb, Index"):
        retarget(wobble, hand)


def test_a_leg_of_no_length_is_refused(wobble: Clip) -> None:
    offsets = wobble.skeleton.offsets.copy()
    offsets[[2, 3, 6, 7]] = 0.0
    with pytest.raises(SkeletonError, match="LeftUpLeg: expected a leg of positive length, got 0"):
        retarget(replace(wobble, skeleton=replace(wobble.skeleton, offsets=offsets)), wobble.skeleton)


def test_without_toes_on_one_side_ankles_are_fitted() -> None:
    clip = dance(character())
    bare = without(without(clip, "LeftToeBase"), "RightToeBase")
    for source, target in ((clip, bare), (bare, clip)):
        moved = transfer(source, target.skeleton)
        assert moved.match.body.left_leg.toe == moved.match.body.left_leg.ankle
        ankles = [one.world().positions[:, one.skeleton.index("LeftFoot")] for one in (moved.clip, clip)]
        np.testing.assert_allclose(ankles[0], ankles[1], atol=1e-6)


def leg_length(skeleton: Skeleton) -> float:
    bones = [joint for leg in find_body(skeleton).legs for joint in (leg.knee, leg.ankle)]
    return float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum()) / 2.0


@pytest.mark.parametrize("name", ["stagger_104/104_02", "load_81/81_02", "puller_18/18_01", "pulled_19/19_01"])
def test_captured_feet_stand_as_high_as_those_of_the_new_body(
    name: str, shared_data: Path, locomotion: list[Path]
) -> None:
    own = load_clip(next(path for path in locomotion if path.stem == "69_05"))
    clip = load_clip(shared_data / "perturbation" / f"{name}.bvh")
    moved = retarget(clip, own.skeleton)
    ratio = leg_length(own.skeleton) / leg_length(clip.skeleton)
    np.testing.assert_allclose(standing_heights(moved), ratio * standing_heights(clip), atol=2e-3)
    np.testing.assert_allclose(standing_heights(moved), standing_heights(own), atol=0.02)
    assert quality.root_speed(moved).mean() == pytest.approx(ratio * quality.root_speed(clip).mean(), rel=0.02)
    assert quality.jerk(moved).mean() < 1.1 * ratio * quality.jerk(clip).mean()
