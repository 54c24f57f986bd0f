"""Room files: strict JSON with lengths in metres and angles in degrees."""

from __future__ import annotations

import json
import math
import os
import stat
from typing import Any, Final

from motionfields.base.errors import FormatError
from motionfields.base.files import unreadable_reason
from motionfields.base.json_files import MOST_BYTES, JsonReader
from motionfields.base.storage import replacing, shown
from motionfields.base.world.rooms import BODY_RADIUS, Box, Disc, Obstacle, Room, Wall

VERSION: Final = 1


def read_room(path: str | os.PathLike[str]) -> Room:
    """Return the room in the JSON file `path`; raises `FormatError` with the place of the fault."""
    name = shown(str(path))
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FormatError("expected a regular file, got a folder, pipe or device", path=name)
        with open(path, "rb") as file:
            return parse_room(file.read(MOST_BYTES + 1), path=name)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise FormatError(unreadable_reason(str(path), error), path=name) from None


def write_room(room: Room, path: str | os.PathLike[str]) -> None:
    """Write `room` to the JSON file `path` in one step."""
    with replacing(path) as file:
        file.write(format_room(room))


def parse_room(data: bytes, *, path: str = "") -> Room:
    """Return the room in the bytes of a JSON file; `path` is for messages. Raises `FormatError`."""
    reader = _Reader(path)
    optional = ("radius_m", "boxes", "walls", "discs")
    content = reader.fields(reader.parsed(data), ("room", "bounds_m"), "room", optional=optional)
    if content["room"] != VERSION or isinstance(content["room"], bool):
        reader.fail(f"room: expected version {VERSION}, got {content['room']!r:.40}")
    where = "bounds_m"
    try:
        bounds = reader.numbers(content["bounds_m"], 4, where)
        obstacles: list[Obstacle] = []
        for name, read in (("boxes", reader.box), ("walls", reader.wall), ("discs", reader.disc)):
            for number, entry in enumerate(reader.listed(content.get(name, []), name)):
                where = f"{name}[{number}]"
                obstacles.append(read(entry, where))
        where = "room"
        radius = reader.number(content.get("radius_m", BODY_RADIUS), "radius_m")
        return Room((bounds[0], bounds[1], bounds[2], bounds[3]), tuple(obstacles), radius)
    except FormatError:
        raise
    except ValueError as error:
        reader.fail(f"{where}: {error}")


def format_room(room: Room) -> bytes:
    """Return `room` as the bytes of a JSON file; undoes `parse_room` up to the rounding of degrees."""
    content: dict[str, Any] = {"room": VERSION, "bounds_m": list(room.bounds), "radius_m": room.radius}
    for name, kind in (("boxes", Box), ("walls", Wall), ("discs", Disc)):
        entries = [_fields(one) for one in room.obstacles if isinstance(one, kind)]
        if entries:
            content[name] = entries
    return (json.dumps(content, indent=2) + "\n").encode()


def _fields(obstacle: Obstacle) -> dict[str, Any]:
    if isinstance(obstacle, Wall):
        return {"from_m": list(obstacle.start), "to_m": list(obstacle.end), "thickness_m": obstacle.thickness}
    if isinstance(obstacle, Disc):
        return {"x_m": obstacle.x, "z_m": obstacle.z, "radius_m": obstacle.radius}
    fields = {"x_m": obstacle.x, "z_m": obstacle.z, "width_m": obstacle.width, "depth_m": obstacle.depth}
    return fields if obstacle.yaw == 0.0 else {**fields, "yaw_deg": math.degrees(obstacle.yaw)}


class _Reader(JsonReader):
    """Reads the parts of a room."""

    def listed(self, value: object, where: str) -> list[object]:
        """Return `value`, which must be a list."""
        if not isinstance(value, list):
            self.fail(f"{where}: expected a list")
        return value

    def numbers(self, value: object, count: int, where: str) -> list[float]:
        """Return `value`, which must be a list of `count` numbers."""
        entries = self.listed(value, where)
        if len(entries) != count:
            self.fail(f"{where}: expected {count} numbers, got {len(entries)}")
        return [self.number(entry, where) for entry in entries]

    def box(self, entry: object, where: str) -> Box:
        """Return one of `boxes`."""
        names = ("x_m", "z_m", "width_m", "depth_m")
        fields = self.fields(entry, names, where, optional=("yaw_deg",))
        x, z, width, depth = (self.number(fields[name], f"{where}, {name}") for name in names)
        return Box(x, z, width, depth, math.radians(self.number(fields.get("yaw_deg", 0.0), f"{where}, yaw_deg")))

    def wall(self, entry: object, where: str) -> Wall:
        """Return one of `walls`."""
        fields = self.fields(entry, ("from_m", "to_m"), where, optional=("thickness_m",))
        start, end = (self.numbers(fields[name], 2, f"{where}, {name}") for name in ("from_m", "to_m"))
        thickness = self.number(fields.get("thickness_m", 0.1), f"{where}, thickness_m")
        return Wall((start[0], start[1]), (end[0], end[1]), thickness)

    def disc(self, entry: object, where: str) -> Disc:
        """Return one of `discs`."""
        fields = self.fields(entry, ("x_m", "z_m", "radius_m"), where)
        return Disc(*(self.number(fields[name], f"{where}, {name}") for name in ("x_m", "z_m", "radius_m")))
