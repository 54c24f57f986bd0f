"""Transition controllers (Lee's thesis, section 4.4): few clips that lead naturally from one skill to another.

Each skill has its own clips, and values that stay fixed. At a switch, the character may play clips of the target, or
transitional clips, whose values are solved for with the target's reward and fixed values. They are selected one by one
by the influence of the source's states times their gain in value (eq. 4.7). A clip and its mirror image are one
choice: a cycle of two steps, as the thesis's clips are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.methods.thesis.problems import DISCOUNT, best_actions
from motionfields.control.methods.thesis.settings import Heading
from motionfields.control.methods.thesis.steps import Steps
from motionfields.control.methods.thesis.tables import Table

NODES = 25  # headings in a table of values
REPEATS = 4  # of a candidate, in the prediction of its gain
FAR_BELOW = 100.0  # radians below all known values: candidates before their first way into the target
STARTS, HORIZON = 300, 12  # characters of the source, and steps that each takes before it may switch


class Skill(NamedTuple):
    """Clips that do one thing, and the speed that its task asks for."""

    name: str
    clips: BoolArray  # [clip]
    speed: float  # m/s


class Bridge(NamedTuple):
    """The transitional clips between two skills."""

    pairs: tuple[int, ...]  # clips with their mirror images, in the order of selection
    costs: tuple[float, ...]  # radians for a step after the switch, with 0, 1, 2... of them
    least: float  # with all clips of the data
    predicted: FloatArray  # [pair], predicted gain of each alone, radians for a step; NaN for those of the target


class Switch:
    """The switch from `source` to `target`: states in which it happens, and the fixed values of the target.

    `pair` [clip] numbers the clips, with the same number for a clip and its mirror image.
    """

    def __init__(self, steps: Steps, pair: IntArray, source: Skill, target: Skill, *, seed: int = 0) -> None:
        self.target = target
        self.pair = pair
        clips, params, self._weights = _visited(steps, source, seed)
        self.table = Table(Heading(steps, speed=target.speed), (NODES,))
        self.fixed = self.table.solve(free=target.clips, actions=target.clips[steps.clip])
        self._clip = steps.clip  # [action]
        self._rewards, self._after = self.table.problem.outcomes(clips, params)

    def solved(self, clips: BoolArray) -> FloatArray:
        """Return the values [clip, node] with `clips` [clip] as transitional ones; those of the target stay."""
        usable = (clips | self.target.clips)[self._clip]
        return self.table.solve(free=clips & ~self.target.clips, actions=usable, start=self.fixed)

    def values(self, clips: BoolArray) -> FloatArray:
        """Return the values [state] at the switch with `clips` [clip] as transitional ones."""
        usable = (clips | self.target.clips)[self._clip]
        return np.asarray(np.where(usable, self._ways(self.solved(clips)), -np.inf).max(axis=1))

    def cost(self, clips: BoolArray) -> float:
        """Return the mean discounted cost of a step after the switch, with `clips` [clip] as transitional ones."""
        return float(-(self._weights * self.values(clips)).sum() * (1.0 - DISCOUNT))

    def predicted(self, clips: BoolArray) -> FloatArray:
        """Return the predicted gain [pair], as of `cost`, if a pair is added to the transitional `clips` [clip].

        A candidate is worth what its best way brings: into the target or the chosen clips, at once or after up to
        `REPEATS` steps of the pair (eq. 4.4, which repeats it once).
        """
        known, usable = self.solved(clips), clips | self.target.clips
        own = usable[self._clip] | (self.pair[self._clip] == self.pair[:, np.newaxis, np.newaxis])
        through = np.where(usable[:, np.newaxis], known, known.min() - FAR_BELOW)
        for _ in range(1 + REPEATS):
            after = np.where(own, self.table.scores(through), -np.inf).max(axis=-1)
            through = np.where(usable[:, np.newaxis], known, after)
        ways = self._ways(through)
        gains = np.zeros((int(self.pair.max()) + 1, len(ways)))  # [pair, state], of the best action of each pair
        np.maximum.at(gains, self.pair[self._clip], (ways - self.values(clips)[:, np.newaxis]).T)
        found = np.asarray(gains @ self._weights * (1.0 - DISCOUNT))
        found[self.pair[usable]] = np.nan
        return found

    def _ways(self, values: FloatArray) -> FloatArray:
        """Return the reward and discounted value [state, action] of every action at the switch."""
        following = np.broadcast_to(self._clip, self._rewards.shape)
        return self._rewards + DISCOUNT * self.table.values_at(values, following, self._after)


def bridge_clips(switch: Switch, count: int) -> Bridge:
    """Return the `count` pairs of transitional clips of `switch`, selected one by one."""
    kept = np.zeros_like(switch.target.clips)
    costs, order, alone = [switch.cost(kept)], list[int](), switch.predicted(kept)
    for number in range(count):
        gains = alone if number == 0 else switch.predicted(kept)
        order.append(int(np.nanargmax(gains)))
        kept |= switch.pair == order[-1]
        costs.append(switch.cost(kept))
    return Bridge(tuple(order), tuple(costs), switch.cost(~switch.target.clips), alone)


def _visited(steps: Steps, source: Skill, seed: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the clips [state], headings [state, 1] and weights [state] of states that the source's policy visits.

    Characters start anywhere, and their weight is discounted with every step: the influence of eq. 4.1.
    """
    own = steps._replace(cost=np.where(source.clips[steps.clip], steps.cost, np.inf))
    problem = Heading(own, speed=source.speed)
    table = Table(problem, (NODES,))
    values = table.solve(free=source.clips)
    rng = np.random.default_rng(seed)
    clips, params = rng.choice(np.flatnonzero(source.clips), STARTS), problem.starts(STARTS, rng)
    seen = [(clips, params)]
    for _ in range(HORIZON - 1):
        best = best_actions(problem, lambda after, at: table.values_at(values, after, at), clips, params)
        clips, params = own.clip[best.action], best.params
        seen.append((clips, params))
    weights = np.repeat(DISCOUNT ** np.arange(HORIZON), STARTS)
    return (
        np.concatenate([clips for clips, _ in seen]),
        np.concatenate([params for _, params in seen]),
        weights / weights.sum(),
    )
