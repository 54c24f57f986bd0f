"""Searches along a stroke in plain Python: the twin of the compiled ones."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from motionfields.authoring.plan.frames import Ends, Sheet, Weights
from motionfields.authoring.plan.frames.cutting import LEAST_SHIFT, SHORTEST
from motionfields.authoring.plan.frames.linking import Links
from motionfields.authoring.plan.frames.sheets import CELL
from motionfields.authoring.plan.steps import composed, relative
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import wrap_angle


def plain_cost(links: Links, sheet: Sheet, weights: Weights, link: int, pose: FloatArray) -> tuple[float, float, float]:
    """Cost of a link from a ground pose by equations 3.1 to 3.3, and the times of the stroke at both ends."""
    course = links.course[link]
    ground = composed(np.broadcast_to(pose, (len(course), 3)), course[:, :3])
    places = np.stack([ground[:, 0], course[:, 3], ground[:, 1]], axis=1)
    cells = np.floor((places @ sheet.axes.T - sheet.corner) / CELL + 0.5).astype(int)
    if (cells < 0).any() or (cells >= sheet.distance.shape).any():
        return math.inf, 0.0, 0.0
    away, times = (image[cells[:, 0], cells[:, 1]].astype(float) for image in (sheet.distance, sheet.time))
    if times[-1] < times[0]:
        return math.inf, times[0], times[-1]
    off = (np.linalg.norm(np.diff(places, axis=0), axis=1) * (away[1:] + away[:-1]) / 2.0).sum()
    taken, drawn = max(SHORTEST, links.seconds[link]), max(SHORTEST, times[-1] - times[0])
    pace = max(taken, drawn) / min(taken, drawn) - 1.0
    return float(links.cost[link] + weights.off * off + weights.pace * pace), times[0], times[-1]


@dataclass(eq=False)
class State:
    node: int
    pose: FloatArray
    time: float
    cost: float
    key: float
    parent: State | None
    merges: bool = False
    parked: bool = False
    current: bool = True  # no cheaper state has the same cell


@dataclass
class Tree:
    heap: list[tuple[float, int, State]] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    best: dict[tuple[int, ...], State] = field(default_factory=dict)
    merging: dict[int, list[State]] = field(default_factory=lambda: defaultdict(list))
    expanded: int = 0


class PlainSearch:
    def __init__(
        self, links: Links, sheet: Sheet, start: Ends, end: Ends, kind: str, inflation: float, weights: Weights
    ) -> None:
        self.links, self.sheet, self.weights, self.kind = links, sheet, weights, kind
        self.goals = end.pose[0, :2], start.pose[0, :2]
        length = np.linalg.norm(links.course[:, -1, :2], axis=1)
        self.rate = inflation * (links.cost / np.maximum(length, 1e-6)).min()
        self.trees, self.best, self.moves = (Tree(), Tree()), math.inf, 0
        self.cut = math.inf if kind == "one" else 0.5 * sheet.duration
        self.ends = [set(ends.node.tolist()) for ends in (start, end)]
        for side, ends in enumerate((start, end)):
            for node, pose in zip(ends.node.tolist(), ends.pose, strict=True):
                state = self.enter(side, node, pose, 0.0 if side == 0 else sheet.duration, 0.0, None)
                if state is not None:
                    self.merge(side, state)
                    if side == 0 or kind != "one":
                        self.push(side, state)

    def beyond(self, side: int, state: State) -> bool:
        return state.time > self.cut if side == 0 else state.time < self.cut

    def enter(
        self, side: int, node: int, pose: FloatArray, time: float, cost: float, parent: State | None
    ) -> State | None:
        size, turns = (
            self.weights.cell * self.weights.place,
            math.ceil(2 * math.pi / (self.weights.cell * self.weights.turn)),
        )
        heading = math.floor(pose[2] / (2 * math.pi) % 1.0 * turns) % turns
        cell = (node, math.floor(pose[0] / size), math.floor(pose[1] / size), heading)
        tree = self.trees[side]
        if cell in tree.best and tree.best[cell].cost <= cost:
            return None
        if cell in tree.best:
            tree.best[cell].current = False
        key = cost + self.rate * math.dist(pose[:2], self.goals[side])
        tree.best[cell] = State(node, pose, time, cost, key, parent)
        tree.states.append(tree.best[cell])
        return tree.best[cell]

    def push(self, side: int, state: State) -> None:
        state.parked = False
        heapq.heappush(self.trees[side].heap, (state.key, self.trees[side].states.index(state), state))

    def merge(self, side: int, state: State | None) -> None:
        if state is None or state.merges:
            return
        state.merges = True
        self.trees[side].merging[state.node].append(state)
        for other in self.trees[1 - side].merging[state.node]:
            gap = other.pose - state.pose
            turn = abs(float(wrap_angle(gap[2])))
            if np.abs(gap[:2]).max() < self.weights.place and turn < self.weights.turn:
                total = state.cost + other.cost + self.weights.gap * (math.hypot(*gap[:2]) + turn)
                self.best = min(self.best, total)

    def next(self, side: int) -> State | None:
        heap = self.trees[side].heap
        while heap and heap[0][0] < self.best:
            state = heapq.heappop(heap)[2]
            if not state.current:
                continue
            if not self.beyond(side, state):
                return state
            state.parked = True
        return None

    def expand(self, side: int, state: State) -> None:
        self.trees[side].expanded += 1
        links = self.links
        for link in np.flatnonzero((links.source if side == 0 else links.target) == state.node).tolist():
            way = links.course[link, -1, :3]
            begin = state.pose if side == 0 else composed(state.pose, relative(way, np.zeros(3)))
            cost, began, ended = plain_cost(links, self.sheet, self.weights, link, begin)
            pose = composed(begin, way) if side == 0 else begin
            cost += state.cost
            if cost + self.rate * math.dist(pose[:2], self.goals[side]) >= self.best:
                continue
            there = int((links.target if side == 0 else links.source)[link])
            new = self.enter(side, there, pose, ended if side == 0 else began, cost, state)
            if new is None:
                continue
            if there in self.ends[1 - side]:
                self.merge(side, new)
            if self.beyond(side, new):
                new.parked = True
                self.merge(side, new)
                self.merge(side, state)
            else:
                self.push(side, new)

    def run(self) -> None:
        done, fixed = [False, self.kind == "one"], self.kind != "moving"
        while not all(done):
            for side in (0, 1):
                if not done[side]:
                    state = self.next(side)
                    done[side] = state is None
                    if state is not None:
                        self.expand(side, state)
            if not fixed and done[0] != done[1]:
                halted = 0 if done[0] else 1
                fixed = not self.move_cut(halted)
                done[halted] = fixed

    def move_cut(self, halted: int) -> bool:
        grows = 1 - halted
        times = [
            state.time
            for key, _, state in self.trees[grows].heap
            if state.current and key < self.best and not self.beyond(grows, state)
        ]
        middle = median(times) if times else self.cut
        if abs(middle - self.cut) < LEAST_SHIFT:
            return False
        self.cut, self.moves = middle, self.moves + 1
        for side in (0, 1):
            for state in self.trees[side].states:
                if self.beyond(side, state):
                    if state.parent is not None and not self.beyond(side, state.parent):
                        self.merge(side, state)
                        self.merge(side, state.parent)
                elif state.parked and state.current:
                    self.push(side, state)
        return True
