"""Editing: a plan with one stretch of it replaced."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import CELL, COST_UNIT, landing
from motionfields.authoring.plan.planning import MOST_THROUGH, Place, Plan, Trace, checked_places, kept_clear
from motionfields.authoring.plan.problem import State, lay_out
from motionfields.authoring.plan.solving import Effort, Found, Progress, SearchView, anytime
from motionfields.base.arrays import IntArray
from motionfields.base.checks import checked_number
from motionfields.base.world import ClearanceGrid, Room, clearance_grid

SHORTEST: Final = 0.1  # seconds of a stretch
SPACING: Final = 1.0  # metres between the places of the old way that the rest of the motion passes
NEAR_GOAL: Final = 0.5  # metres from the goal in which it passes none
SPARE: Final = 0.05  # metres by which such a place must be clear of obstacles


def replan(
    graph: StepGraph,
    found: Plan,
    between: tuple[float, float],
    *,
    through: Sequence[Place] = (),
    room: Room | None = None,
    within: float = 1.0,
    most_expansions: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    watch: Callable[[SearchView], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Plan:
    """Return the plan `found` with the motion `between` two times, in seconds, replaced by another.

    The steps before the stretch stay. In the stretch, the motion passes the places `through` in order. After it, the
    motion takes the old way, with other steps where they fit better: it passes places of it about 1 m apart, each
    within 0.25 m. It stays in `room`, by default that of `found`; the other options are as in `plan`. The bound is for
    all motions that do the same. `PlanError` says why there is no motion.
    """
    begin, end = between
    checked_number("begin", begin, 0.0, found.clip.duration)
    checked_number("end", end, min(begin + SHORTEST, found.clip.duration), found.clip.duration + 1e-6)
    checked_number("within", within, 0.0, 1e6)
    old, use = found.trace.request, found.room if room is None else room
    start, goal = old.places[[0, -1]].tolist()
    checked_places([start, *through, goal])
    first, last = _nodes_around(graph, found.trace, begin, end)
    later = _places_after(found.trace, last, use)[: MOST_THROUGH - len(through)]
    places = checked_places([start, *through, *later, goal])
    request = old._replace(room=use, places=places, only=(None, old.only[1]))
    effort = Effort(clock, None if most_expansions is not None else within, most_expansions, progress)
    path = _on_lattice_of(found.trace, use)
    state: State | None = None if first == 0 else tuple(path[first, 1:].tolist())

    def solve(margin: float, attempt: int) -> tuple[ClearanceGrid, Found]:
        grid, problem = lay_out(graph, request, margin=margin, attempt=attempt, first=state)
        rest = anytime(problem, effort.showing(watch, grid))
        return grid, _joined(graph, path[: first + 1], found.trace.edges[:first], rest)

    return kept_clear(graph, request, solve)


def _nodes_around(graph: StepGraph, trace: Trace, begin: float, end: float) -> tuple[int, int]:
    """Return the nodes of a path that enclose the stretch between two times in seconds."""
    lengths = graph.steps.length[trace.path[1:-1, 1]] * graph.field.database.frame_time
    times = np.concatenate([[0.0], np.cumsum(lengths[:-1])])  # at START, and at the end of each step but the last
    first = int(np.searchsorted(times, begin + 1e-9, "right")) - 1
    last = int(np.searchsorted(times, end - 1e-9))
    return first, last if last < len(times) else len(trace.edges)


def _places_after(trace: Trace, node: int, room: Room) -> list[Place]:
    """Return clear places of a path from `node` on, about `SPACING` metres apart."""
    goal = trace.request.places[-1]
    found: list[Place] = []
    for place in trace.grid.to_world(trace.path[node:-1, 2:4].astype(np.float64)):
        if np.hypot(*(place - goal)) < NEAR_GOAL or room.clearance(place) < room.radius + SPARE:
            continue
        if not found or np.hypot(*(place - found[-1])) >= SPACING:
            found.append((float(place[0]), float(place[1])))
    return found


def _on_lattice_of(trace: Trace, room: Room) -> IntArray:
    """Return the path of `trace` in the cells of the grid over `room`, which has the same lattice."""
    x, z = trace.request.places[0].tolist()
    grid = clearance_grid(room, (x, z), yaw=trace.grid.yaw, cell=CELL)
    path = trace.path.copy()
    path[:, 2:4] += np.round(grid.to_cells(np.asarray(trace.grid.origin))).astype(path.dtype)
    return path


def _joined(graph: StepGraph, path: IntArray, edges: IntArray, rest: Found) -> Found:
    """Return the motion along `path` and then along `rest`, which begins at its last node."""
    pairs = zip(edges.tolist(), path[:-1, 4].tolist(), strict=True)
    kept = sum(landing(graph.moves, edge, heading).cost for edge, heading in pairs)
    seconds = kept / COST_UNIT
    return Found(
        rest.cost + kept,
        rest.bound + kept,
        np.concatenate([path[:-1], rest.path]),
        np.concatenate([edges, rest.edges]),
        tuple(now._replace(cost=now.cost + seconds, bound=now.bound + seconds) for now in rest.history),
    )
