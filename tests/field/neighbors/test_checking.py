"""The contract checker finds each breach; that our own indices pass is in `test_indices`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.field.neighbors import Neighbors, PlainIndex, check_index
from tests.field.neighbors.data import motion_like


class Bent:
    """A right index whose result goes through a function that spoils it."""

    def __init__(self, features: FloatArray, bend: Callable[[Neighbors], Neighbors]) -> None:
        self._plain = PlainIndex(features)
        self._bend = bend

    @property
    def features(self) -> FloatArray:
        return self._plain.features

    def search(self, queries: ArrayLike, neighbor_count: int) -> Neighbors:
        return self._bend(self._plain.search(queries, neighbor_count))


def swapped(found: Neighbors) -> Neighbors:
    return Neighbors(found.indices[:, ::-1], found.distances[:, ::-1])


def tie_turned(found: Neighbors) -> Neighbors:
    return Neighbors(found.indices[:, ::-1], np.zeros_like(found.distances))


def batch_dependent(found: Neighbors) -> Neighbors:
    return Neighbors(found.indices, found.distances + np.float32(1e-6 * len(found.distances)))


BENDS: list[tuple[Callable[[Neighbors], Neighbors], str]] = [
    (lambda found: Neighbors(found.indices.astype(np.int32), found.distances), "indices: expected int64"),
    (lambda found: Neighbors(found.indices, found.distances[:, :1]), "distances: expected float32|as PlainIndex"),
    (lambda found: Neighbors(found.indices - 1, found.distances), "expected rows 0 to"),
    (lambda found: Neighbors(np.zeros_like(found.indices), found.distances), "each state once|as PlainIndex"),
    (swapped, "nearest first"),
    (tie_turned, "as PlainIndex|order of their indices"),
    (batch_dependent, "same bits in batches of 1"),
    (lambda found: Neighbors(found.indices, found.distances * np.float32(1.001)), "as PlainIndex"),
]


@pytest.mark.parametrize(("bend", "message"), BENDS)
def test_a_bent_result_is_found_out(
    bend: Callable[[Neighbors], Neighbors], message: str, rng: np.random.Generator
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_index(Bent(motion_like(rng, 200), bend))


def test_an_index_that_takes_anything_is_found_out(rng: np.random.Generator) -> None:
    class Careless(PlainIndex):
        def search(self, queries: ArrayLike, neighbor_count: int) -> Neighbors:
            return super().search(np.nan_to_num(queries), neighbor_count)

    with pytest.raises(AssertionError, match="expected ValueError for queries with NaN"):
        check_index(Careless(motion_like(rng, 50)))


def test_features_that_can_be_written_are_found_out(rng: np.random.Generator) -> None:
    class Open(PlainIndex):
        @property
        def features(self) -> FloatArray:
            return self._features

    with pytest.raises(AssertionError, match="read-only"):
        check_index(Open(motion_like(rng, 50)))


def test_an_approximate_index_need_not_agree(rng: np.random.Generator) -> None:
    check_index(Bent(motion_like(rng, 50), lambda found: found), exact=False)
