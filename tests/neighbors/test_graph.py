"""Neighbour graphs leave out the state itself, and say how right they are."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from motionfields.errors import MissingExtraError
from motionfields.neighbors import PlainIndex, build_neighbor_graph
from motionfields.neighbors.graph import Method
from tests.neighbors.data import motion_like


def test_the_exact_graph_is_plain_search_without_the_state_itself(rng: np.random.Generator) -> None:
    features = motion_like(rng, 300)
    graph = build_neighbor_graph(features, 6)
    np.testing.assert_array_equal(graph.neighbors, PlainIndex(features).search(features, 7).indices[:, 1:])
    assert (graph.recall, graph.sample_count) == (1.0, 300)


def test_a_state_that_is_there_many_times_is_never_its_own_neighbor() -> None:
    features = np.zeros((40, 3), np.float32)
    features[20:] = 1.0
    graph = build_neighbor_graph(features, 5)
    assert not (graph.neighbors == np.arange(40)[:, np.newaxis]).any()
    np.testing.assert_array_equal(graph.neighbors[30], [20, 21, 22, 23, 24])
    np.testing.assert_array_equal(graph.neighbors[1], [0, 2, 3, 4, 5])


@pytest.mark.parametrize("method", ["hnsw", "ivf"])
def test_faiss_graphs_report_their_recall(method: Method, rng: np.random.Generator) -> None:
    pytest.importorskip("faiss")
    features = motion_like(rng, 2000)
    exact, graph = (build_neighbor_graph(features, 10, method=way).neighbors for way in ("exact", method))
    assert graph.shape == (2000, 10)
    assert not (graph == np.arange(2000)[:, np.newaxis]).any()
    shared = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(exact, graph, strict=True)])
    report = build_neighbor_graph(features, 10, method=method)
    assert report.recall == pytest.approx(shared, abs=0.03)
    assert report.recall > 0.9


@pytest.mark.parametrize("method", ["hnsw", "ivf"])
def test_faiss_graphs_of_few_states_are_whole(method: Method, rng: np.random.Generator) -> None:
    pytest.importorskip("faiss")
    graph = build_neighbor_graph(motion_like(rng, 12), 11, method=method)
    np.testing.assert_array_equal(np.sort(graph.neighbors[3]), [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11])


def test_a_missing_faiss_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtraError, match=r"motionfields\[faiss\]"):
        build_neighbor_graph(np.eye(4), 2, method="hnsw")


@pytest.mark.parametrize("count", [0, 4])
def test_the_neighbor_count_is_checked(count: int) -> None:
    with pytest.raises(ValueError, match="neighbor_count: expected 1 to 3"):
        build_neighbor_graph(np.eye(4), count)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="method: expected one of exact, hnsw, ivf"):
        build_neighbor_graph(np.eye(4), 1, method="best")  # type: ignore[arg-type]
