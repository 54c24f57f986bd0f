"""Goals of characters in a world: a place, a way through places, a gate, someone to follow, or to stay unhurt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from motionfields.base.checks import checked_count, checked_number
from motionfields.base.world.rooms import FURTHEST, LARGEST

MOST_PLACES: Final = 10_000  # of a way


@dataclass(frozen=True)
class Reach:
    """Go to the place `x`, `z` in metres.

    `way` are places to pass before, in order, such as the corners of a path from a navigation mesh; legs between them
    are walked straight. Without a way, the shortest way around the obstacles of the world is used.
    """

    x: float
    z: float
    way: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        check_point("goal", (self.x, self.z))
        if not isinstance(self.way, tuple) or len(self.way) > MOST_PLACES:
            raise ValueError(f"way: expected a tuple of at most {MOST_PLACES} places")
        for place in self.way:
            check_point("way", place)


@dataclass(frozen=True)
class Through:
    """Pass the gate between the places `start` and `end` in metres, in either direction."""

    start: tuple[float, float]
    end: tuple[float, float]

    def __post_init__(self) -> None:
        check_point("start", self.start)
        check_point("end", self.end)


@dataclass(frozen=True)
class Follow:
    """Stay `distance` metres away from the character number `target` of the same crowd."""

    target: int
    distance: float = 1.5

    def __post_init__(self) -> None:
        checked_count("target", self.target, 0)
        checked_number("distance", self.distance, 0.0, LARGEST)


@dataclass(frozen=True)
class Survive:
    """Avoid everything, and otherwise stand."""


Goal: TypeAlias = Reach | Through | Follow | Survive


def check_point(name: str, place: Any) -> None:
    """Raise ValueError unless `place` is a tuple of x and z in metres."""
    if not isinstance(place, tuple) or len(place) != 2:
        raise ValueError(f"{name}: expected x and z in metres, got {place!r:.40}")
    for part in place:
        checked_number(name, part, -FURTHEST, FURTHEST)
