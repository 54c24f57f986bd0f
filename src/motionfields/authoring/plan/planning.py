"""Planning: from a step graph, a room and a goal to a motion, its cost and a proven bound of that cost."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from motionfields.authoring.easing import smooth_share
from motionfields.authoring.plan.both import search_both_ways
from motionfields.authoring.plan.bounds import Aim, Tables, facing_tables, straight_directions
from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, CELL, COST_UNIT, HEADINGS, Ground, ground_of
from motionfields.authoring.plan.playback import Played, play
from motionfields.authoring.plan.search import (
    BEST,
    BEST_STATE,
    DONE,
    EXPANDED,
    FULL,
    NO_COST,
    Query,
    States,
    expand,
    grown,
    least_total,
    new_states,
    rekey,
    start_search,
)
from motionfields.base.arrays import BoolArray, FloatArray, IntArray, frozen
from motionfields.base.checks import checked_count, checked_number
from motionfields.base.errors import PlanError
from motionfields.base.geometry import wrap_angle
from motionfields.base.world import ClearanceGrid, Room, clearance_grid, way_lengths
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.motion.clip import Clip

Place = tuple[float, float]
Search = Literal["auto", "anytime", "both"]
SEARCHES: Final = ("auto", "anytime", "both")
PHASES: Final = (  # weight, and whether the guide sets the order
    *((5.0, True), (3.0, True), (2.0, True), (1.5, True), (1.25, True), (1.1, True), (1.0, True)),
    (1.0, False),
)
SLICE: Final = 4096  # expansions between looks at the clock
FIRST_STATES: Final = 1 << 16
MOST_STATES: Final = 1 << 22
MOST_CELLS: Final = 4096  # in each direction; limits of the keys of states
MOST_STEPS: Final = (1 << 20) - 2
PASSING: Final = 0.25  # metres within which the end of a step passes a place on the way
MOST_THROUGH: Final = 32
CLEARANCE_SLACK: Final = 0.02  # metres by which the displayed body may come nearer to obstacles than its radius
LANDING: Final = 3.0  # metres before the end over which the way is bent to the goal itself
DETOUR: Final = 1.5  # factor of the way where only a body that is a little smaller could pass
BEND: Final = 0.06  # share of the distance by which an end may be moved to the goal
MOST_SLACK: Final = 6  # cells by which it may be moved
ROUNDS: Final = 4  # of planning with more distance, if the displayed body comes too near


class Progress(NamedTuple):
    """One moment of a search; `cost` is infinite before the first motion is found."""

    seconds: float  # since the search began
    cost: float  # of the best motion so far
    bound: float  # that no motion can be cheaper than
    expanded: int  # states


@dataclass(frozen=True, eq=False)
class Plan:
    """A planned motion with its cost and a proven lower bound of the cost of any motion for the same goal.

    Costs are in seconds: the time that the steps take, and penalties for jumps and for changes of steps.
    """

    clip: Clip
    cost: float
    bound: float
    history: tuple[Progress, ...]
    steps: IntArray  # [m], steps of the graph in order
    rows: IntArray  # [frame], database states
    room: Room
    clearance: float  # metres, least distance of the displayed root to an obstacle
    end_offset: float  # metres from the goal at the last frame
    end_turn: float  # radians from the wanted facing at the last frame; 0 if none was asked

    @property
    def ratio(self) -> float:
        """Cost over proven bound: no motion for this goal is cheaper by more than this factor."""
        return self.cost / max(self.bound, 1e-9)


class _Problem(NamedTuple):
    """A query on the lattice, with everything that searches need."""

    graph: StepGraph
    ground: Ground
    grid: ClearanceGrid
    query: Query
    tables: Tables  # towards the goal
    aim: Aim


class _Found(NamedTuple):
    cost: int
    bound: int
    path: IntArray  # [node, 5]
    edges: IntArray  # [node - 1]
    history: tuple[Progress, ...]


def plan(
    graph: StepGraph,
    to: Place,
    *,
    facing: float | None = None,
    start: Place = (0.0, 0.0),
    start_facing: float = 0.0,
    room: Room | None = None,
    through: Sequence[Place] = (),
    first_step: int | None = None,
    last_step: int | None = None,
    within: float = 1.0,
    most_expansions: int | None = None,
    search: Search = "auto",
    progress: Callable[[Progress], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Plan:
    """Return a cheap motion from `start` to the place `to` (x and z in metres), with a proven bound of its cost.

    `facing` and `start_facing` are in radians. The motion stays in `room`, passes the places `through` in order, each
    within 0.25 m, and begins and ends with the given steps of `graph`, if any. The search goes on for `within` seconds
    or until the motion is proven to be the cheapest; it always goes on until it has found one, or proven that there is
    none. `clock` returns the time in seconds. With `most_expansions` it stops by work instead of time, so that every
    run gives the same result.

    `search` is "anytime" (from the start, with a falling weight), "both" (from both ends, exact) or "auto", which
    searches from both ends if first and last step and facing are given. `PlanError` says why there is no motion.
    """
    checked_number("within", within, 0.0, 1e6)
    if search not in SEARCHES:
        raise ValueError(f"search: expected one of {', '.join(SEARCHES)}, got {search!r}")
    for name, step in (("first_step", first_step), ("last_step", last_step)):
        if step is not None:
            checked_count(name, step, 0, graph.step_count - 1)
    if len(through) > MOST_THROUGH:
        raise ValueError(f"through: expected at most {MOST_THROUGH} places, got {len(through)}")
    places = np.array([start, *through, to], dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2 or not np.isfinite(places).all():
        raise ValueError("start, through, to: expected finite x and z in metres")
    checked_number("start_facing", start_facing, -1e3, 1e3)
    if facing is not None:
        checked_number("facing", facing, -1e3, 1e3)
    use = Room.around(places) if room is None else room
    deadline = None if most_expansions is not None else within
    fixed = first_step is not None and last_step is not None and facing is not None
    margin = 0.0
    for attempt in range(ROUNDS):
        problem = _problem(graph, use, margin, places, start_facing, facing, (first_step, last_step), attempt)
        if (search == "both" or (search == "auto" and fixed)) and not len(through):
            found = _from_both_ends(problem, clock)
        else:
            found = _anytime(problem, deadline, most_expansions, progress, clock)
        played = _shown(graph, problem, found, places[-1], facing)
        clearance = float(use.clearance(played.clip.root_position[:, ::2]).min())
        if clearance >= use.radius - CLEARANCE_SLACK or attempt == ROUNDS - 1:
            break
        margin += max(0.01, use.radius - clearance)
    last = played.clip.root_position[-1, ::2]
    seen = facing_of(played.clip.rotations[-1, 0], hip_line(played.clip.skeleton))
    turn = 0.0 if facing is None else abs(float(wrap_angle(seen - facing)))
    return Plan(
        played.clip,
        found.cost / COST_UNIT,
        found.bound / COST_UNIT,
        found.history,
        found.path[1:-1, 1].astype(np.int64),
        played.rows,
        use,
        clearance,
        float(np.hypot(*(last - places[-1]))),
        turn,
    )


def _problem(
    graph: StepGraph,
    room: Room,
    margin: float,
    places: FloatArray,
    start_facing: float,
    facing: float | None,
    only: tuple[int | None, int | None],
    attempt: int,
) -> _Problem:
    """Return the lattice over `room`, with a cell at the start, and the query on it."""
    heading = math.floor(start_facing / ANGLE + 0.5)
    grid = clearance_grid(room, (places[0, 0], places[0, 1]), yaw=start_facing - heading * ANGLE, cell=CELL)
    if max(grid.clearance.shape) > MOST_CELLS or graph.step_count >= MOST_STEPS:
        raise PlanError(f"expected a room of at most {MOST_CELLS * CELL:g} m and fewer than {MOST_STEPS} steps")
    ground = ground_of(grid.clearance, room.radius + margin)
    cells = grid.to_cells(places)
    names = ["start", *(f"place {number + 1} on the way" for number in range(len(places) - 2)), "goal"]
    rounded = [_clear_cell(ground, cell, name, room) for cell, name in zip(cells, names, strict=True)]
    radius = math.floor(PASSING / CELL)
    through = np.array([(x, z, radius) for x, z in rounded[1:-1]], dtype=np.int64).reshape(-1, 3)
    arrival = -1 if facing is None else math.floor((facing - grid.yaw) / ANGLE + 0.5) % HEADINGS
    (x0, z0), (x1, z1) = rounded[0], rounded[-1]
    cells_away = math.dist(rounded[0], rounded[-1])
    slack = (max(0, min(MOST_SLACK, 1 + math.floor(BEND * cells_away)) - attempt), 2 if attempt < ROUNDS - 1 else 0)
    query = Query(
        graph.start_node,
        graph.end_node,
        (x0, z0, heading % HEADINGS),
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
    return _Problem(graph, ground, grid, query, tables, Aim(lengths, roomy, x1, z1, float(slack[0]), directions, 1))


def _clear_cell(ground: Ground, cell: FloatArray, name: str, room: Room) -> tuple[int, int]:
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


def _anytime(
    problem: _Problem,
    seconds: float | None,
    most: int | None,
    progress: Callable[[Progress], None] | None,
    clock: Callable[[], float],
) -> _Found:
    """Return the best motion found in `seconds`, or with `most` expansions, and at least the first."""
    graph, query = problem.graph, problem.query
    begin = clock()
    states = new_states(FIRST_STATES)
    headings = np.full((*problem.aim.lengths.shape, 2), -1, np.int16)
    parts = (problem.tables, problem.aim, query, graph.tables.potential, headings)
    start_search(graph.moves, *parts, states)
    history: list[Progress] = []
    bound = 0
    for weight, guided in PHASES:
        bound = max(bound, rekey(states, weight, guided))
        reason = FULL
        while reason != DONE:
            reason = expand(graph.moves, problem.ground, *parts, states, weight, guided, SLICE)
            if reason == FULL:
                if len(states.cost) >= MOST_STATES:
                    break
                states = grown(states)
            spent = clock() - begin
            over = states.counts[EXPANDED] >= most if most is not None else spent >= (seconds or 0.0)
            if over and states.counts[BEST] < NO_COST:
                break
        bound = max(bound, least_total(states))
        now = _progress(clock() - begin, states, bound)
        if not history or now.cost < history[-1].cost or now.bound > history[-1].bound:
            history.append(now)
            if progress is not None:
                progress(now)
        if reason != DONE or bound >= states.counts[BEST]:
            break
    if states.counts[BEST] >= NO_COST:
        why = "no sequence of steps leads there" if bound >= NO_COST else "none was found within the memory allowed"
        raise PlanError(f"there is no motion to the goal: {why}")
    path, edges = _traced(states)
    return _Found(int(states.counts[BEST]), int(min(bound, states.counts[BEST])), path, edges, tuple(history))


def _progress(seconds: float, states: States, bound: int) -> Progress:
    best = int(states.counts[BEST])
    cost = best / COST_UNIT if best < NO_COST else math.inf
    return Progress(seconds, cost, bound / COST_UNIT, int(states.counts[EXPANDED]))


def _traced(states: States) -> tuple[IntArray, IntArray]:
    """Return the states and edges that lead to the best end."""
    numbers = [int(states.counts[BEST_STATE])]
    while states.parent[numbers[-1]] >= 0:
        numbers.append(int(states.parent[numbers[-1]]))
    numbers.reverse()
    return states.state[numbers], states.edge[numbers[1:]]


def _from_both_ends(problem: _Problem, clock: Callable[[], float]) -> _Found:
    """Return the cheapest motion, by a search from both ends."""
    graph, query = problem.graph, problem.query
    begin = clock()
    x, z, _ = query.start
    lengths = way_lengths(problem.ground.free, np.array([(x, z)]))[np.newaxis]
    behind = Aim(lengths, lengths, x, z, 0.0, problem.aim.directions, -1)
    tables = (problem.tables, graph.back_tables)
    capacity = FIRST_STATES << 2
    while True:
        met = search_both_ways(graph.moves, problem.ground, tables, (problem.aim, behind), query, most=capacity)
        if met.finished or capacity >= MOST_STATES:
            break
        capacity *= 4
    if met.cost >= NO_COST:
        if not met.finished:
            return _anytime(problem, 0.0, None, None, clock)
        raise PlanError("there is no motion to the goal: no sequence of steps leads there")
    cost = met.cost / COST_UNIT
    history = (Progress(clock() - begin, cost, cost, sum(met.expanded)),)
    return _Found(met.cost, met.cost, met.path, met.edges, history)


def _shown(graph: StepGraph, problem: _Problem, found: _Found, goal: FloatArray, facing: float | None) -> Played:
    """Return the motion of a path, with its end moved from the lattice to the goal itself."""
    cells = found.path[:-1, 2:4].astype(np.float64)
    yaw = problem.grid.yaw + ANGLE * found.path[:-1, 4]
    poses = np.concatenate([problem.grid.to_world(cells), yaw[:, np.newaxis]], axis=1)
    rest = np.zeros(3)
    rest[:2] = goal - poses[-1, :2]
    if facing is not None:
        last = graph.steps.end[found.path[-2, 1]]
        rest[2] = wrap_angle(facing - graph.root_motion.facing[last] - poses[-1, 2])
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(poses[:, :2], axis=0), axis=1))])
    share = smooth_share(1.0 - (way[-1] - way) / min(LANDING, max(way[-1], 1e-9)))
    share[-1] = 1.0
    return play(graph, found.edges[:-1], poses + share[:, np.newaxis] * rest)
