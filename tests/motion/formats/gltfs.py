"""glTF files for the tests: written plainly, and played back by plain 4x4 matrices."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.motion.clip import Clip

TYPES = {"i1": 5120, "u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125, "<f4": 5126}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Builder:
    """A glTF document and its buffer, as they grow."""

    def __init__(self) -> None:
        self.document: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [],
            "animations": [],
            "accessors": [],
            "bufferViews": [],
        }
        self.blob = b""

    def node(self, name: str, parent: int | None = None, **properties: Any) -> int:
        """A node with translation, rotation (xyzw), scale... as given; its index."""
        nodes = self.document["nodes"]
        nodes.append({"name": name, **{key: np.asarray(value).tolist() for key, value in properties.items()}})
        if parent is not None:
            nodes[parent].setdefault("children", []).append(len(nodes) - 1)
        return len(nodes) - 1

    def accessor(self, values: ArrayLike, dtype: str = "<f4", *, normalized: bool = False) -> int:
        """The index of an accessor of `values` [count] or [count, width]."""
        array = np.asarray(values).astype(dtype)
        self.blob += bytes(-len(self.blob) % 4)
        views, accessors = self.document["bufferViews"], self.document["accessors"]
        views.append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": array.nbytes})
        self.blob += array.tobytes()
        kind = KINDS[1 if array.ndim == 1 else array.shape[1]]
        accessor = {"bufferView": len(views) - 1, "componentType": TYPES[dtype], "count": len(array), "type": kind}
        accessors.append({**accessor, "normalized": True} if normalized else accessor)
        return len(accessors) - 1

    def skin(self, joints: list[int], binds: FloatArray | None = None) -> None:
        """A skin, with the inverses of `binds` [joint, 4, 4] if given."""
        skin: dict[str, Any] = {"joints": joints}
        if binds is not None:
            columns = np.linalg.inv(binds).swapaxes(1, 2).reshape(-1, 16)
            skin["inverseBindMatrices"] = self.accessor(columns)
        self.document.setdefault("skins", []).append(skin)

    def animation(self, name: str | None = None) -> Animating:
        self.document["animations"].append({"name": name, "samplers": [], "channels": []})
        if name is None:
            del self.document["animations"][-1]["name"]
        return Animating(self, self.document["animations"][-1])

    def glb(self) -> bytes:
        return glb({**self.document, "buffers": [{"byteLength": len(self.blob)}]}, self.blob)

    def gltf(self, uri: str | None = None) -> bytes:
        """The text form, with the buffer in it or, if `uri` is given, there."""
        uri = uri or "data:application/octet-stream;base64," + base64.b64encode(self.blob).decode()
        return json.dumps({**self.document, "buffers": [{"byteLength": len(self.blob), "uri": uri}]}).encode()


class Animating:
    """One animation, as it grows."""

    def __init__(self, builder: Builder, item: dict[str, Any]) -> None:
        self._builder = builder
        self._item = item

    def channel(self, node: int, path: str, values: int, times: int, interpolation: str | None = None) -> None:
        """A channel whose sampler has the accessors `times` and `values`."""
        sampler = {"input": times, "output": values}
        self._item["samplers"].append(sampler if interpolation is None else {**sampler, "interpolation": interpolation})
        target = {"node": node, "path": path}
        self._item["channels"].append({"sampler": len(self._item["samplers"]) - 1, "target": target})


def glb(document: Mapping[str, Any] | bytes, blob: bytes = b"") -> bytes:
    """The bytes of a binary file."""
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    blob += bytes(-len(blob) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(blob), b"BIN\0") + blob if blob else b""
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def xyzw(rotation: Rotation) -> FloatArray:
    return np.asarray(rotation.as_quat())


def of(quaternions: ArrayLike) -> Rotation:
    """Quaternions wxyz as scipy's rotations."""
    return Rotation.from_quat(np.asarray(quaternions), scalar_first=True)


