"""What the parameters of a task ask of a character: which way to go, how fast, and where to face."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.control.methods.matching.settings import MatchingSettings
from motionfields.control.tasks import Direction, Lane, Line, Task, Velocity


class Desired(NamedTuple):
    """Where characters should go from now on."""

    heading: FloatArray  # [n], radians to the left of the facing that they should travel
    speed: FloatArray  # [n], m/s
    facing: FloatArray  # [n], radians to the left of the facing that they should face


Steer = Callable[[Task, FloatArray], Desired]
"""What a task of one's own asks for, from its parameters [n, axis]."""


def desired_by(task: Task, params: FloatArray, settings: MatchingSettings) -> Desired:
    """What `task` asks of characters whose parameters are `params` [n, axis]; TypeError for one that is not known."""
    angle = params[:, 0]
    if isinstance(task, Direction):
        return Desired(angle, np.full(len(angle), task.speed or 0.0), angle)
    if isinstance(task, Velocity):
        return Desired(angle, params[:, 1], angle * _share(params[:, 1], task.facing_speed))
    if isinstance(task, Line):
        speed = np.full(len(angle), task.speed or 0.0)
        return _to_line(angle, params[:, 1], speed, settings)
    if isinstance(task, Lane):
        to_line = _to_line(angle, params[:, 1], params[:, 2], settings)
        return to_line._replace(facing=to_line.facing * _share(params[:, 2], task.facing_speed))
    raise TypeError(
        f"task: {type(task).__name__} is none of Direction, Line, Velocity and Lane; "
        "say what it asks for by a function `steer` from task and parameters to Desired"
    )


def _share(speed: FloatArray, facing_speed: float) -> FloatArray:
    """How much [n] of a turn to make: who stands may face anywhere, so the slower it should go, the less it turns."""
    return np.minimum(1.0, speed / facing_speed) if facing_speed > 0.0 else np.ones(len(speed))


def _to_line(angle: FloatArray, distance: FloatArray, speed: FloatArray, settings: MatchingSettings) -> Desired:
    """Back to a line at `angle` [n] whose left the characters are `distance` [n] metres on, and along it."""
    off = np.sign(distance) * np.maximum(np.abs(distance) - settings.line_width, 0.0)
    aside = np.arctan2(off, settings.look_ahead)
    return Desired(angle - aside, speed, angle - settings.look_share * aside)
