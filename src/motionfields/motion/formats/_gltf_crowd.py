"""Writer of glTF scenes: many characters in motion, and the obstacles around them, in one binary file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.world import Disc, Room
from motionfields.motion.clip import Clip
from motionfields.motion.clip.resting import standing_positions
from motionfields.motion.formats._gltf_writer import (
    INDICES,
    VERTICES,
    GlbDocument,
    add_times,
    animation,
    check_numbers,
    plain_body,
    skeleton_nodes,
    skin,
)

HEIGHT: Final = 1.0  # metres, of obstacles, which have none of their own
OBSTACLE_COLOR: Final = (0.32, 0.3, 0.28, 1.0)
SIDES: Final = 48  # of a disc


def format_crowd_glb(clips: Sequence[Clip], *, room: Room | None = None) -> bytes:
    """Return the bytes of a binary glTF file of all `clips` at once, with the obstacles of `room` as solids.

    The clips must have one skeleton, frame rate and length. Each is a skinned body of its own, whose nodes are named
    after the joints with the prefix p001_, p002_ and so on; bodies share one mesh. One animation moves them all.
    Metres, y up; obstacles are 1 m high.
    """
    from importlib.metadata import version

    _check(clips)
    skeleton, document = clips[0].skeleton, GlbDocument()
    standing = standing_positions(skeleton)
    document.parts |= {"asset": {"version": "2.0", "generator": f"motionfields {version('motionfields')}"}, "scene": 0}
    document.parts |= plain_body(document, skeleton, standing[0])
    nodes: list[dict[str, Any]] = []
    roots: list[int] = []
    skins: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    first_skin = skin(document, standing)
    frames = clips[0].frame_count
    time = add_times(document, clips[0]) if frames else 0
    for number, clip in enumerate(clips):
        start, prefix = len(nodes), f"p{number + 1:03d}_"
        nodes += [_moved(node, start, prefix) for node in skeleton_nodes(skeleton, standing[0])]
        joints = [start + joint for joint in first_skin["joints"]]
        skins.append({**first_skin, "joints": joints, "skeleton": start})
        roots += [start, len(nodes)]
        nodes.append({"name": f"{prefix}Body", "mesh": 0, "skin": number})
        if not frames:
            continue
        motion = animation(document, clip, time)
        channels += [
            {"sampler": len(samplers) + one["sampler"], "target": _shifted(one["target"], start)}
            for one in motion["channels"]
        ]
        samplers += motion["samplers"]
    if room is not None and room.obstacles:
        roots += _add_obstacles(document, nodes, room)
    document.parts |= {"nodes": nodes, "scenes": [{"nodes": roots}], "skins": skins}
    if frames:
        document.parts["animations"] = [{"name": "crowd", "samplers": samplers, "channels": channels}]
    return document.bytes()


def _check(clips: Sequence[Clip]) -> None:
    if not clips:
        raise ValueError("clips: expected at least one")
    first = clips[0]
    for clip in clips:
        check_numbers(clip)
        same = clip.skeleton.names == first.skeleton.names
        if not same or not np.allclose(clip.skeleton.offsets, first.skeleton.offsets, atol=1e-6):
            raise SkeletonError("clips: expected one skeleton")
        if (clip.frame_count, clip.frame_time) != (first.frame_count, first.frame_time):
            raise ValueError("clips: expected one length and frame rate")


def _moved(node: dict[str, Any], start: int, prefix: str) -> dict[str, Any]:
    """Return `node` for nodes that begin at `start`, with a prefix to its name."""
    children = {"children": [start + child for child in node["children"]]} if "children" in node else {}
    return {**node, "name": prefix + node["name"], **children}


def _shifted(target: dict[str, Any], start: int) -> dict[str, Any]:
    return {**target, "node": start + target["node"]}


def _add_obstacles(document: GlbDocument, nodes: list[dict[str, Any]], room: Room) -> list[int]:
    """Append a node for each obstacle of `room`, with meshes that they share; return the nodes."""
    meshes, materials = document.parts["meshes"], document.parts["materials"]
    surface = {"baseColorFactor": list(OBSTACLE_COLOR), "metallicFactor": 0.0, "roughnessFactor": 0.9}
    materials.append({"name": "Obstacle", "pbrMetallicRoughness": surface})
    shapes: dict[str, int] = {}
    for name, outline in (("box", _square()), ("disc", _circle())):
        shapes[name] = len(meshes)
        primitive = {**_prism(document, outline), "material": len(materials) - 1}
        meshes.append({"name": name, "primitives": [primitive]})
    made = []
    for number, obstacle in enumerate(room.obstacles):
        x, z, half_x, half_z, yaw, radius = obstacle.block()
        made.append(len(nodes))
        nodes.append(
            {
                "name": f"obstacle_{number + 1:03d}",
                "mesh": shapes["disc" if isinstance(obstacle, Disc) else "box"],
                "translation": [x, 0.0, z],
                "rotation": [0.0, math.sin(0.5 * yaw), 0.0, math.cos(0.5 * yaw)],
                "scale": [max(half_x + radius, 1e-4), HEIGHT, max(half_z + radius, 1e-4)],
            }
        )
    return made


def _square() -> FloatArray:
    return np.array([(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)])


def _circle() -> FloatArray:
    angles = 2.0 * np.pi * np.arange(SIDES) / SIDES
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1)


def _prism(document: GlbDocument, outline: FloatArray) -> dict[str, Any]:
    """Return the upright prism over `outline` [n, 2], x and z, from the ground to the height 1, with flat sides."""
    count = len(outline)
    after = np.roll(outline, -1, axis=0)
    sides, side_normals = [], []
    for (ax, az), (bx, bz) in zip(outline, after, strict=True):
        sides += [(ax, 0.0, az), (bx, 0.0, bz), (bx, 1.0, bz), (ax, 1.0, az)]
        out = np.array([az - bz, 0.0, bx - ax])
        out *= np.sign(out @ [ax + bx, 0.0, az + bz]) / np.linalg.norm(out)
        side_normals += [out] * 4
    top = [(x, 1.0, z) for x, z in outline]
    places = np.array(sides + top)
    normals = np.array([*side_normals, *([(0.0, 1.0, 0.0)] * count)])
    quads = [(4 * k + a, 4 * k + b, 4 * k + c) for k in range(count) for a, b, c in ((0, 1, 2), (0, 2, 3))]
    fan = [(4 * count, 4 * count + k, 4 * count + k + 1) for k in range(1, count - 1)]
    triangles = np.array([_outward(places, normals, one) for one in quads + fan])
    attributes = {
        "POSITION": document.add(places.astype("<f4"), target=VERTICES, bounds=True),
        "NORMAL": document.add(normals.astype("<f4"), target=VERTICES),
    }
    return {"attributes": attributes, "indices": document.add(triangles.reshape(-1).astype("<u2"), target=INDICES)}


def _outward(places: FloatArray, normals: FloatArray, triangle: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return `triangle` with its corners in the order whose front is the side of its normal."""
    a, b, c = triangle
    front = np.cross(places[b] - places[a], places[c] - places[a])
    return triangle if front @ normals[a] > 0.0 else (a, c, b)
