"""Steps made by hand: four clips, of which the first two begin on the left foot and end on the right one."""

from __future__ import annotations

import numpy as np

from motionfields.control.methods.thesis.steps import Steps

TURN = 0.5  # radians, of clips 1 and 3


def hand_steps() -> Steps:
    """A step straight ahead by 0.5 m, one that turns left by 0.5 rad; then the same on the other foot, to the right.

    Turns swing out to the other side first, so that greedy decisions avoid them.
    """
    turn = np.array([0.0, TURN, 0.0, -TURN])
    travel = np.array([[0.0, 0.5], [-0.3, 0.3], [0.0, 0.5], [0.3, 0.3]])
    cost = np.full((4, 4), np.inf)
    cost[:2, 2:] = cost[2:, :2] = [[0.0, 0.2], [0.1, 0.3]]
    return Steps(
        np.arange(4),
        np.tile(turn, (4, 1)),
        np.tile(travel, (4, 1, 1)),
        cost,
        np.full(4, 0.6),
        np.tile([[0.1, 0.0]], (4, 1)) * np.array([[1.0], [1.0], [-1.0], [-1.0]]),
    )
