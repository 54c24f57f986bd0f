"""Sight: circles fit, what moves is tracked, what stood is remembered while hidden and forgotten when it is gone."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.worlds.rolling import SAMPLES
from motionfields.authoring.worlds.sight import (
    FARTHEST,
    Glance,
    Sight,
    fitted_circle,
    seen_through,
    shifted_centre,
    stamp,
)
from motionfields.base.world import Box, DepthScan, Disc, Mover, Room, Wall, World

SENSOR = DepthScan(256, reach=6.0, pyramid=False)
BOUNDS = (-20.0, -20.0, 20.0, 20.0)


def glance(world: World, place: tuple[float, float], time: float, facing: float = 0.0) -> Glance:
    where = np.array([place])
    return Glance(where[0], facing, SENSOR.look(world, where, np.array([facing]), time=time).depth[0])


def test_circles_fit_arcs(rng: np.random.Generator) -> None:
    angles = rng.uniform(0.3, 1.4, 9)
    points = np.array([2.0, -1.0]) + 0.4 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    fit = fitted_circle(points)
    assert (*fit.centre, fit.radius) == pytest.approx((2.0, -1.0, 0.4), abs=1e-9)
    assert fit.error < 1e-9
    assert shifted_centre(points, np.array([2.08, -1.06]), 0.4) == pytest.approx([2.0, -1.0], abs=0.01)


def test_points_are_seen_through_where_both_rays_beside_them_pass() -> None:
    world = World(Room(BOUNDS, (Disc(0.0, 3.0, 0.5),)))
    points = np.array([[0.0, 2.0], [0.0, 2.45], [0.0, 2.5], [0.0, 4.0], [1.0, 3.0], [0.49, 3.0], [-3.0, 0.0], [0.0, 7]])
    found = seen_through(SENSOR, glance(world, (0.0, 0.0), 0.0, 0.4), points)
    assert found.tolist() == [True, False, False, False, True, False, True, False]
    ahead = DepthScan(16, span=1.0, reach=6.0, pyramid=False)
    narrow = Glance(np.zeros(2), 0.0, ahead.look(world, np.zeros((1, 2)), np.zeros(1)).depth[0])
    assert seen_through(ahead, narrow, points).tolist() == [True, False, False, False, True, False, False, False]


def test_a_mover_is_tracked_and_standing_things_are_not() -> None:
    room = Room(BOUNDS, (Box(-1.5, 4.0, 1.0, 0.8, 0.3), Wall((2.0, 1.0), (2.5, 4.0)), Disc(-3.0, 1.0, 0.5)))
    world = World(room, (Mover(Disc(3.0, 5.0, 0.3), ((-3.0, 3.0),), 0.8),))
    sight = Sight(SENSOR, 10.0)
    for number in range(12):
        time = 0.2 * number
        sight.update(time, glance(world, (0.0, 0.2 * number), time, 0.1 * number))
    (track,) = sight.tracks
    here, later = world.mover_blocks(np.array([time, time + 1.0]))[:, 0]
    assert track.centre == pytest.approx(here[:2], abs=0.01)
    assert track.radius == pytest.approx(0.3, abs=0.01)
    assert track.velocity == pytest.approx(later[:2] - here[:2], abs=0.03)
    blocks = sight.movers(time, 0.25)
    assert blocks.shape == (SAMPLES + 1, 2, 6)
    assert blocks[4, 0, :2] == pytest.approx(later[:2], abs=0.05)
    assert blocks[3, 1, :2] == pytest.approx(here[:2] - 0.75 * track.velocity)  # it may turn back
    assert np.abs(blocks[5, 1, :2]).min() > 1e4  # later than the character can react
    assert np.abs(room.clearance(sight.points)).max() < 1e-6  # everything that is remembered stands there


def test_a_hidden_mover_is_expected_to_go_on_and_then_forgotten() -> None:
    world = World(Room(BOUNDS, (Wall((-0.8, 2.0), (0.8, 2.0)),)), (Mover(Disc(-4.0, 4.0, 0.3), ((9.0, 4.0),), 1.0),))
    sight, seen = Sight(SENSOR, 10.0), []
    for number in range(60):
        time = 0.1 * number
        sight.update(time, glance(world, (0.0, 0.0), time))
        track = min(sight.tracks, key=lambda one: float(np.hypot(*(one.at(time) - (time - 4.0, 4.0)))), default=None)
        seen.append(track is not None and bool(np.hypot(*(track.at(time) - (time - 4.0, 4.0))) < 0.1))
    assert all(seen[5:20])  # in sight, then hidden by the wall from about x = -1.6
    assert all(seen[25:30])
    assert not all(seen[30:45])


def test_whatever_a_ray_meets_is_remembered_or_tracked() -> None:
    door = Mover(Box(0.0, 3.0, 1.6, 0.1), spin=0.7)
    world = World(
        Room(BOUNDS, (Wall((-3.0, 4.0), (2.0, 4.2)),)), (door, Mover(Disc(3.0, 3.5, 0.3), ((-3.0, 3.6),), 1.0))
    )
    sight = Sight(SENSOR, 10.0)
    for number in range(25):
        time = 0.2 * number
        seen = glance(world, (0.0, 0.0), time)
        sight.update(time, seen)
        hits = np.flatnonzero(seen.depth < SENSOR.reach)
        angles = SENSOR.angles[hits]
        points = seen.depth[hits, np.newaxis] * np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        gaps = np.linalg.norm(points[:, np.newaxis] - sight.points, axis=-1).min(axis=1)
        for track in sight.tracks:
            gaps = np.minimum(gaps, np.hypot(*(points - track.at(time)).T) - track.radius)
        assert gaps.max() < 0.15


def test_memory_keeps_what_is_hidden_and_drops_what_is_gone_or_old() -> None:
    behind = Disc(0.0, 3.0, 0.4)
    both = World(Room(BOUNDS, (behind, Wall((-2.0, 1.0), (2.0, 1.0)))))
    alone = World(Room(BOUNDS, (behind,)))
    sight = Sight(SENSOR, 5.0)
    sight.update(0.0, glance(alone, (0.0, 0.0), 0.0))
    first = len(sight.points)
    assert first > 5
    sight.update(1.0, glance(both, (0.0, 0.0), 1.0))
    assert (np.hypot(*(sight.points - (0.0, 3.0)).T) < 0.41).sum() == first  # hidden by the wall, and remembered
    sight.update(5.5, glance(both, (0.0, 0.0), 5.5))
    assert not (np.hypot(*(sight.points - (0.0, 3.0)).T) < 0.41).any()  # too long ago
    sight.update(6.0, glance(World(Room(BOUNDS)), (0.0, 0.0), 6.0))
    assert not len(sight.points)  # everything is gone


def test_the_grid_holds_distances_to_remembered_points(rng: np.random.Generator) -> None:
    points = rng.uniform(-2.0, 2.0, (30, 2))
    out = np.full((21, 23), FARTHEST, np.float32)
    stamp(points, -2.0, -2.2, 0.2, FARTHEST, out)
    cells = np.stack(np.meshgrid(np.arange(21), np.arange(23), indexing="ij"), axis=-1) * 0.2 + (-2.0, -2.2)
    plain = np.linalg.norm(cells[:, :, np.newaxis] - points, axis=-1).min(axis=-1)
    assert out == pytest.approx(np.minimum(plain, FARTHEST), abs=1e-6)
    sight = Sight(SENSOR, 10.0)
    sight.points = points
    grid = sight.grid(np.array([0.3, -0.2]))
    assert grid.clearance.min() < 0.2
    assert sight.grid(np.array([0.9, 0.2])).origin_x == grid.origin_x  # stays until the character has left its middle
