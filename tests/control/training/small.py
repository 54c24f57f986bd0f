"""A field small enough for plain loops, and controllers on it, made once for all tests that steer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numba
import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.contract import Controller, ControllerState, Observation
from motionfields.control.controller import FieldController
from motionfields.control.followers import Followers
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Task
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = ("walk_forward", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_135_quick")  # and mirror images
SETTINGS = ControlSettings(neighbor_count=20)
WARP = Warp()


@cache
def small_field() -> MotionField:
    """Walking and three turns to each side."""
    return MotionField(MotionDatabase.build(s.clip for s in generate_samples(only=CLIPS)))


@cache
def direction_controller(*, warped: bool = True) -> FieldController:
    """A controller for headings on the small field."""
    return train(small_field(), Direction(), warp=WARP if warped else None, settings=SETTINGS)


@cache
def small_controller(task: Task, *, warp: Warp | None = None) -> FieldController:
    """A controller for `task` on the small field, its values only about right."""
    return train(small_field(), task, warp=warp, settings=SETTINGS, tolerance=0.1)


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Compiled loops on `count` threads, where the computer has as many."""
    usual = numba.get_num_threads()
    if count > int(getattr(numba.config, "NUMBA_NUM_THREADS")):  # noqa: B009 - numba sets it, and declares nothing
        pytest.skip(f"numba has fewer than {count} threads here")
    numba.set_num_threads(count)
    try:
        yield
    finally:
        numba.set_num_threads(usual)


def plain_grid_value(row: FloatArray, task: Task, params: FloatArray) -> float:
    """The multilinear value at one point, along one axis after the other."""
    values = row.reshape([len(axis.nodes) for axis in task.axes]).astype(np.float64)
    for axis, point in zip(task.axes, params, strict=True):
        cell = int(np.clip(np.searchsorted(axis.nodes, point, side="right") - 1, 0, len(axis.nodes) - 2))
        share = np.clip((point - axis.nodes[cell]) / (axis.nodes[cell + 1] - axis.nodes[cell]), 0.0, 1.0)
        values = (1.0 - share) * values[cell] + share * values[cell + 1]
    return float(values)


def observed(
    controller: Controller, followers: Followers, controller_state: ControllerState, params: FloatArray
) -> Observation:
    """Return the observation of characters for `controller`."""
    return Observation.of(controller.field.database, followers, controller_state, params)
