"""Measure cost and benefit of a large database: approximate search, pruning, and agility of its controllers.

    python benchmarks/bench_scale.py --field large.field [--part search] ... [--reach 1.5] ... [--controls]
        [--keep FOLDER]
    python benchmarks/bench_scale.py --quick

`search` times exact search and both faiss indexes in processor seconds, for 60 neighbours of all states (the core of a
field) and 300 (the transitions of training), from a run of 20,000 states; with recall and memory.

`agility` trains controllers for the direction task on the captured `locomotion` set and on the given field: whole,
pruned within each `--reach`, and with the search `ivf`. Each is measured on about 1,030 changes over 4 seeds that no
setting was tuned on, and judged twice: by the data it was trained on, and by the `locomotion` set, which is the same
reference for all. `--controls` adds rows that separate the causes of a gain: more transitions at each state, more
agility.

`lane` trains controllers for the lane task on both, at an agility of 0.1.

With `--keep`, fields and controllers are stored in FOLDER and reused from there. `--quick` runs search and agility on a
few generated clips.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from common import QUICK_CLIPS, clips_of_set, control_field, make_parser, sample_clips, write_json
from motionfields.base.arrays import IntArray
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, Lane, Task
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.neighbors import SEARCHES, FaissIndex, make_index
from motionfields.field.pruning import prune
from motionfields.measure.evaluation import (
    Figures,
    SourceFigures,
    Trials,
    direction_trials,
    joined,
    lane_trials,
    measure_source,
    measure_trials,
    missed_gates,
)

SEEDS = (1000, 1001, 1002, 1003)
PARTS = ("search", "agility", "lane")
MORE_NEIGHBORS, MORE_AGILITY = 250, 0.65
LANE_AGILITY, LANE_TOLERANCE = 0.1, 0.02
NEIGHBOR_COUNTS = (60, 300)
RUN = 20_000  # states used as queries
Result = TypeVar("Result")


class Spent(NamedTuple):
    """Cost of making a controller."""

    seconds: float  # of processor time
    gigabytes: float  # peak memory of the process so far


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of `work` and the seconds of processor time that it took."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def own_memory() -> float:
    """Return the gigabytes of anonymous memory of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 2**20


