"""Runs of true flags."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import BoolArray, IntArray


def true_runs(flags: BoolArray, starts: IntArray | None = None) -> list[tuple[int, int]]:
    """Return the start and the end (excluded) of each run of true `flags` [n].

    With `starts` [part + 1], rising from 0 to n, a run ends where a part does.
    """
    padded = np.concatenate([[False], flags, [False]])
    begins, ends = padded[1:] & ~padded[:-1], padded[:-1] & ~padded[1:]  # at each edge between two flags
    if starts is not None:
        begins[starts] |= padded[1:][starts]
        ends[starts] |= padded[:-1][starts]
        begins[-1] = ends[0] = False
    return list(zip(np.flatnonzero(begins).tolist(), np.flatnonzero(ends).tolist(), strict=True))
