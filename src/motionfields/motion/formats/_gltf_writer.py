"""Writer of glTF: a skinned body, and the motion as an animation of its joints, in one binary file."""

from __future__ import annotations

import json
import os
import struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.files import replacing
from motionfields.base.geometry import quat_continuous, quat_identity
from motionfields.motion.clip import Clip
from motionfields.motion.clip.resting import standing_positions
from motionfields.motion.formats._figure_mesh import Mesh, figure_mesh
from motionfields.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from motionfields.motion.formats.character import Character, Surface

BODY_COLOR: Final = (0.55, 0.63, 0.72, 1.0)
"""Red, green, blue and opacity of the body, linear."""

TIP: Final = "tip"
"""Key in the extras of a node that is the end of a bone and not a joint."""

_BYTE, _SHORT, _INT, _FLOAT = 5121, 5123, 5125, 5126
VERTICES, INDICES = 34962, 34963
_KINDS: Final = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_NUMBERS: Final = {np.dtype("u1"): _BYTE, np.dtype("<u2"): _SHORT, np.dtype("<u4"): _INT, np.dtype("<f4"): _FLOAT}


def save_glb(path: str | os.PathLike[str], clip: Clip, *, character: Character | None = None) -> None:
    """Write `clip` to the binary glTF file `path`, see `format_glb`; a kill leaves the old file or the new one."""
    data = format_glb(clip, character=character)
    with replacing(path) as file:
        file.write(data)


def format_glb(clip: Clip, *, character: Character | None = None) -> bytes:
    """Return the bytes of a binary glTF file of `clip`: one skinned body and one animation, metres, y up, facing +z.

    Nodes have the names of the joints and are in the rest pose, with the lowest on the ground. Keys are at the clip's
    frames, as float32; quaternions keep their sign from frame to frame, so that viewers interpolate along the shorter
    arc. Joints that never rotate have no keys. The same clip gives the same bytes. With `character`, whose skeleton
    must be that of the clip, the body is that of the character, with its materials and textures.
    """
    from importlib.metadata import version

    document = GlbDocument()
    skeleton = clip.skeleton
    check_numbers(clip)
    check_character(clip, character)
    standing = standing_positions(skeleton)
    nodes = skeleton_nodes(skeleton, standing[0])
    body = len(nodes)
    nodes.append({"name": "Body", "mesh": 0, "skin": 0})
    document.parts |= {
        "asset": {"version": "2.0", "generator": f"motionfields {version('motionfields')}"},
        "scene": 0,
        "scenes": [{"nodes": [0, body]}],
        "nodes": nodes,
        "skins": [skin(document, standing)],
    }
    if character is None:
        document.parts |= plain_body(document, skeleton, standing[0])
    else:
        document.parts |= _body_of(document, character, standing[0])
    if clip.frame_count:
        document.parts["animations"] = [animation(document, clip, add_times(document, clip))]
    return document.bytes()


