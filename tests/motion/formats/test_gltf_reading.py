"""glTF files as other tools write them become the motion they show."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import GltfError
from motionfields.motion.body import known_body
from motionfields.motion.clip import Clip, trim
from motionfields.motion.clip.rigs import find_rig
from motionfields.motion.formats import animation_names, format_glb, read_gltf
from motionfields.motion.formats.loading import ELSEWHERE, iter_files
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton, forward_kinematics
from tests.motion.formats.gltfs import Builder, played, rigged, xyzw

BLENDER_NAMES = {
    "Hips": "hips",
    "Spine": "spine",
    "Spine1": "spine.001",
    "Spine2": "spine.002",
    "Neck": "neck",
    "Head": "head",
    **{
        f"{side}{joint}": f"{theirs}.{side[0]}"
        for side in ("Left", "Right")
        for joint, theirs in {
            "Shoulder": "shoulder",
            "Arm": "upper_arm",
            "ForeArm": "forearm",
            "Hand": "hand",
            "UpLeg": "thigh",
            "Leg": "shin",
            "Foot": "foot",
            "ToeBase": "toe",
        }.items()
    },
}


@pytest.fixture(scope="module")
def walk() -> Clip:
    """Two seconds of walking at 30 frames a second, away from the origin."""
    clip = generate_samples(frame_rate=30.0, only=re.compile("walk_forward"))[0].clip
    return trim(clip, 30, 90)


@pytest.fixture(scope="module")
def turns(walk: Clip) -> list[Rotation]:
    """How the bones of other tools are turned at rest: any way at all."""
    return list(Rotation.random(walk.skeleton.joint_count, random_state=np.random.default_rng(3)))


def positions(clip: Clip, names: list[str]) -> FloatArray:
    """Where the joints called `names` are, [frame, joint, 3]."""
    return clip.world().positions[:, [clip.skeleton.index(name) for name in names]]


def mixamo(walk: Clip, turns: list[Rotation], *, prefix: str = "mixamorig:", skinned: bool = True) -> Builder:
    names = {name: prefix + name for name in walk.skeleton.names}
    upright = Rotation.from_euler("x", 90.0, degrees=True)
    return rigged(walk, names=names, above=upright, scale=0.01, rest_turns=turns, skinned=skinned)


def blender(walk: Clip, turns: list[Rotation]) -> Builder:
    lying = Rotation.from_euler("x", -90.0, degrees=True)
    return rigged(walk, names=BLENDER_NAMES, above=lying, scale=1.0, rest_turns=turns, ground_root=True, first_time=2.5)


@pytest.mark.parametrize("prefix", ["mixamorig:", "mixamorig", "mixamorig1:"])
@pytest.mark.parametrize("skinned", [True, False])
def test_a_file_in_the_way_of_mixamo_is_read_to_a_tenth_of_a_millimetre(
    prefix: str, skinned: bool, walk: Clip, turns: list[Rotation], tmp_path: Path
) -> None:
    builder = mixamo(walk, turns, prefix=prefix, skinned=skinned)
    (tmp_path / "Walking.glb").write_bytes(builder.glb())
    clip = mf.load_clip(tmp_path / "Walking.glb")
    names = [prefix + name for name in walk.skeleton.names]
    assert np.abs(positions(clip, names) - walk.world().positions).max() < 1e-4
    oracle = played(builder, np.arange(walk.frame_count) * walk.frame_time)
    assert np.abs(positions(clip, names) - np.stack([oracle[name] for name in names], axis=1)).max() < 1e-4
    assert clip.frame_rate == pytest.approx(30.0)
    assert clip.name == "Walking"
    assert find_rig(clip.skeleton) == "Mixamo"
    body = known_body(clip.skeleton)
    assert body is not None
    assert body.left_arm is not None
    report = clip.report
    assert report is not None
    assert (report.scale.value, report.up.value, report.facing.value) == (1.0, "+y", "+z")
    assert report.frame_rate.evidence == "keys at 60 times, 33.33 ms apart"
    assert report.warnings == ()


def test_a_file_in_the_way_of_blender_is_read_with_the_motion_of_its_root(
    walk: Clip, turns: list[Rotation], tmp_path: Path
) -> None:
    builder = blender(walk, turns)
    (tmp_path / "walk.gltf").write_bytes(builder.gltf())
    clip = mf.load_clip(tmp_path / "walk.gltf")
    names = [BLENDER_NAMES[name] for name in walk.skeleton.names]
    assert clip.skeleton.names == tuple(names)  # the joint on the ground is none of the body
    assert np.abs(positions(clip, names) - walk.world().positions).max() < 1e-4
    oracle = played(builder, 2.5 + np.arange(walk.frame_count) * walk.frame_time)
    assert np.abs(positions(clip, names) - np.stack([oracle[name] for name in names], axis=1)).max() < 1e-4
    assert known_body(clip.skeleton) is not None


def test_a_clip_comes_back_from_its_own_file(walk: Clip, tmp_path: Path) -> None:
    mf.save_clip(walk, tmp_path / "walk.glb")
    clip = mf.load_clip(tmp_path / "walk.glb")
    assert clip.skeleton.names == walk.skeleton.names
    assert np.abs(clip.world().positions - walk.world().positions).max() < 1e-5
    assert sorted(clip.skeleton.tip_joints) == sorted(walk.skeleton.tip_joints)
    np.testing.assert_allclose(clip.skeleton.offsets[1:], walk.skeleton.offsets[1:], atol=1e-6)


def test_centimetres_are_recognised_where_metres_were_meant(walk: Clip, turns: list[Rotation], tmp_path: Path) -> None:
    builder = mixamo(walk, turns)
    builder.document["nodes"][0]["scale"] = [1.0, 1.0, 1.0]
    (tmp_path / "big.glb").write_bytes(builder.glb())
    clip = mf.load_clip(tmp_path / "big.glb")
    assert clip.report is not None
    assert clip.report.scale.value == 0.01
    assert np.abs(positions(clip, ["mixamorig:Head"])[:, 0] - positions(walk, ["Head"])[:, 0]).max() < 1e-4


def about(axis: str, degrees: ArrayLike) -> Rotation:
    return Rotation.from_euler(axis, np.reshape(degrees, (-1, 1)), degrees=True)


def spinning(interpolation: str, times: list[float], values: object, path: str = "translation") -> FloatArray:
    """Where a joint at the end of a bone of 1 m is, for keys of its parent."""
    builder = Builder()
    root = builder.node("root", translation=[0.0, 1.0, 0.0])
    builder.node("end", root, translation=[1.0, 0.0, 0.0])
    builder.skin([0, 1])
    animation = builder.animation("spin")
    rows = np.reshape(np.asarray(values, dtype=np.float64), (-1, 4 if path == "rotation" else 3))
    animation.channel(root, path, builder.accessor(rows), builder.accessor(times), interpolation)
    motion = read_gltf(builder.glb())
    skeleton = Skeleton(motion.names, motion.parents, motion.offsets)
    return forward_kinematics(skeleton, motion.root_position, motion.rotations).positions


def test_lines_steps_and_splines_between_keys_are_as_the_format_says() -> None:
    quarter = xyzw(about("z", [0.0, 90.0]))
    line = spinning("LINEAR", [0.0, 1.0], quarter, "rotation")
    assert len(line) == 31  # keys far apart are read at 30 frames a second
    angles = np.radians(np.linspace(0.0, 90.0, 31))
    np.testing.assert_allclose(line[:, 1, :2], np.stack([np.cos(angles), 1.0 + np.sin(angles)], -1), atol=1e-6)
    step = spinning("STEP", [0.0, 0.5, 1.0], [[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    np.testing.assert_allclose(step[:, 0, 0], [0.0] * 15 + [1.0] * 15 + [2.0])
    in_value_out = [[0, 0, 0], [0, 0, 0], [3, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]]
    spline = spinning("CUBICSPLINE", [0.0, 1.0], in_value_out)
    u = np.linspace(0.0, 1.0, 31)
    np.testing.assert_allclose(spline[:, 0, 0], 3.0 * (u**3 - 2 * u**2 + u) + (-2 * u**3 + 3 * u**2), atol=1e-6)


def test_splines_of_rotations_are_of_unit_length() -> None:
    turn = xyzw(Rotation.from_euler("y", 80.0, degrees=True)).tolist()
    zero, one = [0.0] * 4, [0.0, 0.0, 0.0, 1.0]
    places = spinning("CUBICSPLINE", [0.0, 0.5], [zero, one, zero, zero, turn, zero], "rotation")
    np.testing.assert_allclose(np.linalg.norm(places[:, 1] - places[:, 0], axis=-1), 1.0, atol=1e-9)
    np.testing.assert_allclose(places[-1, 1] - places[-1, 0], Rotation.from_quat(turn).apply([1, 0, 0]), atol=1e-6)


def test_small_whole_numbers_stand_for_rotations(walk: Clip) -> None:
    builder = Builder()
    builder.skin([builder.node("root"), builder.node("end", 0, translation=[1, 0, 0])])
    turns = about("y", np.linspace(0.0, 170.0, 20))
    values = builder.accessor(np.round(xyzw(turns) * 32767), "<i2", normalized=True)
    builder.animation().channel(0, "rotation", values, builder.accessor(np.arange(20) / 20.0))
    motion = read_gltf(builder.glb())
    np.testing.assert_allclose(motion.rotations[:, 0], turns.as_quat(scalar_first=True), atol=1e-4)


def test_a_sparse_accessor_replaces_some_rows() -> None:
    builder = Builder()
    builder.skin([builder.node("root")])
    base = builder.accessor(np.zeros((5, 3)))
    document = builder.document
    indices, values = builder.accessor([1, 3], "<u2"), builder.accessor([[1, 2, 3], [4, 5, 6]])
    views = [document["accessors"][index]["bufferView"] for index in (indices, values)]
    document["accessors"][base]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": views[0], "componentType": 5123},
        "values": {"bufferView": views[1]},
    }
    builder.animation().channel(0, "translation", base, builder.accessor(np.arange(5) / 30.0))
    expected = np.zeros((5, 3))
    expected[[1, 3]] = [[1, 2, 3], [4, 5, 6]]
    np.testing.assert_allclose(read_gltf(builder.glb()).root_position, expected, atol=1e-5)
    del document["accessors"][base]["bufferView"]
    np.testing.assert_allclose(read_gltf(builder.glb()).root_position, expected, atol=1e-5)


def test_rows_may_stand_apart_in_their_view() -> None:
    builder = Builder()
    builder.skin([builder.node("root")])
    wide = np.arange(30.0).reshape(5, 6)
    values = builder.accessor(wide.reshape(-1, 3))
    builder.document["accessors"][values] |= {"count": 5, "byteOffset": 12}
    builder.document["bufferViews"][-1]["byteStride"] = 24
    builder.animation().channel(0, "translation", values, builder.accessor(np.arange(5) / 30.0))
    np.testing.assert_allclose(read_gltf(builder.glb()).root_position, wide[:, 3:], atol=1e-5)


def test_bones_that_stretch_keep_their_usual_length_with_a_warning() -> None:
    builder = Builder()
    root = builder.node("root")
    end = builder.node("end", root, translation=[1, 0, 0])
    builder.skin([root, end, builder.node("other", root, translation=[0, 1, 0])])
    lengths = np.ones((9, 3)) * (2.0, 0.0, 0.0)
    lengths[4] = 3.0, 0.0, 0.0
    builder.animation().channel(end, "translation", builder.accessor(lengths), builder.accessor(np.arange(9) / 30.0))
    motion = read_gltf(builder.glb())
    np.testing.assert_allclose(motion.offsets[1], [2.0, 0.0, 0.0])
    assert motion.notes[0].startswith("bones of 1 joint change length by up to 1 unit (joint 'end')")


def test_scales_that_change_are_stretching_too_and_shear_is_no_rotation() -> None:
    builder = Builder()
    root = builder.node("root", scale=[1.0, 2.0, 1.0])
    middle = builder.node("middle", root, translation=[1, 0, 0])
    builder.skin([root, middle, builder.node("end", middle, translation=[0, 1, 0])])
    turns = builder.accessor(xyzw(about("z", np.linspace(0.0, 60.0, 9))))
    builder.animation().channel(middle, "rotation", turns, builder.accessor(np.arange(9) / 30.0))
    motion = read_gltf(builder.glb())
    np.testing.assert_allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0, atol=1e-9)
    assert "change length" in motion.notes[0]


def test_what_moves_above_the_skeleton_counts(walk: Clip, turns: list[Rotation]) -> None:
    builder = mixamo(walk, turns)
    track = builder.accessor(np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, 3.0], 60))
    times = builder.accessor(np.arange(60) / 30.0)
    document = builder.document
    sampler = document["animations"][0]["samplers"]
    sampler.append({"input": times, "output": track})
    document["animations"][0]["channels"].append(
        {"sampler": len(sampler) - 1, "target": {"node": 0, "path": "translation"}}
    )
    moved, still = read_gltf(builder.glb()), read_gltf(mixamo(walk, turns).glb())
    np.testing.assert_allclose((moved.root_position - still.root_position)[-1], [0.0, 0.0, 3.0], atol=1e-6)


def several(walk: Clip, turns: list[Rotation]) -> Builder:
    """A file with three animations, of which two share a name."""
    builder = mixamo(walk, turns)
    animations = builder.document["animations"]
    animations += [{**animations[0], "name": "Armature|run/fast"}, {**animations[0]}]
    return builder


def test_a_file_of_several_animations_is_several_clips(walk: Clip, turns: list[Rotation], tmp_path: Path) -> None:
    path = tmp_path / "pack.glb"
    path.write_bytes(several(walk, turns).glb())
    names = ("mixamo.com.0", "Armature_run_fast", "mixamo.com.2")
    assert animation_names(path.read_bytes()) == names
    clips = mf.load_clips(tmp_path)
    assert [clip.name for clip in clips] == [f"pack {name}" for name in names]
    assert clips[0].report is not None
    assert clips[0].report.path == f"{path}#mixamo.com.0"
    with pytest.raises(GltfError, match="has 3 animations; add # and one of these names to the file name: mixamo"):
        mf.load_clip(path)
    one = mf.load_clip(f"{path}#Armature_run_fast")
    assert one.name == "pack Armature_run_fast"
    assert [clip.name for clip in mf.load_clips(f"{path}#mixamo.com.2")] == ["pack mixamo.com.2"]
    with pytest.raises(GltfError, match="no animation is called 'walk'; expected one of mixamo"):
        mf.load_clip(f"{path}#walk")
    assert [file.path for file in iter_files(path)] == [f"{path}#{name}" for name in names]


def test_a_character_without_animation_is_a_skeleton_without_frames(
    walk: Clip, turns: list[Rotation], tmp_path: Path
) -> None:
    builder = mixamo(walk, turns)
    builder.document["animations"] = []
    (tmp_path / "x.glb").write_bytes(builder.glb())
    clip = mf.load_clip(tmp_path / "x.glb")
    assert (clip.frame_count, clip.skeleton.joint_count) == (0, walk.skeleton.joint_count)
    assert clip.report is not None
    assert "no animation" in clip.report.warnings[0]


def test_of_several_characters_the_largest_is_read() -> None:
    builder = Builder()
    small = [builder.node("a")]
    large = [builder.node("b")]
    large.append(builder.node("c", large[0], translation=[1, 0, 0]))
    builder.skin(small)
    builder.skin(large)
    motion = read_gltf(builder.glb())
    assert motion.names == ("b", "c")
    assert "of several skeletons" in motion.notes[0]


def test_names_that_repeat_or_cannot_be_are_changed() -> None:
    builder = Builder()
    joints = [builder.node("a b")]
    joints += [builder.node(name, 0, translation=[1, 0, n]) for n, name in enumerate(["x", "x", "", "y\nz{", "x.2"])]
    builder.skin(joints)
    assert read_gltf(builder.glb()).names == ("a b", "x", "x.3", "node 3", "y_z_", "x.2")


def test_buffers_beside_the_file_are_read_in_folders_and_archives(
    walk: Clip, turns: list[Rotation], tmp_path: Path
) -> None:
    builder = mixamo(walk, turns)
    folder = tmp_path / "takes"
    (folder / "data").mkdir(parents=True)
    (folder / "walk.gltf").write_bytes(builder.gltf("data/walk%20a.bin"))
    (folder / "data" / "walk a.bin").write_bytes(builder.blob)
    expected = mf.load_clip(folder / "walk.gltf").root_position
    assert len(expected) == walk.frame_count
    np.testing.assert_array_equal(mf.load_clips(folder)[0].root_position, expected)
    np.testing.assert_array_equal(mf.load_clips(str(folder / "*.gltf"))[0].root_position, expected)
    with zipfile.ZipFile(tmp_path / "takes.zip", "w") as archive:
        archive.write(folder / "walk.gltf", "in/walk.gltf")
        archive.write(folder / "data" / "walk a.bin", "in/data/walk a.bin")
    clips = mf.load_clips(tmp_path / "takes.zip")
    np.testing.assert_array_equal(clips[0].root_position, expected)


@pytest.mark.parametrize("suffix", ELSEWHERE)
def test_files_of_other_kinds_are_refused_with_a_way_out(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"take{suffix}"
    path.write_bytes(b"Kaydara FBX Binary")
    with pytest.raises(mf.FormatError, match=f"take{suffix}: {ELSEWHERE[suffix][:20]}"):
        mf.load_clip(path)
    with pytest.raises(mf.FormatError, match=f"take{suffix}: {ELSEWHERE[suffix][:20]}"):
        mf.load_clips(path)


def test_two_readings_of_one_file_are_the_same(walk: Clip) -> None:
    data = format_glb(walk)
    assert data == format_glb(walk)
    np.testing.assert_array_equal(read_gltf(data).rotations, read_gltf(data).rotations)


def test_nodes_that_steer_others_are_no_joints(walk: Clip, turns: list[Rotation], tmp_path: Path) -> None:
    builder = blender(walk, turns)
    joints = builder.document["skins"][0]["joints"]
    helper = builder.node("ik_foot_root", joints[0])
    joints += [helper, builder.node("ik_foot_l", helper), builder.node("center_of_mass", joints[0])]
    times = builder.accessor(2.5 + np.arange(60) / 30.0)
    animation = builder.document["animations"][0]
    animation["samplers"].append({"input": times, "output": builder.accessor(np.random.default_rng(1).random((60, 3)))})
    target = {"node": helper, "path": "translation"}
    animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": target})
    (tmp_path / "x.glb").write_bytes(builder.glb())
    clip = mf.load_clip(tmp_path / "x.glb")
    assert clip.skeleton.names == tuple(BLENDER_NAMES[name] for name in walk.skeleton.names)
    assert np.abs(clip.world().positions - walk.world().positions).max() < 1e-4
    assert clip.report is not None
    assert clip.report.warnings == ()


def left_in_a_step(walk: Clip, turns: list[Rotation], *, space: str) -> Builder:
    """The way of Mixamo, with the nodes left as they stand in frame 17, and a skin made in the rest pose."""
    builder = mixamo(walk, turns, skinned=False)
    document = builder.document
    armature = np.eye(4)
    armature[:3, :3] = 0.01 * Rotation.from_euler("x", 90.0, degrees=True).as_matrix()
    rest: list[FloatArray] = []
    for number, node in enumerate(document["nodes"]):
        local = np.eye(4)
        local[:3, :3] = Rotation.from_quat(node.get("rotation", [0, 0, 0, 1])).as_matrix() * node.get("scale", 1.0)
        local[:3, 3] = node.get("translation", 0.0)
        above = [n for n, other in enumerate(document["nodes"]) if number in other.get("children", [])]
        rest.append(rest[above[0]] @ local if above else local)
    joints = list(range(1, len(rest)))
    binds = np.stack(rest[1:])
    builder.skin(joints, binds if space == "world" else np.linalg.inv(armature) @ binds)
    if space == "body":
        builder.node("Body", 0, skin=0)
    for channel in document["animations"][0]["channels"]:
        accessor = document["accessors"][document["animations"][0]["samplers"][channel["sampler"]]["output"]]
        width = {"VEC3": 3, "VEC4": 4}[accessor["type"]]
        start = document["bufferViews"][accessor["bufferView"]]["byteOffset"]
        values = np.frombuffer(builder.blob, "<f4", width * accessor["count"], start).reshape(-1, width)
        document["nodes"][channel["target"]["node"]][channel["target"]["path"]] = values[17].tolist()
    return builder


@pytest.mark.parametrize("space", ["world", "armature", "body"])
def test_nodes_left_in_a_step_do_not_matter_where_a_skin_says_how_they_stood(
    space: str, walk: Clip, turns: list[Rotation], tmp_path: Path
) -> None:
    (tmp_path / "x.glb").write_bytes(left_in_a_step(walk, turns, space=space).glb())
    clip = mf.load_clip(tmp_path / "x.glb")
    assert np.abs(clip.world().positions - walk.world().positions).max() < 1e-4
    np.testing.assert_allclose(clip.skeleton.offsets[1:], walk.skeleton.offsets[1:], atol=1e-5)


def test_a_skin_of_other_bones_is_not_believed(walk: Clip, turns: list[Rotation]) -> None:
    builder = left_in_a_step(walk, turns, space="world")
    joints = builder.document["skins"][0]["joints"]
    del builder.document["skins"]
    builder.skin(joints, np.tile(np.diag([3.0, 3.0, 3.0, 1.0]), (len(joints), 1, 1)))
    motion = read_gltf(builder.glb())
    places = forward_kinematics(
        Skeleton(motion.names, motion.parents, motion.offsets), motion.root_position, motion.rotations
    ).positions
    assert np.abs(places - walk.world().positions).max() < 1e-4
    np.testing.assert_allclose(motion.rotations[17], np.tile([1.0, 0, 0, 0], (len(joints), 1)), atol=1e-5)


def test_a_rest_pose_that_looks_aside_is_turned_ahead_and_the_motion_stays(
    walk: Clip, turns: list[Rotation], tmp_path: Path
) -> None:
    builder = mixamo(walk, turns)
    document = builder.document
    aside = Rotation.from_euler("y", 70.0, degrees=True)
    hips = document["nodes"][1]
    upright = Rotation.from_euler("x", 90.0, degrees=True)
    hips["rotation"] = xyzw(upright.inv() * aside * upright * Rotation.from_quat(hips["rotation"])).tolist()
    (tmp_path / "x.glb").write_bytes(builder.glb())
    clip = mf.load_clip(tmp_path / "x.glb")
    assert np.abs(clip.world().positions - walk.world().positions).max() < 1e-4
    np.testing.assert_allclose(clip.skeleton.offsets[1:], walk.skeleton.offsets[1:], atol=1e-5)
    assert clip.report is not None
    assert clip.report.facing.value == "+z"
