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
from motionfields.authoring.plan.bounds import Aim, Tables
from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, COST_UNIT
from motionfields.authoring.plan.playback import Played, play
from motionfields.authoring.plan.problem import ROUNDS, Request, lay_out
from motionfields.authoring.plan.search import (
    BEST,
    BEST_STATE,
    DONE,
    EXPANDED,
    FULL,
    NO_COST,
    Problem,
    States,
    expand,
    grown,
    least_total,
    new_states,
    rekey,
    start_search,
)
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import checked_count, checked_number
from motionfields.base.errors import PlanError
from motionfields.base.geometry import wrap_angle
from motionfields.base.world import ClearanceGrid, Room, way_lengths
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
MOST_THROUGH: Final = 32
CLEARANCE_SLACK: Final = 0.02  # metres by which the displayed body may come nearer to obstacles than its radius
LANDING: Final = 3.0  # metres before the end over which the way is bent to the goal itself


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
    request = Request(use, places, start_facing, facing, (first_step, last_step))
    margin = 0.0
    for attempt in range(ROUNDS):
        grid, problem = lay_out(graph, request, margin=margin, attempt=attempt)
        if (search == "both" or (search == "auto" and fixed)) and not len(through):
            found = _from_both_ends(problem, graph.back_tables, clock)
        else:
            found = _anytime(problem, deadline, most_expansions, progress, clock)
        played = _shown(graph, grid, found, places[-1], facing)
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


def _anytime(
    problem: Problem,
    seconds: float | None,
    most: int | None,
    progress: Callable[[Progress], None] | None,
    clock: Callable[[], float],
) -> _Found:
    """Return the best motion found in `seconds`, or with `most` expansions, and at least the first."""
    begin = clock()
    states = new_states(FIRST_STATES)
    start_search(problem, states)
    history: list[Progress] = []
    bound = 0
    for weight, guided in PHASES:
        bound = max(bound, rekey(states, weight, guided))
        reason = FULL
        while reason != DONE:
            reason = expand(problem, states, weight, guided, SLICE)
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


def _from_both_ends(problem: Problem, back_tables: Tables, clock: Callable[[], float]) -> _Found:
    """Return the cheapest motion, by a search from both ends."""
    begin = clock()
    x, z, _ = problem.query.start
    lengths = way_lengths(problem.ground.free, np.array([(x, z)]))[np.newaxis]
    behind = Aim(lengths, lengths, x, z, 0.0, problem.aim.directions, -1)
    capacity = FIRST_STATES << 2
    while True:
        met = search_both_ways(problem, back_tables, behind, most=capacity)
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


def _shown(graph: StepGraph, grid: ClearanceGrid, found: _Found, goal: FloatArray, facing: float | None) -> Played:
    """Return the motion of a path, with its end moved from the lattice to the goal itself."""
    cells = found.path[:-1, 2:4].astype(np.float64)
    yaw = grid.yaw + ANGLE * found.path[:-1, 4]
    poses = np.concatenate([grid.to_world(cells), yaw[:, np.newaxis]], axis=1)
    rest = np.zeros(3)
    rest[:2] = goal - poses[-1, :2]
    if facing is not None:
        last = graph.steps.end[found.path[-2, 1]]
        rest[2] = wrap_angle(facing - graph.root_motion.facing[last] - poses[-1, 2])
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(poses[:, :2], axis=0), axis=1))])
    share = smooth_share(1.0 - (way[-1] - way) / min(LANDING, max(way[-1], 1e-9)))
    share[-1] = 1.0
    return play(graph, found.edges[:-1], poses + share[:, np.newaxis] * rest)
