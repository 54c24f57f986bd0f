"""Forests of regression trees as arrays: one value for each action at every leaf, evaluated with numpy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.checks import check_array
from motionfields.base.errors import MissingExtraError

LEAF: Final = -1  # feature of a leaf
DEEPEST: Final = 10_000  # levels of a tree


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
        """Return the leaf [n, tree] of each row of `features` [n, feature] in each tree."""
        rows = np.arange(len(features))[:, np.newaxis]
        features = np.asarray(features, dtype=np.float32)
        node = np.broadcast_to(self.roots, (len(features), len(self.roots)))
        for _ in range(DEEPEST):
            chosen = self.feature[node]
            if (chosen == LEAF).all():
                break
            less = features[rows, np.maximum(chosen, 0)] <= self.threshold[node]
            node = np.where(less, self.left[node], self.right[node])
        return np.asarray(node)

    def action_values(self, leaves: IntArray) -> FloatArray:
        """Return the value [n, action] of each action at `leaves` [n, tree]; sums run in the order of the trees."""
        total = np.zeros((len(leaves), self.values.shape[1]), np.float32)
        for tree in range(leaves.shape[1]):
            total += self.values[leaves[:, tree]]
        return total / np.float32(leaves.shape[1])

    def with_means(self, leaves: IntArray, targets: FloatArray) -> Forest:
        """Return the forest with the mean of `targets` [n, action] at every leaf of `leaves` [n, tree]."""
        values = np.zeros_like(self.values, dtype=np.float64)
        for tree in range(leaves.shape[1]):
            counts = np.maximum(np.bincount(leaves[:, tree], minlength=len(values)), 1)
            for action in range(values.shape[1]):
                sums = np.bincount(leaves[:, tree], weights=targets[:, action], minlength=len(values))
                values[:, action] += sums / counts
        return replace(self, values=np.asarray(values, dtype=np.float32))


def grow_forest(features: FloatArray, targets: FloatArray, *, trees: int, leaf: int, share: float, seed: int) -> Forest:
    """Return a forest of extremely randomised trees for `targets` [n, action] at `features` [n, feature].

    A leaf has at least `leaf` rows; each split looks at a `share` of the features, with one random cut each. Needs the
    extra `learn`.
    """
    model = _extra_trees()(
        trees, min_samples_leaf=leaf, max_features=share, random_state=seed, n_jobs=1, bootstrap=False
    )
    model.fit(np.asarray(features, dtype=np.float32), targets)
    parts: dict[str, list[Any]] = {name: [] for name in ("feature", "threshold", "left", "right", "values")}
    roots, base = [], 0
    for one in model.estimators_:
        tree = one.tree_
        inner, every = tree.children_left >= 0, base + np.arange(tree.node_count)
        roots.append(base)
        parts["feature"].append(np.where(inner, tree.feature, LEAF))
        parts["threshold"].append(np.where(inner, tree.threshold, 0.0))
        parts["left"].append(np.where(inner, tree.children_left + base, every))
        parts["right"].append(np.where(inner, tree.children_right + base, every))
        parts["values"].append(tree.value[..., 0])
        base += tree.node_count
    whole = {name: np.concatenate(part) for name, part in parts.items()}
    return Forest(
        whole["feature"].astype(np.int32),
        whole["threshold"].astype(np.float32),
        whole["left"].astype(np.int32),
        whole["right"].astype(np.int32),
        np.array(roots, np.int32),
        whole["values"].astype(np.float32),
    )


def _extra_trees() -> Any:
    try:
        from sklearn.ensemble import ExtraTreesRegressor
    except ModuleNotFoundError as error:
        if error.name != "sklearn":
            raise
        raise MissingExtraError("scikit-learn", extra="learn") from None
    return ExtraTreesRegressor
