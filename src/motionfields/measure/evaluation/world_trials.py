"""Trials of steering: one character in each of many random worlds, and crowds in one open world.

Everything is judged on displayed, foot-locked characters: a collision is a displayed root nearer to an obstacle than
the radius of the body, a contact two displayed roots nearer to each other than twice that.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.worlds import Pilot
from motionfields.authoring.worlds.neighbours import NEAREST, cell_table, fill_cells, find_nearest
from motionfields.authoring.worlds.steering import block_gap
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.world import Box, Disc, Goal, Mover, Obstacle, Reach, Room, Wall, World
from motionfields.control.contract import Controller
from motionfields.runtime import Crowd, Frame

RADIUS: Final = 0.25  # metres, of bodies in trials
GOAL: Final = (0.0, 8.0)  # metres, of world trials, which start at the origin
LEVELS: Final = ((1, 4), (6, 9), (11, 14))  # fewest and most standing obstacles
MOVERS: Final = 3  # moving obstacles in each world
SETTLE: Final = 1.0  # seconds at the start of a crowd trial that are not judged
PREDICTED: Final = 5.0  # seconds between two comparisons of plans with what happens
STILL: Final = 0.25  # metres within which a character that has not reached its goal counts as stuck

MakePilot = Callable[[World, Sequence[Goal]], Pilot]


class WorldTrials(NamedTuple):
    """Outcomes of characters in worlds of their own."""

    reached: BoolArray  # [world]
    collided: BoolArray  # [world], before reaching the goal; neither: too late
    seconds: FloatArray  # [world], until either
    length: FloatArray  # [world], metres walked
    clearance: FloatArray  # [world], metres, least distance of the body to an obstacle
    level: IntArray  # [world], which of `LEVELS`
    steering: float  # CPU seconds for each character and frame
    body: float  # the same for the displayed body
    frames: list[Frame]  # of all characters, if kept


class CrowdTrials(NamedTuple):
    """Outcome of a crowd in which everyone gets a new goal on reaching the last."""

    contacts: float  # begun contacts for each character and minute
    touching: float  # share of time in contact
    speed: float  # m/s
    goals: float  # reached for each character and minute
    stuck: float  # seconds, longest time that a character stayed within `STILL`
    prediction: float  # metres, median distance between a plan and the displayed character that keeps it for 1 s
    steering: float  # CPU seconds for each character and frame
    body: float  # the same for the displayed body
    frames: list[Frame]  # if kept
    places: FloatArray  # [frame, n, 2], metres, displayed


def draw_world(seed: int) -> tuple[World, int]:
    """Return a world drawn by `seed`, with its goal 8 m ahead of the start, and the number of its level."""
    rng = np.random.default_rng(seed)
    level = int(rng.integers(len(LEVELS)))
    low, high = LEVELS[level]
    count = int(rng.integers(low, high + 1))
    ends = np.array([(0.0, 0.0), GOAL])
    obstacles: list[Obstacle] = []
    while len(obstacles) < count:
        one = _drawn_obstacle(rng)
        distances = Room((-40.0, -40.0, 40.0, 40.0), (one,)).clearance(ends) - RADIUS
        if distances[0] > 0.9 and distances[1] > 0.5:
            obstacles.append(one)
    movers: list[Mover] = []
    while len(movers) < MOVERS:
        place, turn, speed = rng.uniform((-4.0, -1.5), (4.0, 9.5)), rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.4, 1.0)
        way = 3.0 * np.array([np.sin(turn), np.cos(turn)])
        if np.linalg.norm(place - ends, axis=1).min() > 1.5 + RADIUS + 0.3:
            there, back = (place + way).tolist(), (place - way).tolist()
            disc = Disc(float(place[0]), float(place[1]), 0.3)
            movers.append(Mover(disc, ((there[0], there[1]), (back[0], back[1])), float(speed)))
    room = Room((-9.0, -7.0, 9.0, 15.0), tuple(obstacles), RADIUS)
    return World(room, tuple(movers), goals=(Reach(*GOAL),)), level


def _drawn_obstacle(rng: np.random.Generator) -> Obstacle:
    x, z = (float(part) for part in rng.uniform((-4.0, -1.5), (4.0, 9.5)))
    kind, yaw = int(rng.integers(3)), float(rng.uniform(-np.pi, np.pi))
    if kind == 0:
        return Disc(x, z, float(rng.uniform(0.2, 0.7)))
    if kind == 1:
        half = float(rng.uniform(0.5, 1.2))
        way_x, way_z = half * np.sin(yaw), half * np.cos(yaw)
        return Wall((x - way_x, z - way_z), (x + way_x, z + way_z), 0.1)
    return Box(x, z, float(rng.uniform(0.5, 1.2)), float(rng.uniform(0.5, 1.2)), yaw)


def world_trials(
    controller: Controller,
    make_pilot: MakePilot,
    seeds: Sequence[int],
    *,
    seconds: float = 20.0,
    keep: bool = False,
) -> WorldTrials:
    """Run one character in each of the worlds that `seeds` draw, steered by the pilot of each."""
    drawn = [draw_world(seed) for seed in seeds]
    pilots = [make_pilot(world, world.goals) for world, _ in drawn]
    count, dt = len(pilots), controller.field.database.frame_time
    times = dt * (np.arange(round(seconds / dt)) + 1.0)
    blocks, paths = [world.room.blocks() for world, _ in drawn], [world.mover_blocks(times) for world, _ in drawn]
    crowd = Crowd(controller, count, seed=seeds[0])
    facing = np.random.default_rng(seeds[0]).uniform(-np.pi, np.pi, count)
    crowd.place(slice(None), np.zeros((count, 2)), facing)
    command = np.stack([facing, np.zeros(count)], axis=-1)
    reached, collided = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    ended, length, clearance = np.full(count, seconds), np.zeros(count), np.full(count, np.inf)
    before: FloatArray = np.zeros((count, 2))
    frames: list[Frame] = []
    steering, body, decided, shown = 0.0, 0.0, 0, 0
    for number in range(len(times)):
        active = np.flatnonzero(~(reached | collided))
        if not len(active):
            break
        ground, start = crowd.ground, time.process_time()
        states = crowd.followers.state
        for i in active:
            part = slice(i, i + 1)
            command[i] = pilots[i].steer(states[part], ground.position[part], ground.facing[part])[0]
        middle = time.process_time()
        frame = crowd.step(command)
        if number > 0:  # the first frame compiles
            steering, body = steering + middle - start, body + time.process_time() - middle
            decided, shown = decided + len(active), shown + count
        places = frame.root_position[:, ::2]
        length[active] += np.linalg.norm(places[active] - before[active], axis=1)
        before = places.copy()
        for i in active:
            gap = least_gap(blocks[i], paths[i][number], places[i, 0], places[i, 1]) - RADIUS
            clearance[i] = min(clearance[i], gap)
            collided[i] = gap < 0.0
            reached[i] = not collided[i] and np.hypot(*(places[i] - GOAL)) < 0.5
            if reached[i] or collided[i]:
                ended[i] = (number + 1) * dt
        if keep:
            frames.append(frame)
    level = np.array([which for _, which in drawn])
    costs = (steering / max(decided, 1), body / max(shown, 1))
    return WorldTrials(reached, collided, ended, length, clearance, level, *costs, frames)


def crowd_trials(
    controller: Controller,
    make_pilot: MakePilot,
    count: int,
    density: float,
    *,
    seconds: float = 20.0,
    seed: int = 0,
    keep: bool = False,
) -> CrowdTrials:
    """Run `count` characters at `density` per square metre in an open square, to goals anywhere in it."""
    rng = np.random.default_rng(seed)
    side = float(np.sqrt(count / density))
    row = int(np.ceil(np.sqrt(count)))
    cells = np.stack(np.meshgrid(np.arange(row), np.arange(row)), axis=-1).reshape(-1, 2)
    places = (cells[rng.permutation(row * row)[:count]] + 0.5 + rng.uniform(-0.15, 0.15, (count, 2))) * (side / row)
    crowd, dt = Crowd(controller, count, seed=seed), controller.field.database.frame_time
    crowd.place(slice(None), places, rng.uniform(-np.pi, np.pi, count))
    world = World(Room((-1.0, -1.0, side + 1.0, side + 1.0), radius=RADIUS))

    def goals(number: int) -> list[Goal]:
        return [Reach(float(x), float(z)) for x, z in rng.uniform(0.5, side - 0.5, (number, 2))]

    pilot = make_pilot(world, goals(count))
    touched, rest, rested = np.zeros(count, np.bool_), places.copy(), np.zeros(count)
    begun, touching, walked, arrived, stuck = 0, 0, 0.0, 0, 0.0
    steering, body, frames, misses = 0.0, 0.0, [], []
    ways: list[FloatArray] = [places]
    frame_count = round(seconds / dt)
    for number in range(frame_count):
        start = time.process_time()
        command = pilot.commands(crowd)
        decided = time.process_time()
        if (number + 1) % round(PREDICTED / dt) == 0:
            misses.append(_misses(crowd, pilot, command))
        middle = time.process_time()
        frame = crowd.step(command)
        if number > 0:  # the first frame compiles
            steering, body = steering + decided - start, body + time.process_time() - middle
        now = np.ascontiguousarray(frame.root_position[:, ::2])
        touch = in_contact(now)
        moved = np.linalg.norm(now - rest, axis=1) > STILL
        rest[moved], rested = now[moved], np.where(moved, 0.0, rested + dt)
        if number * dt >= SETTLE:
            begun, touching = begun + int((touch & ~touched).sum()), touching + int(touch.sum())
            walked += float(np.linalg.norm(now - ways[-1], axis=1).sum())
            stuck = max(stuck, float(rested.max()))
        touched = touch
        ways.append(now)
        done = np.flatnonzero(pilot.reached)
        arrived += len(done)
        pilot.set_goals(done, goals(len(done)))
        if keep:
            frames.append(frame)
    judged = count * (seconds - SETTLE)
    return CrowdTrials(
        60.0 * begun / judged,
        touching * dt / judged,
        walked / judged,
        60.0 * arrived / (count * seconds),
        stuck,
        float(np.median(np.concatenate(misses))) if misses else float("nan"),
        steering / (count * max(frame_count - 1, 1)),
        body / (count * max(frame_count - 1, 1)),
        frames,
        np.array(ways[1:]),
    )


def _misses(crowd: Crowd, pilot: Pilot, command: FloatArray) -> FloatArray:
    """Return how far [m] in metres displayed characters are from their plans after 1 s, of those that just decided.

    A copy of the crowd keeps the commands for 1 s; the crowd itself is left as it is.
    """
    every, fork = pilot.futures.every, copy.deepcopy(crowd)
    ahead = round(1.0 / pilot.futures.frame_time)
    fresh = (pilot.frame - 1 + np.arange(pilot.count)) % pilot.manner.every == 0
    for _ in range(ahead):
        frame = fork.step(command)
    first, share = ahead // every, (ahead % every) / every
    told = pilot.told[fresh]
    place = told[:, first] + share * (told[:, first + 1] - told[:, first])
    return np.asarray(np.linalg.norm(frame.root_position[fresh, ::2] - place, axis=1))


@kernel
def least_gap(blocks: FloatArray, movers: FloatArray, x: float, z: float) -> float:
    """Return the distance in metres from one place to the nearest of `blocks` [n, 6] and `movers` [m, 6]."""
    gap = np.inf
    for k in range(len(blocks)):
        gap = min(gap, block_gap(blocks[k], x, z))
    for k in range(len(movers)):
        gap = min(gap, block_gap(movers[k], x, z))
    return float(gap)


@kernel
def _touching(
    position: FloatArray, heads: IntArray, following: IntArray, found: IntArray, squares: FloatArray, out: BoolArray
) -> None:
    for i in range(len(position)):
        count = find_nearest(position, heads, following, i, found, squares)
        out[i] = count > 0 and squares[0] < 4.0 * RADIUS * RADIUS


def in_contact(position: FloatArray) -> BoolArray:
    """Return which characters [n] at `position` [n, 2] are nearer to another than twice `RADIUS`."""
    heads, following = cell_table(len(position))
    fill_cells(position, heads, following)
    out = np.zeros(len(position), np.bool_)
    _touching(position, heads, following, np.empty(NEAREST, np.int64), np.empty(NEAREST), out)
    return out
