"""Clips that show the same motion are found; clips that share a few moments are not."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.field.database.duplicates import near_duplicates

LENGTH = 90


def path(rng: np.random.Generator) -> FloatArray:
    """Features of a clip that wanders off and never comes back."""
    return np.cumsum(rng.normal(1.0, 0.5, (LENGTH, 6)), axis=0).astype(np.float32)


def found(*clips: FloatArray) -> list[tuple[int, int]]:
    starts = np.concatenate([[0], np.cumsum([len(clip) for clip in clips])])
    return near_duplicates(np.concatenate(clips), starts)


def test_a_copy_is_found_and_a_shared_beginning_is_not(rng: np.random.Generator) -> None:
    first, other = path(rng), path(rng) + 1000.0
    begins_alike = other.copy()
    begins_alike[: LENGTH // 3] = first[: LENGTH // 3]
    assert found(first, other, first.copy()) == [(0, 2)]
    assert found(first, begins_alike) == []


def test_a_part_of_a_longer_clip_is_found(rng: np.random.Generator) -> None:
    whole = path(rng)
    assert found(whole, whole[20:70]) == [(0, 1)]
