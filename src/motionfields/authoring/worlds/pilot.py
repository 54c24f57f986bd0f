"""Pilots: they steer the characters of a crowd to their goals, around obstacles and each other.

This is the one place where characters see each other. A crowd's bits do not depend on who else is in it; the commands
of a pilot do. Each character reads where the others expected to be in the previous frame, so that results do not depend
on the order of characters or on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numba
import numpy as np

from motionfields.authoring.worlds.futures import Futures
from motionfields.authoring.worlds.maps import EXTRA, MOST_MAP_BYTES, GroundGrid
from motionfields.authoring.worlds.neighbours import cell_table, fill_cells
from motionfields.authoring.worlds.rolling import SAMPLES
from motionfields.authoring.worlds.scoring import Decision, PlanScores, copied, plan_scores
from motionfields.authoring.worlds.steering import (
    FOLLOW,
    GOAL_SIZE,
    HOLD,
    LEFT,
    REACH,
    SURVIVE,
    THROUGH,
    Numbers,
    Scene,
    Walkers,
    crosses,
    expect_told,
    steer_few,
    steer_many,
)
from motionfields.base.arrays import BoolArray, FloatArray, IntArray, frozen, read_only
from motionfields.base.checks import check_fields, check_indices, checked_count, checked_number
from motionfields.base.world import Follow, Goal, Reach, Room, Survive, Through, World
from motionfields.runtime import Crowd
from motionfields.runtime.checking import FURTHEST

FEWEST: Final = 64  # characters for each thread
PASSING: Final = 0.6  # metres within which a place of a way counts as passed
AT_REST: Final = 0.25  # metres within which a character counts as standing
SPARE: Final = 0.02  # metres by which ways are wider than plans need
MEASURED: Final = 0.3  # share of the newest frame in the measured velocity of a character


@dataclass(frozen=True)
class Avoid:
    """Distances that characters keep from obstacles and each other. Lengths are in metres, costs in seconds.

    Plans keep `margin` more than the radius of the body, because the displayed body is not exactly where a future says.
    Nearer than `clear` costs up to `weight` for each second. A plan that collides costs `hit` at once, and less the
    later it does.
    """

    margin: float = 0.13
    clear: float = 0.35
    weight: float = 2.0
    hit: float = 12.0

    def __post_init__(self) -> None:
        check_fields(self)
        if min(self.margin, self.weight, self.hit) < 0.0 or self.clear <= 0.0:
            raise ValueError("Avoid: expected lengths and costs of at least 0, and `clear` above 0")


@dataclass(frozen=True)
class Manner:
    """Costs of steering in seconds: `turn_cost` per radian of change of heading, `change_cost` per change of speed.

    Characters decide once in `every` frames; a goal counts as reached within `arrival` metres.
    """

    turn_cost: float = 0.25
    change_cost: float = 0.1
    every: int = 6
    arrival: float = 0.5

    def __post_init__(self) -> None:
        check_fields(self)
        checked_count("every", self.every, 1)
        if min(self.turn_cost, self.change_cost) < 0.0 or self.arrival <= 0.0:
            raise ValueError("Manner: expected costs of at least 0 and `arrival` above 0")


class Pilot:
    """Steers the characters of one crowd by their futures. `commands` is called once for each frame of the crowd.

    With `plans` "told", characters know each other's plans of the previous frame, and the paths of moving obstacles.
    With "seen" they expect everything to keep its current velocity. With `maps` False they know no way around
    standing obstacles: they head straight for their goals and see obstacles only within their futures.
    """

    def __init__(
        self,
        futures: Futures,
        world: World | Room,
        goals: Sequence[Goal] | None = None,
        *,
        plans: Literal["told", "seen"] = "told",
        avoid: Avoid | None = None,
        manner: Manner | None = None,
        maps: bool = True,
    ) -> None:
        if plans not in ("told", "seen"):
            raise ValueError(f"plans: expected told or seen, got {plans!r:.40}")
        self.futures = futures
        self.world = World(world) if isinstance(world, Room) else world
        self.plans, self.maps = plans, maps
        self.avoid, self.manner = avoid or Avoid(), manner or Manner()
        given = self.world.goals if goals is None else tuple(goals)
        if not given:
            raise ValueError("goals: expected one for each character, in the world or as an argument")
        self.count = count = len(given)
        self.frame = 0
        self.grid = frozen(self._ground())
        self._table, self._commands = self._motion()
        self._heads, self._following = cell_table(count)
        self._ways: FloatArray = np.zeros((0, *self.grid.clearance.shape), np.float32)
        self._way_goals: dict[Goal, int] = {}
        self._goals: list[Goal] = list(given)
        self._kind, self._goal = np.zeros(count, np.int64), np.zeros((count, GOAL_SIZE))
        self._way, self._target = np.full(count, -1), np.zeros(count, np.int64)
        self._leg = np.zeros(count, np.int64)  # place of its way that each is on the way to
        self._reached = np.zeros(count, np.bool_)
        self._command, self._plan, self._cost = np.zeros((count, 2)), np.zeros(count, np.int64), np.zeros(count)
        self._told, self._told_at = np.zeros((count, SAMPLES + 1, 2)), np.full(count, -1)
        self._expected = np.zeros((count, SAMPLES + 1, 2))
        self._velocity, self._before = np.zeros((count, 2)), np.zeros((count, 2))
        self._rest, self._still = np.zeros((count, 2)), np.zeros(count)  # where each rests, and for how many seconds
        self._fresh = np.ones(count, np.bool_)  # who was never steered
        self._controller: Any = None
        self.keeps_decisions = False
        self.decision: Decision | None = None  # of the last frame in which someone decided, if decisions are kept
        self.set_goals(range(count), given)

    def _ground(self) -> GroundGrid:
        """Return the clearance of standing obstacles that all characters know."""
        return GroundGrid.over(self.world.room)

    def _motion(self) -> tuple[IntArray, FloatArray]:
        """Return the steps [state, plan, sample, 2] that are scored, and the commands [plan, 2]."""
        return self.futures.steps, self.futures.commands

    @property
    def reached(self) -> BoolArray:
        """Which characters [n] have reached their goals; goals to follow and to survive are never reached."""
        return self._reached.copy()

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals of all characters."""
        return tuple(self._goals)

    @property
    def chosen(self) -> IntArray:
        """The plan [n] that each character follows, as in `Futures.commands`."""
        return self._plan.copy()

    @property
    def told(self) -> FloatArray:
        """The places [n, SAMPLES + 1, 2] of each character's plan, world x and z, from where it decided on."""
        return self._told.copy()

    def scores(self, decision: Decision, character: int) -> PlanScores:
        """Return the costs of all plans of `character` in a `decision` of this pilot (see `keeps_decisions`)."""
        return plan_scores(self.futures, self._numbers(), decision, character)

    def set_world(self, world: World | Room) -> None:
        """Go on in another `world`, for example after an obstacle was moved; goals stay."""
        self.world = World(world) if isinstance(world, Room) else world
        self.grid = frozen(self._ground())
        self._keep({})
        self._ways = np.zeros((0, *self.grid.clearance.shape), np.float32)
        for i in np.flatnonzero(np.isin(self._kind, (REACH, THROUGH))):
            goal = self._goals[i]
            if isinstance(goal, Through) or (isinstance(goal, Reach) and not goal.way):
                self._way[i] = self._map_of(goal)

    def resized(self, goals: Sequence[Goal]) -> Pilot:
        """Return a pilot with one character for each of `goals`; characters that both pilots have keep their state."""
        if type(self) is not Pilot:
            raise TypeError(f"resized: expected a Pilot, got a {type(self).__name__}; make a new one")
        blank: list[Goal] = [Survive()] * len(goals)
        other = Pilot(
            self.futures, self.world, blank, plans=self.plans, avoid=self.avoid, manner=self.manner, maps=self.maps
        )
        other._ways, other._way_goals = self._ways, dict(self._way_goals)
        other.set_goals(range(other.count), goals)
        other.frame, other.keeps_decisions = self.frame, self.keeps_decisions
        kept = min(self.count, other.count)
        for name in ("_command", "_plan", "_told", "_told_at", "_velocity", "_before", "_rest", "_still", "_fresh"):
            getattr(other, name)[:kept] = getattr(self, name)[:kept]
        same = [i for i in range(kept) if self._goals[i] == other._goals[i]]
        for name in ("_kind", "_goal", "_leg", "_reached"):
            getattr(other, name)[same] = getattr(self, name)[same]
        return other

    def has_map(self, goal: Reach | Through) -> bool:
        """Return whether `goal` has a map, or needs none; a map takes some 10 ms for each 20 by 20 m."""
        return not self.maps or not self.world.room.obstacles or goal in self._way_goals

    def take_over(self, character: int, heading: float, speed: float) -> None:
        """Let `character` follow an external command; others expect it to keep its current velocity."""
        character = checked_count("character", character, 0, self.count - 1)
        self._command[character] = checked_number("heading", heading), checked_number("speed", speed)
        self._told_at[character] = -1

    def set_goals(self, characters: Sequence[int] | IntArray, goals: Sequence[Goal]) -> None:
        """Give new `goals` to `characters`, one for each."""
        chosen = [checked_count("characters", number, 0, self.count - 1) for number in characters]
        if len(chosen) != len(goals):
            raise ValueError(f"goals: expected one for each of {len(chosen)} characters, got {len(goals)}")
        for number, goal in zip(chosen, goals, strict=True):
            self._set_goal(number, goal)

    def _set_goal(self, i: int, goal: Goal) -> None:
        self._goals[i], self._reached[i], self._leg[i] = goal, False, 0
        self._goal[i], self._way[i] = 0.0, -1
        if isinstance(goal, Survive):
            self._kind[i] = SURVIVE
        elif isinstance(goal, Follow):
            if goal.target >= self.count or goal.target == i:
                raise ValueError(f"goals: character {i} cannot follow character {goal.target}")
            self._kind[i], self._target[i], self._goal[i, 5] = FOLLOW, goal.target, goal.distance
        elif isinstance(goal, Through):
            self._kind[i], self._goal[i, :4] = THROUGH, (*goal.start, *goal.end)
            self._way[i] = self._map_of(goal)
        elif isinstance(goal, Reach):
            self._kind[i] = REACH
            self._aim(i, goal)
            if not goal.way:
                self._way[i] = self._map_of(goal)
        else:
            raise TypeError(f"goals: expected Reach, Through, Follow or Survive, got {type(goal).__name__}")

    def _aim(self, i: int, goal: Reach) -> None:
        """Head for the next place of the way of `goal`."""
        places = np.array([*goal.way, (goal.x, goal.z)])
        rest = places[self._leg[i] :]
        self._goal[i, :2] = rest[0]
        self._goal[i, LEFT] = np.linalg.norm(np.diff(rest, axis=0), axis=1).sum()

    def _map_of(self, goal: Reach | Through) -> int:
        """Return the number of the map of `goal`, which is made if there is none; -1 without maps or obstacles."""
        if not self.maps or not self.world.room.obstacles:
            return -1
        if goal not in self._way_goals:
            if (len(self._ways) + 1) * self.grid.clearance.nbytes > MOST_MAP_BYTES:
                # Goals that nobody has any more make room for others.
                kept = {g: n for g, n in self._way_goals.items() if g in set(self._goals)}
                if (len(kept) + 1) * self.grid.clearance.nbytes > MOST_MAP_BYTES:
                    raise ValueError("goals: too many different places for maps; use fewer, or a way to each")
                self._keep(kept)
            made = self.grid.way_map(goal, self._way_radius)[np.newaxis]
            self._ways = np.concatenate([self._ways, made])
            self._way_goals[goal] = len(self._ways) - 1
        return self._way_goals[goal]

    @property
    def _way_radius(self) -> float:
        """Radius in metres of a body for which a way is as wide as plans need; others would never be entered."""
        return self.world.room.radius + max(self.avoid.margin + SPARE - EXTRA, 0.0)

    def _keep(self, kept: dict[Goal, int]) -> None:
        """Keep the maps of `kept` alone."""
        number = {old: new for new, old in enumerate(kept.values())}
        self._ways = self._ways[list(kept.values())]
        self._way_goals = {goal: number[old] for goal, old in kept.items()}
        self._way = np.array([number.get(int(old), -1) for old in self._way])

    def commands(self, crowd: Crowd) -> FloatArray:
        """Return the commands [n, 2], heading and speed, of the next frame of `crowd`, whose controller it checks."""
        if crowd.count != self.count:
            raise ValueError(f"crowd: expected {self.count} characters, one for each goal, got {crowd.count}")
        if self._controller is not crowd.controller:
            self.futures.check_controller(crowd.controller)
            self._controller = crowd.controller
        # A character that is not sound starts again in the next frame of its crowd, with a warning.
        ground, states = crowd.ground, np.clip(crowd.followers.state, 0, self.futures.state_count - 1)
        place, facing = (np.clip(np.nan_to_num(part), -FURTHEST, FURTHEST) for part in ground)
        return self.steer(states, place, facing)

    def steer(self, states: IntArray, position: FloatArray, facing: FloatArray) -> FloatArray:
        """Return the commands [n, 2] of characters at database `states` [n], `position` [n, 2] and `facing` [n].

        This is `commands` for characters that are not those of one crowd; `states` must belong to the futures.
        """
        states = check_indices("states", states, self.futures.state_count).astype(np.int64)
        position, facing = (np.array(part, dtype=np.float64) for part in (position, facing))
        if (states.shape, position.shape, facing.shape) != ((self.count,), (self.count, 2), (self.count,)):
            raise ValueError(f"states, position, facing: expected one for each of {self.count} characters")
        if not (np.abs(position) <= FURTHEST).all() or not (np.abs(facing) <= FURTHEST).all():
            raise ValueError(f"position, facing: expected finite numbers up to {FURTHEST:g}")
        fresh = self._fresh.copy()
        self._command[fresh, 0], self._before[fresh] = facing[fresh], position[fresh]
        moved = (position - self._before) / self.futures.frame_time
        self._velocity += MEASURED * (moved - self._velocity)
        self._note_reached(position)
        moved_on = np.hypot(*(position - self._rest).T) > AT_REST
        self._rest[moved_on] = position[moved_on]
        self._still = np.where(moved_on, 0.0, self._still + self.futures.frame_time)
        due = (self.frame + np.arange(self.count)) % self.manner.every == 0
        due |= fresh
        self._fresh[:] = False
        if due.any():
            self._decide(states, position, facing, due)
        self._before[:] = position
        self.frame += 1
        return self._command.copy()

    def _note_reached(self, position: FloatArray) -> None:
        """Note who has reached a goal, and let who is on a way head for its next place."""
        near = np.hypot(*(position - self._goal[:, :2]).T)
        passing = (self._kind == REACH) & (self._goal[:, LEFT] > 0.0) & (near < PASSING)
        for i in np.flatnonzero(passing):
            goal = self._goals[i]
            assert isinstance(goal, Reach)
            self._leg[i] += 1
            self._aim(int(i), goal)
        done = (self._kind == REACH) & (self._goal[:, LEFT] == 0.0) & (near < self.manner.arrival) & ~passing
        for i in np.flatnonzero(self._kind == THROUGH):
            done[i] = crosses(*self._before[i], *position[i], *self._goal[i, :4])
            self._goal[i, :2] = np.where(done[i], position[i], self._goal[i, :2])
        self._reached |= done
        self._kind[done], self._way[done] = HOLD, -1

    def _decide(self, states: IntArray, position: FloatArray, facing: FloatArray, due: BoolArray) -> None:
        """Let the characters `due` [n] decide, and note their plans for the others."""
        fill_cells(position, self._heads, self._following)
        seconds = self.futures.sample_seconds
        age = np.where(self._told_at < 0, -1.0, (self.frame - self._told_at) / self.futures.every)
        if self.plans == "seen":
            age[:] = -1.0
        expect_told(position, self._told, age, self._velocity, seconds, self._expected)
        walkers = Walkers(
            states,
            position,
            facing,
            due,
            self._expected,
            self._kind,
            self._goal,
            self._way,
            self._target,
            self._still,
            self._command,
            self._plan,
            self._cost,
        )
        before = walkers._replace(command=self._command.copy()) if self.keeps_decisions else None
        self._choose(walkers)
        if before is not None:
            self.decision = Decision(self.frame, copied(before), *self._known())
        chosen = np.flatnonzero(due)
        self._told[chosen, 0], self._told_at[chosen] = position[chosen], self.frame
        self._told[chosen, 1:] = self.futures.in_world(
            states[chosen], self._plan[chosen], position[chosen], facing[chosen]
        )

    def _known(self) -> tuple[GroundGrid, FloatArray, FloatArray]:
        """Return the grid, the maps and the moving obstacles of the present frame."""
        return self.grid, self._ways, self._movers()

    def _choose(self, walkers: Walkers) -> None:
        """Fill commands, plans and costs of the `walkers` that are due, by what they know."""
        self._run(Scene(read_only(self._ways), self._movers(), self._heads, self._following), walkers)

    def _run(self, scene: Scene, walkers: Walkers) -> None:
        """Fill commands, plans and costs of the `walkers` that are due."""
        threads = max(1, min(numba.get_num_threads(), self.count // FEWEST))
        run = steer_few if threads == 1 else steer_many
        run(self._numbers(), self.grid, scene, self._table, self._commands, walkers)

    def _movers(self) -> FloatArray:
        """Return the blocks [SAMPLES + 1, mover, 6] of moving obstacles, now and at the samples, as far as known."""
        now, steps = self.frame * self.futures.frame_time, np.arange(SAMPLES + 1) * self.futures.sample_seconds
        if self.plans == "told":
            return self.world.mover_blocks(now + steps)
        was, here = self.world.mover_blocks(np.array([max(0.0, now - self.futures.frame_time), now]))
        rate = (here - was) / self.futures.frame_time
        return np.ascontiguousarray(here + rate * steps[:, np.newaxis, np.newaxis])

    def _numbers(self) -> Numbers:
        avoid, manner, futures = self.avoid, self.manner, self.futures
        return Numbers(
            self.world.room.radius,
            avoid.margin,
            avoid.clear,
            avoid.weight,
            avoid.hit,
            manner.turn_cost,
            manner.change_cost,
            manner.arrival - 0.1,
            futures.sample_seconds,
            futures.top,
            futures.unit,
        )
