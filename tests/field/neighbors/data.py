"""Features for the tests of neighbour search: smooth paths in many dimensions, as motion makes them."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray


def motion_like(rng: np.random.Generator, state_count: int, dimension: int = 40) -> FloatArray:
    """States [state, dimension] float32 on a closed, smooth path of a few strong directions, with a little noise."""
    phase = np.linspace(0.0, 40.0, state_count)[:, np.newaxis] * rng.uniform(0.5, 3.0, 8) + rng.uniform(0.0, 6.0, 8)
    directions = rng.normal(size=(8, dimension)) * 0.7 ** np.arange(8)[:, np.newaxis]
    noise = 0.02 * rng.normal(size=(state_count, dimension))
    return np.asarray(np.sin(phase) @ directions + noise, dtype=np.float32)


def nearby_queries(
    rng: np.random.Generator, features: FloatArray, *, group_count: int, group_size: int = 16, spread: float = 0.02
) -> FloatArray:
    """Groups of points close together, between states, [group * group_size, dimension] float32."""
    rows = rng.integers(0, len(features) - 1, group_count)
    centers = 0.4 * features[rows] + 0.6 * features[rows + 1]
    offsets = spread * rng.normal(size=(group_count, group_size, features.shape[1]))
    return np.asarray(centers[:, np.newaxis] + offsets, dtype=np.float32).reshape(-1, features.shape[1])
