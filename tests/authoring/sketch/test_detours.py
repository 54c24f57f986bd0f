"""Paths that are led around obstacles."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.sketch import Stroke
from motionfields.authoring.sketch.detours import LEAD, SPARE, led_around
from motionfields.base.errors import PlanError
from motionfields.base.world import Box, Room, Wall

PATH = np.array([(0.0, 0.0), (0.0, 4.0)])
ROOM = Room((-3.0, -1.0, 3.0, 5.0), (Box(0.2, 2.0, 1.0, 0.4),), radius=0.25)


def test_a_clear_path_stays_as_it_is() -> None:
    stroke = Stroke.on_ground(PATH + np.array([2.0, 0.0]))
    assert led_around(stroke, ROOM) is stroke


def test_a_detour_is_clear_short_and_on_the_nearer_side() -> None:
    found = led_around(Stroke.on_ground(PATH), ROOM)
    assert ROOM.clearance(found.points[:, ::2]).min() >= ROOM.radius - 0.03
    np.testing.assert_allclose(found.points[[0, -1], ::2], PATH)
    # Aside over a metre before the box, along it, and back.
    aside, along = 0.5 - 0.2 + ROOM.radius + SPARE, 0.4
    assert found.length == pytest.approx(4.0 - 2.0 * LEAD - along + 2.0 * np.hypot(LEAD, aside) + along, abs=0.25)
    assert found.points[:, 0].min() < -0.4
    assert found.points[:, 0].max() < 0.01


def test_times_outside_of_a_detour_stay() -> None:
    drawn = Stroke.on_ground(PATH, np.array([0.0, 8.0]))
    found = led_around(drawn, ROOM)
    assert found.times is not None
    before = found.times < 2.0 * (2.0 - 0.2 - ROOM.radius - LEAD) - 0.1
    np.testing.assert_allclose(found.points[before], drawn.at(found.times)[before], atol=1e-9)
    assert before.sum() > 5
    assert found.times[-1] == 8.0


def test_a_path_that_ends_in_an_obstacle_ends_before_it() -> None:
    found = led_around(Stroke.on_ground(PATH * (1.0, 0.5)), ROOM)
    assert found.points[-1, 2] == pytest.approx(2.0 - 0.2 - ROOM.radius, abs=0.06)


def test_where_there_is_no_way_it_says_so() -> None:
    closed = Room(ROOM.bounds, (Wall((-3.0, 2.0), (3.0, 2.0)),), radius=0.25)
    with pytest.raises(PlanError, match="no way around"):
        led_around(Stroke.on_ground(PATH), closed)
    with pytest.raises(PlanError, match="begins outside"):
        led_around(Stroke.on_ground(PATH - (0.0, 2.0)), ROOM)


def test_a_path_that_would_take_much_memory_is_refused() -> None:
    there_and_back = np.tile([(0.0, 0.0), (9000.0, 0.0)], (500, 1))
    with pytest.raises(ValueError, match="at most 1000 m"):
        led_around(Stroke.on_ground(there_and_back, np.linspace(0.0, 60.0, 1000)), ROOM)
