"""From a request in metres to a problem on the lattice: grid of the room, cells, lengths of ways and bounds."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.plan.bounds import Aim, facing_tables, straight_directions
from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, CELL, HEADINGS, Ground, ground_of
from motionfields.authoring.plan.search import Problem, Query
from motionfields.base.arrays import BoolArray, FloatArray, IntArray, frozen
from motionfields.base.errors import PlanError
from motionfields.base.world import ClearanceGrid, Room, clearance_grid, way_lengths

MOST_CELLS: Final = 4096  # in each direction; limits of the keys of states
MOST_STEPS: Final = (1 << 20) - 2
PASSING: Final = 0.25  # metres within which the end of a step passes a place on the way
DETOUR: Final = 1.5  # factor of the way where only a body that is a little smaller could pass
BEND: Final = 0.06  # share of the distance by which an end may be moved to the goal
MOST_SLACK: Final = 6  # cells by which it may be moved
ROUNDS: Final = 4  # of planning with more distance, if the displayed body comes too near


class Request(NamedTuple):
    """A motion that is asked for."""

    room: Room
    places: FloatArray  # [n, 2], metres: start, places to pass, goal
    start_facing: float  # radians
    facing: float | None  # radians, at the goal; None for any
    only: tuple[int | None, int | None]  # first and last step; None for any


State = tuple[int, int, int, int]  # node, cell x, z and heading


class Laid(NamedTuple):
    """A request laid out on the lattice."""

    grid: ClearanceGrid
    problem: Problem


def lay_out(
    graph: StepGraph, request: Request, *, margin: float = 0.0, attempt: int = 0, first: State | None = None
) -> Laid:
    """Return `request` on a lattice over its room with a cell at the start; `PlanError` if there can be no motion.

    Later attempts keep `margin` metres more from obstacles, and end nearer to the goal. With `first`, only the rest of
    the motion is sought, after that state.
    """
    room, places, start_facing, facing, only = request
    heading = math.floor(start_facing / ANGLE + 0.5)
    grid = clearance_grid(room, (places[0, 0], places[0, 1]), yaw=start_facing - heading * ANGLE, cell=CELL)
    if max(grid.clearance.shape) > MOST_CELLS or graph.step_count >= MOST_STEPS:
        raise PlanError(f"expected a room of at most {MOST_CELLS * CELL:g} m and fewer than {MOST_STEPS} steps")
    ground = ground_of(grid.clearance, room.radius + margin)
    cells = grid.to_cells(places)
    names = ["start", *(f"place {number + 1} on the way" for number in range(len(places) - 2)), "goal"]
    rounded = [_clear_cell(ground, cell, name) for cell, name in zip(cells, names, strict=True)]
    radius = math.floor(PASSING / CELL)
    through = np.array([(x, z, radius) for x, z in rounded[1:-1]], dtype=np.int64).reshape(-1, 3)
    arrival = -1 if facing is None else math.floor((facing - grid.yaw) / ANGLE + 0.5) % HEADINGS
    begin = first or (graph.start_node, *rounded[0], heading % HEADINGS)
    cells_away = math.dist(rounded[0], rounded[-1])
    slack = (max(0, min(MOST_SLACK, 1 + math.floor(BEND * cells_away)) - attempt), 2 if attempt < ROUNDS - 1 else 0)
    (x0, z0), (x1, z1) = begin[1:3], rounded[-1]
    query = Query(
        begin[0],
        graph.end_node,
        begin[1:],
        (x1, z1, arrival),
        slack,
        (-1 if only[0] is None else only[0], -1 if only[1] is None else only[1]),
        through,
    )
    lengths = _stage_lengths(ground.free, query)
    roomy = _stage_lengths(ground.clearance >= ground.radius, query)
    roomy = np.where(np.isfinite(roomy), roomy, DETOUR * lengths)
    if not np.isfinite(lengths[0, x0, z0]):
        raise PlanError("there is no way to the goal: obstacles close it off for a body of this radius")
    directions = straight_directions(x1 - x0, z1 - z0)
    tables = graph.tables
    if arrival >= 0:
        goals = np.zeros((graph.step_count + 2, HEADINGS), np.bool_)
        goals[graph.end_node, np.arange(arrival - slack[1], arrival + slack[1] + 1) % HEADINGS] = True
        tables = frozen(facing_tables(tables, graph.moves, goals))
    aim = Aim(lengths, roomy, x1, z1, float(slack[0]), directions, 1)
    headings = np.full((*lengths.shape, 2), -1, np.int16)
    return Laid(grid, Problem(graph.moves, ground, tables, aim, query, headings))


def _clear_cell(ground: Ground, cell: FloatArray, name: str) -> tuple[int, int]:
    """Return the free cell nearest to `cell` [2], given in fractions, of the four around it."""
    corners = [(math.floor(cell[0]) + a, math.floor(cell[1]) + b) for a in (0, 1) for b in (0, 1)]
    corners.sort(key=lambda corner: math.dist(corner, cell.tolist()))
    width, height = ground.clearance.shape
    for x, z in corners:
        if 0 <= x < width and 0 <= z < height and ground.clearance[x, z] >= ground.radius:
            return x, z
    raise PlanError(
        f"the {name} is outside the room or nearer to an obstacle than {ground.radius:.2f} m, the radius of the body"
    )


def _stage_lengths(free: BoolArray, query: Query) -> FloatArray:
    """Return the lengths [stage, x, z] in cells of the ways to the goal through the places left in each stage."""
    found = [way_lengths(free, _disc(free, query.end[0], query.end[1], query.slack[0]))]
    for x, z, radius in query.through[::-1].tolist():
        cells = _disc(free, x, z, radius)
        onward = found[-1][cells[:, 0], cells[:, 1]]
        known = np.isfinite(onward)
        found.append(way_lengths(free, cells[known], onward[known]))
    return np.stack(found[::-1])


def _disc(free: BoolArray, x: int, z: int, radius: int) -> IntArray:
    """Return the cells [n, 2] of the grid within `radius` cells of a cell."""
    span = np.arange(-radius, radius + 1)
    offsets = np.stack(np.meshgrid(span, span, indexing="ij"), axis=-1).reshape(-1, 2)
    cells = np.array([x, z]) + offsets[(offsets**2).sum(axis=1) <= radius**2]
    return np.asarray(cells[((cells >= 0) & (cells < free.shape)).all(axis=1)])
