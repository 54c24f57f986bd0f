"""Controllers whose decisions need no training, the compiled runtime, and commands; for tests of the C runtime."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.native import NativeCrowd, build, compilers, load

from motionfields.base.arrays import FloatArray
from motionfields.control.controller import FieldController
from motionfields.control.grids import grid_size
from motionfields.control.root_motion import Warp, measure_root_motion
from motionfields.control.tasks import Direction, Lane, Line, Navigation, Task, Velocity
from motionfields.control.transitions import ControlSettings, Transitions, find_transitions
from motionfields.control.values import ValueTable
from motionfields.field import MotionField
from motionfields.runtime import Crowd
from tests.control.training.small import small_field

SETTINGS = ControlSettings(neighbor_count=6)
TASKS: tuple[Task, ...] = (Direction(), Line(), Velocity(), Lane(), Navigation(), Navigation(gait_count=2))
COMPILER_MISSING = "no C compiler: install gcc or clang, or ziglang from PyPI"
RANGES = {"heading": 4.0, "facing": 4.0, "speed": 1.6, "point_x": 3.0, "point_z": 3.0, "gait": 3.0}


@cache
def labelled_field() -> MotionField:
    """The small field with a column of gaits, some of them unknown."""
    field = small_field()
    gaits = np.arange(field.database.state_count) // 20 % 3 - 1
    return MotionField(field.database.with_column("gait", gaits))


@cache
def _transitions(warp: Warp | None) -> Transitions:
    field = small_field()
    return find_transitions(field, measure_root_motion(field.database, warp=warp), SETTINGS)


@cache
def controller(task: Task, warp: Warp | None) -> FieldController:
    """A controller that follows its rewards and arbitrary values: other bits lead to other decisions."""
    field = labelled_field() if isinstance(task, Navigation) else small_field()
    fitted, count = task.adapted(field.database), field.database.state_count * (1 if warp is None else 2)
    values = np.random.default_rng(5).normal(0.0, 2.0, (count, grid_size(fitted.axes))).astype(np.float32)
    return FieldController(field, fitted, SETTINGS, warp, _transitions(warp), ValueTable(fitted.axes, values))


def random_commands(task: Task, frame_count: int, count: int, *, seed: int = 3) -> FloatArray:
    """Commands [frame, n, column] that change about once a second; some are outside what the task can do."""
    rng = np.random.default_rng(seed)
    most = np.array([RANGES[name] for name in task.command_names])
    out = rng.uniform(-most, most, (frame_count, count, len(most)))
    changed = rng.random((frame_count, count)) < 1.0 / 30.0
    changed[0] = True
    latest = np.maximum.accumulate(np.where(changed, np.arange(frame_count)[:, np.newaxis], 0), axis=0)
    return np.ascontiguousarray(out[latest, np.arange(count)])


def native_twin(library: Any, data: bytes, crowd: Crowd) -> NativeCrowd:
    """Characters in C that begin where those of `crowd` are, before its first frame."""
    native = NativeCrowd(library, data, crowd.count, joint_count=crowd.field.database.skeleton.joint_count)
    native.start(crowd.followers.state)
    return native


def compiled(folder: Path, *options: str) -> Any:
    """The runtime as a library, compiled by the first compiler of this machine; a skip where there is none."""
    found = compilers()
    if not found:
        pytest.skip(COMPILER_MISSING)
    name = "-".join(option.strip("-") for option in options)
    return load(build(folder / f"runtime-{name}.so", compiler=next(iter(found.values())), options=options))
