"""Turning by clips: rewards and choices by hand, fits against exact values, linear programs against their bounds."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.groups.fitting import (
    LEAVES,
    GridValues,
    PolynomialValues,
    TreeSettings,
    fit_polynomials,
    fit_trees,
    powers,
    pruned_leaf,
    solve_grid,
)
from motionfields.authoring.groups.heading import HeadingTask, measure, no_values

TURNS = np.radians([-60.0, -20.0, 0.0, 20.0, 60.0])
COSTS = 10.0 * np.abs(TURNS[:, np.newaxis] - TURNS)
SMALL = TreeSettings(rounds=3, states=600, trees=4)


def small_task() -> HeadingTask:
    return HeadingTask(TURNS[:, np.newaxis], COSTS, 0.8)


def test_rewards_are_the_angle_that_remains_and_the_cost_of_the_transition() -> None:
    task = HeadingTask(np.radians([[10.0], [-30.0]]), np.array([[1.0, 2.0], [3.0, np.inf]]))
    group, theta = np.array([0, 1]), np.radians([50.0, -170.0])
    assert np.degrees(task.after(theta))[..., 0] == pytest.approx(np.array([[40.0, 80.0], [180.0, -140.0]]))
    assert task.rewards(group, theta)[..., 0] == pytest.approx(np.array([[-41.0, -82.0], [-183.0, -np.inf]]))


def test_the_best_action_is_that_of_a_loop_over_all() -> None:
    turns = np.stack([TURNS, TURNS + 0.1, TURNS + 0.2], axis=1)
    task, rng = HeadingTask(turns, COSTS), np.random.default_rng(0)
    values = PolynomialValues(rng.normal(size=(5, 3)) * 20.0)
    group, theta = task.draw(40, rng)
    found = task.choose(group, theta, values)
    for i in range(40):
        best = (-np.inf, 0, 0.0)
        for other in range(5):
            for turn in turns[other]:
                after = (theta[i] - turn + np.pi) % (2.0 * np.pi) - np.pi
                reward = -np.degrees(abs(after)) - COSTS[group[i], other]
                later = float(values(np.array([other]), np.array([after]))[0])
                best = max(best, (reward + 0.9 * later, other, after))
        assert found.value[i] == pytest.approx(best[0])
        assert found.group[i] == best[1]
        assert found.theta[i] == pytest.approx(best[2])
        assert found.value[i] == pytest.approx(
            found.reward[i] + 0.9 * float(values(found.group[i : i + 1], found.theta[i : i + 1])[0])
        )


def test_values_of_a_grid_satisfy_the_equation_of_bellman() -> None:
    task = small_task()
    values, fit = solve_grid(task, tolerance=1e-6)
    assert fit.converged
    angles = 2.0 * np.pi * np.arange(720) / 720
    for group in range(5):
        here = np.full(720, group)
        assert values(here, angles) == pytest.approx(task.choose(here, angles, values).value, abs=1e-4)
    assert measure(task, values).residual < 0.01  # between the angles it is interpolated
    assert not solve_grid(task, most=2)[1].converged


def test_a_grid_interpolates_and_wraps() -> None:
    values = GridValues(np.array([[0.0, 4.0, 8.0, 4.0]]))
    zeros = np.zeros(4, np.int64)
    assert values(zeros, np.array([0.0, np.pi / 4, -np.pi / 4, 1.99 * np.pi])) == pytest.approx([0, 2, 2, 0.08])


def test_polynomials_bound_the_exact_values_and_no_constraint_is_broken() -> None:
    task, rng = small_task(), np.random.default_rng(1)
    group, theta = task.draw(1500, rng)
    exact = solve_grid(task)[0]
    sums = []
    for degree in (0, 2, 4):
        values, fit = fit_polynomials(task, group, theta, degree=degree)
        assert fit.converged
        assert (task.choose(group, theta, values).value <= values(group, theta) + 1e-3).all()
        sums.append(float(values(group, theta).mean()))
    assert sums[0] >= sums[1] >= sums[2] >= float(exact(group, theta).mean()) - 0.5  # more freedom, a tighter bound


def test_a_linear_program_of_one_clip_is_solved_by_hand() -> None:
    task = HeadingTask(np.zeros((1, 1)), np.zeros((1, 1)), 0.5)  # stays where it is: V = -|theta| / (1 - 0.5)
    theta = np.array([-1.0, 1.0])
    values, fit = fit_polynomials(task, np.zeros(2, np.int64), theta, degree=0)
    assert fit.converged
    assert values.coefficients == pytest.approx(np.array([[-2.0 * np.degrees(1.0)]]))
    assert powers(np.array([np.pi / 2]), 2).tolist() == [[1.0, 0.5, 0.25]]


def test_trees_come_nearer_to_the_values_than_quadratic_polynomials() -> None:
    task = small_task()
    trees, fit, count = fit_trees(task, settings=SMALL, seed=2)
    assert fit.converged
    assert count == 1800
    group, theta = task.draw(1800, np.random.default_rng(3))
    quadratic = fit_polynomials(task, group, theta)[0]
    greedy, other, own, exact = (measure(task, one) for one in (no_values, quadratic, trees, solve_grid(task)[0]))
    assert own.residual < 0.5 * other.residual
    assert exact.reward + 1.0 >= own.reward >= greedy.reward - 1.0
    assert trees.size > quadratic.size
    again = fit_trees(task, settings=SMALL, seed=2)[0]
    assert np.array_equal(trees(group, theta), again(group, theta))


def test_noise_is_pruned_and_a_clear_shape_is_not() -> None:
    task, rng = small_task(), np.random.default_rng(4)
    group, theta = task.draw(1500, rng)
    noise = pruned_leaf(task, group, theta, rng.normal(size=1500), trees=5, rng=rng)
    clear = pruned_leaf(task, group, theta, 100.0 * np.sin(3.0 * theta), trees=5, rng=rng)
    assert noise >= LEAVES[-2]
    assert clear <= LEAVES[2]


def test_the_measures_of_one_clip_are_known() -> None:
    task = HeadingTask(np.zeros((1, 1)), np.ones((1, 1)), 0.5)
    found = measure(task, no_values, states=4000, steps=2)
    assert found.reward == pytest.approx(1.5 * (-90.0 - 1.0), rel=0.03)
    assert found.left == pytest.approx(90.0, rel=0.03)
    assert found.residual == pytest.approx(np.mean((np.linspace(0.0, 180.0, 1000) + 1.0) ** 2), rel=0.05)


def test_odd_tasks_are_refused() -> None:
    for turns, costs in (
        (np.zeros((2, 1)), np.zeros((3, 3))),
        (np.full((1, 1), np.nan), np.zeros((1, 1))),
        (np.zeros((1, 1)), -np.ones((1, 1))),
        (np.zeros((1, 1)), np.full((1, 1), np.inf)),
    ):
        with pytest.raises(ValueError, match="expected"):
            HeadingTask(turns, costs)
    with pytest.raises(ValueError, match="at least 1"):
        TreeSettings(rounds=0)
