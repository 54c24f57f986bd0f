"""Room files: strict JSON with lengths in metres and angles in degrees."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Final

from motionfields.base.errors import FormatError
from motionfields.base.json_files import JsonReader, content_of
from motionfields.base.storage import replacing, shown
from motionfields.base.world.rooms import BODY_RADIUS, Box, Disc, Obstacle, Room, Wall

VERSION: Final = 1
OPTIONAL: Final = ("radius_m", "boxes", "walls", "discs")


def read_room(path: str | os.PathLike[str]) -> Room:
    """Return the room in the JSON file `path`; raises `FormatError` with the place of the fault."""
    return parse_room(content_of(path), path=shown(str(path)))


def write_room(room: Room, path: str | os.PathLike[str]) -> None:
    """Write `room` to the JSON file `path` in one step."""
    with replacing(path) as file:
        file.write(format_room(room))


def parse_room(data: bytes, *, path: str = "") -> Room:
    """Return the room in the bytes of a JSON file; `path` is for messages. Raises `FormatError`."""
    reader = RoomReader(path)
    content = reader.fields(reader.parsed(data), ("room", "bounds_m"), "room", optional=OPTIONAL)
    reader.check_version(content["room"], "room", VERSION)
    return reader.room(content)


def format_room(room: Room) -> bytes:
    """Return `room` as the bytes of a JSON file; undoes `parse_room` up to the rounding of degrees."""
    return (json.dumps({"room": VERSION, **room_fields(room)}, indent=2) + "\n").encode()


def room_fields(room: Room) -> dict[str, Any]:
    """Return bounds, radius and obstacles of `room` as the fields of a JSON file."""
    content: dict[str, Any] = {"bounds_m": list(room.bounds), "radius_m": room.radius}
    for name, kind in (("boxes", Box), ("walls", Wall), ("discs", Disc)):
        entries = [obstacle_fields(one) for one in room.obstacles if isinstance(one, kind)]
        if entries:
            content[name] = entries
    return content


def obstacle_fields(obstacle: Obstacle) -> dict[str, Any]:
    """Return `obstacle` as the fields of its entry in a JSON file."""
    if isinstance(obstacle, Wall):
        return {"from_m": list(obstacle.start), "to_m": list(obstacle.end), "thickness_m": obstacle.thickness}
    if isinstance(obstacle, Disc):
        return {"x_m": obstacle.x, "z_m": obstacle.z, "radius_m": obstacle.radius}
    fields = {"x_m": obstacle.x, "z_m": obstacle.z, "width_m": obstacle.width, "depth_m": obstacle.depth}
    return fields if obstacle.yaw == 0.0 else {**fields, "yaw_deg": math.degrees(obstacle.yaw)}


class RoomReader(JsonReader):
    """Reads the parts of a room."""

    def room(self, content: dict[str, Any]) -> Room:
        """Return the room whose parts are fields of `content`."""
        where = "bounds_m"
        try:
            bounds = self.numbers(content["bounds_m"], 4, where)
            obstacles: list[Obstacle] = []
            for name, read in (("boxes", self.box), ("walls", self.wall), ("discs", self.disc)):
                for number, entry in enumerate(self.listed(content.get(name, []), name)):
                    where = f"{name}[{number}]"
                    obstacles.append(read(entry, where))
            where = "room"
            radius = self.number(content.get("radius_m", BODY_RADIUS), "radius_m")
            return Room((bounds[0], bounds[1], bounds[2], bounds[3]), tuple(obstacles), radius)
        except FormatError:
            raise
        except ValueError as error:
            self.fail(f"{where}: {error}")

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
