"""Shortest ways over the free cells of a grid.

A way consists of moves to the 32 cells whose offsets have coprime parts of at most 3. Any straight line between two
cells is a sum of two neighbouring moves at most `LENGTHENING` times as long, so that the length of the shortest way
divided by `LENGTHENING` is a lower bound of the length of straight lines that `line_is_free` accepts.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_indices, checked_numbers
from motionfields.base.compiled import kernel

MOVES: Final = np.array(
    [(a, b) for a in range(-3, 4) for b in range(-3, 4) if math.gcd(a, b) == 1], dtype=np.int64
)  # [32, 2], cells
OCTANT: Final = np.array([(1, 0), (3, 1), (2, 1), (3, 2), (1, 1)], dtype=np.int64)  # moves from 0 to 45 degrees
LENGTHENING: Final = float(
    max(
        1.0 / math.cos(0.5 * (math.atan2(b1, a1) - math.atan2(b0, a0)))
        for (a0, b0), (a1, b1) in zip(OCTANT[:-1].tolist(), OCTANT[1:].tolist(), strict=True)
    )
)
BUCKETS: Final = 8  # more than the cells that the longest move covers


def way_lengths(free: BoolArray, seeds: IntArray, values: FloatArray | None = None) -> FloatArray:
    """Return the length [x, z] in cells of the shortest way over `free` [x, z] cells from each cell to a seed.

    `seeds` [n, 2] are cells; a way to one costs its entry of `values` [n] more, 0 by default. Infinite where there is
    no way.
    """
    free, cells = np.asarray(free), np.asarray(seeds)
    if free.ndim != 2 or free.dtype != np.bool_:
        raise ValueError(f"free: expected an array of bool [x, z], got {free.dtype} of shape {free.shape}")
    if cells.ndim != 2 or cells.shape[1] != 2:
        raise ValueError(f"seeds: expected cells [n, 2], got shape {cells.shape}")
    for axis, size in enumerate(free.shape):
        check_indices("seeds", cells[:, axis], size)
    count = len(cells)
    extra = np.zeros(count) if values is None else checked_numbers("values", values, shape=(count,))
    if extra.min(initial=0.0) < 0.0:
        raise ValueError("values: expected none below 0")
    out = np.full(free.shape, np.inf)
    order = np.argsort(extra, kind="stable")
    cells = cells.astype(np.int64)[order]
    _spread(free, cells, extra[order], MOVES, np.hypot(MOVES[:, 0], MOVES[:, 1]), out)
    return out


@kernel
def move_is_free(free: BoolArray, x: int, z: int, a: int, b: int) -> bool:
    """Return whether the move by (`a`, `b`) from the cell (`x`, `z`) crosses and reaches free cells only."""
    steps = max(abs(a), abs(b))
    for t in range(1, steps + 1):
        i, j = x + math.floor(a * t / steps + 0.5), z + math.floor(b * t / steps + 0.5)
        if i < 0 or j < 0 or i >= free.shape[0] or j >= free.shape[1] or not free[i, j]:
            return False
    return True


@kernel
def line_is_free(free: BoolArray, x: int, z: int, a: int, b: int) -> bool:
    """Return whether the straight line by (`a`, `b`) cells from (`x`, `z`), as a sum of two moves, is free."""
    wide, high = abs(a), abs(b)
    swapped = high > wide
    if swapped:
        wide, high = high, wide
    # The two moves of the first octant between which the line lies, and how often each occurs.
    cone = 0
    while cone < 3 and high * OCTANT[cone + 1, 0] > wide * OCTANT[cone + 1, 1]:
        cone += 1
    ua, ub, va, vb = OCTANT[cone, 0], OCTANT[cone, 1], OCTANT[cone + 1, 0], OCTANT[cone + 1, 1]
    first = wide * vb - high * va
    second = high * ua - wide * ub
    i, j, total = x, z, first + second
    done = 0
    for step in range(total):
        # Spread the second move evenly among the first ones.
        take = (step + 1) * second // total > done
        ma, mb = (va, vb) if take else (ua, ub)
        done += 1 if take else 0
        if swapped:
            ma, mb = mb, ma
        if a < 0:
            ma = -ma
        if b < 0:
            mb = -mb
        if not move_is_free(free, i, j, ma, mb):
            return False
        i += ma
        j += mb
    return True


@kernel
def _spread(
    free: BoolArray, seeds: IntArray, values: FloatArray, moves: IntArray, lengths: FloatArray, out: FloatArray
) -> None:
    """Fill `out` [x, z] with the lengths of shortest ways.

    This is Dijkstra's algorithm with buckets one cell wide in place of a heap. No move is shorter than a cell, so the
    cells of one bucket cannot shorten each other's ways. `seeds` are in order of `values`.
    """
    height = free.shape[1]
    heads = np.full(BUCKETS, -1, np.int64)
    capacity = 2 * free.size + len(seeds)
    cells: IntArray = np.empty(capacity, np.int64)
    following: IntArray = np.empty(capacity, np.int64)
    count = 0
    open_count = 0
    seed = 0
    bucket = 0
    while open_count > 0 or seed < len(seeds):
        if open_count == 0:
            bucket = int(values[seed])
        while seed < len(seeds) and values[seed] < bucket + 1:
            x, z = seeds[seed, 0], seeds[seed, 1]
            if free[x, z] and values[seed] < out[x, z]:
                out[x, z] = values[seed]
                if count == len(cells):
                    cells, following = _doubled(cells), _doubled(following)
                cells[count], following[count] = x * height + z, heads[bucket % BUCKETS]
                heads[bucket % BUCKETS] = count
                count += 1
                open_count += 1
            seed += 1
        entry = heads[bucket % BUCKETS]
        heads[bucket % BUCKETS] = -1
        while entry >= 0:
            cell = cells[entry]
            entry = following[entry]
            open_count -= 1
            x, z = cell // height, cell % height
            length = out[x, z]
            if length < bucket:  # entered again with a shorter way, and done
                continue
            roomy = 3 <= x < free.shape[0] - 3 and 3 <= z < height - 3
            for move in range(len(moves)):
                a, b = moves[move, 0], moves[move, 1]
                i, j = x + a, z + b
                if not roomy and (i < 0 or j < 0 or i >= free.shape[0] or j >= height):
                    continue
                longer = length + lengths[move]
                if longer >= out[i, j] or not move_is_free(free, x, z, a, b):
                    continue
                again = int(longer) == int(min(out[i, j], 1e15))
                out[i, j] = longer
                if again:  # already in this bucket
                    continue
                if count == len(cells):
                    cells, following = _doubled(cells), _doubled(following)
                place = int(longer) % BUCKETS
                cells[count], following[count] = i * height + j, heads[place]
                heads[place] = count
                count += 1
                open_count += 1
        bucket += 1


@kernel
def _doubled(values: IntArray) -> IntArray:
    """Return `values` [n] in the first half of an array twice as long."""
    grown = np.empty(2 * len(values), values.dtype)
    grown[: len(values)] = values
    return grown
