"""The C runtime displays the bits of numba's loops, for every task, with and without a warp."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scripts.native import random_commands

from motionfields.base.native import without_library
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Line
from motionfields.export import pack_bytes
from tests.conftest import LONG
from tests.native.crowds import TASKS, controller, native_twin

COUNT, FRAMES = (64, 1000) if LONG else (24, 90)


@pytest.mark.parametrize("warp", [None, Warp()], ids=["plain", "warp"])
@pytest.mark.parametrize(
    "task", TASKS, ids=lambda task: f"{type(task).__name__}{getattr(task, 'gait_count', '') or ''}"
)
def test_characters_in_c_are_bit_identical(twin_library: Any, task: Any, warp: Warp | None) -> None:
    trained = controller(task, warp)
    with without_library():
        crowd = trained.crowd(COUNT, seed=3)
    native = native_twin(twin_library, pack_bytes(trained, exact=True), crowd)
    locked, variants = 0, set()
    for frame, commands in enumerate(random_commands(trained.task, FRAMES, COUNT)):
        shown = crowd.step(commands)
        native.step(commands)
        np.testing.assert_array_equal(native.root, shown.root_position, err_msg=f"frame {frame}")
        np.testing.assert_array_equal(native.rotations, shown.rotations, err_msg=f"frame {frame}")
        locked += int(shown.planted.sum())
        variants |= set(shown.variants.tolist())
    looks = native.look()
    ground = crowd.ground
    np.testing.assert_array_equal([(one.x, one.z) for one in looks], ground.position)
    np.testing.assert_array_equal([one.facing for one in looks], ground.facing)
    assert [one.state for one in looks] == shown.states.tolist()
    assert [one.locked for one in looks] == (shown.planted @ [1, 2]).tolist()
    assert locked > 0
    assert variants == ({0} if warp is None else {0, 1})


def test_level_of_detail_and_places_are_bit_identical(twin_library: Any) -> None:
    trained = controller(Line(), Warp())
    with without_library():
        crowd = trained.crowd(COUNT, seed=4)
    native = native_twin(twin_library, pack_bytes(trained, exact=True), crowd)
    for i in range(COUNT):
        every, plant = 1 + i % 5, i % 3 > 0
        crowd.set_detail(np.array([i]), every=every, plant=plant)
        native.detail(i, every=every, plant=plant)
    for frame, commands in enumerate(random_commands(trained.task, 60, COUNT)):
        if frame == 30:
            crowd.place(np.array([2, 7]), [[3.0, -2.0], [500.0, 1e5]], [1.0, -40.0])
            native.place(2, 3.0, -2.0, 1.0)
            native.place(7, 500.0, 1e5, -40.0)
        shown = crowd.step(commands)
        native.step(commands)
        np.testing.assert_array_equal(native.root, shown.root_position, err_msg=f"frame {frame}")
        np.testing.assert_array_equal(native.rotations, shown.rotations, err_msg=f"frame {frame}")


def test_the_bundled_functions_change_a_pose_by_less_than_a_micrometre(library: Any) -> None:
    trained = controller(Direction(), None)
    with without_library():
        crowd = trained.crowd(COUNT, seed=3)
    native = native_twin(library, pack_bytes(trained, exact=True), crowd)
    for commands in random_commands(trained.task, 4, COUNT):
        shown = crowd.step(commands)
        native.step(commands)
    assert np.abs(native.root - shown.root_position).max() < 1e-6
    assert np.abs(native.rotations - shown.rotations).max() < 1e-6
