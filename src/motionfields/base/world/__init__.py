"""Rooms for characters: obstacles on the ground, clearance, and lengths of ways around them."""

from motionfields.base.world.clearance import ClearanceGrid, clearance_grid
from motionfields.base.world.room_files import format_room, parse_room, read_room, write_room
from motionfields.base.world.rooms import Box, Disc, Obstacle, Room, Wall
from motionfields.base.world.ways import way_lengths

__all__ = [
    "Box",
    "ClearanceGrid",
    "Disc",
    "Obstacle",
    "Room",
    "Wall",
    "clearance_grid",
    "format_room",
    "parse_room",
    "read_room",
    "way_lengths",
    "write_room",
]
