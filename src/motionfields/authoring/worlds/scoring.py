"""Scores of plans: why a character chose a future. The plain twin of `steering`, for one character at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.authoring.worlds.futures import Futures
from motionfields.authoring.worlds.maps import FAR, GroundGrid, clearance_at, way_at
from motionfields.authoring.worlds.neighbours import NEAREST, REACH
from motionfields.authoring.worlds.rolling import PLANS, SAMPLES
from motionfields.authoring.worlds.steering import (
    DEPTH_COST,
    DISTANCE,
    FOLLOW,
    HOLD,
    IMPATIENCE,
    LEFT,
    MOST_IMPATIENT,
    SURVIVE,
    THROUGH,
    Numbers,
    Walkers,
    crosses,
    to_go_straight,
)
from motionfields.authoring.worlds.steering import REACH as REACHING
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import wrap_angle
from motionfields.base.world.rooms import block_distance

STANDING: Final = -1  # blocker: a standing obstacle or a side of the room
MOVING: Final = -2  # blocker: a moving obstacle
NOBODY: Final = -3  # blocker: nothing near


class Decision(NamedTuple):
    """Everything that characters decided by in one frame, and the plans that they chose."""

    frame: int  # of the pilot
    walkers: Walkers  # copies; `command` is the one before the decision, `due` are those who decided
    grid: GroundGrid
    ways: FloatArray  # [map, x, z]
    movers: FloatArray  # [SAMPLES + 1, mover, 6]


class PlanScores(NamedTuple):
    """Costs of the plans of one character, in seconds; `total` is their sum, and the least was chosen."""

    total: FloatArray  # [plan]
    arrive: FloatArray  # [plan], time to the goal, or the cost of being away from it
    near: FloatArray  # [plan], of coming near to something
    hit: FloatArray  # [plan], of collisions
    turn: FloatArray  # [plan], of a change of heading
    change: FloatArray  # [plan], of a change of speed, and of standing on
    gap: FloatArray  # [plan], metres, least distance beyond body and margin; negative: a collision
    when: FloatArray  # [plan], seconds until then
    blocker: IntArray  # [plan], what comes nearest: a character, `STANDING`, `MOVING` or `NOBODY`
    places: FloatArray  # [plan, SAMPLES + 1, 2], metres, world x and z


def copied(walkers: Walkers) -> Walkers:
    """Return a copy of all arrays of `walkers`."""
    parts: list[Any] = [part.copy() for part in walkers]
    return Walkers(*parts)


def plan_scores(futures: Futures, numbers: Numbers, decision: Decision, i: int) -> PlanScores:
    """Return the costs of all plans of character `i` in `decision`."""
    walkers = decision.walkers
    start, facing = walkers.position[i], float(walkers.facing[i])
    every = np.arange(PLANS)
    here = (np.full(PLANS, walkers.state[i]), every, np.tile(start, (PLANS, 1)), np.full(PLANS, facing))
    places = np.concatenate([np.tile(start, (PLANS, 1, 1)), futures.in_world(*here)], axis=1)
    turn, change = _habits(futures, numbers, walkers, i)
    gaps, blockers = _gaps(numbers, decision, i, places)
    hits = gaps < 0.0
    first = np.where(hits.any(axis=1), hits.argmax(axis=1), SAMPLES)
    hit = np.where(first < SAMPLES, numbers.hit_cost * (1.0 - 0.7 * first / SAMPLES), 0.0)
    hit += DEPTH_COST * np.minimum(np.maximum(-gaps, 0.0), 1.0).sum(axis=1)
    weight = numbers.clear_weight / (1.0 + walkers.still[i])
    close = np.where(hits, 0.0, np.maximum(0.0, 1.0 - gaps / numbers.clear))
    near = weight * numbers.sample_seconds * close.sum(axis=1)
    arrive = _goal_costs(numbers, decision, i, places, first)
    least = gaps.argmin(axis=1)
    return PlanScores(
        arrive + near + hit + turn + change,
        arrive,
        near,
        hit,
        turn,
        change,
        gaps[every, least],
        (least + 1) * numbers.sample_seconds,
        blockers[every, least],
        places,
    )


def _habits(futures: Futures, numbers: Numbers, walkers: Walkers, i: int) -> tuple[FloatArray, FloatArray]:
    """Return the costs [plan] of turning, and those of a change of speed and of standing on."""
    heading, speed = walkers.command[i]
    off = np.abs(wrap_angle(walkers.facing[i] + futures.commands[:, 0] - heading))
    turn = np.where(np.arange(PLANS) > 0, numbers.turn_cost * off, 0.0)
    change = numbers.change_cost * (np.abs(futures.commands[:, 1] - speed) > 0.01)
    if walkers.kind[i] in (REACHING, THROUGH):
        change[0] += min(IMPATIENCE * walkers.still[i], MOST_IMPATIENT)
    return turn, change


def _gaps(numbers: Numbers, decision: Decision, i: int, places: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the least gap [plan, sample] in metres up to and at each sample, and what is there."""
    walkers, (plans, samples) = decision.walkers, (len(places), SAMPLES)
    gaps, blockers = np.full((plans, samples), np.inf), np.full((plans, samples), NOBODY)

    def note(found: FloatArray, who: int) -> None:
        nearer = found < gaps
        gaps[nearer], blockers[nearer] = found[nearer], who

    note(np.array([[_walked_gap(numbers, decision.grid, *leg) for leg in pairwise(way)] for way in places]), STANDING)
    for mover in range(decision.movers.shape[1]):
        blocks = decision.movers[1:, mover]
        found = [block_distance(places[:, k + 1], blocks[k]) for k in range(samples)]
        note(np.stack(found, axis=1) - numbers.radius, MOVING)
    away = np.linalg.norm(walkers.position - walkers.position[i], axis=1)
    for j in [j for j in np.argsort(away, kind="stable") if j != i and away[j] < REACH][:NEAREST]:
        off = places[:, 1:] - walkers.expected[j, 1:]
        note(np.hypot(off[..., 0], off[..., 1]) - 2.0 * numbers.radius, int(j))
    return gaps - numbers.margin, blockers


