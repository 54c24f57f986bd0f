"""Piecewise constant values on boxes of the parameters, split where it matters (Lee's thesis, section 4.5).

A cell is a box of one clip's parameters. Splitting halves it along every axis, so a cell of level l is 2^-l as wide as
the coarsest ones, and cells are found level by level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.methods.thesis.problems import DISCOUNT, PART, Problem, Span, Values

TOLERANCE = 1e-3  # radians, of value iteration
SPLIT = 0.2  # share of the cells that a refinement splits
SAMPLES = 4  # states in each cell, at which outcomes are computed
ROUNDS = 300


class Cells(NamedTuple):
    """Boxes that cover the parameters of every clip once."""

    spans: tuple[Span, ...]
    coarse: IntArray  # [axis], cells of level 0 along each axis
    clip: IntArray  # [cell]
    level: IntArray  # [cell]
    place: IntArray  # [cell, axis], number of the box along each axis, at its level
    order: tuple[IntArray, ...]  # [level], cells of that level by rising key
    keys: tuple[IntArray, ...]  # [level], their keys

    @classmethod
    def of(cls, spans: tuple[Span, ...], coarse: IntArray, clip: IntArray, level: IntArray, place: IntArray) -> Cells:
        """Return these cells, ready to be searched."""
        order, keys = [], []
        for one in range(int(level.max()) + 1):
            rows = np.flatnonzero(level == one)
            key = _keys(coarse << one, clip[rows], place[rows])
            order.append(rows[np.argsort(key)])
            keys.append(np.sort(key))
        return cls(spans, coarse, clip, level, place, tuple(order), tuple(keys))

    @classmethod
    def uniform(cls, problem: Problem, counts: tuple[int, ...]) -> Cells:
        """Return equal cells, `counts` along each axis, for every clip of `problem`."""
        sides = np.meshgrid(np.arange(problem.steps.clip_count), *(np.arange(n) for n in counts), indexing="ij")
        clip, *place = (side.ravel() for side in sides)
        return cls.of(problem.spans, np.array(counts), clip, np.zeros(len(clip), np.int64), np.stack(place, axis=-1))

    @property
    def cell_count(self) -> int:
        """Number of cells."""
        return len(self.clip)

    def find(self, clips: IntArray, params: FloatArray) -> IntArray:
        """Return the cells [...] that hold `params` [..., axis] of `clips` [...]."""
        low, high = np.array([span[:2] for span in self.spans]).T
        shares = (params - low) / (high - low)
        found = np.full(clips.shape, -1)
        for level, keys in enumerate(self.keys):
            if not len(keys):
                continue
            counts = self.coarse << level
            place = np.clip((shares * counts).astype(np.int64), 0, counts - 1)
            key = _keys(counts, clips, place)
            at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            found = np.where(keys[at] == key, self.order[level][at], found)
        return found

    def split(self, chosen: IntArray) -> Cells:
        """Return the cells with each of the `chosen` [n] divided into 2^axis halves."""
        axis_count = len(self.spans)
        halves = np.array([[corner >> axis & 1 for axis in range(axis_count)] for corner in range(1 << axis_count)])
        stay = np.setdiff1d(np.arange(self.cell_count), chosen)
        new = np.repeat(chosen, len(halves))
        place = 2 * self.place[new] + np.tile(halves, (len(chosen), 1))
        return Cells.of(
            self.spans,
            self.coarse,
            np.concatenate([self.clip[stay], self.clip[new]]),
            np.concatenate([self.level[stay], self.level[new] + 1]),
            np.concatenate([self.place[stay], place]),
        )

    def samples(self) -> tuple[IntArray, FloatArray]:
        """Return the clips [cell * sample] and parameters [cell * sample, axis] of `SAMPLES` states of each cell.

        They are spread evenly: the same points of every cell, of a Kronecker sequence.
        """
        axis_count = len(self.spans)
        steps = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0, 11.0])[:axis_count])
        inside = (0.5 + np.arange(SAMPLES)[:, np.newaxis] * steps) % 1.0
        low, high = np.array([span[:2] for span in self.spans]).T
        size = (high - low) / (self.coarse << self.level[:, np.newaxis])  # [cell, axis]
        points = low + size[:, np.newaxis] * (self.place[:, np.newaxis] + inside)
        return np.repeat(self.clip, SAMPLES), points.reshape(-1, axis_count)


class CellValues(NamedTuple):
    """Values of cells, and what refinement needs to know about the policy."""

    cells: Cells
    values: FloatArray  # [cell], radians
    error: FloatArray  # [cell], mean square of the Bellman error (eq. 4.8)
    onward: Any  # sparse matrix [cell, cell], share of a cell's samples that the policy leads to each other cell

    def at(self) -> Values:
        """Return the values as a function of clips and parameters."""
        return lambda clips, params: np.asarray(self.values[self.cells.find(clips, params)])


def solve_cells(problem: Problem, cells: Cells) -> CellValues:
    """Return the values of `cells`: each is the mean over its samples of the best reward and what follows."""
    from scipy.sparse import csr_array

    clips, params = cells.samples()
    ways = _available(problem)  # [clip, way], so that nothing is computed for the others
    rewards = np.empty((len(clips), ways.shape[1]), np.float32)
    after = np.empty(rewards.shape, np.int32)
    for first in range(0, len(clips), PART):
        part = slice(first, first + PART)
        found, open_ = problem.outcomes(clips[part], params[part]), ways[clips[part]]
        rewards[part] = np.take_along_axis(found.rewards, open_, axis=1)
        outcome = np.take_along_axis(found.params, open_[..., np.newaxis], axis=1)
        after[part] = cells.find(problem.steps.clip[open_], outcome)
    values = np.zeros(cells.cell_count, np.float32)
    for _ in range(ROUNDS):
        scores = rewards + np.float32(DISCOUNT) * values[after]
        new = scores.max(axis=1).reshape(-1, SAMPLES).mean(axis=1)
        change = float(np.abs(new - values).max())
        values = new
        if change < TOLERANCE:
            break
    scores = rewards + np.float32(DISCOUNT) * values[after]
    best, rows = scores.argmax(axis=1), np.arange(len(clips))
    error = (scores[rows, best] - np.repeat(values, SAMPLES)).astype(np.float64) ** 2
    ends = np.arange(0, len(clips) + 1, SAMPLES)
    onward: Any = csr_array(
        (np.full(len(clips), 1.0 / SAMPLES), after[rows, best], ends), shape=(cells.cell_count,) * 2
    )
    return CellValues(cells, values.astype(np.float64), error.reshape(-1, SAMPLES).mean(axis=1), onward)


def _available(problem: Problem) -> IntArray:
    """Return the actions [clip, way] that may follow each clip; rows are filled up with their first one."""
    open_ = np.isfinite(problem.steps.cost)
    order = np.argsort(~open_, axis=1, kind="stable")[:, : int(open_.sum(axis=1).max())]
    return np.where(np.take_along_axis(open_, order, axis=1), order, order[:, :1])


def influence(solved: CellValues, starts: FloatArray) -> FloatArray:
    """Return the influence of each cell on the values at the start states `starts` [cell] (eq. 4.1)."""
    return _fixed_point(starts, DISCOUNT * solved.onward.T)


def deviation(solved: CellValues) -> FloatArray:
    """Return the standard deviation [cell] of the values in radians: errors of a cell and those after it (eq. 4.9)."""
    return np.sqrt(_fixed_point(solved.error, DISCOUNT**2 * solved.onward))


def _fixed_point(source: FloatArray, matrix: Any) -> FloatArray:
    """Return x = `source` + `matrix` x, for a matrix that shrinks."""
    total, part = source.copy(), source
    for _ in range(ROUNDS):
        part = matrix @ part
        total = total + part
        if float(np.abs(part).max()) < 1e-9 * max(float(np.abs(total).max()), 1e-300):
            break
    return np.asarray(total)


def refine(problem: Problem, solved: CellValues, *, share: float = SPLIT, seed: int = 0, count: int = 20_000) -> Cells:
    """Return the cells with the `share` of highest influence times deviation split (eq. 4.10).

    Influence counts from `count` random starts of the problem.
    """
    rng = np.random.default_rng(seed)
    clips, params = rng.integers(0, problem.steps.clip_count, count), problem.starts(count, rng)
    starts = np.bincount(solved.cells.find(clips, params), minlength=solved.cells.cell_count) / count
    score = influence(solved, starts) * deviation(solved)
    most = max(1, round(share * solved.cells.cell_count))
    return solved.cells.split(np.sort(np.argsort(-score, kind="stable")[:most]))


def _keys(counts: IntArray, clips: IntArray, place: IntArray) -> IntArray:
    """Return one number [...] for each clip [...] and box `place` [..., axis] of `counts` [axis] along each axis."""
    key = np.asarray(clips, dtype=np.int64)
    for axis, count in enumerate(counts.tolist()):
        key = key * count + place[..., axis]
    return key
