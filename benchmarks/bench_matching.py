"""Measure the settings of motion matching: the defaults against the textbook's, and a sweep of the weights.

    python benchmarks/bench_matching.py [--only chosen] [--quick] [--json FILE] [--image docs/images/matching_sweep.png]

The data sets are those of `common.clips_of_set`: B is captured motion, C the generated samples, D another person; one
setting is used for all three. Trials use seeds 500 to 503, which no other benchmark uses. `sweep` changes the weights
around the defaults, one by one and all at once, and reports for each data set how much faster the best weights within
the gates respond. `chosen` measures the default settings over all seeds, without and with warped root motion, and the
textbook's settings. Exits 1 if the defaults miss a gate or respond more than 20 % slower than the best of the sweep.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from common import Bounds, clips_of_set, control_field, make_parser, write_json
from motionfields.control.methods.matching import MatchingSettings, train_matching
from motionfields.control.tasks import Direction, Line
from motionfields.field import MotionField
from motionfields.measure.evaluation import (
    GATES,
    REQUIRED_GATES,
    Figures,
    SourceFigures,
    direction_trials,
    joined,
    line_trials,
    measure_source,
    measure_trials,
    missed_gates,
)

SEEDS = (500, 501, 502, 503)
PARTS = ("sweep", "chosen")
SETS, LINE_SETS = ("D", "C", "B"), ("C", "B")
WORST = 1.2  # largest mean response of the chosen settings, as a multiple of the best in the sweep
CHOSEN = MatchingSettings()
TEXTBOOK = replace(  # Holden's reference implementation
    CHOSEN,
    foot_position=0.75,
    foot_velocity=1.0,
    hip_velocity=1.0,
    hip_turning=0.0,
    trajectory_position=1.0,
    trajectory_direction=1.5,
    velocity_half_life=0.27,
    facing_half_life=0.27,
    change_cost=0.0,
    half_life=0.1,
    root_half_life=0.1,
)
WEIGHTS = (
    "foot_position",
    "foot_velocity",
    "hip_velocity",
    "hip_turning",
    "trajectory_position",
    "trajectory_direction",
)
bounds = Bounds()

Data = dict[str, tuple[MotionField, SourceFigures]]


def measure(
    data: Data, name: str, settings: MatchingSettings, *, task: str = "direction", seeds: Sequence[int], count: int
) -> Figures:
    """Return the figures of motion matching with `settings` on the data set `name`."""
    field, source = data[name]
    controller = train_matching(field, Direction() if task == "direction" else Line(), settings=settings)
    run = direction_trials if task == "direction" else line_trials
    return measure_trials(field, source, joined([run(controller, count=count, seed=seed) for seed in seeds]))


def around(settings: MatchingSettings, random_count: int, rng: np.random.Generator) -> Iterable[MatchingSettings]:
    """Yield `settings` with single weights changed by a factor of 1.6, then with all changed by factors up to 2."""
    for name in WEIGHTS:
        for factor in (1.0 / 1.6, 1.6):
            yield replace(settings, **{name: getattr(settings, name) * factor})
    for _ in range(random_count):
        factors = 2.0 ** rng.uniform(-1.0, 1.0, len(WEIGHTS))
        yield replace(settings, **{n: getattr(settings, n) * f for n, f in zip(WEIGHTS, factors, strict=True)})


def describe(settings: MatchingSettings, base: MatchingSettings) -> str:
    """Return the settings that differ from `base`, as text."""
    mine, other = asdict(settings), asdict(base)
    changed = ((name, value) for name, value in mine.items() if value != other[name])
    shown = [f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}" for name, value in changed]
    return ", ".join(shown) or "as they are"


def row(label: str, figures: Figures) -> str:
    faults = "; ".join(missed_gates(figures))
    return (
        f"{label:24} {figures.mean:6.3f} +-{figures.error:.3f} {figures.p95:5.2f} {figures.settled:5.2f} "
        f"{100 * figures.failures:5.1f} | {figures.jerk:5.2f} {figures.turning_jerk:5.2f} {figures.joint_speed:5.3f} "
        f"{figures.skate:5.2f} {figures.distance:5.2f} | {np.degrees(figures.turning_p99):4.0f}"
        f"{'  MISSED: ' + faults if faults else ''}"
    )


HEADER = f"{'':24}   mean   error   p95 settled fail% |  jerk  turn speed skate  dist | p99 deg/s"


def sweep(data: Data, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Sweep the weights around the chosen ones; print the best within the gates for each data set."""
    rng = np.random.default_rng(SEEDS[1])
    records = []
    for settings in (CHOSEN, *around(CHOSEN, options.draws, rng)):
        print(describe(settings, CHOSEN))
        figures = {}
        for name in data:
            figures[name] = measure(data, name, settings, seeds=SEEDS[1:2], count=options.count)
            print("   ", row(name, figures[name]), flush=True)
        records.append({"settings": asdict(settings), "figures": {n: f._asdict() for n, f in figures.items()}})
    print(f"\n{'set':5} {'chosen':>7} {'best within the gates':>22} {'ratio':>6}")
    for name in data:
        found = [Figures(**record["figures"][name]) for record in records]
        fine = [(f.mean, place) for place, f in enumerate(found) if not missed_gates(f, REQUIRED_GATES)]
        best, place = min(fine, default=(np.nan, 0))
        ratio = found[0].mean / best
        settings = MatchingSettings(**records[place]["settings"])
        print(f"{name:5} {found[0].mean:7.3f} {best:22.3f} {ratio:6.2f}   {describe(settings, CHOSEN)}")
        if not options.quick:
            bounds.require(ratio <= WORST, f"sweep on {name}: {ratio:.2f} times the best response within the gates")
    return records


