"""Exact costs of all states of a small problem, by plain sweeps over arrays: the twin of the compiled searches."""

from __future__ import annotations

import math

import numpy as np

from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, CELL, COST_UNIT, HEADINGS, Ground
from motionfields.authoring.plan.search import ARRIVAL_SHARE, NO_COST, Query
from motionfields.base.arrays import BoolArray, IntArray
from motionfields.base.world.ways import OCTANT


def plain_landing(graph: StepGraph, edge: int, heading: int) -> tuple[int, int, int]:
    """Cells and cost in units of an edge that begins at a heading."""
    x, z = graph.moves.way[edge]
    sine, cosine = math.sin(ANGLE * heading), math.cos(ANGLE * heading)
    ahead = (cosine * x + sine * z) / CELL, (cosine * z - sine * x) / CELL
    cells = [math.floor(part + 0.5) for part in ahead]
    square = sum((part - cell) ** 2 for part, cell in zip(ahead, cells, strict=True))
    warp = math.floor(COST_UNIT * graph.settings.warp_cost * square + 0.5)
    return cells[0], cells[1], int(graph.moves.cost[edge]) + warp


def line_cells(a: int, b: int) -> list[tuple[int, int]]:
    """The cells that the straight line by (a, b) enters, as a sum of two neighbouring moves."""
    wide, high = sorted((abs(a), abs(b)), reverse=True)
    cone = next((n for n in range(3) if high * OCTANT[n + 1, 0] <= wide * OCTANT[n + 1, 1]), 3)
    (ua, ub), (va, vb) = OCTANT[cone].tolist(), OCTANT[cone + 1].tolist()
    first, second = wide * vb - high * va, high * ua - wide * ub
    at, found, done = (0, 0), [], 0
    for step in range(first + second):
        take = (step + 1) * second // (first + second) > done
        done += take
        move = (va, vb) if take else (ua, ub)
        move = move[::-1] if abs(b) > abs(a) else move
        move = (move[0] if a >= 0 else -move[0], move[1] if b >= 0 else -move[1])
        steps = max(map(abs, move))
        found += [
            (at[0] + math.floor(move[0] * t / steps + 0.5), at[1] + math.floor(move[1] * t / steps + 0.5))
            for t in range(1, steps + 1)
        ]
        at = at[0] + move[0], at[1] + move[1]
    assert at == (a, b)
    return found


def plain_clear(graph: StepGraph, ground: Ground, edge: int, heading: int, end: tuple[int, int, int]) -> BoolArray:
    """From which cells [x, z] an edge can be followed."""
    moves, (width, height) = graph.moves, ground.free.shape
    sine, cosine = math.sin(ANGLE * heading), math.cos(ANGLE * heading)
    world_from_own = np.array([[cosine, sine], [-sine, cosine]])
    rest = np.array(end[:2]) - world_from_own @ moves.way[edge] / CELL
    cells = np.stack(np.meshgrid(np.arange(width), np.arange(height), indexing="ij"), axis=-1)
    offsets = moves.samples[edge] @ world_from_own.T / CELL + moves.shares[:, np.newaxis] * rest
    at = cells + offsets[:, np.newaxis, np.newaxis]
    low = np.floor(at).astype(np.int64)
    inside = ((low >= 0) & (low + 1 < (width, height))).all(axis=-1)
    i, j = (np.clip(low[..., axis], 0, (width, height)[axis] - 2) for axis in (0, 1))
    u, v = (at - low)[..., 0], (at - low)[..., 1]
    known = ground.clearance.astype(np.float64)
    value = (1 - u) * ((1 - v) * known[i, j] + v * known[i, j + 1])
    value += u * ((1 - v) * known[i + 1, j] + v * known[i + 1, j + 1])
    clear = (inside & (value >= ground.radius)).all(axis=0)
    line = np.array(line_cells(end[0], end[1]), dtype=np.int64).reshape(-1, 2)
    crossed = cells + line[:, np.newaxis, np.newaxis]
    within = ((crossed >= 0) & (crossed < (width, height))).all(axis=-1)
    i, j = (np.clip(crossed[..., axis], 0, (width, height)[axis] - 1) for axis in (0, 1))
    return np.asarray(clear & (within & ground.free[i, j]).all(axis=0))


def clear_edges(graph: StepGraph, ground: Ground) -> list[tuple[int, int, tuple[int, int, int], IntArray]]:
    """Every edge and heading with its landing and the cells [n, 2] from which it can be followed."""
    found: list[tuple[int, int, tuple[int, int, int], IntArray]] = []
    for edge in range(len(graph.moves.target)):
        for heading in range(HEADINGS):
            end = plain_landing(graph, edge, heading)
            if abs(end[0]) < ground.free.shape[0] and abs(end[1]) < ground.free.shape[1]:
                cells = np.argwhere(plain_clear(graph, ground, edge, heading, end))
                if len(cells):
                    found.append((edge, heading, end, cells))
    return found


def exact_costs(
    graph: StepGraph, ground: Ground, query: Query, edges: list[tuple[int, int, tuple[int, int, int], IntArray]]
) -> IntArray:
    """Cost in units [node, heading, x, z] from every state to the goal; `NO_COST` if there is no way."""
    moves = graph.moves
    out = np.full((graph.step_count + 2, HEADINGS, *ground.free.shape), NO_COST, np.int64)
    share = COST_UNIT * graph.settings.warp_cost * ARRIVAL_SHARE
    for x, z in np.argwhere(ground.free).tolist():
        away = (x - query.end[0]) ** 2 + (z - query.end[1]) ** 2
        for heading in range(HEADINGS if away <= query.slack[0] ** 2 else 0):
            turn = 0
            if query.end[2] >= 0:
                turn = abs((heading - query.end[2] + HEADINGS // 2) % HEADINGS - HEADINGS // 2)
            if turn <= query.slack[1]:
                out[query.end_node, heading, x, z] = math.floor(share * (away + turn * turn) + 0.5)
    changed = np.ones(out.shape[:2], np.bool_)
    while changed.any():
        before, changed = changed, np.zeros_like(changed)
        for edge, heading, (x, z, cost), cells in edges:
            target, turned = moves.target[edge], (heading + moves.turn[edge]) % HEADINGS
            if not (before[target, turned] or changed[target, turned]):
                continue
            i, j = cells[:, 0], cells[:, 1]
            value = out[target, turned, i + x, j + z] + cost
            here = out[moves.source[edge], heading]
            better = value < here[i, j]
            if better.any():
                here[i[better], j[better]] = value[better]
                changed[moves.source[edge], heading] = True
    return out