def bench_search(field: MotionField, results: dict[str, Any]) -> None:
    """Print one row for each search method."""
    states = np.ascontiguousarray(field.database.features)
    middle = max(0, len(states) // 2 - RUN // 2)
    run = states[middle : middle + RUN]
    found = states[field.findable]
    make_index(found[:500]).search(run[:300], 60)  # compile first
    print(f"search: {len(found)} states, {states.shape[1]} dimensions; seconds are for {len(states)} queries")
    print(
        f"{'':6} build s   GB |"
        + "".join(f" {count:>4}: ms/query       s recall effort |" for count in NEIGHBOR_COUNTS)
    )
    for search in SEARCHES:
        before = own_memory()
        index, built = timed(lambda: make_index(found, search))  # noqa: B023
        row: dict[str, Any] = {"build_seconds": built, "gigabytes": own_memory() - before}
        line = f"{search:6} {built:7.1f} {row['gigabytes']:4.2f} |"
        for count in (min(count, len(found)) for count in NEIGHBOR_COUNTS):
            recall, checking = timed(lambda: index.recall(count) if isinstance(index, FaissIndex) else None)  # noqa: B023
            _, seconds = timed(lambda: index.search(run, count))  # noqa: B023
            each, share, effort = seconds / len(run), recall.share if recall else 1.0, recall.effort if recall else 0
            whole = checking + each * len(states)
            row[str(count)] = {"each": each, "whole": whole, "recall": share, "effort": effort}
            line += f" {'':4}  {1000 * each:8.3f} {whole:7.1f} {share:6.4f} {effort:6} |"
        print(line, flush=True)
        results[f"search {search}"] = row


def bench_agility(options: argparse.Namespace, folder: Path, results: dict[str, Any]) -> None:
    """Print one row for each controller, with ratios to both references."""
    reference = made(folder / "reference.field", lambda: locomotion(options.quick))
    bar = measure_source(reference)
    print(
        "agility: seconds to the new heading, then ratios; those after / are to the data of the reference set\n"
        f"{'':20} states   core%  mean   error   p95 fail% |  jerk       turn        skate       speed dist       | "
        "m/s3  cm/s  m/s | clips  CPU s   GB"
    )
    for label, make_field, how in variants(options, reference, folder):
        field = make_field() if how else made(folder / f"{label}.field", make_field)
        controller, spent = trained(folder / f"{label}.ctrl", field, Direction(), **how)
        source = bar if field is reference else measure_source(field)
        trials = run_trials(controller, quick=options.quick)
        own = measure_trials(field, source, trials)
        same = same_bar(own, source, bar, field.spacing.p95 / reference.spacing.p95)
        show(label, field, own, same, source, trials, spent)
        results[label] = {
            "states": field.database.state_count,
            "clips": field.database.clip_count,
            "outside_core": outside_core(field),
            "own": own._asdict(),
            "own_missed": missed_gates(own),
            "same_bar": same._asdict(),
            "same_bar_missed": missed_gates(same),
            "jerk": own.jerk * source.jerk,
            "skate": own.skate * source.skate,
            "source": {"jerk": source.jerk, "turning_jerk": source.turning_jerk, "skate": source.skate},
            "limit": source.limit,
            "followed": most_followed(field, trials, 8),
            "seconds": spent.seconds,
            "gigabytes": spent.gigabytes,
        }


def variants(
    options: argparse.Namespace, reference: MotionField, folder: Path
) -> list[tuple[str, Callable[[], MotionField], dict[str, Any]]]:
    """Return the variants to compare: a name, a function that makes the field, and options of training."""

    def whole() -> MotionField:
        return made(folder / "whole.field", lambda: generated() if options.quick else MotionField.load(options.field))

    def pruned(reach: float) -> MotionField:
        database, report = prune(whole().database, reach=reach)
        print("\n".join(report.lines()), flush=True)
        return MotionField(database)

    def by_faiss() -> MotionField:
        return MotionField(whole().database, search="ivf")

    more: dict[str, Any] = {"settings": ControlSettings(neighbor_count=MORE_NEIGHBORS)}
    controls = [
        (f"reference, {MORE_NEIGHBORS}", lambda: reference, more),
        (f"whole, {MORE_NEIGHBORS}", whole, more),
        (f"whole, agility {MORE_AGILITY}", whole, {"agility": MORE_AGILITY}),
    ]
    return [
        ("reference", lambda: reference, {}),
        ("whole", whole, {}),
        *((f"pruned {reach:g}", lambda reach=reach: pruned(reach), {}) for reach in options.reach),
        ("ivf", by_faiss, {}),
        *(controls if options.controls else []),
    ]


def bench_lane(options: argparse.Namespace, folder: Path, results: dict[str, Any]) -> None:
    """Print one block of figures for each data set."""
    print("lane: a new line and speed each time")
    sets = {"reference": lambda: locomotion(options.quick), "whole": lambda: MotionField.load(options.field)}
    for label, make_field in sets.items():
        field = made(folder / f"{label}.field", make_field)
        path, how = folder / f"{label} lane.ctrl", {"agility": LANE_AGILITY, "tolerance": LANE_TOLERANCE}
        controller, spent = trained(path, field, Lane(), **how)
        parts = [lane_trials(controller, seed=seed) for seed in SEEDS[:2]]
        figures = measure_trials(field, measure_source(field), joined([part.trials for part in parts]))
        reached, off, aside = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("speed_reached", "speed_errors", "distances")
        )
        askew = np.degrees(np.concatenate([part.trials.errors[:, -60:].mean(axis=1) for part in parts]).mean())
        never = float(np.isinf(reached).mean())
        print(
            f"{label}: {field.database.state_count} states, {controller.sweeps} sweeps, {spent.seconds:.0f} s, "
            f"{spent.gigabytes:.1f} GB\n"
            f"    line reached after {figures.mean:.2f} +- {figures.error:.2f} s, p95 {figures.p95:.2f} s, "
            f"not {100 * figures.failures:.1f} % of {figures.trial_count}\n"
            f"    speed reached after {reached[np.isfinite(reached)].mean():.2f} s, never {100 * never:.1f} %; then "
            f"{off.mean():.3f} m/s off, {100 * aside.mean():.1f} cm off the line, {askew:.1f} degrees askew\n"
            f"    jerk {figures.jerk:.2f}, in turns {figures.turning_jerk:.2f}; gates missed: {missed_gates(figures)}",
            flush=True,
        )
        results[f"{label} lane"] = {**figures._asdict(), "never": never, "seconds": spent.seconds}


def locomotion(quick: bool) -> MotionField:
    """Return the field of the captured `locomotion` set, or of three generated clips."""
    return control_field(sample_clips(QUICK_CLIPS[:3]) if quick else clips_of_set("A"))


def generated() -> MotionField:
    """Return the field of five generated clips."""
    return control_field(sample_clips((*QUICK_CLIPS, "walk_fast")))


def made(path: Path, make: Callable[[], MotionField]) -> MotionField:
    """Load the field in the file `path`, making and writing it first if the file does not exist."""
    if not path.exists():
        make().save(path)
    return MotionField.load(path)


