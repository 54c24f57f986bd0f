"""The search of Arikan and Forsyth (2002) on the objective of `motionfields.authoring.compose`, to compare.

Clips are nodes and cuts are edges. The edges between two clips are clustered by their frames, and each cluster is split
in two again and again down to single edges. A path is a start and a row of edges. The search starts with random paths
of the coarsest edges and improves them by two mutations: a part of the path is replaced by one or two coarsest edges,
or two edges are replaced by their children. New random paths come in every round. It can be stopped at any time.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from scipy.cluster.vq import kmeans2

from motionfields.authoring.compose.cuts import COST_UNIT, Cuts
from motionfields.authoring.compose.solving import StateCosts
from motionfields.base.arrays import IntArray

GROUP = 64  # edges of a coarsest cluster on average
POOL = 20  # paths
SEEDS = 3  # new random paths in each round
TRIES = 60  # mutations of each kind that are scored for a path in a round
SHORT = 20 * COST_UNIT  # cost of each frame that a path is too short


class Edge(NamedTuple):
    """A cluster of cuts, represented by the one nearest to its middle."""

    leaves: IntArray  # [n], state that the cut replaces, int64
    enters: IntArray  # [n], state that it shows
    middle: int  # index of the representative


class Path(NamedTuple):
    """A start state, edges in order, and the cost in units."""

    start: int
    edges: tuple[Edge, ...]
    cost: int


class MutationSearch:
    """The hierarchy of the cuts of one database, and the search for one timeline after another."""

    def __init__(self, cuts: Cuts, frames_left: IntArray, clip_of: IntArray, *, stay: int) -> None:
        self.cuts, self.left, self.clip_of, self.stay = cuts, frames_left, clip_of, stay
        leaves = np.repeat(np.arange(len(frames_left)), np.diff(cuts.first))
        enters = cuts.targets.astype(np.int64)
        pair = clip_of[leaves].astype(np.int64) * (int(clip_of.max()) + 1) + clip_of[enters]
        order = np.argsort(pair, kind="stable")
        edges = np.flatnonzero(np.diff(pair[order])) + 1
        self.between: dict[tuple[int, int], list[Edge]] = {}
        self.out: dict[int, list[Edge]] = {}
        for group in np.split(order, edges):
            found = _clustered(leaves[group], enters[group], max(1, len(group) // GROUP))
            key = int(clip_of[leaves[group[0]]]), int(clip_of[enters[group[0]]])
            self.between[key] = found
            self.out.setdefault(key[0], []).extend(found)

    def run(self, costs: StateCosts, *, seconds: tuple[float, ...], seed: int = 0) -> list[tuple[int, int]]:
        """Return the cost in units and the rounds done after each of `seconds` of processor time."""
        rng = np.random.default_rng(seed)
        begin, rounds, found = time.process_time(), 0, []
        pool = [self._seed(costs, rng) for _ in range(POOL)]
        for end in seconds:
            while time.process_time() - begin < end:
                better = [self._improved(costs, path, rng) for path in pool]
                better += [self._seed(costs, rng) for _ in range(SEEDS)]
                # Paths that are equal count once, so that the pool does not become copies of one.
                pool = sorted({path.cost: path for path in better}.values(), key=lambda path: path.cost)[:POOL]
                rounds += 1
            found.append((min(path.cost for path in pool), rounds))
        return found

    def states(self, start: int, edges: tuple[Edge, ...], frame_count: int) -> IntArray | None:
        """Return the states [frame] of a path, up to `frame_count`; None if its edges do not follow each other."""
        pieces, at, count = [], start, 0
        for edge in edges:
            leaves, enters = int(edge.leaves[edge.middle]), int(edge.enters[edge.middle])
            long = leaves - at
            if long < self.stay or self.left[at] < long or count + long >= frame_count:
                return None
            pieces.append(np.arange(at, leaves))
            at, count = enters, count + long
        pieces.append(at + np.arange(min(frame_count - count, int(self.left[at]) + 1)))
        return np.concatenate(pieces)

    def _scored(self, costs: StateCosts, start: int, edges: tuple[Edge, ...]) -> Path | None:
        path = self.states(start, edges, costs.frame_count)
        if path is None:
            return None
        count = len(path)
        shown = int(costs.parts[costs.part_of[:count], path].sum(dtype=np.int64))
        jumps = sum(self.cuts.cost(int(edge.leaves[edge.middle]), int(edge.enters[edge.middle])) for edge in edges)
        return Path(start, edges, shown + jumps + SHORT * (costs.frame_count - count))

    def _seed(self, costs: StateCosts, rng: np.random.Generator) -> Path:
        """Return a random path of coarsest edges; it may be too short if a clip has no way out."""
        start = at = int(rng.choice(np.flatnonzero(self.left >= self.stay)))
        edges: list[Edge] = []
        count = 0
        while count + int(self.left[at]) + 1 < costs.frame_count:
            able = [edge for edge in self.out.get(int(self.clip_of[at]), ()) if self._follows(at, edge)]
            if not able:
                break
            edge = able[rng.integers(len(able))]
            count += int(edge.leaves[edge.middle]) - at
            if count >= costs.frame_count:
                break
            edges.append(edge)
            at = int(edge.enters[edge.middle])
        found = self._scored(costs, start, tuple(edges))
        assert found is not None
        return found

    def _follows(self, at: int, edge: Edge) -> bool:
        """Return whether the representative of `edge` can be taken after entering its clip at the state `at`."""
        return int(edge.leaves[edge.middle]) - at >= self.stay

    def _improved(self, costs: StateCosts, path: Path, rng: np.random.Generator) -> Path:
        """Return the best of `path` and its mutations."""
        best = path
        for edges in (*self._replaced(path, rng), *self._demoted(path, rng)):
            found = self._scored(costs, path.start, edges)
            if found is not None and found.cost < best.cost:
                best = found
        return best

    def _replaced(self, path: Path, rng: np.random.Generator) -> list[tuple[Edge, ...]]:
        """Return paths in which a random part is replaced by one or two coarsest edges, or the end by one."""
        found = []
        for _ in range(TRIES):
            first = int(rng.integers(len(path.edges) + 1))
            last = first + int(rng.integers(4))
            at = path.start if first == 0 else int(path.edges[first - 1].enters[path.edges[first - 1].middle])
            ways = [edge for edge in self.out.get(int(self.clip_of[at]), ()) if self._follows(at, edge)]
            if not ways:
                continue
            hop = ways[rng.integers(len(ways))]
            if last >= len(path.edges):
                found.append((*path.edges[:first], hop))
                continue
            rest = path.edges[last:]
            entered = int(hop.enters[hop.middle])
            target = int(self.clip_of[int(rest[0].leaves[rest[0].middle]) - 1])
            if self.clip_of[entered] == target:
                found.append((*path.edges[:first], hop, *rest))
            seconds = self.between.get((int(self.clip_of[entered]), target), [])
            if seconds:
                found.append((*path.edges[:first], hop, seconds[rng.integers(len(seconds))], *rest))
        return found

    def _demoted(self, path: Path, rng: np.random.Generator) -> list[tuple[Edge, ...]]:
        """Return paths in which two random edges are replaced by their children."""
        found = []
        for _ in range(TRIES // 4 if path.edges else 0):
            one, other = (int(rng.integers(len(path.edges))) for _ in range(2))
            for child in _children(path.edges[one]):
                for second in _children(path.edges[other]):
                    edges = list(path.edges)
                    edges[one] = child
                    edges[other] = second
                    found.append(tuple(edges))
        return found


def _edge(leaves: IntArray, enters: IntArray) -> Edge:
    points = np.stack([leaves, enters], axis=1).astype(np.float64)
    return Edge(leaves, enters, int(((points - points.mean(axis=0)) ** 2).sum(axis=1).argmin()))


def _clustered(leaves: IntArray, enters: IntArray, count: int) -> list[Edge]:
    """Return `count` clusters of cuts by their frames, or fewer if some stay empty."""
    if count == 1:
        return [_edge(leaves, enters)]
    points = np.stack([leaves, enters], axis=1).astype(np.float64)
    group = kmeans2(points, points[np.linspace(0, len(points) - 1, count).astype(int)], minit="matrix", iter=8)[1]
    return [_edge(leaves[group == one], enters[group == one]) for one in np.unique(group)]


def _children(edge: Edge) -> list[Edge]:
    """Return the two halves of a cluster along its longer axis, or the edge itself if it is a single cut."""
    if len(edge.leaves) == 1:
        return [edge]
    points = np.stack([edge.leaves, edge.enters], axis=1).astype(np.float64)
    centred = points - points.mean(axis=0)
    axis = np.linalg.eigh(centred.T @ centred)[1][:, -1]
    order = np.argsort(centred @ axis, kind="stable")
    half = len(order) // 2
    return [_edge(edge.leaves[part], edge.enters[part]) for part in (order[:half], order[half:])]
