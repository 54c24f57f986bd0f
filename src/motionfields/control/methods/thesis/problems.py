"""Decision problems on clips of one step: states are a clip and a few parameters, actions are the next clips."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import wrap_angle
from motionfields.control.methods.thesis.steps import Steps

DISCOUNT = 0.9  # of the reward of the next step
PART = 20_000  # states whose outcomes are computed at once

Values = Callable[[IntArray, FloatArray], FloatArray]
"""Function of clips [...] and parameters [..., axis] that returns their values [...]."""


class Span(NamedTuple):
    """Range of one parameter; an angle wraps."""

    low: float
    high: float
    wraps: bool = False


HEADING = Span(-np.pi, np.pi, wraps=True)


class Outcomes(NamedTuple):
    """Outcomes of all actions in n states."""

    rewards: FloatArray  # [n, action]; minus infinity if the action is not available
    params: FloatArray  # [n, action, axis], after it


class Problem(Protocol):
    """A task on clips of one step."""

    @property
    def steps(self) -> Steps:
        """The clips, and the actions that play them."""
        ...

    @property
    def spans(self) -> tuple[Span, ...]:
        """The ranges of its parameters."""
        ...

    def outcomes(self, clips: IntArray, params: FloatArray) -> Outcomes:
        """Return the outcomes of all actions after `clips` [n] at `params` [n, axis]."""
        ...

    def starts(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return `count` random parameters [count, axis] from which performance is measured (the thesis's D)."""
        ...


def bounded(spans: tuple[Span, ...], params: FloatArray) -> FloatArray:
    """Return `params` [..., axis] with angles wrapped and the others clamped to their span."""
    columns = [
        wrap_angle(params[..., axis]) if span.wraps else np.clip(params[..., axis], span.low, span.high)
        for axis, span in enumerate(spans)
    ]
    return np.stack(columns, axis=-1)


def uniform(spans: tuple[Span, ...], count: int, rng: np.random.Generator) -> FloatArray:
    """Return `count` random parameters [count, axis] anywhere in `spans`."""
    return np.column_stack([rng.uniform(span.low, span.high, count) for span in spans])


def nothing(clips: IntArray, params: FloatArray) -> FloatArray:
    """Return values of 0: a policy on them is greedy (eq. 3.6)."""
    return np.zeros(params.shape[:-1])


class Best(NamedTuple):
    """The best actions in n states (eq. 3.15)."""

    action: IntArray  # [n]
    reward: FloatArray  # [n]
    params: FloatArray  # [n, axis], after it
    value: FloatArray  # [n], reward and discounted value after it


def best_actions(problem: Problem, values: Values, clips: IntArray, params: FloatArray) -> Best:
    """Return the actions with the highest reward and discounted value at `clips` [n] and `params` [n, axis]."""
    parts = [slice(first, first + PART) for first in range(0, len(clips), PART)]
    found = [_best(problem, values, clips[part], params[part]) for part in parts]
    return Best(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _best(problem: Problem, values: Values, clips: IntArray, params: FloatArray) -> Best:
    rewards, after = problem.outcomes(clips, params)
    following = np.broadcast_to(problem.steps.clip, rewards.shape)
    scores = rewards + DISCOUNT * values(following, after)
    action, rows = scores.argmax(axis=1), np.arange(len(clips))
    return Best(action, rewards[rows, action], after[rows, action], scores[rows, action])


def mean_cost(problem: Problem, values: Values, *, count: int = 2000, seed: int = 0, horizon: int = 50) -> float:
    """Return the mean discounted cost of a step under the policy that `values` imply, by rollouts (eq. 3.20).

    `count` characters start after random clips at random parameters of the problem's distribution.
    """
    rng = np.random.default_rng(seed)
    clips: IntArray = rng.integers(0, problem.steps.clip_count, count)
    params = problem.starts(count, rng)
    total, weight = np.zeros(count), 1.0
    for _ in range(horizon):
        best = best_actions(problem, values, clips, params)
        total -= weight * best.reward
        clips, params, weight = problem.steps.clip[best.action], best.params, weight * DISCOUNT
    return float(total.mean() * (1.0 - DISCOUNT))
