"""Futures by the real policy: where a character at each state will be if it is given one command from now on.

A decision takes microseconds, and a table of futures needs tens of millions. So the policy decides once for every
state at `NODES` angles to the heading and every speed. Futures then follow these decisions, at the nearest node of each
frame. Only where a decision leads back to a state that was shown a moment ago is the policy asked again.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numba import prange

from motionfields.authoring.worlds.footing import FOOT_SIZE, ROOT_SIZE, Footing, stand, walk
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import lean_kernel, parallel_kernel
from motionfields.base.geometry import wrap_angle
from motionfields.control.followers import MEMORY
from motionfields.control.grids import Grid
from motionfields.control.policy import PolicyTable, choose
from motionfields.control.tasks.compiled import CompiledTask

HEADINGS: Final = 36  # headings of the futures, equally spaced; straight ahead is number HEADINGS // 2
SPEED_SHARES: Final = (0.55, 1.0)  # walking speeds of the futures, as shares of the top speed
SPEED_COUNT: Final = 1 + len(SPEED_SHARES)  # with standing
PLANS: Final = 1 + HEADINGS * len(SPEED_SHARES)  # stand still, then each heading at each speed
SAMPLES: Final = 8  # places that a future holds
SAMPLE_SECONDS: Final = 8.0 / 30.0  # seconds between them, rounded to whole frames
_SIDE = (*range(2, 11, 2), *range(15, 31, 5), *range(40, 180, 10))  # degrees; a walker is nearly always near 0
NODES: Final = np.radians(np.array([*(-angle for angle in reversed(_SIDE)), 0, *_SIDE, 180], dtype=np.float64))
PARTS: Final = 720  # equal parts of a full turn for each of which the nearest node is known


def plan_commands(top: float) -> FloatArray:
    """Return the commands [plan, 2] of all plans: heading in radians to the left of the facing, speed in m/s."""
    headings = (np.arange(HEADINGS) - HEADINGS // 2) * (2.0 * np.pi / HEADINGS)
    walking = [np.stack([headings, np.full(HEADINGS, share * top)], axis=-1) for share in SPEED_SHARES]
    return np.concatenate([np.zeros((1, 2)), *walking])


def nearest_nodes() -> IntArray:
    """Return the node [part] nearest to the middle of each part of a full turn from -pi."""
    middles = -np.pi + (np.arange(PARTS) + 0.5) * (2.0 * np.pi / PARTS)
    return np.asarray(np.abs(wrap_angle(middles[:, np.newaxis] - NODES)).argmin(axis=1))


@parallel_kernel
def decide_all(
    table: PolicyTable, grid: Grid, task: CompiledTask, nodes: FloatArray, speeds: FloatArray, start: int, out: IntArray
) -> None:
    """Fill `out` [state, speed, node, 2], int32, with the state and variant that the policy chooses, without memory.

    The first row is that of the state `start`.
    """
    for number in prange(len(out)):
        recent, params = np.full(MEMORY, -1), np.empty(2)
        after, shares = np.empty(2), np.empty(2, np.float32)
        for speed in range(len(speeds)):
            for node in range(len(nodes)):
                params[0], params[1] = nodes[node], speeds[speed]
                row = np.int64(start + number)
                chosen, variant = choose(table, grid, task, row, 0, recent, params, after, shares)  # type: ignore[arg-type]
                out[number, speed, node, 0], out[number, speed, node, 1] = chosen, variant


class Rules(NamedTuple):
    """Policy of a controller with its decisions, and the ground model of the feet."""

    table: PolicyTable
    grid: Grid
    task: CompiledTask
    decided: IntArray  # [state, speed, node, 2], filled by `decide_all`
    nearest: IntArray  # [part], see `nearest_nodes`
    footing: Footing
    facing: FloatArray  # [state], radians
    before: IntArray  # [state], frames before it in its clip; they count as shown
    every: int  # frames between two samples


class Scratch(NamedTuple):
    """Working memory of one thread."""

    recent: IntArray  # [MEMORY]
    params: FloatArray  # [2]
    after: FloatArray  # [2]
    shares: FloatArray  # [2], float32
    feet: FloatArray  # [2, FOOT_SIZE]
    root: FloatArray  # [ROOT_SIZE]


@parallel_kernel
def roll_all(
    table: PolicyTable,
    grid: Grid,
    task: CompiledTask,
    decided: IntArray,
    nearest: IntArray,
    footing: Footing,
    facing: FloatArray,
    before: IntArray,
    every: int,
    commands: FloatArray,
    start: int,
    out: FloatArray,
) -> None:
    """Fill `out` [state, plan, sample, 2], float32, with the places of all futures under `commands` [plan, 2].

    The first row is that of the state `start`. Places are in metres to the left and ahead of the first facing. The
    other arguments are the fields of `Rules`, since numba passes no tuple of tuples to its threads.
    """
    for number in prange(len(out)):
        rules = Rules(table, grid, task, decided, nearest, footing, facing, before, every)
        scratch = Scratch(
            np.empty(MEMORY, np.int64),
            np.empty(2),
            np.empty(2),
            np.empty(2, np.float32),
            np.empty((2, FOOT_SIZE)),
            np.empty(ROOT_SIZE),
        )
        for plan in range(len(commands)):
            speed = 0 if plan == 0 else 1 + (plan - 1) // HEADINGS
            row = np.int64(start + number)
            _roll(rules, row, commands[plan], speed, scratch, out[number, plan])  # type: ignore[arg-type]


@lean_kernel
def _roll(rules: Rules, start: int, command: FloatArray, speed: int, scratch: Scratch, out: FloatArray) -> None:
    """Fill `out` [sample, 2] with the future of a character at the state `start` under `command` [2]."""
    recent, params, feet, root = scratch.recent, scratch.params, scratch.feet, scratch.root
    for place in range(len(recent)):
        recent[place] = start - place if place <= rules.before[start] else -1
    first = 0  # place of the newest state in `recent`, which is used as a ring
    state, variant = start, 0
    x, z, yaw = 0.0, 0.0, -rules.facing[start]
    stand(rules.footing, start, yaw, feet, root)
    for frame in range(rules.every * len(out)):
        params[0], params[1] = _wrapped(command[0] - yaw - rules.facing[state]), command[1]
        part = min(int((params[0] + math.pi) * (PARTS / (2.0 * math.pi))), PARTS - 1)
        decided = rules.decided[state, speed, rules.nearest[part]]
        chosen, other = int(decided[0]), int(decided[1])
        for place in range(rules.table.memory):
            if recent[(first + place) % MEMORY] == chosen + 1:
                _turn_back(recent, first)
                first = 0
                chosen, other = choose(
                    rules.table,
                    rules.grid,
                    rules.task,
                    state,
                    variant,
                    recent,
                    params,
                    scratch.after,
                    scratch.shares,
                )
                break
        variant = other
        x, z, yaw = walk(rules.footing, state, chosen, variant, (x, z, yaw), feet, root)
        state = chosen + 1
        first = (first + MEMORY - 1) % MEMORY
        recent[first] = state
        if (frame + 1) % rules.every == 0:
            out[frame // rules.every, 0], out[frame // rules.every, 1] = x, z


@lean_kernel
def _turn_back(recent: IntArray, first: int) -> None:
    """Rotate the ring `recent` [MEMORY] in place, so that its place `first` becomes place 0."""
    for _ in range(first):
        moved = recent[0]
        for place in range(MEMORY - 1):
            recent[place] = recent[place + 1]
        recent[MEMORY - 1] = moved


@lean_kernel
def _wrapped(angle: float) -> float:
    """Return `angle` in (-pi, pi]."""
    return angle - 2.0 * math.pi * math.ceil((angle - math.pi) / (2.0 * math.pi))
