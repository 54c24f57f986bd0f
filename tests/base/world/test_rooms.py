"""Rooms: distances worked by hand, files that come back, and hostile files refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.errors import FormatError
from motionfields.base.world import (
    Box,
    Disc,
    Room,
    Wall,
    clearance_grid,
    parse_room,
    read_room,
    write_room,
)

ROOM = Room(
    (0.0, -1.0, 6.0, 5.0),
    (Box(2.0, 2.0, 1.0, 0.5, math.radians(30.0)), Wall((4.0, 0.0), (5.0, 1.0), 0.2), Disc(1.0, 4.0, 0.5)),
    0.25,
)


def clearance_of(obstacle: Box | Wall | Disc, x: float, z: float) -> float:
    return float(Room((-50.0, -50.0, 50.0, 50.0), (obstacle,)).clearance(np.array([x, z])))


def test_distances_are_those_worked_by_hand() -> None:
    assert clearance_of(Box(0.0, 0.0, 2.0, 1.0), 3.0, 0.0) == pytest.approx(2.0)
    assert clearance_of(Box(0.0, 0.0, 2.0, 1.0), 4.0, 4.5) == pytest.approx(5.0)
    assert clearance_of(Box(0.0, 0.0, 2.0, 1.0), 0.0, 0.1) == pytest.approx(-0.4)
    # A quarter turn exchanges width and depth.
    assert clearance_of(Box(0.0, 0.0, 2.0, 1.0, 0.5 * math.pi), 3.0, 0.0) == pytest.approx(2.5)
    assert clearance_of(Disc(1.0, 1.0, 0.5), 4.0, 5.0) == pytest.approx(4.5)
    assert clearance_of(Wall((0.0, 0.0), (2.0, 2.0), 0.2), 3.0, 3.0) == pytest.approx(math.sqrt(2.0) - 0.1)
    assert clearance_of(Wall((0.0, 0.0), (2.0, 2.0), 0.2), 2.0, 0.0) == pytest.approx(math.sqrt(2.0) - 0.1)


def test_sides_of_the_room_count_as_obstacles() -> None:
    places = np.array([(1.0, 0.5), (7.0, 0.0)])
    np.testing.assert_allclose(Room((0.0, 0.0, 6.0, 6.0)).clearance(places), (0.5, -1.0))


@pytest.mark.parametrize("yaw", [0.0, 0.04])
def test_the_grid_has_a_cell_at_the_place_and_equals_the_plain_clearance(yaw: float) -> None:
    grid = clearance_grid(ROOM, (1.234, 0.567), yaw=yaw, cell=0.05)
    cells = np.stack(np.meshgrid(*(np.arange(n) for n in grid.clearance.shape), indexing="ij"), axis=-1).astype(
        np.float64
    )
    places = grid.to_world(cells)
    np.testing.assert_allclose(grid.clearance, ROOM.clearance(places), atol=1e-6)
    np.testing.assert_allclose(grid.to_cells(places), cells, atol=1e-9)
    own = grid.to_cells(np.array([1.234, 0.567]))
    np.testing.assert_allclose(own, np.round(own), atol=1e-9)


def test_files_come_back(tmp_path: Path) -> None:
    write_room(ROOM, tmp_path / "room.json")
    found = read_room(tmp_path / "room.json")
    np.testing.assert_allclose(found.blocks(), ROOM.blocks())
    assert (found.bounds, found.radius) == (ROOM.bounds, ROOM.radius)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bounds_m": [0, 0, 1]}, "expected 4 numbers"),
        ({"bounds_m": [0, 0, 1000, 5]}, "from 0.5 to 200"),
        ({"bounds_m": [5, 5, 0, 0]}, "from 0.5 to 200"),
        ({"boxes": [{"x_m": 1, "z_m": 1, "width_m": -1, "depth_m": 1}]}, r"boxes\[0\]: width"),
        ({"boxes": [{"x_m": 1, "z_m": 1, "width_m": 1}]}, "depth_m is missing"),
        ({"discs": [{"x_m": 1e300, "z_m": 1, "radius_m": 1}]}, r"discs\[0\]: x"),
        ({"walls": [{"from_m": [0, 0], "to_m": [0, "a"]}]}, "finite number"),
        ({"walls": 3}, "expected a list"),
        ({"radius_m": 0}, "radius"),
        ({"room": 2}, "version 1"),
        ({"colour": "red"}, "is not one of them"),
        ({"discs": [{"x_m": 1, "z_m": 1, "radius_m": 1}] * 10_001}, "at most 10000"),
    ],
)
def test_hostile_rooms_are_refused(change: dict[str, object], said: str) -> None:
    content = json.dumps({"room": 1, "bounds_m": [0, 0, 5, 5], **change}).encode()
    with pytest.raises(FormatError, match=said):
        parse_room(content, path="room.json")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"room": NaN}', b"\xff", b"[" * 100_000])
def test_files_that_hold_no_room_are_refused(content: bytes) -> None:
    with pytest.raises(FormatError, match=r"room\.json"):
        parse_room(content, path="room.json")


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(FormatError):
            read_room(path)


def test_rooms_refuse_other_obstacles() -> None:
    with pytest.raises(TypeError, match="boxes, walls and discs"):
        Room((0.0, 0.0, 5.0, 5.0), ("box",))  # type: ignore[arg-type]
