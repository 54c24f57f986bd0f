"""Searches beside exact costs of all states of a small room."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionfields.authoring.plan import StepGraph
from motionfields.authoring.plan.bounds import cheapest_rate, lower_bound, single_step_tables
from motionfields.authoring.plan.lattice import COST_UNIT, HEADINGS, landing
from motionfields.authoring.plan.problem import Request, lay_out
from motionfields.authoring.plan.search import EXPANDED, NO_COST, Problem, expand, new_states, rekey, start_search
from motionfields.authoring.plan.solving import Effort, anytime, from_both_ends
from motionfields.base.arrays import IntArray
from motionfields.base.world import Disc, Room

from .oracle import clear_edges, exact_costs, plain_landing

ROOM = Room((-0.5, -0.3, 0.4, 2.0), (Disc(0.25, 1.2, 0.1),), 0.06)
GOAL = (0.0, 1.6)


def laid_out(graph: StepGraph, room: Room, goal: tuple[float, float], facing: float | None) -> Problem:
    return lay_out(graph, Request(room, np.array([(0.0, 0.0), goal]), 0.0, facing, (None, None))).problem


@pytest.fixture(scope="module", params=[None, 0.3], ids=["any facing", "facing"])
def problem(tiny: StepGraph, request: Any) -> Problem:
    return laid_out(tiny, ROOM, GOAL, request.param)


@pytest.fixture(scope="module")
def edges(tiny: StepGraph) -> list[Any]:
    return clear_edges(tiny, laid_out(tiny, ROOM, GOAL, None).ground)


@pytest.fixture(scope="module")
def exact(tiny: StepGraph, problem: Problem, edges: list[Any]) -> IntArray:
    return exact_costs(tiny, problem.ground, problem.query, edges)


def test_the_landing_of_an_edge_equals_the_plain_one(tiny: StepGraph) -> None:
    rng = np.random.default_rng(1)
    for edge in rng.integers(0, len(tiny.moves.target), 20).tolist():
        heading = int(rng.integers(HEADINGS))
        assert tuple(landing(tiny.moves, edge, heading)) == plain_landing(tiny, edge, heading)


def test_no_bound_exceeds_the_exact_cost(problem: Problem, exact: IntArray) -> None:
    clear = problem.ground.clearance >= problem.ground.radius  # where a step can end
    states = np.argwhere((exact[: problem.query.start_node] < NO_COST) & clear)
    assert len(states) > 10_000
    chosen = states[np.random.default_rng(2).choice(len(states), 4000, replace=False)]
    for node, heading, x, z in chosen.tolist():
        bound = lower_bound(problem.tables, problem.aim, 0, node, x, z, heading)
        assert COST_UNIT * bound <= exact[node, heading, x, z] + 1e-3


def test_the_search_finds_the_exact_cost(problem: Problem, exact: IntArray) -> None:
    x, z, heading = problem.query.start
    cost = exact[problem.query.start_node, heading, x, z]
    assert cost < NO_COST
    found = anytime(problem, Effort(lambda: 0.0, most=10**9))
    assert (found.cost, found.bound) == (cost, cost)
    costs = [now.cost for now in found.history]
    bounds = [now.bound for now in found.history]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert max(bounds) <= cost / COST_UNIT


def test_the_path_that_is_found_costs_what_it_says(tiny: StepGraph, problem: Problem) -> None:
    found = anytime(problem, Effort(lambda: 0.0, most=10**9))
    total, moves = 0, problem.moves
    for number, edge in enumerate(found.edges.tolist()):
        _, node, x, z, heading = found.path[number].tolist()
        end = plain_landing(tiny, edge, heading)
        total += end[2]
        assert moves.source[edge] == node
        after = [moves.target[edge], x + end[0], z + end[1], (heading + moves.turn[edge]) % HEADINGS]
        assert found.path[number + 1, 1:].tolist() == after
    away = found.path[-1, 2:4] - np.array(problem.query.end[:2])
    assert (away**2).sum() <= problem.query.slack[0] ** 2
    assert 0 <= found.cost - total <= 0.25 * tiny.settings.warp_cost * COST_UNIT * 40


def test_both_ends_meet_at_the_exact_cost(tiny: StepGraph, problem: Problem, exact: IntArray) -> None:
    x, z, heading = problem.query.start
    found = from_both_ends(problem, tiny.back_tables, Effort(lambda: 0.0))
    assert found.cost == exact[problem.query.start_node, heading, x, z]


def expansions(problem: Problem, most: int) -> int:
    """Number of states that A* with the lower bound expands until the motion is proven the cheapest, up to `most`."""
    states = new_states(1 << 18)
    start_search(problem, states)
    rekey(states, 1.0, False)
    expand(problem, states, 1.0, False, most)
    return int(states.counts[EXPANDED])


def test_the_bound_of_single_steps_needs_more_expansions(graph: StepGraph) -> None:
    rate, goal = cheapest_rate(graph.moves), (0.2, 2.5)
    assert 0.0 < rate <= graph.tables.rate
    ours = laid_out(graph, Room.around(np.array([(0.0, 0.0), goal])), goal, None)
    # Generated steps hardly differ in speed; with captured ones, the bounds are further apart.
    count = expansions(ours, 20_000)
    assert expansions(ours._replace(tables=single_step_tables(graph.moves, graph.tables)), 20_000) > 1.5 * count
