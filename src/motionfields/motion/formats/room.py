"""Rooms from glTF scenes: every mesh that stands in the way of a body becomes a box on the ground."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import GltfError
from motionfields.base.world import Box, Room, World, read_room, read_world
from motionfields.motion.formats._gltf_accessors import Accessors
from motionfields.motion.formats._gltf_document import LARGEST_NUMBER, GltfDocument, read_document
from motionfields.motion.formats._gltf_nodes import NodeTree, read_nodes
from motionfields.motion.formats._gltf_poses import rest_transforms
from motionfields.motion.formats.loading import GLTF_SUFFIXES, read_named

FLOOR: Final = 0.1  # metres: meshes that are no higher are floors, which bound the room
HEAD: Final = 2.1  # metres: meshes that are above it are out of the way
MARGIN: Final = 3.0  # metres around all obstacles of a scene without a floor
LEVEL: Final = 1e-3  # sine of the tilt up to which a node stands upright


def load_room(path: str | Path) -> Room:
    """Return the room in a room file, .json, or in a scene, .glb or .gltf; raises `FormatError` for any other file.

    Scenes are in metres with y up, as glTF requires. The bounding box of each mesh becomes a box that is turned like
    its node, or along the axes of the world if the node is tilted. Meshes above 2.1 m are left out. Those up to 0.1 m
    high are floors: the room is the rectangle around them, or else reaches 3 m beyond the boxes.
    """
    name = str(path)
    if not name.lower().endswith(GLTF_SUFFIXES):
        return read_room(path)
    return read_gltf_room(read_named(name), path=name)


def load_world(path: str | Path) -> World:
    """Return the world in a file that `read_world` reads, or with the room of a scene, .glb or .gltf, and nothing else.

    Raises `FormatError` for any other file.
    """
    return World(load_room(path)) if str(path).lower().endswith(GLTF_SUFFIXES) else read_world(path)


def read_gltf_room(data: bytes, *, path: str | None = None) -> Room:
    """Return the room in the bytes of a glTF file, see `load_room`; `path` is for messages. Raises only `GltfError`."""
    document = read_document(data, path)
    tree = read_nodes(document)
    shapes = _shapes(document, tree)
    floors: list[FloatArray] = []
    boxes: list[Box] = []
    try:
        for vertices, world in shapes:
            places = vertices @ world[:3, :3].T + world[:3, 3]
            if places[:, 1].min() > HEAD:
                continue
            if places[:, 1].max() <= FLOOR:
                floors.append(places[:, ::2])
            else:
                boxes.append(_box(vertices, world, places))
        if floors:
            ground = np.concatenate(floors)
            return Room((*ground.min(axis=0).tolist(), *ground.max(axis=0).tolist()), tuple(boxes))
        if not boxes:
            document.fail("expected a scene with meshes on the ground, got none")
        corners = np.array([(box.x, box.z) for box in boxes])
        reach = max(0.5 * math.hypot(box.width, box.depth) for box in boxes)
        return Room(Room.around(corners, margin=MARGIN + reach).bounds, tuple(boxes))
    except GltfError:
        raise
    except ValueError as error:
        raise GltfError(f"makes no room: {error}", path=path) from None


def _shapes(document: GltfDocument, tree: NodeTree) -> list[tuple[FloatArray, FloatArray]]:
    """Return the vertices [n, 3] and the world transform [4, 4] of each node with a mesh."""
    if not tree.order:
        return []
    accessors = Accessors(document)
    with np.errstate(all="ignore"):  # overflow and NaN are refused below
        transforms = dict(zip(tree.order, rest_transforms(tree, tree.order), strict=True))
    found = []
    for node in tree.order:
        if "mesh" not in tree.items[node]:
            continue
        mesh = document.one("meshes", tree.items[node], "mesh")
        vertices = [_positions(document, accessors, part) for part in document.items("primitives", within=mesh)]
        corners = _corners(np.concatenate([part for part in vertices if len(part)] or [np.zeros((0, 3))]))
        with np.errstate(all="ignore"):
            reach = np.abs(corners @ transforms[node][:3, :3].T + transforms[node][:3, 3])
        if not len(corners):
            continue
        if not (reach <= LARGEST_NUMBER).all():
            document.fail(f"mesh of node {tree.names[node]!r}: expected places within {LARGEST_NUMBER:g} m")
        found.append((corners, transforms[node]))
    return found


def _positions(document: GltfDocument, accessors: Accessors, part: dict[str, Any]) -> FloatArray:
    """Return the vertices [n, 3] of a part of a mesh."""
    attributes = part.get("attributes")
    if not isinstance(attributes, dict) or "POSITION" not in attributes:
        document.fail("primitives: expected attributes with a POSITION; export it without compression")
    return accessors.read(attributes, "POSITION", 3)


def _corners(vertices: FloatArray) -> FloatArray:
    """Return the eight corners [8, 3] of the box around `vertices` [n, 3] along its own axes; none of nothing."""
    if not len(vertices):
        return np.zeros((0, 3))
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return np.array([[(low, high)[bit >> axis & 1][axis] for axis in range(3)] for bit in range(8)])


def _box(corners: FloatArray, world: FloatArray, places: FloatArray) -> Box:
    """Return the box on the ground under a mesh with the given corners in its own frame and in the world."""
    sizes = np.linalg.norm(world[:3, :3], axis=0)
    axes = world[:3, :3] / np.where(sizes > 0.0, sizes, 1.0)
    if abs(axes[1, 0]) > LEVEL or abs(axes[1, 2]) > LEVEL or abs(axes[:, 0] @ axes[:, 2]) > LEVEL:
        low, high = places[:, ::2].min(axis=0), places[:, ::2].max(axis=0)
        x, z = (0.5 * (low + high)).tolist()
        return Box(x, z, *(high - low).tolist())
    x, z = places[:, ::2].mean(axis=0).tolist()
    width, _, depth = ((corners.max(axis=0) - corners.min(axis=0)) * sizes).tolist()
    return Box(x, z, width, depth, math.atan2(axes[0, 2], axes[2, 2]))
