"""glTF files that we write: sound by the validator of Khronos, and the motion by other readers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.world import Box, Disc, Room
from motionfields.motion.clip import Clip, trim
from motionfields.motion.formats import format_crowd_glb, format_glb, read_gltf
from motionfields.motion.formats._figure_mesh import figure_mesh, stature_of
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton

REPO = Path(__file__).resolve().parents[3]
VALIDATOR = REPO / "scripts" / "validate_gltf.mjs"
ROOM = Room((-3.0, -3.0, 3.0, 3.0), (Box(1.0, 0.0, 2.0, 0.5, 0.3), Disc(-1.0, 0.0, 0.4)))
needs_validator = pytest.mark.skipif(
    shutil.which("node") is None or not (REPO / "studio/web/node_modules/gltf-validator").exists(),
    reason="no Node or no gltf-validator: run scripts/build_studio",
)


@pytest.fixture(scope="module")
def walk() -> Clip:
    return generate_samples(frame_rate=30.0, only=re.compile("walk_forward"))[0].clip


def clips(walk: Clip) -> dict[str, Clip]:
    """Clips that differ in what a file has."""
    lone = Skeleton(("only",), np.array([-1]), np.zeros((1, 3)))
    chain = Skeleton(tuple(f"j{n}" for n in range(300)), np.arange(-1, 299), np.full((300, 3), 0.02))
    still = np.tile([1.0, 0.0, 0.0, 0.0], (2, 300, 1))
    return {
        "a walk": walk,
        "one frame": trim(walk, 0, 1),
        "no frames": trim(walk, 0, 0),
        "one joint": Clip(lone, np.zeros((2, 3)), still[:, :1], 0.01),
        "300 joints that never turn": Clip(chain, np.zeros((2, 3)), still, 0.01, name="\u00e9t\u00e9"),
    }


@needs_validator
def test_the_validator_has_nothing_to_say(walk: Clip, tmp_path: Path) -> None:
    for name, clip in clips(walk).items():
        mf.save_clip(clip, tmp_path / f"{name}.glb")
    (tmp_path / "crowd.glb").write_bytes(format_crowd_glb([walk, walk], room=ROOM))
    files = sorted(tmp_path.iterdir())
    run = subprocess.run(["node", VALIDATOR, *files], capture_output=True, text=True, timeout=600, check=False)
    said = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(said) == len(files), run.stderr
    for one in said:
        assert (one["errors"], one["warnings"], one["infos"], one["hints"]) == (0, 0, 0, 0), one
    assert run.returncode == 0


@needs_validator
def test_the_validator_has_nothing_to_say_of_captured_motion(locomotion: list[Path], tmp_path: Path) -> None:
    mf.save_clip(mf.load_clip(locomotion[0]), tmp_path / "x.glb")
    run = subprocess.run(
        ["node", VALIDATOR, tmp_path / "x.glb"], capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", ["a walk", "one frame", "no frames", "one joint", "300 joints that never turn"])
def test_what_is_written_comes_back(name: str, walk: Clip) -> None:
    clip = clips(walk)[name]
    motion = read_gltf(format_glb(clip))
    assert motion.names == clip.skeleton.names
    assert motion.frame_count == clip.frame_count
    skeleton = Skeleton(motion.names, motion.parents, motion.offsets)
    back = Clip(skeleton, motion.root_position, motion.rotations, motion.frame_time)
    assert np.abs(back.world().positions - clip.world().positions).max(initial=0.0) < 1e-5
    if clip.frame_count > 1:
        assert motion.frame_time == pytest.approx(clip.frame_time, rel=1e-6)
        assert motion.animation == (clip.name or "motion")


def test_a_crowd_has_a_body_for_each_clip_and_the_obstacles_of_the_room(walk: Clip) -> None:
    pygltflib = pytest.importorskip("pygltflib")
    moved = replace(walk, root_position=walk.root_position + np.array([3.0, 0.0, 0.0]))
    gltf = pygltflib.GLTF2().load_from_bytes(format_crowd_glb([walk, moved], room=ROOM))
    assert [node.name for node in gltf.nodes if node.skin is not None] == ["p001_Body", "p002_Body"]
    for number, clip in enumerate((walk, moved)):
        joints, _ = skinned(gltf, 7, number)
        np.testing.assert_allclose(joints, clip.world().positions[7], atol=1e-5)
    placed = [node for node in gltf.nodes if node.name.startswith("obstacle_")]
    assert [(node.translation[0], node.scale[2]) for node in placed] == [(1.0, 0.25), (-1.0, 0.4)]
    with pytest.raises(ValueError, match="length"):
        format_crowd_glb([walk, trim(walk, 0, 3)])


def skinned(gltf: Any, moment: int, body: int = 0) -> tuple[FloatArray, FloatArray]:
    """Joints [joint, 3] and vertices [vertex, 3] in the world at a key, from what pygltflib read, by plain matrices."""

    def rows(index: int) -> FloatArray:
        accessor = gltf.accessors[index]
        view = gltf.bufferViews[accessor.bufferView]
        dtype = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor.componentType]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
        values = np.frombuffer(gltf.binary_blob(), dtype, accessor.count * width, view.byteOffset)
        return np.asarray(values.reshape(-1, width), dtype=np.float64)

    place = {number: np.array(node.translation or (0, 0, 0), float) for number, node in enumerate(gltf.nodes)}
    turn = {number: np.array([0.0, 0.0, 0.0, 1.0]) for number in place}
    for channel in gltf.animations[0].channels:
        values = rows(gltf.animations[0].samplers[channel.sampler].output)[moment]
        (place if channel.target.path == "translation" else turn)[channel.target.node] = values
    world: dict[int, FloatArray] = {}
    for number in range(len(gltf.nodes)):  # ours stand parents first
        x, y, z, w = turn[number]
        local = np.eye(4)
        local[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        local[:3, 3] = place[number]
        above = [n for n, other in enumerate(gltf.nodes) if number in (other.children or [])]
        world[number] = world[above[0]] @ local if above else local
    skin, shape = gltf.skins[body], gltf.meshes[0].primitives[0].attributes
    binds = rows(skin.inverseBindMatrices).reshape(-1, 4, 4).swapaxes(1, 2)
    matrices = np.stack([world[joint] @ bind for joint, bind in zip(skin.joints, binds, strict=True)])
    points = np.concatenate([rows(shape.POSITION), np.ones((gltf.accessors[shape.POSITION].count, 1))], axis=1)
    joints, weights = rows(shape.JOINTS_0).astype(int), rows(shape.WEIGHTS_0)
    moved = np.einsum("vk,vkij,vj->vi", weights, matrices[joints], points)
    return np.stack([world[joint][:3, 3] for joint in skin.joints]), moved[:, :3]


def test_another_reader_sees_the_same_motion_and_a_body_about_it(walk: Clip, tmp_path: Path) -> None:
    pygltflib = pytest.importorskip("pygltflib")
    mf.save_clip(walk, tmp_path / "walk.glb")
    gltf = pygltflib.GLTF2().load(tmp_path / "walk.glb")
    assert gltf.asset.generator.startswith("motionfields ")
    world = walk.world()
    for moment in (0, 7, walk.frame_count - 1):
        joints, vertices = skinned(gltf, moment)
        assert np.abs(joints - world.positions[moment]).max() < 1e-5
        low, high = world.positions[moment].min(axis=0), world.positions[moment].max(axis=0)
        assert np.all(vertices.min(axis=0) > low - 0.2)
        assert np.all(vertices.max(axis=0) < high + 0.3)


def test_keys_take_the_short_way(walk: Clip) -> None:
    flipped = walk.rotations.copy()
    flipped[1::2] *= -1.0
    assert format_glb(replace(walk, rotations=flipped)) == format_glb(walk)


def test_frames_too_close_for_float32_are_refused(walk: Clip) -> None:
    with pytest.raises(ValueError, match="too close"):
        format_glb(replace(walk, frame_time=1e-46))


def test_the_body_is_closed_and_faces_outwards(walk: Clip) -> None:
    mesh = figure_mesh(walk.skeleton)
    a, b, c = (mesh.positions[mesh.triangles[:, corner]] for corner in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 > 0.03  # cubic metres, as a person has
    edges = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    there, back = ({tuple(edge) for edge in some.tolist()} for some in (edges, edges[:, ::-1]))
    assert there == back
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=-1), 1.0, atol=1e-9)
    assert stature_of(walk.skeleton) == pytest.approx(1.7, abs=0.05)
