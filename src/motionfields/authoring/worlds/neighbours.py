"""The nearest other characters, found through a hash of the ground's cells."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel

NEAREST: Final = 12  # characters that one takes account of
REACH: Final = 4.0  # metres within which it does
CELL: Final = 2.0  # metres, side of a cell


def cell_table(count: int) -> tuple[IntArray, IntArray]:
    """Return memory for `fill_cells` of `count` characters: the first of each bucket, and the next of each."""
    return np.empty(1 << max(4, (2 * count - 1).bit_length()), np.int64), np.empty(count, np.int64)


@kernel
def fill_cells(position: FloatArray, heads: IntArray, following: IntArray) -> None:
    """Put all characters into the buckets of their cells; within a bucket the lowest number comes first."""
    heads[:] = -1
    for i in range(len(position) - 1, -1, -1):
        bucket = _bucket(_cell(position[i, 0]), _cell(position[i, 1]), len(heads))
        following[i], heads[bucket] = heads[bucket], i


@lean_kernel
def find_nearest(
    position: FloatArray, heads: IntArray, following: IntArray, i: int, found: IntArray, squares: FloatArray
) -> int:
    """Fill `found` [NEAREST] with the characters nearest to `i`, nearest first, and return how many there are.

    Of equally near ones the lower number comes first. `squares` [NEAREST] is scratch memory.
    """
    x, z = position[i, 0], position[i, 1]
    count, span = 0, math.ceil(REACH / CELL)
    for a in range(_cell(x) - span, _cell(x) + span + 1):
        for b in range(_cell(z) - span, _cell(z) + span + 1):
            j = heads[_bucket(a, b, len(heads))]
            while j >= 0:
                if j != i and _cell(position[j, 0]) == a and _cell(position[j, 1]) == b:
                    square = (position[j, 0] - x) ** 2 + (position[j, 1] - z) ** 2
                    if square < REACH * REACH:
                        count = _insert(found, squares, count, j, square)
                j = following[j]
    return count


@lean_kernel
def _insert(found: IntArray, squares: FloatArray, count: int, j: int, square: float) -> int:
    """Insert `j` into the sorted list of `count` characters, which may lose its last; return its new length."""
    if count == len(found):
        last = count - 1
        if square > squares[last] or (square == squares[last] and j > found[last]):
            return count
        count -= 1
    place = count
    while place > 0 and (squares[place - 1] > square or (squares[place - 1] == square and found[place - 1] > j)):
        found[place], squares[place] = found[place - 1], squares[place - 1]
        place -= 1
    found[place], squares[place] = j, square
    return count + 1


@lean_kernel
def _cell(place: float) -> int:
    return math.floor(place / CELL)


@lean_kernel
def _bucket(a: int, b: int, count: int) -> int:
    return (a * 73856093 ^ b * 19349663) & (count - 1)
