"""Check the bounds and searches of planning: admissibility, expansions beside Lo's bound, search from both ends.

    python benchmarks/prove_plan.py [--quick] [--steps FILE] [--json FILE]

Uses the captured `locomotion` set, or the step graph in `--steps`. Admissibility is checked on the states nearest to a
goal, whose exact costs come from a search without a bound. Expansions are counted until a motion is proven to be the
cheapest; a search that runs out of memory counts with what it expanded until then. Exits 1 if a bound is missed.
`--quick` checks admissibility on generated motion.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from bench_plan import built, quick_graph, steps_parser
from common import Bounds, clips_of_set, write_json
from motionfields.authoring.plan import StepGraph
from motionfields.authoring.plan.both import search_both_ways
from motionfields.authoring.plan.bounds import Aim, lower_bound, single_step_tables
from motionfields.authoring.plan.heap import heap_pop, heap_push
from motionfields.authoring.plan.lattice import HEADINGS, is_clear, landing
from motionfields.authoring.plan.problem import Request, lay_out
from motionfields.authoring.plan.search import (
    BEST,
    DONE,
    EXPANDED,
    NO_COST,
    Problem,
    arrival_cost,
    expand,
    find_slot,
    grown,
    new_states,
    rekey,
    start_search,
    state_key,
    units,
)
from motionfields.base.compiled import kernel
from motionfields.base.world import Box, Room, way_lengths

ROOM = Room((-6.0, -6.0, 6.0, 10.0), (Box(0.6, 1.5, 1.5, 0.4), Box(-1.5, 3.0, 1.0, 0.5)))
MOST_STATES = 1 << 22


class Count(NamedTuple):
    """Result of a search."""

    expanded: int  # states
    finished: bool  # False if it ran out of memory
    cost: int  # units


class Exact(NamedTuple):
    """The bound beside exact costs."""

    excess: int  # units, largest bound less exact cost
    checked: int  # states
    share: float  # mean of bound over cost
    furthest: float  # seconds, largest exact cost


def main() -> None:
    parser = steps_parser(__doc__, quick="admissibility on generated motion")
    parser.add_argument("--requests", type=int, default=6, help="number of goals for counts of expansions")
    options = parser.parse_args()
    bounds = Bounds()
    if options.quick:
        graph = quick_graph()
        check_admissibility(graph, 20_000, bounds)
        sys.exit(bounds.exit_code())
    graph = StepGraph.load(options.steps) if options.steps else built(clips_of_set("A"))
    exact = check_admissibility(graph, 1_000_000, bounds)
    requests = [drawn(graph, seed) for seed in range(2000, 2000 + options.requests)]
    times, fewer = compare_bounds(graph, requests, bounds), compare_ends(graph, requests, bounds)
    figures = {"admissibility": [one._asdict() for one in exact], "lo_bound_times": times, "both_ends_fewer": fewer}
    write_json(options.json, figures)
    sys.exit(bounds.exit_code())


def drawn(graph: StepGraph, seed: int) -> Request:
    """Return a request over 3 to 5 m with a facing and fixed steps at both ends."""
    rng = np.random.default_rng(seed)
    while True:
        start = rng.uniform((-5.0, -5.0), (5.0, 9.0))
        away, yaw = rng.uniform(3.0, 5.0), rng.uniform(-np.pi, np.pi)
        places = np.array([start, start + away * np.array([np.sin(yaw), np.cos(yaw)])])
        if ROOM.clearance(places).min() >= 0.6:
            first, last = (int(rng.choice(np.flatnonzero(mask))) for mask in (graph.begins, graph.ends))
            turns = rng.uniform(-np.pi, np.pi, 2).tolist()
            return Request(ROOM, places, turns[0], turns[1], (first, last))


def check_admissibility(graph: StepGraph, count: int, bounds: Bounds) -> list[Exact]:
    """Compare the bound with exact costs, with any facing at the goal and with a given one."""
    found = []
    for facing in (None, 0.7):
        request = Request(ROOM, np.array([(0.0, 0.0), (0.5, 4.0)]), 0.2, facing, (None, None))
        problem = lay_out(graph, request).problem
        exact = Exact(*exact_states(problem, count))
        print(
            f"facing {facing}: {exact.checked} states up to {exact.furthest:.2f} s from the goal; largest bound less "
            f"cost {exact.excess / 2**20:.6f} s; mean of bound over cost {exact.share:.3f}"
        )
        bounds.require(exact.excess <= 0, "a bound exceeds the exact cost")
        bounds.require(exact.checked == count, f"only {exact.checked} states could be checked")
        found.append(exact)
    return found


@kernel
def exact_states(problem: Problem, most: int) -> tuple[int, int, float, float]:
    """Settle states backwards from the goal without a bound (Dijkstra).

    Return the largest excess of the bound in units, the number of states, the mean of bound over cost, and the
    furthest cost in seconds.
    """
    moves, ground, query = problem.moves, problem.ground, problem.query
    capacity, hashes = 12 * most, 1
    while hashes < 2 * capacity:
        hashes *= 2
    keys, slots = np.full(hashes, -1, np.int64), np.empty(hashes, np.int32)
    state = np.empty((capacity, 4), np.int32)
    cost = np.empty(capacity, np.int64)
    heap_keys, heap_items = np.empty(2 * capacity), np.empty(2 * capacity, np.int64)
    size, count, checked, excess, share = 0, 0, 0, -NO_COST, 0.0
    reach = query.slack[0]
    for x in range(query.end[0] - reach, query.end[0] + reach + 1):
        for z in range(query.end[1] - reach, query.end[1] + reach + 1):
            for heading in range(HEADINGS):
                extra = arrival_cost(moves, query, x, z, heading)
                if extra < 0 or not ground.free[x, z]:
                    continue
                key = state_key(0, query.end_node, x, z, heading)
                slot = find_slot(keys, key)
                keys[slot], slots[slot] = key, count
                state[count, 0], state[count, 1], state[count, 2], state[count, 3] = query.end_node, x, z, heading
                cost[count] = extra
                size = heap_push(heap_keys, heap_items, size, float(extra), count)
                count += 1
    done = np.zeros(capacity, np.bool_)
    last = 0
    while size > 0 and checked < most and count + 1000 < capacity and size + 1000 < len(heap_keys):
        number = heap_items[0]
        size = heap_pop(heap_keys, heap_items, size)
        if done[number]:
            continue
        done[number] = True
        node, x, z, heading = state[number]
        last = cost[number]
        if node != query.end_node and ground.clearance[x, z] >= ground.radius:
            bound = units(lower_bound(problem.tables, problem.aim, 0, node, x, z, heading))
            excess = max(excess, bound - cost[number])
            share += bound / max(1, cost[number])
            checked += 1
        for place in range(moves.back_first[node], moves.back_first[node + 1]):
            edge = moves.back_edge[place]
            source = moves.source[edge]
            turned = (heading - moves.turn[edge]) % HEADINGS
            end = landing(moves, edge, turned)
            i, j = x - end.x, z - end.z
            if i < 0 or j < 0 or i >= ground.free.shape[0] or j >= ground.free.shape[1] or not ground.free[i, j]:
                continue
            if not is_clear(moves, ground, edge, i, j, turned, end):
                continue
            key = state_key(0, source, i, j, turned)
            slot = find_slot(keys, key)
            if keys[slot] == -1:
                keys[slot], slots[slot] = key, count
                state[count, 0], state[count, 1], state[count, 2], state[count, 3] = source, i, j, turned
                cost[count] = NO_COST
                count += 1
            other = slots[slot]
            if cost[number] + end.cost < cost[other]:
                cost[other] = cost[number] + end.cost
                size = heap_push(heap_keys, heap_items, size, float(cost[other]), other)
    return excess, checked, share / max(1, checked), last / 2**20


def expansions(problem: Problem) -> Count:
    """Return the states that A* expands until it has a proven motion."""
    states = new_states(1 << 16)
    start_search(problem, states)
    rekey(states, 1.0, False)
    reason = -1
    while reason != DONE:
        reason = expand(problem, states, 1.0, False, 1 << 30)
        if reason != DONE:
            if len(states.cost) >= MOST_STATES:
                break
            states = grown(states)
    return Count(int(states.counts[EXPANDED]), reason == DONE, int(states.counts[BEST]))


def compare_bounds(graph: StepGraph, requests: list[Request], bounds: Bounds) -> list[float]:
    """Return how many times more states A* expands with Lo's bound than with ours, for goals with any facing."""
    plain = single_step_tables(graph.moves, graph.tables)
    found = []
    for number, request in enumerate(requests):
        problem = lay_out(graph, request._replace(facing=None, only=(None, None))).problem
        ours, theirs = expansions(problem), expansions(problem._replace(tables=plain))
        found.append(theirs.expanded / ours.expanded)
        print(
            f"goal {number}: cost {ours.cost / 2**20:.2f} s, A* expands {ours.expanded} states, with Lo's bound "
            f"{said(theirs)} ({found[-1]:.0f} times)",
            flush=True,
        )
        bounds.require(ours.finished, f"goal {number}: ran out of memory")
        bounds.require(not theirs.finished or theirs.cost == ours.cost, f"goal {number}: the bounds disagree")
    middle = float(np.median(found))
    print(f"Lo's bound: at least {middle:.0f} times more states (median), least {min(found):.0f}")
    bounds.require(middle >= 100.0, f"Lo's bound: {middle:.0f} times, expected at least 100")
    return found


