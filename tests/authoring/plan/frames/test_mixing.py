"""Interpolated motion: well-connected and interpolated graphs."""

from __future__ import annotations

import numpy as np

from motionfields.authoring.plan.frames import FrameGraph, MixedGraph
from motionfields.authoring.plan.frames.mixing import blended_ground, fit_in_time, similar_pairs


def test_a_blend_of_weight_0_or_1_is_one_of_its_halves() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 6, 3))
    a[0] = b[0] = 0.0
    np.testing.assert_allclose(blended_ground(a, b, 0.0), a, atol=1e-12)
    np.testing.assert_allclose(blended_ground(a, b, 1.0), b, atol=1e-12)


def test_halves_of_a_left_and_a_right_turn_go_straight() -> None:
    times = np.linspace(0.0, 1.0, 9)
    left = np.stack([1.0 - np.cos(times), np.sin(times), times], axis=1)
    right = left * np.array([-1.0, 1.0, -1.0])
    middle = blended_ground(left, right, 0.5)
    np.testing.assert_allclose(middle[:, [0, 2]], 0.0, atol=1e-12)
    assert middle[-1, 1] > left[-1, 1]


def test_pairs_are_the_nearest_within_the_spread(frame_graph: FrameGraph) -> None:
    distance = np.array([[0.0, 0.1, 0.15, 9.0], [0.1, 0.0, 0.12, 9.0], [0.15, 0.12, 0.0, 9.0], [9.0, 9.0, 9.0, 0.0]])
    settings = frame_graph.settings  # two partners, spread 0.2 m
    np.testing.assert_array_equal(similar_pairs(distance, settings), [(0, 1), (0, 2), (1, 2)])


def test_times_fit_within_the_stretch() -> None:
    np.testing.assert_array_equal(fit_in_time(np.array([1.0, 3.0]), np.array([1.5, 2.0]), 1.6), [[1, 0], [0, 1]])


def test_interpolated_frames_are_runs_between_segments_of_the_same_feet(connected_graph: FrameGraph) -> None:
    frames = connected_graph.frames
    made = ~frames.captured
    assert made.any()
    assert (frames.share[made] == 0.5).all()
    assert (np.diff(frames.run) >= 0).all()
    for run in np.unique(frames.run[made])[:10]:
        own = frames.run == run
        assert len(np.unique(frames.phase[own])) == 1
        assert (np.diff(frames.first[own]) >= 0).all()
        np.testing.assert_array_equal(frames.ground[own][0], 0.0)


def test_links_of_an_interpolated_graph_follow_a_link_of_each_half(mixed_graph: MixedGraph) -> None:
    base, links = mixed_graph.base, mixed_graph.links
    assert len(mixed_graph.nodes) > len(base.nodes)
    for link in range(len(links.source)):
        one, other = mixed_graph.parts[link]
        share = mixed_graph.link_share[link]
        source, target = mixed_graph.nodes[links.source[link]], mixed_graph.nodes[links.target[link]]
        assert set(source) == {base.links.source[one], base.links.source[other]}
        assert set(target) == {base.links.target[one], base.links.target[other]}
        seconds = base.links.seconds[[one, other]]
        np.testing.assert_allclose(links.seconds[link], seconds[0] + share * (seconds[1] - seconds[0]))
        assert seconds.max() <= base.settings.stretch * seconds.min() + 1e-9


def test_an_interpolated_graph_keeps_its_base(mixed_graph: MixedGraph) -> None:
    base = mixed_graph.base
    own = mixed_graph.parts[:, 0] == mixed_graph.parts[:, 1]
    assert own.sum() == len(base.links.source)
    np.testing.assert_allclose(mixed_graph.links.course[own], base.links.course, atol=1e-9)
