"""Compiled loops that the exact indices share: distances whose bits are defined, and lists of the best so far.

No fastmath: each distance is the float32 sum over the dimensions in their order, as in `PlainIndex`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel, parallel_kernel

BLOCK = 32  # states side by side
# A plain 0 would have every kernel that takes it compiled twice: for the literal, and for integers.
ZERO: Any = np.int64(0)


@kernel
def keep_if_near(distance: float | np.float32, index: int, best: FloatArray, rows: IntArray, count: int) -> int:
    """Put a state into the sorted list `best`, `rows` [k], of which `count` are filled; the new count.

    The order is by distance, then by index. What would come after a full list is left out. The state must not be in
    the list yet.
    """
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
    """Measure the states `candidates` [any] and put the near ones into the list; the new count.

    `terms` is memory [4, dimension] float32. Squaring runs over many dimensions at once; each sum then has to wait
    for its last addition, so four of them run side by side.
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
    """Fill `indices` and `distances` [query, k] by looking at every state of `blocks` [block, dimension, BLOCK]."""
    for i in prange(len(queries)):
        _scan(blocks, state_count, queries[i], distances[i], indices[i])


@kernel
def _scan(blocks: FloatArray, state_count: int, query: FloatArray, best: FloatArray, rows: IntArray) -> None:
    squares = np.empty(BLOCK, np.float32)
    count = ZERO
    for b in range(len(blocks)):
        block_squares(blocks[b], query, squares)
        for s in range(min(BLOCK, state_count - b * BLOCK)):
            distance = np.float32(math.sqrt(squares[s]))
            # States come in the order of their indices, so one that is no nearer than the last is not wanted.
            if count < len(best) or distance < best[-1]:
                count = keep_if_near(distance, b * BLOCK + s, best, rows, count)


@kernel
def block_squares(block: FloatArray, query: FloatArray, squares: FloatArray) -> None:
    """Squared distances [BLOCK] of a query to the states of `block` [dimension, BLOCK].

    Four dimensions a round, added one after the other: a quarter of the traffic, and the same bits.
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
