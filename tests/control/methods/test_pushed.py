"""Characters of every method can be pushed: it is the crowd that is pushed, not the controller."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from motionfields.control.methods import train_graph, train_matching
from motionfields.control.tasks import Direction, Task
from motionfields.field import MotionField
from motionfields.runtime import Controller
from tests.control.training.small import small_field

pytest.importorskip("mujoco", reason="pushes need the extra physics")


@pytest.mark.parametrize("method", [train_graph, train_matching])
def test_a_push_moves_who_is_pushed_alone_and_it_walks_on(method: Callable[[MotionField, Task], Controller]) -> None:
    controller = method(small_field(), Direction())
    pushed, twin = (controller.crowd(2, seed=3) for _ in range(2))
    for frame in range(90):
        if frame == 20:
            pushed.push(0, "Hips", (300.0, 0.0, 0.0), duration=0.15)
        shown, undisturbed = pushed.step(0.5), twin.step(0.5)
        np.testing.assert_array_equal(shown.rotations[1], undisturbed.rotations[1])
        assert np.isfinite(shown.rotations).all()
        if frame == 30:
            assert shown.root_position[0, 0] - undisturbed.root_position[0, 0] > 0.05
    away = np.linalg.norm(pushed.followers.position[0] - twin.followers.position[0])
    assert 0.05 < away < 3.0
    assert abs(pushed.ground.facing[0] - 0.5) < 0.6
