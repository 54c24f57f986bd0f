"""Wishes for tasks that take both a line and a speed."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.tasks import Ground, Lane, Navigation
from motionfields.studio.steering import Steering, Wish, check_commands

TASK = Lane(top=1.2)


@pytest.fixture
def ground() -> Ground:
    return Ground(np.array([[1.0, 2.0], [-3.0, 0.5]]), np.array([0.4, 0.6]))


def test_a_heading_is_a_line_through_where_each_was_at_full_pace(ground: Ground) -> None:
    check_commands(TASK)
    steering = Steering(TASK, ground)
    steering.tell(Wish("heading", heading=0.7, share=0.5), ground)
    moved = ground._replace(position=ground.position + 1.0)
    commands = steering.commands(moved)
    np.testing.assert_allclose(commands, [[1.0, 2.0, 0.7, 0.6], [-3.0, 0.5, 0.7, 0.6]])
    assert steering.goal(1, commands).kind == "line"


def test_a_line_is_told_to_all_with_the_pace(ground: Ground) -> None:
    steering = Steering(TASK, ground)
    steering.pace = 0.9
    steering.tell(Wish("line", heading=-1.0, point=(5.0, 6.0)), ground)
    np.testing.assert_allclose(steering.commands(ground), np.tile([5.0, 6.0, -1.0, 0.9], (2, 1)))


def test_a_task_with_a_facing_faces_where_it_goes(ground: Ground) -> None:
    task = Navigation(top=2.0)
    check_commands(task)
    steering = Steering(task, ground)
    steering.tell(Wish("heading", heading=0.7, share=0.5), ground)
    np.testing.assert_allclose(steering.commands(ground), [[0.7, 1.0, 0.7]] * 2)
    with pytest.raises(ValueError, match="Navigation also needs gait"):
        check_commands(Navigation(gait_count=2))


def test_letting_go_asks_to_stand(ground: Ground) -> None:
    steering = Steering(TASK, ground)
    steering.let_go(ground)
    commands = steering.commands(ground)
    np.testing.assert_array_equal(commands[:, 3], 0.0)
    assert steering.goal(0, commands).kind == "stand"


def test_who_comes_to_its_point_slows_down_and_stands(ground: Ground) -> None:
    steering = Steering(TASK, ground)
    steering.tell(Wish("point", point=(1.0, 3.0)), ground)
    np.testing.assert_allclose(steering.commands(ground)[0], [1.0, 2.0, 0.0, 0.8])
    there = ground._replace(position=np.array([[1.0, 2.5], [-3.0, 0.5]]))
    assert steering.commands(there)[0, 3] == 0.0
