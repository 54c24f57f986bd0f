"""Measure steering learnt by trees in random worlds: senses and resolutions, beside futures by depth and ORCA.

    python benchmarks/bench_trees.py [--quick] [--sense depth:32 ...] [--worlds N] [--controller FILE --futures FILE]
    python benchmarks/bench_trees.py --thesis [--only resolutions] [--forests 2] [--controller FILE --futures FILE]

Trains a velocity controller on the captured `locomotion` set and `walks_69`, or reads `--controller`. For each sense it
learns trees and steers displayed, foot-locked characters through worlds of `bench_worlds.py`, on seeds on which nothing
was tuned. Senses: depth:N (a scan with all its coarser versions), scan:N (the scan alone), nearest:N (explicit numbers
of the N nearest obstacles), and others that `motionfields trees` names. With `--thesis`, prints the tables of chapter 6
of Lo's thesis instead (`tree_tables.py`). Prints figures; has no bounds.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

from bench_worlds import FIRST_SEED, made_controller, pilots
from common import make_parser, write_json
from motionfields.authoring.worlds import Futures
from motionfields.authoring.worlds.trees import LearningSettings, SteeringTrees, TreePilot, learn_steering, parse_sense
from motionfields.control.contract import Controller
from motionfields.measure.evaluation.world_trials import MakePilot, WorldTrials, world_trials
from tree_tables import TABLES, Bench, Size

SENSES = ("depth:32", "scan:32", "scan:8", "nearest:4")
OTHERS = ("depth alone", "orca")
THESIS = LearningSettings(rounds=4, states=1500, worlds=300, share=1.0)
QUICK = LearningSettings(rounds=1, states=100, worlds=20, trees=2, sweeps=3)


def main() -> None:
    parser = make_parser(__doc__, quick="a few generated characters, one sense")
    parser.add_argument("--sense", action="append", help="sense to learn with; may be repeated")
    parser.add_argument("--worlds", type=int, default=100, help="number of worlds")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of learning")
    parser.add_argument("--states", type=int, default=5000, help="states of each round")
    parser.add_argument("--thesis", action="store_true", help="print the tables of the thesis instead")
    parser.add_argument("--only", choices=tuple(TABLES), help="one table of the thesis")
    parser.add_argument("--forests", type=int, default=2, help="forests learnt for each row of these tables")
    parser.add_argument("--others", action="store_true", help="also run steering by depth and futures, and ORCA")
    parser.add_argument("--controller", type=Path, help="a velocity controller, to save the time of training")
    parser.add_argument("--futures", type=Path, help="futures of that controller, to save the time of making them")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    numba.set_num_threads(1)
    controller = made_controller(options.quick, options.controller)
    futures = Futures.of(controller) if options.futures is None else Futures.load(options.futures)
    if options.thesis:
        write_json(options.json, thesis(controller, futures, options.only, options.forests, quick=options.quick))
        return
    count = 3 if options.quick else options.worlds
    seeds = range(FIRST_SEED, FIRST_SEED + count)
    learning = LearningSettings(rounds=options.rounds, states=options.states)
    figures = {}
    for sense in ("depth:8",) if options.quick else options.sense or SENSES:
        begin = time.process_time()
        use, settings = parse_sense(sense), QUICK if options.quick else learning
        trees = learn_steering(controller, futures, use.sensor, levels=use.levels, settings=settings)
        seconds = time.process_time() - begin
        found = world_trials(controller, tree_pilots(trees, futures), seeds)
        figures[sense] = reported(f"trees, {sense}", found, seconds)
    if options.others:
        makers = pilots(futures)
        for name in OTHERS:
            figures[name] = reported(name, world_trials(controller, makers[name], seeds), 0.0)
    write_json(options.json, figures)


def thesis(
    controller: Controller, futures: Futures, only: str | None, forests: int, *, quick: bool
) -> dict[str, dict[str, Any]]:
    """Print and return the tables of the thesis."""
    size = Size(THESIS, forests, 500, 40)
    if quick:
        size = Size(QUICK, 1, 5, 1, ((1, 2),), (1,), ("stripes:4", "refined:64"), (20,), 2000)
    bench, figures = Bench(controller, futures, size), {}
    for name in TABLES if only is None else (only,):
        begin = time.process_time()
        figures[name] = TABLES[name](bench)
        print(f"{name}: {(time.process_time() - begin) / 60.0:.1f} minutes of CPU time", flush=True)
    return figures


def tree_pilots(trees: SteeringTrees, futures: Futures) -> MakePilot:
    return lambda world, goals: TreePilot(trees, futures, world, goals)


def reported(name: str, found: WorldTrials, seconds: float) -> dict[str, object]:
    """Print one line and return its figures; levels are worlds of 1 to 4, 6 to 9 and 11 to 14 obstacles."""
    levels = [float(np.mean(found.reached[found.level == level])) for level in range(3)]
    figures = {
        "reached": float(found.reached.mean()),
        "collided": float(found.collided.mean()),
        "levels": levels,
        "steering": found.steering,
        "learning": seconds,
    }
    print(
        f"{len(found.reached)} worlds, {name:18} reached {figures['reached']:.1%} "
        f"({', '.join(f'{one:.0%}' for one in levels)}), collided {figures['collided']:.1%}, "
        f"steering {1e6 * found.steering:.0f} us, learning {seconds:.0f} s",
        flush=True,
    )
    return figures


if __name__ == "__main__":
    main()
