"""Prices of captured clips, which make a controller use more of its data.

The highest reward often comes from one clip: characters then spend most of their time in it. A price per frame on a
clip makes the others better, and the value function accounts for it like for any other cost. Prices are raised where a
clip is shown for too long and lowered elsewhere, until no clip exceeds its share: dual ascent on the problem of the
highest reward under a bound on every clip's share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.contract import Observation
from motionfields.control.controller import FieldController
from motionfields.control.followers import Followers
from motionfields.control.grids import grid_points
from motionfields.control.tasks import Motion
from motionfields.field.database import MotionDatabase
from motionfields.field.database.takes import takes_of

MOST_ROUNDS = 10  # times that prices are changed at most
AIM = 0.85  # share of the bound that training aims at, since users change goals less often than it assumes
RAISE = 0.3  # radians per frame that a price rises in the first round for each unit of share in excess
CHARACTERS, FRAMES, SETTLE = 256, 240, 60  # of the walk that measures shares; the first `SETTLE` frames do not count

Solve = Callable[[FloatArray | None, FieldController | None], FieldController]


class Prices(NamedTuple):
    """Prices of the captured clips; a clip and its mirror image have one price."""

    takes: IntArray  # [state], the captured clip of each state
    price: FloatArray  # [take], radians per frame

    @classmethod
    def free(cls, database: MotionDatabase) -> Prices:
        """Return prices of zero for all clips of `database`."""
        takes = takes_of(database)
        return cls(takes, np.zeros(takes.max() + 1))

    @property
    def of_states(self) -> FloatArray:
        """The price [state] of following each state, float32."""
        return self.price[self.takes].astype(np.float32)

    def adjusted(self, shares: FloatArray, largest: float, step: int) -> Prices:
        """Return the prices after adjustment number `step`, from 1, given the `shares` [take] that clips were shown.

        The price of a clip rises if its share exceeds `largest` and falls if it is below, but not below 0. Later
        adjustments are smaller, so that clips which replace each other come to share the time.
        """
        change = RAISE / step * (shares - largest)
        return self._replace(price=np.maximum(0.0, self.price + change))


def varied(solved: Solve, database: MotionDatabase, largest: float) -> FieldController:
    """Return the controller whose most shown clip has the smallest share, as soon as that is well below `largest`.

    `solved` returns the controller for prices [state], None for none; it may continue from the values of the previous
    controller. A `largest` of 1 allows any share, and the controller without prices is returned.
    """
    controller = best = solved(None, None)
    if largest == 1.0:
        return controller
    prices, aim = Prices.free(database), AIM * largest
    shares = shown_shares(controller, prices.takes)
    lowest = shares.max()
    for step in range(1, MOST_ROUNDS + 1):
        if lowest <= aim:
            break
        prices = prices.adjusted(shares, aim, step)
        controller = solved(prices.of_states, controller)
        shares = shown_shares(controller, prices.takes)
        if shares.max() < lowest:
            best, lowest = controller, shares.max()
    return best


def shown_shares(controller: FieldController, takes: IntArray) -> FloatArray:
    """Return the share of time [take] that `controller` shows each clip of `takes` [state], with goals that change.

    Characters walk as the value function assumes: in each frame a new goal is drawn from the grid of the task with the
    probability `goal_change` of the settings.
    """
    rng = np.random.default_rng(0)
    database, moves, task = controller.field.database, controller.root_motion, controller.task
    goals = grid_points(task.axes)
    followers = Followers.at(database, rng.integers(0, database.state_count, CHARACTERS)).without_offsets()
    params = goals[rng.integers(0, len(goals), CHARACTERS)]
    counts = np.zeros(takes.max() + 1)
    for frame in range(FRAMES):
        decision, _ = controller.decide(Observation.of(database, followers, (), params))
        states, variant = decision.states[:, 0], decision.variant
        labels = moves.labels_of(states)
        motion = Motion(moves.turn[states, variant], moves.velocity[states], moves.frame_time, labels)
        drawn = goals[rng.integers(0, len(goals), CHARACTERS)]
        renewed = rng.random(CHARACTERS) < controller.settings.goal_change
        params = np.where(renewed[:, np.newaxis], drawn, task.advance(params, motion))
        recent = np.column_stack([states + 1, followers.recent[:, :-1]])
        followers = followers._replace(state=states + 1, variant=variant, recent=recent)
        if frame >= SETTLE:
            counts += np.bincount(takes[states + 1], minlength=len(counts))
    return np.asarray(counts / counts.sum())
