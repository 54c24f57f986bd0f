"""Motions of a motion graph as they are displayed."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.plan.frames import Ends, Followed, FrameGraph, MixedGraph, Sheet, Weights, follow, show
from motionfields.authoring.plan.frames.showing import _joined, spread_jumps
from motionfields.base.arrays import IntArray

WEIGHTS = Weights(off=5.0, pace=0.05)


def walk(graph: FrameGraph | MixedGraph, sheet: Sheet, nodes: IntArray) -> Followed:
    start = Ends(nodes[:1], np.zeros((1, 3)))
    end = Ends(nodes, np.tile([0.0, 3.0, 0.0], (len(nodes), 1)))
    return follow(graph.links, sheet, start, end, weights=WEIGHTS, inflation=3.0, most=1 << 20)


def test_a_displayed_motion_lasts_as_long_as_its_links_and_ends_at_the_goal(
    frame_graph: FrameGraph, mixed_graph: MixedGraph, connected_graph: FrameGraph, sheet: Sheet
) -> None:
    for graph, base in (
        (frame_graph, frame_graph),
        (mixed_graph, frame_graph),
        (connected_graph, connected_graph),
    ):
        found = walk(graph, sheet, np.flatnonzero(base.rests))
        clip = show(graph, found)
        frames = graph.links.seconds[found.links].sum() / clip.frame_time
        assert abs(clip.frame_count - frames) <= 0.5 * len(found.links) + 1
        np.testing.assert_allclose(clip.root_position[-1, ::2], (0.0, 3.0), atol=1e-6)
        assert np.abs(np.diff(clip.root_position, axis=0)).max() < 0.15


def test_the_gap_between_halves_is_spread_over_the_whole_motion() -> None:
    line = np.zeros((11, 3))
    line[:, 1] = np.arange(11)
    gap = np.array([0.3, 0.0, 0.1])
    line[6:] += gap
    found = _joined(line, 6, gap)
    np.testing.assert_allclose(found[0], line[0])
    np.testing.assert_allclose(found[-1], line[-1])
    np.testing.assert_allclose(np.diff(found[:, 0]), 0.03, atol=1e-12)


def test_jumps_of_place_and_velocity_are_spread() -> None:
    track = np.concatenate([0.5 * np.arange(20.0), 30.0 - 0.2 * np.arange(20.0)])
    whole = track + spread_jumps(np.diff(track), np.array([20]), 8.0)
    np.testing.assert_array_equal(whole[:12], track[:12])
    np.testing.assert_array_equal(whole[28:], track[28:])
    assert np.abs(np.diff(whole, n=3)).max() < 0.25 * np.abs(np.diff(track, n=3)).max()
    before, after = np.diff(whole)[18], np.diff(whole)[20]
    assert abs(after - before) < 2.0  # a jump of 25 in one frame becomes a smooth change


def test_a_track_without_jumps_stays() -> None:
    steps = np.random.default_rng(5).normal(size=(10, 3))
    assert not spread_jumps(steps, np.empty(0, np.int64), 5.0).any()


def test_nothing_to_show_is_refused(frame_graph: FrameGraph, sheet: Sheet) -> None:
    nodes = np.flatnonzero(frame_graph.rests)
    start = Ends(nodes[:1], np.zeros((1, 3)))
    lost = follow(frame_graph.links, sheet, start, Ends(nodes[:1], np.array([[0.0, 90.0, 0.0]])), most=1000)
    with pytest.raises(ValueError, match="found none"):
        show(frame_graph, lost)
