"""A controller that finds its choices by exact search while it runs, to hold the tables of the usual one against."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.controller import FieldController
from motionfields.control.transitions import ChoiceFinder
from motionfields.runtime import Followers, Mind, Outlook


class Found(NamedTuple):
    """What was found so far, of all states."""

    known: BoolArray  # [state]
    rows: IntArray  # [state, choice]
    costs: FloatArray  # [state, choice, way before, way chosen]


@dataclass(frozen=True, eq=False)
class SearchingController(FieldController):
    """A field controller that searches, exactly, for the choices of every state that a character comes to.

    What was found for a state is kept, since the next search would find the same.
    """

    @classmethod
    def of(cls, controller: FieldController) -> SearchingController:
        """`controller` without its tables of choices."""
        return cls(**{field.name: getattr(controller, field.name) for field in fields(controller)})

    @property
    def policy(self) -> None:
        """None: it decides in numpy."""
        return None

    @property
    def searched_count(self) -> int:
        """How many states it has searched for."""
        return int(self._found.known.sum())

    @cached_property
    def _found(self) -> Found:
        rows, costs = self.choices.rows, self.choices.costs
        return Found(np.zeros(len(rows), np.bool_), np.zeros(rows.shape, np.int64), np.zeros(costs.shape, np.float32))

    @cached_property
    def _finder(self) -> ChoiceFinder:
        return ChoiceFinder(self.field, self.moves, self.settings)

    def outlook(self, followers: Followers, mind: Mind, params: FloatArray) -> Outlook:
        """What each choice that is found is worth to the characters `followers` [n] for `params` [n, axis]."""
        row, found = followers.row, self._found
        fresh = np.unique(row[~found.known[row]])
        if len(fresh):
            found.rows[fresh], found.costs[fresh] = self._finder.find(fresh)
            found.known[fresh] = True
        return self.rate(found.rows[row], found.costs[row], followers.way, params)
