"""Limits of the bounded search: wide enough to be safe, narrow enough to skip states."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.field.neighbors import PlainIndex
from motionfields.field.neighbors.bounds import limit_of


@pytest.mark.parametrize("dimension", [1, 40, 400])
def test_a_limit_covers_rounding_and_little_more(dimension: int, rng: np.random.Generator) -> None:
    """A limit below the true square could skip a neighbour; one far above it would skip nothing and slow the search."""
    features = rng.normal(size=(200, dimension)).astype(np.float32)
    query = rng.normal(size=(1, dimension)).astype(np.float32)
    found = PlainIndex(features).search(query, 200)
    squares = ((features[found.indices[0]].astype(np.float64) - query) ** 2).sum(axis=1)
    limits = np.array([limit_of(float(distance), dimension, 0.0) for distance in found.distances[0]])
    assert (squares <= limits).all()
    assert (limits <= 1.001 * squares).all()
