"""Grids over a room with the clearance of every cell: the distance to the nearest obstacle."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import checked_number, checked_numbers
from motionfields.base.compiled import kernel
from motionfields.base.geometry import turn_over_ground
from motionfields.base.world.rooms import Room

SMALLEST_CELL: Final = 1e-3  # metres
MOST_CELLS: Final = 50_000_000


class ClearanceGrid(NamedTuple):
    """Square cells over a room. Cell (i, j) is at `origin` plus its own x and z, `cell` metres apart, turned by `yaw`.

    The grid has its own x and z axes, turned to the left by `yaw` radians against those of the world.
    """

    clearance: FloatArray  # [x, z], metres at the middle of each cell, float32; negative outside the room
    origin: tuple[float, float]  # world x and z of cell (0, 0) in metres
    yaw: float  # radians
    cell: float  # metres

    def to_world(self, cells: FloatArray) -> FloatArray:
        """Return the world places [..., 2] in metres of `cells` [..., 2], which may be fractions."""
        return np.asarray(self.origin) + turn_over_ground(self.cell * cells, np.asarray(self.yaw))

    def to_cells(self, places: FloatArray) -> FloatArray:
        """Return the cells [..., 2], in fractions, of world `places` [..., 2] in metres; undoes `to_world`."""
        return np.asarray(turn_over_ground(places - np.asarray(self.origin), np.asarray(-self.yaw)) / self.cell)


def clearance_grid(room: Room, place: tuple[float, float], *, yaw: float, cell: float) -> ClearanceGrid:
    """Return a grid over `room` that has a cell exactly at `place` (metres), with its axes turned by `yaw` radians."""
    yaw, cell = checked_number("yaw", yaw), checked_number("cell", cell, SMALLEST_CELL)
    at = checked_numbers("place", place, shape=(2,))
    x0, z0, x1, z1 = room.bounds
    corners = turn_over_ground(np.array([(x0, z0), (x0, z1), (x1, z0), (x1, z1)]) - at, np.asarray(-yaw))
    first = np.floor(corners.min(axis=0) / cell)
    count = (np.ceil(corners.max(axis=0) / cell) - first).astype(np.int64) + 1
    if count.prod() > MOST_CELLS:
        raise ValueError(f"cell: expected a grid of at most {MOST_CELLS} cells, got {count[0]} by {count[1]}")
    corner = at + turn_over_ground(first * cell, np.asarray(yaw))
    blocks = room.blocks()
    out = np.empty((int(count[0]), int(count[1])), np.float32)
    _fill_clearance(blocks, np.array(room.bounds), float(corner[0]), float(corner[1]), yaw, cell, out)
    return ClearanceGrid(out, (float(corner[0]), float(corner[1])), yaw, cell)


@kernel
def _fill_clearance(
    blocks: FloatArray, bounds: FloatArray, x0: float, z0: float, yaw: float, cell: float, out: FloatArray
) -> None:
    """Fill `out` [x, z] with the clearance of the cells; see `Room.clearance`."""
    sine, cosine = math.sin(yaw), math.cos(yaw)
    count = len(blocks)
    sines, cosines = np.sin(blocks[:, 4]), np.cos(blocks[:, 4])
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            own_x, own_z = i * cell, j * cell
            x = x0 + cosine * own_x + sine * own_z
            z = z0 + cosine * own_z - sine * own_x
            best = min(min(x - bounds[0], bounds[2] - x), min(z - bounds[1], bounds[3] - z))
            for block in range(count):
                dx, dz = x - blocks[block, 0], z - blocks[block, 1]
                reach = best + blocks[block, 2] + blocks[block, 3] + blocks[block, 5]
                if best > 0.0 and dx * dx + dz * dz > reach * reach:
                    continue
                far_x = abs(cosines[block] * dx - sines[block] * dz) - blocks[block, 2]
                far_z = abs(cosines[block] * dz + sines[block] * dx) - blocks[block, 3]
                out_x, out_z = max(far_x, 0.0), max(far_z, 0.0)
                distance = math.sqrt(out_x * out_x + out_z * out_z) + min(max(far_x, far_z), 0.0) - blocks[block, 5]
                best = min(best, distance)
            out[i, j] = best
