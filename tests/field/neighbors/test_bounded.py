"""Features of `BoundedIndex` alone: bounds that hold, likely rows, and scans that several queries share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionfields.field.neighbors import BoundedIndex, ExactIndex
from motionfields.field.neighbors.leaves import IMAGE_SIZE, LEAF_SIZE, grow_leaves, project
from tests.field.neighbors.data import motion_like, nearby_queries
from tests.field.neighbors.test_indices import assert_same


@given(seed=st.integers(0, 1000), dimension=st.sampled_from([1, 3, 15, 16, 40]))
def test_no_two_states_are_farther_apart_in_the_image(seed: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    features = motion_like(rng, 50, dimension)
    leaves = grow_leaves(features)
    images, sums = np.empty((50, IMAGE_SIZE), np.float32), np.empty(IMAGE_SIZE)
    for feature, image in zip(features, images, strict=True):
        project(feature, leaves.center, leaves.basis, sums, image)
    full = np.linalg.norm(features[:, np.newaxis].astype(np.float64) - features, axis=-1)
    short = np.linalg.norm(images[:, np.newaxis].astype(np.float64) - images, axis=-1)
    assert np.all(short <= full + 1e-6 * leaves.radius)


@pytest.mark.parametrize("state_count", [1, LEAF_SIZE, 333])
def test_every_state_is_in_one_leaf_and_in_its_box(state_count: int, rng: np.random.Generator) -> None:
    leaves = grow_leaves(motion_like(rng, state_count))
    held = leaves.rows >= 0
    np.testing.assert_array_equal(np.sort(leaves.rows[held]), np.arange(state_count))
    images = leaves.images.transpose(0, 2, 1)
    inside = (images >= leaves.low.T[:, np.newaxis]) & (images <= leaves.high.T[:, np.newaxis])
    assert inside[held].all()
    assert np.isinf(images[~held]).all()


@pytest.mark.parametrize("spread", [0.0, 0.001, 0.02, 0.1, 1.0])
def test_queries_that_share_a_scan_find_what_they_find_alone(spread: float, rng: np.random.Generator) -> None:
    features = motion_like(rng, 2000)
    queries = nearby_queries(rng, features, group_count=3, group_size=40, spread=spread)
    assert_same(BoundedIndex(features).search(queries, 15), ExactIndex(features).search(queries, 15))


def test_likely_rows_change_nothing_right_or_wrong(rng: np.random.Generator) -> None:
    features = motion_like(rng, 2000)
    queries = nearby_queries(rng, features, group_count=3)
    index = BoundedIndex(features)
    expected = index.search(queries, 15)
    wrong = rng.integers(0, 2000, (len(queries), 40))
    repeated = np.repeat(expected.indices[:, :3], 10, axis=1)
    for likely in (expected.indices, wrong, repeated, wrong[:, :2], wrong[:, :0], wrong.astype(np.uint16)):
        assert_same(index.search(queries, 15, likely=likely), expected)


@pytest.mark.parametrize(
    "likely", [np.array([[2000]]), np.array([[-1]]), np.array([3]), np.array([[0.5]]), np.zeros((2, 1), int)]
)
def test_likely_rows_are_checked_at_the_door(likely: np.ndarray, rng: np.random.Generator) -> None:
    features = motion_like(rng, 2000)
    with pytest.raises(ValueError, match="likely: expected"):
        BoundedIndex(features).search(features[:1], 3, likely=likely)
