"""Rooms: a rectangle of ground with boxes, walls and discs on it, seen from above.

Every obstacle has one form for compiled loops, a *block*: an oriented rectangle with rounded corners. Its row of six
numbers is x, z of the centre, half extents along its own x and z, yaw, and the radius by which it is inflated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import checked_number, checked_numbers
from motionfields.base.geometry import turn_over_ground

FURTHEST: Final = 1e4  # metres: largest coordinate
LARGEST: Final = 200.0  # metres: longest side of a room
MOST_OBSTACLES: Final = 10_000
BODY_RADIUS: Final = 0.3  # metres


@dataclass(frozen=True)
class Box:
    """An oriented rectangle: centre `x`, `z` and size in metres; `yaw` in radians turns it to the left.

    `width` is along its own x axis, `depth` along its own z axis.
    """

    x: float
    z: float
    width: float
    depth: float
    yaw: float = 0.0

    def __post_init__(self) -> None:
        _check_place(self.x, self.z)
        checked_number("width", self.width, 0.0, LARGEST)
        checked_number("depth", self.depth, 0.0, LARGEST)
        checked_number("yaw", self.yaw, -1e3, 1e3)

    def block(self) -> tuple[float, ...]:
        """Return the row of this obstacle for compiled loops."""
        return self.x, self.z, 0.5 * self.width, 0.5 * self.depth, self.yaw, 0.0


@dataclass(frozen=True)
class Wall:
    """A straight wall with round ends, between two points in metres."""

    start: tuple[float, float]  # x, z
    end: tuple[float, float]
    thickness: float = 0.1

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            place = getattr(self, name)
            if not isinstance(place, tuple) or len(place) != 2:
                raise ValueError(f"{name}: expected x and z in metres, got {place!r:.40}")
            _check_place(*place)
        checked_number("thickness", self.thickness, 0.0, LARGEST)
        checked_number("length", math.dist(self.start, self.end), 0.0, LARGEST)

    def block(self) -> tuple[float, ...]:
        """Return the row of this obstacle for compiled loops."""
        (x0, z0), (x1, z1) = self.start, self.end
        half = 0.5 * math.dist(self.start, self.end)
        return 0.5 * (x0 + x1), 0.5 * (z0 + z1), 0.0, half, math.atan2(x1 - x0, z1 - z0), 0.5 * self.thickness


@dataclass(frozen=True)
class Disc:
    """A round obstacle: centre and radius in metres."""

    x: float
    z: float
    radius: float

    def __post_init__(self) -> None:
        _check_place(self.x, self.z)
        checked_number("radius", self.radius, 0.0, LARGEST)

    def block(self) -> tuple[float, ...]:
        """Return the row of this obstacle for compiled loops."""
        return self.x, self.z, 0.0, 0.0, 0.0, self.radius


Obstacle: TypeAlias = Box | Wall | Disc


@dataclass(frozen=True)
class Room:
    """A rectangle of ground, closed on all sides, with obstacles; a body is a disc of `radius` about the root.

    `bounds` are the least x and z and the largest x and z in metres.
    """

    bounds: tuple[float, float, float, float]
    obstacles: tuple[Obstacle, ...] = ()
    radius: float = BODY_RADIUS

    def __post_init__(self) -> None:
        if not isinstance(self.bounds, tuple) or len(self.bounds) != 4:
            raise ValueError(f"bounds: expected least x, least z, largest x and largest z, got {self.bounds!r:.60}")
        x0, z0, x1, z1 = self.bounds
        _check_place(x0, z0)
        _check_place(x1, z1)
        for name, size in (("width", x1 - x0), ("depth", z1 - z0)):
            if not 0.5 <= size <= LARGEST:
                raise ValueError(f"bounds: expected a {name} from 0.5 to {LARGEST:g} m, got {size:g}")
        if not isinstance(self.obstacles, tuple) or len(self.obstacles) > MOST_OBSTACLES:
            raise ValueError(f"obstacles: expected a tuple of at most {MOST_OBSTACLES}")
        for obstacle in self.obstacles:
            if not isinstance(obstacle, (Box, Wall, Disc)):
                raise TypeError(f"obstacles: expected boxes, walls and discs, got {type(obstacle).__name__}")
        checked_number("radius", self.radius, 0.05, 2.0)

    @classmethod
    def around(cls, places: FloatArray, *, margin: float = 3.0) -> Room:
        """Return an empty room that reaches `margin` metres beyond `places` [n, 2] on every side."""
        places, margin = checked_numbers("places", places, shape=(None, 2)), checked_number("margin", margin)
        if not len(places):
            raise ValueError("places: expected at least one")
        low, high = places.min(axis=0) - margin, places.max(axis=0) + margin
        return cls((float(low[0]), float(low[1]), float(high[0]), float(high[1])))

    def blocks(self) -> FloatArray:
        """Return the blocks [obstacle, 6] of the obstacles."""
        return np.array([obstacle.block() for obstacle in self.obstacles], dtype=np.float64).reshape(-1, 6)

    def clearance(self, places: FloatArray) -> FloatArray:
        """Return the distance [...] in metres from `places` [..., 2] to the nearest obstacle or side of the room.

        It is negative inside an obstacle and outside the room.
        """
        places = checked_numbers("places", places, shape=(..., 2))
        x0, z0, x1, z1 = self.bounds
        x, z = places[..., 0], places[..., 1]
        found = np.minimum(np.minimum(x - x0, x1 - x), np.minimum(z - z0, z1 - z))
        for block in self.blocks():
            found = np.minimum(found, block_distance(places, block))
        return np.asarray(found)


def block_distance(places: FloatArray, block: FloatArray) -> FloatArray:
    """Return the signed distance [...] in metres from `places` [..., 2] to `block` [6]; negative inside."""
    own = np.abs(turn_over_ground(places - block[:2], np.asarray(-block[4]))) - block[2:4]
    outside = np.hypot(np.maximum(own[..., 0], 0.0), np.maximum(own[..., 1], 0.0))
    return np.asarray(outside + np.minimum(own.max(axis=-1), 0.0) - block[5])


def _check_place(x: float, z: float) -> None:
    checked_number("x", x, -FURTHEST, FURTHEST)
    checked_number("z", z, -FURTHEST, FURTHEST)
