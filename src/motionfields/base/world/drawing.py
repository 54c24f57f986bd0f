"""Random worlds: a place 8 m ahead to reach, among obstacles that stand and obstacles that move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from motionfields.base.checks import checked_count
from motionfields.base.world.goals import Reach
from motionfields.base.world.rooms import Box, Disc, Obstacle, Room, Wall
from motionfields.base.world.worlds import Mover, World

RADIUS: Final = 0.25  # metres, of bodies
GOAL: Final = (0.0, 8.0)  # metres; characters start at the origin
LEVELS: Final = ((1, 4), (6, 9), (11, 14))  # fewest and most standing obstacles
MOVERS: Final = 3  # moving obstacles in each world
MOST_DRAWN: Final = 100  # obstacles of either kind
SHAPES: Final = ("disc", "bar", "box")  # of standing obstacles


def draw_world(
    seed: int, *, counts: tuple[int, int] | None = None, shapes: Sequence[str] = SHAPES, movers: int = MOVERS
) -> tuple[World, int]:
    """Return a world drawn by `seed`, with its goal 8 m ahead of the start, and the number of its level.

    `counts` are the fewest and most standing obstacles, by default those of a random level of `LEVELS`; with `counts`,
    the returned level is -1. `shapes` are some of `SHAPES`, and `movers` is the number of moving obstacles.
    """
    if not shapes or not set(shapes) <= set(SHAPES):
        raise ValueError(f"shapes: expected some of {', '.join(SHAPES)}, got {shapes!r:.60}")
    if counts is not None and (len(counts) != 2 or not 0 <= counts[0] <= counts[1] <= MOST_DRAWN):
        raise ValueError(f"counts: expected two ascending numbers up to {MOST_DRAWN}, got {counts!r:.60}")
    checked_count("movers", movers, 0, MOST_DRAWN)
    rng = np.random.default_rng(seed)
    level = int(rng.integers(len(LEVELS))) if counts is None else -1
    low, high = LEVELS[level] if counts is None else counts
    count = int(rng.integers(low, high + 1))
    ends = np.array([(0.0, 0.0), GOAL])
    obstacles: list[Obstacle] = []
    while len(obstacles) < count:
        one = _drawn_obstacle(rng, shapes)
        distances = Room((-40.0, -40.0, 40.0, 40.0), (one,)).clearance(ends) - RADIUS
        if distances[0] > 0.9 and distances[1] > 0.5:
            obstacles.append(one)
    moving: list[Mover] = []
    while len(moving) < movers:
        place, turn, speed = rng.uniform((-4.0, -1.5), (4.0, 9.5)), rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.4, 1.0)
        way = 3.0 * np.array([np.sin(turn), np.cos(turn)])
        if np.linalg.norm(place - ends, axis=1).min() > 1.5 + RADIUS + 0.3:
            there, back = (place + way).tolist(), (place - way).tolist()
            disc = Disc(float(place[0]), float(place[1]), 0.3)
            moving.append(Mover(disc, ((there[0], there[1]), (back[0], back[1])), float(speed)))
    room = Room((-9.0, -7.0, 9.0, 15.0), tuple(obstacles), RADIUS)
    return World(room, tuple(moving), goals=(Reach(*GOAL),)), level


def _drawn_obstacle(rng: np.random.Generator, shapes: Sequence[str]) -> Obstacle:
    x, z = (float(part) for part in rng.uniform((-4.0, -1.5), (4.0, 9.5)))
    kind, yaw = shapes[int(rng.integers(len(shapes)))], float(rng.uniform(-np.pi, np.pi))
    if kind == "disc":
        return Disc(x, z, float(rng.uniform(0.2, 0.7)))
    if kind == "bar":
        half = float(rng.uniform(0.5, 1.2))
        way_x, way_z = half * np.sin(yaw), half * np.cos(yaw)
        return Wall((x - way_x, z - way_z), (x + way_x, z + way_z), 0.1)
    return Box(x, z, float(rng.uniform(0.5, 1.2)), float(rng.uniform(0.5, 1.2)), yaw)
