"""Search for a motion that reaches places: a beam over (state, place, yaw), guided by the exact cost to go.

The dynamic program knows what labels and cuts cost from any state on, but not where a motion leads. A particle is a
state with a place and a yaw. Particles are ordered by the cost so far, plus the exact cost to go without places, plus a
penalty for the distance to the next goal beyond what the labels let a character travel. Few particles of each cell of
the ground and each heading survive, so that the beam covers many ways to arrive.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel

BEND = 0.5  # metres, or radians, from which a penalty grows linearly


class World(NamedTuple):
    """Facts about the states that the search needs."""

    steps: FloatArray  # [state, 2], metres to the next frame in the yaw frame, float64
    turns: FloatArray  # [state], radians to the next frame, float64
    facing: FloatArray  # [state], facing relative to the yaw, radians, float64
    left: IntArray  # [state], states that follow in the clip, int64
    first: IntArray  # [state + 1], see `Cuts`
    targets: IntArray  # [cut]
    costs: FloatArray  # [cut], float64


class Aim(NamedTuple):
    """The goal ahead at one frame, as the compiled loops take it."""

    x: float
    z: float
    heading: float
    place_cost: float  # for each m2, up to half a metre
    heading_cost: float  # for each rad2, up to half a radian; 0 for any heading
    reach: float  # metres that can still be travelled until the goal
    spin: float  # radians that can still be turned
    counted: float  # 1 where the penalty is part of the cost: at the goal, or on a path

    def penalty(self, x: float, z: float, heading: float) -> float:
        """Return the penalty of being at (x, z) with `heading`."""
        return float(_penalty(self, x, z, heading))


class Particles(NamedTuple):
    """Partial motions at one frame."""

    state: IntArray  # [n], int64
    x: FloatArray  # [n], metres
    z: FloatArray  # [n], metres
    yaw: FloatArray  # [n], radians
    cost: FloatArray  # [n], so far
    held: IntArray  # [n], frames until the next cut is allowed
    parent: IntArray  # [n], particle of the frame before

    @classmethod
    def empty(cls, count: int) -> Particles:
        """Return space for `count` particles."""
        kinds = [np.int64, np.float64, np.float64, np.float64, np.float64, np.int64, np.int64]
        return cls(*(np.zeros(count, kind) for kind in kinds))

    def take(self, chosen: IntArray) -> Particles:
        """Return the particles `chosen` [m]."""
        return Particles(*[values[chosen] for values in self])  # type: ignore[arg-type]


@lean_kernel
def _penalty(aim: Aim, x: float, z: float, heading: float) -> float:
    over = max(0.0, math.sqrt((x - aim.x) ** 2 + (z - aim.z) ** 2) - aim.reach)
    cost = aim.place_cost * _bent(over)
    if aim.heading_cost > 0.0:
        gap = heading - aim.heading
        gap -= 2.0 * math.pi * math.floor(gap / (2.0 * math.pi) + 0.5)
        beyond = max(0.0, abs(gap) - aim.spin)
        cost += aim.heading_cost * _bent(beyond)
    return cost


@lean_kernel
def _moved(world: World, particles: Particles, p: int) -> tuple[float, float, float]:
    """Return place and yaw (x, z, yaw) of particle `p` a frame later."""
    state, yaw = particles.state[p], particles.yaw[p]
    sine, cosine = math.sin(yaw), math.cos(yaw)
    ahead_x, ahead_z = world.steps[state, 0], world.steps[state, 1]
    x = particles.x[p] + cosine * ahead_x + sine * ahead_z
    z = particles.z[p] - sine * ahead_x + cosine * ahead_z
    return x, z, yaw + world.turns[state]


@lean_kernel
def _bent(distance: float) -> float:
    """Return the square of `distance` up to `BEND`, and the tangent beyond: far goals must not outweigh all else."""
    return distance * distance if distance < BEND else BEND * (2.0 * distance - BEND)


@kernel
def expand(
    world: World,
    old: Particles,
    aim: Aim,
    shown: FloatArray,
    own: FloatArray,
    budget: float,
    stay: int,
    new: Particles,
    score: FloatArray,
) -> int:
    """Fill `new` and its `score` with all continuations of `old` by one frame; return their number.

    `own` [state] is the cost of showing each state at the new frame, and `shown` [state] includes the cost to go. Ways
    that score worse than the best one by more than `budget` are left out.
    """
    best = np.inf
    for p in range(len(old.state)):
        state = old.state[p]
        if world.left[state] < 1:
            continue
        x, z, yaw = _moved(world, old, p)
        penalty = _penalty(aim, x, z, yaw + world.facing[state + 1])
        best = min(best, old.cost[p] + shown[state + 1] + penalty)
    count = 0
    for p in range(len(old.state)):
        state = old.state[p]
        if world.left[state] < 1:
            continue
        x, z, yaw = _moved(world, old, p)
        following = state + 1
        begin, end = world.first[following], world.first[following + 1]
        if old.held[p] > 0:
            end = begin
        for cut in range(begin - 1, end):
            target = following if cut < begin else world.targets[cut]
            price = 0.0 if cut < begin else world.costs[cut]
            if old.cost[p] + price > best + budget:
                break
            penalty = _penalty(aim, x, z, yaw + world.facing[target])
            value = old.cost[p] + price + shown[target] + penalty
            if value > best + budget or count >= len(score):
                continue
            best = min(best, value)
            score[count] = value
            new.state[count], new.x[count], new.z[count], new.yaw[count] = target, x, z, yaw
            new.cost[count] = old.cost[p] + price + own[target] + aim.counted * penalty
            new.held[count] = max(old.held[p] - 1, 0) if cut < begin else stay - 1
            new.parent[count] = p
            count += 1
    return count


@kernel
def select(
    order: IntArray, found: Particles, cell: float, angle: float, quota: int, group: int, slots: int, chosen: IntArray
) -> int:
    """Fill `chosen` with the particles to keep, in `order` of their score; return their number.

    At most `quota` are kept of each cell of `cell` metres and `angle` radians of yaw, and of these at most one of each
    run of `group` consecutive states.
    """
    cells = np.full(slots, -1, np.int64)
    counts = np.zeros(slots, np.int64)
    groups = np.full(slots, -1, np.int64)
    count = 0
    for i in order:
        across = math.floor(found.x[i] / cell) + 65536
        along = math.floor(found.z[i] / cell) + 65536
        yaw = found.yaw[i] - 2.0 * math.pi * math.floor(found.yaw[i] / (2.0 * math.pi) + 0.5)
        key = ((across * 131072 + along) * 256 + math.floor(yaw / angle) + 128) & 0x3FFFFFFFFFFF
        place = (key * 2654435761) % slots
        while cells[place] != -1 and cells[place] != key:
            place = (place + 1) % slots
        if counts[place] >= quota:
            continue
        run = (key * 1048583 + found.state[i] // group) & 0x3FFFFFFFFFFFFFFF
        spot = (run * 40503) % slots
        if spot < 0:
            spot += slots
        while groups[spot] != -1 and groups[spot] != run:
            spot = (spot + 1) % slots
        if groups[spot] == run:
            continue
        groups[spot] = run
        cells[place] = key
        counts[place] += 1
        chosen[count] = i
        count += 1
        if count == len(chosen):
            break
    return count


@kernel
def join(
    world: World,
    before: Particles,
    head: IntArray,
    following: IntArray,
    end_x: FloatArray,
    end_z: FloatArray,
    end_heading: FloatArray,
    end_cost: FloatArray,
    aim: Aim,
) -> tuple[float, int, int]:
    """Return the cost, the particle and the ending of the cheapest motion that joins a particle with an ending.

    `before` are the particles of one frame. Endings start at the next frame; `head` [state] is the first ending that
    starts at a state and `following` [ending] the next one, -1 for none. `end_x`, `end_z` and `end_heading` [ending]
    are the place and heading at the goal, seen from the start of the ending, and `end_cost` its cost.
    """
    best, particle, ending = np.inf, -1, -1
    for p in range(len(before.state)):
        state = before.state[p]
        if world.left[state] < 1:
            continue
        x, z, yaw = _moved(world, before, p)
        sine, cosine = math.sin(yaw), math.cos(yaw)
        begin, end = world.first[state + 1], world.first[state + 2]
        if before.held[p] > 0:
            end = begin
        for cut in range(begin - 1, end):
            target = state + 1 if cut < begin else world.targets[cut]
            price = before.cost[p] + (0.0 if cut < begin else world.costs[cut])
            e = head[target]
            while e >= 0:
                if price + end_cost[e] < best:
                    goal_x = x + cosine * end_x[e] + sine * end_z[e]
                    goal_z = z - sine * end_x[e] + cosine * end_z[e]
                    value = price + end_cost[e] + _penalty(aim, goal_x, goal_z, yaw + end_heading[e])
                    if value < best:
                        best, particle, ending = value, p, e
                e = following[e]
    return best, particle, ending
