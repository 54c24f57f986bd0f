"""Controllers whose decisions need no training, and the compiled runtime; for tests of the C runtime."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.build_native import compilers
from scripts.native import NativeCrowd, arbitrary_controller, build, load

from motionfields.control.controller import FieldController
from motionfields.control.root_motion import Warp, measure_root_motion
from motionfields.control.tasks import Direction, Lane, Line, Navigation, Task, Velocity
from motionfields.control.transitions import ControlSettings, Transitions, find_transitions
from motionfields.field import MotionField
from motionfields.runtime import Crowd
from tests.control.training.small import small_field

SETTINGS = ControlSettings(neighbor_count=6)
TASKS: tuple[Task, ...] = (Direction(), Line(), Velocity(), Lane(), Navigation(), Navigation(gait_count=2))
COMPILER_MISSING = "no C compiler: install gcc or clang, or ziglang from PyPI"


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
    """A controller on a small field, made once for all tests."""
    field = labelled_field() if isinstance(task, Navigation) else small_field()
    return arbitrary_controller(field, task, warp=warp, settings=SETTINGS, transitions=_transitions(warp))


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
