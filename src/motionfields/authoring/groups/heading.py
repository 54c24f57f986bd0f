"""The navigation controller of chapter 5 of Lo's thesis: turn to a desired direction by a sequence of short clips.

A state is the group of clips that was played last and the angle theta to the desired direction (to the left of the
facing). An action plays a group: one clip, or a blend of several that may turn by any of its `options`. Rewards are in
degrees: minus the angle that remains, and minus the cost of the transition (eq. 4.24, 5.10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.checks import checked_number
from motionfields.base.geometry import wrap_angle

DISCOUNT = 0.9  # of one clip


class Values(Protocol):
    """A value function of the group played last and the angle to the desired direction."""

    def __call__(self, group: IntArray, theta: FloatArray) -> FloatArray:
        """Return the value [n] in degrees at `group` [n] and `theta` [n] radians."""
        ...


class Choice(NamedTuple):
    """The best action at each state [n]."""

    value: FloatArray  # [n], degrees: reward plus discounted value afterwards
    reward: FloatArray  # [n], degrees
    group: IntArray  # [n]
    theta: FloatArray  # [n], radians, afterwards


@dataclass(frozen=True, eq=False)
class HeadingTask:
    """Groups of clips with the turns that they allow, and the cost of each transition."""

    turns: FloatArray  # [group, option], radians to the left
    costs: FloatArray  # [group, next group], degrees; infinite where a group cannot follow
    discount: float = DISCOUNT

    def __post_init__(self) -> None:
        count = len(self.turns)
        if np.ndim(self.turns) != 2 or not np.size(self.turns) or np.shape(self.costs) != (count, count):
            raise ValueError(f"turns, costs: expected [n, m] and [n, n], got {self.turns.shape}, {self.costs.shape}")
        if not np.isfinite(self.turns).all() or np.isnan(self.costs).any() or not (self.costs >= 0.0).all():
            raise ValueError("turns, costs: expected finite turns and costs of at least 0")
        if not np.isfinite(self.costs).any(axis=1).all():
            raise ValueError("costs: expected some group that can follow each group")
        checked_number("discount", self.discount, 0.0, 0.999)
        object.__setattr__(self, "turns", read_only(self.turns))
        object.__setattr__(self, "costs", read_only(self.costs))

    @property
    def group_count(self) -> int:
        """Number of groups."""
        return len(self.turns)

    def after(self, theta: FloatArray) -> FloatArray:
        """Return the angle [n, group, option] in radians after each option at `theta` [n] (eq. 5.7)."""
        return np.asarray(wrap_angle(np.asarray(theta)[:, np.newaxis, np.newaxis] - self.turns))

    def rewards(self, group: IntArray, theta: FloatArray) -> FloatArray:
        """Return the reward [n, group, option] of each option at `group` [n] and `theta` [n] (eq. 4.24, 5.10)."""
        return np.asarray(-np.degrees(np.abs(self.after(theta))) - self.costs[group][:, :, np.newaxis])

    def choose(self, group: IntArray, theta: FloatArray, values: Values) -> Choice:
        """Return the best action by `values` at `group` [n] and `theta` [n] (eq. 5.1, 5.3, 5.8)."""
        after, reward = self.after(theta), self.rewards(group, theta)
        groups = np.broadcast_to(np.arange(self.group_count)[:, np.newaxis], self.turns.shape)
        every = np.broadcast_to(groups, after.shape).ravel()
        later = np.asarray(values(every, after.ravel())).reshape(after.shape)
        total = (reward + self.discount * later).reshape(len(after), -1)
        best = total.argmax(axis=1)[:, np.newaxis]
        taken = (np.take_along_axis(part.reshape(total.shape), best, axis=1)[:, 0] for part in (total, reward, after))
        value, earned, theta = taken
        return Choice(value, earned, best[:, 0] // self.turns.shape[1], theta)

    def draw(self, count: int, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
        """Return random states: groups [n] and angles [n] in radians."""
        return rng.integers(self.group_count, size=count), rng.uniform(-np.pi, np.pi, count)


def no_values(group: IntArray, theta: FloatArray) -> FloatArray:
    """Return zeros [n]: the values of a greedy controller (eq. 5.13)."""
    return np.zeros(len(group))


class Quality(NamedTuple):
    """The two measures of figure 5.8, and the angle that is left."""

    residual: float  # degrees squared, mean squared Bellman residual at random states (eq. 5.6)
    reward: float  # degrees, mean discounted reward of `steps` clips from random states
    left: float  # degrees, mean angle to the desired direction after these


def measure(task: HeadingTask, values: Values, *, states: int = 1000, steps: int = 10, seed: int = 0) -> Quality:
    """Return the Bellman residual of `values` and the reward of their policy, from random states."""
    rng = np.random.default_rng(seed)
    group, theta = task.draw(states, rng)
    residual = float(np.mean((values(group, theta) - task.choose(group, theta, values).value) ** 2))
    group, theta = task.draw(states, rng)
    total = np.zeros(states)
    for step in range(steps):
        choice = task.choose(group, theta, values)
        total += task.discount**step * choice.reward
        group, theta = choice.group, choice.theta
    return Quality(residual, float(total.mean()), float(np.degrees(np.abs(theta)).mean()))
