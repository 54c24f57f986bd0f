"""Value functions of a `HeadingTask`: a dense grid, polynomials by linear programming, and fitted trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from motionfields.authoring.groups.heading import HeadingTask, no_values
from motionfields.authoring.worlds.trees.forest import Forest
from motionfields.authoring.worlds.trees.growing import grow_forest
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import check_fields, checked_count

LEAVES: Final = (1, 2, 4, 8, 16, 32)  # least numbers of samples at a leaf among which pruning chooses
MOST_COEFFICIENT: Final = 1e6  # degrees; keeps a program bounded that has few transitions
SLACK: Final = 1e-4  # degrees by which a transition may violate a program that counts as solved


class Fit(NamedTuple):
    """Ending of a fit: iterations and whether the last one changed nothing."""

    rounds: int
    converged: bool


@dataclass(frozen=True, eq=False)
class GridValues:
    """Values at equally spaced angles, interpolated linearly."""

    table: FloatArray  # [group, angle], degrees

    def __call__(self, group: IntArray, theta: FloatArray) -> FloatArray:
        """Return the value [n] at `group` [n] and `theta` [n]."""
        count = self.table.shape[1]
        place = (np.asarray(theta) / (2.0 * np.pi) * count) % count
        first = np.minimum(place.astype(np.int64), count - 1)
        share = place - first
        return np.asarray((1.0 - share) * self.table[group, first] + share * self.table[group, (first + 1) % count])

    @property
    def size(self) -> int:
        """Bytes of the stored numbers."""
        return int(self.table.nbytes)


def solve_grid(
    task: HeadingTask, *, angles: int = 720, tolerance: float = 0.01, most: int = 500
) -> tuple[GridValues, Fit]:
    """Return values at `angles` angles by value iteration, until none changes by more than `tolerance` degrees."""
    checked_count("angles", angles, 4, 100_000)
    checked_count("most", most, 1)
    group = np.repeat(np.arange(task.group_count), angles)
    theta = np.tile(2.0 * np.pi * np.arange(angles) / angles, task.group_count)
    values = GridValues(np.zeros((task.group_count, angles)))
    for number in range(1, most + 1):
        better = task.choose(group, theta, values).value.reshape(values.table.shape)
        change = float(np.abs(better - values.table).max())
        values = GridValues(better)
        if change <= tolerance:
            return values, Fit(number, True)
    return values, Fit(most, False)


@dataclass(frozen=True, eq=False)
class PolynomialValues:
    """A polynomial of theta / pi for each group (eq. 4.25)."""

    coefficients: FloatArray  # [group, power], degrees

    def __call__(self, group: IntArray, theta: FloatArray) -> FloatArray:
        """Return the value [n] at `group` [n] and `theta` [n]."""
        return np.asarray((self.coefficients[group] * powers(theta, self.coefficients.shape[1] - 1)).sum(axis=1))

    @property
    def size(self) -> int:
        """Bytes of the stored numbers."""
        return int(self.coefficients.nbytes)


def powers(theta: FloatArray, degree: int) -> FloatArray:
    """Return the powers [n, `degree` + 1] of theta / pi at `theta` [n]."""
    return np.asarray((np.asarray(theta) / np.pi)[:, np.newaxis] ** np.arange(degree + 1))


def fit_polynomials(
    task: HeadingTask, group: IntArray, theta: FloatArray, *, degree: int = 2, most: int = 40
) -> tuple[PolynomialValues, Fit]:
    """Return polynomials by the linear program of Treuille et al. 2007, for the states `group` [n] and `theta` [n].

    The sum of the values at the states is minimised such that V(s) >= R(s, a) + discount V(s') for a set of
    transitions. Each round adds the best transition of every state by the current values where it violates that; the
    fit converges when there is none. (In the thesis, values are costs, so that it maximises.)
    """
    checked_count("degree", degree, 0, 20)
    checked_count("most", most, 1)
    basis, width = powers(theta, degree), degree + 1
    here = group[:, np.newaxis] * width + np.arange(width)  # columns of the unknowns
    aim = np.zeros(task.group_count * width)
    np.add.at(aim, here, basis)
    values = PolynomialValues(np.zeros((task.group_count, width)))
    rows: list[tuple[IntArray, FloatArray, FloatArray]] = []
    for number in range(1, most + 1):
        choice = task.choose(group, theta, values if number > 1 else no_values)
        broken = np.flatnonzero(choice.value - values(group, theta) > SLACK) if number > 1 else np.arange(len(group))
        if not len(broken):
            return values, Fit(number - 1, True)
        there = choice.group[broken, np.newaxis] * width + np.arange(width)
        later = task.discount * powers(choice.theta[broken], degree)
        columns = np.concatenate([here[broken], there], axis=1)
        rows.append((columns, np.concatenate([-basis[broken], later], axis=1), -choice.reward[broken]))
        columns, factors, limits = (np.concatenate(part) for part in zip(*rows, strict=True))
        starts = np.arange(0, columns.size + 1, columns.shape[1])
        matrix: Any = csr_array((factors.ravel(), columns.ravel(), starts), shape=(len(limits), len(aim)))
        found = linprog(aim / len(group), A_ub=matrix, b_ub=limits, bounds=(-MOST_COEFFICIENT, MOST_COEFFICIENT))
        if found.x is None:
            return values, Fit(number, False)
        values = PolynomialValues(found.x.reshape(task.group_count, width))
    return values, Fit(most, False)


@dataclass(frozen=True, eq=False)
class TreeValues:
    """A forest of extremely randomised trees for each group."""

    forests: tuple[Forest, ...]

    def __call__(self, group: IntArray, theta: FloatArray) -> FloatArray:
        """Return the value [n] at `group` [n] and `theta` [n]."""
        out, angles = np.zeros(len(group)), np.asarray(theta)[:, np.newaxis]
        for number, forest in enumerate(self.forests):
            own = group == number
            out[own] = forest.best_values(forest.leaves(angles[own]))
        return out

    @property
    def size(self) -> int:
        """Bytes of the stored numbers: a feature is not stored, since there is one."""
        return sum(forest.threshold.nbytes + forest.left.nbytes + forest.values.nbytes for forest in self.forests)


@dataclass(frozen=True)
class TreeSettings:
    """Size of a fit by trees: `rounds`, each of which adds `states` states on trajectories of `steps` clips.

    Each group has `trees` trees. After the last round the structure is frozen and values are iterated until their mean
    squared residual is below `tolerance` square degrees, at most `sweeps` times.
    """

    rounds: int = 10
    states: int = 1600
    steps: int = 3
    trees: int = 10
    tolerance: float = 0.01
    sweeps: int = 200

    def __post_init__(self) -> None:
        check_fields(self)
        if min(self.rounds, self.states, self.steps, self.trees, self.sweeps) < 1:
            raise ValueError("TreeSettings: expected counts of at least 1")


def fit_trees(task: HeadingTask, *, settings: TreeSettings | None = None, seed: int = 0) -> tuple[TreeValues, Fit, int]:
    """Return trees by the fitted iteration of section 5.2.2, how it ended, and the number of its samples.

    Trajectories start anywhere and follow the current values. Trees are grown on all states in every round; the least
    number of samples at a leaf is chosen in the end (`pruned_leaf`), and the structure is frozen then.
    """
    use, rng = settings or TreeSettings(), np.random.default_rng(seed)
    values: TreeValues | None = None
    group, theta = np.empty(0, np.int64), np.empty(0)
    for _ in range(use.rounds):
        met = _trajectories(task, values, use, rng)
        group, theta = np.concatenate([group, met[0]]), np.concatenate([theta, met[1]])
        targets = task.choose(group, theta, values or no_values).value
        values = _grown(task, group, theta, targets, LEAVES[1], use.trees, rng)
    assert values is not None
    targets = task.choose(group, theta, values).value
    leaf = pruned_leaf(task, group, theta, targets, trees=use.trees, rng=rng)
    values = _grown(task, group, theta, targets, leaf, use.trees, rng)
    values, fit = _settled(task, values, group, theta, targets, use)
    return values, fit, len(group)


def _settled(
    task: HeadingTask, values: TreeValues, group: IntArray, theta: FloatArray, targets: FloatArray, use: TreeSettings
) -> tuple[TreeValues, Fit]:
    """Return `values` with the same trees, iterated until Bellman's equation holds at the samples; leaves stay."""
    after, reward = task.after(theta), task.rewards(group, theta)
    later = [
        forest.leaves(after[:, number].reshape(-1, 1)) for number, forest in enumerate(values.forests)
    ]  # [group][n * option, tree]
    forests = list(values.forests)
    own = [np.flatnonzero(group == number) for number in range(task.group_count)]
    leaves = [forest.leaves(theta[rows, np.newaxis]) for forest, rows in zip(forests, own, strict=True)]
    for sweep in range(1, use.sweeps + 1):
        best = np.full(len(group), -np.inf)
        for number, forest in enumerate(forests):
            total = reward[:, number] + task.discount * forest.best_values(later[number]).reshape(len(group), -1)
            np.maximum(best, total.max(axis=1), out=best)
        residual, targets = float(np.mean((best - targets) ** 2)), best
        for number, rows in enumerate(own):
            if len(rows):
                forests[number] = forests[number].with_means(leaves[number], targets[rows, np.newaxis])
        if residual <= use.tolerance:
            return TreeValues(tuple(forests)), Fit(sweep, True)
    return TreeValues(tuple(forests)), Fit(use.sweeps, False)


def pruned_leaf(
    task: HeadingTask,
    group: IntArray,
    theta: FloatArray,
    targets: FloatArray,
    *,
    trees: int,
    rng: np.random.Generator,
) -> int:
    """Return the least number of samples at a leaf with which trees of two thirds predict the last third best."""
    order = rng.permutation(len(group))
    first, last = order[: 2 * len(order) // 3], order[2 * len(order) // 3 :]
    errors = []
    for leaf in LEAVES:
        values = _grown(task, group[first], theta[first], targets[first], leaf, trees, rng)
        errors.append(float(np.mean((values(group[last], theta[last]) - targets[last]) ** 2)))
    return LEAVES[int(np.argmin(errors))]


def _trajectories(
    task: HeadingTask, values: TreeValues | None, use: TreeSettings, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    """Return the groups [n] and angles [n] of states on trajectories that follow `values` from random states."""
    group, theta = task.draw(-(-use.states // use.steps), rng)
    groups, thetas = [group], [theta]
    for _ in range(use.steps - 1):
        choice = task.choose(group, theta, values or no_values)
        group, theta = choice.group, choice.theta
        groups.append(group)
        thetas.append(theta)
    return np.concatenate(groups), np.concatenate(thetas)


def _grown(
    task: HeadingTask,
    group: IntArray,
    theta: FloatArray,
    targets: FloatArray,
    leaf: int,
    trees: int,
    rng: np.random.Generator,
) -> TreeValues:
    """Return trees grown on `targets` [n] at `group` [n] and `theta` [n]; a group without samples has the value 0."""
    forests = []
    for number in range(task.group_count):
        own = group == number
        angles, wanted = (theta[own], targets[own]) if own.any() else (np.zeros(1), np.zeros(1))
        seed = int(rng.integers(1 << 31))
        forests.append(
            grow_forest(angles[:, np.newaxis], wanted[:, np.newaxis], trees=trees, leaf=leaf, share=1.0, seed=seed)
        )
    return TreeValues(tuple(forests))
