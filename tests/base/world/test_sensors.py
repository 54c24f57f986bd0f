"""Sensors: rays end where a marching twin ends, what is hidden is not seen, and coarser versions keep the nearest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.world import Box, DepthScan, Disc, Mover, Nearest, Room, Wall, World
from motionfields.base.world.rooms import block_distance
from motionfields.base.world.sensors import NOTHING, SIDE, pyramid, world_blocks

OBSTACLES = (
    Box(1.5, 1.0, 1.0, 0.6, 0.5),
    Wall((-2.0, 2.0), (0.5, 2.5), 0.2),
    Disc(-1.0, -1.5, 0.4),
    Box(-2.5, 0, 1, 0.02),
)
WORLD = World(
    Room((-4.0, -3.0, 4.0, 5.0), OBSTACLES, 0.25),
    (Mover(Disc(2.0, -2.0, 0.3), ((2.0, 3.0),), 0.8), Mover(Box(0.0, 4.0, 1.5, 0.1), spin=1.0)),
)


def marched(world: World, place: FloatArray, heading: float, time: float, reach: float) -> float:
    """Depth along one ray, found in steps of half a millimetre."""
    far = np.arange(0.0, reach, 0.0005)
    places = place + far[:, np.newaxis] * np.array([np.sin(heading), np.cos(heading)])
    met = world.clearance(places, time) <= 0.0
    return float(far[met.argmax()]) if met.any() else reach


def test_rays_end_where_a_marching_twin_ends(rng: np.random.Generator) -> None:
    sensor = DepthScan(16, span=4.0, reach=3.5, pyramid=False)
    places = rng.uniform((-3.8, -2.8), (3.8, 4.8), (12, 2))
    facing = rng.uniform(-np.pi, np.pi, 12)
    seen = sensor.look(WORLD, places, facing, time=1.3)
    for i in range(12):
        for k, angle in enumerate(sensor.angles):
            wanted = marched(WORLD, places[i], facing[i] + angle, 1.3, 3.5)
            assert seen.depth[i, k] == pytest.approx(wanted, abs=0.01)
            if seen.hit[i, k] == NOTHING:
                assert seen.depth[i, k] == 3.5


def test_a_wall_and_a_body_hide_what_is_behind_them() -> None:
    world = World(Room((-5.0, -5.0, 5.0, 5.0), (Disc(0.0, 3.0, 0.5), Wall((-1.0, 2.0), (1.0, 2.0))), 0.25))
    sensor = DepthScan(1, span=0.1, reach=20.0, pyramid=False)
    ahead = sensor.look(world, np.zeros((1, 2)), np.zeros(1))
    assert (ahead.depth[0, 0], ahead.hit[0, 0]) == (pytest.approx(1.95), 1)
    places, facing = np.array([[0.0, -1.0], [0.0, 1.0], [0.0, -3.0]]), np.zeros(3)
    alone = sensor.look(world, places, facing)
    assert alone.depth[:, 0].tolist() == pytest.approx([2.95, 0.95, 4.95])
    together = sensor.look(world, places, facing, bodies=places)
    assert together.depth[:, 0].tolist() == pytest.approx([1.75, 0.95, 1.75])  # bodies 2 m ahead, 0.25 m round
    assert together.hit[:, 0].tolist() == [3, 1, 2]
    assert sensor.look(world, places, np.full(3, np.pi)).hit[:, 0].tolist() == [SIDE] * 3


def test_closing_speed_is_that_of_the_seen_mover() -> None:
    world = World(Room((-5.0, -5.0, 5.0, 5.0)), (Mover(Disc(0.0, 4.0, 0.3), ((0.0, 0.0),), 0.7),))
    sensor = DepthScan(4, pyramid=False)
    seen = sensor.look(world, np.zeros((1, 2)), np.array([math.pi / 4]), time=1.0)
    assert seen.closing[0].tolist() == pytest.approx([0.0, 0.7, 0.0, 0.0], abs=1e-6)  # the second ray points to +z
    assert seen.depth[0, 1] == pytest.approx(3.0)


def test_coarser_versions_keep_the_nearest_of_two() -> None:
    assert pyramid(np.array([3.0, 1.0, 2.0, 4.0])).tolist() == [3.0, 1.0, 2.0, 4.0, 1.0, 2.0, 1.0]
    sensor = DepthScan(8)
    seen = sensor.look(WORLD, np.zeros((2, 2)), np.zeros(2))
    readings = sensor.readings(seen)
    assert readings.shape == (2, sensor.size)
    assert readings[:, -1].tolist() == seen.depth.min(axis=1).tolist()


def test_nearest_obstacles_come_in_order_with_their_numbers() -> None:
    sensor = Nearest(3, reach=4.0)
    place, facing = np.array([[0.0, 0.0]]), np.array([0.3])
    found = sensor.readings(WORLD, place, facing, time=1.0).reshape(3, 6)
    blocks, velocity = world_blocks(WORLD, 1.0)
    gaps = np.array([float(block_distance(place[0], block)) for block in blocks])
    assert found[:, 0].tolist() == pytest.approx(np.sort(gaps)[:3])
    for row, number in zip(found, np.argsort(gaps)[:3], strict=True):
        assert np.hypot(row[1], row[2]) == pytest.approx(gaps[number])
        point = np.array([np.cos(0.3) * row[1] + np.sin(0.3) * row[2], np.cos(0.3) * row[2] - np.sin(0.3) * row[1]])
        assert float(block_distance(point, blocks[number])) == pytest.approx(0.0, abs=1e-6)
        assert np.hypot(row[4], row[5]) == pytest.approx(np.hypot(*velocity[number]))
    given = Nearest(3, reach=4.0, ordered=False).readings(WORLD, place, facing, time=1.0).reshape(3, 6)
    assert given[:, 0].tolist() == pytest.approx(gaps[:3])  # in the order of the world
    nothing = sensor.readings(World.open(), place, facing)
    assert nothing.tolist() == [[4.0, 0, 0, 0, 0, 0] * 3]


def test_wrong_sensors_are_refused() -> None:
    for wrong in ({"rays": 0}, {"rays": 12}, {"rays": 8192}, {"span": 7.0}, {"span": np.nan}, {"reach": 0.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            DepthScan(**wrong)
    with pytest.raises(ValueError, match="count"):
        Nearest(0)
