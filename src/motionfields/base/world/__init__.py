"""Rooms and worlds for characters: obstacles, clearance, lengths of ways around them, goals and sensors."""

from motionfields.base.world.clearance import ClearanceGrid, clearance_grid
from motionfields.base.world.drawing import draw_world
from motionfields.base.world.goals import Follow, Goal, Reach, Survive, Through
from motionfields.base.world.mjcf import read_mjcf
from motionfields.base.world.room_files import format_room, parse_room, read_room, write_room
from motionfields.base.world.rooms import Box, Disc, Obstacle, Room, Wall
from motionfields.base.world.sensors import DepthScan, Nearest, Seen
from motionfields.base.world.tables import WorldTables, clearances, sensed, sensed_size
from motionfields.base.world.ways import way_lengths
from motionfields.base.world.world_files import format_world, parse_world, read_world, write_world
from motionfields.base.world.worlds import Mover, Start, World

__all__ = [
    "Box",
    "ClearanceGrid",
    "DepthScan",
    "Disc",
    "Follow",
    "Goal",
    "Mover",
    "Nearest",
    "Obstacle",
    "Reach",
    "Room",
    "Seen",
    "Start",
    "Survive",
    "Through",
    "Wall",
    "World",
    "WorldTables",
    "clearance_grid",
    "clearances",
    "draw_world",
    "format_room",
    "format_world",
    "parse_room",
    "parse_world",
    "read_mjcf",
    "read_room",
    "read_world",
    "sensed",
    "sensed_size",
    "way_lengths",
    "write_room",
    "write_world",
]
