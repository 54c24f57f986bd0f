"""The motion graph of frames, compressed to changes of contacts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from motionfields.authoring.plan.frames import FrameGraph, FrameSettings
from motionfields.authoring.plan.frames.linking import POINTS, contact_changes
from motionfields.authoring.plan.steps import composed, relative
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import MotionError
from motionfields.field import MotionField


def test_every_node_reaches_every_other(frame_graph: FrameGraph, connected_graph: FrameGraph) -> None:
    for graph in (frame_graph, connected_graph):
        count = len(graph.nodes)
        ones = np.ones(len(graph.links.source))
        links = csr_array((ones, (graph.links.source, graph.links.target)), shape=(count, count))
        assert connected_components(links, directed=True, connection="strong")[0] == 1


def test_links_show_frames_that_follow_each_other_or_are_joined_by_a_transition(connected_graph: FrameGraph) -> None:
    graph = connected_graph
    joined = dict(zip(zip(graph.transitions.source.tolist(), graph.transitions.target.tolist(), strict=True),
                      range(len(graph.transitions.source)), strict=True))  # fmt: skip
    inner = contact_changes(graph.frames)
    for link in range(len(graph.links.source)):
        part = slice(graph.walked.first[link], graph.walked.first[link + 1])
        path = [int(graph.nodes[graph.links.source[link]]), *graph.walked.frame[part].tolist()]
        assert path[-1] == graph.nodes[graph.links.target[link]]
        assert not inner[path[1:-1]].any()
        cost = 0.0
        pose: FloatArray = np.zeros(3)
        for one, other in pairwise(path):
            cost += graph.field.database.frame_time
            if (one, other) in joined:
                cost += graph.settings.jump_cost * graph.transitions.distance[joined[one, other]]
                pose = composed(pose, graph.transitions.pose[joined[one, other]])
            else:
                assert other == one + 1
                assert graph.frames.run[other] == graph.frames.run[one]
                pose = composed(pose, relative(graph.frames.ground[one], graph.frames.ground[other]))
        assert graph.links.cost[link] == pytest.approx(cost)
        np.testing.assert_allclose(graph.links.course[link, POINTS, :3], pose, atol=1e-9)
        np.testing.assert_allclose(graph.links.course[link, 0, :3], 0.0)
        assert graph.links.seconds[link] == pytest.approx((len(path) - 1) * graph.field.database.frame_time)


def test_links_are_the_cheapest_paths(frame_graph: FrameGraph) -> None:
    """Beside plain sweeps over all edges."""
    graph = frame_graph
    frames, count = graph.frames, len(graph.frames.run)
    time = graph.field.database.frame_time
    edges = [(i, i + 1, time) for i in np.flatnonzero(frames.follows()).tolist()]
    edges += [
        (int(a), int(b), time + graph.settings.jump_cost * float(d))
        for a, b, d in zip(graph.transitions.source, graph.transitions.target, graph.transitions.distance, strict=True)
    ]
    nodes = set(graph.nodes.tolist()) | set(np.flatnonzero(contact_changes(frames)).tolist())
    for node in range(0, len(graph.nodes), 7):
        start = int(graph.nodes[node])
        cost = np.full(count, np.inf)
        for a, b, price in edges:
            if a == start:
                cost[b] = min(cost[b], price)
        changed = True
        while changed:
            changed = False
            for a, b, price in edges:
                if a not in nodes and cost[a] + price < cost[b] - 1e-12:
                    cost[b], changed = cost[a] + price, True
        own = graph.links.source == node
        np.testing.assert_allclose(graph.links.cost[own], cost[graph.nodes[graph.links.target[own]]])
        others = np.sort(cost[graph.nodes])
        assert own.sum() <= graph.settings.branching
        assert graph.links.cost[own].max() <= others[min(len(others), graph.settings.branching) - 1] + 1e-9


def test_a_well_connected_graph_shows_interpolated_frames(connected_graph: FrameGraph, frame_graph: FrameGraph) -> None:
    assert len(connected_graph.frames.run) > len(frame_graph.frames.run)
    assert connected_graph.frames.captured[connected_graph.nodes].all()
    assert len(connected_graph.nodes) >= len(frame_graph.nodes)


def test_frames_without_similar_ones_are_refused(walking: MotionField, frame_graph: FrameGraph) -> None:
    with pytest.raises(MotionError, match="no changes of contacts"):
        FrameGraph.build(walking, settings=replace(frame_graph.settings, threshold=0.0))


def test_the_default_settings_are_valid() -> None:
    assert FrameSettings().threshold > 0.0
