"""The interface of every neighbour search, and the checks of its arguments."""

from __future__ import annotations

import operator
from typing import NamedTuple, Protocol, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel, numba_is_loaded

LARGEST = 1e15  # largest magnitude of a feature; squares of larger ones could overflow float32


class Neighbors(NamedTuple):
    """The k nearest states of each query, nearest first; equal distances are ordered by index."""

    indices: IntArray  # [query, k] int64, rows of the database
    distances: FloatArray  # [query, k] float32, in the unit of the features


class NeighborIndex(Protocol):
    """A search over the rows of `features`; `check_index` tests whether an implementation meets the contract.

    The square of a distance is the float32 sum of (feature - query) ** 2 over the dimensions in order, so the bits are
    the same for every exact index, batch and thread count. `PlainIndex` is the reference implementation in numpy.
    """

    @property
    def features(self) -> FloatArray:
        """The states that are searched, [state, dimension] float32, read-only."""
        ...

    def search(self, queries: ArrayLike, neighbor_count: int) -> Neighbors:
        """Return the `neighbor_count` nearest states of each of `queries` [query, dimension]."""
        ...


def checked_features(features: ArrayLike) -> FloatArray:
    """Return a float32 copy of `features` [state, dimension] that shares memory with no other array."""
    array = _as_float32("features", features)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"features: expected [state, dimension] with at least one of each, got shape {array.shape}")
    _check_magnitude("features", array)
    return array


def checked_queries(queries: ArrayLike, dimension: int) -> FloatArray:
    """Return a float32 copy of `queries` [query, dimension]."""
    array = _as_float32("queries", queries)
    if array.ndim != 2 or array.shape[1] != dimension:
        raise ValueError(f"queries: expected [query, {dimension}], got shape {array.shape}")
    _check_magnitude("queries", array)
    return array


def checked_count(neighbor_count: SupportsIndex, state_count: int) -> int:
    """Return `neighbor_count` as an int; ValueError unless it is from 1 to `state_count`."""
    count = operator.index(neighbor_count)
    if not 1 <= count <= state_count:
        raise ValueError(f"neighbor_count: expected 1 to {state_count} (all states), got {count}")
    return count


def check_features(features: FloatArray) -> None:
    """Raise ValueError unless all `features` [state, dimension] are finite and of a size that a search can square."""
    # NaN fails the comparisons. The extremes are found without a copy, since features may be mapped from a large file.
    if features.size and not (features.min() >= -LARGEST and features.max() <= LARGEST):
        raise ValueError(f"features: expected finite numbers of magnitude at most {LARGEST:g}")


def _as_float32(name: str, values: ArrayLike) -> FloatArray:
    # Always a copy: kernels are compiled once, for writable contiguous arrays.
    array = np.asarray(values)
    if array.dtype == np.float32:
        return array.copy()
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name}: expected real numbers, got {array.dtype}")
    with np.errstate(over="ignore"):  # values that overflow to infinity are refused by `_check_magnitude`
        return np.array(array, dtype=np.float32, order="C")


def _check_magnitude(name: str, array: FloatArray) -> None:
    if not (_is_within(array, LARGEST) if numba_is_loaded() else np.all(np.abs(array) <= LARGEST)):
        raise ValueError(f"{name}: expected finite numbers of magnitude at most {LARGEST:g}")


@kernel
def _is_within(array: FloatArray, largest: float) -> bool:
    # numpy needs three microseconds for this, half as long as a search of a small database. NaN fails the comparison.
    # Counting instead of branching lets the compiler vectorise the inner loop.
    """Return whether all numbers of `array` [row, column] have a magnitude of at most `largest`."""
    for row in range(len(array)):
        wrong_count = 0
        for column in range(array.shape[1]):
            wrong_count += 0 if abs(array[row, column]) <= largest else 1
        if wrong_count > 0:
            return False
    return True
