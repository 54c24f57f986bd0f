"""Characters from skinned glTF files: the same body from files that differ, bound to motion, and hostile files."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import GltfError, SkeletonError
from motionfields.motion.clip import Clip
from motionfields.motion.clip.retargeting import retarget
from motionfields.motion.formats import format_glb, read_gltf
from motionfields.motion.formats.character import Character, load_character, read_character
from tests.motion.formats.characters import (
    character_file,
    numbers,
    packed,
    parsed,
    png,
    renamed,
    shuffled_names,
    walk_clip,
)

REPO = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def walk() -> Clip:
    return walk_clip()


@pytest.fixture(scope="module")
def plain(walk: Clip) -> Character:
    return read_character(character_file(walk.skeleton), path="hero.glb")


@pytest.fixture(scope="module")
def textured(walk: Clip) -> Character:
    return read_character(character_file(walk.skeleton, textured=True))


def test_a_plain_file_is_read_as_it_was_written(walk: Clip, plain: Character) -> None:
    assert plain.name == "hero"
    assert plain.skeleton.names == walk.skeleton.names
    np.testing.assert_allclose(plain.skeleton.offsets[1:], walk.skeleton.offsets[1:], atol=1e-6)
    [surface] = plain.surfaces
    document, buffer = parsed(format_glb(walk))
    written = numbers(document, buffer, document["meshes"][0]["primitives"][0]["attributes"]["POSITION"])
    np.testing.assert_allclose(surface.positions, written - document["nodes"][0]["translation"], atol=1e-5)
    assert plain.looks.materials[0]["pbrMetallicRoughness"]["roughnessFactor"] == 0.7


@pytest.mark.parametrize(
    "differing",
    [
        {"unit": 0.01},
        {"rolled": True},
        {"posed": True},
        {"yaw": 180.0},
        {"yaw": 37.0, "rolled": True, "unit": 100.0},
        {"posed": True, "rolled": True, "unit": 0.01},
    ],
)
def test_unit_axes_roll_and_pose_of_a_file_make_no_difference(
    differing: dict[str, Any], walk: Clip, plain: Character
) -> None:
    other = read_character(character_file(walk.skeleton, **differing))
    np.testing.assert_allclose(other.skeleton.offsets, plain.skeleton.offsets, atol=1e-5)
    for name in ("positions", "normals", "weights", "joints", "triangles"):
        np.testing.assert_allclose(getattr(other.surfaces[0], name), getattr(plain.surfaces[0], name), atol=2e-5)


@pytest.mark.parametrize("rig", ["Mixamo", "VRM", "Unreal", "SMPL"])
def test_motion_moves_the_vertices_of_every_rig_alike(rig: str, walk: Clip, plain: Character) -> None:
    character = read_character(character_file(renamed(walk.skeleton, rig), rolled=True, unit=0.01))
    moved = retarget(walk, character.skeleton)
    np.testing.assert_allclose(moved.world().positions, walk.world().positions, atol=1e-4)
    np.testing.assert_allclose(skinned(character, moved, 17), skinned(plain, walk, 17), atol=1e-3)


def skinned(character: Character, clip: Clip, frame: int) -> FloatArray:
    """The vertices of the first surface at a frame, by linear blending."""
    world = clip.world()
    surface = character.surfaces[0]
    rest = np.zeros((clip.skeleton.joint_count, 3))
    for joint in range(1, clip.skeleton.joint_count):
        rest[joint] = rest[clip.skeleton.parents[joint]] + clip.skeleton.offsets[joint]
    made = np.zeros_like(surface.positions)
    for place in range(4):
        joints = surface.joints[:, place]
        turn = Rotation.from_quat(world.rotations[frame, joints], scalar_first=True)
        moved = turn.apply(surface.positions - rest[joints]) + world.positions[frame, joints]
        made += surface.weights[:, place, np.newaxis] * moved
    return made


def test_a_written_character_has_its_motion_mesh_and_picture(walk: Clip, textured: Character, tmp_path: Path) -> None:
    mf.save_clip(walk, tmp_path / "out.glb", character=textured)
    data = (tmp_path / "out.glb").read_bytes()
    back = read_character(data)
    np.testing.assert_allclose(back.surfaces[0].positions, textured.surfaces[0].positions, atol=1e-5)
    places = [one.surfaces[0].texture_places for one in (back, textured)]
    assert places[0] is not None and places[1] is not None  # noqa: PT018
    np.testing.assert_allclose(places[0], places[1], atol=1e-6)
    assert back.looks == textured.looks
    assert back.looks.images[0].data == png()
    motion = read_gltf(data)
    assert motion.frame_count == walk.frame_count
    np.testing.assert_allclose(motion.root_position, walk.root_position, atol=1e-5)
    assert data == format_glb(walk, character=textured)


@pytest.mark.skipif(
    shutil.which("node") is None or not (REPO / "studio/web/node_modules/gltf-validator").exists(),
    reason="no Node or no gltf-validator: run scripts/build_studio",
)
def test_the_validator_has_nothing_to_say(walk: Clip, plain: Character, textured: Character, tmp_path: Path) -> None:
    for name, character in (("plain", plain), ("textured", textured)):
        mf.save_clip(walk, tmp_path / f"{name}.glb", character=character)
    files = sorted(tmp_path.iterdir())
    command = ["node", str(REPO / "scripts" / "validate_gltf.mjs"), *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    for one in map(json.loads, run.stdout.splitlines()):
        assert (one["errors"], one["warnings"], one["infos"], one["hints"]) == (0, 0, 0, 0), one
    assert run.returncode == 0, run.stderr


def test_a_character_needs_motion_of_its_own_skeleton(walk: Clip, plain: Character, tmp_path: Path) -> None:
    with pytest.raises(SkeletonError, match="retarget the clip to the character first"):
        format_glb(mf.rescale(walk, 1.2), character=plain)
    with pytest.raises(mf.FormatError, match="BVH files hold no character"):
        mf.save_clip(walk, tmp_path / "x.bvh", character=plain)


def test_meshes_that_hang_from_a_joint_move_with_it(walk: Clip, plain: Character) -> None:
    document, buffer = parsed(character_file(walk.skeleton, rolled=True, unit=0.01))
    head = walk.skeleton.index("Head")
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    hat = {"primitives": [{"attributes": {"POSITION": attributes["POSITION"]}}]}
    document["meshes"].append(hat)
    document["nodes"].append({"mesh": 1, "scale": [0.1] * 3})
    document["nodes"][head].setdefault("children", []).append(len(document["nodes"]) - 1)
    document["nodes"].append({"mesh": 1, "name": "scenery"})
    count = document["accessors"][attributes["POSITION"]]["count"]
    document["accessors"][attributes["POSITION"]]["count"] = count - count % 3  # without indices: whole triangles
    for name in ("NORMAL", "JOINTS_0", "WEIGHTS_0"):
        document["accessors"][attributes[name]]["count"] = count - count % 3
    document["meshes"][0]["primitives"][0].pop("indices")
    character = read_character(packed(document, buffer))
    assert character.notes == ("1 mesh that no joint carries left out",)
    assert len(character.surfaces) == 2
    worn = character.surfaces[1]
    assert np.all(worn.joints[:, 0] == head)
    assert np.all(worn.weights == (1.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d.pop("skins"), "expected a mesh that is bound to a skeleton"),
        (lambda d: d["meshes"][0]["primitives"][0].update(attributes={}), "expected POSITION"),
        (lambda d: d["meshes"][0]["primitives"][0].update(mode=1), "expected a mesh that is bound to the skeleton"),
        (lambda d: d["meshes"][0]["primitives"][0].update(material=7), "material: expected a whole number"),
        (lambda d: d["accessors"][d["meshes"][0]["primitives"][0]["indices"]].update(count=4), "expected triangles"),
        (lambda d: d["accessors"][1].update(count=5), "NORMAL: expected|vertices below 5"),
        (lambda d: d["accessors"][0].update(count=10**9), "more numbers than the file has bytes|reach beyond"),
        (lambda d: d["images"][0].update(bufferView=0), "expected PNG or JPEG"),
        (lambda d: d["images"][0].update(bufferView=99), "expected one of"),
        (lambda d: (d["images"][0].pop("bufferView"), d["images"][0].update(uri="http://x/y.png")), "inside the file"),
        (lambda d: d["textures"][0].update(source=5), "expected one of 1 images"),
        (lambda d: d["samplers"][0].update(wrapS=1), "wrapS: expected one of"),
        (lambda d: d["materials"][0].update(alphaMode="GLASS"), "alphaMode: expected one of"),
        (lambda d: d["materials"][0].update(pbrMetallicRoughness=[1]), "pbrMetallicRoughness: expected an object"),
        (lambda d: d.update(extensionsRequired=["KHR_draco_mesh_compression"]), "export it without compression"),
        (lambda d: d["nodes"][0].update(scale=[0, 1, 1]), "has no size at rest"),
    ],
)
def test_broken_files_are_refused(change: Any, reason: str, walk: Clip) -> None:
    document, buffer = parsed(character_file(walk.skeleton, textured=True))
    change(document)
    with pytest.raises(GltfError, match=f"hero.glb: .*({reason})"):
        read_character(packed(document, buffer), path="hero.glb")


def test_pictures_are_bounded_by_their_headers(walk: Clip) -> None:
    document, buffer = parsed(character_file(walk.skeleton, textured=True))
    view = document["bufferViews"][document["images"][0]["bufferView"]]
    buffer[view["byteOffset"] + 16 : view["byteOffset"] + 24] = b"\x00\x01\x00\x00\x00\x01\x00\x00"
    with pytest.raises(GltfError, match="at most 67108864 pixels, got 65536 x 65536"):
        read_character(packed(document, buffer))


def test_characters_without_known_legs_and_other_files_are_refused(walk: Clip, tmp_path: Path) -> None:
    with pytest.raises(SkeletonError, match="no left hip"):
        read_character(shuffled_names(character_file(walk.skeleton)))
    with pytest.raises(mf.FormatError, match="expected a character as a skinned"):
        load_character(tmp_path / "hero.fbx")
    with pytest.raises(mf.FormatError, match="no such file"):
        load_character(tmp_path / "hero.glb")
