"""Compiled loops that the exact indices share: distances with defined bits, and sorted lists of the nearest states.

They are compiled without fastmath: each distance is the float32 sum over the dimensions in order, as in `PlainIndex`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel, parallel_kernel, prange

BLOCK = 32  # states stored side by side
# A plain 0 would compile every kernel that takes it twice: once for the literal, once for integers.
ZERO: Any = np.int64(0)


@kernel
def keep_if_near(distance: float | np.float32, index: int, best: FloatArray, rows: IntArray, count: int) -> int:
    """Insert a state into the sorted list `best`, `rows` [k] with `count` entries, and return the new count.

    The order is by distance, then by index. A state that comes after the end of a full list is not inserted. The state
    must not be in the list yet.
    """
    # A full list either refuses the new state or drops its last entry for it.
    place = count
    if count == len(best):
        place -= 1
        if distance > best[place] or (distance == best[place] and index > rows[place]):
            return count
    while place > 0 and (best[place - 1] > distance or (best[place - 1] == distance and rows[place - 1] > index)):
        best[place] = best[place - 1]
        rows[place] = rows[place - 1]
        place -= 1
    best[place] = distance
    rows[place] = index
    return min(count + 1, len(best))


@kernel
def keep_rows(
    features: FloatArray,
    query: FloatArray,
    candidates: IntArray,
    terms: FloatArray,
    best: FloatArray,
    rows: IntArray,
    count: int,
) -> int:
    """Measure the states `candidates` [any], insert the near ones into the list, and return the new count.

    `terms` is scratch memory [4, dimension] float32. Squaring vectorises over the dimensions. The sums cannot, because
    their order is fixed and each addition waits for the one before, so four sums run side by side.
    """
    for first in range(0, len(candidates), 4):
        four = min(4, len(candidates) - first)
        for j in range(four):
            feature, row_terms = features[candidates[first + j]], terms[j]
            for d in range(len(query)):
                difference = feature[d] - query[d]
                row_terms[d] = difference * difference
        t0, t1, t2, t3 = terms[0], terms[1], terms[2], terms[3]
        s0 = s1 = s2 = s3 = np.float32(0.0)
        for d in range(len(query)):
            s0 += t0[d]
            s1 += t1[d]
            s2 += t2[d]
            s3 += t3[d]
        sums = (s0, s1, s2, s3)
        for j in range(four):
            count = keep_if_near(np.float32(math.sqrt(sums[j])), candidates[first + j], best, rows, count)
    return count


@parallel_kernel
def scan_all(
    blocks: FloatArray, state_count: int, queries: FloatArray, indices: IntArray, distances: FloatArray
) -> None:
    """Fill `indices` and `distances` [query, k] by measuring every state of `blocks` [block, dimension, BLOCK]."""
    for i in prange(len(queries)):
        _scan(blocks, state_count, queries[i], distances[i], indices[i])


@kernel
def _scan(blocks: FloatArray, state_count: int, query: FloatArray, best: FloatArray, rows: IntArray) -> None:
    """Fill the list `best`, `rows` [k] of one `query` [dimension] from all `blocks`."""
    squares = np.empty(BLOCK, np.float32)
    count = ZERO
    for b in range(len(blocks)):
        block_squares(blocks[b], query, squares)
        for s in range(min(BLOCK, state_count - b * BLOCK)):
            distance = np.float32(math.sqrt(squares[s]))
            # States arrive in index order, so a state at the same distance as the last entry would come after it.
            if count < len(best) or distance < best[-1]:
                count = keep_if_near(distance, b * BLOCK + s, best, rows, count)


@kernel
def block_squares(block: FloatArray, query: FloatArray, squares: FloatArray) -> None:
    """Fill `squares` [BLOCK] with the squared distances of a query to the states of `block` [dimension, BLOCK].

    Each pass adds four dimensions one after the other. This reads and writes `squares` a quarter as often and gives the
    same bits.
    """
    for s in range(BLOCK):
        squares[s] = np.float32(0.0)
    whole = len(query) // 4 * 4
    for d in range(0, whole, 4):
        f0, f1, f2, f3 = block[d], block[d + 1], block[d + 2], block[d + 3]
        q0, q1, q2, q3 = query[d], query[d + 1], query[d + 2], query[d + 3]
        for s in range(BLOCK):
            d0, d1, d2, d3 = f0[s] - q0, f1[s] - q1, f2[s] - q2, f3[s] - q3
            squares[s] = (((squares[s] + d0 * d0) + d1 * d1) + d2 * d2) + d3 * d3
    for d in range(whole, len(query)):
        for s in range(BLOCK):
            d0 = block[d, s] - query[d]
            squares[s] += d0 * d0
