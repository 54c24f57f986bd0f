"""Frames of a crowd, and checks of what goes into them: commands and decisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.contract import Decision
from motionfields.control.tasks import Task
from motionfields.field.database import MotionDatabase
from motionfields.runtime.follower import DisplayPose


class Frame(NamedTuple):
    """One frame of a crowd."""

    root_position: FloatArray  # [n, 3], metres
    rotations: FloatArray  # [n, joint, 4], as in a `Clip`
    planted: BoolArray  # [n, 2], whether the left and the right foot are locked in place
    states: IntArray  # [n], the database state of each character
    variants: IntArray  # [n], the variant of root motion that led there: 0 as captured, 1 warped


def blank_frame(count: int, joint_count: int) -> Frame:
    """Return a new frame of `count` characters to write to."""
    shown = DisplayPose.blank(count, joint_count)
    return Frame(*shown, np.zeros((count, 2), np.bool_), np.zeros(count, np.int64), np.zeros(count, np.int64))


def checked_frame(frame: Frame, count: int, joint_count: int) -> Frame:
    """Return `frame` if a crowd of `count` characters can write to it; ValueError if it does not fit."""
    shapes = ((count, 3), (count, joint_count, 4), (count, 2), (count,), (count,))
    types = (np.float64, np.float64, np.bool_, np.int64, np.int64)
    for track, shape, kind in zip(frame, shapes, types, strict=True):
        if track.shape != shape or track.dtype != kind or not track.flags.carray:
            raise ValueError(f"out: expected a frame that `step` returned for a crowd of {count}")
    return frame


def check_decision(decision: Decision, database: MotionDatabase, count: int) -> None:
    """Raise ValueError unless `decision` is valid: finite, for `count` characters, and of states with a next state."""
    states = decision.states
    if states.ndim != 2 or len(states) != count or states.dtype.kind not in "iu" or states.shape[1] < 1:
        raise ValueError(f"decide: expected states [{count}, k], got {states.dtype} of shape {states.shape}")
    if not ((states >= 0) & (states < database.state_count)).all():
        raise ValueError(f"decide: expected states from 0 to {database.state_count - 1}")
    if (database.frames_left[states] < 1).any():
        raise ValueError("decide: expected states with a next state, got the last state of a clip")
    for name, numbers in (("weights", decision.weights), ("spin", decision.spin), ("stretch", decision.stretch)):
        if len(numbers) != count or not np.isfinite(numbers).all():
            raise ValueError(f"decide: expected finite {name} for {count} characters")


def checked_commands(task: Task, commands: ArrayLike, count: int) -> FloatArray:
    """Return `commands` for `count` characters as [n, column], float64; ValueError if `task` expects others."""
    names = task.command_names
    given = np.asarray(commands, dtype=np.float64)
    if given.ndim < 2 and len(names) == 1:
        given = given[..., np.newaxis]
    try:
        table = np.broadcast_to(given, (count, len(names)))
    except ValueError:
        raise ValueError(
            f"commands: expected [{count}, {len(names)}] ({', '.join(names)}), got shape {given.shape}"
        ) from None
    if not np.isfinite(table).all():
        raise ValueError("commands: expected finite numbers")
    return table
