"""Tables of chapter 6 of Lo's thesis with our motion, for `bench_trees.py --thesis`.

Worlds are those of the thesis: discs that stand, and nothing that moves. Scores are discounted returns (100 for the
goal, -200 for a collision, -1 for each second) of characters in the model that trees are learnt with, without foot
locking, in worlds on which nothing was tuned. The part `decisions` runs displayed, foot-locked characters instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from motionfields.authoring.worlds import DepthPilot, Futures, Pilot
from motionfields.authoring.worlds.trees import LearningSettings, SteeringTrees, TreePilot, parse_sense
from motionfields.authoring.worlds.trees.learning import COLLIDED, REACHED, Arena, Model, Walkers, learn_with
from motionfields.authoring.worlds.trees.optimum import Searcher, best_returns
from motionfields.authoring.worlds.trees.scores import score_steering
from motionfields.base.world import DepthScan, World, draw_world
from motionfields.base.world.drawing import LEVELS, SHAPES
from motionfields.control.contract import Controller
from motionfields.measure.evaluation.world_trials import MakePilot, WorldTrials, world_trials

FIRST_SEED = 50_000  # of worlds; settings were chosen on seeds below 2,000, with forests of seed 0
FIRST_FOREST = 100
EXPLICIT = (1, 2, 4, 8)  # obstacles
RESOLUTIONS = ("stripes:4", "stripes:8", "stripes:16", "stripes:32", "stripes:64", "depth:64", "refined:64")
REFINED = "refined:64"
SEPARATE = ("stripes:16", "stripes:64", "depth:64", "refined:64")
SEPARATE_TREES = 3
TRAJECTORIES = (75, 300, 1200)  # of each round of learning, for the distance to the optimum
Draw = Callable[[int], World]


class Size(NamedTuple):
    """Size of the tables."""

    learning: LearningSettings
    forests: int  # learnt for each row; scores are their means
    worlds: int  # of each score
    shown: int  # worlds of displayed characters, for each density
    densities: Sequence[tuple[int, int]] = LEVELS
    explicit: Sequence[int] = EXPLICIT
    resolutions: Sequence[str] = RESOLUTIONS
    trajectories: Sequence[int] = TRAJECTORIES
    nodes: int = 300_000  # of one A* search
    searched: int = 20  # worlds of the slow search with the bound of the thesis


class Row(NamedTuple):
    """Means over the forests of one row."""

    score: float
    spread: float  # half the difference of the best and the worst forest
    reached: float
    collided: float
    learning: float  # CPU seconds


class Bench:
    """Shared parts of the tables: the controller, its futures and its model of motion."""

    def __init__(self, controller: Controller, futures: Futures, size: Size, *, model: Model | None = None) -> None:
        self.controller, self.futures, self.size = controller, futures, size
        self.model = Model(controller, futures) if model is None else model

    def learnt(self, sense: str, draw: Draw, forest: int) -> tuple[SteeringTrees, float]:
        """Return trees and the CPU seconds of learning them."""
        use, begin = parse_sense(sense), time.process_time()
        trees = learn_with(
            self.model,
            use.sensor,
            levels=use.levels,
            draw=draw,
            settings=self.size.learning,
            seed=FIRST_FOREST + forest,
        )
        return trees, time.process_time() - begin

    def tested(self, trees: SteeringTrees, draw: Draw, *, look_ahead: bool = False) -> tuple[float, float, float]:
        """Return the mean score and the shares that reach the goal and collide."""
        worlds = [draw(seed) for seed in range(FIRST_SEED, FIRST_SEED + self.size.worlds)]
        found = score_steering(self.model, trees, worlds, look_ahead=look_ahead, seed=FIRST_SEED)
        return float(found.returns.mean()), float(found.reached.mean()), float(found.collided.mean())

    def row(self, sense: str, draw: Draw) -> Row:
        """Return the means over forests that are learnt and tested in worlds of `draw`."""
        found = []
        for forest in range(self.size.forests):
            trees, seconds = self.learnt(sense, draw, forest)
            found.append((*self.tested(trees, draw), seconds))
        score, reached, collided, seconds = np.mean(found, axis=0).tolist()
        scores = [one[0] for one in found]
        return Row(score, 0.5 * (max(scores) - min(scores)), reached, collided, seconds)

    def rows(self, label: str, senses: Sequence[str], draw: Draw) -> dict[str, Any]:
        """Print and return the row of each of `senses` in worlds of `draw`, which `label` names."""
        figures = {}
        for sense in senses:
            row = self.row(sense, draw)
            figures[f"{label}, {sense}"] = row._asdict()
            score = f"{row.score:6.1f} +- {row.spread:.1f}"
            print(
                f"{label}, {sense:11} {score}, {row.reached:.1%} ({row.collided:.1%} collided), {row.learning:.0f} s",
                flush=True,
            )
        return figures


def discs(counts: tuple[int, int], shapes: Sequence[str] = ("disc",)) -> Draw:
    """Return a function that draws worlds with standing obstacles alone; each world is drawn once."""

    @lru_cache(None)
    def draw(seed: int) -> World:
        return draw_world(seed, counts=counts, shapes=shapes, movers=0)[0]

    return draw


def obstacles(counts: tuple[int, int]) -> str:
    """Return the fewest and most obstacles of a world as words."""
    fewest, most = counts
    return f"{fewest} obstacles" if fewest == most else f"{fewest} to {most} obstacles"


def explicit_table(bench: Bench) -> dict[str, Any]:
    """Figure 6.6: explicit numbers of all obstacles against four stripes of depth."""
    figures: dict[str, Any] = {}
    print("\nexplicit parameters against depth (figure 6.6): score, reached, learning", flush=True)
    for count in bench.size.explicit:
        senses = (f"objects:{count}", f"nearest:{count}", "stripes:4", REFINED)
        figures |= bench.rows(obstacles((count, count)), senses, discs((count, count)))
    return figures


def resolution_table(bench: Bench) -> dict[str, Any]:
    """Figures 6.7, 6.9 and 6.10: fixed resolutions against refinement, at three densities."""
    figures: dict[str, Any] = {}
    print("\nresolutions of depth (figures 6.7, 6.9, 6.10): score, reached, learning", flush=True)
    for counts in bench.size.densities:
        figures |= bench.rows(obstacles(counts), bench.size.resolutions, discs(counts))
    return figures


def decision_table(bench: Bench) -> dict[str, Any]:
    """Figures 6.11a and 6.12: refined trees with and without look-ahead, and futures, on displayed characters."""
    figures: dict[str, Any] = {}
    print("\nlook-ahead and futures (figures 6.11a, 6.12), displayed: score, reached, time of a decision", flush=True)
    for counts in bench.size.densities:
        draw = discs(counts)
        trees, _ = bench.learnt(REFINED, draw, 0)
        for name, make in _makers(bench, trees).items():
            seeds = range(FIRST_SEED, FIRST_SEED + bench.size.shown)
            found = world_trials(bench.controller, make, seeds, draw=_as_drawn(draw))
            every = make(draw(FIRST_SEED), draw(FIRST_SEED).goals).manner.every
            scores = shown_scores(found, bench.model.hold * bench.model.frame_time)
            one = {
                "score": float(scores.mean()),
                "reached": float(found.reached.mean()),
                "collided": float(found.collided.mean()),
                "decision": found.steering * every,
            }
            figures[f"{obstacles(counts)}, {name}"] = one
            print(
                f"{obstacles(counts)}, {name:22} {one['score']:6.1f}, {one['reached']:.0%} "
                f"({one['collided']:.0%} collided), {1e3 * one['decision']:.2f} ms",
                flush=True,
            )
        for look_ahead in (False, True):
            score, reached, collided = bench.tested(trees, draw, look_ahead=look_ahead)
            name = "in the model" + (", look-ahead" if look_ahead else "")
            figures[f"{obstacles(counts)}, {name}"] = {"score": score, "reached": reached, "collided": collided}
            line = f"{name:22} {score:6.1f}, {reached:.0%} ({collided:.0%} collided)"
            print(f"{obstacles(counts)}, {line}", flush=True)
    return figures


def shape_table(bench: Bench) -> dict[str, Any]:
    """Figure 6.11b: trees learnt with one shape of obstacles, tested with the others; 6 to 9 obstacles."""
    figures: dict[str, Any] = {}
    counts = bench.size.densities[len(bench.size.densities) // 2]
    kinds = {**{shape: discs(counts, (shape,)) for shape in SHAPES}, "mixed": discs(counts, SHAPES)}
    print(f"\nshapes (figure 6.11b), {obstacles(counts)}: score when tested with", flush=True)
    print(f"{'learnt with':12} {' '.join(f'{name:>8}' for name in kinds)}", flush=True)
    for name, draw in kinds.items():
        scores = np.zeros((bench.size.forests, len(kinds)))
        for forest in range(bench.size.forests):
            trees, _ = bench.learnt(REFINED, draw, forest)
            scores[forest] = [bench.tested(trees, other)[0] for other in kinds.values()]
        figures[name] = dict(zip(kinds, scores.mean(axis=0).tolist(), strict=True))
        print(f"{name:12} {' '.join(f'{one:8.1f}' for one in scores.mean(axis=0))}", flush=True)
    return figures


def separate_table(bench: Bench) -> dict[str, Any]:
    """Fixed resolutions against refinement with trees for each action, as in the thesis; 6 to 9 obstacles."""
    counts = bench.size.densities[len(bench.size.densities) // 2]
    learning = replace(bench.size.learning, trees=SEPARATE_TREES, separate=True)
    apart = Bench(bench.controller, bench.futures, bench.size._replace(learning=learning), model=bench.model)
    print(f"\n{SEPARATE_TREES} trees for each action: score, reached, learning", flush=True)
    return apart.rows(obstacles(counts), SEPARATE, discs(counts))


def optimum_table(bench: Bench) -> dict[str, Any]:
    """Figures 6.11a and 6.12: scores below the optimum by A*, and the CPU time of characters and decisions."""
    figures: dict[str, Any] = {}
    print("\nbelow the optimum by A* (figures 6.11a, 6.12), in the model: score, time", flush=True)
    own, straight = Searcher(bench.model), Searcher(bench.model, straight=True)
    own.search([discs((1, 1))(0)], _standing(bench, [discs((1, 1))(0)]), most=1)  # compile
    seeds = range(FIRST_SEED, FIRST_SEED + bench.size.worlds)
    for counts in bench.size.densities:
        worlds = [discs(counts)(seed) for seed in seeds]
        searches = (("A*", own, worlds), ("A*, bound of the thesis", straight, worlds[: bench.size.searched]))
        for name, searcher, some in searches:
            figures[f"{obstacles(counts)}, {name}"] = one = _searched(bench, searcher, some)
            print(
                f"{obstacles(counts)}, {name:24} {one['score']:.1f}, at most {one['most']:.1f}, {one['proven']:.1%} of "
                f"{len(some)} proven, {one['nodes']:.0f} nodes (median), {1e3 * one['trajectory']:.1f} ms a character",
                flush=True,
            )
        best = figures[f"{obstacles(counts)}, A*"]["score"]
        for trajectories in bench.size.trajectories:
            figures |= _below(bench, counts, trajectories, best)
    return figures


def _searched(bench: Bench, searcher: Searcher, worlds: Sequence[World]) -> dict[str, float]:
    """Return the score of the best motion that is found in `worlds`, a bound of the best score, and the CPU time."""
    walkers, seconds = _standing(bench, worlds), bench.model.hold * bench.model.frame_time
    begin = time.process_time()
    found = searcher.search(worlds, walkers, most=bench.size.nodes)
    spent = time.process_time() - begin
    return {
        "score": float(best_returns(found.actions, seconds).mean()),
        "most": float(best_returns(found.least, seconds).mean()),
        "proven": float(found.proven.mean()),
        "nodes": float(np.median(found.expanded)),
        "trajectory": spent / len(worlds),
    }


def _below(bench: Bench, counts: tuple[int, int], trajectories: int, best: float) -> dict[str, Any]:
    """Print and return by how much refined trees learnt from `trajectories` in each round score below `best`."""
    figures, draw = {}, discs(counts)
    per_world = bench.size.learning.states / bench.size.learning.worlds
    learning = replace(bench.size.learning, worlds=trajectories, states=round(per_world * trajectories))
    sized = Bench(bench.controller, bench.futures, bench.size._replace(learning=learning), model=bench.model)
    forests = [sized.learnt(REFINED, draw, forest)[0] for forest in range(bench.size.forests)]
    worlds = [draw(seed) for seed in range(FIRST_SEED, FIRST_SEED + bench.size.worlds)]
    for look_ahead in (False, True):
        begin, scores, decisions = time.process_time(), [], 0.0
        for trees in forests:
            found = score_steering(bench.model, trees, worlds, look_ahead=look_ahead, seed=FIRST_SEED)
            scores.append(float(found.returns.mean()))
            decisions += float(found.seconds.sum()) / (bench.model.hold * bench.model.frame_time)
        spent = time.process_time() - begin
        one = {
            "below": best - float(np.mean(scores)),
            "spread": 0.5 * (max(scores) - min(scores)),
            "trajectory": spent / (len(forests) * len(worlds)),
            "decision": spent / decisions,
        }
        name = f"{trajectories} trajectories" + (", look-ahead" if look_ahead else "")
        figures[f"{obstacles(counts)}, {name}"] = one
        print(
            f"{obstacles(counts)}, {name:30} {one['below']:5.1f} +- {one['spread']:.1f} below, "
            f"{1e3 * one['trajectory']:.1f} ms for a character, {1e3 * one['decision']:.2f} ms for a decision",
            flush=True,
        )
    return figures


def _standing(bench: Bench, worlds: Sequence[World]) -> Walkers:
    """Return the characters that `score_steering` tests in `worlds`."""
    arena = Arena(bench.model, worlds, DepthScan(8))
    return arena.begin(np.random.default_rng(FIRST_SEED), anywhere=0.0)


def shown_scores(found: WorldTrials, hold: float, discount: float = 0.97) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the discounted return [world] of displayed characters, as if an action of `hold` seconds cost as much."""
    actions = np.ceil(found.seconds / hold)
    waited = hold * (1.0 - discount**actions) / (1.0 - discount)
    ending = REACHED * found.reached + COLLIDED * found.collided
    return np.asarray(discount ** (actions - 1.0) * ending - waited)


def _makers(bench: Bench, trees: SteeringTrees) -> dict[str, MakePilot]:
    futures, model = bench.futures, bench.model
    return {
        "trees": lambda world, goals: TreePilot(trees, futures, world, goals),
        "trees, look-ahead": lambda world, goals: TreePilot(trees, futures, world, goals, look_ahead=model),
        "futures, depth alone": lambda world, goals: DepthPilot(futures, world, goals),
        "futures, with a map": lambda world, goals: Pilot(futures, world, goals),
    }


def _as_drawn(draw: Draw) -> Callable[[int], tuple[World, int]]:
    return lambda seed: (draw(seed), -1)


TABLES: dict[str, Callable[[Bench], dict[str, Any]]] = {
    "explicit": explicit_table,
    "resolutions": resolution_table,
    "decisions": decision_table,
    "shapes": shape_table,
    "separate": separate_table,
    "optimum": optimum_table,
}
