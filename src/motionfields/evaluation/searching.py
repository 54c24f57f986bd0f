"""A controller that finds its choices by exact search while it runs, to hold the tables of the usual one against."""

from __future__ import annotations

import numpy as np

from motionfields.arrays import FloatArray, IntArray
from motionfields.choices import jump_features, search_choices
from motionfields.controller import FieldController, best_steps
from motionfields.field import MotionField
from motionfields.moves import Moves
from motionfields.runtime import Crowd, Followers, Mind, Outlook, Steps
from motionfields.tasks import Task


class SearchingController:
    """What `controller` decides, but with an exact search for the choices of every state that a character comes to.

    What was found for a state is kept, since the next search would find the same.
    """

    policy = None

    def __init__(self, controller: FieldController) -> None:
        self.controller = controller
        choices, state_count = controller.choices, len(controller.choices.rows)
        self._features = jump_features(self.field.database, self.moves, half_life=controller.settings.half_life)
        self._known = np.zeros(state_count, np.bool_)
        self._rows = np.zeros(choices.rows.shape, np.int32)
        self._costs = np.zeros(choices.costs.shape, np.float32)

    @property
    def field(self) -> MotionField:
        """The motion that is followed."""
        return self.controller.field

    @property
    def task(self) -> Task:
        """What commands mean."""
        return self.controller.task

    @property
    def moves(self) -> Moves:
        """How each state moves a character."""
        return self.controller.moves

    @property
    def half_lives(self) -> tuple[float, float]:
        """Those of the springs, in seconds."""
        return self.controller.half_lives

    @property
    def starts(self) -> IntArray:
        """The states of the data that characters may begin at."""
        return self.controller.starts

    @property
    def searched_count(self) -> int:
        """How many states it has searched for."""
        return int(self._known.sum())

    def mind(self, count: int) -> Mind:
        """Nothing."""
        return ()

    def decide(self, followers: Followers, mind: Mind, params: FloatArray) -> tuple[Steps, Mind]:
        """The states and ways with the best outlook, of those that are found."""
        return best_steps(self.moves, self.outlook(followers, mind, params)), mind

    def outlook(self, followers: Followers, mind: Mind, params: FloatArray) -> Outlook:
        """What each choice that is found is worth."""
        row = followers.row
        fresh = np.unique(row[~self._known[row]])
        if len(fresh):
            settings = self.controller.settings
            found = search_choices(self.field, self.moves, settings, fresh, self._features)
            self._rows[fresh], self._costs[fresh] = found
            self._known[fresh] = True
        return self.controller.rate(self._rows[row].astype(np.int64), self._costs[row], followers.way, params)

    def prospects(self, followers: Followers, mind: Mind, params: FloatArray) -> FloatArray:
        """The value [n] of the states that characters are at."""
        return self.controller.prospects(followers, mind, params)

    def crowd(self, count: int = 1, *, seed: int = 0, plant: bool = True) -> Crowd:
        """`count` characters."""
        return Crowd(self, count, seed=seed, plant=plant)
