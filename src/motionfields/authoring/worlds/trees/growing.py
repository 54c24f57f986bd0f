"""Growing extremely randomised trees, whose view of a depth scan may become finer along each branch.

Geurts et al. 2006: a split tries one random cut of each candidate feature and takes the one that reduces the variance
of the targets most. With `Cells`, the candidates of a node depend on its branch: algorithm 2 of the thesis of Wan-Yen
Lo starts with a coarse scan, and replaces a cell by its two halves where a cut of a half reduces the variance more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from motionfields.authoring.worlds.trees.forest import LEAF, Forest
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel

NONE: Final = -1  # a cell that cannot become finer
ENOUGH: Final = 0.5  # share of the variance: a cut that explains this much needs no finer cells (thesis: epsilon_s)


@dataclass(frozen=True, eq=False)
class Cells:
    """Features that trees may use: those of `first` at the root, and finer ones where they pay."""

    first: BoolArray  # [feature], candidates at the root
    finer: IntArray  # [feature, 2], int64, the halves of a cell, or `NONE`

    @classmethod
    def every(cls, count: int) -> Cells:
        """Return cells for `count` features that are candidates at every split."""
        return cls(np.ones(count, np.bool_), np.full((count, 2), NONE))

    @classmethod
    def of_pyramid(cls, count: int, offset: int, rays: int, coarsest: int, finest: int) -> Cells:
        """Return cells for `count` features with a pyramid of `rays` depths, finest first, from feature `offset` on.

        Trees begin with `coarsest` cells and refine them up to `finest`; resolutions outside of these are not used.
        """
        cells = cls.every(count)
        cells.first[offset : offset + 2 * rays - 1] = False
        level, begin = rays, offset
        while level >= coarsest:
            if level < rays and level < finest:
                halves = begin - 2 * level + np.arange(2 * level).reshape(level, 2)
                cells.finer[begin : begin + level] = halves
            if level == coarsest:
                cells.first[begin : begin + level] = True
            begin, level = begin + level, level // 2
        return cells


def grow_forest(
    features: FloatArray,
    targets: FloatArray,
    *,
    trees: int,
    leaf: int,
    share: float,
    seed: int,
    cells: Cells | None = None,
    separate: bool = False,
) -> Forest:
    """Return a forest of extremely randomised trees for `targets` [n, action] at `features` [n, feature].

    A leaf has at least `leaf` rows. Each split tries a random cut of every candidate with the chance `share`, and of
    all of them if none of these can be cut. Without `cells`, all features are candidates. With `separate`, each action
    has `trees` trees of its own, as in the thesis; they come action after action (see `Forest.with_means`).
    """
    columns = np.ascontiguousarray(np.asarray(features, dtype=np.float32).T)
    wanted = np.ascontiguousarray(targets, dtype=np.float64)
    if columns.ndim != 2 or wanted.ndim != 2 or len(wanted) != columns.shape[1] or not len(wanted):
        raise ValueError(f"targets: expected a row for each of the features, got shapes {wanted.shape}")
    if not (np.isfinite(columns).all() and np.isfinite(wanted).all()):
        raise ValueError("features, targets: expected finite numbers")
    use = Cells.every(len(columns)) if cells is None else cells
    if use.first.shape != (len(columns),) or use.finer.shape != (len(columns), 2) or use.finer.max() >= len(columns):
        raise ValueError(f"cells: expected those of {len(columns)} features, got {len(use.first)}")
    most = 2 * (len(wanted) // leaf) + 1
    parts, roots, base, rng = [], [], 0, np.random.default_rng(seed)
    actions = wanted.shape[1]
    for number in range(trees * actions if separate else trees):
        own = slice(number // trees, number // trees + 1) if separate else slice(None)
        aim = np.ascontiguousarray(wanted[:, own])
        cuts, tried = rng.random((most, len(columns)), np.float32), rng.random((most, len(columns)), np.float32) < share
        feature, threshold = np.full(most, LEAF, np.int32), np.zeros(most, np.float32)
        left, right = np.zeros(most, np.int32), np.zeros(most, np.int32)
        values, all_values = np.zeros((most, aim.shape[1])), np.zeros((most, actions))
        count = grow_tree(
            columns, aim, use.first, use.finer, leaf, cuts, tried, feature, threshold, left, right, values
        )
        all_values[:, own] = values * (actions if separate else 1)
        values = all_values
        parts.append((feature[:count], threshold[:count], left[:count] + base, right[:count] + base, values[:count]))
        roots.append(base)
        base += count
    feature, threshold, left, right, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    as_number = (left.astype(np.int32), right.astype(np.int32), np.array(roots, np.int32))
    return Forest(feature, threshold, *as_number, values.astype(np.float32))


@kernel
def grow_tree(
    columns: FloatArray,
    targets: FloatArray,
    first: BoolArray,
    finer: IntArray,
    leaf: int,
    cuts: FloatArray,
    tried: BoolArray,
    feature: IntArray,
    threshold: FloatArray,
    left: IntArray,
    right: IntArray,
    values: FloatArray,
) -> int:
    """Fill the nodes of one tree for `targets` [n, action] at `columns` [feature, n], and return their number.

    Nodes are numbered in the order parent, left branch, right branch. `cuts` [node, feature] places the cut of each
    feature between its least and greatest number, `tried` [node, feature] says which cuts are looked at first.
    """
    count, actions = targets.shape
    order, spare = np.arange(count), np.empty(count, np.int64)
    depth = len(feature) // 2 + 2
    span, parent = np.empty((depth, 2), np.int64), np.empty(depth, np.int64)  # of branches that wait to be grown
    use = np.empty((depth, len(columns)), np.bool_)
    span[0, 0], span[0, 1], parent[0] = 0, count, -1
    use[0] = first
    waiting, nodes = 1, 0
    mean, sums = np.empty(actions), np.empty(actions)
    candidates, halves = np.empty(len(columns), np.bool_), np.empty(len(columns), np.bool_)
    while waiting > 0:
        waiting -= 1
        begin, end, node = span[waiting, 0], span[waiting, 1], nodes
        nodes += 1
        above = parent[waiting]
        if above >= 0:
            if left[above] == above:
                left[above] = node
            else:
                right[above] = node
        left[node] = right[node] = node
        rows = order[begin:end]
        spread = _spread(targets, rows, mean)
        values[node] = mean
        if end - begin < 2 * leaf or spread <= 1e-12 * (end - begin):
            continue
        candidates[:] = use[waiting]
        best, cut, gain = _best_cut(columns, targets, rows, mean, candidates, cuts[node], tried[node], leaf, sums)
        if gain < ENOUGH * spread:
            halves[:] = False
            for k in range(len(columns)):
                if candidates[k] and finer[k, 0] >= 0:
                    halves[finer[k, 0]] = halves[finer[k, 1]] = True
            half, half_cut, half_gain = _best_cut(
                columns, targets, rows, mean, halves, cuts[node], tried[node], leaf, sums
            )
            if half_gain > gain:
                best, cut, gain = half, half_cut, half_gain
                for k in range(len(columns)):
                    if candidates[k] and (finer[k, 0] == half or finer[k, 1] == half):
                        candidates[k] = False
                        candidates[finer[k, 0]] = candidates[finer[k, 1]] = True
                        break
        if gain <= 0.0:
            continue
        middle = begin + _divide(columns[best], rows, cut, spare)
        feature[node], threshold[node] = best, cut
        for side in range(2):  # the left branch waits on top
            span[waiting, 0], span[waiting, 1] = (middle, end) if side == 0 else (begin, middle)
            parent[waiting] = node
            use[waiting] = candidates
            waiting += 1
    return nodes


@lean_kernel
def _spread(targets: FloatArray, rows: IntArray, mean: FloatArray) -> float:
    """Fill the `mean` [action] of `targets` at `rows`, and return the sum of their squared distances to it."""
    mean[:] = 0.0
    for row in rows:
        for action in range(len(mean)):
            mean[action] += targets[row, action]
    for action in range(len(mean)):
        mean[action] /= len(rows)
    spread = 0.0
    for row in rows:
        for action in range(len(mean)):
            spread += (targets[row, action] - mean[action]) ** 2
    return spread


@lean_kernel
def _best_cut(
    columns: FloatArray,
    targets: FloatArray,
    rows: IntArray,
    mean: FloatArray,
    candidates: BoolArray,
    cuts: FloatArray,
    tried: BoolArray,
    leaf: int,
    sums: FloatArray,
) -> tuple[int, np.float32, float]:
    """Return the feature, cut and gain of the best cut: by how much it reduces the `_spread`; 0 if there is none."""
    best, best_cut, best_gain = -1, np.float32(0.0), 0.0
    for again in range(2):
        for k in range(len(columns)):
            if candidates[k] and tried[k] != (again == 1):
                cut, gain = _cut_gain(columns[k], targets, rows, mean, cuts[k], leaf, sums)
                if gain > best_gain:
                    best, best_cut, best_gain = k, cut, gain
        if best >= 0:
            break
    return best, best_cut, best_gain


@lean_kernel
def _cut_gain(
    column: FloatArray, targets: FloatArray, rows: IntArray, mean: FloatArray, place: float, leaf: int, sums: FloatArray
) -> tuple[np.float32, float]:
    """Return a cut at the share `place` between the least and greatest of `column` at `rows`, and its gain."""
    low = high = column[rows[0]]
    for row in rows:
        low, high = min(low, column[row]), max(high, column[row])
    cut = np.float32(low + place * (high - low))  # as thresholds are stored
    if cut >= high:
        cut = low
    below = 0
    for row in rows:
        below += column[row] <= cut
    if below < leaf or len(rows) - below < leaf:
        return cut, 0.0
    sums[:] = 0.0
    for row in rows:
        if column[row] <= cut:
            for action in range(len(sums)):
                sums[action] += targets[row, action]
    gain = 0.0
    for action in range(len(sums)):
        gain += (sums[action] - below * mean[action]) ** 2
    return cut, gain * (1.0 / below + 1.0 / (len(rows) - below))


@lean_kernel
def _divide(column: FloatArray, rows: IntArray, cut: np.float32, spare: IntArray) -> int:
    """Sort `rows` in place such that those up to `cut` come first, and return their number."""
    below = 0
    above = 0
    for row in rows:
        if column[row] <= cut:
            rows[below] = row
            below += 1
        else:
            spare[above] = row
            above += 1
    for k in range(above):
        rows[below + k] = spare[k]
    return below
