"""Planned motions: they arrive, keep clear of obstacles and keep their feet."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from motionfields.authoring.plan import Plan, StepGraph, plan
from motionfields.base.errors import PlanError
from motionfields.base.world import Box, Room
from motionfields.motion import quality

ROOM = Room((-3.0, -2.0, 4.0, 6.0), (Box(0.3, 2.0, 2.0, 0.5),))
WORK = 3000  # expansions


@pytest.fixture(scope="module")
def planned(graph: StepGraph) -> Plan:
    return plan(graph, (0.52, 4.03), facing=0.4, start=(0.1, -0.5), room=ROOM, most_expansions=WORK)


def test_a_plan_starts_and_ends_where_it_should(planned: Plan) -> None:
    np.testing.assert_allclose(planned.clip.root_position[0, ::2], (0.1, -0.5), atol=1e-6)
    assert planned.end_offset < 0.02
    assert planned.end_turn < np.radians(2.0)


def test_a_plan_keeps_clear_of_obstacles(planned: Plan) -> None:
    clearance = ROOM.clearance(planned.clip.root_position[:, ::2]).min()
    assert clearance == planned.clearance >= ROOM.radius - 0.02


def test_cost_is_at_least_the_bound_and_about_the_time(planned: Plan) -> None:
    assert planned.bound <= planned.cost
    assert planned.clip.duration <= planned.cost + 1e-6
    assert planned.ratio >= 1.0
    assert len(planned.rows) == planned.clip.frame_count


def test_planted_feet_stand_still_and_joints_do_not_jump(graph: StepGraph, planned: Plan) -> None:
    contacts = graph.field.database.contacts[planned.rows]
    assert quality.foot_skate(planned.clip, contacts).mean < 0.06
    source = next(graph.field.database.iter_source_clips())
    assert quality.jerk(planned.clip).mean() < 1.6 * quality.jerk(source).mean()


def test_the_same_request_gives_the_same_bits_on_any_number_of_threads(graph: StepGraph, planned: Plan) -> None:
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        again = plan(graph, (0.52, 4.03), facing=0.4, start=(0.1, -0.5), room=ROOM, most_expansions=WORK)
    finally:
        numba.set_num_threads(before)
    np.testing.assert_array_equal(again.clip.root_position, planned.clip.root_position)
    np.testing.assert_array_equal(again.clip.rotations, planned.clip.rotations)
    assert (again.cost, again.bound) == (planned.cost, planned.bound)


def test_a_plan_passes_places_in_order(graph: StepGraph) -> None:
    places = [(2.0, 1.0), (-1.0, 3.0)]
    found = plan(graph, (0.5, 4.5), through=places, most_expansions=WORK)
    root = found.clip.root_position[:, ::2]
    nearest = [np.linalg.norm(root - np.array(place), axis=1) for place in places]
    assert all(distance.min() < 0.3 for distance in nearest)
    assert nearest[0].argmin() < nearest[1].argmin()


def test_first_and_last_step_can_be_given(graph: StepGraph) -> None:
    first, last = int(np.flatnonzero(graph.begins)[1]), int(np.flatnonzero(graph.ends)[1])
    found = plan(graph, (0.0, 2.5), first_step=first, last_step=last, most_expansions=WORK)
    assert (found.steps[0], found.steps[-1]) == (first, last)


def test_a_plan_ends_by_a_given_time_or_says_how_quick_it_can_be(graph: StepGraph) -> None:
    to, work = (1.0, 4.0), {"most_expansions": 4 * WORK}
    plain = plan(graph, to, most_expansions=WORK)
    relaxed = plan(graph, to, by=plain.clip.duration + 0.01, **work)  # type: ignore[arg-type]
    np.testing.assert_array_equal(relaxed.clip.root_position, plain.clip.root_position)
    assert (relaxed.cost, relaxed.bound) == (plain.cost, plain.bound)
    with pytest.raises(PlanError, match=r"the quickest takes [\d.]+ s") as refused:
        plan(graph, to, by=0.5, **work)  # type: ignore[arg-type]
    quickest = float(str(refused.value).split()[-2]) + 0.051  # it was rounded
    assert quickest < plain.clip.duration
    hurried = plan(graph, to, by=quickest, **work)  # type: ignore[arg-type]
    assert hurried.clip.duration <= quickest
    assert plain.bound <= hurried.bound <= hurried.cost
    assert hurried.end_offset < 0.02


def test_impossible_goals_are_refused_with_the_reason(graph: StepGraph) -> None:
    with pytest.raises(PlanError, match="the goal is outside the room or nearer"):
        plan(graph, (0.3, 2.0), room=ROOM)
    with pytest.raises(PlanError, match="the start is outside"):
        plan(graph, (0.5, 4.0), start=(9.0, 9.0), room=ROOM)
    closed = Room(ROOM.bounds, (Box(0.5, 2.0, 8.0, 0.2),))
    with pytest.raises(PlanError, match="no way to the goal"):
        plan(graph, (0.5, 4.0), room=closed)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"to": (np.nan, 0.0)}, "finite"),
        ({"to": (0.0, 1.0, 2.0)}, "x and z|inhomogeneous"),
        ({"within": -1.0}, "within"),
        ({"facing": np.inf}, "facing"),
        ({"by": np.nan}, "by"),
        ({"search": "best"}, "search"),
        ({"first_step": 10**6}, "first_step"),
        ({"through": [(0.0, 0.0)] * 33}, "at most 32"),
    ],
)
def test_odd_arguments_are_refused(graph: StepGraph, options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        plan(graph, **{"to": (0.0, 2.0), **options})  # type: ignore[arg-type]
