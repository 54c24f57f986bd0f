"""How the settings of motion matching were found, and that they are good ones.

    python scripts/tune_matching.py [--only chosen] [--quick] [--json FILE] [--image docs/images/matching_sweep.png]

The sets are those of `bench_response.py`: B is captured motion, C the generated samples, D another person; one setting
has to serve all. Trials are of seeds 500 to 503, which the benchmarks do not use. Parts: `search` begins with the
textbook's numbers and changes what was best so far at random, judging the mean response on all sets and how far gates
are missed; `sweep` changes the weights about those chosen, one by one and all at once, and says how much better any
weights within the gates are on each set; `chosen` measures the chosen settings over all seeds, without and with turning
further than captured, and the textbook's. Exits 1 when the chosen ones miss a gate or are more than 20 % slower than
the best of the sweep. `--quick` runs few trials on few generated clips.
"""

from __future__ import annotations

import argparse
import json
import runpy
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionfields.control.methods.matching import MatchingSettings, train_matching
from motionfields.control.tasks import Direction, Line
from motionfields.field import MotionField
from motionfields.measure.evaluation import (
    GATES,
    Figures,
    SourceFigures,
    direction_trials,
    joined,
    line_trials,
    measure_source,
    measure_trials,
    missed_gates,
)

REPO = Path(__file__).resolve().parents[1]
SEEDS = (500, 501, 502, 503)
PARTS = ("search", "sweep", "chosen")
SETS, LINE_SETS = ("D", "C", "B"), ("C", "B")
REFERENCE = {"B": 0.64, "C": 0.39, "D": 0.64}  # seconds; what responses on each set are weighed by
WORST = 1.2  # times the best mean response of the sweep that the chosen settings may take
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
FREE = {  # what the search changes, and between what
    **dict.fromkeys(WEIGHTS, (0.05, 8.0)),
    "velocity_half_life": (0.03, 0.5),
    "facing_half_life": (0.03, 0.5),
    "smoothing": (0.1, 1.4),
    "change_cost": (0.02, 4.0),
    "tail": (0.05, 1.0),
    "half_life": (0.08, 0.3),
    "root_half_life": (0.1, 0.5),
}
INTERVALS = (1 / 30, 2 / 30, 3 / 30, 4 / 30, 6 / 30)
HORIZONS = ((1 / 3, 2 / 3, 1.0), (0.25, 0.5, 0.75), (0.2, 0.4, 0.6), (0.2, 0.5, 1.0))
PARENTS = 6  # of the best settings so far, of which each try changes one

Data = dict[str, tuple[MotionField, SourceFigures]]


def measure(
    data: Data, name: str, settings: MatchingSettings, *, task: str = "direction", seeds: Sequence[int], count: int
) -> Figures:
    """The figures of matching by `settings` on the set `name`."""
    field, source = data[name]
    controller = train_matching(field, Direction() if task == "direction" else Line(), settings=settings)
    run = direction_trials if task == "direction" else line_trials
    return measure_trials(field, source, joined([run(controller, count=count, seed=seed) for seed in seeds]))


def penalty(figures: Figures) -> float:
    """How far gates are missed, as shares of what they allow; a little before they are."""
    over = [max(0.0, getattr(figures, name) / high - 0.99) for name, (_, high) in GATES.items() if high > 0.0]
    return float(sum(over) + max(0.0, GATES["joint_speed"][0] + 0.005 - figures.joint_speed) + 2.0 * figures.failures)


def judged(figures: dict[str, Figures]) -> float:
    """The lower, the better: mean responses to their references, and what gates are missed by."""
    return float(sum(f.mean / REFERENCE.get(name, 1.0) / 3.0 + 4.0 * penalty(f) for name, f in figures.items()))


def mutated(settings: MatchingSettings, rng: np.random.Generator) -> MatchingSettings:
    """`settings` with about a third of their numbers changed."""
    scale = 0.5 if rng.uniform() < 0.3 else 0.25
    changes: dict[str, Any] = {}
    for name, (low, high) in FREE.items():
        if rng.uniform() < 0.35:
            changes[name] = float(np.clip(max(getattr(settings, name), low) * np.exp(scale * rng.normal()), low, high))
    if rng.uniform() < 0.2:
        changes["interval"] = INTERVALS[rng.integers(len(INTERVALS))]
    if rng.uniform() < 0.2:
        changes["horizons"] = HORIZONS[rng.integers(len(HORIZONS))]
    return replace(settings, **changes)


def around(settings: MatchingSettings, random_count: int, rng: np.random.Generator) -> Iterable[MatchingSettings]:
    """`settings` with single weights changed by 1.6, and with all of them changed by up to 2."""
    for name in WEIGHTS:
        for factor in (1.0 / 1.6, 1.6):
            yield replace(settings, **{name: getattr(settings, name) * factor})
    for _ in range(random_count):
        factors = 2.0 ** rng.uniform(-1.0, 1.0, len(WEIGHTS))
        yield replace(settings, **{n: getattr(settings, n) * f for n, f in zip(WEIGHTS, factors, strict=True)})


