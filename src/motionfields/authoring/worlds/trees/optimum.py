"""Best possible scores of steering among standing obstacles, by A* search over the actions that trees choose from.

The return of a character that arrives depends only on the number of its actions, so the fewest actions give the best
return. The motion of an action depends only on the database state, up to a rigid motion over the ground. `ActionTable`
therefore holds the outcome of each action at each state. `progress` bounds the distance that any sequence of k actions
covers in a given direction: no goal that is further away can be reached with k actions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.plan.heap import heap_pop, heap_push
from motionfields.authoring.worlds.steering import block_gap
from motionfields.authoring.worlds.trees.learning import (
    LONGEST,
    MARGIN,
    NEAR_GOAL,
    REACHED,
    Model,
    Walkers,
)
from motionfields.authoring.worlds.trees.steering_trees import ACTIONS
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_count
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.world import Reach, World

DIRECTIONS: Final = 48  # for which `progress` is known
MOST_AHEAD: Final = 18  # actions for which `progress` is known
INFLATION: Final = 1.5  # factor of the bound in a second search, where the first one ended without a motion
CELL: Final = 0.1  # metres; the second search keeps one node for each cell and heading
HEADINGS: Final = 16


class ActionTable(NamedTuple):
    """Outcome of every action at every state, in the frame of the facing at its start."""

    target: IntArray  # [state, action], int32, state afterwards
    turn: FloatArray  # [state, action], radians, change of the facing
    path: FloatArray  # [state, action, check, 2], metres, at the frames at which collisions and goals are checked

    @classmethod
    def of(cls, model: Model) -> ActionTable:
        """Return the outcomes by `model`."""
        count, actions = len(model.facing_of), len(ACTIONS)
        state = np.repeat(np.arange(count), actions)
        zeros = np.zeros(len(state), np.int64)
        walkers = Walkers(state, np.zeros((len(state), 2)), -model.facing_of[state], zeros, zeros)
        heading, speed = np.radians(np.tile(ACTIONS[:, 0], count)), np.tile(ACTIONS[:, 1], count)
        checks = []
        for frame in range(model.hold):
            walkers = model.step(walkers, heading, speed)
            if frame % 2 or frame + 1 == model.hold:
                checks.append(walkers.position)
        shape = (count, actions)
        path = np.stack(checks, axis=1).reshape(*shape, len(checks), 2)
        turn = model.facing(walkers).reshape(shape)
        return cls(walkers.state.astype(np.int32).reshape(shape), turn, path)


def progress(table: ActionTable, *, ahead: int = MOST_AHEAD, directions: int = DIRECTIONS) -> FloatArray:
    """Return an upper bound [k, state, direction] in metres, float32, of the progress that k actions can make.

    Direction j is 2 pi j / `directions` radians to the left of the facing. Progress in a direction is sublinear, so its
    value between two directions is at most a sum of theirs (see `between`).
    """
    out = np.zeros((ahead + 1, len(table.target), directions), np.float32)
    for k in range(1, ahead + 1):
        _add_action(table.target, table.turn, table.path, out[k - 1], out[k])
    return out


def straight_progress(table: ActionTable, *, ahead: int = MOST_AHEAD) -> FloatArray:
    """Return the bound of the thesis in the form of `progress`: k times the greatest distance of any single action."""
    most = np.linalg.norm(table.path, axis=-1).max() + 1e-6
    rows = most * np.arange(ahead + 1, dtype=np.float32)[:, np.newaxis, np.newaxis]
    return np.ascontiguousarray(np.broadcast_to(rows, (ahead + 1, len(table.target), DIRECTIONS)), dtype=np.float32)


@lean_kernel
def between(row: FloatArray, angle: float) -> float:
    """Return an upper bound of the progress at `angle`, in radians, from that of equally spaced directions, `row` [m].

    A unit vector between two others u and v is a u + b v with a, b >= 0, and progress(a u + b v) is at most
    a progress(u) + b progress(v).
    """
    count = len(row)
    step = 2.0 * math.pi / count
    part = (angle / step) % count
    first = int(part)
    share = (part - first) * step
    a, b = math.sin(step - share) / math.sin(step), math.sin(share) / math.sin(step)
    return float(a * row[first % count] + b * row[(first + 1) % count])


@kernel
def _add_action(target: IntArray, turn: FloatArray, path: FloatArray, fewer: FloatArray, out: FloatArray) -> None:
    """Fill `out` [state, direction] with the progress of one action more than `fewer` [state, direction]."""
    directions = fewer.shape[1]
    sines, cosines = np.empty(directions), np.empty(directions)
    for j in range(directions):
        sines[j], cosines[j] = math.sin(2.0 * math.pi * j / directions), math.cos(2.0 * math.pi * j / directions)
    checks = path.shape[2]
    for state in range(len(target)):
        for j in range(directions):
            angle = 2.0 * math.pi * j / directions
            best = 0.0
            for action in range(target.shape[1]):
                along = 0.0
                for check in range(checks):
                    along = path[state, action, check, 0] * sines[j] + path[state, action, check, 1] * cosines[j]
                    best = max(best, along)
                best = max(best, along + between(fewer[target[state, action]], angle - turn[state, action]))
            out[state, j] = best + 1e-6  # of rounding to float32


class Optimum(NamedTuple):
    """Fewest actions of characters [n], each in its own world, as far as the search could tell."""

    actions: IntArray  # [n], of the best motion that was found; `LONGEST` + 1: none
    least: IntArray  # [n], that no motion can beat; equal to `actions` where the optimum is proven
    expanded: IntArray  # [n], nodes of the search
    plans: Sequence[IntArray]  # [n][action], the actions of the best motion

    @property
    def proven(self) -> BoolArray:
        """Whether the optimum of each character is known, [n]."""
        return np.asarray(self.actions == self.least)


class Searcher:
    """A* searches with the motion of `model`, with one table of outcomes and bounds for all of them.

    With `straight`, the bound is that of the thesis: the distance divided by the greatest distance of one action.
    """

    def __init__(self, model: Model, *, straight: bool = False) -> None:
        self.model, self.table = model, ActionTable.of(model)
        self.progress = straight_progress(self.table) if straight else progress(self.table)

    def search(self, worlds: Sequence[World], walkers: Walkers, *, most: int = 200_000) -> Optimum:
        """Return the fewest actions with which `walkers` [n] reach the first goals of `worlds`, without a collision.

        A search stops after `most` expanded nodes; a second one with an inflated bound then finds some motion, if it
        can. `worlds` must have no moving obstacles.
        """
        checked_count("most", most, 1, 20_000_000)
        facing = self.model.facing(walkers)
        count = len(walkers.state)
        actions, least, expanded = (np.zeros(count, np.int64) for _ in range(3))
        plans = []
        for i in range(count):
            world = worlds[int(walkers.world[i])]
            goal = world.goals[0]
            if world.movers or not isinstance(goal, Reach):
                raise ValueError("worlds: expected worlds without moving obstacles, with a Reach goal")
            plan = np.zeros(LONGEST, np.int64)
            sides, to = np.array(world.room.bounds), np.array([goal.x, goal.z])
            for inflation in (1.0, INFLATION):
                found = _search(
                    *self.table,
                    self.progress,
                    inflation,
                    _cells(world.room.bounds) if inflation > 1.0 else np.zeros((0, 0, 0), np.bool_),
                    world.room.blocks(),
                    sides,
                    world.room.radius + MARGIN,
                    to,
                    int(walkers.state[i]),
                    walkers.position[i],
                    float(facing[i]),
                    most,
                    plan,
                )
                actions[i], least[i] = found[0], max(least[i], found[1])
                expanded[i] += found[2]
                if actions[i] <= LONGEST or least[i] > LONGEST:
                    break
            plans.append(plan[: actions[i]] if actions[i] <= LONGEST else plan[:0])
        return Optimum(actions, least, expanded, plans)


def _cells(bounds: tuple[float, float, float, float]) -> BoolArray:
    """Return cells [x, z, heading] over a room, none of which was reached."""
    width, depth = bounds[2] - bounds[0], bounds[3] - bounds[1]
    return np.zeros((int(width / CELL) + 1, int(depth / CELL) + 1, HEADINGS), np.bool_)


@lean_kernel
def _is_new(seen: BoolArray, bounds: FloatArray, x: float, z: float, facing: float) -> bool:
    """Return whether the cell of a place is not in `seen` [x, z, heading] yet, and add it; always without cells."""
    if seen.size == 0:
        return True
    heading = math.floor(facing * (HEADINGS / (2.0 * math.pi)) + 0.5) % HEADINGS
    i, j = int((x - bounds[0]) / CELL), int((z - bounds[1]) / CELL)
    new = not seen[i, j, heading]
    seen[i, j, heading] = True
    return new


@lean_kernel
def _is_free(blocks: FloatArray, bounds: FloatArray, radius: float, x: float, z: float) -> bool:
    """Return whether a disc of `radius` at (`x`, `z`) touches no block and no side, as `clearances` measures it."""
    if min(min(x - bounds[0], bounds[2] - x), min(z - bounds[1], bounds[3] - z)) < radius:
        return False
    for block in range(len(blocks)):  # noqa: SIM110 - a compiled loop
        if block_gap(blocks[block], x, z) < radius:
            return False
    return True


@lean_kernel
def _actions_left(ahead: FloatArray, state: int, x: float, z: float, facing: float, goal: FloatArray, k: int) -> int:
    """Return a lower bound, at least `k`, of the number of actions from (`x`, `z`) to the goal."""
    away_x, away_z = goal[0] - x, goal[1] - z
    wanted = math.sqrt(away_x * away_x + away_z * away_z) - NEAR_GOAL
    bearing = math.atan2(away_x, away_z) - facing
    while k < len(ahead) and between(ahead[k, state], bearing) < wanted:
        k += 1
    return k


@kernel
def _search(
    target: IntArray,
    turn: FloatArray,
    path: FloatArray,
    ahead: FloatArray,
    inflation: float,
    seen: BoolArray,
    blocks: FloatArray,
    bounds: FloatArray,
    radius: float,
    goal: FloatArray,
    state: int,
    place: FloatArray,
    facing: float,
    most: int,
    plan: IntArray,
) -> tuple[int, int, int]:
    """Return the fewest actions that were found, the fewest possible ones, and the number of expanded nodes.

    The bound counts `inflation` times in the order of the nodes, and of nodes in the same cell of `seen` only the first
    is kept; only with 1, and no cells, are the returned actions the fewest possible ones. Of nodes with the same bound,
    the deepest goes first. `plan` [action] is filled with the actions.
    """
    actions, checks = target.shape[1], path.shape[2]
    room = most * actions + 1
    states, parents, taken = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int8)
    deep, left = np.empty(room, np.int16), np.empty(room, np.int16)
    places, facings = np.empty((room, 2)), np.empty(room)
    keys, items = np.empty(room), np.empty(room, np.int64)
    states[0], parents[0], deep[0], places[0], facings[0] = state, -1, 0, place, facing
    left[0] = _actions_left(ahead, state, place[0], place[1], facing, goal, 1)
    nodes, expanded = 1, 0
    size = heap_push(keys, items, 0, float(left[0]), 0)
    while size > 0:
        node = items[0]
        depth = deep[node]
        least = depth + left[node]
        if inflation > 1.0:
            least = left[0]
        if least > len(plan) or expanded >= most:
            return len(plan) + 1, min(least, len(plan) + 1), expanded
        size = heap_pop(keys, items, size)
        expanded += 1
        sine, cosine = math.sin(facings[node]), math.cos(facings[node])
        own = states[node]
        for action in range(actions):
            free, arrived, x, z = True, False, 0.0, 0.0
            for check in range(checks):
                side, front = path[own, action, check, 0], path[own, action, check, 1]
                x = places[node, 0] + cosine * side + sine * front
                z = places[node, 1] + cosine * front - sine * side
                if not _is_free(blocks, bounds, radius, x, z):
                    free = False
                    break
                if (goal[0] - x) ** 2 + (goal[1] - z) ** 2 < NEAR_GOAL * NEAR_GOAL:
                    arrived = True
                    break
            if arrived:
                count = depth + 1
                plan[depth] = action
                while depth > 0:
                    depth -= 1
                    plan[depth] = taken[node]
                    node = parents[node]
                return count, least, expanded
            aim = facings[node] + turn[own, action]
            if free and depth + 1 < len(plan) and _is_new(seen, bounds, x, z, aim):
                other = target[own, action]
                states[nodes], parents[nodes], taken[nodes] = other, node, action
                places[nodes, 0], places[nodes, 1], facings[nodes] = x, z, aim
                deep[nodes] = depth + 1
                left[nodes] = _actions_left(ahead, other, x, z, aim, goal, max(1, left[node] - 1))
                far = math.sqrt((goal[0] - x) ** 2 + (goal[1] - z) ** 2)
                key = depth + 1 + inflation * left[nodes] - 0.01 * (depth + 1) + 1e-4 * far
                size = heap_push(keys, items, size, key, nodes)
                nodes += 1
    return len(plan) + 1, len(plan) + 1, expanded


def best_returns(actions: IntArray, seconds: float, *, discount: float = 0.97) -> FloatArray:
    """Return the discounted return [n] of arriving with the last of `actions` [n], each of `seconds`.

    A character that does not arrive within `LONGEST` actions pays for all of them.
    """
    taken = np.minimum(actions, LONGEST)
    waited = seconds * (1.0 - discount**taken) / (1.0 - discount)
    return np.asarray(np.where(actions <= LONGEST, REACHED * discount ** (taken - 1.0), 0.0) - waited)
