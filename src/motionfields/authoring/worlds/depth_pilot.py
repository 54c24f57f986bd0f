"""A pilot that steers by what characters see: depth scans and a short memory of them, no map and no told plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from motionfields.authoring.worlds.futures import Futures
from motionfields.authoring.worlds.maps import EXTRA, GroundGrid
from motionfields.authoring.worlds.pilot import Avoid, Manner, Pilot
from motionfields.authoring.worlds.sight import Glance, Sight
from motionfields.authoring.worlds.steering import REACH, THROUGH, Scene, Walkers, steer_few
from motionfields.base.arrays import FloatArray, frozen, read_only
from motionfields.base.checks import checked_number
from motionfields.base.world import DepthScan, Follow, Goal, Reach, Room, Through, World

DEPTH_SCAN: Final = DepthScan(256, reach=6.0, pyramid=False)
MANNER: Final = Manner(every=4)  # what moves is seen only when a character decides
KEPT: Final = 0.6  # seconds for which a map of ways is kept


class DepthPilot(Pilot):
    """Steers as `Pilot` does, by depth alone: every character decides by its own scans with `sensor`.

    A character knows where its goal is, relative to itself, and nothing else. It scans when it decides, remembers the
    points that its rays met for `memory` seconds, and expects discs that moved between its scans to go on. Walls,
    obstacles and other characters hide what is behind them. Goals `Follow` are refused, since depth does not tell who
    is who.
    """

    def __init__(
        self,
        futures: Futures,
        world: World | Room,
        goals: Sequence[Goal] | None = None,
        *,
        sensor: DepthScan = DEPTH_SCAN,
        memory: float = 10.0,
        avoid: Avoid | None = None,
        manner: Manner | None = None,
    ) -> None:
        if not isinstance(sensor, DepthScan):
            raise TypeError(f"sensor: expected a DepthScan, got {type(sensor).__name__}")
        self.sensor, self.memory = sensor, checked_number("memory", memory, 0.0, 3600.0)
        self._kept: dict[int, tuple[Any, int, FloatArray]] = {}  # goal and place of the map, frame it was made at, map
        super().__init__(futures, world, goals, plans="seen", avoid=avoid, manner=manner or MANNER, maps=False)
        self.sights = [Sight(sensor, memory) for _ in range(self.count)]

    def _ground(self) -> GroundGrid:
        """Return an empty grid: there is no map."""
        return GroundGrid(np.full((2, 2), np.inf, np.float32), 0.0, 0.0, 1.0)

    def _set_goal(self, i: int, goal: Goal) -> None:
        if isinstance(goal, Follow):
            raise ValueError(f"goals: character {i} cannot follow another by depth alone")
        super()._set_goal(i, goal)

    def _choose(self, walkers: Walkers) -> None:
        """Let each character that is due look around, and decide by what it then knows."""
        time, seconds = self.frame * self.futures.frame_time, self.futures.sample_seconds
        chosen, due = np.flatnonzero(walkers.due), walkers.due.copy()
        places, facing = walkers.position[chosen], walkers.facing[chosen]
        seen = self.sensor.look(self.world, places, facing, time=time, bodies=walkers.position)
        nobody, numbers = np.full_like(self._heads, -1), self._numbers()
        for number, i in enumerate(chosen):
            sight = self.sights[i]
            sight.update(time, Glance(places[number], float(facing[number]), seen.depth[number]))
            grid = sight.grid(places[number])
            ways = self._known_way(int(i), places[number], grid)
            walkers.due[:], walkers.due[i] = False, True
            self._way[i] = len(ways) - 1
            scene = Scene(ways, sight.movers(time, seconds), nobody, self._following)
            steer_few(numbers, frozen(grid), scene, self._table, self._commands, walkers)
        walkers.due[:], self._way[:] = due, -1

    def _known_way(self, i: int, place: FloatArray, grid: GroundGrid) -> FloatArray:
        """Return the map [0 or 1, x, z] of lengths to the goal of character `i` around what it remembers.

        There is none for a goal that is in sight along a straight way. A map is used for `KEPT` seconds.
        """
        none = read_only(np.zeros((0, *grid.clearance.shape), np.float32))
        if self._kind[i] not in (REACH, THROUGH):
            return none
        x0, z0, x1, z1 = self._goal[i, :4].tolist()
        goal = Through((x0, z0), (x1, z1)) if self._kind[i] == THROUGH else Reach(x0, z0)
        middle = 0.5 * np.array([x0 + x1, z0 + z1]) if self._kind[i] == THROUGH else np.array([x0, z0])
        shares = np.linspace(0.0, 1.0, grid.clearance.shape[0])[1:, np.newaxis]
        cells = grid.cells((1.0 - shares) * place + shares * middle)
        if (grid.clearance[cells[:, 0], cells[:, 1]] >= self.world.room.radius + EXTRA + grid.cell).all():
            return none
        key = (goal, grid.origin_x, grid.origin_z)
        kept_key, made, ways = self._kept.get(i, (None, 0, none))
        if kept_key != key or (self.frame - made) * self.futures.frame_time >= KEPT:
            ways = read_only(grid.way_map(goal, self._way_radius)[np.newaxis])
            self._kept[i] = key, self.frame, ways
        return np.asarray(ways)
