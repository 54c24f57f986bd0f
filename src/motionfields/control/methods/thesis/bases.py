"""Values as sums of a few basis functions for each clip (Lee's thesis, sections 3.3.2 and 3.5).

`fit_lp` finds the weights by linear programming, adding the best actions of the samples as constraints until none is
new; `fit_lspi` by least-squares policy iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.errors import MotionFieldsError
from motionfields.control.methods.thesis.problems import DISCOUNT, Problem, Span, Values, best_actions

ROUNDS = 40  # of improving the policy, at most
SAME = 1e-3  # radians: largest change of the samples' values at which the policy counts as settled

Functions = Callable[[FloatArray], FloatArray]
"""Function of one parameter [n] that returns the values [n, function] of several basis functions."""


class Basis(NamedTuple):
    """Basis functions of the parameters of a problem; each clip has its own weights for them."""

    evaluate: Callable[[FloatArray], FloatArray]  # of parameters [n, axis]; returns [n, function]
    size: int  # number of functions

    def joined(self, other: Basis) -> Basis:
        """Return the functions of both bases."""
        return Basis(lambda params: np.hstack([self.evaluate(params), other.evaluate(params)]), self.size + other.size)


def monomials(degree: int, span: Span) -> Functions:
    """Return 1, x, ... up to the power `degree` (the thesis's P), of the parameter scaled from `span` to -1 to 1."""
    middle, half = 0.5 * (span.low + span.high), 0.5 * (span.high - span.low)
    return lambda param: np.power.outer((param - middle) / half, np.arange(degree + 1))


def gaussians(low: float, high: float, count: int) -> Functions:
    """Return `count` bumps spread evenly from `low` to `high` (the thesis's G), with its variance of 2."""
    centres = np.linspace(low, high, count)
    return lambda param: np.exp(-0.5 * (param[:, np.newaxis] - centres) ** 2)


def product(parts: Sequence[tuple[int, Functions]]) -> Basis:
    """Return all products of one function of each of `parts`, which name the parameter and its functions."""

    def evaluate(params: FloatArray) -> FloatArray:
        table = np.ones((len(params), 1))
        for axis, functions in parts:
            table = (table[:, :, np.newaxis] * functions(params[:, axis])[:, np.newaxis]).reshape(len(params), -1)
        return table

    return Basis(evaluate, evaluate(np.zeros((1, 1 + max(axis for axis, _ in parts)))).shape[1])


class Fit(NamedTuple):
    """Values of a problem as weighted basis functions."""

    basis: Basis
    weights: FloatArray  # [clip, function]
    rounds: int  # of improving the policy
    settled: bool  # whether the policy stopped changing

    def values(self) -> Values:
        """Return the values as a function of clips and parameters."""

        def at(clips: IntArray, params: FloatArray) -> FloatArray:
            table = self.basis.evaluate(params.reshape(-1, params.shape[-1]))
            return np.asarray((table * self.weights[clips.ravel()]).sum(axis=-1).reshape(clips.shape))

        return at


class Samples(NamedTuple):
    """States at which values are fitted."""

    clips: IntArray  # [sample]
    params: FloatArray  # [sample, axis]


def even_samples(problem: Problem, count: int) -> Samples:
    """Return every clip at `count` values of each parameter, even over its span; angles do not repeat their end."""
    sides = [np.linspace(s.low, s.high, count, endpoint=not s.wraps) for s in problem.spans]
    points = np.stack([part.ravel() for part in np.meshgrid(*sides, indexing="ij")], axis=-1)
    clip_count = problem.steps.clip_count
    return Samples(np.repeat(np.arange(clip_count), len(points)), np.tile(points, (clip_count, 1)))


def fit_lp(problem: Problem, basis: Basis, samples: Samples) -> Fit:
    """Return the values that linear programming finds: the least ones that satisfy all constraints.

    Each constraint says that a sample is worth at least the reward of one action and what follows. A round adds the
    best action of each sample under the current values (section 3.3.2, with rewards for costs).
    """
    from scipy.optimize import linprog
    from scipy.sparse import vstack

    now = _rows(problem, basis, *samples)
    rewards = problem.outcomes(*samples).rewards
    open_ = np.isfinite(rewards)
    low = float(rewards[open_].min()) / (1.0 - DISCOUNT)  # no values are outside of these, so that none is unbounded
    high = float(rewards[open_].max()) / (1.0 - DISCOUNT)
    limits, bounds = [-now, now], [np.full(len(samples.clips), -low), np.full(len(samples.clips), high)]
    fit, known, settled = Fit(basis, np.zeros((problem.steps.clip_count, basis.size)), 0, False), set[Any](), False
    for number in range(1, ROUNDS + 1):
        best = best_actions(problem, fit.values(), *samples)
        new = np.array([key not in known for key in enumerate(best.action.tolist())])
        settled = not new.any()
        if settled:
            break
        known |= set(enumerate(best.action.tolist()))
        after = _rows(problem, basis, problem.steps.clip[best.action], best.params)
        limits.append((DISCOUNT * after - now)[new])  # r + discount V(s') <= V(s)
        bounds.append(-best.reward[new])
        # The bounds of V come first: with them alone, the program always has a solution.
        found: Any = linprog(
            np.asarray(now.sum(axis=0)).ravel(),
            A_ub=vstack(limits).tocsr(),
            b_ub=np.concatenate(bounds),
            bounds=(None, None),
            method="highs",
        )
        if found.x is None:
            raise MotionFieldsError(f"the linear program was not solved: {found.message}")
        fit = Fit(basis, found.x.reshape(-1, basis.size), number, False)
    return fit._replace(settled=settled)


def fit_lspi(problem: Problem, basis: Basis, samples: Samples) -> Fit:
    """Return the values of least-squares policy iteration, which minimises the Bellman error (eq. 3.19).

    If the policy never settles, the values with the least Bellman error of all rounds are returned.
    """
    now = _rows(problem, basis, *samples)
    fit = Fit(basis, np.zeros((problem.steps.clip_count, basis.size)), 0, False)
    kept, least, before = fit, np.inf, np.zeros(len(samples.clips))
    best = best_actions(problem, fit.values(), *samples)
    for number in range(1, ROUNDS + 1):
        after = _rows(problem, basis, problem.steps.clip[best.action], best.params)
        weights = np.linalg.lstsq((now - DISCOUNT * after).toarray(), best.reward, rcond=None)[0]
        values = np.asarray(now @ weights)
        settled = bool(np.abs(values - before).max() < SAME)
        fit, before = Fit(basis, weights.reshape(-1, basis.size), number, settled), values
        best = best_actions(problem, fit.values(), *samples)
        error = float(((best.value - values) ** 2).mean())
        if settled:
            return fit
        if error < least:
            kept, least = fit, error
    return kept


def _rows(problem: Problem, basis: Basis, clips: IntArray, params: FloatArray) -> Any:
    """Return the basis functions of states as a sparse matrix [n, clip * function]."""
    from scipy.sparse import csr_array

    table = basis.evaluate(params)
    columns = clips[:, np.newaxis] * basis.size + np.arange(basis.size)
    ends = np.arange(0, table.size + 1, basis.size)
    return csr_array((table.ravel(), columns.ravel(), ends), shape=(len(clips), problem.steps.clip_count * basis.size))
