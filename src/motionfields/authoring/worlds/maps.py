"""Maps for steering: clearance to standing obstacles, and lengths of ways to goals, on one grid over the room."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import lean_kernel
from motionfields.base.world import Reach, Room, Through, clearance_grid, way_lengths

FINEST, COARSEST = 0.1, 0.4  # metres, sides of cells
MOST_CELLS: Final = 4_000_000
MOST_MAP_BYTES: Final = 1 << 29  # of all maps of a pilot
EXTRA: Final = 0.1  # metres that ways keep off obstacles beyond the radius of the body
FAR: Final = np.float32(1e6)  # metres: no way


class GroundGrid(NamedTuple):
    """Clearance at the middles of square cells over a room; read-only."""

    clearance: FloatArray  # [x, z], metres, float32
    origin_x: float  # metres, world place of cell (0, 0)
    origin_z: float
    cell: float  # metres

    @classmethod
    def over(cls, room: Room) -> GroundGrid:
        """Return the grid over `room`, with the finest cells that `MOST_CELLS` allows."""
        x0, z0, x1, z1 = room.bounds
        cell = min(COARSEST, max(FINEST, math.sqrt((x1 - x0) * (z1 - z0) / MOST_CELLS)))
        grid = clearance_grid(room, (x0, z0), yaw=0.0, cell=cell)
        return cls(grid.clearance, grid.origin[0], grid.origin[1], cell)

    def cells(self, places: FloatArray) -> IntArray:
        """Return the cells [..., 2] of world `places` [..., 2], clipped to the grid."""
        found = np.rint((places - np.array([self.origin_x, self.origin_z])) / self.cell).astype(np.int64)
        return np.asarray(np.clip(found, 0, np.array(self.clearance.shape) - 1))

    def way_map(self, goal: Reach | Through, radius: float) -> FloatArray:
        """Return the metres [x, z], float32, from each cell to `goal` around obstacles; `FAR` where there is no way.

        A goal inside an obstacle, or too near to one, is reached from the nearest free cells.
        """
        free = self.clearance >= radius + EXTRA
        seeds = self.cells(_places_of(goal, self.cell))
        extra = np.zeros(len(seeds))
        if not free[seeds[:, 0], seeds[:, 1]].any():
            seeds = np.argwhere(free)
            if not len(seeds):
                return np.full(free.shape, FAR)
            off = np.linalg.norm(seeds - self.cells(_places_of(goal, self.cell)).mean(axis=0), axis=1)
            near = off <= off.min() + 2.0
            seeds, extra = seeds[near], off[near]
        lengths = self.cell * way_lengths(free, seeds, extra)
        return np.asarray(np.minimum(np.nan_to_num(lengths, posinf=float(FAR)), float(FAR)), dtype=np.float32)


def _places_of(goal: Reach | Through, spacing: float) -> FloatArray:
    """Return the places [n, 2] that count as the goal."""
    if isinstance(goal, Reach):
        return np.array([[goal.x, goal.z]])
    count = max(2, math.ceil(math.dist(goal.start, goal.end) / spacing) + 1)
    return np.asarray(np.linspace(goal.start, goal.end, count))


@lean_kernel
def _located(grid: GroundGrid, x: float, z: float) -> tuple[int, int, float, float]:
    """Return the cell below a place along x and along z, and the shares of the next one; clipped to the grid."""
    u = min(max((x - grid.origin_x) / grid.cell, 0.0), grid.clearance.shape[0] - 1.000001)
    w = min(max((z - grid.origin_z) / grid.cell, 0.0), grid.clearance.shape[1] - 1.000001)
    i, j = int(u), int(w)
    return i, j, u - i, w - j


@lean_kernel
def clearance_at(grid: GroundGrid, x: float, z: float) -> float:
    """Return the clearance in metres at one place, linear between cells; outside the grid that of the nearest cell."""
    i, j, u, w = _located(grid, x, z)
    near = grid.clearance[i, j] * (1.0 - w) + grid.clearance[i, j + 1] * w
    return float(near * (1.0 - u) + (grid.clearance[i + 1, j] * (1.0 - w) + grid.clearance[i + 1, j + 1] * w) * u)


@lean_kernel
def way_at(grid: GroundGrid, way: FloatArray, x: float, z: float) -> float:
    """Return the metres to the goal of the map `way` [x, z] from one place; `FAR` if no cell around it has a way."""
    i, j, u, w = _located(grid, x, z)
    total, weight = 0.0, 0.0
    for a in range(2):
        for b in range(2):
            length = way[i + a, j + b]
            if length < FAR:
                share = (u if a else 1.0 - u) * (w if b else 1.0 - w)
                total, weight = total + share * length, weight + share
    return total / weight if weight > 1e-6 else float(FAR)
