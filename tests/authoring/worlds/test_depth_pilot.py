"""Steering by depth: around walls that no map shows, out of a dead end, past movers and other characters."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.worlds import DepthPilot, Futures, Pilot
from motionfields.base.arrays import FloatArray
from motionfields.base.world import DepthScan, Disc, Follow, Goal, Mover, Reach, Room, Survive, Through, Wall, World
from motionfields.control.controller import FieldController
from motionfields.runtime import Crowd

NARROW = DepthScan(64, reach=5.0, pyramid=False)


def walked(walker: FieldController, pilot: Pilot, places: FloatArray, facing: FloatArray, frames: int) -> FloatArray:
    """The displayed places [frame, n, 2] of characters that `pilot` steers, until all have arrived."""
    crowd, way = Crowd(walker, len(places), seed=1), []
    crowd.place(slice(None), places, facing)
    for _ in range(frames):
        way.append(crowd.step(pilot.commands(crowd)).root_position[:, ::2])
        if pilot.reached.all():
            break
    return np.array(way)


def test_a_character_finds_its_way_out_of_a_dead_end(walker: FieldController, futures: Futures) -> None:
    walls = (Wall((-1.5, 2.5), (1.5, 2.5)), Wall((-1.5, 0.5), (-1.5, 2.5)), Wall((1.5, 0.5), (1.5, 2.5)))
    world = World(Room((-6.0, -4.0, 6.0, 7.0), walls, radius=0.25))
    pilot = DepthPilot(futures, world, [Reach(0.0, 5.0)])
    way = walked(walker, pilot, np.array([[0.0, -0.5]]), np.zeros(1), 900)
    assert pilot.reached.all()
    assert world.clearance(way).min() > world.room.radius - 0.02


def test_characters_avoid_a_mover_and_each_other(walker: FieldController, futures: Futures) -> None:
    world = World(
        Room((-6.0, -6.0, 6.0, 6.0), radius=0.25), (Mover(Disc(4.0, 0.5, 0.3), ((-4.0, 0.5), (4.0, 0.5)), 0.7),)
    )
    goals: list[Goal] = [Reach(0.0, 3.5), Through((-1.0, -4.0), (1.0, -4.0))]
    pilot = DepthPilot(futures, world, goals, sensor=NARROW)
    places = np.array([[0.0, -3.5], [0.1, 3.0]])
    way = walked(walker, pilot, places, np.array([0.0, np.pi]), 600)
    assert pilot.reached.all()
    assert np.linalg.norm(way[:, 0] - way[:, 1], axis=1).min() > 0.5
    dt = futures.frame_time
    gaps = [world.clearance(places, (number + 1) * dt).min() for number, places in enumerate(way)]
    assert min(gaps) > 0.25


def test_what_cannot_be_seen_changes_nothing(walker: FieldController, futures: Futures) -> None:
    wall = Wall((-5.0, 2.0), (5.0, 2.0))
    found = []
    for hidden in ((), (Disc(0.0, 4.0, 0.8), Wall((-3.0, 3.0), (3.0, 5.0)))):
        world = World(Room((-5.0, -5.0, 5.0, 6.0), (wall, *hidden), radius=0.25))
        pilot = DepthPilot(futures, world, [Reach(3.0, -3.0)], sensor=NARROW)
        found.append(walked(walker, pilot, np.array([[-2.0, -1.0]]), np.zeros(1), 90))
    assert np.array_equal(found[0], found[1])


def test_a_character_that_only_avoids_steps_aside(walker: FieldController, futures: Futures) -> None:
    world = World(Room((-6.0, -6.0, 6.0, 6.0), radius=0.25), (Mover(Disc(5.0, 0.0, 0.3), ((-5.0, 0.0),), 1.0),))
    pilot = DepthPilot(futures, world, [Survive()], sensor=NARROW)
    way = walked(walker, pilot, np.zeros((1, 2)), np.zeros(1), 300)
    gaps = [world.clearance(places, (number + 1) * futures.frame_time).min() for number, places in enumerate(way)]
    assert min(gaps) > 0.25
    assert np.abs(way[-1]).max() < 4.0


def test_wrong_arguments_are_refused(futures: Futures) -> None:
    with pytest.raises(ValueError, match="depth alone"):
        DepthPilot(futures, World.open(), [Survive(), Follow(0)])
    with pytest.raises(TypeError, match="DepthScan"):
        DepthPilot(futures, World.open(), [Survive()], sensor=32)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="memory"):
        DepthPilot(futures, World.open(), [Survive()], memory=-1.0)