def rigged(
    clip: Clip,
    *,
    names: Mapping[str, str],
    above: Rotation,
    scale: float,
    rest_turns: list[Rotation],
    ground_root: bool = False,
    skinned: bool = True,
    first_time: float = 0.0,
) -> Builder:
    """`clip` as other tools write it: bones turned at rest, under an armature that is turned and scaled.

    The armature is `scale` times smaller than its bones and turned by `above`; each joint is turned by `rest_turns` at
    rest. With `ground_root` a joint on the ground carries the way, and the hips only bob above it.
    """
    builder, skeleton = Builder(), clip.skeleton
    armature = builder.node("Armature", rotation=xyzw(above), scale=[scale] * 3)
    inside = above.inv()
    world = clip.world()
    root_place = inside.apply(clip.root_position.copy()) / scale
    ground = root_place * 0.0
    top = armature
    if ground_root:
        ground = inside.apply(clip.root_position * (1.0, 0.0, 1.0)) / scale
        top = builder.node("root", armature)
    nodes, tracks = list[int](), list[tuple[int, str, FloatArray]]()
    for joint, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[joint])
        parent_turn = Rotation.identity() if parent < 0 else rest_turns[parent]
        offset = [0.0, 0.95, 0.0] if parent < 0 else skeleton.offsets[joint].copy()
        nodes.append(
            builder.node(
                names.get(name, name),
                top if parent < 0 else nodes[parent],
                translation=parent_turn.inv().apply(inside.apply(offset)) / scale,
                rotation=xyzw(parent_turn.inv() * rest_turns[joint]),
            )
        )
        turned = inside * of(world.rotations[:, joint]) * above * rest_turns[joint]
        if parent >= 0:
            turned = (inside * of(world.rotations[:, parent]) * above * rest_turns[parent]).inv() * turned
        tracks.append((nodes[-1], "rotation", xyzw(turned)))
    tracks.append((nodes[0], "translation", root_place - ground))
    if ground_root:
        tracks.append((top, "translation", ground))
    if skinned:
        builder.skin([top, *nodes] if ground_root else nodes)
    times = builder.accessor(first_time + np.arange(clip.frame_count) * clip.frame_time)
    animation = builder.animation("mixamo.com")
    for node, path, values in tracks:
        animation.channel(node, path, builder.accessor(values), times)
    return builder


def played(builder: Builder, moments: FloatArray) -> dict[str, FloatArray]:
    """Where each node is [moment, 3] in the world, by plain matrices, keys joined by straight lines."""
    document, blob = builder.document, builder.blob

    def rows(index: int) -> FloatArray:
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        width = {kind: width for width, kind in KINDS.items()}[accessor["type"]]
        data = np.frombuffer(blob, "<f4", accessor["count"] * width, view["byteOffset"])
        return data.astype(np.float64).reshape(-1, width)

    tracks = {}
    for channel in document["animations"][0]["channels"]:
        sampler = document["animations"][0]["samplers"][channel["sampler"]]
        times, values = rows(sampler["input"])[:, 0], rows(sampler["output"])
        target = channel["target"]
        tracks[target["node"], target["path"]] = np.stack(
            [np.interp(moments, times, values[:, column]) for column in range(values.shape[1])], axis=-1
        )
    parents = {child: number for number, node in enumerate(document["nodes"]) for child in node.get("children", [])}

    def matrix(number: int, moment: int) -> FloatArray:
        node = document["nodes"][number]
        place, turn, size = (
            tracks[number, path][moment] if (number, path) in tracks else node.get(path, rest)
            for path, rest in (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1)))
        )
        local = np.eye(4)
        local[:3, :3] = Rotation.from_quat(turn).as_matrix() * size
        local[:3, 3] = place
        return local if number not in parents else matrix(parents[number], moment) @ local

    return {
        node["name"]: np.stack([matrix(number, moment)[:3, 3] for moment in range(len(moments))])
        for number, node in enumerate(document["nodes"])
    }
