"""Rooms from MuJoCo models (MJCF): the footprints of geoms that stand still; needs the extra `physics`."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.engine import engine
from motionfields.base.errors import FormatError
from motionfields.base.storage import shown
from motionfields.base.world.rooms import BODY_RADIUS, Box, Disc, Obstacle, Room, Wall

LOWEST, HIGHEST = 0.1, 1.9  # metres: whatever is below or above is no obstacle
UPRIGHT: Final = 0.999  # cosine of the largest tilt of a box or cylinder that counts as upright
MARGIN: Final = 3.0  # metres of free ground around all obstacles
HALF_SIDE: Final = 95.0  # metres, half of the largest side of a floor


def read_mjcf(path: str | os.PathLike[str], *, radius: float = BODY_RADIUS) -> Room:
    """Return the room that the geoms of a MuJoCo model make, for bodies of `radius` metres.

    Only geoms that stand still and can collide count, where they reach into the heights from 0.1 to 1.9 m. MuJoCo's x
    is ours, and its y points to our -z. Upright boxes, cylinders, capsules and spheres keep their shape, lying
    cylinders and capsules become walls, and others the rectangle around them. A finite plane is the floor; without
    one, the room ends 3 m beyond the obstacles. Raises `FormatError` for a file that is no such model.
    """
    mujoco = engine()
    name = shown(str(path))
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, OSError) as error:
        raise FormatError(f"expected a MuJoCo model: {str(error).splitlines()[0]:.200}", path=name) from None
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    obstacles: list[Obstacle] = []
    floor = np.array([np.inf, np.inf, -np.inf, -np.inf])
    try:
        for geom in range(model.ngeom):
            if model.body_weldid[model.geom_bodyid[geom]] != 0:
                continue
            if model.geom_contype[geom] == 0 and model.geom_conaffinity[geom] == 0:
                continue
            if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_PLANE:
                floor = _with_floor(floor, model.geom_size[geom], data.geom_xpos[geom], data.geom_xmat[geom])
                continue
            made = _obstacle(mujoco.mjtGeom, model, data, geom)
            if made is not None:
                obstacles.append(made)
        return Room(_bounds(floor, obstacles), tuple(obstacles), radius)
    except ValueError as error:
        raise FormatError(f"a geom does not fit into a room: {error}", path=name) from None


def _obstacle(kinds: Any, model: Any, data: Any, geom: int) -> Obstacle | None:
    """Return the footprint of one geom; None if it is above or below the height of a body."""
    kind, size, turn = kinds(model.geom_type[geom]), model.geom_size[geom], data.geom_xmat[geom].reshape(3, 3)
    middle = data.geom_xpos[geom] + turn @ model.geom_aabb[geom, :3]
    half = np.abs(turn) @ model.geom_aabb[geom, 3:]
    if middle[2] + half[2] < LOWEST or middle[2] - half[2] > HIGHEST:
        return None
    x, z = float(middle[0]), -float(middle[1])
    upright = abs(turn[2, 2]) >= UPRIGHT
    if kind == kinds.mjGEOM_SPHERE or (kind in (kinds.mjGEOM_CYLINDER, kinds.mjGEOM_CAPSULE) and upright):
        return Disc(x, z, float(size[0]))
    if kind == kinds.mjGEOM_BOX and upright:
        yaw = float(np.arctan2(turn[1, 0], turn[0, 0]))
        return Box(x, z, 2.0 * float(size[0]), 2.0 * float(size[1]), yaw)
    if kind in (kinds.mjGEOM_CYLINDER, kinds.mjGEOM_CAPSULE) and abs(turn[2, 2]) < 1.0 - UPRIGHT:
        way = size[1] * turn[:, 2]
        start, end = (x - float(way[0]), z + float(way[1])), (x + float(way[0]), z - float(way[1]))
        return Wall(start, end, 2.0 * float(size[0]))
    return Box(x, z, 2.0 * float(half[0]), 2.0 * float(half[1]))


def _with_floor(floor: FloatArray, size: FloatArray, middle: FloatArray, turn: FloatArray) -> FloatArray:
    """Return the bounds `floor` [4] (least x and z, largest x and z) with a plane; infinite planes have a size of 0."""
    if size[0] <= 0.0 or size[1] <= 0.0 or abs(turn[8]) < UPRIGHT:
        return floor
    half = np.abs(turn.reshape(3, 3)[:2, :2]) @ np.minimum(size[:2], HALF_SIDE)
    place = np.array([middle[0], -middle[1]])
    return np.concatenate([np.minimum(floor[:2], place - half), np.maximum(floor[2:], place + half)])


def _bounds(floor: FloatArray, obstacles: list[Obstacle]) -> tuple[float, float, float, float]:
    """Return the bounds of a room with `obstacles`: the floor, or a margin around them."""
    if not np.isfinite(floor).all():
        reaches = [(block, float(np.hypot(block[2], block[3])) + block[5]) for block in (o.block() for o in obstacles)]
        low = np.min([(b[0] - r, b[1] - r) for b, r in reaches] or [(-MARGIN, -MARGIN)], axis=0) - MARGIN
        high = np.max([(b[0] + r, b[1] + r) for b, r in reaches] or [(MARGIN, MARGIN)], axis=0) + MARGIN
        floor = np.concatenate([low, high])
    x0, z0, x1, z1 = (float(part) for part in floor)
    return x0, z0, x1, z1
