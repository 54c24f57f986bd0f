"""What the parameters of a task ask of a character: which way to go, how fast, and where to face."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from motionfields.arrays import FloatArray
from motionfields.methods.matching.settings import MatchingSettings
from motionfields.tasks import Direction, Line, Task, Velocity


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
        # Who stands may face anywhere, so the slower it should go, the less it need turn.
        share = np.minimum(1.0, params[:, 1] / task.facing_speed) if task.facing_speed > 0.0 else 1.0
        return Desired(angle, params[:, 1], angle * share)
    if isinstance(task, Line):
        off = np.sign(params[:, 1]) * np.maximum(np.abs(params[:, 1]) - settings.line_width, 0.0)
        aside = np.arctan2(off, settings.look_ahead)
        return Desired(angle - aside, np.full(len(angle), task.speed or 0.0), angle - settings.look_share * aside)
    raise TypeError(
        f"task: {type(task).__name__} is none of Direction, Line and Velocity; "
        "say what it asks for by a function `steer` from task and parameters to Desired"
    )