def chosen(data: Data, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure the chosen, warped and textbook settings over all seeds."""
    records = []
    for task in ("direction", "line"):
        print(f"\n{task}\n{HEADER}")
        for label, settings in (("chosen", CHOSEN), ("warped", CHOSEN.warped()), ("textbook", TEXTBOOK)):
            for name in data:
                if task == "line" and name not in (*LINE_SETS, "quick"):
                    continue
                figures = measure(data, name, settings, task=task, seeds=options.seeds, count=options.many)
                print(row(f"{name} {label}", figures), flush=True)
                records.append({"task": task, "set": name, "label": label, "figures": figures._asdict()})
                if label == "chosen" and not options.quick:
                    bounds.missed.extend(
                        f"{task} on {name}: {fault}" for fault in missed_gates(figures, REQUIRED_GATES)
                    )
    return records


def draw(records: Sequence[dict[str, Any]], names: Iterable[str], path: Path) -> None:
    """Draw mean response against jerk in turns for all settings tried, with the chosen ones marked."""
    from motionfields.measure.analysis.output import checked_path, new_figure, save_figure

    target = checked_path(path)
    shown = list(names)
    figure = new_figure(15.0, 4.6)
    for axes, name in zip(np.ravel(figure.subplots(1, len(shown))), shown, strict=True):
        found = [Figures(**record["figures"][name]) for record in records]
        fine = np.array([not missed_gates(f, REQUIRED_GATES) for f in found])
        across, up = (np.array([getattr(f, what) for f in found]) for what in ("turning_jerk", "mean"))
        for part, color, label in ((fine, "#2f6db3", "within the gates"), (~fine, "#c0c4ca", "misses a gate")):
            axes.scatter(across[part], up[part], s=18, color=color, label=label)
        here = [place for place, record in enumerate(records) if MatchingSettings(**record["settings"]) == CHOSEN]
        axes.scatter(across[here], up[here], s=90, color="#c8502d", marker="*", label="chosen", zorder=3)
        axes.axvline(GATES["turning_jerk"][1], color="#888888", linestyle=":")
        axes.set(title=f"set {name}", xlabel="jerk in turns, of the source's own", ylabel="mean response, s")
        axes.legend(fontsize=8)
    figure.tight_layout()
    save_figure(figure, target, dpi=80.0)


def main() -> int:
    parser = make_parser(__doc__, quick="few trials on few clips")
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--set", choices=SETS, help="one set")
    parser.add_argument("--json", type=Path, help="write all figures there")
    parser.add_argument("--image", type=Path, help="draw the sweep there")
    parser.add_argument("--draws", type=int, default=18, help="settings that the sweep draws")
    options = parser.parse_args()
    options.count, options.many, options.seeds = (6, 6, SEEDS[:1]) if options.quick else (24, 66, SEEDS)
    options.draws = 1 if options.quick else options.draws
    names = ("quick",) if options.quick else (options.set,) if options.set else SETS
    fields = {name: control_field(clips_of_set(name)) for name in names}
    data = {name: (field, measure_source(field)) for name, field in fields.items()}
    results = {
        part: work(data, options)
        for part, work in zip(PARTS, (sweep, chosen), strict=True)
        if options.only in (None, part)
    }
    write_json(options.json, results)
    if options.image and "sweep" in results:
        draw(results["sweep"], data, options.image)
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
