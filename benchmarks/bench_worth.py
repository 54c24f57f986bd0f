"""Worth of the walks of large.zip: controllers trained without the least valuable half, and on the best tenth.

    python benchmarks/prove_large.py --keep large.field      # builds the field
    python benchmarks/bench_worth.py --field large.field [--takes 100] [--rounds 2] [--ranks ranks.json]
    python benchmarks/bench_worth.py --quick

The takes are the plain walks of the field: descriptions in manifest.json with only words about walking and turning.
`--takes` draws that many of them at random. Shapley values of the takes come from tables with 20 transitions at each
state instead of 100; `--ranks` stores them, and later runs reuse them. Then controllers for the direction task are
trained with the usual settings: on all walks, the most valuable half and tenth, and on a random half and tenth. Each is
measured on about 1,030 changes of direction over 4 seeds. Ratios are to the data of all walks for every row.

Bounds: without the least valuable half, the response is at most 3 % longer and misses no gate that all walks meet; the
best tenth reaches 95 % of the agility, the inverse of the response. `--quick` uses six generated clips, without bounds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench_scale import run_trials
from common import DATA, Bounds, control_field, make_parser, sample_clips
from crowd_sets import is_plain_walk
from motionfields.base.arrays import BoolArray, IntArray
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database.takes import original_clip, takes_of
from motionfields.field.pruning import kept_states
from motionfields.measure.evaluation import Figures, SourceFigures, measure_source, measure_trials, missed_gates
from motionfields.measure.survey import TakeTables
from motionfields.measure.survey.worth import shapley_values

QUICK = ("walk_forward", "walk_fast", "walk_stop", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_180_quick")
TABLE_NEIGHBORS = 20
MOST_SLOWER, LEAST_AGILITY = 0.03, 0.95


def walks_of(field: MotionField, most: int | None) -> MotionField:
    """Return the field of the plain walks of `field`, or of `most` of them drawn at random."""
    listed = json.loads((DATA / "manifest.json").read_text())
    plain = {Path(one["file"]).stem for one in listed if is_plain_walk(one["description"])}
    take_of, names = takes_of(field.database), take_names(field)
    walks = [take for take, name in enumerate(names) if name in plain]
    drawn = np.random.default_rng(3).permutation(walks)[:most]
    return MotionField(kept_states(field.database, np.isin(take_of, drawn)))


def take_names(field: MotionField) -> list[str]:
    """Return the names of the takes of `field`, [take]."""
    take_of, names = takes_of(field.database), dict[int, str]()
    for clip, first in enumerate(field.database.clip_starts[:-1].tolist()):
        names.setdefault(int(take_of[first]), original_clip(field.database, clip)[0])
    return [names[take] for take in range(len(names))]


def ranked(field: MotionField, ranks: Path | None, *, rounds: int, quick: bool) -> IntArray:
    """Return the takes [take] of `field`, the most valuable first, from the file `ranks` if it exists."""
    names = take_names(field)
    if ranks is not None and ranks.exists():
        known = json.loads(ranks.read_text())
        if sorted(known) != sorted(names):
            raise SystemExit(
                f"{ranks}: expected the worth of these {len(names)} takes, got that of {len(known)} others"
            )
        return np.argsort([-known[name] for name in names], kind="stable")
    began = time.process_time()
    tables = TakeTables.of(field, settings=ControlSettings(neighbor_count=10 if quick else TABLE_NEIGHBORS))
    print(f"tables of all takes: {time.process_time() - began:.0f} s of processor time", flush=True)
    measured = 0

    def worth(kept: BoolArray) -> float:
        nonlocal measured
        measured += 1
        if measured % 20 == 0:
            print(f"  {measured} sets of takes, {time.process_time() - began:.0f} s", flush=True)
        return tables.worth(tables.performance(kept))

    values, _ = shapley_values(worth, len(names), rounds=rounds)
    order = np.argsort(-values, kind="stable")
    print(f"worth: {measured} sets of takes measured, {time.process_time() - began:.0f} s of processor time in all")
    for size in share_sizes(len(names)):
        held = 100.0 * values[order[:size]].sum() / values.sum()
        print(f"  the {size} most valuable takes hold {held:.0f} % of the worth")
    print(
        "  most valuable: " + ", ".join(f"{names[one]} {100 * values[one] / values.sum():.1f} %" for one in order[:8])
    )
    if ranks is not None:
        ranks.write_text(json.dumps(dict(zip(names, values.tolist(), strict=True)), indent=1) + "\n")
    return order


def share_sizes(count: int) -> tuple[int, int]:
    """Return how many takes the larger half and a tenth of `count` takes are."""
    return count - count // 2, max(1, round(0.1 * count))


def measure(label: str, field: MotionField, bar: SourceFigures, spacing: float, *, quick: bool) -> Figures:
    """Train on `field` and print one row; ratios are to `bar` and to the `spacing` of the data of all walks."""
    settings = ControlSettings(neighbor_count=20) if quick else ControlSettings()
    began = time.process_time()
    controller = train(field, Direction(), settings=settings)
    seconds = time.process_time() - began
    source = measure_source(field)._replace(
        jerk=bar.jerk, turning_jerk=bar.turning_jerk, skate=bar.skate, feet=bar.feet
    )
    same = measure_trials(field, source, run_trials(controller, quick=quick))
    same = same._replace(distance=same.distance * field.spacing.p95 / spacing)
    print(
        f"{label:14} {field.database.state_count:7} {same.mean:6.3f} +-{same.error:6.3f} {same.p95:5.2f} "
        f"{100 * same.failures:5.1f} | {same.jerk:5.2f} {same.turning_jerk:5.2f} {same.skate:5.2f} "
        f"{same.joint_speed:5.2f} {same.distance:5.2f} | {same.speed:4.2f} {seconds:6.0f}",
        flush=True,
    )
    for fault in missed_gates(same):
        print(f"    gate missed: {fault}")
    return same


def compare(field: MotionField, order: IntArray, bounds: Bounds, *, quick: bool) -> None:
    """Print the figures of all takes, of the most valuable ones and of random ones, and require the bounds."""
    take_of, bar = takes_of(field.database), measure_source(field)
    half, tenth = share_sizes(len(order))
    drawn = np.random.default_rng(7).permutation(len(order))
    sets = {
        "all": order,
        "best half": order[:half],
        "random half": drawn[:half],
        "best tenth": order[:tenth],
        "random tenth": drawn[:tenth],
    }
    print("               states  response      p95 fail% |  jerk  turn skate speed  dist |  m/s  CPU s", flush=True)
    found = {}
    for label, takes in sets.items():
        kept = np.isin(take_of, takes)
        part = field if kept.all() else MotionField(kept_states(field.database, kept))
        found[label] = measure(label, part, bar, field.spacing.p95, quick=quick)
    slower = found["best half"].mean / found["all"].mean - 1.0
    agility = found["all"].mean / found["best tenth"].mean
    print(f"without the least valuable half: response {100 * slower:+.1f} %")
    print(f"the best tenth, {tenth} of {len(order)} takes: {100 * agility:.0f} % of the agility of all")
    if quick:
        return
    new = {fault.split(" ")[0] for fault in missed_gates(found["best half"])}
    new -= {fault.split(" ")[0] for fault in missed_gates(found["all"])}
    bounds.require(slower <= MOST_SLOWER, f"the best half responds {100 * slower:.1f} % slower, at most 3 %")
    bounds.require(not new, f"the best half misses {', '.join(sorted(new))}, which all walks meet")
    bounds.require(agility >= LEAST_AGILITY, f"the best tenth reaches {100 * agility:.0f} %, at least 95 %")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark; see the module docstring."""
    parser = make_parser(__doc__, quick="six generated clips, without bounds")
    parser.add_argument("--field", type=Path, help="the field of large.zip")
    parser.add_argument("--takes", type=int, help="use only this many walks, drawn at random; default: all")
    parser.add_argument("--rounds", type=int, default=2, help="random orders of the takes; default: 2")
    parser.add_argument("--ranks", type=Path, help="store the worth of the takes here, or reuse it")
    options = parser.parse_args(arguments)
    if options.field is None and not options.quick:
        parser.error("--field: expected a field file, or --quick")
    field = (
        control_field(sample_clips(QUICK))
        if options.quick
        else walks_of(MotionField.load(options.field), options.takes)
    )
    print(f"{len(take_names(field))} takes, {field.database.state_count} states", flush=True)
    order = ranked(field, options.ranks, rounds=options.rounds, quick=options.quick)
    bounds = Bounds()
    compare(field, order, bounds, quick=options.quick)
    raise SystemExit(bounds.exit_code())


if __name__ == "__main__":
    main()
