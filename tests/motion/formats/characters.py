"""Skinned characters as .glb files for tests: one body, in files that differ in unit, axes, bone rotations and pose."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.motion.clip import Clip, trim
from motionfields.motion.clip.resting import rest_positions
from motionfields.motion.clip.rigs import RIGS
from motionfields.motion.formats import format_glb
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton


def walk_clip() -> Clip:
    """A short walk of the generated body."""
    return trim(generate_samples(frame_rate=30.0, only=["walk_forward"])[0].clip, 0, 40)


def renamed(skeleton: Skeleton, rig: str) -> Skeleton:
    """`skeleton`, which has Mixamo's names, with those of another rig."""
    parts = {names[0]: part for part, names in RIGS["Mixamo"].items()}
    names = tuple(RIGS[rig][parts[name]][0] if parts.get(name) in RIGS[rig] else name for name in skeleton.names)
    return Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.tip_joints, skeleton.tip_offsets)


def png(width: int = 4, height: int = 4, color: tuple[int, int, int] = (200, 40, 90)) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(color) * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def parsed(data: bytes) -> tuple[dict[str, Any], bytearray]:
    """The JSON and the buffer of a .glb file."""
    size = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + size]), bytearray(data[28 + size :])


def packed(document: dict[str, Any], buffer: bytes | bytearray) -> bytes:
    """The bytes of a .glb file."""
    buffer = bytes(buffer) + bytes(-len(buffer) % 4)
    document = {**document, "buffers": [{"byteLength": len(buffer)}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(buffer), b"BIN\0") + buffer
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def character_file(
    skeleton: Skeleton,
    *,
    unit: float = 1.0,
    yaw: float = 0.0,
    rolled: bool = False,
    posed: bool = False,
    textured: bool = False,
) -> bytes:
    """A body on `skeleton`: `unit` is the scale of its armature, `yaw` in degrees turns all of it.

    With `rolled`, bones rest in random frames; with `posed`, nodes are in another pose than the skin was bound in.
    """
    rest = Clip(skeleton, np.zeros((0, 3)), np.zeros((0, skeleton.joint_count, 4)), 1.0 / 30.0)
    document, buffer = parsed(format_glb(rest))
    turn = np.eye(4)
    turn[:3, :3] = Rotation.from_euler("y", yaw, degrees=True).as_matrix()
    places = rest_positions(skeleton) + np.array(document["nodes"][0]["translation"])
    frames = np.tile(np.eye(4), (skeleton.joint_count, 1, 1))
    chance = np.random.default_rng(3)
    if rolled:
        frames[:, :3, :3] = Rotation.random(skeleton.joint_count, random_state=3).as_matrix()
    frames[:, :3, :3] *= unit
    frames[:, :3, 3] = places
    frames = turn @ frames
    armature = np.eye(4)
    armature[:3, :3] = unit * Rotation.from_euler("x", -90.0, degrees=True).as_matrix()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = armature if parent < 0 else frames[parent]
        local = np.linalg.inv(above) @ frames[joint]
        linear = local[:3, :3] / np.cbrt(np.linalg.det(local[:3, :3]))
        swing = Rotation.from_rotvec(chance.uniform(-0.4, 0.4, 3)) if posed else Rotation.identity()
        node = document["nodes"][joint]
        node["translation"] = local[:3, 3].tolist()
        node["rotation"] = (Rotation.from_matrix(linear) * swing).as_quat().tolist()
        node["scale"] = [float(np.cbrt(np.linalg.det(local[:3, :3])))] * 3
    for tip, joint in enumerate(skeleton.tip_joints.tolist()):
        end = np.append(places[joint] + skeleton.tip_offsets[tip], 1.0)
        node = document["nodes"][skeleton.joint_count + tip]
        node["translation"] = (np.linalg.inv(frames[joint]) @ turn @ end)[:3].tolist()
        del node["extras"]
    document["nodes"].append(
        {"name": "Armature", "children": [0], "scale": [unit] * 3, "rotation": [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]}
    )
    document["scenes"] = [{"nodes": [len(document["nodes"]) - 1, len(document["nodes"]) - 2]}]
    _write(document, buffer, document["skins"][0]["inverseBindMatrices"], np.linalg.inv(frames).swapaxes(1, 2))
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    for name in ("POSITION", "NORMAL"):
        rows = numbers(document, buffer, attributes[name]) @ turn[:3, :3].T
        _write(document, buffer, attributes[name], rows)
        if name == "POSITION":
            accessor = document["accessors"][attributes[name]]
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
    if textured:
        _add_texture(document, buffer, attributes)
    return packed(document, buffer)


def numbers(document: dict[str, Any], buffer: bytearray, index: int) -> FloatArray:
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    rows = np.frombuffer(buffer, "<f4", view["byteLength"] // 4, view["byteOffset"])
    return rows.reshape(accessor["count"], -1).astype(np.float64)


def _write(document: dict[str, Any], buffer: bytearray, index: int, values: NDArray[Any]) -> None:
    view = document["bufferViews"][document["accessors"][index]["bufferView"]]
    buffer[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] = values.astype("<f4").tobytes()


def _add_texture(document: dict[str, Any], buffer: bytearray, attributes: dict[str, int]) -> None:
    count = document["accessors"][attributes["POSITION"]]["count"]
    for data in (np.linspace(0.0, 1.0, 2 * count).astype("<f4").tobytes(), png()):
        buffer += bytes(-len(buffer) % 4)
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)})
        buffer += data
    view = len(document["bufferViews"]) - 1
    attributes["TEXCOORD_0"] = len(document["accessors"])
    document["accessors"].append({"bufferView": view - 1, "componentType": 5126, "count": count, "type": "VEC2"})
    document["images"] = [{"bufferView": view, "mimeType": "image/png"}]
    document["samplers"] = [{"magFilter": 9729, "wrapS": 33071}]
    document["textures"] = [{"source": 0, "sampler": 0}]
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}


def shuffled_names(data: bytes) -> bytes:
    """`data` with joints whose names mean nothing."""
    document, buffer = parsed(data)
    for number, node in enumerate(document["nodes"]):
        node["name"] = f"bone{number}"
    return packed(document, buffer)
