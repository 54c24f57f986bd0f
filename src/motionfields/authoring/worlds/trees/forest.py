"""Forests of regression trees as arrays: one value for each action at every leaf, evaluated by compiled loops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.checks import check_array
from motionfields.base.compiled import kernel, lean_kernel

LEAF: Final = -1  # feature of a leaf


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees of one forest, node after node; children come after their parents.

    A character with the features x goes from a node to `left` if x[`feature`] <= `threshold`, and to `right` otherwise,
    until a leaf. The value of an action is the mean over all trees.
    """

    feature: IntArray  # [node], int32, `LEAF` at leaves
    threshold: FloatArray  # [node], float32
    left: IntArray  # [node], int32; a leaf is its own child
    right: IntArray  # [node], int32
    roots: IntArray  # [tree], int32
    values: FloatArray  # [node, action], float32

    def __post_init__(self) -> None:
        count = len(self.feature)
        for name, dtype in (("feature", np.int32), ("threshold", np.float32), ("left", np.int32), ("right", np.int32)):
            check_array(name, getattr(self, name), dtype, (count,))
        check_array("roots", self.roots, np.int32, (None,))
        check_array("values", self.values, np.float32, (count, None))
        leaf, every = self.feature == LEAF, np.arange(count)
        if not len(self.roots) or not ((self.roots >= 0) & (self.roots < count)).all():
            raise ValueError("roots: expected at least one node of the forest")
        if (self.feature < LEAF).any() or not np.isfinite(self.threshold).all() or not np.isfinite(self.values).all():
            raise ValueError("feature, threshold, values: expected features from 0 and finite numbers")
        for child in (self.left, self.right):
            inner = (child > every) & (child < count)
            if not np.where(leaf, child == every, inner).all():
                raise ValueError("left, right: expected children after their parents")
        for name in ("feature", "threshold", "left", "right", "roots", "values"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def feature_count(self) -> int:
        """Number of features that the trees use at least."""
        return int(self.feature.max(initial=LEAF)) + 1

    def leaves(self, features: FloatArray) -> IntArray:
        """Return the leaf [n, tree], int32, of each row of `features` [n, feature] in each tree."""
        rows = np.ascontiguousarray(features, dtype=np.float32)
        if rows.ndim != 2 or rows.shape[1] < self.feature_count:
            raise ValueError(f"features: expected [n, {self.feature_count}] or more, got shape {rows.shape}")
        out = np.empty((len(rows), len(self.roots)), np.int32)
        _find_leaves(self.feature, self.threshold, self.left, self.right, self.roots, rows, out)
        return out

    def action_values(self, leaves: IntArray) -> FloatArray:
        """Return the value [n, action] of each action at `leaves` [n, tree]; sums run in the order of the trees."""
        out = np.empty((len(leaves), self.values.shape[1]), np.float32)
        self._check_leaves(leaves)
        _add_values(self.values, leaves, out)
        return out

    def best_values(self, leaves: IntArray) -> FloatArray:
        """Return the value [n] of the best action at `leaves` [n, tree], without a table of all actions."""
        out = np.empty(len(leaves), np.float32)
        self._check_leaves(leaves)
        _find_best(self.values, leaves, np.empty(self.values.shape[1], np.float32), out)
        return out

    def with_means(self, leaves: IntArray, targets: FloatArray, *, separate: bool = False) -> Forest:
        """Return the forest with the mean of `targets` [n, action] at every leaf of `leaves` [n, tree].

        With `separate`, each tree serves one action: its leaves hold the mean times the number of actions there, and 0
        for the others, so that the mean over all trees is the value.
        """
        self._check_leaves(leaves)
        wanted, values = (len(leaves), self.values.shape[1]), np.zeros_like(self.values, dtype=np.float64)
        if separate and leaves.shape[1] % wanted[1]:
            raise ValueError(f"leaves: expected as many trees for each of {wanted[1]} actions, got {leaves.shape[1]}")
        if np.shape(targets) != wanted:
            raise ValueError(f"targets: expected shape {wanted}, got {np.shape(targets)}")
        sums, per = np.ascontiguousarray(targets, dtype=np.float64), leaves.shape[1] // wanted[1] if separate else 0
        _add_targets(leaves, sums, per, values, np.zeros(len(values), np.int64))
        return replace(self, values=np.asarray(values, dtype=np.float32))

    def _check_leaves(self, leaves: IntArray) -> None:
        shape = np.shape(leaves)
        if len(shape) != 2 or shape[1] == 0:
            raise ValueError(f"leaves: expected [n, tree], got shape {shape}")
        if leaves.size and not (leaves.min() >= 0 and leaves.max() < len(self.values)):
            raise ValueError(f"leaves: expected nodes from 0 to {len(self.values) - 1}")


@kernel
def _find_leaves(
    feature: IntArray,
    threshold: FloatArray,
    left: IntArray,
    right: IntArray,
    roots: IntArray,
    rows: FloatArray,
    out: IntArray,
) -> None:
    for i in range(len(rows)):
        for tree in range(len(roots)):
            node = roots[tree]
            while feature[node] >= 0:
                node = left[node] if rows[i, feature[node]] <= threshold[node] else right[node]
            out[i, tree] = node


@lean_kernel
def _add_up(values: FloatArray, leaves: IntArray, total: FloatArray) -> None:
    """Fill `total` [action] with the sums of `values` [node, action] at `leaves` [tree]."""
    total[:] = 0.0
    for leaf in leaves:
        for action in range(values.shape[1]):
            total[action] += values[leaf, action]


@kernel
def _add_values(values: FloatArray, leaves: IntArray, out: FloatArray) -> None:
    trees = np.float32(leaves.shape[1])
    for i in range(len(leaves)):
        _add_up(values, leaves[i], out[i])
        for action in range(values.shape[1]):
            out[i, action] /= trees


@kernel
def _find_best(values: FloatArray, leaves: IntArray, total: FloatArray, out: FloatArray) -> None:
    trees = np.float32(leaves.shape[1])
    for i in range(len(leaves)):
        _add_up(values, leaves[i], total)
        out[i] = total.max() / trees


@kernel
def _add_targets(leaves: IntArray, targets: FloatArray, per: int, values: FloatArray, counts: IntArray) -> None:
    actions = targets.shape[1]
    for i in range(len(leaves)):
        for tree in range(leaves.shape[1]):
            leaf = leaves[i, tree]
            counts[leaf] += 1
            if per > 0:
                values[leaf, tree // per] += targets[i, tree // per] * actions
            else:
                for action in range(actions):
                    values[leaf, action] += targets[i, action]
    for node in range(len(values)):
        if counts[node] > 1:
            for action in range(values.shape[1]):
                values[node, action] /= counts[node]
