"""Growing trees: equal to a plain twin, refined only where it pays, and refused with wrong arguments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionfields.authoring.worlds.trees import LearningSettings, learn_steering
from motionfields.authoring.worlds.trees.forest import LEAF, Forest
from motionfields.authoring.worlds.trees.growing import ENOUGH, Cells, grow_forest
from motionfields.authoring.worlds.trees.learning import scan_cells
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.world import DepthScan, Nearest
from motionfields.base.world.sensors import pyramid
from tests.authoring.worlds.conftest import trained

RAYS = 8
FIRST = 2  # features before the pyramid
Node = tuple[int, float, FloatArray]


class PlainTree:
    """Algorithm 2 of the thesis, written as it is printed; nodes in the order parent, left, right."""

    def __init__(self, features: FloatArray, targets: FloatArray, cells: Cells, leaf: int, draws: FloatArray) -> None:
        self.features, self.targets, self.cells, self.leaf, self.draws = features, targets, cells, leaf, draws
        self.nodes: list[Node] = []

    def split(self, rows: IntArray, use: frozenset[int]) -> None:
        node, here = len(self.nodes), self.targets[rows]
        self.nodes.append((LEAF, 0.0, here.mean(axis=0)))
        spread = float(((here - here.mean(axis=0)) ** 2).sum())
        if len(rows) < 2 * self.leaf or spread < 1e-9:
            return
        feature, cut, gain = self.best(rows, use, node, spread)
        if gain < ENOUGH:
            finer = {int(half) for cell in use for half in self.cells.finer[cell] if half >= 0}
            half, half_cut, half_gain = self.best(rows, frozenset(finer), node, spread)
            if half_gain > gain:
                coarse = next(cell for cell in use if half in self.cells.finer[cell])
                use = (use - {coarse}) | {int(one) for one in self.cells.finer[coarse]}
                feature, cut, gain = half, half_cut, half_gain
        if gain <= 0.0:
            return
        self.nodes[node] = (feature, cut, self.nodes[node][2])
        below = self.features[rows, feature] <= cut
        self.split(rows[below], use)
        self.split(rows[~below], use)

    def best(self, rows: IntArray, use: frozenset[int], node: int, spread: float) -> tuple[int, float, float]:
        found = (LEAF, 0.0, 0.0)
        for feature in sorted(use):
            column = self.features[rows, feature]
            low, high = column.min(), column.max()
            cut = np.float32(low + self.draws[node, feature] * (high - low))
            below = column <= (low if cut >= high else cut)
            if min(below.sum(), (~below).sum()) < self.leaf:
                continue
            parts = [self.targets[rows[side]] for side in (below, ~below)]
            left = sum(float(((part - part.mean(axis=0)) ** 2).sum()) for part in parts)
            if 1.0 - left / spread > found[2]:
                found = (feature, float(low if cut >= high else cut), 1.0 - left / spread)
        return found


def scans(rng: np.random.Generator, count: int) -> FloatArray:
    """Two numbers, and scans with their pyramid."""
    depth = rng.uniform(0.0, 6.0, (count, RAYS))
    return np.column_stack([rng.normal(size=(count, FIRST)), pyramid(depth)]).astype(np.float32)


def refined(coarsest: int, finest: int) -> Cells:
    return Cells.of_pyramid(FIRST + 2 * RAYS - 1, FIRST, RAYS, coarsest, finest)


def used(forest: Forest) -> set[int]:
    return set(forest.feature[forest.feature != LEAF].tolist())


@pytest.mark.parametrize("cells", [Cells.every(FIRST + 2 * RAYS - 1), refined(1, RAYS), refined(2, 4), refined(4, 4)])
def test_trees_equal_their_plain_twin(cells: Cells, rng: np.random.Generator) -> None:
    features = scans(rng, 200)
    targets = np.column_stack([features[:, FIRST + 3] < 2.0, features[:, FIRST + RAYS] * features[:, 0]]).astype(float)
    forest = grow_forest(features, targets, trees=1, leaf=3, share=1.0, seed=5, cells=cells)
    most = 2 * (200 // 3) + 1
    draws = np.random.default_rng(5).random((most, features.shape[1]), np.float32)
    twin = PlainTree(features, targets, cells, 3, draws)
    twin.split(np.arange(200), frozenset(np.flatnonzero(cells.first).tolist()))
    assert forest.feature.tolist() == [node[0] for node in twin.nodes]
    assert forest.threshold.tolist() == [pytest.approx(node[1]) for node in twin.nodes]
    assert forest.values == pytest.approx(np.stack([node[2] for node in twin.nodes]), abs=1e-5)


def test_cells_of_a_pyramid_are_halved_from_the_coarsest_to_the_finest() -> None:
    cells = refined(2, 8)
    level = {8: FIRST, 4: FIRST + 8, 2: FIRST + 12, 1: FIRST + 14}
    assert np.flatnonzero(cells.first).tolist() == [0, 1, level[2], level[2] + 1]
    assert cells.finer[level[2] + 1].tolist() == [level[4] + 2, level[4] + 3]
    assert cells.finer[level[4] + 3].tolist() == [level[8] + 6, level[8] + 7]
    assert (cells.finer[FIRST : FIRST + 8] == -1).all()
    assert (cells.finer[level[1]] == -1).all()  # coarser than the coarsest
    depth = np.random.default_rng(0).uniform(size=RAYS)
    row = np.concatenate([np.zeros(FIRST), pyramid(depth)])
    for cell, halves in enumerate(cells.finer):
        if halves[0] >= 0:
            assert row[cell] == row[halves].min()
    assert not (refined(4, 4).finer >= 0).any()


def test_scans_are_refined_only_where_it_pays(rng: np.random.Generator) -> None:
    features = scans(rng, 2000)
    coarse = features[:, FIRST + 14] < 1.0  # anything near, in any direction
    fine = features[:, FIRST + 3] < 3.0  # the fourth ray alone

    def nodes(targets: BoolArray, cells: Cells) -> Forest:
        wanted = targets[:, np.newaxis].astype(float)
        return grow_forest(features, wanted, trees=5, leaf=5, share=1.0, seed=1, cells=cells)

    ray = nodes(fine, refined(1, 8))
    assert FIRST + 3 in used(ray)  # found through four levels
    by_ray = [int((ray.feature == FIRST + k).sum()) for k in range(RAYS)]
    assert by_ray[3] == max(by_ray)
    whole, leaves = nodes(coarse, refined(1, 8)), nodes(coarse, refined(8, 8))
    assert len(whole.feature) < 0.5 * len(leaves.feature)  # rays alone need many more splits
    assert used(nodes(fine, refined(2, 4))) <= set(range(FIRST)) | set(range(FIRST + 8, FIRST + 14))


def test_leaves_are_large_enough_and_few_candidates_still_split(rng: np.random.Generator) -> None:
    features = scans(rng, 300)
    targets = features[:, :1] > 0.0
    forest = grow_forest(features, targets.astype(float), trees=3, leaf=7, share=0.01, seed=0)
    leaves = forest.leaves(features)
    assert min(np.unique(leaves[:, tree], return_counts=True)[1].min() for tree in range(3)) >= 7
    assert len(forest.feature) > 50
    flat = grow_forest(features, np.ones((300, 2)), trees=1, leaf=1, share=1.0, seed=0)
    assert len(flat.feature) == 1  # nothing to explain
    other = grow_forest(features, targets.astype(float), trees=3, leaf=7, share=0.01, seed=1)
    assert not np.array_equal(other.threshold, forest.threshold)


def test_trees_explain_as_much_as_those_of_another_library(rng: np.random.Generator) -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    features, fresh = scans(rng, 1500), scans(rng, 1500)

    def wanted(rows: FloatArray) -> FloatArray:
        return np.column_stack([rows[:, FIRST + 8] < 1.5, np.minimum(rows[:, FIRST + 1], 3.0) * rows[:, 0]])

    forest = grow_forest(features, wanted(features), trees=10, leaf=4, share=0.5, seed=0)
    model = ensemble.ExtraTreesRegressor(10, min_samples_leaf=4, max_features=0.5, random_state=0)
    theirs = model.fit(features, wanted(features)).predict(fresh)
    errors = [np.square(one - wanted(fresh)).mean() for one in (forest.action_values(forest.leaves(fresh)), theirs)]
    assert errors[0] == pytest.approx(errors[1], rel=0.15)


def test_separate_trees_value_one_action_each(rng: np.random.Generator) -> None:
    features = scans(rng, 300)
    targets = np.column_stack([features[:, 0], features[:, 1] > 0.0, features[:, FIRST]]).astype(float)
    forest = grow_forest(features, targets, trees=2, leaf=5, share=1.0, seed=3, separate=True)
    assert len(forest.roots) == 6
    leaves = forest.leaves(features)
    again = forest.with_means(leaves, targets, separate=True)
    assert again.values[leaves] == pytest.approx(forest.values[leaves], abs=1e-4)  # as they were grown
    found = again.action_values(leaves)
    for action in range(3):
        trees = [2 * action, 2 * action + 1]
        means = [targets[leaves[:, tree] == leaves[7, tree], action].mean() for tree in trees]
        assert found[7, action] == pytest.approx(np.mean(means), abs=1e-4)
    assert np.abs(found - targets).mean() < 0.3
    with pytest.raises(ValueError, match="actions"):
        forest.with_means(leaves[:, :5], targets, separate=True)


def test_wrong_arguments_are_refused(rng: np.random.Generator) -> None:
    features = scans(rng, 20)
    with pytest.raises(ValueError, match="row for each"):
        grow_forest(features, np.zeros((19, 1)), trees=1, leaf=1, share=1.0, seed=0)
    with pytest.raises(ValueError, match="finite"):
        grow_forest(features, np.full((20, 1), np.nan), trees=1, leaf=1, share=1.0, seed=0)
    with pytest.raises(ValueError, match="cells"):
        grow_forest(features, np.zeros((20, 1)), trees=1, leaf=1, share=1.0, seed=0, cells=Cells.every(3))
    forest = grow_forest(features, features[:, :1], trees=2, leaf=1, share=1.0, seed=0)
    with pytest.raises(ValueError, match="features"):
        forest.leaves(features[:, :1])
    leaves = forest.leaves(features)
    for wrong in (leaves[0], leaves + 1000, leaves - 1000):
        with pytest.raises(ValueError, match="leaves"):
            forest.action_values(wrong)
        with pytest.raises(ValueError, match="leaves"):
            forest.best_values(wrong)
    with pytest.raises(ValueError, match="targets"):
        forest.with_means(leaves, np.zeros((20, 2)))
    assert np.array_equal(forest.best_values(leaves), forest.action_values(leaves).max(axis=1))
    for sensor, levels in ((Nearest(4), (1, 2)), (DepthScan(8, pyramid=False), (1, 2)), (DepthScan(8), (4, 2))):
        with pytest.raises(ValueError, match="levels"):
            scan_cells(sensor, levels)
    with pytest.raises(ValueError, match="levels"):
        scan_cells(DepthScan(8), (3, 8))


def test_refined_steering_is_learnt_and_uses_its_levels_alone() -> None:
    small = LearningSettings(rounds=2, states=120, worlds=25, trees=3, sweeps=5)
    trees = learn_steering(*trained(), DepthScan(8), levels=(2, 4), settings=small, seed=1)
    again = learn_steering(*trained(), DepthScan(8), levels=(2, 4), settings=small, seed=1)
    assert np.array_equal(trees.forest.values, again.forest.values)
    pyramid_of = set(range(9, 9 + 15))
    assert used(trees.forest) & pyramid_of <= set(range(9 + 8, 9 + 14))
    assert replace(trees).feature_count == 9 + 15 + 8
