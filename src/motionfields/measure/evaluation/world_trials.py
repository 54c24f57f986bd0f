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
from motionfields.base.world import Goal, Reach, Room, World, draw_world
from motionfields.base.world.drawing import GOAL, RADIUS
from motionfields.control.contract import Controller
from motionfields.field import MotionField
from motionfields.measure.evaluation.figures import Figures, measure_trials
from motionfields.measure.evaluation.source import SourceFigures, measure_source
from motionfields.measure.evaluation.trials import Trials, clips_of
from motionfields.motion.clip import trim
from motionfields.runtime import Crowd, DisplayPose, Frame

SETTLE: Final = 1.0  # seconds at the start of a crowd trial that are not judged
PREDICTED: Final = 5.0  # seconds between two comparisons of plans with what happens
STILL: Final = 0.25  # metres within which a character that has not reached its goal counts as stuck

SHORTEST: Final = 60  # frames of a character whose motion is measured

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
    unplanted: list[DisplayPose]  # the same before foot locking


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
    unplanted: list[DisplayPose]  # the same before foot locking
    places: FloatArray  # [frame, n, 2], metres, displayed


def world_trials(
    controller: Controller,
    make_pilot: MakePilot,
    seeds: Sequence[int],
    *,
    seconds: float = 20.0,
    keep: bool = False,
    draw: Callable[[int], tuple[World, int]] = draw_world,
) -> WorldTrials:
    """Run one character in each of the worlds that `draw` returns for `seeds`, steered by the pilot of each.

    The goal of each world is that of `draw_world`.
    """
    drawn = [draw(seed) for seed in seeds]
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
    unplanted: list[DisplayPose] = []
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
            assert crowd.unplanted is not None
            unplanted.append(crowd.unplanted)
    level = np.array([which for _, which in drawn])
    costs = (steering / max(decided, 1), body / max(shown, 1))
    return WorldTrials(reached, collided, ended, length, clearance, level, *costs, frames, unplanted)


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
    places = _places(count, side, rng)
    crowd, dt = Crowd(controller, count, seed=seed), controller.field.database.frame_time
    crowd.place(slice(None), places, rng.uniform(-np.pi, np.pi, count))
    world = World(Room((-1.0, -1.0, side + 1.0, side + 1.0), radius=RADIUS))
    pilot = make_pilot(world, _goals(count, side, rng))
    touched, rest, rested = np.zeros(count, np.bool_), places.copy(), np.zeros(count)
    begun, touching, walked, arrived, stuck = 0, 0, 0.0, 0, 0.0
    steering, body, frames, unplanted, misses = 0.0, 0.0, [], [], []
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
        pilot.set_goals(done, _goals(len(done), side, rng))
        if keep:
            frames.append(frame)
            assert crowd.unplanted is not None
            unplanted.append(crowd.unplanted)
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
        unplanted,
        np.array(ways[1:]),
    )


def steering_costs(
    controller: Controller,
    make_pilot: MakePilot,
    counts: Sequence[int],
    *,
    density: float = 0.25,
    rounds: int = 3,
    work: int = 60_000,
    seed: int = 0,
) -> FloatArray:
    """Return the CPU seconds [count] of steering for each character and frame in crowds of `counts` characters.

    All have `density` characters per square metre. The crowds take turns, each with about `work` characters times
    frames in each of `rounds`, so that a machine whose speed changes slows them alike; the cheapest round counts.
    """
    crowds = []
    for count in counts:
        rng, side = np.random.default_rng(seed), float(np.sqrt(count / density))
        crowd = Crowd(controller, count, seed=seed)
        crowd.place(slice(None), _places(count, side, rng), rng.uniform(-np.pi, np.pi, count))
        world = World(Room((0.0, 0.0, side, side), radius=RADIUS))
        crowds.append((crowd, make_pilot(world, _goals(count, side, rng)), side, rng))
        _steer_on(*crowds[-1], frames=2)  # the first frame compiles
    found = np.full((rounds, len(counts)), np.inf)
    for number in range(rounds):
        for i, steered in enumerate(crowds):
            found[number, i] = _steer_on(*steered, frames=max(12, work // counts[i]))
    return np.asarray(found.min(axis=0))


def _steer_on(crowd: Crowd, pilot: Pilot, side: float, rng: np.random.Generator, *, frames: int) -> float:
    """Run `frames` frames, and return the CPU seconds of steering for each character and frame."""
    spent = 0.0
    for _ in range(frames):
        begin = time.process_time()
        command = pilot.commands(crowd)
        spent += time.process_time() - begin
        crowd.step(command)
        done = np.flatnonzero(pilot.reached)
        pilot.set_goals(done, _goals(len(done), side, rng))
    return spent / (frames * crowd.count)


def _places(count: int, side: float, rng: np.random.Generator) -> FloatArray:
    """Return places [count, 2] in metres, spread over a square with sides of `side` metres."""
    row = int(np.ceil(np.sqrt(count)))
    cells = np.stack(np.meshgrid(np.arange(row), np.arange(row)), axis=-1).reshape(-1, 2)
    chosen = cells[rng.permutation(row * row)[:count]]
    return np.asarray((chosen + 0.5 + rng.uniform(-0.15, 0.15, (count, 2))) * (side / row))


def _goals(count: int, side: float, rng: np.random.Generator) -> list[Goal]:
    """Return `count` goals anywhere in a square."""
    return [Reach(float(x), float(z)) for x, z in rng.uniform(0.5, side - 0.5, (count, 2))]


def steered_figures(
    field: MotionField, kept: WorldTrials | CrowdTrials, *, count: int, source: SourceFigures | None = None
) -> Figures:
    """Return the motion figures of the first `count` characters of trials that were kept; response times are not used.

    In worlds, each counts until it reached the goal or collided.
    """
    clips, bare = (clips_of(field, [_first(pose, count) for pose in poses]) for poses in (kept.frames, kept.unplanted))
    states, variants = (
        np.stack([getattr(frame, name) for frame in kept.frames], axis=1) for name in ("states", "variants")
    )
    lengths = [len(kept.frames)] * len(clips)
    if isinstance(kept, WorldTrials):
        lengths = np.round(kept.seconds[: len(clips)] / field.database.frame_time).astype(int).tolist()
    judged = [i for i, length in enumerate(lengths) if length >= SHORTEST]
    cut = [slice(0, length) for length in lengths]
    times = np.zeros(len(judged))
    trials = Trials(
        times,
        times,
        times,
        np.zeros((len(judged), 1)),
        [trim(clips[i], 0, lengths[i]) for i in judged],
        [trim(bare[i], 0, lengths[i]) for i in judged],
        [states[i, cut[i]] for i in judged],
        [variants[i, cut[i]] for i in judged],
    )
    return measure_trials(field, source or measure_source(field), trials)


def _first(pose: Frame | DisplayPose, count: int) -> DisplayPose:
    return DisplayPose(pose.root_position[:count], pose.rotations[:count])


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
