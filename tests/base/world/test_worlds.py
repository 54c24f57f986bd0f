"""Worlds: files come back as they were, hostile files are refused, and movers follow their paths."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.errors import FormatError
from motionfields.base.world import (
    Box,
    Disc,
    Follow,
    Mover,
    Reach,
    Room,
    Start,
    Through,
    Wall,
    World,
    format_world,
    parse_world,
    read_world,
    write_room,
    write_world,
)

ROOM = Room((-5.0, -5.0, 5.0, 5.0), (Box(0.0, 2.0, 1.0, 1.0), Wall((1.0, 1.0), (2.0, 2.0)), Disc(-1.0, 0.0, 0.3)))
WORLD = World(
    ROOM,
    (Mover(Disc(0.0, 0.0, 0.3), ((3.0, 0.0), (3.0, 3.0)), 1.5), Mover(Box(1.0, 1.0, 2.0, 0.1), spin=1.0)),
    (Start(0.0, -3.0, 0.5),),
    (Reach(1.0, 2.0), Reach(3.0, 3.0, way=((0.0, 1.0),)), Through((0.0, 0.0), (1.0, 1.0))),
)
GOOD: dict[str, Any] = {"world": 1, "bounds_m": [-5, -5, 5, 5]}
DISC = {"x_m": 0, "z_m": 0, "radius_m": 0.3}


def test_a_file_comes_back(tmp_path: Path) -> None:
    write_world(WORLD, tmp_path / "world.json")
    back = read_world(tmp_path / "world.json")
    assert (back.room, back.goals, back.movers[0]) == (WORLD.room, WORLD.goals, WORLD.movers[0])
    assert (back.movers[1].spin, back.starts[0].facing) == pytest.approx((1.0, 0.5))
    assert parse_world(format_world(back)) == back


def test_a_room_file_is_a_world(tmp_path: Path) -> None:
    write_room(ROOM, tmp_path / "room.json")
    assert read_world(tmp_path / "room.json") == World(ROOM)


def test_goals_that_files_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="files hold Reach and Through, got Follow"):
        write_world(World(ROOM, goals=(Follow(1),)), tmp_path / "world.json")
    assert not (tmp_path / "world.json").exists()


def test_a_mover_goes_there_and_back_or_round() -> None:
    times = np.array([0.0, 1.0, 3.0, 4.0, 5.0, 8.0])
    mover = Mover(Disc(0.0, 0.0, 0.3), ((3.0, 0.0), (3.0, 1.0)), 1.0)
    assert mover.blocks(times)[:, :2].tolist() == [[0, 0], [1, 0], [3, 0], [3, 1], [3, 0], [0, 0]]
    round_trip = Mover(Disc(0.0, 0.0, 0.3), ((3.0, 0.0), (3.0, 4.0)), 1.0, closed=True)
    assert round_trip.blocks(np.array([7.0, 12.0]))[:, :2].tolist() == [[3, 4], [0, 0]]
    assert Mover(Box(1.0, 2.0, 1.0, 0.1), spin=2.0).blocks(np.array([0.5]))[0, 4] == 1.0


def test_clearance_counts_movers_at_their_time() -> None:
    world = World(Room((-5.0, -5.0, 5.0, 5.0)), (Mover(Disc(0.0, 0.0, 0.5), ((4.0, 0.0),), 1.0),))
    assert world.clearance(np.array([2.0, 0.0]), 0.0) == pytest.approx(1.5)
    assert world.clearance(np.array([2.0, 0.0]), 2.0) == pytest.approx(-0.5)


HOSTILE: list[Any] = [
    b"",
    b"\xff\xfe",
    b"[",
    b"[" * 100_000,
    b"1",
    b'{"world": 1, "world": 1}',
    b'{"world": 1, "bounds_m": [0, 0, NaN, 1]}',
    b'{"world": 1, "bounds_m": [0, 0, 1e999, 1]}',
    {},
    {"world": 1},
    {**GOOD, "world": 2},
    {**GOOD, "world": True},
    {**GOOD, "world": "1"},
    {**GOOD, "extra": 1},
    {**GOOD, "bounds_m": [0, 0, 1]},
    {**GOOD, "bounds_m": [5, 5, -5, -5]},
    {**GOOD, "bounds_m": [0, 0, 1e6, 1e6]},
    {**GOOD, "radius_m": 0},
    {**GOOD, "radius_m": "0.3"},
    {**GOOD, "boxes": {}},
    {**GOOD, "boxes": [{"x_m": 0}]},
    {**GOOD, "walls": [{"from_m": [0], "to_m": [1, 1]}]},
    {**GOOD, "movers": 1},
    {**GOOD, "movers": [1]},
    {**GOOD, "movers": [{}]},
    {**GOOD, "movers": [{"disc": DISC, "box": DISC}]},
    {**GOOD, "movers": [{"disc": {**DISC, "radius_m": -1}}]},
    {**GOOD, "movers": [{"disc": DISC, "path_m": [[1]]}]},
    {**GOOD, "movers": [{"disc": DISC, "path_m": "there"}]},
    {**GOOD, "movers": [{"disc": DISC, "path_m": [[1, 1]] * 1001}]},
    {**GOOD, "movers": [{"disc": DISC, "speed_m_s": 1e9}]},
    {**GOOD, "movers": [{"disc": DISC, "speed_m_s": -1}]},
    {**GOOD, "movers": [{"disc": DISC, "closed": 1}]},
    {**GOOD, "movers": [{"disc": DISC, "spin_deg_s": 1e6}]},
    {**GOOD, "movers": [{"wall": {}}]},
    {**GOOD, "movers": [{"disc": DISC}] * 1001},
    {**GOOD, "starts": [{"x_m": 0}]},
    {**GOOD, "starts": [{"x_m": 0, "z_m": 1e9}]},
    {**GOOD, "starts": [{"x_m": 0, "z_m": 0, "facing_deg": None}]},
    {**GOOD, "goals": [{}]},
    {**GOOD, "goals": [{"reach_m": [0, 0], "way_m": [[0, 0]]}]},
    {**GOOD, "goals": [{"reach_m": [0, 0, 0]}]},
    {**GOOD, "goals": [{"reach_m": [0, True]}]},
    {**GOOD, "goals": [{"way_m": []}]},
    {**GOOD, "goals": [{"gate_m": [[0, 0]]}]},
    {**GOOD, "goals": [{"follow": 1}]},
    {**GOOD, "goals": [{"way_m": [[0, 0]] * 10_002}]},
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_refused(content: Any) -> None:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    with pytest.raises(FormatError):
        parse_world(data, path="world.json")


def test_wrong_parts_are_refused() -> None:
    with pytest.raises(TypeError, match="expected a box or a disc"):
        Mover(Wall((0.0, 0.0), (1.0, 1.0)))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected"):
        World(ROOM, movers=(1,))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="place"):
        Reach(0.0, 0.0, way=[])  # type: ignore[arg-type]
