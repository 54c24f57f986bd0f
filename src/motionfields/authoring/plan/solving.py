"""Runs of a search on the lattice: the anytime search with its history, and the search from both ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.plan.both import search_both_ways
from motionfields.authoring.plan.bounds import Aim, Tables
from motionfields.authoring.plan.lattice import COST_UNIT
from motionfields.authoring.plan.search import (
    BEST,
    BEST_STATE,
    CLOSED,
    COUNT,
    DONE,
    EXPANDED,
    FULL,
    NO_COST,
    Problem,
    States,
    best_path_cost,
    expand,
    grown,
    least_total,
    new_states,
    rekey,
    start_search,
)
from motionfields.base.arrays import FloatArray, IntArray, frozen
from motionfields.base.errors import PlanError
from motionfields.base.world import ClearanceGrid, way_lengths

PHASES: Final = (  # weight, and whether the guide sets the order
    *((5.0, True), (3.0, True), (2.0, True), (1.5, True), (1.25, True), (1.1, True), (1.0, True)),
    (1.0, False),
)
SLICE: Final = 4096  # expansions between looks at the clock
FIRST_STATES: Final = 1 << 16
MOST_STATES: Final = 1 << 22
HASTES: Final = (0.0, 1.0, 3.0, 10.0)  # weights of time, tried in order, if a motion must end by a given time


class Progress(NamedTuple):
    """One moment of a search; `cost` is infinite before the first motion is found."""

    seconds: float  # since the search began
    cost: float  # of the best motion so far
    bound: float  # that no motion can be cheaper than
    expanded: int  # states


class Reached(NamedTuple):
    """Places on the ground that a search has reached, x and z in metres."""

    open: FloatArray  # [n, 2], places from which it may go on
    closed: FloatArray  # [m, 2], other places


@dataclass(frozen=True, eq=False)
class SearchView:
    """A search that is under way, as `watch` sees it."""

    grid: ClearanceGrid
    states: States
    seconds: float  # since the search began
    least: int  # units: lower bound when the last phase began

    def progress(self) -> Progress:
        """Return cost and bound at this moment."""
        return progress_of(self.seconds, self.states, max(self.least, least_total(self.states)))

    def reached(self) -> Reached:
        """Return the places that the search has reached."""
        count = int(self.states.counts[COUNT])
        cells, closed = self.states.state[:count, 2:4], self.states.status[:count] == CLOSED
        width = self.grid.clearance.shape[1]
        flat = cells[:, 0].astype(np.int64) * width + cells[:, 1]
        ahead = np.unique(flat[~closed])
        behind = np.setdiff1d(flat[closed], ahead)
        return Reached(*(self.grid.to_world(np.stack([one // width, one % width], axis=1)) for one in (ahead, behind)))


class Found(NamedTuple):
    """A motion on the lattice. Its first and last nodes are those of the query."""

    cost: int  # units
    bound: int  # units
    path: IntArray  # [node, 5], states as in `search.States`
    edges: IntArray  # [node - 1]
    history: tuple[Progress, ...]


class Effort(NamedTuple):
    """Limits and listeners of a search."""

    clock: Callable[[], float]
    seconds: float | None = None  # to search; None if `most` limits it
    most: int | None = None  # states to expand
    progress: Callable[[Progress], None] | None = None
    watch: Callable[[States, float, int], None] | None = None  # told states, seconds, and the least cost in units

    def showing(self, watch: Callable[[SearchView], None] | None, grid: ClearanceGrid) -> Effort:
        """Return the same limits with `watch` told about the search on `grid`."""
        if watch is None:
            return self
        return self._replace(watch=lambda *seen: watch(SearchView(grid, *seen)))


def anytime(problem: Problem, effort: Effort) -> Found:
    """Return the best motion found within `effort`, and at least the first."""
    clock, seconds, most, progress, watch = effort
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
            if watch is not None:
                watch(states, spent, bound)
        if states.counts[BEST] < NO_COST:
            states.counts[BEST] = best_path_cost(problem, states)
        bound = max(bound, least_total(states))
        now = progress_of(clock() - begin, states, bound)
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
    return Found(int(states.counts[BEST]), int(min(bound, states.counts[BEST])), path, edges, tuple(history))


def progress_of(seconds: float, states: States, bound: int) -> Progress:
    """Return cost and `bound` (units) of a search after `seconds`."""
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


def in_time(problem: Problem, seconds: FloatArray, by: float, effort: Effort) -> Found:
    """Return a cheap motion that takes at most `by` seconds; `seconds` [edge] is the time that each edge takes.

    Time is weighed more and more until the motion is quick enough. With the weight w, no motion costs less than the
    bound on cost + w * time, less w * `by`, if it takes at most `by` seconds.
    """
    part = effort._replace(
        seconds=None if effort.seconds is None else effort.seconds / len(HASTES),
        most=None if effort.most is None else max(1, effort.most // len(HASTES)),
    )
    bound, quickest = 0, math.inf
    for haste in HASTES:
        extra = np.round(COST_UNIT * haste * seconds).astype(np.int64)
        found = anytime(problem._replace(moves=frozen(problem.moves._replace(cost=problem.moves.cost + extra))), part)
        bound = max(bound, found.bound - math.ceil(COST_UNIT * haste * by))
        taken = float(seconds[found.edges].sum())
        if taken <= by + 1e-9:
            cost = found.cost - int(extra[found.edges].sum())
            return found._replace(cost=cost, bound=min(bound, cost))
        quickest = min(quickest, taken)
    raise PlanError(f"no motion of at most {by:g} s was found: the quickest takes {quickest:.1f} s")


def from_both_ends(problem: Problem, back_tables: Tables, effort: Effort) -> Found:
    """Return the cheapest motion, by a search from both ends."""
    begin = effort.clock()
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
            return anytime(problem, Effort(effort.clock, 0.0))
        raise PlanError("there is no motion to the goal: no sequence of steps leads there")
    cost = met.cost / COST_UNIT
    history = (Progress(effort.clock() - begin, cost, cost, sum(met.expanded)),)
    return Found(met.cost, met.cost, met.path, met.edges, history)
