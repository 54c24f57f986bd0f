"""Faiss finds most of the nearest states; what it finds is measured and ordered as by the exact indices."""

from __future__ import annotations

import sys
from typing import Literal

import numpy as np
import pytest

from motionfields.base.errors import MissingExtraError
from motionfields.field.neighbors import BoundedIndex, FaissIndex, PlainIndex, check_index, make_index
from tests.control.training.small import threads
from tests.field.neighbors.data import motion_like, nearby_queries

faiss = pytest.importorskip("faiss")
Method = Literal["ivf", "hnsw"]
METHODS: tuple[Method, ...] = ("ivf", "hnsw")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("state_count", [1, 33, 700])
def test_it_keeps_to_the_contract(method: Method, state_count: int, rng: np.random.Generator) -> None:
    check_index(FaissIndex(motion_like(rng, state_count), method=method), exact=False)


@pytest.mark.parametrize("method", METHODS)
def test_distances_have_the_bits_of_plain_search(method: Method, rng: np.random.Generator) -> None:
    features = rng.normal(size=(2000, 12)).astype(np.float32)  # no structure: the hardest for cells and graphs
    queries = nearby_queries(rng, features, group_count=8)
    found = FaissIndex(features, method=method, least_recall=0.5).search(queries, 20)
    plain = PlainIndex(features).search(queries, len(features))
    place = np.argsort(plain.indices, axis=1)
    expected = np.take_along_axis(plain.distances, np.take_along_axis(place, found.indices, axis=1), axis=1)
    np.testing.assert_array_equal(found.distances, expected)


@pytest.mark.parametrize("method", METHODS)
def test_the_recall_is_the_share_of_true_neighbours(method: Method, rng: np.random.Generator) -> None:
    features = rng.normal(size=(1000, 12)).astype(np.float32)  # no more than are checked
    index = FaissIndex(features, method=method, least_recall=0.6)
    recall = index.recall(20)
    found = index._search(features, 21, recall.effort).indices
    true = PlainIndex(features).search(features, 21).indices
    pairs = zip(found.tolist(), true.tolist(), strict=True)
    shared = [len((set(a) & set(b)) - {i}) / 20 for i, (a, b) in enumerate(pairs)]
    assert recall.share == pytest.approx(np.mean(shared), abs=1e-9)
    assert recall.sample_count == 1000


@pytest.mark.parametrize("method", METHODS)
def test_it_looks_harder_until_the_recall_is_reached(method: Method, rng: np.random.Generator) -> None:
    features = rng.normal(size=(3000, 20)).astype(np.float32)
    easy, hard = (FaissIndex(features, method=method, least_recall=least).recall(50) for least in (0.5, 0.9999))
    assert easy.share >= 0.5
    assert hard.share >= 0.9999
    assert hard.effort > easy.effort


@pytest.mark.parametrize("method", METHODS)
def test_a_recall_of_one_is_exact_search(method: Method, rng: np.random.Generator) -> None:
    features = rng.normal(size=(600, 8)).astype(np.float32)
    found = FaissIndex(features, method=method, least_recall=1.0).search(features, 10)
    expected = PlainIndex(features).search(features, 10)
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.distances, expected.distances)


@pytest.mark.parametrize("method", METHODS)
def test_bits_are_the_same_from_run_to_run_and_on_any_number_of_threads(
    method: Method, rng: np.random.Generator
) -> None:
    features = motion_like(rng, 4000)
    results = []
    for count in (1, 2, 2):
        with threads(count):
            results.append(FaissIndex(features, method=method, least_recall=0.9).search(features, 30))
    for other in results[1:]:
        np.testing.assert_array_equal(other.indices, results[0].indices)
        np.testing.assert_array_equal(other.distances, results[0].distances)


def test_the_number_of_threads_of_faiss_is_left_as_it_was(rng: np.random.Generator) -> None:
    before = faiss.omp_get_max_threads()
    FaissIndex(motion_like(rng, 300)).search(np.zeros((3, 40)), 5)
    assert faiss.omp_get_max_threads() == before


def test_states_that_are_there_many_times_are_found_as_often(rng: np.random.Generator) -> None:
    features = np.repeat(motion_like(rng, 20), 50, axis=0)
    for method in METHODS:
        found = FaissIndex(features, method=method).search(features[::50], 40)
        assert (found.distances == 0.0).all()


def test_a_missing_faiss_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtraError, match=r"motionfields\[faiss\]"):
        FaissIndex(np.eye(4))
    assert isinstance(make_index(np.eye(4)), BoundedIndex)


@pytest.mark.parametrize("count", [0, 5])
def test_the_neighbor_count_is_checked(count: int) -> None:
    with pytest.raises(ValueError, match="neighbor_count: expected 1 to 4"):
        FaissIndex(np.eye(4)).search(np.eye(4), count)


def test_an_unknown_way_to_search_is_refused() -> None:
    with pytest.raises(ValueError, match="search: expected one of exact, ivf, hnsw"):
        make_index(np.eye(4), "best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="method: expected one of ivf, hnsw"):
        FaissIndex(np.eye(4), method="exact")  # type: ignore[arg-type]
