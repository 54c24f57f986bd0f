"""What every neighbour search offers, and the checks at its door."""

from __future__ import annotations

import operator
from typing import NamedTuple, Protocol, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel

LARGEST = 1e15  # the greatest magnitude of a feature; beyond it squares could overflow float32


class Neighbors(NamedTuple):
    """The k nearest states of each query, nearest first; equal distances are in the order of their indices."""

    indices: IntArray  # [query, k] int64, rows of the database
    distances: FloatArray  # [query, k] float32, in the unit of the features


class NeighborIndex(Protocol):
    """A search over the rows of `features`; `check_index` tests whether an implementation keeps to the contract.

    The square of a distance is the float32 sum of (feature - query) ** 2 over the dimensions in their order, so the
    bits are the same for every exact index, batch and thread count. `PlainIndex` says the same in numpy.
    """

    @property
    def features(self) -> FloatArray:
        """The states that are searched, [state, dimension] float32, read-only."""
        ...

    def search(self, queries: ArrayLike, neighbor_count: int) -> Neighbors:
        """The `neighbor_count` nearest states of each of `queries` [query, dimension]."""
        ...


def checked_features(features: ArrayLike) -> FloatArray:
    """A copy of `features` [state, dimension] as float32 that no other array shares."""
    array = _as_float32("features", features)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"features: expected [state, dimension] with at least one of each, got shape {array.shape}")
    _check_magnitude("features", array)
    return array


def checked_queries(queries: ArrayLike, dimension: int) -> FloatArray:
    """A copy of `queries` [query, dimension] as float32."""
    array = _as_float32("queries", queries)
    if array.ndim != 2 or array.shape[1] != dimension:
        raise ValueError(f"queries: expected [query, {dimension}], got shape {array.shape}")
    _check_magnitude("queries", array)
    return array


def checked_count(neighbor_count: SupportsIndex, state_count: int) -> int:
    """`neighbor_count`, if it is a whole number that the database can give."""
    count = operator.index(neighbor_count)
    if not 1 <= count <= state_count:
        raise ValueError(f"neighbor_count: expected 1 to {state_count} (all states), got {count}")
    return count


def _as_float32(name: str, values: ArrayLike) -> FloatArray:
    # Always a copy: kernels are compiled once, for writable contiguous arrays.
    array = np.asarray(values)
    if array.dtype == np.float32:
        return array.copy()
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name}: expected real numbers, got {array.dtype}")
    with np.errstate(over="ignore"):  # what becomes infinite is refused below
        return np.array(array, dtype=np.float32, order="C")


def _check_magnitude(name: str, array: FloatArray) -> None:
    if not _is_within(array, LARGEST):
        raise ValueError(f"{name}: expected finite numbers of magnitude at most {LARGEST:g}")


@kernel
def _is_within(array: FloatArray, largest: float) -> bool:
    # numpy takes three microseconds for this, half of a search in a small database. NaN fails the comparison.
    for row in range(len(array)):
        wrong_count = 0
        for column in range(array.shape[1]):
            wrong_count += 0 if abs(array[row, column]) <= largest else 1
        if wrong_count > 0:
            return False
    return True
