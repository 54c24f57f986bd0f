"""Long lists for many queries are those of the plain search, bit for bit."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from motionfields.field.neighbors import BoundedIndex, ExactIndex, Neighbors, PlainIndex
from motionfields.field.neighbors.contract import checked_features
from motionfields.field.neighbors.leaves import grow_leaves
from motionfields.field.neighbors.long_lists import (
    FEWEST_QUERIES,
    FEWEST_STATES,
    LONG_LIST,
    search_long_lists,
    suits_long_lists,
)
from tests.control.training.small import threads
from tests.field.neighbors.data import motion_like, nearby_queries
from tests.field.neighbors.test_indices import assert_same


def long_lists(features: ArrayLike, queries: ArrayLike, neighbor_count: int) -> Neighbors:
    """Return the result of the search, however few the queries are."""
    states, points = checked_features(features), checked_features(queries)
    indices = np.full((len(points), neighbor_count), -1)
    distances = np.full(indices.shape, np.nan, np.float32)
    search_long_lists(states, grow_leaves(states), points, indices, distances)
    return Neighbors(indices, distances)


@pytest.mark.parametrize("state_count", [1, 31, 32, 33, 700])
def test_all_states_can_be_asked_for(state_count: int, rng: np.random.Generator) -> None:
    features = motion_like(rng, state_count)
    expected = PlainIndex(features).search(features[:40], state_count)
    assert_same(long_lists(features, features[:40], state_count), expected)


@pytest.mark.parametrize("dimension", [1, 3, 17, 138])
@pytest.mark.parametrize("neighbor_count", [1, 45, 300])
def test_lists_on_motion_are_the_plain_ones(dimension: int, neighbor_count: int, rng: np.random.Generator) -> None:
    features = motion_like(rng, 3000, dimension)
    queries = np.concatenate([features[::40], nearby_queries(rng, features, group_count=2)])
    expected = PlainIndex(features).search(queries, neighbor_count)
    assert_same(long_lists(features, queries, neighbor_count), expected)


def test_equal_states_come_in_the_order_of_their_rows(rng: np.random.Generator) -> None:
    few = motion_like(rng, 30)
    features = few[rng.integers(0, len(few), 2000)]
    assert_same(long_lists(features, few, 150), PlainIndex(features).search(few, 150))
    grid = np.stack(np.meshgrid(*[np.arange(5.0)] * 4), axis=-1).reshape(-1, 4)
    assert_same(long_lists(grid, grid + 0.5, 50), PlainIndex(grid).search(grid + 0.5, 50))


@pytest.mark.parametrize("scale", [1e-25, 1e-12, 1e10])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_rounding_never_costs_a_neighbor(scale: float, offset: float, rng: np.random.Generator) -> None:
    features = scale * (motion_like(rng, 600).astype(np.float64) + offset)
    queries = scale * (motion_like(rng, 40).astype(np.float64) + offset)
    assert_same(long_lists(features, queries, 60), PlainIndex(features).search(queries, 60))


@given(seed=st.integers(0, 10**6), state_count=st.integers(1, 200), dimension=st.integers(1, 20))
def test_lists_of_anything_are_the_plain_ones(seed: int, state_count: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(state_count, dimension)) * 10.0 ** rng.integers(-3, 4, dimension)
    queries, count = features[rng.integers(0, state_count, 9)], int(rng.integers(1, state_count + 1))
    queries = queries + rng.choice([0.0, 0.1, 100.0], (9, 1)) * rng.normal(size=queries.shape)
    assert_same(long_lists(features, queries, count), PlainIndex(features).search(queries, count))


@pytest.mark.parametrize("thread_count", [1, 2])
def test_a_large_batch_has_the_same_bits_on_any_number_of_threads(thread_count: int, rng: np.random.Generator) -> None:
    features = motion_like(rng, FEWEST_STATES)
    queries = features[::8]
    assert suits_long_lists(len(queries), 120, len(features))
    expected = ExactIndex(features).search(queries, 120)
    with threads(thread_count):
        assert_same(BoundedIndex(features).search(queries, 120), expected)


@pytest.mark.parametrize("compiled", [False, True])
def test_few_queries_short_lists_small_and_huge_databases_are_searched_otherwise(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("motionfields.field.neighbors.long_lists._search_groups", SimpleNamespace(is_compiled=compiled))
    assert suits_long_lists(FEWEST_QUERIES, LONG_LIST, FEWEST_STATES)
    assert suits_long_lists(FEWEST_QUERIES, LONG_LIST, FEWEST_STATES - 1) == compiled
    assert not suits_long_lists(FEWEST_QUERIES - 1, LONG_LIST, FEWEST_STATES)
    assert not suits_long_lists(FEWEST_QUERIES, LONG_LIST - 1, FEWEST_STATES)
    assert not suits_long_lists(FEWEST_QUERIES, LONG_LIST, 1_000_000)
    assert not suits_long_lists(2**33, LONG_LIST, 2**33)
