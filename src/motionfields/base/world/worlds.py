"""Worlds: a room, obstacles that move in it, and where characters start and go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import checked_number
from motionfields.base.world.goals import Follow, Goal, Reach, Survive, Through, check_point
from motionfields.base.world.rooms import FURTHEST, Box, Disc, Room, block_distance

MOST_MOVERS: Final = 1_000
MOST_CHARACTERS: Final = 100_000
FASTEST: Final = 20.0  # m/s
FASTEST_SPIN: Final = 20.0  # radians per second
LONGEST_PATH: Final = 1_000  # places


@dataclass(frozen=True)
class Mover:
    """An obstacle that moves: at time 0 it is where `shape` is, then it visits the places of `path` at `speed` m/s.

    At the end it goes back the same way; with `closed` it goes straight from the last place to the first. `spin` is the
    rate in radians per second at which it turns to the left, as a revolving door does.
    """

    shape: Box | Disc
    path: tuple[tuple[float, float], ...] = ()
    speed: float = 1.0
    closed: bool = False
    spin: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.shape, (Box, Disc)):
            raise TypeError(f"shape: expected a box or a disc, got {type(self.shape).__name__}")
        if not isinstance(self.path, tuple) or len(self.path) > LONGEST_PATH:
            raise ValueError(f"path: expected a tuple of at most {LONGEST_PATH} places")
        for place in self.path:
            check_point("path", place)
        checked_number("speed", self.speed, 0.0, FASTEST)
        checked_number("spin", self.spin, -FASTEST_SPIN, FASTEST_SPIN)
        if not isinstance(self.closed, bool):
            raise ValueError(f"closed: expected True or False, got {self.closed!r:.40}")

    def blocks(self, times: FloatArray) -> FloatArray:
        """Return the blocks [time, 6] of this obstacle at `times` [time] in seconds."""
        out = np.tile(np.array(self.shape.block(), dtype=np.float64), (len(times), 1))
        out[:, 4] += self.spin * times
        corners = np.array([(self.shape.x, self.shape.z), *self.path], dtype=np.float64)
        if self.closed:
            corners = np.concatenate([corners, corners[:1]])
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
        total = float(lengths[-1])
        if total > 0.0:
            gone = np.mod(self.speed * times, total if self.closed else 2.0 * total)
            along = np.minimum(gone, 2.0 * total - gone) if not self.closed else gone
            out[:, 0], out[:, 1] = (np.interp(along, lengths, corners[:, axis]) for axis in range(2))
        return out


@dataclass(frozen=True)
class Start:
    """Start of a character: a place in metres and a facing in radians."""

    x: float
    z: float
    facing: float = 0.0

    def __post_init__(self) -> None:
        check_point("start", (self.x, self.z))
        checked_number("facing", self.facing, -1e3, 1e3)


@dataclass(frozen=True)
class World:
    """A room with obstacles that move, and, if known, where characters start and what their goals are."""

    room: Room
    movers: tuple[Mover, ...] = ()
    starts: tuple[Start, ...] = ()
    goals: tuple[Goal, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.room, Room):
            raise TypeError(f"room: expected a Room, got {type(self.room).__name__}")
        kinds = (("movers", (Mover,), MOST_MOVERS), ("starts", (Start,), MOST_CHARACTERS))
        for name, kind, most in (*kinds, ("goals", (Reach, Through, Follow, Survive), MOST_CHARACTERS)):
            entries = getattr(self, name)
            if not isinstance(entries, tuple) or len(entries) > most:
                raise ValueError(f"{name}: expected a tuple of at most {most}")
            for entry in entries:
                if not isinstance(entry, kind):
                    raise TypeError(f"{name}: unexpected {type(entry).__name__}")

    @classmethod
    def open(cls, *, size: float = 100.0, radius: float = 0.3) -> World:
        """Return a world without obstacles, a square of `size` metres about the origin."""
        half = 0.5 * checked_number("size", size, 1.0, FURTHEST)
        return cls(Room((-half, -half, half, half), radius=radius))

    def mover_blocks(self, times: FloatArray) -> FloatArray:
        """Return the blocks [time, mover, 6] of the moving obstacles at `times` [time] in seconds."""
        if not self.movers:
            return np.zeros((len(times), 0, 6))
        return np.stack([mover.blocks(times) for mover in self.movers], axis=1)

    def clearance(self, places: FloatArray, time: float = 0.0) -> FloatArray:
        """Return the distance [...] in metres from `places` [..., 2] to the nearest obstacle or side at `time`."""
        found = self.room.clearance(places)
        places = np.asarray(places, dtype=np.float64)
        for block in self.mover_blocks(np.array([time]))[0]:
            found = np.minimum(found, block_distance(places, block))
        return np.asarray(found)
