"""Searches for motion along a stroke: A* from one end, and from both ends up to a cut that may move.

This is the search of chapter 3 of Lo's thesis. Two trees grow from the ends of the motion, each on its side of a cut,
a moment of the stroke. Where a link crosses the cut, both its states are looked up in the other tree: two paths merge
if they have the same node within a tolerance of place and heading. When one tree can grow no further, the cut moves
into the other half, to the median moment of the states that are still open there.

All paths to the same node in the same cell of place and heading count as one state, of which the cheapest is kept.
Costs are therefore not exactly least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from motionfields.authoring.plan.frames.linking import Links
from motionfields.authoring.plan.frames.sheets import Sheet, looked_up
from motionfields.authoring.plan.heap import heap_pop, heap_push
from motionfields.authoring.plan.search import find_slot
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_fields, check_indices, checked_count, checked_number, checked_numbers
from motionfields.base.compiled import kernel

Kind = Literal["one", "cut", "moving"]
KINDS: Final = ("one", "cut", "moving")
SHORTEST: Final = 0.1  # seconds: lower limit of durations that are compared
LEAST_SHIFT: Final = 0.05  # seconds by which a cut moves at least
MOST_MOVES: Final = 100
OPEN, CLOSED, PARKED = 0, 1, 2  # parked: beyond the cut
TURN: Final = 2.0 * math.pi
NO_MEETING: Final = -1
COUNT, SIZE, EXPANDED = range(3)  # places in `counts`


@dataclass(frozen=True)
class Weights:
    """Costs of a motion along a stroke, and tolerances.

    Costs in seconds are those of the links, `off` for each metre of way and metre of distance from the stroke (eq.
    3.1), `pace` times the ratio of the durations of a link and of its part of the stroke less 1 (eq. 3.2), and `gap`
    for each metre and each radian between two paths that merge. These may be up to `place` metres apart along x and
    along z and turned by `turn` radians. Cells in which paths count as one are `cell` times as wide.
    """

    off: float = 5.0
    pace: float = 0.05
    gap: float = 2.0
    place: float = 0.35
    turn: float = math.radians(5.7)
    cell: float = 0.5

    def __post_init__(self) -> None:
        check_fields(self)
        for name, least, most in (
            ("off", 0.0, 1e4),
            ("pace", 0.0, 1e4),
            ("gap", 0.0, 1e4),
            ("place", 0.005, 10.0),
            ("turn", 0.001, math.pi),
            ("cell", 0.001, 1.0),
        ):
            checked_number(name, getattr(self, name), least, most)


class Costs(NamedTuple):
    """`Weights` and the bound of the remaining cost, in the form of compiled loops."""

    off: float
    pace: float
    gap: float
    place: float
    turn: float
    cell: float
    rate: float  # s/m: no link costs less for each metre
    inflation: float


class Ends(NamedTuple):
    """States at which a motion may begin or end."""

    node: IntArray  # [n]
    pose: FloatArray  # [n, 3], ground pose in the world: x, z and yaw of the root


class Trees(NamedTuple):
    """The states that were reached from the start, [0], and from the end, [1]."""

    keys: IntArray  # [2, hash], int64, -1 for none
    slots: IntArray  # [2, hash], int32, the cheapest state with that key
    node: IntArray  # [2, state], int32
    pose: FloatArray  # [2, state, 3]
    time: FloatArray  # [2, state], seconds of the stroke
    cost: FloatArray  # [2, state], seconds
    parent: IntArray  # [2, state], int32
    link: IntArray  # [2, state], int32, from or to the parent
    status: IntArray  # [2, state], int8
    merges: BoolArray  # [2, state], whether paths of the other tree may merge here
    merge_keys: IntArray  # [2, hash], int64, of cells half a tolerance wide (the merge hash tables of the thesis)
    merge_slots: IntArray  # [2, hash], int32, the last state entered with that key
    after: IntArray  # [2, state], int32, the state entered before with the same key, -1 for none
    heap_keys: FloatArray  # [2, entry]
    heap_items: IntArray  # [2, entry], int64
    counts: IntArray  # [2, 3], int64


class Followed(NamedTuple):
    """Result of a search along a stroke."""

    cost: float  # seconds; infinite if no motion was found
    links: IntArray  # [m], in order
    poses: FloatArray  # [m + 1, 3], ground pose at the start and at the end of each link
    gap: FloatArray  # [3], ground pose at the start of the second half less that at the end of the first
    merged: int  # number of links of the first half
    expanded: tuple[int, int]  # states, from the start and from the end
    reached: int  # states in memory
    moves: int  # times that the cut was moved
    finished: bool  # False if it ran out of memory


def follow(
    links: Links,
    sheet: Sheet,
    start: Ends,
    end: Ends,
    *,
    kind: Kind = "moving",
    inflation: float = 1.0,
    weights: Weights | None = None,
    most: int = 1 << 20,
) -> Followed:
    """Return the cheapest motion found from `start` to `end` along the stroke of `sheet`.

    `kind` is "one" (from the start alone), "cut" (from both ends to the middle of the stroke) or "moving". The bound of
    the remaining cost, which is the straight distance times the least cost of a link for each metre, is multiplied by
    `inflation`; with 0 there is no bound. Each tree has room for `most` states.
    """
    if kind not in KINDS:
        raise ValueError(f"kind: expected one of {', '.join(KINDS)}, got {kind!r}")
    checked_number("inflation", inflation, 0.0, 1000.0)
    checked_count("most", most, 1000, 1 << 26)
    use = weights or Weights()
    node_count = int(max(links.source.max(), links.target.max())) + 1
    for name, ends in (("start", start), ("end", end)):
        if check_indices(f"{name}.node", ends.node, node_count).ndim != 1 or not len(ends.node):
            raise ValueError(f"{name}.node: expected at least one node")
        checked_numbers(f"{name}.pose", ends.pose, shape=(len(ends.node), 3))
    costs = Costs(use.off, use.pace, use.gap, use.place, use.turn, use.cell, cheapest_rate(links), inflation)
    trees = _new_trees(most)
    order = np.argsort(links.target, kind="stable")
    nodes = np.arange(node_count + 1)
    first, back = np.searchsorted(links.source, nodes), np.searchsorted(links.target[order], nodes)
    best, mine, theirs, moves, full = _search(
        links, first, back, order, sheet, costs, start, end, trees, KINDS.index(kind)
    )
    expanded = int(trees.counts[0, EXPANDED]), int(trees.counts[1, EXPANDED])
    found = _traced(trees, mine, theirs)
    return Followed(best, *found, expanded, int(trees.counts[:, COUNT].sum()), moves, not full)


def cheapest_rate(links: Links) -> float:
    """Return the least cost of a link for each metre between its ends, in s/m."""
    length = np.linalg.norm(links.course[:, -1, :2], axis=1)
    return float((links.cost / np.maximum(length, 1e-6)).min())


def _new_trees(most: int) -> Trees:
    hashes = 1 << (2 * most - 1).bit_length()
    return Trees(
        np.full((2, hashes), -1, np.int64),
        np.empty((2, hashes), np.int32),
        np.empty((2, most), np.int32),
        np.empty((2, most, 3)),
        np.empty((2, most)),
        np.empty((2, most)),
        np.full((2, most), -1, np.int32),
        np.full((2, most), -1, np.int32),
        np.empty((2, most), np.int8),
        np.zeros((2, most), np.bool_),
        np.full((2, hashes), -1, np.int64),
        np.empty((2, hashes), np.int32),
        np.empty((2, most), np.int32),
        np.empty((2, 2 * most)),
        np.empty((2, 2 * most), np.int64),
        np.zeros((2, 3), np.int64),
    )


def _traced(trees: Trees, mine: int, theirs: int) -> tuple[IntArray, FloatArray, FloatArray, int]:
    """Return links, poses, gap and the number of links before the merge, of the path through two merged states."""
    if mine < 0:
        return np.empty(0, np.int64), np.empty((0, 3)), np.zeros(3), 0
    before, after = [mine], [theirs]
    while trees.parent[0, before[-1]] >= 0:
        before.append(int(trees.parent[0, before[-1]]))
    while trees.parent[1, after[-1]] >= 0:
        after.append(int(trees.parent[1, after[-1]]))
    before.reverse()
    links = np.concatenate([trees.link[0, before[1:]], trees.link[1, after[:-1]]]).astype(np.int64)
    gap = trees.pose[1, theirs] - trees.pose[0, mine]
    gap[2] -= TURN * math.floor(gap[2] / TURN + 0.5)
    poses = np.concatenate([trees.pose[0, before], trees.pose[1, after[1:]]])
    return links, poses, gap, len(before) - 1


@kernel
def link_cost(
    links: Links, sheet: Sheet, costs: Costs, link: int, x: float, z: float, yaw: float
) -> tuple[float, float, float]:
    """Return the cost in seconds of a link from a ground pose, and the times of the stroke at its start and end.

    The cost is infinite if the link leaves the sheet or goes back along the stroke.
    """
    sine, cosine = math.sin(yaw), math.cos(yaw)
    course = links.course
    off, began, ended = 0.0, 0.0, 0.0
    last_x, last_y, last_z, last = 0.0, 0.0, 0.0, 0.0
    for point in range(course.shape[1]):
        a, b, height = course[link, point, 0], course[link, point, 1], course[link, point, 3]
        at_x, at_z = x + cosine * a + sine * b, z + cosine * b - sine * a
        away, time = looked_up(sheet, at_x, height, at_z)
        if away < 0.0:
            return math.inf, 0.0, 0.0
        if point == 0:
            began = time
        else:
            way = math.sqrt((at_x - last_x) ** 2 + (height - last_y) ** 2 + (at_z - last_z) ** 2)
            off += 0.5 * way * (away + last)
        ended = time
        last_x, last_y, last_z, last = at_x, height, at_z, away
    if ended < began:
        return math.inf, began, ended
    taken, drawn = max(SHORTEST, links.seconds[link]), max(SHORTEST, ended - began)
    pace = max(taken, drawn) / min(taken, drawn) - 1.0
    return links.cost[link] + costs.off * off + costs.pace * pace, began, ended


@kernel
def _key(node: int, x: int, z: int, yaw: int) -> int:
    return int(((np.int64(node) << 14 | np.int64(x + 8192)) << 14 | np.int64(z + 8192)) << 14 | np.int64(yaw))


@kernel
def _cell(costs: Costs, width: float, x: float, z: float, yaw: float) -> tuple[int, int, int, int]:
    """Return the cell of a ground pose, `width` tolerances wide, and the number of cells of a full turn."""
    turns = math.ceil(TURN / (width * costs.turn))
    part = yaw / TURN - math.floor(yaw / TURN)
    size = width * costs.place
    return math.floor(x / size), math.floor(z / size), math.floor(part * turns) % turns, turns


@kernel
def _is_beyond(side: int, time: float, cut: float) -> bool:
    return time > cut if side == 0 else time < cut


@kernel
def _estimate(costs: Costs, goals: FloatArray, side: int, x: float, z: float) -> float:
    """Return the inflated bound in seconds of the cost to the other end; `goals` [2, 2] are end and start."""
    return costs.inflation * costs.rate * math.sqrt((x - goals[side, 0]) ** 2 + (z - goals[side, 1]) ** 2)


@kernel
def _merge(trees: Trees, costs: Costs, side: int, number: int, best: float, pair: IntArray) -> float:
    """Let paths merge at a state; return the cost of the best motion after that, whose states are put into `pair`."""
    trees.merges[side, number] = True
    other = 1 - side
    node = trees.node[side, number]
    x, z, yaw = trees.pose[side, number]
    i, j, k, turns = _cell(costs, 0.5, x, z, yaw)
    key = _key(node, i, j, k)
    slot = find_slot(trees.merge_keys[side], key)
    trees.after[side, number] = trees.merge_slots[side, slot] if trees.merge_keys[side, slot] != -1 else -1
    trees.merge_keys[side, slot], trees.merge_slots[side, slot] = key, number
    for a in range(i - 2, i + 3):
        for b in range(j - 2, j + 3):
            for c in range(k - 2, k + 3):
                slot = find_slot(trees.merge_keys[other], _key(node, a, b, c % turns))
                there = trees.merge_slots[other, slot] if trees.merge_keys[other, slot] != -1 else -1
                while there >= 0:
                    total = trees.cost[side, number] + trees.cost[other, there]
                    if total < best:
                        total += _gap_cost(costs, trees.pose[other, there], x, z, yaw)
                    if total < best:
                        best = total
                        pair[side], pair[other] = number, there
                    there = trees.after[other, there]
    return best


@kernel
def _gap_cost(costs: Costs, pose: FloatArray, x: float, z: float, yaw: float) -> float:
    """Return the cost in seconds of merging two poses; infinite if they are too far apart."""
    gap_x, gap_z, turn = pose[0] - x, pose[1] - z, pose[2] - yaw
    turn = abs(turn - TURN * math.floor(turn / TURN + 0.5))
    if abs(gap_x) >= costs.place or abs(gap_z) >= costs.place or turn >= costs.turn:
        return math.inf
    return float(costs.gap * (math.sqrt(gap_x * gap_x + gap_z * gap_z) + turn))


@kernel
def _enter(trees: Trees, costs: Costs, side: int, node: int, pose: tuple[float, float, float], cost: float) -> int:
    """Return the number of a new state; -1 if one with the same key is as cheap."""
    i, j, k, _ = _cell(costs, costs.cell, pose[0], pose[1], pose[2])
    key = _key(node, i, j, k)
    slot = find_slot(trees.keys[side], key)
    if trees.keys[side, slot] != -1 and trees.cost[side, trees.slots[side, slot]] <= cost:
        return -1
    number = trees.counts[side, COUNT]
    trees.counts[side, COUNT] += 1
    if trees.keys[side, slot] != -1:
        trees.status[side, trees.slots[side, slot]] = CLOSED
    trees.keys[side, slot], trees.slots[side, slot] = key, number
    trees.node[side, number], trees.cost[side, number] = node, cost
    trees.pose[side, number, 0], trees.pose[side, number, 1], trees.pose[side, number, 2] = pose
    return int(number)


@kernel
def _push(trees: Trees, costs: Costs, goals: FloatArray, side: int, number: int) -> None:
    estimate = _estimate(costs, goals, side, trees.pose[side, number, 0], trees.pose[side, number, 1])
    trees.status[side, number] = OPEN
    trees.counts[side, SIZE] = heap_push(
        trees.heap_keys[side],
        trees.heap_items[side],
        trees.counts[side, SIZE],
        trees.cost[side, number] + estimate,
        number,
    )


@kernel
def _next(trees: Trees, side: int, cut: float, best: float) -> int:
    """Return the next state to expand, taken from the heap; -1 if the tree cannot grow on its side of the cut."""
    while trees.counts[side, SIZE] > 0 and trees.heap_keys[side, 0] < best:
        number = trees.heap_items[side, 0]
        trees.counts[side, SIZE] = heap_pop(trees.heap_keys[side], trees.heap_items[side], trees.counts[side, SIZE])
        if trees.status[side, number] != OPEN:
            continue
        if not _is_beyond(side, trees.time[side, number], cut):
            return int(number)
        trees.status[side, number] = PARKED
    return -1


@kernel
def _open_middle(trees: Trees, side: int, cut: float, best: float) -> float:
    """Return the median time of the states of a tree that may still be expanded."""
    times = np.empty(trees.counts[side, SIZE])
    count = 0
    for entry in range(trees.counts[side, SIZE]):
        number = trees.heap_items[side, entry]
        expected = trees.status[side, number] == OPEN and trees.heap_keys[side, entry] < best
        if expected and not _is_beyond(side, trees.time[side, number], cut):
            times[count] = trees.time[side, number]
            count += 1
    return float(np.median(times[:count])) if count > 0 else cut


@kernel
def _cross(trees: Trees, costs: Costs, side: int, number: int, best: float, pair: IntArray) -> float:
    """Let paths merge at a state beyond the cut and at its parent before it; return the cost of the best motion."""
    if not trees.merges[side, number]:
        best = _merge(trees, costs, side, number, best, pair)
    parent = trees.parent[side, number]
    if parent >= 0 and not trees.merges[side, parent]:
        best = _merge(trees, costs, side, parent, best, pair)
    return best


@kernel
def _search(
    links: Links,
    first: IntArray,
    back: IntArray,
    order: IntArray,
    sheet: Sheet,
    costs: Costs,
    start: Ends,
    end: Ends,
    trees: Trees,
    kind: int,
) -> tuple[float, int, int, int, bool]:
    """Grow `trees`; return the least cost, the states at which its halves merge, the moves of the cut, and whether
    memory ran out. Links of a node are first[node] to first[node + 1], and those to it the same of `back` in `order`.
    """
    pair = np.full(2, NO_MEETING, np.int64)
    best, moves, full = math.inf, 0, False
    cut = math.inf if kind == 0 else 0.5 * sheet.duration
    goals = np.empty((2, 2))
    goals[0], goals[1] = end.pose[0, :2], start.pose[0, :2]
    is_end = np.zeros((2, len(first)), np.bool_)
    for side in range(2):
        ends = start if side == 0 else end
        for root in range(len(ends.node)):
            is_end[side, ends.node[root]] = True
            x, z, yaw = ends.pose[root]
            number = _enter(trees, costs, side, ends.node[root], (x, z, yaw), 0.0)
            if number >= 0:
                best = _merge(trees, costs, side, number, best, pair)
                trees.time[side, number] = 0.0 if side == 0 else sheet.duration
                if side == 0 or kind > 0:
                    _push(trees, costs, goals, side, number)
    done = np.array([False, kind == 0])
    fixed = kind != 2
    while not (done[0] and done[1]):
        for side in range(2):
            if done[side]:
                continue
            number = _next(trees, side, cut, best)
            if number < 0:
                done[side] = True
                continue
            trees.counts[side, EXPANDED] += 1
            trees.status[side, number] = CLOSED
            node = trees.node[side, number]
            x, z, yaw = trees.pose[side, number]
            begin, stop = (first[node], first[node + 1]) if side == 0 else (back[node], back[node + 1])
            if trees.counts[side, COUNT] + stop - begin > trees.node.shape[1]:
                return best, pair[0], pair[1], moves, True
            if trees.counts[side, SIZE] + stop - begin > trees.heap_keys.shape[1]:
                return best, pair[0], pair[1], moves, True
            for place in range(begin, stop):
                link = place if side == 0 else order[place]
                way = links.course[link, links.course.shape[1] - 1]
                # A link to a state begins where its own way, turned, ends there.
                from_yaw = yaw if side == 0 else yaw - way[2]
                sine, cosine = math.sin(from_yaw), math.cos(from_yaw)
                move_x, move_z = cosine * way[0] + sine * way[1], cosine * way[1] - sine * way[0]
                from_x, from_z = (x, z) if side == 0 else (x - move_x, z - move_z)
                cost, began, ended = link_cost(links, sheet, costs, link, from_x, from_z, from_yaw)
                cost += trees.cost[side, number]
                pose = (x + move_x, z + move_z, yaw + way[2]) if side == 0 else (from_x, from_z, from_yaw)
                if cost + _estimate(costs, goals, side, pose[0], pose[1]) >= best:
                    continue
                there = links.target[link] if side == 0 else links.source[link]
                new = _enter(trees, costs, side, there, pose, cost)
                if new < 0:
                    continue
                trees.parent[side, new], trees.link[side, new] = number, link
                trees.time[side, new] = ended if side == 0 else began
                if is_end[1 - side, there]:
                    best = _merge(trees, costs, side, new, best, pair)
                if _is_beyond(side, trees.time[side, new], cut):
                    trees.status[side, new] = PARKED
                    best = _cross(trees, costs, side, new, best, pair)
                else:
                    _push(trees, costs, goals, side, new)
        if fixed or done[0] == done[1]:
            continue
        # One tree can grow no further: move the cut into the half of the other.
        halted = 0 if done[0] else 1
        middle = _open_middle(trees, 1 - halted, cut, best)
        if abs(middle - cut) < LEAST_SHIFT or moves >= MOST_MOVES:
            fixed = True
            continue
        cut = middle
        moves += 1
        for side in range(2):
            for number in range(trees.counts[side, COUNT]):
                beyond = _is_beyond(side, trees.time[side, number], cut)
                if beyond:
                    parent = trees.parent[side, number]
                    if parent >= 0 and not _is_beyond(side, trees.time[side, parent], cut):
                        best = _cross(trees, costs, side, number, best, pair)
                elif trees.status[side, number] == PARKED:
                    if trees.counts[side, SIZE] >= trees.heap_keys.shape[1]:
                        return best, pair[0], pair[1], moves, True
                    _push(trees, costs, goals, side, number)
        done[halted] = False
    return best, pair[0], pair[1], moves, full