def trained(path: Path, field: MotionField, task: Task, **how: Any) -> tuple[FieldController, Spent]:
    """Load the controller in the file `path`, training and writing it first if the file does not exist."""
    note = path.with_suffix(".json")
    if not path.exists():
        controller, seconds = timed(lambda: train(field, task, **how))
        controller.save(path)
        spent = Spent(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
        note.write_text(json.dumps(spent._asdict()))
    return FieldController.load(path), Spent(**json.loads(note.read_text()))


def run_trials(controller: FieldController, *, quick: bool) -> Trials:
    """Run at least 1,000 changes of 5 degrees or more; far fewer if `quick`."""
    seeds, count, changes = (SEEDS[:1], 12, 2) if quick else (SEEDS, 66, 4)
    return joined([direction_trials(controller, count=count, change_count=changes, seed=seed) for seed in seeds])


def same_bar(own: Figures, source: SourceFigures, bar: SourceFigures, spacing_ratio: float) -> Figures:
    """Return `own` with its ratios taken to `bar` instead of `source`.

    `spacing_ratio` is the 95th percentile of the spacing of the controller's own data over that of the reference.
    """
    return own._replace(
        jerk=own.jerk * source.jerk / bar.jerk,
        turning_jerk=own.turning_jerk * source.turning_jerk / bar.turning_jerk,
        skate=own.skate * source.skate / bar.skate,
        distance=own.distance * spacing_ratio,
    )


def outside_core(field: MotionField) -> float:
    """Return the share of states outside the strongly connected core."""
    return float(1.0 - field.connectivity.core.mean())


def most_followed(field: MotionField, trials: Trials, count: int) -> dict[str, float]:
    """Return the clips that characters spend most time in, with the share of the time."""
    frames = followed(field, trials)
    best = np.argsort(-frames, kind="stable")[:count].tolist()
    return {field.database.clip_names[clip]: float(frames[clip] / frames.sum()) for clip in best}


def followed(field: MotionField, trials: Trials) -> IntArray:
    """Return the number of frames [clip] that the characters of `trials` spend in each clip."""
    rows = np.concatenate(trials.states)
    return np.bincount(field.database.clip_of[rows], minlength=field.database.clip_count)


def show(
    label: str, field: MotionField, own: Figures, same: Figures, source: SourceFigures, trials: Trials, spent: Spent
) -> None:
    """Print one row of the table, and the missed gates."""
    shares = np.sort(followed(field, trials))[::-1]
    half = int(np.searchsorted(np.cumsum(shares), 0.5 * shares.sum())) + 1
    pairs = [f"{a:5.2f}/{b:5.2f}" for a, b in ((own.jerk, same.jerk), (own.turning_jerk, same.turning_jerk))]
    print(
        f"{label:20} {field.database.state_count:6} {100 * (1 - outside_core(field)):7.2f} {own.mean:5.3f} "
        f"+-{own.error:5.3f} {own.p95:5.2f} {100 * own.failures:5.1f} | {pairs[0]} {pairs[1]} {own.skate:5.2f}/"
        f"{same.skate:5.2f} {own.joint_speed:5.3f} {own.distance:4.2f}/{same.distance:4.2f} | "
        f"{own.jerk * source.jerk:5.1f} {100 * own.skate * source.skate:5.2f} {own.speed:4.2f} | "
        f"{half:5} {spent.seconds:6.0f} {spent.gigabytes:4.1f}",
        flush=True,
    )
    for kind, figures in (("own data", own), ("reference", same)):
        for fault in missed_gates(figures):
            print(f"    gate missed, by {kind}: {fault}")
    names = ", ".join(f"{name} {100 * share:.0f} %" for name, share in most_followed(field, trials, 4).items())
    print(f"    followed most: {names}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark; see the module docstring."""
    parser = make_parser(__doc__, quick="few trials on few generated clips, for CI")
    parser.add_argument("--field", type=Path, help="the large field, made with --standing")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part")
    parser.add_argument("--reach", type=float, action="append", help="prune within this many times the spacing")
    parser.add_argument("--controls", action="store_true", help="what the gain is due to")
    parser.add_argument("--keep", type=Path, help="a folder for fields and controllers")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args(arguments)
    if options.field is None and not options.quick:
        parser.error("--field: expected a field file, or --quick")
    options.reach = options.reach or [1.0, 1.5]
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for part in options.part or PARTS[: 2 if options.quick else 3]:
            if part == "search":
                bench_search(generated() if options.quick else MotionField.load(options.field), results)
            elif part == "agility":
                bench_agility(options, folder, results)
            else:
                bench_lane(options, folder, results)
    write_json(options.json, results)


if __name__ == "__main__":
    main()
