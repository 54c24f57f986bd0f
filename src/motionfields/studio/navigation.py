"""Characters that find their way: a world that pages change, places to go to, and the pilot that steers there.

Every different goal of a pilot takes a map of ways, which is too slow to make for each of a hundred characters at once.
So characters share maps: each first heads for an anchor, a place from which its own place is in sight, and straight
for its own place once it sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from motionfields.authoring.worlds import Futures, Pilot
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.world import Follow, Goal, Reach, Room, Survive, World
from motionfields.control.tasks import Ground
from motionfields.runtime import Crowd

SPACINGS: Final = (1.5, 1.2, 0.9, 0.7)  # metres between places around one point; the first with room for everyone
KEPT_OFF: Final = 0.2  # metres that places keep off obstacles beyond the radius of the body
SEEN_OFF: Final = 0.13  # metres that a line of sight keeps off obstacles beyond the radius of the body
SIGHT: Final = 96  # samples of a line of sight
LOOKING: Final = 6  # frames between two looks at the own place
ANCHORS: Final = 3.5  # metres between anchors
CHASING: Final = 2.0  # metres that a chase keeps from whom it follows


class Navigation:
    """The `world` that characters of a crowd walk through, their places to go to, and the pilot that steers them."""

    def __init__(self, futures: Futures, world: World, count: int, *, seed: int = 0) -> None:
        self.world = world
        self.orders = "go"
        self.pilot = Pilot(futures, world, [Survive()] * count)
        self.pilot.keeps_decisions = True
        self.slots = np.full((count, 2), np.nan)  # metres, place of each; NaN: none
        self._homes = np.full((count, 2), np.nan)  # where each was when it was told to cross
        self._anchors = np.full((count, 2), np.nan)
        self._direct = np.zeros(count, np.bool_)  # who heads straight for its own place
        self._waiting: list[int] = []  # characters whose goal has no map yet
        self._rng = np.random.default_rng(seed)
        self._lattice = self._free_lattice(ANCHORS)

    @property
    def count(self) -> int:
        """Number of characters."""
        return self.pilot.count

    @property
    def time(self) -> float:
        """Seconds since the pilot was made, the clock of moving obstacles."""
        return self.pilot.frame * self.pilot.futures.frame_time

    def commands(self, crowd: Crowd) -> FloatArray:
        """Return the commands [n, 2] of the next frame; call it once for each."""
        ground = crowd.ground
        self._renew(ground)
        if self.pilot.frame % LOOKING == 0:
            self._look(ground)
        self._make_maps()
        return self.pilot.commands(crowd)

    def set_room(self, room: Room) -> None:
        """Replace the room; goals stay."""
        self.world = World(room, self.world.movers, self.world.starts, self.world.goals)
        walking = np.flatnonzero(np.isfinite(self._anchors[:, 0]) & ~self._direct)
        self.pilot.set_goals(walking, [Survive()] * len(walking))  # so that no maps are made at once
        self.pilot.set_world(self.world)
        self._lattice = self._free_lattice(ANCHORS)
        for i in np.flatnonzero(np.isfinite(self.slots[:, 0])):
            self._head_for(int(i), self.slots[i], None, keep=True)

    def resize(self, count: int) -> None:
        """Change the number of characters; new ones have no place to go to, unless all wander or chase someone."""
        kept = min(count, self.count)
        target = self._chased()
        goals: list[Goal] = [*self.pilot.goals[:kept], *([Survive()] * (count - kept))]
        goals = [Survive() if isinstance(goal, Follow) and goal.target >= count else goal for goal in goals]
        self.pilot = self.pilot.resized(goals)
        for name, empty in (("slots", np.nan), ("_homes", np.nan), ("_anchors", np.nan), ("_direct", False)):
            old = getattr(self, name)
            new = np.full((count, *old.shape[1:]), empty, old.dtype)
            new[:kept] = old[:kept]
            setattr(self, name, new)
        self._waiting = [i for i in self._waiting if i < count]
        if target is not None and target < count:
            self.pilot.set_goals(range(kept, count), [Follow(target, CHASING)] * (count - kept))

    def send(self, characters: Sequence[int], x: float, z: float, ground: Ground) -> None:
        """Send `characters` at `ground` to places of their own around (`x`, `z`), such that they walk little in all."""
        x0, z0, x1, z1 = self.world.room.bounds
        centre = self._nearest_free(np.array([np.clip(x, x0, x1), np.clip(z, z0, z1)]))
        slots = self._around(centre, len(characters))
        where = ground.position[list(characters)]
        cost = np.linalg.norm(where[:, np.newaxis] - slots, axis=-1) ** 2
        for row, column in zip(*(part.tolist() for part in linear_sum_assignment(cost)), strict=True):
            self._head_for(characters[row], slots[column], centre)

    def let_go(self, character: int) -> None:
        """Clear the goal of `character`."""
        self.slots[character] = self._anchors[character] = np.nan
        self.pilot.set_goals([character], [Survive()])

    def order(self, what: str, selected: int, ground: Ground) -> None:
        """Tell everyone what to do: "go", "cross", "wander" or "chase" the `selected` character."""
        everyone = range(self.count)
        self.orders = what
        self._homes[:] = ground.position if what == "cross" else np.nan
        for i in everyone:
            self.let_go(i)
        if what == "chase":
            others = [i for i in everyone if i != selected]
            self.pilot.set_goals(others, [Follow(selected, CHASING)] * len(others))
        self._renew(ground)

    def set_goal(self, character: int, goal: Goal) -> None:
        """Give one character the goal of a world file."""
        if isinstance(goal, Reach) and not goal.way:
            self._head_for(character, np.array([goal.x, goal.z]), None)
        else:
            self.pilot.set_goals([character], [goal])

    def _chased(self) -> int | None:
        targets = [goal.target for goal in self.pilot.goals if isinstance(goal, Follow)]
        return targets[0] if self.orders == "chase" and targets else None

    def _renew(self, ground: Ground) -> None:
        """Give new places to those who have arrived, if they have orders to go on."""
        if self.orders == "go":
            return
        idle = ~np.isfinite(self.slots[:, 0]) | (self.pilot.reached & self._direct)
        target = self._chased()
        if self.orders == "chase":
            idle &= np.arange(self.count) == target
        for i in np.flatnonzero(idle):
            if self.orders == "cross":
                x0, z0, x1, z1 = self.world.room.bounds
                if not np.isfinite(self._homes[i, 0]):
                    self._homes[i] = ground.position[i]
                opposite = np.array([x0 + x1, z0 + z1]) - self._homes[i]
                away = not np.isfinite(self.slots[i, 0]) or bool(np.allclose(self.slots[i], self._homes[i], atol=1.5))
                place = self._nearest_free(opposite if away else self._homes[i])
            else:
                place = self._drawn_place()
            self._head_for(int(i), place, None)

    def _head_for(self, i: int, slot: FloatArray, anchor: FloatArray | None, *, keep: bool = False) -> None:
        """Let character `i` walk to `slot`; by the map of `anchor`, or of the nearest place that sees the slot."""
        if keep and self.pilot.reached[i]:
            return
        if anchor is None:
            seen = self._sees(self._lattice, np.tile(slot, (len(self._lattice), 1)))
            near = self._lattice[seen]
            anchor = near[np.linalg.norm(near - slot, axis=1).argmin()] if len(near) else slot
        self.slots[i], self._anchors[i], self._direct[i] = slot, anchor, False
        if i not in self._waiting:
            self._waiting.append(i)

    def _make_maps(self) -> None:
        """Let those who wait head for their anchors, until a map had to be made; the rest wait for the next frame."""
        while self._waiting:
            i = self._waiting.pop(0)
            if self._direct[i] or not np.isfinite(self._anchors[i, 0]):
                continue
            goal = Reach(*self._anchors[i].tolist())
            known = self.pilot.has_map(goal)
            self.pilot.set_goals([i], [goal])
            if not known:
                return

    def _look(self, ground: Ground) -> None:
        """Let those who see their own places head straight for them, and those who lost sight of them for anchors."""
        going = np.flatnonzero(np.isfinite(self.slots[:, 0]) & ~(self._direct & self.pilot.reached))
        seen = self._sees(ground.position[going], self.slots[going])
        for i in going[seen & ~self._direct[going]].tolist():
            x, z = self.slots[i].tolist()
            self._direct[i] = True
            self.pilot.set_goals([i], [Reach(x, z, way=((x, z),))])  # a way of its own, so that it needs no map
        for i in going[~seen & self._direct[going]].tolist():
            self._head_for(i, self.slots[i], None)

    def _sees(self, starts: FloatArray, ends: FloatArray) -> BoolArray:
        """Return which of the lines from `starts` [n, 2] to `ends` [n, 2] are free for a body."""
        if not self.world.room.obstacles:
            return np.ones(len(starts), np.bool_)
        shares = np.linspace(0.0, 1.0, SIGHT)[:, np.newaxis]
        cells = self.pilot.grid.cells(starts[:, np.newaxis] * (1.0 - shares) + ends[:, np.newaxis] * shares)
        clear = self.pilot.grid.clearance[cells[..., 0], cells[..., 1]]
        needed = self.world.room.radius + SEEN_OFF
        # Who already stands near an obstacle, or goes to one, may leave it.
        own = np.linalg.norm(starts - ends, axis=1)[:, np.newaxis] * shares[:, 0]
        ignored = (own < 0.5) | (own > own[:, -1:] - 0.5)
        return np.asarray(((clear >= needed) | (ignored & (clear > 0.0))).all(axis=1))

    def _free(self, places: FloatArray) -> FloatArray:
        """Return those of `places` [n, 2] that keep off obstacles and sides."""
        return np.asarray(places[self.world.room.clearance(places) >= self.world.room.radius + KEPT_OFF])

    def _free_lattice(self, spacing: float) -> FloatArray:
        """Return free places [n, 2] of a square lattice over the room, at least one."""
        x0, z0, x1, z1 = self.world.room.bounds
        counts = [max(1, int((high - low) / spacing)) for low, high in ((x0, x1), (z0, z1))]
        axes = [
            low + (np.arange(n) + 0.5) * (high - low) / n
            for low, high, n in zip((x0, z0), (x1, z1), counts, strict=True)
        ]
        free = self._free(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2))
        if len(free):
            return free
        if spacing > 0.3:
            return self._free_lattice(0.5 * spacing)
        return np.array([[0.5 * (x0 + x1), 0.5 * (z0 + z1)]])

    def _nearest_free(self, place: FloatArray) -> FloatArray:
        """Return the free place [2] nearest to `place` [2], on a lattice of 0.25 m unless it is free itself."""
        if len(self._free(place[np.newaxis])):
            return place
        lattice = self._free_lattice(0.25)
        return np.asarray(lattice[np.linalg.norm(lattice - place, axis=1).argmin()])

    def _around(self, centre: FloatArray, count: int) -> FloatArray:
        """Return free places [count, 2] around `centre` [2] that are seen from it, nearest first."""
        found = centre[np.newaxis]
        for spacing in SPACINGS:
            reach = int(np.ceil(np.sqrt(count))) + 2
            row, column = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
            offsets = np.stack([column + 0.5 * (row % 2), row * np.sqrt(0.75)], axis=-1).reshape(-1, 2) * spacing
            offsets = offsets[np.argsort(np.linalg.norm(offsets, axis=1), kind="stable")]
            places = self._free(centre + offsets)
            found = places[self._sees(np.tile(centre, (len(places), 1)), places)]
            if len(found) >= count:
                return np.asarray(found[:count])
        found = found if len(found) else centre[np.newaxis]
        return np.asarray(found[np.arange(count) % len(found)])

    def _drawn_place(self) -> FloatArray:
        x0, z0, x1, z1 = self.world.room.bounds
        for _ in range(50):
            drawn = self._free(self._rng.uniform((x0, z0), (x1, z1), (1, 2)))
            if len(drawn):
                return np.asarray(drawn[0])
        return np.asarray(self._lattice[0])

    def free_places(self, centre: FloatArray, taken: FloatArray, count: int, apart: float) -> FloatArray:
        """Return free places [count, 2], nearest to `centre` first, `apart` metres from each other and from `taken`."""
        for spacing in (apart, 0.6 * apart, 0.35 * apart):
            places = self._free_lattice(spacing)
            gaps = np.linalg.norm(places[:, np.newaxis] - taken, axis=-1).min(axis=1)
            places = places[gaps > 0.5 * spacing]
            if len(places) >= count:
                break
        if not len(places):
            return np.tile(centre, (count, 1))
        order: IntArray = np.argsort(np.linalg.norm(places - centre, axis=-1), kind="stable")
        return np.asarray(places[order[np.arange(count) % len(order)]])
