"""Rooms from glTF scenes: boxes where meshes stand, floors as bounds, and typed errors for the rest."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import FormatError, GltfError
from motionfields.base.world import Box, Room, World, write_room
from motionfields.motion.formats import load_room, load_world, read_gltf_room
from tests.motion.formats.gltfs import Builder, glb, xyzw

CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (0.0, 1.0) for z in (-0.5, 0.5)])


def scene(*nodes: dict[str, Any], vertices: FloatArray = CUBE) -> Builder:
    builder = Builder()
    builder.document["meshes"] = [{"primitives": [{"attributes": {"POSITION": builder.accessor(vertices)}}]}]
    for number, node in enumerate(nodes):
        builder.document["nodes"][builder.node(f"thing {number}", **node)]["mesh"] = 0
    return builder


def box_of(room: Room) -> Box:
    (box,) = room.obstacles
    assert isinstance(box, Box)
    return box


def test_upright_meshes_become_boxes_that_are_turned_like_them() -> None:
    turned = {"translation": [1, 0, 4], "rotation": xyzw(Rotation.from_euler("y", 30.0, degrees=True))}
    box = box_of(read_gltf_room(scene({**turned, "scale": [2.0, 1.0, 0.5]}).glb()))
    corners = CUBE * (2.0, 1.0, 0.5) @ Rotation.from_euler("y", 30.0, degrees=True).as_matrix().T + (1, 0, 4)
    room = Room((-9.0, -9.0, 9.0, 9.0), (box,))
    np.testing.assert_allclose(room.clearance(corners[:, ::2]), 0.0, atol=1e-6)
    assert box.yaw == pytest.approx(math.radians(30.0))


def test_tilted_meshes_become_the_rectangle_under_them() -> None:
    tilt = Rotation.from_euler("xy", [45.0, 20.0], degrees=True)
    box = box_of(read_gltf_room(scene({"rotation": xyzw(tilt)}).glb()))
    under = (CUBE @ tilt.as_matrix().T)[:, ::2]
    np.testing.assert_allclose(np.array([box.width, box.depth]), np.ptp(under, axis=0), atol=1e-6)


def test_floors_bound_the_room_and_lamps_are_out_of_the_way() -> None:
    floor = {"scale": [8.0, 0.02, 6.0], "translation": [0, -0.02, 1]}
    found = read_gltf_room(scene(floor, {"translation": [2, 0, 1]}, {"translation": [0, 2.2, 1]}).glb())
    np.testing.assert_allclose(found.bounds, (-4.0, -2.0, 4.0, 4.0), atol=1e-6)
    assert len(found.obstacles) == 1
    around = read_gltf_room(scene({"translation": [2, 0, 1]}).glb())
    assert around.clearance(np.array([2.0, 2.5])) == pytest.approx(1.0, abs=1e-6)


def test_nodes_move_with_their_parents(tmp_path: Path) -> None:
    builder = scene({"translation": [1, 0, 0]})
    top = builder.node("top", translation=[0, 0, 3])
    builder.document["nodes"][top]["children"] = [0]
    (tmp_path / "room.gltf").write_bytes(builder.gltf())
    box = box_of(load_room(tmp_path / "room.gltf"))
    assert (box.x, box.z) == pytest.approx((1.0, 3.0))


def test_room_files_are_read_too(tmp_path: Path) -> None:
    room = Room((0.0, 0.0, 4.0, 4.0))
    write_room(room, tmp_path / "room.json")
    assert load_room(tmp_path / "room.json") == room
    assert load_world(tmp_path / "room.json") == World(room)
    (tmp_path / "room.glb").write_bytes(scene({}).glb())
    assert load_world(tmp_path / "room.glb") == World(load_room(tmp_path / "room.glb"))
    with pytest.raises(FormatError):
        load_room(tmp_path / "none.glb")


def test_hostile_scenes_are_refused() -> None:
    far = {"translation": [1e11, 0, 0]}
    wide = {"scale": [1e5, 1.0, 1.0]}
    for builder in (scene(), scene(far), scene(wide), scene({"scale": [1e38, 1.0, 1.0]}, far)):
        with pytest.raises(GltfError):
            read_gltf_room(builder.glb())
    changes: list[dict[str, Any]] = [
        {"meshes": []},
        {"meshes": [{"primitives": [{}]}]},
        {"nodes": [{"mesh": 0, "children": [0]}]},
    ]
    for change in changes:
        builder = scene({})
        builder.document.update(change)
        with pytest.raises(GltfError):
            read_gltf_room(builder.glb())
    whole = scene({}).glb()
    for data in (b"", whole[:60], glb(json.dumps({"asset": {"version": "2.0"}}).encode())):
        with pytest.raises(GltfError):
            read_gltf_room(data)
