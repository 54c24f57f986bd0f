"""Show that the settings of the clip graph are good ones: what each does when it is changed, one at a time.

    python scripts/sweep_graph.py [--set D] [--count 33]

The sets are those of `bench_response.py`: B is captured motion, C the generated samples, D another person; one setting
has to serve all. Trials are of directions, of seed 500, which the benchmarks do not use. Prints the mean response of
each setting and which gates it misses, and last, for each set, the chosen settings beside the fastest that keep all
gates on all sets.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from dataclasses import replace
from pathlib import Path

import numba

from motionfields.control.methods import GraphSettings, train_graph
from motionfields.control.tasks import Direction
from motionfields.field import MotionField
from motionfields.measure.evaluation import (
    Figures,
    SourceFigures,
    direction_trials,
    measure_source,
    measure_trials,
    missed_gates,
)

SETS = ("B", "C", "D")
SEED = 500
CHOSEN = GraphSettings()
CHANGES = {
    "jump_cost": (1.2, 2.0),
    "turn_cost": (4.0, 6.5),
    "rough_cost": (0.3, 0.5),
    "stretch_cost": (0.3, 3.0),
    "half_life": (0.16, 0.21),
    "root_half_life": (0.2, 0.4),
}


def measure(field: MotionField, source: SourceFigures, settings: GraphSettings, count: int) -> Figures:
    """The figures of a graph with `settings` on `field`, whose data is as `source` says."""
    controller = train_graph(field, Direction(), settings=settings, tolerance=1e-2)
    return measure_trials(field, source, direction_trials(controller, count=count, seed=SEED))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", transitions=SETS, action="append", help="only this set of data")
    parser.add_argument("--count", type=int, default=33, help="characters, each with four changes")
    options = parser.parse_args()
    numba.set_num_threads(1)  # crowds this small gain nothing from more
    field_of = runpy.run_path(str(Path(__file__).with_name("bench_response.py")))["field_of"]
    fields: dict[str, MotionField] = {name: field_of(name) for name in options.set or SETS}
    sources = {name: measure_source(field) for name, field in fields.items()}
    tried = {"chosen": CHOSEN} | {
        f"{name} {value:g}": replace(CHOSEN, **{name: value})  # type: ignore[arg-type]
        for name, values in CHANGES.items()
        for value in values
    }
    means: dict[str, dict[str, float]] = {}
    for label, settings in tried.items():
        found = {name: measure(field, sources[name], settings, options.count) for name, field in fields.items()}
        faults = [f"{name}: {fault}" for name, figures in found.items() for fault in missed_gates(figures)]
        times = "  ".join(f"{name} {f.mean:.3f} (jerk in turns {f.turning_jerk:.2f})" for name, f in found.items())
        print(f"{label:20} {times}  {'; '.join(faults) or 'all gates kept'}", flush=True)
        if not faults:
            means[label] = {name: figures.mean for name, figures in found.items()}
    for name in fields:
        best = min(means, key=lambda label: means[label][name], default=None)
        if best is not None and "chosen" in means:
            mine, least = means["chosen"][name], means[best][name]
            print(f"{name}: chosen {mine:.3f} s, best {least:.3f} s ({best}), ratio {mine / least:.2f}")
    return 0 if "chosen" in means else 1


if __name__ == "__main__":
    sys.exit(main())