class GlbDocument:
    """A glTF document under construction, and the bytes it refers to."""

    def __init__(self) -> None:
        self.parts: dict[str, Any] = {}
        self._accessors: list[dict[str, Any]] = []
        self._views: list[dict[str, Any]] = []
        self._data = bytearray()

    def add(self, values: NDArray[Any], *, target: int | None = None, bounds: bool = False) -> int:
        """Append `values` [item] or [item, component] to the buffer; return the index of their accessor."""
        numbers = np.ascontiguousarray(values)
        width = 1 if numbers.ndim == 1 else numbers.shape[1]
        self._data += bytes(-len(self._data) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self._data), "byteLength": numbers.nbytes}
        self._views.append(view if target is None else {**view, "target": target})
        self._data += numbers.tobytes()
        accessor = {
            "bufferView": len(self._views) - 1,
            "componentType": _NUMBERS[numbers.dtype],
            "count": len(numbers),
            "type": _KINDS[width],
        }
        if bounds:
            rows = numbers.reshape(-1, width)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def view(self, data: bytes) -> int:
        """Append `data` to the buffer; return the index of its view."""
        self._data += bytes(-len(self._data) % 4)
        self._views.append({"buffer": 0, "byteOffset": len(self._data), "byteLength": len(data)})
        self._data += data
        return len(self._views) - 1

    def bytes(self) -> bytes:
        """Return the binary file: a header, the document as JSON, the buffer."""
        data = bytes(self._data) + bytes(-len(self._data) % 4)
        buffers = {"accessors": self._accessors, "bufferViews": self._views, "buffers": [{"byteLength": len(data)}]}
        text = json.dumps({**self.parts, **buffers}, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def check_character(clip: Clip, character: Character | None) -> None:
    """Raise `SkeletonError` unless the joints of `character`, if any, have the names and offsets of those of `clip`."""
    if character is None:
        return
    own, other = clip.skeleton, character.skeleton
    if own.names != other.names or not np.allclose(own.offsets[1:], other.offsets[1:], atol=1e-6):
        raise SkeletonError("character: expected the skeleton of the clip; retarget the clip to the character first")


def check_numbers(clip: Clip) -> None:
    """Refuse values that float32 cannot hold."""
    times = _times(clip)
    if not np.all(np.diff(times) > 0.0):
        raise ValueError(
            f"frame_time: {clip.frame_count} frames at {clip.frame_rate:g}/s are too close for glTF's float32 times"
        )
    if not np.all(np.abs(clip.root_position) < 1e30):
        raise ValueError("root_position: expected metres that float32 can hold")


def _times(clip: Clip) -> NDArray[np.float32]:
    return (np.arange(clip.frame_count) * clip.frame_time).astype("<f4")


def skeleton_nodes(skeleton: Skeleton, root: FloatArray) -> list[dict[str, Any]]:
    """Return a node for each joint, in the skeleton's order, and then one for each tip."""
    count = skeleton.joint_count
    nodes: list[dict[str, Any]] = [{"name": name} for name in skeleton.names]
    children: list[list[int]] = [[] for _ in nodes]
    for joint, parent in enumerate(skeleton.parents.tolist()[1:], start=1):
        children[parent].append(joint)
    for tip, joint in enumerate(skeleton.tip_joints.tolist()):
        children[joint].append(count + tip)
        nodes.append({"name": f"{skeleton.names[joint]}_end", "extras": {TIP: True}})
    offsets = [root, *skeleton.offsets[1:], *skeleton.tip_offsets]
    for node, offset in zip(nodes, offsets, strict=True):
        if np.any(offset):
            node["translation"] = np.asarray(offset).tolist()
    for node, below in zip(nodes, children, strict=False):
        if below:
            node["children"] = below
    return nodes


def skin(document: GlbDocument, standing: FloatArray) -> dict[str, Any]:
    """Return the skin of joints at `standing` [joint, 3] metres, not rotated; matrices are column-major."""
    joint_from_world = np.tile(np.eye(4), (len(standing), 1, 1))
    joint_from_world[:, 3, :3] = -standing
    matrices = document.add(joint_from_world.reshape(-1, 16).astype("<f4"))
    return {"inverseBindMatrices": matrices, "joints": list(range(len(standing))), "skeleton": 0}


def plain_body(document: GlbDocument, skeleton: Skeleton, root: FloatArray) -> dict[str, Any]:
    """Return the meshes and materials of a body around the bones."""
    mesh = figure_mesh(skeleton)
    surface = {"baseColorFactor": list(BODY_COLOR), "metallicFactor": 0.0, "roughnessFactor": 0.7}
    return {
        "meshes": [{"name": "Body", "primitives": [_primitive(document, mesh, root, skeleton.joint_count)]}],
        "materials": [{"name": "Body", "pbrMetallicRoughness": surface}],
    }


def _body_of(document: GlbDocument, character: Character, root: FloatArray) -> dict[str, Any]:
    """Return the meshes of `character`, and the materials, textures and images that they use."""
    looks = character.looks
    primitives = [_surface(document, one, root, character.skeleton.joint_count) for one in character.surfaces]
    images = [{"mimeType": image.kind, "bufferView": document.view(image.data)} for image in looks.images]
    parts: dict[str, Any] = {"meshes": [{"name": "Body", "primitives": primitives}]}
    lists = {"materials": looks.materials, "textures": looks.textures, "samplers": looks.samplers, "images": images}
    parts |= {name: list(items) for name, items in lists.items() if items}
    if any("extensions" in material for material in looks.materials):
        parts["extensionsUsed"] = ["KHR_materials_unlit"]
    return parts


def _surface(document: GlbDocument, surface: Surface, root: FloatArray, joint_count: int) -> dict[str, Any]:
    """Return one part of a character's mesh."""
    attributes = {
        "POSITION": document.add((surface.positions + root).astype("<f4"), target=VERTICES, bounds=True),
        "NORMAL": document.add(surface.normals.astype("<f4"), target=VERTICES),
        "JOINTS_0": document.add(surface.joints.astype("u1" if joint_count <= 256 else "<u2"), target=VERTICES),
        "WEIGHTS_0": document.add(surface.weights.astype("<f4"), target=VERTICES),
    }
    if surface.texture_places is not None:
        attributes["TEXCOORD_0"] = document.add(surface.texture_places.astype("<f4"), target=VERTICES)
    small = len(surface.positions) <= 0xFFFF
    indices = surface.triangles.reshape(-1).astype("<u2" if small else "<u4")
    made = {"attributes": attributes, "indices": document.add(indices, target=INDICES)}
    return made if surface.material is None else {**made, "material": surface.material}


def _primitive(document: GlbDocument, mesh: Mesh, root: FloatArray, joint_count: int) -> dict[str, Any]:
    """Return the body, with each vertex bound to one joint."""
    joints = np.zeros((len(mesh.joints), 4), "u1" if joint_count <= 256 else "<u2")
    joints[:, 0] = mesh.joints
    weights = np.zeros((len(mesh.joints), 4), "<f4")
    weights[:, 0] = 1.0
    small = len(mesh.positions) <= 0xFFFF  # glTF reserves the largest value of each index type
    return {
        "attributes": {
            "POSITION": document.add((mesh.positions + root).astype("<f4"), target=VERTICES, bounds=True),
            "NORMAL": document.add(mesh.normals.astype("<f4"), target=VERTICES),
            "JOINTS_0": document.add(joints, target=VERTICES),
            "WEIGHTS_0": document.add(weights, target=VERTICES),
        },
        "indices": document.add(mesh.triangles.reshape(-1).astype("<u2" if small else "<u4"), target=INDICES),
        "material": 0,
    }


def add_times(document: GlbDocument, clip: Clip) -> int:
    """Add the times of the frames of `clip` to `document`; return their accessor."""
    return document.add(_times(clip), bounds=True)


def animation(document: GlbDocument, clip: Clip, time: int) -> dict[str, Any]:
    """Return the motion of `clip` as an animation of the nodes of its joints; `time` is the accessor of its times."""
    turns = quat_continuous(clip.rotations).astype("<f4")
    tracks = [(0, "translation", clip.root_position.astype("<f4"))]
    unturned = quat_identity().astype("<f4")
    for joint in range(clip.skeleton.joint_count):
        if not np.array_equal(np.abs(turns[:, joint]), np.broadcast_to(unturned, (clip.frame_count, 4))):
            tracks.append((joint, "rotation", turns[:, joint, [1, 2, 3, 0]]))
    samplers = [{"input": time, "output": document.add(track), "interpolation": "LINEAR"} for _, _, track in tracks]
    channels = [
        {"sampler": number, "target": {"node": joint, "path": path}} for number, (joint, path, _) in enumerate(tracks)
    ]
    return {"name": clip.name or "motion", "samplers": samplers, "channels": channels}
