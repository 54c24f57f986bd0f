"""Ways over a grid beside a plain Dijkstra search."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.world.ways import LENGTHENING, MOVES, line_is_free, way_lengths


def crossed(a: int, b: int) -> list[tuple[int, int]]:
    """The cells that a move by (a, b) enters."""
    steps = max(abs(a), abs(b))
    return [(math.floor(a * t / steps + 0.5), math.floor(b * t / steps + 0.5)) for t in range(1, steps + 1)]


def plain_lengths(free: BoolArray, seeds: IntArray, values: FloatArray) -> FloatArray:
    out = np.full(free.shape, np.inf)
    heap: list[tuple[float, int, int]] = []
    for (x, z), value in zip(seeds.tolist(), values.tolist(), strict=True):
        if free[x, z] and value < out[x, z]:
            out[x, z] = value
            heapq.heappush(heap, (value, x, z))
    moves = [(a, b, math.hypot(a, b), crossed(a, b)) for a, b in MOVES.tolist()]
    while heap:
        length, x, z = heapq.heappop(heap)
        if length > out[x, z]:
            continue
        for a, b, far, cells in moves:
            if not all(0 <= x + i < len(free) and 0 <= z + j < free.shape[1] and free[x + i, z + j] for i, j in cells):
                continue
            if length + far < out[x + a, z + b]:
                out[x + a, z + b] = length + far
                heapq.heappush(heap, (length + far, x + a, z + b))
    return out


@pytest.fixture(scope="module")
def free() -> BoolArray:
    return np.random.default_rng(3).random((31, 37)) > 0.2


def test_lengths_equal_those_of_a_plain_search(free: BoolArray) -> None:
    seeds = np.array([(2, 3), (20, 30), (30, 0), (5, 5)])
    values = np.array([3.5, 0.25, 40.0, 0.0])
    np.testing.assert_array_equal(way_lengths(free, seeds, values), plain_lengths(free, seeds, values))


def test_cells_without_a_way_are_infinitely_far() -> None:
    free = np.ones((9, 9), np.bool_)
    free[4] = False
    found = way_lengths(free, np.array([(0, 0)]))
    assert np.isfinite(found[:4]).all()
    assert np.isinf(found[4:]).all()


def test_a_free_line_is_never_shorter_than_the_bound(free: BoolArray) -> None:
    rng = np.random.default_rng(4)
    wide = np.ones((80, 80), np.bool_)
    wide[30:40, 20:45] = False
    found = way_lengths(wide, np.array([(70, 32)]))
    checked = 0
    for _ in range(400):
        x, z, a, b = (int(n) for n in (*rng.integers(0, 80, 2), *rng.integers(-25, 26, 2)))
        if not (wide[x, z] and 0 <= x + a < 80 and 0 <= z + b < 80 and line_is_free(wide, x, z, a, b)):
            continue
        assert abs(found[x, z] - found[x + a, z + b]) <= LENGTHENING * math.hypot(a, b) + 1e-9
        checked += 1
    assert checked > 100
