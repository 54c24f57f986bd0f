"""Motion selection (Lee's thesis, sections 4.2 and 4.3): few takes that do nearly as well as all of them.

Takes are added one by one. A candidate's score is the sum over states of influence times gain in value (eq. 4.3):
influence is how often the current policy visits a state, the gain is what a way through the candidate adds to its
value (eq. 4.4). The best candidate is added, and the tables are solved again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_count
from motionfields.control.training.sweeps import Actions, Buffers, improve_here, sweep_once
from motionfields.control.transitions import BLOCKED
from motionfields.field import MotionField
from motionfields.field.pruning import kept_states
from motionfields.measure.survey.subsets import Performance, Tables, TakeTables

EXACT = 0.01  # radians, tolerance of the values that gains are computed from
SWEEPS = 40  # over the states of a candidate, at most
FAR_BELOW = np.float32(100.0)  # radians below all known values: start of a candidate's values


class Step(NamedTuple):
    """One take of a selection, and the performance of all takes up to it."""

    take: str
    predicted: float  # predicted gain of the mean reward of a frame, in radians; NaN for the first take
    share: float  # share of the worth of the whole set
    performance: Performance


@dataclass(frozen=True, eq=False)
class Selection:
    """Takes in the order in which they were selected; see `select_takes`."""

    steps: tuple[Step, ...]
    kept: BoolArray  # [take]
    tables: TakeTables

    def field(self) -> MotionField:
        """Return the field of the selected takes and their mirror images; their states are unchanged."""
        return reduced_field(self.tables, self.kept)


def select_takes(
    field: MotionField,
    count: int,
    *,
    tables: TakeTables | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Selection:
    """Return the `count` takes of `field` that do best together for a character that walks in changing directions.

    The first take is the best one alone. `tables` are those of `TakeTables.of`, if already known. `on_progress` is
    called with a description of the work. A `count` of all takes or more selects all of them.
    """
    checked_count("count", count, 1)
    say = on_progress or (lambda text: None)
    say("training on all takes")
    use = tables or TakeTables.of(field)
    every = np.ones(use.take_count, np.bool_)
    most = max(use.worth(use.performance(every)), 1e-9)
    say("looking for the first take")
    alone = [use.performance(np.arange(use.take_count) == take).reward for take in range(use.take_count)]
    kept, best, predicted = ~every, int(np.argmax(alone)), float("nan")
    steps: list[Step] = []
    while True:
        kept[best] = True
        found = use.performance(kept)
        steps.append(Step(use.names[best], predicted, use.worth(found) / most, found))
        if len(steps) >= count or kept.all():
            return Selection(tuple(steps), kept, use)
        say(f"selected {len(steps)} of {min(count, use.take_count)} takes")
        gains = predicted_gains(use, kept)
        best = int(np.nanargmax(gains))
        predicted = float(gains[best])


def predicted_gains(tables: TakeTables, kept: BoolArray) -> FloatArray:
    """Return the predicted gain [take] of the mean reward of a frame in radians if one take is added to those `kept`.

    NaN for the takes that are kept already. Where the kept takes cannot move at all, each other take is solved for.
    """
    gains = np.full(len(kept), np.nan)
    current = tables.without(kept, tolerance=EXACT)
    if current is None:
        for take in np.flatnonzero(~kept).tolist():
            with_it = kept | (np.arange(len(kept)) == take)
            gains[take] = tables.performance(with_it).reward - tables.idle_reward
        return gains
    policy, visits = tables.visits(current)
    influence = np.zeros(current.values.shape)
    influence[policy.rows] = visits
    values = current.values + _shared_error(current, tables)
    for take in np.flatnonzero(~kept).tolist():
        both = tables.unsolved(kept | (np.arange(len(kept)) == take))
        assert both is not None  # more takes have more transitions
        new = tables.take_of[both.states] == take
        gains[take] = float((influence * _gains(both, new, values, tables)).sum())
    return gains


def _shared_error(current: Tables, tables: TakeTables) -> np.float32:
    """Return what the values of `current` lack, alike in all: value iteration leaves a constant open."""
    after = _swept(current, current.actions, current.values, tables)
    return np.float32((after - current.values).mean() / (1.0 - tables.settings.discount))


def _gains(both: Tables, new: BoolArray, values: FloatArray, tables: TakeTables) -> FloatArray:
    """Return the gain in value [state, node] of the states that are not `new` [state] by ways through those that are.

    `values` [state, node] are those of the former. The values of new states are solved for while the others stay.
    """
    old, added = np.flatnonzero(~new), np.flatnonzero(new)
    known = np.empty_like(both.values)
    known[old], known[added] = values, values.min() - FAR_BELOW
    within = _rows(both.actions, added)
    for _ in range(SWEEPS):
        after = _swept(both, within, known, tables)
        change = float(np.abs(after - known[added]).max())
        known[added] = after
        if change < EXACT:
            break
    ways = _rows(both.actions, old)
    closed = Actions(ways.targets, np.where(new[ways.targets], BLOCKED, ways.charges))
    with_new = _swept(both, ways, known, tables)
    without_new = _swept(both, closed, known, tables)
    return np.maximum(0.0, (with_new - without_new).astype(np.float64))


def _rows(actions: Actions, rows: IntArray) -> Actions:
    """Return the actions of the states `rows` alone."""
    return Actions(np.ascontiguousarray(actions.targets[rows]), np.ascontiguousarray(actions.charges[rows]))


def _swept(tables: Tables, actions: Actions, values: FloatArray, use: TakeTables) -> FloatArray:
    """Return the values [n, node] of `actions` [n, action], one sweep after `values` [state, node]."""
    shape = (len(actions.targets), values.shape[1])
    buffers = Buffers(np.empty(shape, np.float32), np.zeros(shape, np.uint16), np.empty_like(values))
    discounting = (use.settings.discount, use.settings.goal_change)
    return sweep_once(tables.table, actions, values, buffers, discounting, improve_here)


def reduced_field(tables: TakeTables, kept: BoolArray) -> MotionField:
    """Return the field of `tables` with only the takes in `kept` [take]."""
    field = tables.field
    database = kept_states(field.database, kept[tables.take_of])
    return MotionField(database, neighbor_count=field.neighbor_count, drift=field.drift, search=field.search)
