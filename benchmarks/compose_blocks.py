"""The search of Arikan, Forsyth and O'Brien (2003) on the objective of `motionfields.authoring.compose`, to compare.

A motion is a row of blocks of frames. Dynamic programming chooses among a few candidate blocks for each slot: first one
random block of each cluster, in blocks of 16 frames at 30 Hz (32 at the paper's 60 Hz); then blocks of half the length,
drawn from the clusters of the blocks found so far; and again. A pool keeps the blocks of the best motion for the next
iteration. In the end, each cut moves to the frame where it costs least.
"""

from __future__ import annotations

import numpy as np
from scipy.cluster.vq import kmeans2

from motionfields.authoring.compose.cuts import CutFeatures, CutSettings, cut_cost
from motionfields.authoring.compose.solving import StateCosts, cut_frames
from motionfields.base.arrays import IntArray

SIZES = (16, 8, 4)  # frames of a block
COARSE = 100  # clusters of the longest blocks
MOST_CANDIDATES = 300  # for each slot


class BlockSearch:
    """The clusters of blocks of one database, and the search for one timeline after another."""

    def __init__(self, features: CutFeatures, frames_left: IntArray, settings: CutSettings, *, seed: int = 0) -> None:
        self.features, self.left, self.settings = features, frames_left, settings
        flat = features.jumps.reshape(len(frames_left), -1)
        centred = flat - flat.mean(axis=0)
        axes = np.linalg.svd(centred[::20], full_matrices=False)[2][:20]
        short = (centred @ axes.T).astype(np.float64)
        self.cluster_of: dict[int, IntArray] = {}
        self.members: dict[int, list[IntArray]] = {}
        for size in SIZES:
            starts = np.flatnonzero(frames_left >= size)
            points = np.concatenate([short[starts + shift] for shift in range(0, size, size // 4)], axis=1)
            count = COARSE if size == SIZES[0] else max(2, len(starts) // 100)
            some = np.random.default_rng(seed).choice(len(points), min(len(points), 4000), replace=False)
            centres = kmeans2(points[some], min(count, len(some) // 2), seed=seed, minit="++", iter=8)[0]
            nearest = np.concatenate([_nearest(part, centres) for part in np.array_split(points, 40)])
            self.cluster_of[size] = np.full(len(frames_left), -1)
            self.cluster_of[size][starts] = nearest
            groups = [starts[nearest == number] for number in range(len(centres))]
            self.members[size] = groups

    def cost(self, costs: StateCosts, path: IntArray) -> int:
        """Return the cost in units of any `path` [frame], whether its cuts are listed or not."""
        at = cut_frames(path)
        jumps = cut_cost(self.features, path[at - 1] + 1, path[at], self.settings)
        return int(costs.along(path).sum() + jumps.sum())

    def run(self, costs: StateCosts, *, iterations: int, seed: int = 0) -> tuple[IntArray, list[int]]:
        """Return the best path [frame] and its cost in units after each iteration."""
        rng = np.random.default_rng(seed)
        best: tuple[int, IntArray] | None = None
        history = []
        for _ in range(iterations):
            path = self._moved(costs, self._once(costs, rng, best[1] if best else None))
            total = self.cost(costs, path)
            if best is None or total < best[0]:
                best = total, path
            history.append(best[0])
        assert best is not None
        return best[1], history

    def _once(self, costs: StateCosts, rng: np.random.Generator, pool: IntArray | None) -> IntArray:
        found: IntArray | None = None
        for size in SIZES:
            slots = -(-costs.frame_count // size)
            candidates = []
            for slot in range(slots):
                if found is None:
                    picked = [int(group[rng.integers(len(group))]) for group in self.members[size] if len(group)]
                else:
                    start = int(found[min(slot * size, len(found) - 1)])
                    number = int(self.cluster_of[size][start])
                    group = self.members[size][number] if number >= 0 else np.array([start])
                    few = group if len(group) <= MOST_CANDIDATES else rng.choice(group, MOST_CANDIDATES, replace=False)
                    picked = [*few.tolist(), start]
                if pool is not None:
                    picked.append(int(pool[min(slot * size, len(pool) - 1)]))
                able = np.unique(np.array(picked))
                able = able[self.left[able] >= size]
                candidates.append(able if len(able) else self.members[size][0][:1])
            found = self._level(costs, candidates, size)
        assert found is not None
        return found[: costs.frame_count]

    def _level(self, costs: StateCosts, candidates: list[IntArray], size: int) -> IntArray:
        """Return the cheapest row of blocks of `size` frames among `candidates` [slot][block], as states [frame]."""
        total = self._shown(costs, candidates[0], 0, size)
        back = []
        for slot in range(1, len(candidates)):
            old, new = candidates[slot - 1], candidates[slot]
            pairs = np.repeat(old + size, len(new)), np.tile(new, len(old))
            table = total[:, np.newaxis] + cut_cost(self.features, *pairs, self.settings).reshape(len(old), len(new))
            back.append(table.argmin(axis=0))
            total = table.min(axis=0) + self._shown(costs, new, slot, size)
        chosen = [int(total.argmin())]
        for pointers in reversed(back):
            chosen.append(int(pointers[chosen[-1]]))
        starts = [int(group[one]) for group, one in zip(candidates, reversed(chosen), strict=True)]
        return np.concatenate([start + np.arange(size) for start in starts])

    def _shown(self, costs: StateCosts, starts: IntArray, slot: int, size: int) -> IntArray:
        """Return the cost [block] of the frames of the blocks at `starts` [block]."""
        frames = range(slot * size, min((slot + 1) * size, costs.frame_count))
        return np.asarray(sum(costs.at(frame)[starts + frame - slot * size].astype(np.int64) for frame in frames))

    def _moved(self, costs: StateCosts, path: IntArray) -> IntArray:
        """Return `path` [frame] with each cut moved by up to three frames to where the motion costs least."""
        best, total = path, self.cost(costs, path)
        for cut in cut_frames(path).tolist():
            for shift in (-3, -2, -1, 1, 2, 3):
                other = best.copy()
                first, last = min(cut, cut + shift), max(cut, cut + shift)
                if first < 1 or last >= len(path):
                    continue
                if shift > 0:
                    other[cut:last] = best[cut - 1] + 1 + np.arange(shift)
                else:
                    other[first:cut] = best[cut] - np.arange(-shift, 0, -1)
                clips_hold = (other >= 0).all() and (self.left[other[:-1]] >= 1).all()
                if clips_hold and (value := self.cost(costs, other)) < total:
                    best, total = other, value
        return best


def _nearest(points: np.ndarray, centres: np.ndarray) -> IntArray:
    gaps = (points**2).sum(axis=1)[:, np.newaxis] - 2.0 * points @ centres.T + (centres**2).sum(axis=1)
    return np.asarray(gaps.argmin(axis=1))
