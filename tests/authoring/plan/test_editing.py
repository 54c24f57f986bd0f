"""Plans of which one stretch is replaced."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.plan import Plan, SearchView, StepGraph, plan, replan
from motionfields.authoring.plan.lattice import COST_UNIT
from motionfields.base.errors import PlanError
from motionfields.base.world import Box, Disc, Room
from tests.authoring.plan.oracle import plain_landing

ROOM = Room((-3.0, -2.0, 4.0, 8.0), (Box(0.3, 2.0, 1.0, 0.5),))
WORK = 3000  # expansions


@pytest.fixture(scope="module")
def planned(graph: StepGraph) -> Plan:
    return plan(graph, (0.5, 6.0), room=ROOM, most_expansions=WORK)


def middle_of(planned: Plan) -> tuple[float, float]:
    return 0.4 * planned.clip.duration, 0.6 * planned.clip.duration


def test_a_replaced_stretch_passes_its_places_and_the_rest_of_the_way_stays(graph: StepGraph, planned: Plan) -> None:
    begin, end = middle_of(planned)
    frame = round(0.5 * (begin + end) / planned.clip.frame_time)
    x, z = (planned.clip.root_position[frame, ::2] + (-0.7, 0.0)).tolist()
    other = replan(graph, planned, (begin, end), through=[(x, z)], most_expansions=WORK)
    root, old = other.clip.root_position[:, ::2], planned.clip.root_position[:, ::2]
    assert np.linalg.norm(root - (x, z), axis=1).min() < 0.3
    kept = round((begin - 1.2) / planned.clip.frame_time)  # a step, and the blend into the next
    assert kept > 10
    np.testing.assert_allclose(root[:kept], old[:kept], atol=0.03)
    for place in old[round(end / planned.clip.frame_time) :]:
        assert np.linalg.norm(root - place, axis=1).min() < 0.6
    assert other.end_offset < 0.02
    assert other.clearance >= ROOM.radius - 0.02


def test_the_path_costs_what_the_plan_says(graph: StepGraph, planned: Plan) -> None:
    other = replan(graph, planned, middle_of(planned), most_expansions=WORK)
    path, edges = other.trace.path, other.trace.edges
    assert (graph.moves.source[edges] == path[:-1, 1]).all()
    assert (graph.moves.target[edges] == path[1:, 1]).all()
    total = 0.0
    for number, edge in enumerate(edges.tolist()):
        x, z, heading = path[number, 2:].tolist()
        end = plain_landing(graph, edge, heading)
        assert path[number + 1, 2:4].tolist() == [x + end[0], z + end[1]]
        total += end[2] / COST_UNIT
    assert 0.0 <= other.cost - total < 1.0  # the rest is the cost of bending the end to the goal
    assert other.bound <= other.cost
    assert len(other.rows) == other.clip.frame_count


def test_a_whole_plan_replaced_by_nothing_new_is_the_same(graph: StepGraph, planned: Plan) -> None:
    again = replan(graph, planned, (0.0, planned.clip.duration), most_expansions=WORK)
    np.testing.assert_array_equal(again.clip.root_position, planned.clip.root_position)


def test_a_room_with_another_obstacle_and_other_bounds_is_kept(graph: StepGraph, planned: Plan) -> None:
    fuller = Room((-3.5, -2.5, 4.0, 8.0), (*ROOM.obstacles, Disc(0.05, 4.2, 0.2)))
    assert fuller.clearance(planned.clip.root_position[:, ::2]).min() < fuller.radius - 0.05
    other = replan(graph, planned, middle_of(planned), room=fuller, most_expansions=WORK)
    assert other.room is fuller
    assert other.clearance >= fuller.radius - 0.02
    np.testing.assert_allclose(other.clip.root_position[0, ::2], (0.0, 0.0), atol=1e-6)


def test_a_search_can_be_watched_and_ended(graph: StepGraph, planned: Plan) -> None:
    seen: list[SearchView] = []

    class EnoughError(Exception):
        pass

    def watch(view: SearchView) -> None:
        seen.append(view)
        if len(seen) == 2:
            raise EnoughError

    with pytest.raises(EnoughError):
        plan(graph, (0.5, 6.0), room=ROOM, most_expansions=10**6, watch=watch)
    open_places, closed_places = seen[-1].reached()
    assert len(open_places) > 0
    assert len(closed_places) > 100
    assert ROOM.clearance(np.concatenate([open_places, closed_places])).min() > 0.2
    now = seen[-1].progress()
    assert 0.0 < now.bound <= min(now.cost, planned.cost)


def test_odd_stretches_and_impossible_places_are_refused(graph: StepGraph, planned: Plan) -> None:
    with pytest.raises(ValueError, match="begin"):
        replan(graph, planned, (-1.0, 2.0))
    with pytest.raises(ValueError, match="end"):
        replan(graph, planned, (2.0, 1.0))
    with pytest.raises(ValueError, match="at most 32"):
        replan(graph, planned, (1.0, 2.0), through=[(0.0, 0.0)] * 33)
    with pytest.raises(PlanError, match="place 1 on the way"):
        replan(graph, planned, (1.0, 2.0), through=[(0.3, 2.0)])