def describe(settings: MatchingSettings, base: MatchingSettings) -> str:
    """What of `settings` differs from `base`."""
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


def search(data: Data, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Better and better settings, from the textbook's on."""
    rng = np.random.default_rng(SEEDS[0])
    tried: list[tuple[float, MatchingSettings]] = []
    records = []
    for number in range(options.tries):
        parent = min(int(rng.exponential(2.0)), PARENTS - 1, len(tried) - 1)
        settings = mutated(tried[parent][1], rng) if tried else TEXTBOOK
        figures: dict[str, Figures] = {}
        limit = tried[PARENTS - 1][0] if len(tried) >= PARENTS else np.inf
        for name in data:
            figures[name] = measure(data, name, settings, seeds=SEEDS[:1], count=options.count)
            if judged(figures) > limit:
                break
        score = judged(figures) if len(figures) == len(data) else np.inf
        responses = " ".join(f"{name} {f.mean:.3f}{'*' if missed_gates(f) else ''}" for name, f in figures.items())
        print(f"{number:4} {score:7.3f}  {responses:32} {describe(settings, TEXTBOOK)}", flush=True)
        if np.isfinite(score):
            tried = sorted([*tried, (score, settings)], key=lambda pair: pair[0])[:PARENTS]
            records.append({"settings": asdict(settings), "figures": {n: f._asdict() for n, f in figures.items()}})
    print(f"best: {describe(tried[0][1], TEXTBOOK)}")
    return records


def sweep(data: Data, options: argparse.Namespace) -> list[dict[str, Any]]:
    """The weights about those chosen; what is best within the gates, set by set."""
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
        fine = [(f.mean, place) for place, f in enumerate(found) if not missed_gates(f)]
        best, place = min(fine, default=(np.nan, 0))
        ratio = found[0].mean / best
        settings = MatchingSettings(**records[place]["settings"])
        print(f"{name:5} {found[0].mean:7.3f} {best:22.3f} {ratio:6.2f}   {describe(settings, CHOSEN)}")
        if not ratio <= WORST and not options.quick:
            missed.append(f"sweep on {name}: {ratio:.2f} times the best response within the gates")
    return records


def chosen(data: Data, options: argparse.Namespace) -> list[dict[str, Any]]:
    """The chosen settings and the textbook's over all seeds."""
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
                    missed.extend(f"{task} on {name}: {fault}" for fault in missed_gates(figures))
    return records


def draw(records: Sequence[dict[str, Any]], names: Iterable[str], path: Path) -> None:
    """Mean response against jerk in turns of all that was tried, and what was chosen."""
    from motionfields.measure.analysis.output import checked_path, new_figure, save_figure

    target = checked_path(path)
    shown = list(names)
    figure = new_figure(15.0, 4.6)
    for axes, name in zip(np.ravel(figure.subplots(1, len(shown))), shown, strict=True):
        found = [Figures(**record["figures"][name]) for record in records]
        fine = np.array([not missed_gates(f) for f in found])
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


missed: list[str] = []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few trials on few clips")
    parser.add_argument("--only", transitions=PARTS, help="one part")
    parser.add_argument("--set", transitions=SETS, help="one set")
    parser.add_argument("--fields", type=Path, help="folder with saved fields B_1.field and so on, to build none")
    parser.add_argument("--json", type=Path, help="write all figures there")
    parser.add_argument("--image", type=Path, help="draw the sweep there")
    parser.add_argument("--tries", type=int, default=120, help="settings that the search tries")
    parser.add_argument("--draws", type=int, default=18, help="settings that the sweep draws")
    options = parser.parse_args()
    options.count, options.many, options.seeds = (6, 6, SEEDS[:1]) if options.quick else (24, 66, SEEDS)
    if options.quick:
        options.tries, options.draws = 3, 1
    names = ("quick",) if options.quick else (options.set,) if options.set else SETS
    build = runpy.run_path(str(REPO / "scripts" / "bench_response.py"))["field_of"]
    fields = {n: MotionField.load(options.fields / f"{n}_1.field") if options.fields else build(n) for n in names}
    data = {name: (field, measure_source(field)) for name, field in fields.items()}
    results = {
        part: work(data, options)
        for part, work in zip(PARTS, (search, sweep, chosen), strict=True)
        if options.only in (None, part)
    }
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    if options.image and "sweep" in results:
        draw([*results.get("search", []), *results["sweep"]], data, options.image)
    if missed:
        sys.exit("\n".join(["missed:", *missed]))


if __name__ == "__main__":
    main()
