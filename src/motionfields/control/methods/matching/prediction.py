"""Where a character will be if springs bring it to the velocity and the facing that it should have.

Both springs are critically damped, so the answer is exact for any time ahead: no integration.
"""

from __future__ import annotations

import math

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import kernel
from motionfields.base.springs import spring_stiffness


def spring_places(times: FloatArray, half_life: float) -> FloatArray:
    """How far [time, 2] a velocity that a spring brings from its start to its goal gets, for each m/s of both.

    The place at a time is the first times the velocity at the start plus the second times that of the goal.
    """
    y = spring_stiffness(half_life)
    decay = np.exp(-y * times)
    # The gap to the goal falls as exp(-y t)(1 + y t); this is its integral.
    start = (2.0 - decay * (2.0 + y * times)) / y
    return np.stack([start, times - start], axis=-1)


def spring_turns(times: FloatArray, half_life: float) -> FloatArray:
    """What is left [time, 2] of an angle to its goal, for each radian at the start and each rad/s of its rate."""
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
    """Fill `out` [4 times] with the trajectory of one character: place x, z and facing x, z at each time.

    It goes with `velocity` [2] m/s and turns with `turning` rad/s from `facing`; `places` and `turns` come from
    `spring_places` and `spring_turns`. The facing goes the short way round.
    """
    gap = facing - goal_facing
    gap -= 2.0 * math.pi * math.floor((gap + math.pi) / (2.0 * math.pi))
    for t in range(len(places)):
        for c in range(2):
            out[4 * t + c] = places[t, 0] * velocity[c] + places[t, 1] * goal_velocity[c]
        angle = goal_facing + turns[t, 0] * gap + turns[t, 1] * turning
        out[4 * t + 2] = math.sin(angle)
        out[4 * t + 3] = math.cos(angle)
