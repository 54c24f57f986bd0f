from __future__ import annotations

from itertools import pairwise

import numpy as np

from motionfields.base.runs import true_runs


def test_runs_are_found_at_both_ends() -> None:
    assert true_runs(np.array([True, True, False, True, False, True])) == [(0, 2), (3, 4), (5, 6)]
    assert true_runs(np.array([True, False, True, True])) == [(0, 1), (2, 4)]
    assert true_runs(np.zeros(4, np.bool_)) == []
    assert true_runs(np.zeros(0, np.bool_)) == []


def test_a_run_ends_where_a_part_does(rng: np.random.Generator) -> None:
    for _ in range(50):
        flags = rng.random(30) < 0.7
        starts = np.array([0, *sorted(rng.choice(np.arange(1, 30), 4, replace=False)), 30])
        expected = [(a + first, a + stop) for a, b in pairwise(starts) for first, stop in true_runs(flags[a:b])]
        assert true_runs(flags, starts) == expected
