"""A method of control of one's own: go on in the data, and jump to the nearest state where a clip ends."""

from __future__ import annotations

import numpy as np

from motionfields.control.contract import Controller, ControllerState, Decision, Observation


class Stroll(Controller):
    """Plays the data from clip to clip, whatever it is told; `decide` is all that a method must write."""

    kind = "stroll"

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        """Return the state that each character is at, or the nearest one that goes on."""
        states, database = seen.followers.state.copy(), self.field.database
        ended = np.flatnonzero(database.frames_left[states] < 1)
        if len(ended):
            states[ended] = self.field.neighbors(database.states(states[ended]), 1).indices[:, 0]
        return Decision.follow(states), seen.controller_state
