from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.methods.thesis import (
    Basis,
    Fit,
    Heading,
    Outcomes,
    Span,
    even_samples,
    fit_lp,
    fit_lspi,
    gaussians,
    mean_cost,
    monomials,
    nothing,
    product,
)
from motionfields.control.methods.thesis.problems import DISCOUNT, HEADING, best_actions

from .small import hand_steps

COUNT = 12  # headings of the exact problem


class Compass(Heading):
    """Headings in even parts of a turn: steps turn by a whole number of them, so that values can be exact."""

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        rewards, after = super().outcomes(clips, params)
        part = 2.0 * np.pi / COUNT
        near = np.round((after + np.pi) / part) % COUNT
        return Outcomes(rewards, near * part - np.pi)


def boxes(params: FloatArray) -> FloatArray:
    """One function for each heading of the compass."""
    number = np.round((params[:, 0] + np.pi) / (2.0 * np.pi / COUNT)).astype(np.int64) % COUNT
    return np.eye(COUNT)[number]


@pytest.mark.parametrize("fit", [fit_lp, fit_lspi])
def test_with_a_function_for_each_state_the_values_are_exact(fit: Callable[..., Fit]) -> None:
    problem, basis = Compass(hand_steps()), Basis(boxes, COUNT)
    samples = even_samples(problem, COUNT)
    found = fit(problem, basis, samples)
    assert found.settled
    exact = np.zeros(len(samples.clips))
    rewards, after = problem.outcomes(*samples)
    place = boxes(after.reshape(-1, 1)).argmax(axis=1).reshape(rewards.shape)
    number = np.arange(4) * COUNT + place
    for _ in range(400):
        exact = (rewards + DISCOUNT * exact[number]).max(axis=1)
    np.testing.assert_allclose(found.values()(*samples), exact, atol=1e-4)


def test_the_program_bounds_values_from_above_where_it_has_samples() -> None:
    """Weights satisfy every constraint: no sample is worth less than an action that is known for it (eq. 3.9)."""
    problem = Heading(hand_steps())
    basis = product([(0, monomials(4, HEADING))])
    samples = even_samples(problem, 16)
    found = fit_lp(problem, basis, samples)
    assert found.settled
    rewards, after = problem.outcomes(*samples)
    follow = found.values()(np.broadcast_to(np.arange(4), rewards.shape), after)
    best = (rewards + DISCOUNT * follow).max(axis=1)
    assert (found.values()(*samples) >= best - 1e-5).all()


def test_a_few_functions_beat_greedy_decisions() -> None:
    problem = Heading(hand_steps())
    found = fit_lp(problem, product([(0, monomials(2, HEADING))]), even_samples(problem, 16))
    assert mean_cost(problem, found.values(), count=200) < 0.9 * mean_cost(problem, nothing, count=200)


def test_a_policy_that_never_settles_keeps_the_values_with_the_least_error(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, basis = Heading(hand_steps()), product([(0, monomials(2, HEADING))])
    samples = even_samples(problem, 16)

    def error(rounds: int) -> float:
        monkeypatch.setattr("motionfields.control.methods.thesis.bases.ROUNDS", rounds)
        values = fit_lspi(problem, basis, samples)._replace(settled=False).values()
        best = best_actions(problem, values, *samples)
        return float(((best.value - values(*samples)) ** 2).mean())

    monkeypatch.setattr("motionfields.control.methods.thesis.bases.SAME", 0.0)
    errors = [error(rounds) for rounds in (1, 2, 4, 8)]
    assert errors == sorted(errors, reverse=True)


def test_bases_are_products_of_powers_and_bumps() -> None:
    powers, bumps = monomials(2, Span(0.0, 4.0)), gaussians(-2.0, 2.0, 3)
    np.testing.assert_allclose(powers(np.array([0.0, 3.0])), [[1.0, -1.0, 1.0], [1.0, 0.5, 0.25]])
    np.testing.assert_allclose(bumps(np.array([1.0])), [np.exp([-4.5, -0.5, -0.5])])
    basis = product([(1, powers), (0, bumps)])
    assert basis.size == 9
    params = np.array([[1.0, 3.0]])
    np.testing.assert_allclose(
        basis.evaluate(params)[0], np.outer([1.0, 0.5, 0.25], np.exp([-4.5, -0.5, -0.5])).ravel()
    )
    both = basis.joined(product([(0, bumps)]))
    assert both.evaluate(params).shape == (1, both.size) == (1, 12)
