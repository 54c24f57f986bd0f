"""Measure how standing and walking characters recover from shoves, beside twins that are not pushed.

    python benchmarks/bench_shoves.py [--set 2] [--pushes 48] [--quick] [--json FILE]

The data sets are those of `bench_push.py`; the task is `Velocity`. Each row is one kind of push on the trunk, with
`--pushes` trials spread evenly over all directions. "takes" is the share of the first second that follows sideways and
backward walks, stumbles, staggers and pulled people. Foot speed (95th percentile of the lower foot) and jerk are
multiples of those of unpushed walkers. Exits 1 if a bound is missed. The last line is the cost of a search.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench_push import clips_of
from common import DATA, Bounds, control_field, make_parser, write_json
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.measure.evaluation import Shove, ShoveFigures, shove_figures
from motionfields.measure.evaluation.shoves import measure_shoves, named_in, run_shove

REACTIVE = named_in(
    {
        *(f"69_{take}" for take in (50, 51, 52, 53, 55, 56, 57, 59, 60, 62, 65)),  # sideways and backwards
        *("22_12", "23_12", "104_13", "104_16", "104_17"),  # stumbles and staggers
        *("19_03", "19_04", "19_05", "19_06", "19_07", "21_10"),  # pulled by the arm
    }
)
WALK = 0.9  # m/s
SHOVES = tuple(
    Shove(force, duration, speed)
    for speed in (0.0, WALK)
    for force, duration in ((200.0, 0.1), (300.0, 0.1), (600.0, 0.1), (300.0, 0.6))
)
BATCH = 250
SEED = 7000  # no setting was tuned on this seed
MOST_MOVED = 3.0  # metres
MOST_CROSSED = 0.05
FASTEST_FOOT = 1.3  # times the lower foot of unpushed walkers, 95th percentile
COST_BOUND = 0.3  # milliseconds for a searched character and frame, in a crowd
bounds = Bounds()


def bench_shove(controller: FieldController, shove: Shove, count: int) -> ShoveFigures:
    """Run `count` pushes in batches, each beside its twins and beside unpushed walkers."""
    field, parts, walkers = controller.field, [], []
    for number in range(-(-count // BATCH)):
        size, seed = min(BATCH, count - number * BATCH), SEED + number
        run, twin = (run_shove(controller, shove, size, seed=seed, pushed=pushed) for pushed in (True, False))
        walking = Shove(0.0, shove.duration, WALK)
        walk = twin if shove.speed == WALK else run_shove(controller, walking, size, seed=seed, pushed=False)
        parts.append(measure_shoves(field, shove, run, twin, REACTIVE))
        walkers.append(measure_shoves(field, shove, walk, walk, REACTIVE))
    return shove_figures(parts, walkers)


def report(name: str, shove: Shove, figures: ShoveFigures) -> None:
    print(
        f"{name:>5} {shove.force:4.0f} N {shove.duration:.1f} s at {shove.speed:.1f} m/s: changed "
        f"{100 * figures.changed:3.0f} %, stepped {100 * figures.stepped:3.0f} %, widened "
        f"{100 * figures.widened:3.0f} %, crossed {100 * figures.crossed:4.1f} %, takes {100 * figures.reactive:3.0f} "
        f"%, foot {100 * figures.foot_speed:3.0f} cm/s ({figures.foot_ratio:5.2f}), jerk {figures.jerk_ratio:.2f}, "
        f"moved {figures.moved:.2f} m (at most {figures.furthest:.2f}), recovered {100 * figures.recovered:.0f} % in "
        f"{figures.recovery:.2f} s",
        flush=True,
    )
    label = f"{name}, {shove.force:g} N for {shove.duration:g} s at {shove.speed:g} m/s"
    bounds.require(figures.furthest <= MOST_MOVED, f"{label}: somebody moved {figures.furthest:.2f} m")
    bounds.require(figures.crossed <= MOST_CROSSED, f"{label}: feet crossed in {100 * figures.crossed:.1f} % of frames")
    bounds.require(figures.foot_ratio <= FASTEST_FOOT, f"{label}: feet move at {figures.foot_ratio:.2f} of walking")
    if shove.force > 300.0:
        bounds.require(figures.changed >= 0.9, f"{label}: only {100 * figures.changed:.0f} % changed their clip")
    if shove.speed == 0.0 and shove.duration == 0.1:
        least = {300.0: 0.5, 600.0: 0.9}.get(shove.force, 0.0)
        bounds.require(figures.stepped >= least, f"{label}: only {100 * figures.stepped:.0f} % stepped")


def bench_cost(controller: FieldController, count: int = 100) -> float:
    """Return the milliseconds of processor time that the search of one character takes in one frame of a crowd."""
    crowd: Any = controller.crowd(count, seed=2)
    recovery, spent = crowd._recovery, []
    commands = np.stack([crowd.ground.facing, np.full(count, WALK)], axis=-1)
    decide = recovery.decide

    def timed(*given: Any) -> None:
        # Processor time of this thread, since the search runs on one thread and other programs may share the computer.
        start = time.thread_time()
        decide(*given)
        spent.append(time.thread_time() - start)

    recovery.decide = timed
    for frame in range(60):
        if frame == 20:
            crowd.push(np.arange(count), "Spine1", (300.0, 0.0, 0.0), duration=0.5)
        crowd.step(commands)
    cost = 1e3 * float(np.median(spent[2:])) / count
    print(f"a searched character and frame takes {cost:.3f} ms in a crowd of {count}", flush=True)
    return cost


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, quick="a short run on a few generated clips, without bounds")
    parser.add_argument("--set", choices=("1", "2", "3", "4"), help="data set; default: 2 and 3")
    parser.add_argument("--pushes", type=int, default=48, help="pushes of each kind, default 48")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    results: dict[str, Any] = {}
    for name in ("quick",) if options.quick else (options.set,) if options.set else ("2", "3"):
        if name != "quick" and not DATA.is_dir():
            print(f"set {name}: skipped, there is no {DATA}")
            continue
        controller = train(control_field(clips_of(name)), Velocity())
        for shove in SHOVES[2:3] if options.quick else SHOVES:
            figures = bench_shove(controller, shove, 8 if options.quick else options.pushes)
            report(name, shove, figures)
            results[f"{name} {shove.force:g} N {shove.duration:g} s {shove.speed:g} m/s"] = figures._asdict()
        results[f"{name} cost"] = cost = bench_cost(controller)
        bounds.require(options.quick or cost <= COST_BOUND, f"{name}: a search takes {cost:.2f} ms")
    write_json(options.json, results)
    return 0 if options.quick else bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
