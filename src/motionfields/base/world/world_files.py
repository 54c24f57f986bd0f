"""World files: strict JSON with lengths in metres and angles in degrees; a room file is a world without movers."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Final

from motionfields.base.errors import FormatError
from motionfields.base.json_files import content_of
from motionfields.base.storage import replacing, shown
from motionfields.base.world.goals import Goal, Reach, Through
from motionfields.base.world.mjcf import read_mjcf
from motionfields.base.world.room_files import (
    OPTIONAL,
    RoomReader,
    obstacle_fields,
    parse_room,
    room_fields,
)
from motionfields.base.world.rooms import Disc
from motionfields.base.world.worlds import Mover, Start, World

VERSION: Final = 1


def read_world(path: str | os.PathLike[str]) -> World:
    """Return the world in the file `path`: a world or room in JSON, or a MuJoCo model in .xml (see `read_mjcf`).

    Raises `FormatError` with the place of the fault.
    """
    if str(path).lower().endswith(".xml"):
        return World(read_mjcf(path))
    return parse_world(content_of(path), path=shown(str(path)))


def write_world(world: World, path: str | os.PathLike[str]) -> None:
    """Write `world` to the JSON file `path` in one step; only goals `Reach` and `Through` can be written."""
    content = format_world(world)
    with replacing(path) as file:
        file.write(content)


def parse_world(data: bytes, *, path: str = "") -> World:
    """Return the world in the bytes of a JSON file; `path` is for messages. Raises `FormatError`."""
    reader = _Reader(path)
    parsed = reader.parsed(data)
    if isinstance(parsed, dict) and "room" in parsed:
        return World(parse_room(data, path=path))
    optional = (*OPTIONAL, "movers", "starts", "goals")
    content = reader.fields(parsed, ("world", "bounds_m"), "world", optional=optional)
    reader.check_version(content["world"], "world", VERSION)
    room = reader.room(content)
    parts: dict[str, tuple[Any, ...]] = {}
    where = "world"
    try:
        for name, read in (("movers", reader.mover), ("starts", reader.start), ("goals", reader.goal)):
            found = []
            for number, entry in enumerate(reader.listed(content.get(name, []), name)):
                where = f"{name}[{number}]"
                found.append(read(entry, where))
            parts[name] = tuple(found)
        where = "world"
        return World(room, **parts)
    except FormatError:
        raise
    except (TypeError, ValueError) as error:
        reader.fail(f"{where}: {error}")


def format_world(world: World) -> bytes:
    """Return `world` as the bytes of a JSON file; undoes `parse_world` up to the rounding of degrees."""
    content: dict[str, Any] = {"world": VERSION, **room_fields(world.room)}
    if world.movers:
        content["movers"] = [_mover_fields(mover) for mover in world.movers]
    if world.starts:
        content["starts"] = [
            {"x_m": start.x, "z_m": start.z, "facing_deg": math.degrees(start.facing)} for start in world.starts
        ]
    if world.goals:
        content["goals"] = [_goal_fields(goal) for goal in world.goals]
    return (json.dumps(content, indent=2) + "\n").encode()


def _mover_fields(mover: Mover) -> dict[str, Any]:
    fields: dict[str, Any] = {"disc" if isinstance(mover.shape, Disc) else "box": obstacle_fields(mover.shape)}
    fields |= {"path_m": [list(place) for place in mover.path], "speed_m_s": mover.speed, "closed": mover.closed}
    return fields | {"spin_deg_s": math.degrees(mover.spin)}


def _goal_fields(goal: Goal) -> dict[str, Any]:
    if isinstance(goal, Reach):
        places = [list(place) for place in (*goal.way, (goal.x, goal.z))]
        return {"way_m": places} if goal.way else {"reach_m": places[0]}
    if isinstance(goal, Through):
        return {"gate_m": [list(goal.start), list(goal.end)]}
    raise ValueError(f"goals: files hold Reach and Through, got {type(goal).__name__}")


class _Reader(RoomReader):
    """Reads the parts of a world."""

    def mover(self, entry: object, where: str) -> Mover:
        """Return one of `movers`."""
        kind = "disc" if isinstance(entry, dict) and "disc" in entry else "box"
        optional = ("path_m", "speed_m_s", "closed", "spin_deg_s")
        fields = self.fields(entry, (kind,), where, optional=optional)
        shape = (self.disc if kind == "disc" else self.box)(fields[kind], f"{where}.{kind}")
        path = tuple(self.place(place, f"{where}.path_m") for place in self.listed(fields.get("path_m", []), where))
        speed = self.number(fields.get("speed_m_s", 1.0), f"{where}.speed_m_s")
        spin = math.radians(self.number(fields.get("spin_deg_s", 0.0), f"{where}.spin_deg_s"))
        return Mover(shape, path, speed, fields.get("closed", False), spin)

    def start(self, entry: object, where: str) -> Start:
        """Return one of `starts`."""
        fields = self.fields(entry, ("x_m", "z_m"), where, optional=("facing_deg",))
        x, z = (self.number(fields[name], f"{where}.{name}") for name in ("x_m", "z_m"))
        return Start(x, z, math.radians(self.number(fields.get("facing_deg", 0.0), f"{where}.facing_deg")))

    def goal(self, entry: object, where: str) -> Goal:
        """Return one of `goals`."""
        names = ("reach_m", "way_m", "gate_m")
        fields = self.fields(entry, (), where, optional=names)
        if len(fields) != 1:
            self.fail(f"{where}: expected one of {', '.join(names)}, got {len(fields)}")
        if "reach_m" in fields:
            return Reach(*self.place(fields["reach_m"], f"{where}.reach_m"))
        name = "way_m" if "way_m" in fields else "gate_m"
        places = [self.place(place, f"{where}.{name}") for place in self.entries(fields[name], f"{where}.{name}")]
        if name == "way_m":
            return Reach(*places[-1], way=tuple(places[:-1]))
        if len(places) != 2:
            self.fail(f"{where}.gate_m: expected two places, got {len(places)}")
        return Through(places[0], places[1])

    def place(self, value: object, where: str) -> tuple[float, float]:
        """Return `value`, which must be a list of x and z."""
        x, z = self.numbers(value, 2, where)
        return x, z