def _walked_gap(numbers: Numbers, grid: GroundGrid, start: FloatArray, end: FloatArray) -> float:
    """Return the least clearance of the body on the straight way from `start` to `end`, at about its own width."""
    parts = 1 + int(np.hypot(*(end - start)) / max(1.8 * numbers.radius, 0.05))
    shares = [part / parts for part in range(1, parts + 1)]
    places = [start + share * (end - start) for share in shares[:-1]] + [end]
    return min(float(clearance_at(grid, x, z)) for x, z in places) - numbers.radius


def _goal_costs(numbers: Numbers, decision: Decision, i: int, places: FloatArray, first: IntArray) -> FloatArray:
    """Return the time [plan] to the goal, or the cost of the remaining distance; a collision ends a plan."""
    walkers, seconds = decision.walkers, numbers.sample_seconds
    goal, kind, span = walkers.goal[i], walkers.kind[i], SAMPLES * numbers.top
    ends = places[:, -1]
    if kind == SURVIVE:
        return np.asarray(0.1 * np.hypot(*(ends - places[:, 0]).T))
    if kind in (HOLD, FOLLOW):
        target = walkers.expected[walkers.target[i], 1:] if kind == FOLLOW else goal[:2]
        wanted = goal[DISTANCE] if kind == FOLLOW else 0.0
        off = np.abs(np.hypot(*np.moveaxis(places[:, 1:] - target, -1, 0)) - wanted)
        return np.asarray(2.0 * off.sum(axis=1) / span)
    out = np.empty(len(places))
    for plan, way in enumerate(places):
        out[plan] = SAMPLES * seconds + _to_go(decision, i, *ends[plan]) / numbers.top
        for sample in range(int(first[plan])):
            if kind == THROUGH:
                there = crosses(*way[sample], *way[sample + 1], *goal[:4])
            else:
                there = np.hypot(*(way[sample + 1] - goal[:2])) < numbers.arrival
            if there:
                left = goal[LEFT] / numbers.top if kind == REACHING else 0.0
                out[plan] = min(out[plan], (sample + 1) * seconds + left)
                break
    return out


def _to_go(decision: Decision, i: int, x: float, z: float) -> float:
    """Return the metres from one place to the goal of character `i`, around obstacles if it has a map."""
    walkers = decision.walkers
    goal, way = walkers.goal[i], int(walkers.way[i])
    if way >= 0 and (length := way_at(decision.grid, decision.ways[way], x, z)) < FAR:
        return float(length + goal[LEFT])
    straight = to_go_straight(goal, int(walkers.kind[i]), x, z)
    return float(straight + goal[LEFT] + (2.0 if way >= 0 else 0.0))
