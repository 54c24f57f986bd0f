"""Search from both ends at once with an exact meeting: NBA* (Pijls and Post 2009).

Both bounds must be consistent. Every state is expanded at most once, by one of the two sides.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.plan.bounds import Aim, Tables, lower_bound
from motionfields.authoring.plan.heap import heap_pop, heap_push
from motionfields.authoring.plan.lattice import HEADINGS, is_clear, landing
from motionfields.authoring.plan.search import NO_COST, Problem, arrival_cost, find_slot, state_key, units
from motionfields.base.arrays import IntArray
from motionfields.base.compiled import kernel

GIVEN_UP: Final = -2  # meeting state of a search that ran out of room


class Meeting(NamedTuple):
    """Result of a search from both ends."""

    cost: int  # units; `NO_COST` if there is no motion
    path: IntArray  # [node, 5], states as in `search.States`
    edges: IntArray  # [node - 1]
    expanded: tuple[int, int]  # states, from the start and from the goal
    finished: bool  # False if it ran out of room


def search_both_ways(problem: Problem, behind: Tables, start_aim: Aim, *, most: int) -> Meeting:
    """Return the cheapest motion, found with up to `most` states.

    `behind` are the tables towards the start, and `start_aim` the ways there.
    """
    state = np.empty((most, 4), np.int32)
    cost = np.full((2, most), NO_COST, np.int64)
    parent, edge = np.full((2, most), -1, np.int32), np.full((2, most), -1, np.int32)
    best, meet, forward, backward = _meet(problem, behind, start_aim, state, cost, parent, edge)
    if meet < 0:
        empty = np.empty((0, 5), np.int32), np.empty(0, np.int32)
        return Meeting(NO_COST, *empty, (forward, backward), meet != GIVEN_UP)
    before, after = [meet], [meet]
    while parent[0, before[-1]] >= 0:
        before.append(int(parent[0, before[-1]]))
    while parent[1, after[-1]] >= 0:
        after.append(int(parent[1, after[-1]]))
    edges = [int(edge[0, number]) for number in before[-2::-1]] + [int(edge[1, number]) for number in after[:-1]]
    numbers = before[::-1] + after[1:]
    path = np.concatenate([np.zeros((len(numbers), 1), np.int32), state[numbers]], axis=1)
    return Meeting(best, path, np.array(edges, np.int32), (forward, backward), True)


@kernel
def _meet(
    problem: Problem,
    behind: Tables,
    start_aim: Aim,
    state: IntArray,
    cost: IntArray,
    parent: IntArray,
    edge_of: IntArray,
) -> tuple[int, int, int, int]:
    """Return the best cost, the state at which its halves meet, and the expansions of each side."""
    moves, ground, ahead, goal_aim, query = problem.moves, problem.ground, problem.tables, problem.aim, problem.query
    capacity = len(state)
    hashes = 1
    while hashes < 2 * capacity:
        hashes *= 2
    keys, slots = np.full(hashes, -1, np.int64), np.empty(hashes, np.int32)
    bound = np.empty((2, capacity), np.int64)
    middle = np.ones(capacity, np.bool_)
    heap_keys, heap_items = np.empty((2, 4 * capacity)), np.empty((2, 4 * capacity), np.int64)
    size = np.zeros(2, np.int64)
    expanded = np.zeros(2, np.int64)
    front = np.zeros(2, np.int64)
    count, best, meet = 0, NO_COST, -1
    wide = 2 * query.slack[0] + 1
    for root in range(wide * wide * HEADINGS + 1):
        side = 0 if root == 0 else 1
        node = query.start_node if root == 0 else query.end_node
        x, z, heading = query.start
        extra = 0
        if root > 0:
            heading, cell = (root - 1) % HEADINGS, (root - 1) // HEADINGS
            x, z = query.end[0] + cell // wide - query.slack[0], query.end[1] + cell % wide - query.slack[0]
            extra = arrival_cost(moves, query, x, z, heading)
            if extra < 0 or x < 0 or z < 0 or x >= ground.free.shape[0] or z >= ground.free.shape[1]:
                continue
        first = lower_bound(ahead, goal_aim, 0, node, x, z, heading) if side == 0 else 0.0
        second = lower_bound(behind, start_aim, 0, node, x, z, heading) if side == 1 else 0.0
        if first == np.inf or second == np.inf:
            continue
        key = state_key(0, node, x, z, heading)
        slot = find_slot(keys, key)
        keys[slot], slots[slot] = key, count
        state[count, 0], state[count, 1], state[count, 2], state[count, 3] = node, x, z, heading
        bound[0, count], bound[1, count] = units(first), units(second)
        cost[side, count] = extra
        total = float(extra + bound[side, count])
        size[side] = heap_push(heap_keys[side], heap_items[side], size[side], total, count)
        count += 1
    for side in range(2):
        front[side] = int(heap_keys[side, 0]) if size[side] > 0 else NO_COST
    while size[0] > 0 and size[1] > 0:
        side = 0 if size[0] <= size[1] else 1
        number, key_now = heap_items[side, 0], int(heap_keys[side, 0])
        size[side] = heap_pop(heap_keys[side], heap_items[side], size[side])
        front[side] = max(front[side], key_now)
        if front[side] >= best:
            break
        if not middle[number] or key_now > cost[side, number] + bound[side, number]:
            continue
        middle[number] = False
        if key_now >= best or cost[side, number] + front[1 - side] - bound[1 - side, number] >= best:
            continue
        expanded[side] += 1
        node, x, z, heading = state[number]
        begin = moves.first[node] if side == 0 else moves.back_first[node]
        stop = moves.first[node + 1] if side == 0 else moves.back_first[node + 1]
        if count + stop - begin > capacity or size[side] + stop - begin > heap_keys.shape[1]:
            return NO_COST, GIVEN_UP, expanded[0], expanded[1]
        for place in range(begin, stop):
            edge = place if side == 0 else moves.back_edge[place]
            source, target = moves.source[edge], moves.target[edge]
            if source == query.start_node and query.only[0] >= 0 and target != query.only[0]:
                continue
            if target == query.end_node and query.only[1] >= 0 and source != query.only[1]:
                continue
            turned = (heading + moves.turn[edge]) % HEADINGS if side == 0 else (heading - moves.turn[edge]) % HEADINGS
            start_heading = heading if side == 0 else turned
            end = landing(moves, edge, start_heading)
            i, j = (x + end.x, z + end.z) if side == 0 else (x - end.x, z - end.z)
            if i < 0 or j < 0 or i >= ground.free.shape[0] or j >= ground.free.shape[1] or not ground.free[i, j]:
                continue
            from_x, from_z = (x, z) if side == 0 else (i, j)
            if not is_clear(moves, ground, edge, from_x, from_z, start_heading, end):
                continue
            node_there = target if side == 0 else source
            key = state_key(0, node_there, i, j, turned)
            slot = find_slot(keys, key)
            if keys[slot] == -1:
                if node_there == query.end_node or node_there == query.start_node:
                    continue  # ends elsewhere than asked
                first = lower_bound(ahead, goal_aim, 0, node_there, i, j, turned)
                second = lower_bound(behind, start_aim, 0, node_there, i, j, turned)
                if first == np.inf or second == np.inf:
                    continue
                keys[slot], slots[slot] = key, count
                state[count, 0], state[count, 1], state[count, 2], state[count, 3] = node_there, i, j, turned
                bound[0, count], bound[1, count] = units(first), units(second)
                count += 1
            other = slots[slot]
            longer = cost[side, number] + end.cost
            if not middle[other] or longer >= cost[side, other]:
                continue
            cost[side, other], parent[side, other], edge_of[side, other] = longer, number, edge
            if cost[1 - side, other] < NO_COST and longer + cost[1 - side, other] < best:
                best, meet = longer + cost[1 - side, other], other
            if longer + bound[side, other] < best:
                key_there = float(longer + bound[side, other])
                size[side] = heap_push(heap_keys[side], heap_items[side], size[side], key_there, other)
    return best, meet, expanded[0], expanded[1]
