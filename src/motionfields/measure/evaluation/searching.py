"""A controller that finds its transitions by exact search at run time, as a reference for the precomputed tables."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.contract import ActionValues, Observation
from motionfields.control.controller import FieldController
from motionfields.control.transitions import TransitionFinder


class Found(NamedTuple):
    """Transitions found so far."""

    known: BoolArray  # [state], whether the state has been searched
    states: IntArray  # [state, transition]
    costs: FloatArray  # [state, transition, variant before, variant chosen]


@dataclass(frozen=True, eq=False)
class SearchingController(FieldController):
    """A field controller that searches exactly for the transitions of every state a character reaches.

    The result of each search is cached, since repeating it would give the same transitions.
    """

    @classmethod
    def of(cls, controller: FieldController) -> SearchingController:
        """Return `controller` without its table of transitions."""
        return cls(**{field.name: getattr(controller, field.name) for field in fields(controller)})

    @property
    def policy(self) -> None:
        """None: this controller decides in numpy."""
        return None

    @property
    def searched_count(self) -> int:
        """Number of states searched so far."""
        return int(self._found.known.sum())

    @cached_property
    def _found(self) -> Found:
        shape = (self.field.database.state_count, self._finder.count)
        return Found(
            np.zeros(shape[0], np.bool_),
            np.zeros(shape, np.int64),
            np.zeros((*shape, *self.transitions.costs.shape[2:]), np.float32),
        )

    @cached_property
    def _finder(self) -> TransitionFinder:
        return TransitionFinder(self.field, self.root_motion, self.settings)

    def action_values(self, seen: Observation) -> ActionValues:
        """Return the scores of the transitions found for the characters' current states."""
        state, found = seen.followers.state, self._found
        fresh = np.unique(state[~found.known[state]])
        if len(fresh):
            found.states[fresh], found.costs[fresh] = self._finder.find(fresh)
            found.known[fresh] = True
        recent = seen.followers.recent[:, : self.settings.memory]
        return self.score(found.states[state], found.costs[state], seen.followers.variant, seen.params, recent=recent)
