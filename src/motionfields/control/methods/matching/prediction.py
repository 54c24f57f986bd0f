"""Prediction of a character's trajectory, when springs bring it to the desired velocity and facing.

Both springs are critically damped, so the prediction is exact for any time ahead, without integration.
"""

from __future__ import annotations

import math

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import kernel
from motionfields.base.springs import spring_stiffness


def spring_places(times: FloatArray, half_life: float) -> FloatArray:
    """Return the distance [time, 2] travelled per m/s of the start and of the goal velocity.

    A spring moves the velocity from its start to its goal. The position at a time is the first column times the start
    velocity plus the second column times the goal velocity.
    """
    y = spring_stiffness(half_life)
    decay = np.exp(-y * times)
    # The gap to the goal falls as exp(-y t)(1 + y t); this is its integral.
    start = (2.0 - decay * (2.0 + y * times)) / y
    return np.stack([start, times - start], axis=-1)


def spring_turns(times: FloatArray, half_life: float) -> FloatArray:
    """Return the remaining angle [time, 2] to the goal per radian at the start and per rad/s of its initial rate."""
    y = spring_stiffness(half_life)
    decay = np.exp(-y * times)
    return np.stack([decay * (1.0 + y * times), decay * times], axis=-1)


@kernel
def predict(
    velocity: FloatArray,
    turning: float,
    facing: float,
    goal_velocity: tuple[float, float],
    goal_facing: float,
    places: FloatArray,
    turns: FloatArray,
    out: FloatArray,
) -> None:
    """Fill `out` [4 times] with the trajectory of one character: position x, z and facing x, z at each time.

    The character moves with `velocity` [2] in m/s and turns with `turning` in rad/s from `facing`; `places` and `turns`
    come from `spring_places` and `spring_turns`. The facing turns the short way round.
    """
    gap = facing - goal_facing
    # Wrap to [-pi, pi), which selects the short way.
    gap -= 2.0 * math.pi * math.floor((gap + math.pi) / (2.0 * math.pi))
    for t in range(len(places)):
        for c in range(2):
            out[4 * t + c] = places[t, 0] * velocity[c] + places[t, 1] * goal_velocity[c]
        angle = goal_facing + turns[t, 0] * gap + turns[t, 1] * turning
        out[4 * t + 2] = math.sin(angle)
        out[4 * t + 3] = math.cos(angle)
