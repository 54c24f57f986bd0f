"""Searches along a stroke from one end and from both, beside their plain twin."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pytest

from motionfields.authoring.plan.frames import Ends, Followed, FrameGraph, MixedGraph, Sheet, Weights, follow
from motionfields.authoring.plan.frames.cutting import Costs, cheapest_rate, link_cost
from motionfields.authoring.plan.steps import composed

from .oracle import PlainSearch, plain_cost

Kind = Literal["one", "cut", "moving"]
WEIGHTS = Weights(off=5.0, pace=0.05, place=0.3, turn=0.15)


def ends_of(graph: FrameGraph) -> tuple[Ends, Ends]:
    nodes = np.flatnonzero(graph.rests)
    return Ends(nodes[:1], np.zeros((1, 3))), Ends(nodes, np.tile([0.0, 3.0, 0.0], (len(nodes), 1)))


def searched(graph: FrameGraph, sheet: Sheet, kind: Kind, inflation: float, weights: Weights = WEIGHTS) -> Followed:
    start, end = ends_of(graph)
    return follow(graph.links, sheet, start, end, kind=kind, inflation=inflation, weights=weights, most=100_000)


@pytest.mark.parametrize("kind", ["one", "cut", "moving"])
@pytest.mark.parametrize("inflation", [1.0, 3.0])
def test_compiled_searches_equal_plain_ones(
    frame_graph: FrameGraph, sheet: Sheet, kind: Kind, inflation: float
) -> None:
    weights = Weights(off=5.0, pace=0.05, place=0.6, turn=0.5)
    found = searched(frame_graph, sheet, kind, inflation, weights)
    plain = PlainSearch(frame_graph.links, sheet, *ends_of(frame_graph), kind, inflation, weights)
    plain.run()
    assert math.isfinite(found.cost)
    assert found.cost == pytest.approx(plain.best)
    assert found.expanded == (plain.trees[0].expanded, plain.trees[1].expanded)
    assert found.moves == plain.moves


def test_costs_of_links_follow_the_equations(frame_graph: FrameGraph, sheet: Sheet) -> None:
    links = frame_graph.links
    costs = Costs(WEIGHTS.off, WEIGHTS.pace, WEIGHTS.gap, WEIGHTS.place, WEIGHTS.turn, WEIGHTS.cell, 0.0, 1.0)
    rng = np.random.default_rng(3)
    for link in rng.integers(0, len(links.source), 30).tolist():
        x, z, yaw = rng.uniform((-1.0, 0.0, -1.0), (1.0, 3.0, 1.0)).tolist()
        got = link_cost(links, sheet, costs, link, x, z, yaw)
        assert got == pytest.approx(plain_cost(links, sheet, WEIGHTS, link, np.array([x, z, yaw])))


@pytest.mark.parametrize("kind", ["one", "cut", "moving"])
def test_a_motion_is_made_of_links_and_costs_what_they_cost(frame_graph: FrameGraph, sheet: Sheet, kind: Kind) -> None:
    found = searched(frame_graph, sheet, kind, 1.0)
    assert found.finished
    links = frame_graph.links
    np.testing.assert_array_equal(links.target[found.links[:-1]], links.source[found.links[1:]])
    assert frame_graph.rests[links.target[found.links[-1]]]
    # From the place where halves merge, the second half begins with a gap.
    pose, total = found.poses[0], WEIGHTS.gap * (math.hypot(*found.gap[:2]) + abs(found.gap[2]))
    for number, link in enumerate(found.links.tolist()):
        begin = pose + found.gap if number == found.merged else pose
        total += plain_cost(links, sheet, WEIGHTS, link, begin)[0]
        pose = composed(begin, links.course[link, -1, :3])
    last = pose + found.gap if found.merged == len(found.links) else pose
    np.testing.assert_allclose(last[:2], (0.0, 3.0), atol=1e-6)
    assert total == pytest.approx(found.cost)
    assert np.abs(found.gap[:2]).max() < WEIGHTS.place


def test_from_both_ends_costs_no_more_than_from_one_with_little_tolerance(
    frame_graph: FrameGraph, sheet: Sheet
) -> None:
    """Without the tolerance there is nothing to gain from merging: both are nearly the cheapest."""
    weights = Weights(off=5.0, pace=0.05, place=0.2, turn=0.2, cell=0.2)
    one, both = (searched(frame_graph, sheet, kind, 1.0, weights) for kind in ("one", "moving"))
    assert one.finished
    assert both.finished
    assert both.cost <= one.cost + 2.0 * weights.gap * (weights.place + weights.turn)
    assert one.cost <= both.cost + 2.0 * weights.gap * (weights.place + weights.turn)


def test_inflation_expands_fewer_states_and_stays_within_its_factor(frame_graph: FrameGraph, sheet: Sheet) -> None:
    exact, inflated = (searched(frame_graph, sheet, "one", inflation) for inflation in (1.0, 3.0))
    assert inflated.expanded[0] < exact.expanded[0]
    assert exact.cost - 1.0 <= inflated.cost <= 3.0 * exact.cost


def test_an_interpolated_graph_costs_no_more_than_its_base(
    mixed_graph: MixedGraph, frame_graph: FrameGraph, sheet: Sheet
) -> None:
    start, end = ends_of(frame_graph)
    costs = [
        follow(graph.links, sheet, start, end, kind="one", weights=WEIGHTS, most=1 << 20).cost
        for graph in (frame_graph, mixed_graph)
    ]
    assert costs[1] <= costs[0] + 0.5


def test_no_link_costs_less_for_each_metre_than_the_rate(frame_graph: FrameGraph) -> None:
    links, rate = frame_graph.links, cheapest_rate(frame_graph.links)
    length = np.linalg.norm(links.course[:, -1, :2], axis=1)
    assert (links.cost >= rate * length - 1e-9).all()


def test_a_search_without_memory_says_so(frame_graph: FrameGraph, sheet: Sheet) -> None:
    start, end = ends_of(frame_graph)
    found = follow(frame_graph.links, sheet, start, end, kind="one", weights=Weights(cell=0.01), most=1000)
    assert not found.finished
    assert math.isinf(found.cost)
    assert not len(found.links)


def test_wrong_arguments_are_refused(frame_graph: FrameGraph, sheet: Sheet) -> None:
    start, end = ends_of(frame_graph)
    links = frame_graph.links
    with pytest.raises(ValueError, match="kind"):
        follow(links, sheet, start, end, kind="two")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="start"):
        follow(links, sheet, Ends(np.array([10_000]), np.zeros((1, 3))), end)
    with pytest.raises(ValueError, match="end"):
        follow(links, sheet, start, Ends(end.node[np.newaxis], end.pose[:1]))
    with pytest.raises(ValueError, match="end"):
        follow(links, sheet, start, Ends(end.node, np.full((len(end.node), 3), np.nan)))
    with pytest.raises(ValueError, match="inflation"):
        follow(links, sheet, start, end, inflation=math.nan)
    with pytest.raises(ValueError, match="place"):
        Weights(place=0.0)
