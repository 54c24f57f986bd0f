"""Every index gives what `PlainIndex` gives, bit for bit."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.field.neighbors import BoundedIndex, ExactIndex, NeighborIndex, Neighbors, PlainIndex, check_index
from tests.field.neighbors.data import motion_like, nearby_queries

FAST = (ExactIndex, BoundedIndex)
ALL = (PlainIndex, *FAST)
Index = type[PlainIndex] | type[ExactIndex] | type[BoundedIndex]


def assert_same(found: Neighbors, expected: Neighbors) -> None:
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.distances, expected.distances)


def assert_all_agree(features: ArrayLike, queries: ArrayLike, neighbor_count: int) -> None:
    expected = PlainIndex(features).search(queries, neighbor_count)
    for index in FAST:
        assert_same(index(features).search(queries, neighbor_count), expected)


@pytest.mark.parametrize("index", ALL)
def test_a_tiny_case_worked_by_hand(index: Index) -> None:
    corners = [[0.0, 0.0], [3.0, 4.0], [0.0, 1.0], [0.0, -1.0]]
    found = index(corners).search([[0.0, 0.0]], 4)
    np.testing.assert_array_equal(found.indices, [[0, 2, 3, 1]])
    np.testing.assert_array_equal(found.distances, [[0.0, 1.0, 1.0, 5.0]])


@pytest.mark.parametrize("index", ALL)
@pytest.mark.parametrize("state_count", [1, 31, 32, 33, 700])
def test_every_index_keeps_to_the_contract(index: Index, state_count: int, rng: np.random.Generator) -> None:
    check_index(index(motion_like(rng, state_count)))


@pytest.mark.parametrize("dimension", [1, 2, 3, 15, 16, 17, 138])
@pytest.mark.parametrize("neighbor_count", [1, 15, 45])
def test_fast_equals_plain_on_motion(dimension: int, neighbor_count: int, rng: np.random.Generator) -> None:
    features = motion_like(rng, 1500, dimension)
    assert_all_agree(features, nearby_queries(rng, features, group_count=4), neighbor_count)


def test_fast_equals_plain_where_every_state_is_there_many_times(rng: np.random.Generator) -> None:
    few = motion_like(rng, 30)
    features = few[rng.integers(0, len(few), 900)]
    assert_all_agree(features, few, 100)
    assert_all_agree(features, nearby_queries(rng, few, group_count=3), 40)


def test_fast_equals_plain_on_a_grid_full_of_equal_distances() -> None:
    grid = np.stack(np.meshgrid(*[np.arange(5.0)] * 4), axis=-1).reshape(-1, 4)
    assert_all_agree(grid, grid[::7], 50)
    assert_all_agree(grid, grid[::7] + 0.5, 50)


def test_fast_equals_plain_when_all_states_are_asked_for(rng: np.random.Generator) -> None:
    features = motion_like(rng, 200)
    assert_all_agree(features, nearby_queries(rng, features, group_count=2), 200)


@pytest.mark.parametrize("scale", [1e-25, 1e-20, 1e-12, 1.0, 1e10])
@pytest.mark.parametrize("offset", [0.0, 1.0, 1e4])
def test_rounding_never_costs_a_neighbor(scale: float, offset: float, rng: np.random.Generator) -> None:
    features = scale * (motion_like(rng, 600).astype(np.float64) + offset)
    queries = scale * (nearby_queries(rng, motion_like(rng, 600), group_count=3).astype(np.float64) + offset)
    assert_all_agree(features, queries, 15)


def test_rounding_never_costs_a_neighbor_next_to_a_distant_state(rng: np.random.Generator) -> None:
    features = motion_like(rng, 600)
    features[17] = 1e6
    assert_all_agree(features, nearby_queries(rng, features[20:], group_count=3), 15)
    assert_all_agree(features, np.full((1, features.shape[1]), 9e5), 15)


numbers = st.floats(-1e3, 1e3, width=32) | st.sampled_from([0.0, 1.0, 1e-20, 1e15, -1e15])


@given(data=st.data(), state_count=st.integers(1, 70), dimension=st.integers(1, 20))
def test_fast_equals_plain_on_anything(data: st.DataObject, state_count: int, dimension: int) -> None:
    features = data.draw(st_numpy.arrays(np.float32, (state_count, dimension), elements=numbers))
    queries = data.draw(st_numpy.arrays(np.float32, (6, dimension), elements=numbers))
    neighbor_count = data.draw(st.integers(1, state_count))
    assert_all_agree(features, np.concatenate([queries, features[:6]]), neighbor_count)


@pytest.mark.parametrize("index", FAST)
def test_bits_depend_on_neither_batch_nor_threads(index: Index, rng: np.random.Generator) -> None:
    features = motion_like(rng, 3000)
    queries = nearby_queries(rng, features, group_count=63)[:1000]
    searcher = index(features)
    threads = numba.get_num_threads()
    results = []
    try:
        for thread_count in (1, min(2, threads)):
            numba.set_num_threads(thread_count)
            for size in (1, 7, 1000):
                parts = [searcher.search(queries[i : i + size], 15) for i in range(0, len(queries), size)]
                results.append(Neighbors(*(np.concatenate(part) for part in zip(*parts, strict=True))))
    finally:
        numba.set_num_threads(threads)
    for result in results[1:]:
        assert_same(result, results[0])


@pytest.mark.parametrize("index", ALL)
def test_features_are_a_copy_that_cannot_be_written(index: Index) -> None:
    source = np.ones((3, 2), np.float32)
    searcher: NeighborIndex = index(source)
    source[:] = 7.0
    assert searcher.features.max() == 1.0
    with pytest.raises(ValueError, match="read-only"):
        searcher.features[0, 0] = 2.0


@pytest.mark.parametrize("index", ALL)
@pytest.mark.parametrize(
    ("features", "message"),
    [
        (np.zeros(3), r"features: expected \[state, dimension\]"),
        (np.zeros((0, 3)), "at least one of each"),
        (np.array([[np.nan]]), "features: expected finite"),
        (np.array([[1e300]]), "features: expected finite"),
        (np.array([[2e15]]), "magnitude"),
        (np.array([["a"]]), "real numbers"),
    ],
)
def test_features_are_checked_at_the_door(index: Index, features: FloatArray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        index(features)


@pytest.mark.parametrize("index", ALL)
@pytest.mark.parametrize(
    ("queries", "count", "message"),
    [
        (np.zeros((1, 3)), 1, r"queries: expected \[query, 2\], got shape \(1, 3\)"),
        (np.array([[0.0, np.inf]]), 1, "queries: expected finite"),
        (np.zeros((1, 2), complex), 1, "real numbers"),
        (np.zeros((1, 2)), 0, "neighbor_count: expected 1 to 4"),
        (np.zeros((1, 2)), 5, "neighbor_count: expected 1 to 4"),
    ],
)
def test_queries_are_checked_at_the_door(index: Index, queries: FloatArray, count: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        index(np.zeros((4, 2))).search(queries, count)
