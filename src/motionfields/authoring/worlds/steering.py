"""The compiled decision of a pilot: the plan whose future costs least. Costs are in seconds."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numba import prange

from motionfields.authoring.worlds.maps import FAR, GroundGrid, clearance_at, way_at
from motionfields.authoring.worlds.neighbours import NEAREST, find_nearest
from motionfields.authoring.worlds.rolling import HEADINGS, SAMPLES
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel, parallel_kernel

HOLD, REACH, THROUGH, FOLLOW, SURVIVE = range(5)
# Columns of a goal: its place, or the ends of its gate; metres left after it; distance to keep.
GOAL_X, GOAL_Z, END_X, END_Z, LEFT, DISTANCE = range(6)
GOAL_SIZE: Final = 6
IMPATIENCE: Final = 0.5  # seconds of cost for each second that a character has stood; ends waiting for ever
DEPTH_COST: Final = 4.0  # seconds for each metre by which bodies overlap at a sample
MOST_IMPATIENT: Final = 3.0  # seconds, less than the cost of a collision
REACH_FACTOR: Final = 1.25  # how much faster than the top speed a future may be
MOST_MOVERS: Final = 32  # moving obstacles that one character takes account of


class Numbers(NamedTuple):
    """Settings of steering as plain numbers; see `Avoid` and `Manner`."""

    radius: float
    margin: float
    clear: float
    clear_weight: float
    hit_cost: float
    turn_cost: float
    change_cost: float
    arrival: float
    sample_seconds: float
    top: float
    unit: float


class Scene(NamedTuple):
    """Surroundings of the characters in this frame."""

    ways: FloatArray  # [map, x, z], metres to goals, float32
    movers: FloatArray  # [SAMPLES + 1, mover, 6], blocks of moving obstacles now and at the samples
    heads: IntArray  # see `neighbours.cell_table`
    following: IntArray


class Walkers(NamedTuple):
    """The characters [n] as a decision reads them, and what it writes."""

    state: IntArray  # [n]
    position: FloatArray  # [n, 2]
    facing: FloatArray  # [n]
    due: BoolArray  # [n], which of them decide
    expected: FloatArray  # [n, SAMPLES + 1, 2], where each is expected to be now and at the samples, by the others
    kind: IntArray  # [n], of the goal
    goal: FloatArray  # [n, GOAL_SIZE]
    way: IntArray  # [n], map of the goal, -1 for none
    target: IntArray  # [n], character that is followed
    still: FloatArray  # [n], seconds for which it has made no way towards its goal
    command: FloatArray  # [n, 2], heading and speed; read and written
    plan: IntArray  # [n], written
    cost: FloatArray  # [n], seconds, written


@parallel_kernel
def steer_many(
    numbers: Numbers, grid: GroundGrid, scene: Scene, steps: IntArray, commands: FloatArray, walkers: Walkers
) -> None:
    """Let all characters that are due decide, on several threads."""
    for i in prange(len(walkers.state)):
        if walkers.due[i]:
            near, squares = np.empty(NEAREST, np.int64), np.empty(NEAREST)
            close = np.empty(MOST_MOVERS, np.int64)
            row = np.int64(i)
            _steer(numbers, grid, scene, steps, commands, walkers, row, near, squares, close)  # type: ignore[arg-type]


@kernel
def steer_few(
    numbers: Numbers, grid: GroundGrid, scene: Scene, steps: IntArray, commands: FloatArray, walkers: Walkers
) -> None:
    """Let all characters that are due decide, on this thread."""
    near, squares = np.empty(NEAREST, np.int64), np.empty(NEAREST)
    close = np.empty(MOST_MOVERS, np.int64)
    for i in range(len(walkers.state)):
        if walkers.due[i]:
            _steer(numbers, grid, scene, steps, commands, walkers, i, near, squares, close)


@lean_kernel
def _steer(
    numbers: Numbers,
    grid: GroundGrid,
    scene: Scene,
    steps: IntArray,
    commands: FloatArray,
    walkers: Walkers,
    i: int,
    near: IntArray,
    squares: FloatArray,
    close: IntArray,
) -> None:
    """Choose the plan of character `i`; of equal ones, the one nearest to its last command, then the lowest."""
    x, z = walkers.position[i, 0], walkers.position[i, 1]
    near_count = find_nearest(walkers.position, scene.heads, scene.following, i, near, squares)
    close_count = find_close_movers(numbers, scene.movers, x, z, close)
    state = walkers.state[i] if len(steps) > 1 else 0
    last = _nearest_plan(walkers.command[i, 0] - walkers.facing[i], walkers.command[i, 1], commands)
    reach = SAMPLES * numbers.sample_seconds * REACH_FACTOR * numbers.top + numbers.arrival
    far = walkers.kind[i] in (REACH, THROUGH) and to_go_straight(walkers.goal[i], walkers.kind[i], x, z) > reach
    best, best_plan = np.inf, last
    for number in range(-1, len(commands)):
        plan = last if number < 0 else number
        cost = _habit_cost(numbers, walkers, i, plan, commands)
        if number == last or cost >= best:
            continue
        cost = _future_cost(
            numbers, grid, scene, steps[state, plan], walkers, i, near, near_count, close, close_count, cost, best, far
        )
        if cost < best:
            best, best_plan = cost, plan
    walkers.plan[i], walkers.cost[i] = best_plan, best
    walkers.command[i, 0] = walkers.facing[i] + commands[best_plan, 0]
    walkers.command[i, 1] = commands[best_plan, 1]


@lean_kernel
def _nearest_plan(heading: float, speed: float, commands: FloatArray) -> int:
    """Return the plan nearest to a command: `heading` in radians to the left of the facing, `speed` in m/s."""
    number = (math.floor(heading * (HEADINGS / (2.0 * math.pi)) + 0.5) + HEADINGS // 2) % HEADINGS
    best, plan = abs(speed), 0
    for first in range(1, len(commands), HEADINGS):
        off = abs(speed - commands[first, 1])
        if off < best:
            best, plan = off, first + number
    return plan


@lean_kernel
def _habit_cost(numbers: Numbers, walkers: Walkers, i: int, plan: int, commands: FloatArray) -> float:
    """Return the cost of a change from the last command to `plan`."""
    cost = 0.0
    if plan == 0 and walkers.kind[i] in (REACH, THROUGH):
        cost += min(IMPATIENCE * walkers.still[i], MOST_IMPATIENT)
    if abs(commands[plan, 1] - walkers.command[i, 1]) > 0.01:
        cost += numbers.change_cost
    if plan > 0:
        off = walkers.facing[i] + commands[plan, 0] - walkers.command[i, 0]
        cost += numbers.turn_cost * abs(off - 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5))
    return cost


@lean_kernel
def find_close_movers(numbers: Numbers, movers: FloatArray, x: float, z: float, close: IntArray) -> int:
    """Fill `close` with the moving obstacles that may come near within the futures; return how many there are."""
    count = 0
    reach = SAMPLES * numbers.sample_seconds * numbers.top + numbers.radius + numbers.clear
    for mover in range(movers.shape[1]):
        nearest = np.inf
        for sample in range(SAMPLES + 1):
            nearest = min(nearest, block_gap(movers[sample, mover], x, z))
        if nearest < reach and count < len(close):
            close[count] = mover
            count += 1
    return count


@lean_kernel
def block_gap(block: FloatArray, x: float, z: float) -> float:
    """Return the signed distance in metres from one place to `block` [6], as `rooms.block_distance`."""
    dx, dz = x - block[0], z - block[1]
    if block[2] == 0.0 and block[3] == 0.0:
        return float(math.sqrt(dx * dx + dz * dz) - block[5])
    sine, cosine = math.sin(block[4]), math.cos(block[4])
    far_x, far_z = abs(cosine * dx - sine * dz) - block[2], abs(cosine * dz + sine * dx) - block[3]
    out_x, out_z = max(far_x, 0.0), max(far_z, 0.0)
    return float(math.sqrt(out_x * out_x + out_z * out_z) + min(max(far_x, far_z), 0.0) - block[5])


@lean_kernel
def _future_cost(
    numbers: Numbers,
    grid: GroundGrid,
    scene: Scene,
    steps: IntArray,
    walkers: Walkers,
    i: int,
    near: IntArray,
    near_count: int,
    close: IntArray,
    close_count: int,
    cost: float,
    bound: float,
    far: bool,
) -> float:
    """Return `cost` plus that of the future `steps` [sample, 2] of character `i`; any number above `bound` if more.

    `far` tells that the goal is too far to be reached within a future.
    """
    x0, z0, goal, kind = walkers.position[i, 0], walkers.position[i, 1], walkers.goal[i], walkers.kind[i]
    sine, cosine = math.sin(walkers.facing[i]), math.cos(walkers.facing[i])
    left, ahead, later = 0.0, 0.0, 0.0
    if kind in (REACH, THROUGH):
        # The time to the goal from the end of the future is known before any obstacle is looked at. It is a lower
        # bound of the cost, unless the goal may be reached sooner.
        for sample in range(SAMPLES):
            left, ahead = left + numbers.unit * steps[sample, 0], ahead + numbers.unit * steps[sample, 1]
        x, z = x0 + cosine * left + sine * ahead, z0 + cosine * ahead - sine * left
        later = SAMPLES * numbers.sample_seconds + to_go(grid, scene, goal, kind, walkers.way[i], x, z) / numbers.top
        if far and cost + later > bound:
            return cost + later
    left, ahead, x, z, arrive, asked, hit = 0.0, 0.0, x0, z0, later, 0.0, False
    for sample in range(SAMPLES):
        before_x, before_z = x, z
        left, ahead = left + numbers.unit * steps[sample, 0], ahead + numbers.unit * steps[sample, 1]
        x, z = x0 + cosine * left + sine * ahead, z0 + cosine * ahead - sine * left
        time = (sample + 1) * numbers.sample_seconds
        gap = _gap(
            numbers, grid, scene, walkers, near, near_count, close, close_count, sample, before_x, before_z, x, z
        )
        if gap < 0.0:
            if not hit:
                cost += numbers.hit_cost * (1.0 - 0.7 * sample / SAMPLES)
            hit = True
            cost += DEPTH_COST * min(-gap, 1.0)  # so that bodies that touch part soon
        elif gap < numbers.clear:
            weight = numbers.clear_weight / (1.0 + walkers.still[i])
            cost += weight * (1.0 - gap / numbers.clear) * numbers.sample_seconds
        if cost + (later if far else 0.0) > bound:
            return cost + (later if far else 0.0)
        if kind == REACH:
            if not hit and math.hypot(x - goal[GOAL_X], z - goal[GOAL_Z]) < numbers.arrival:
                arrive = min(arrive, time + goal[LEFT] / numbers.top)
        elif kind == THROUGH:
            if not hit and crosses(before_x, before_z, x, z, goal[GOAL_X], goal[GOAL_Z], goal[END_X], goal[END_Z]):
                arrive = min(arrive, time)
        elif kind == FOLLOW:
            other = walkers.expected[walkers.target[i], sample + 1]
            asked += abs(math.hypot(x - other[0], z - other[1]) - goal[DISTANCE]) / (SAMPLES * numbers.top)
        elif kind == HOLD:
            asked += math.hypot(x - goal[GOAL_X], z - goal[GOAL_Z]) / (SAMPLES * numbers.top)
    if kind in (REACH, THROUGH):
        return cost + arrive
    if kind == SURVIVE:
        return cost + 0.1 * math.hypot(x - x0, z - z0)
    return cost + 2.0 * asked


@lean_kernel
def to_go(grid: GroundGrid, scene: Scene, goal: FloatArray, kind: int, way: int, x: float, z: float) -> float:
    """Return the metres from one place to a goal, around obstacles if it has a map."""
    if way >= 0:
        length = way_at(grid, scene.ways[way], x, z)
        if length < FAR:
            return float(length + goal[LEFT])
    # Without a way from here, the goal counts as 2 m further than it is.
    return float(to_go_straight(goal, kind, x, z) + goal[LEFT] + (2.0 if way >= 0 else 0.0))


@lean_kernel
def to_go_straight(goal: FloatArray, kind: int, x: float, z: float) -> float:
    """Return the straight distance in metres from one place to a goal `REACH` or `THROUGH`."""
    dx, dz, share = 0.0, 0.0, 0.0
    if kind == THROUGH:
        dx, dz = goal[END_X] - goal[GOAL_X], goal[END_Z] - goal[GOAL_Z]
        share = ((x - goal[GOAL_X]) * dx + (z - goal[GOAL_Z]) * dz) / max(dx * dx + dz * dz, 1e-12)
        share = min(max(share, 0.0), 1.0)
    return float(math.hypot(x - goal[GOAL_X] - share * dx, z - goal[GOAL_Z] - share * dz))


@lean_kernel
def _gap(
    numbers: Numbers,
    grid: GroundGrid,
    scene: Scene,
    walkers: Walkers,
    near: IntArray,
    near_count: int,
    close: IntArray,
    close_count: int,
    sample: int,
    before_x: float,
    before_z: float,
    x: float,
    z: float,
) -> float:
    """Return the least gap in metres that the body keeps, with the margin taken off, up to and at one sample."""
    gap = clearance_at(grid, x, z)
    length = math.hypot(x - before_x, z - before_z)
    parts = 1 + int(length / max(1.8 * numbers.radius, 0.05))
    for part in range(1, parts):  # fast characters could otherwise jump over thin walls
        share = part / parts
        gap = min(gap, clearance_at(grid, before_x + share * (x - before_x), before_z + share * (z - before_z)))
    for k in range(close_count):
        gap = min(gap, block_gap(scene.movers[sample + 1, close[k]], x, z))
    square = np.inf
    for k in range(near_count):
        other = walkers.expected[near[k], sample + 1]
        square = min(square, (x - other[0]) ** 2 + (z - other[1]) ** 2)
    gap = min(gap - numbers.radius, math.sqrt(square) - 2.0 * numbers.radius)
    return gap - numbers.margin


@lean_kernel
def crosses(ax: float, az: float, bx: float, bz: float, cx: float, cz: float, dx: float, dz: float) -> bool:
    """Return whether the way from (`ax`, `az`) to (`bx`, `bz`) crosses the gate from (`cx`, `cz`) to (`dx`, `dz`)."""
    first = (bx - ax) * (cz - az) - (bz - az) * (cx - ax)
    second = (bx - ax) * (dz - az) - (bz - az) * (dx - ax)
    third = (dx - cx) * (az - cz) - (dz - cz) * (ax - cx)
    fourth = (dx - cx) * (bz - cz) - (dz - cz) * (bx - cx)
    return first * second <= 0.0 and third * fourth <= 0.0 and not (third == 0.0 and fourth == 0.0)


@kernel
def expect_told(
    position: FloatArray, told: FloatArray, age: FloatArray, velocity: FloatArray, seconds: float, out: FloatArray
) -> None:
    """Fill `out` [n, SAMPLES + 1, 2] with where characters will be, by the plans `told` [n, SAMPLES + 1, 2].

    `age` [n] is the age of each plan in samples, negative if there is none: such characters go on at their `velocity`
    [n, 2]. A plan is moved to where its character is now; after its end the last step goes on.
    """
    for i in range(len(out)):
        now_x, now_z = position[i, 0], position[i, 1]
        if age[i] < 0.0:
            for sample in range(SAMPLES + 1):
                out[i, sample, 0] = now_x + velocity[i, 0] * sample * seconds
                out[i, sample, 1] = now_z + velocity[i, 1] * sample * seconds
            continue
        for sample in range(SAMPLES + 1):
            along = age[i] + sample
            first = min(int(along), SAMPLES - 1)
            share = along - first
            for c in range(2):
                start, end = told[i, first, c], told[i, first + 1, c]
                out[i, sample, c] = start + share * (end - start)
        off_x, off_z = now_x - out[i, 0, 0], now_z - out[i, 0, 1]
        for sample in range(SAMPLES + 1):
            out[i, sample, 0] += off_x
            out[i, sample, 1] += off_z
