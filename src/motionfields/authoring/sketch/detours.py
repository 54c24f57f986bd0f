"""Detours: a path over the ground that leads through obstacles is led around them, by the shortest way."""

from __future__ import annotations

from typing import Final

import numpy as np

from motionfields.authoring.plan.lattice import CELL
from motionfields.authoring.sketch.strokes import Stroke
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.errors import PlanError
from motionfields.base.runs import true_runs
from motionfields.base.world import Room, clearance_grid, way_lengths
from motionfields.base.world.ways import MOVES, move_is_free

SPARE: Final = 0.05  # metres that detours keep from obstacles beside the radius of the body
LONGEST_PATH: Final = 1000.0  # metres
LEAD: Final = 1.0  # metres of the path by which a detour begins before an obstacle and ends after it


def led_around(stroke: Stroke, room: Room) -> Stroke:
    """Return `stroke`, a path of the root, with a detour around every obstacle of `room` that it leads through.

    Times before and after a detour stay; it is walked at an even speed. A path that ends in an obstacle ends before it.
    `PlanError` if the path begins in one, or if there is no way around; ValueError if it is longer than 1000 m.
    """
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(stroke.points, axis=0), axis=1))])
    if way[-1] > LONGEST_PATH:
        raise ValueError(f"points: expected a path of at most {LONGEST_PATH:g} m in a room, got {way[-1]:.3g} m")
    at = np.unique(np.concatenate([way, np.arange(0.0, way[-1], CELL)]))
    points = np.stack([np.interp(at, way, column) for column in stroke.points.T], axis=1)
    times = at if stroke.times is None else np.interp(at, way, stroke.times)
    blocked = room.clearance(points[:, ::2]) < room.radius
    if not blocked.any():
        return stroke
    last = len(blocked) - int(np.argmin(blocked[::-1]))  # what follows is in an obstacle
    points, times, at, blocked = points[:last], times[:last], at[:last], blocked[:last]
    if blocked[0] or last < 2:
        raise PlanError(f"the stroke begins outside the room or within {room.radius:.2f} m of an obstacle")
    pieces, clocks, kept = [], [], 0
    grid = clearance_grid(room, (float(points[0, 0]), float(points[0, 2])), yaw=0.0, cell=CELL)
    free = np.ascontiguousarray(grid.clearance >= room.radius + SPARE)
    for begin, end in true_runs(_widened(blocked, at)):
        pieces.append(points[kept:begin])
        clocks.append(times[kept:begin])
        kept = end
        cells = np.round(grid.to_cells(points[[begin - 1, end], ::2])).astype(np.int64)
        found = grid.to_world(_shortest(free, _freed(free, cells[0]), _freed(free, cells[1])))
        length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(found, axis=0), axis=1))])
        share = (length + CELL) / (length[-1] + 2.0 * CELL)
        height = points[begin - 1, 1] + share * (points[end, 1] - points[begin - 1, 1])
        pieces.append(np.stack([found[:, 0], height, found[:, 1]], axis=1))
        clocks.append(times[begin - 1] + share * (times[end] - times[begin - 1]))
    pieces.append(points[kept:])
    clocks.append(times[kept:])
    clock = None if stroke.times is None else np.concatenate(clocks)
    return Stroke(np.concatenate(pieces), stroke.seen, stroke.joint, clock)


def _widened(blocked: BoolArray, at: FloatArray) -> BoolArray:
    """Return which points [n] of a path are within `LEAD` of a `blocked` one, `at` [n] metres; neither of its ends."""
    near = at[blocked]
    if not len(near):
        return blocked
    after = np.minimum(np.searchsorted(near, at), len(near) - 1)
    away = np.minimum(np.abs(near[after] - at), np.abs(at - near[np.maximum(after - 1, 0)]))
    wide = away <= LEAD
    wide[[0, -1]] = False
    return np.asarray(wide)


def _freed(free: BoolArray, cell: IntArray) -> IntArray:
    """Return the free cell [2] nearest to `cell` [2]."""
    if free[tuple(cell)]:
        return cell
    cells = np.argwhere(free)
    if not len(cells):
        raise PlanError("there is no way around the obstacles that the stroke leads through")
    return np.asarray(cells[((cells - cell) ** 2).sum(axis=1).argmin()])


def _shortest(free: BoolArray, start: IntArray, goal: IntArray) -> FloatArray:
    """Return the cells [n, 2] of the shortest way over `free` [x, z] cells from `start` [2] to `goal` [2]."""
    lengths = way_lengths(free, goal[np.newaxis])
    if not np.isfinite(lengths[tuple(start)]):
        raise PlanError("there is no way around the obstacles that the stroke leads through")
    cells = [start]
    while (cells[-1] != goal).any():
        x, z = cells[-1].tolist()
        open_moves = [move for move in MOVES if move_is_free(free, x, z, *move.tolist())]
        cells.append(cells[-1] + min(open_moves, key=lambda move: lengths[x + move[0], z + move[1]] + np.hypot(*move)))
    return np.array(cells, dtype=np.float64)
