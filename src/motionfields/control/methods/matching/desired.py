"""Desired motion of a character for given task parameters: travel direction, speed and facing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import wrap_angle
from motionfields.control.methods.matching.settings import MatchingSettings
from motionfields.control.tasks import Direction, Lane, Line, Navigation, Task, Velocity


class Desired(NamedTuple):
    """The desired motion of characters from now on."""

    heading: FloatArray  # [n], desired direction of travel, radians to the left of the facing
    speed: FloatArray  # [n], desired speed, m/s
    facing: FloatArray  # [n], desired facing, radians to the left of the current one


Steer = Callable[[Task, FloatArray], Desired]
"""Function that returns the desired motion for a user-defined task and its parameters [n, axis]."""


def desired_by(task: Task, params: FloatArray, settings: MatchingSettings) -> Desired:
    """Return the desired motion of characters with the parameters `params` [n, axis]; TypeError for an unknown task."""
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
    if isinstance(task, Navigation):
        return Desired(wrap_angle(angle + params[:, 1]), params[:, 2], angle)
    raise TypeError(
        f"task: expected Direction, Line, Velocity, Lane or Navigation, got {type(task).__name__}; "
        "for another task pass `steer`, a function of task and parameters that returns Desired"
    )


def _share(speed: FloatArray, facing_speed: float) -> FloatArray:
    """Return the fraction [n] of a turn to make: 1 from `facing_speed` on, less below it.

    A standing character may face anywhere, so the slower it should move, the less it turns.
    """
    return np.minimum(1.0, speed / facing_speed) if facing_speed > 0.0 else np.ones(len(speed))


def _to_line(angle: FloatArray, distance: FloatArray, speed: FloatArray, settings: MatchingSettings) -> Desired:
    """Return the desired motion of characters `distance` [n] metres to the left of a line at `angle` [n]."""
    off = np.sign(distance) * np.maximum(np.abs(distance) - settings.line_width, 0.0)
    aside = np.arctan2(off, settings.look_ahead)
    return Desired(angle - aside, speed, angle - settings.look_share * aside)
