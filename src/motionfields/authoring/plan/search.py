"""Anytime search from the start: weighted A* whose weight falls, with a proven lower bound at every moment.

States are (stage, node, x, z, heading). A search first follows a guide that looks at the heading of the way around
obstacles, which may overestimate, then the lower bound. States are dropped by the lower bound only, so that the best
motion is never lost: the least lower bound of any open state bounds the cost of every motion (as in ARA*, Likhachev
et al. 2003).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.plan.bounds import FAR, LEVEL, LEVELS, QUARTER, Aim, Tables, lower_bound
from motionfields.authoring.plan.heap import heap_pop, heap_push
from motionfields.authoring.plan.lattice import ANGLE, CELL, COST_UNIT, HEADINGS, Ground, Moves, is_clear, landing
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.world.ways import LENGTHENING

OPEN, CLOSED, WAITING = 0, 1, 2  # waiting: closed, and reached again at a lower cost
COUNT, SIZE, EXPANDED, BEST, BEST_STATE = range(5)  # places in `counts`
PAUSED, FULL, DONE = 0, 1, 2  # reasons to return
NO_COST: Final = 1 << 52  # units
AHEAD: Final = 0.8  # metres at which the guide looks at the heading of the way again
ARRIVAL_SHARE: Final = 0.25
REACH: Final = 6  # cells: radius in which the heading of the way is found


class Query(NamedTuple):
    """One search: where it starts and ends. Steps in `only` are -1 for any."""

    start_node: int
    end_node: int
    start: tuple[int, int, int]  # cell x, z and heading
    end: tuple[int, int, int]  # cell x, z and heading; heading -1 for any
    slack: tuple[int, int]  # cells and lattice angles from there within which a motion may end
    only: tuple[int, int]  # first and last step
    through: IntArray  # [stage - 1, 3], cells: x, z and radius of places to pass in order


class Problem(NamedTuple):
    """Everything that a search reads, and the headings of ways that it fills in."""

    moves: Moves
    ground: Ground
    tables: Tables  # towards the goal, with its facing
    aim: Aim
    query: Query
    headings: IntArray  # [stage, x, z, 2], int16: of the way at a cell and further ahead; -1 where not yet known


class States(NamedTuple):
    """The states that a search has reached."""

    keys: IntArray  # [hash], int64, -1 for none
    slots: IntArray  # [hash], int32, state with that key
    state: IntArray  # [state, 5], int32: stage, node, x, z, heading
    cost: IntArray  # [state], int64, units, from the start
    bound: IntArray  # [state], int64, units, lower bound of the rest
    guide: IntArray  # [state], int64, units, estimate of the rest
    parent: IntArray  # [state], int32
    edge: IntArray  # [state], int32, from the parent
    status: IntArray  # [state], int8
    heap_keys: FloatArray  # [entry]
    heap_items: IntArray  # [entry], int64
    counts: IntArray  # [5], int64


def new_states(capacity: int) -> States:
    """Return room for `capacity` states, a power of 2; none is reached yet."""
    counts = np.array([0, 0, 0, NO_COST, -1], dtype=np.int64)
    return States(
        np.full(2 * capacity, -1, np.int64),
        np.empty(2 * capacity, np.int32),
        np.empty((capacity, 5), np.int32),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int8),
        np.empty(2 * capacity),
        np.empty(2 * capacity, np.int64),
        counts,
    )


def grown(states: States) -> States:
    """Return the same states with room for twice as many."""
    wide = new_states(2 * len(states.cost))
    for old, new in zip(states[2:], wide[2:], strict=True):
        new[: len(old)] = old
    _enter_keys(wide)
    return wide


@kernel
def _enter_keys(states: States) -> None:
    for number in range(states.counts[COUNT]):
        stage, node, x, z, heading = states.state[number]
        key = state_key(stage, node, x, z, heading)
        slot = find_slot(states.keys, key)
        states.keys[slot], states.slots[slot] = key, number


@kernel
def state_key(stage: int, node: int, x: int, z: int, heading: int) -> int:
    """Return the number that stands for a state; up to 2^20 nodes, 64 stages and 4096 cells in each direction."""
    place = (np.int64(x) << 12 | np.int64(z)) << 7 | np.int64(heading)
    return int((np.int64(stage) << 20 | np.int64(node)) << 31 | place)


@kernel
def find_slot(keys: IntArray, key: int) -> int:
    """Return the slot of `key` in the hash table `keys`, or the free one where it belongs."""
    mask = len(keys) - 1
    slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(24)) & mask
    while keys[slot] != -1 and keys[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


@kernel
def next_stage(through: IntArray, stage: int, x: int, z: int) -> int:
    """Return the stage of a state that was in `stage` before it came to the cell (`x`, `z`)."""
    while stage < len(through):
        dx, dz = x - through[stage, 0], z - through[stage, 1]
        if dx * dx + dz * dz > through[stage, 2] * through[stage, 2]:
            break
        stage += 1
    return stage


@kernel
def arrival_cost(moves: Moves, query: Query, x: int, z: int, heading: int) -> int:
    """Return the cost in units of moving an end from the lattice to the goal; -1 if it is too far from it."""
    a, b = x - query.end[0], z - query.end[1]
    turn = 0
    if query.end[2] >= 0:
        turn = abs((heading - query.end[2] + HEADINGS // 2) % HEADINGS - HEADINGS // 2)
    if a * a + b * b > query.slack[0] * query.slack[0] or turn > query.slack[1]:
        return -1
    # The change is spread over several steps, so that it costs a part of the same change of one step.
    return math.floor(COST_UNIT * moves.warp_cost * ARRIVAL_SHARE * (a * a + b * b + turn * turn) + 0.5)


@kernel
def units(seconds: float) -> int:
    """Return `seconds` in cost units, rounded down; a bound within the error of arithmetic of a unit reaches it."""
    return math.floor(seconds * COST_UNIT + 1e-6)


@kernel
def _way_heading(lengths: FloatArray, x: int, z: int) -> int:
    """Return the lattice heading of the shortest way from a cell, from the lengths on a ring of cells around it."""
    best_x, best_z, best = 0, 0, np.inf
    for a in range(-REACH, REACH + 1):
        for b in range(-REACH, REACH + 1):
            square = a * a + b * b
            if square < (REACH - 1) * (REACH - 1) or square > REACH * REACH + REACH:
                continue
            i, j = x + a, z + b
            if i < 0 or j < 0 or i >= lengths.shape[0] or j >= lengths.shape[1] or lengths[i, j] == np.inf:
                continue
            value = lengths[i, j] + math.sqrt(float(square))
            if value < best:
                best_x, best_z, best = a, b, value
    return math.floor(math.atan2(float(best_x), float(best_z)) / ANGLE + 0.5) % HEADINGS


@kernel
def _headings_at(lengths: FloatArray, headings: IntArray, x: int, z: int) -> None:
    """Fill `headings` [x, z, 2] at one cell: the heading of the way there, and `AHEAD` metres further on."""
    if headings[x, z, 0] < 0:
        headings[x, z, 0] = _way_heading(lengths, x, z)
    place_x, place_z, heading = float(x), float(z), headings[x, z, 0]
    stride = 4.0
    for _ in range(int(AHEAD / (stride * CELL))):
        place_x += stride * math.sin(ANGLE * heading)
        place_z += stride * math.cos(ANGLE * heading)
        i, j = int(place_x + 0.5), int(place_z + 0.5)
        if i < 0 or j < 0 or i >= lengths.shape[0] or j >= lengths.shape[1] or lengths[i, j] == np.inf:
            break
        if lengths[i, j] < REACH:
            break
        if headings[i, j, 0] < 0:
            headings[i, j, 0] = _way_heading(lengths, i, j)
        heading = headings[i, j, 0]
    headings[x, z, 1] = heading


@kernel
def guess(problem: Problem, stage: int, node: int, x: int, z: int, heading: int) -> float:
    """Return an estimate in seconds of the cost to the aim that sees how the way around obstacles turns.

    It is the straight bound for the least costly of five directions between the heading of the way and that further
    ahead, and what the wanted facing and the length of the way add to the potential. It may exceed the true cost.
    """
    tables, aim, headings = problem.tables, problem.aim, problem.headings
    if headings[stage, x, z, 1] < 0:
        _headings_at(aim.roomy[stage], headings[stage], x, z)
    near, far = headings[stage, x, z, 0], headings[stage, x, z, 1]
    turn = (far - near + HEADINGS // 2) % HEADINGS - HEADINGS // 2
    least = FAR
    for number in range(5):
        direction = (near + math.floor(0.25 * turn * number + 0.5)) % HEADINGS
        own = direction % QUARTER
        least = min(least, tables.straight[own, node, (heading - (direction - own)) % HEADINGS])
    way = CELL / LENGTHENING * aim.roomy[stage, x, z]
    level = min(LEVELS - 1, int(way / LEVEL))
    extra = max(tables.potential[node, heading], tables.far[level, node, heading]) - tables.far[0, node, heading]
    return float(tables.straight_rate * way + (least + extra) / COST_UNIT)


@kernel
def reach(problem: Problem, states: States, stage: int, node: int, x: int, z: int, heading: int) -> int:
    """Return the number of a state, entered if it is new; -1 if it cannot lead to the goal."""
    query = problem.query
    key = state_key(stage, node, x, z, heading)
    slot = find_slot(states.keys, key)
    if states.keys[slot] != -1:
        return int(states.slots[slot])
    if node == query.end_node and (stage < len(query.through) or arrival_cost(problem.moves, query, x, z, heading) < 0):
        return -1
    bound = 0.0 if node == query.end_node else lower_bound(problem.tables, problem.aim, stage, node, x, z, heading)
    if bound == np.inf:
        return -1
    number = states.counts[COUNT]
    states.counts[COUNT] += 1
    states.keys[slot], states.slots[slot] = key, number
    states.state[number, 0], states.state[number, 1] = stage, node
    states.state[number, 2], states.state[number, 3], states.state[number, 4] = x, z, heading
    states.bound[number] = units(bound)
    estimate = 0.0 if node == query.end_node else guess(problem, stage, node, x, z, heading)
    states.guide[number] = max(units(estimate), states.bound[number])
    states.cost[number], states.parent[number], states.edge[number] = NO_COST, -1, -1
    states.status[number] = CLOSED
    return int(number)


@kernel
def start_search(problem: Problem, states: States) -> None:
    """Enter the start state."""
    query = problem.query
    x, z, heading = query.start
    stage = next_stage(query.through, 0, x, z)
    number = reach(problem, states, stage, query.start_node, x, z, heading)
    if number >= 0:
        states.cost[number], states.status[number] = 0, OPEN


@kernel
def rekey(states: States, weight: float, guided: bool) -> int:
    """Put all open states into the heap for a new `weight`; return the least cost that a motion can have, in units."""
    counts = states.counts
    counts[SIZE] = 0
    least = counts[BEST]
    for number in range(counts[COUNT]):
        if states.status[number] == CLOSED:
            continue
        total = states.cost[number] + states.bound[number]
        if total >= counts[BEST]:
            states.status[number] = CLOSED
            continue
        least = min(least, total)
        states.status[number] = OPEN
        key = states.cost[number] + weight * (states.guide[number] if guided else states.bound[number])
        counts[SIZE] = heap_push(states.heap_keys, states.heap_items, counts[SIZE], key, number)
    return int(least)


@kernel
def least_total(states: States) -> int:
    """Return the least cost in units that a motion can have, by the states that are open now."""
    least = states.counts[BEST]
    for number in range(states.counts[COUNT]):
        if states.status[number] != CLOSED:
            least = min(least, states.cost[number] + states.bound[number])
    return int(least)


@kernel
def best_path_cost(problem: Problem, states: States) -> int:
    """Return the cost in units of the path to the best end, as its states lead to it now.

    It is lower than the cost noted at that end where a state on the path has since been reached at a lower cost.
    """
    number = states.counts[BEST_STATE]
    _, _, x, z, heading = states.state[number]
    total = max(0, arrival_cost(problem.moves, problem.query, x, z, heading))
    while states.parent[number] >= 0:
        before = states.parent[number]
        total += landing(problem.moves, states.edge[number], states.state[before, 4]).cost
        number = before
    return int(total)


@kernel
def expand(problem: Problem, states: States, weight: float, guided: bool, most: int) -> int:
    """Expand up to `most` states in the order of their keys; return why it stopped: PAUSED, FULL or DONE.

    A state that is reached at a lower cost after it was expanded waits for the next weight, unless the keys are the
    lower bounds themselves.
    """
    moves, ground, query = problem.moves, problem.ground, problem.query
    counts = states.counts
    again = not guided and weight == 1.0
    degree = 0
    for node in range(len(moves.first) - 1):
        degree = max(degree, moves.first[node + 1] - moves.first[node])
    for _ in range(most):
        while counts[SIZE] > 0 and states.status[states.heap_items[0]] != OPEN:
            counts[SIZE] = heap_pop(states.heap_keys, states.heap_items, counts[SIZE])
        if counts[SIZE] == 0 or states.heap_keys[0] >= counts[BEST]:
            return DONE
        if counts[COUNT] + degree > len(states.cost) or counts[SIZE] + degree > len(states.heap_keys):
            return FULL
        number = states.heap_items[0]
        counts[SIZE] = heap_pop(states.heap_keys, states.heap_items, counts[SIZE])
        states.status[number] = CLOSED
        if states.cost[number] + states.bound[number] >= counts[BEST]:
            continue
        counts[EXPANDED] += 1
        stage, node, x, z, heading = states.state[number]
        for edge in range(moves.first[node], moves.first[node + 1]):
            target = moves.target[edge]
            if node == query.start_node and query.only[0] >= 0 and target != query.only[0]:
                continue
            if target == query.end_node and query.only[1] >= 0 and node != query.only[1]:
                continue
            end = landing(moves, edge, heading)
            cost = states.cost[number] + end.cost
            i, j = x + end.x, z + end.z
            if i < 0 or j < 0 or i >= ground.free.shape[0] or j >= ground.free.shape[1] or not ground.free[i, j]:
                continue
            turned = (heading + moves.turn[edge]) % HEADINGS
            later = next_stage(query.through, stage, i, j)
            if target == query.end_node:
                cost += max(0, arrival_cost(moves, query, i, j, turned))
            slot = find_slot(states.keys, state_key(later, target, i, j, turned))
            if states.keys[slot] != -1 and cost >= states.cost[states.slots[slot]]:
                continue
            if not is_clear(moves, ground, edge, x, z, heading, end):
                continue
            other = reach(problem, states, later, target, i, j, turned)
            if other < 0 or cost >= states.cost[other] or cost + states.bound[other] >= counts[BEST]:
                continue
            known = states.cost[other] < NO_COST
            states.cost[other], states.parent[other], states.edge[other] = cost, number, edge
            if target == query.end_node:
                counts[BEST], counts[BEST_STATE] = cost, other
                continue
            if known and states.status[other] != OPEN and not again:
                states.status[other] = WAITING
                continue
            states.status[other] = OPEN
            key = cost + weight * (states.guide[other] if guided else states.bound[other])
            counts[SIZE] = heap_push(states.heap_keys, states.heap_items, counts[SIZE], key, other)
    return PAUSED
