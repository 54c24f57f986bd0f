"""Scores of learnt steering in the model that it was learnt with: returns of many characters, each in its own world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from motionfields.authoring.worlds.trees.learning import COLLIDED, LONGEST, Arena, Model, Walkers, backed_up, evaluated
from motionfields.authoring.worlds.trees.steering_trees import SteeringTrees
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.world import World


class Scores(NamedTuple):
    """Outcomes of characters [n], each in its own world."""

    returns: FloatArray  # [n], discounted sum of rewards
    reached: BoolArray  # [n]
    collided: BoolArray  # [n]; neither: too late
    seconds: FloatArray  # [n], until either, or the end


def score_steering(
    model: Model,
    trees: SteeringTrees,
    worlds: Sequence[World],
    *,
    discount: float = 0.97,
    look_ahead: bool = False,
    seed: int = 0,
) -> Scores:
    """Return what characters of `model` achieve that steer by `trees` from the start of each of `worlds`.

    They take at most `LONGEST` actions; `discount` is that of one action, `seed` draws how they stand at the start.
    With `look_ahead` they imagine every action before they choose one (see `imagined_values`).
    """
    arena = Arena(model, worlds, trees.sensor)

    def choose(walkers: Walkers, going: IntArray, number: int) -> IntArray:
        if look_ahead:
            return np.asarray(imagined_values(arena, trees, walkers, discount=discount).argmax(axis=1))
        return trees.choose(arena.features(walkers))

    return _scored(arena, arena.begin(np.random.default_rng(seed), anywhere=0.0), choose, discount)


def score_actions(arena: Arena, walkers: Walkers, plans: IntArray, *, discount: float = 0.97) -> Scores:
    """Return what `walkers` [n] achieve in `arena` that take the actions `plans` [n, action]."""
    if len(plans) != len(walkers.state) or np.shape(plans)[1:] != (LONGEST,):
        raise ValueError(f"plans: expected {LONGEST} actions of {len(walkers.state)} characters")
    return _scored(arena, walkers, lambda _, going, number: plans[going, number], discount)


def _scored(
    arena: Arena, walkers: Walkers, choose: Callable[[Walkers, IntArray, int], IntArray], discount: float
) -> Scores:
    """Return the scores of `walkers` [n]; `choose` returns the next actions of those that still go on."""
    count, going = len(walkers.state), np.arange(len(walkers.state))
    returns, seconds = np.zeros(count), np.zeros(count)
    reached, collided = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    for number in range(LONGEST):
        outcome = arena.act(walkers, choose(walkers, going, number))
        returns[going] += discount**number * outcome.reward
        seconds[going] += arena.model.hold * arena.model.frame_time
        reached[going] = outcome.over & (outcome.reward > 0.0)
        collided[going] = outcome.over & (outcome.reward < 0.5 * COLLIDED)
        walkers, going = outcome.walkers.take(~outcome.over), going[~outcome.over]
        if not len(going):
            break
    return Scores(returns, reached, collided, seconds)


def imagined_values(arena: Arena, trees: SteeringTrees, walkers: Walkers, *, discount: float = 0.97) -> FloatArray:
    """Return reward plus discounted value [n, action] of each action (eq. 6.7), while all obstacles stand."""
    known = evaluated(arena, walkers, frozen=True)
    later = trees.forest.leaves(known.later.reshape(-1, known.later.shape[-1]))
    return backed_up(known, trees.forest.best_values(later), discount)
