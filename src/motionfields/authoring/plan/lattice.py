"""The lattice of a search: places 5 cm apart and headings 5 degrees apart, on which every step ends exactly.

A step rarely ends on the lattice by itself; the remainder is spread over the step at a cost. Costs are whole multiples
of 1 / `COST_UNIT` seconds, so that their sums are exact in any order.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.world.ways import line_is_free

CELL: Final = 0.05  # metres
HEADINGS: Final = 72
ANGLE: Final = 2.0 * math.pi / HEADINGS  # radians
COST_UNIT: Final = 1 << 20
CHORD_SLACK: Final = 0.05  # metres by which the straight line of a step may come nearer to obstacles than the body
SINES: Final = np.sin(ANGLE * np.arange(HEADINGS))
COSINES: Final = np.cos(ANGLE * np.arange(HEADINGS))


class Moves(NamedTuple):
    """The edges of a step graph in the form of compiled loops. Edges from node a are first[a] to first[a + 1]."""

    first: IntArray  # [node + 1], int64
    source: IntArray  # [edge], int32
    target: IntArray  # [edge], int32
    back_first: IntArray  # [node + 1], int64: into `back_edge`, by target
    back_edge: IntArray  # [edge], int32
    way: FloatArray  # [edge, 2], metres to the left and ahead, in the frame of the source's end
    turn: IntArray  # [edge], int32, lattice angles
    cost: IntArray  # [edge], int64, units, without the remainder of the place
    samples: FloatArray  # [edge, sample, 2], metres, places of the root on the way, the end included
    shares: FloatArray  # [sample], share of the remainder that each sample has taken
    warp_cost: float  # seconds for each square cell of remainder
    extent: FloatArray  # [edge], metres from the start within which the root stays
    pivot: FloatArray  # [edge, 3], ground pose of the target's start in the frame of the source's end
    jump: FloatArray  # [edge], m/s2; 0 where the target follows in the data


class Ground(NamedTuple):
    """Clearance of the cells of a room."""

    clearance: FloatArray  # [x, z], metres, float32
    free: BoolArray  # [x, z], where straight lines of steps may pass
    radius: float  # metres, of the body


class Landing(NamedTuple):
    """End of an edge: whole cells from its start, and its cost in units."""

    x: int
    z: int
    cost: int


def lattice_turn(turn: FloatArray) -> IntArray:
    """Return `turn` [...] in radians as the nearest whole number of lattice angles, int32."""
    return np.asarray(np.floor(np.asarray(turn) / ANGLE + 0.5), dtype=np.int32)


def ground_of(clearance: FloatArray, radius: float) -> Ground:
    """Return the ground of cells with `clearance` [x, z] in metres for a body of `radius` metres."""
    return Ground(clearance, np.ascontiguousarray(clearance >= radius - CHORD_SLACK), radius)


@kernel
def landing(moves: Moves, edge: int, heading: int) -> Landing:
    """Return where `edge` ends when it begins at lattice `heading`."""
    sine, cosine = SINES[heading], COSINES[heading]
    x, z = moves.way[edge, 0], moves.way[edge, 1]
    ahead_x, ahead_z = (cosine * x + sine * z) / CELL, (cosine * z - sine * x) / CELL
    cell_x, cell_z = math.floor(ahead_x + 0.5), math.floor(ahead_z + 0.5)
    rest_x, rest_z = ahead_x - cell_x, ahead_z - cell_z
    warp = math.floor(COST_UNIT * moves.warp_cost * (rest_x * rest_x + rest_z * rest_z) + 0.5)
    return Landing(int(cell_x), int(cell_z), moves.cost[edge] + int(warp))


@kernel
def clearance_at(ground: Ground, x: float, z: float) -> float:
    """Return the clearance in metres at the cell (`x`, `z`), given in fractions; bilinear between cells."""
    i, j = math.floor(x), math.floor(z)
    if i < 0 or j < 0 or i + 1 >= ground.clearance.shape[0] or j + 1 >= ground.clearance.shape[1]:
        return -1.0
    u, v = x - i, z - j
    low = (1.0 - v) * ground.clearance[i, j] + v * ground.clearance[i, j + 1]
    high = (1.0 - v) * ground.clearance[i + 1, j] + v * ground.clearance[i + 1, j + 1]
    return float((1.0 - u) * low + u * high)


@kernel
def is_clear(moves: Moves, ground: Ground, edge: int, x: int, z: int, heading: int, end: Landing) -> bool:
    """Return whether the body can follow `edge` from the cell (`x`, `z`), with its remainder spread, to `end`."""
    if ground.clearance[x, z] >= ground.radius + moves.extent[edge]:
        return True
    sine, cosine = SINES[heading], COSINES[heading]
    way_x, way_z = moves.way[edge, 0], moves.way[edge, 1]
    rest_x = end.x - (cosine * way_x + sine * way_z) / CELL
    rest_z = end.z - (cosine * way_z - sine * way_x) / CELL
    count = moves.samples.shape[1]
    for number in range(count):
        sample = count - 1 - number  # ends are blocked most often
        a, b = moves.samples[edge, sample, 0], moves.samples[edge, sample, 1]
        share = moves.shares[sample]
        at_x = x + (cosine * a + sine * b) / CELL + share * rest_x
        at_z = z + (cosine * b - sine * a) / CELL + share * rest_z
        if clearance_at(ground, at_x, at_z) < ground.radius:
            return False
    return line_is_free(ground.free, x, z, end.x, end.z)