def compare_ends(graph: StepGraph, requests: list[Request], bounds: Bounds) -> list[float]:
    """Return how many times fewer states a search from both ends expands than A*, with the pose fixed at both ends."""
    found = []
    for number, request in enumerate(requests):
        problem = lay_out(graph, request).problem
        x, z, _ = problem.query.start
        lengths = way_lengths(problem.ground.free, np.array([(x, z)]))[np.newaxis]
        behind = Aim(lengths, lengths, x, z, 0.0, problem.aim.directions, -1)
        met, one = search_both_ways(problem, graph.back_tables, behind, most=MOST_STATES), expansions(problem)
        found.append(one.expanded / sum(met.expanded))
        print(
            f"poses {number}: cost {met.cost / 2**20:.2f} s, A* expands {said(one)} states, both ends "
            f"{met.expanded[0]} + {met.expanded[1]} ({found[-1]:.1f} times fewer)",
            flush=True,
        )
        bounds.require(met.finished, f"poses {number}: both ends ran out of memory")
        bounds.require(not one.finished or one.cost == met.cost, f"poses {number}: the searches disagree")
    middle = float(np.median(found))
    print(f"both ends: at least {middle:.1f} times fewer states (median), least {min(found):.1f}")
    bounds.require(middle >= 2.0, f"both ends: {middle:.1f} times fewer, expected at least 2")
    return found


def said(count: Count) -> str:
    return f"{count.expanded}" if count.finished else f"more than {count.expanded}"


if __name__ == "__main__":
    main()
