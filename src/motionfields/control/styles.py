"""Styles of motion as costs of control, so that a character in mixed data keeps to the style that is wanted.

A column of the database gives the style of every state as a whole number: for example 0 for plain walking and running,
1 for carrying, 2 for dancing. A negative number means that the style is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.field.database import MotionDatabase
from motionfields.field.database.columns import whole_numbers


@dataclass(frozen=True)
class Styles:
    """Costs of styles, in the unit of the reward: radians off the goal for one frame.

    `column` is the column of the database that holds the styles. Following a state of a known style that is not among
    `wanted` costs `unwanted_cost` in every frame; None means that all styles are wanted. A transition between two
    states of different known styles costs `change_cost`. States of unknown style, below 0, cost nothing.
    """

    column: str
    wanted: tuple[int, ...] | None = None
    unwanted_cost: float = 4.0
    change_cost: float = 4.0

    def __post_init__(self) -> None:
        for name in ("unwanted_cost", "change_cost"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if self.wanted is not None and (not self.wanted or any(style < 0 for style in self.wanted)):
            raise ValueError(f"wanted: expected one or more styles, 0 or above, got {self.wanted}")

    @classmethod
    def restored(cls, facts: Mapping[str, Any]) -> Styles:
        """Return the styles that `dataclasses.asdict` described, after JSON has made lists of tuples."""
        wanted = facts["wanted"]
        return cls(**{**facts, "wanted": None if wanted is None else tuple(int(style) for style in wanted)})

    def of(self, database: MotionDatabase) -> IntArray:
        """Return the style [state] of every state of `database`; ValueError unless it has such a column."""
        if self.column not in database.columns:
            known = ", ".join(database.columns) or "none"
            raise ValueError(f"styles: expected a column {self.column!r} in the database, got {known}")
        return whole_numbers(self.column, database.columns[self.column])

    def state_costs(self, database: MotionDatabase) -> FloatArray:
        """Return the cost [state] of following each state of `database` for one frame."""
        styles = self.of(database)
        if self.wanted is None:
            return np.zeros(len(styles))
        return np.where((styles >= 0) & ~np.isin(styles, self.wanted), self.unwanted_cost, 0.0)

    def transition_costs(self, database: MotionDatabase, states: IntArray, targets: IntArray) -> FloatArray:
        """Return the cost [n, transition] of going from `states` [n] to `targets` [n, transition]."""
        styles = self.of(database)
        before, after = styles[states, np.newaxis], styles[targets]
        return np.where((before >= 0) & (after >= 0) & (before != after), self.change_cost, 0.0)
