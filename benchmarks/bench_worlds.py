"""Measure steering: characters in random worlds and in crowds, beside other ways to steer.

    python benchmarks/bench_worlds.py [--quick] [--only worlds] [--worlds N] [--depth N] [--rivals N]

Trains a velocity controller on the captured `locomotion` set and `walks_69`, or reads `--controller`. Parts: `futures`
(time, size), `worlds` (8 m to a goal among 1 to 14 standing and 3 moving obstacles, 20 s; with a map, with depth scans
alone, and by other methods), `crowds` (open squares, new goals), `growth` (steering cost per character from 100 to
10,000 characters). Bodies have a radius of 0.25 m; everything is judged
on displayed, foot-locked characters, on seeds on which nothing was tuned. The motion gates of docs/quality.md are
measured on the first 60 characters of each trial. Times are CPU times of one thread. Exits 1 if a bound is missed.
`--quick` runs a few generated characters and has no bounds.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

from common import Bounds, clips_of_set, control_field, make_parser, write_json
from motionfields.authoring.worlds import DepthPilot, Futures, Pilot
from motionfields.authoring.worlds.rivals import RIVALS, RivalPilot
from motionfields.control.contract import Controller, load_controller
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.measure.evaluation.figures import GATES, REQUIRED_GATES, within_gate
from motionfields.measure.evaluation.world_trials import (
    CrowdTrials,
    MakePilot,
    WorldTrials,
    crowd_trials,
    steered_figures,
    steering_costs,
    world_trials,
)
from motionfields.motion.samples import generate_samples

FIRST_SEED = 50_000  # settings were chosen on seeds below 1,000
CROWD_SEED = 50_000
QUICK_CLIPS = re.compile("walk_stop$|turn_left_090_quick")
CROWDS = ((200, 0.25), (200, 0.5), (1000, 0.25))
LEAST_REACHED = {"futures": 0.98, "depth alone": 0.9}  # shares of worlds
MOST_COLLIDED = {"futures": 0.003, "depth alone": 0.005}
MOVED = 60  # characters of a trial whose motion is measured
TOLD = ("jerk", "turning_jerk", "joint_speed", "skate", "distance", "turning_foot_speed", "foot_spin", "replayed")
PARTS = ("futures", "worlds", "crowds", "growth")
GROWTH = (100, 1000, 10_000)  # characters, at 0.25 per square metre
MOST_GROWTH = 1.3  # times the cost per character of the smallest crowd


def main() -> None:
    parser = make_parser(__doc__, quick="a few generated characters, without bounds")
    parser.add_argument("--only", choices=PARTS, help="run one part")
    parser.add_argument("--worlds", type=int, default=1000, help="number of worlds")
    parser.add_argument("--depth", type=int, default=300, help="number of worlds of steering by depth alone")
    parser.add_argument("--rivals", type=int, default=200, help="number of worlds of the other ways to steer")
    parser.add_argument("--seconds", type=float, default=20.0, help="length of the trials of crowds")
    parser.add_argument("--controller", type=Path, help="a velocity controller, to save the time of training")
    parser.add_argument("--futures", type=Path, help="futures of that controller, to save the time of making them")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    numba.set_num_threads(1)
    bounds = Bounds()
    controller = made_controller(options.quick, options.controller)
    parts = PARTS if options.only is None else (options.only,)
    figures: dict[str, Any] = {}
    if options.futures is not None:
        futures = Futures.load(options.futures)
        futures.check_controller(controller)
    else:
        futures = measure_futures(controller, figures, bounds, judged=not options.quick)
    makers = pilots(futures)
    if "worlds" in parts:
        names = ("futures", "depth alone", "orca") if options.quick else tuple(makers)
        counts = {"futures": options.worlds, "depth alone": options.depth}
        for name in names:
            count = 3 if options.quick else counts.get(name, options.rivals)
            if count:
                measure_worlds(controller, name, makers[name], count, figures, bounds, judged=not options.quick)
    if "crowds" in parts:
        for count, density in ((20, 0.25),) if options.quick else CROWDS:
            for name in ("futures", "orca"):
                seconds = 3.0 if options.quick else options.seconds
                measure_crowd(controller, name, makers[name], count, density, seconds, figures)
        if not options.quick:
            judge_crowds(figures, bounds)
    if "growth" in parts:
        measure_growth(controller, makers["futures"], figures, bounds, quick=options.quick)
    write_json(options.json, figures)
    sys.exit(bounds.exit_code())


def made_controller(quick: bool, path: Path | None) -> Controller:
    if path is not None:
        return load_controller(path)
    clips = [one.clip for one in generate_samples(only=QUICK_CLIPS)] if quick else clips_of_set("B")
    return train(control_field(clips), Velocity(), tolerance=0.2) if quick else train(control_field(clips), Velocity())


def pilots(futures: Futures) -> dict[str, MakePilot]:
    """Return what makes a pilot for each way to steer, by name."""

    def rival(name: Any) -> MakePilot:
        return lambda world, goals: RivalPilot(name, futures, world, goals)

    return {
        "futures": lambda world, goals: Pilot(futures, world, goals),
        "depth alone": lambda world, goals: DepthPilot(futures, world, goals),
        "futures, movers seen": lambda world, goals: Pilot(futures, world, goals, plans="seen"),
        "futures, no map": lambda world, goals: Pilot(futures, world, goals, plans="seen", maps=False),
        **{name: rival(name) for name in RIVALS},
    }


def measure_futures(controller: Controller, figures: dict[str, Any], bounds: Bounds, *, judged: bool) -> Futures:
    begin = time.process_time()
    futures = Futures.of(controller)
    seconds = time.process_time() - begin
    with tempfile.TemporaryDirectory() as folder:
        futures.save(Path(folder) / "walker.futures")
        size = (Path(folder) / "walker.futures").stat().st_size / 1e6
    figures["futures"] = {"states": futures.state_count, "seconds": seconds, "megabytes": size}
    print(f"futures of {futures.state_count} states: {seconds:.0f} s with compiling, {size:.1f} MB", flush=True)
    if judged:
        bounds.require(size <= 25.0, f"futures take {size:.1f} MB, at most 25 expected")
    return futures


def measure_worlds(
    controller: Controller,
    name: str,
    make: MakePilot,
    count: int,
    figures: dict[str, Any],
    bounds: Bounds,
    *,
    judged: bool,
) -> None:
    parts = [
        world_trials(controller, make, range(FIRST_SEED + first, FIRST_SEED + min(first + 250, count)), keep=first == 0)
        for first in range(0, count, 250)
    ]
    reached, collided = (np.concatenate([getattr(part, key) for part in parts]) for key in ("reached", "collided"))
    seconds, length = (np.concatenate([getattr(part, key) for part in parts]) for key in ("seconds", "length"))
    found: dict[str, Any] = {
        "worlds": count,
        "reached": float(reached.mean()),
        "collided": float(collided.mean()),
        "late": float((~reached & ~collided).mean()),
        "seconds": float(np.median(seconds[reached])) if reached.any() else float("nan"),
        "length": float(length[reached].mean()) if reached.any() else float("nan"),
        "clearance": float(_joined(parts, "clearance")[reached].mean()) if reached.any() else float("nan"),
        "steering": float(np.mean([part.steering for part in parts])),
        "motion": measure_motion(controller, parts[0]),
    }
    figures.setdefault("worlds", {})[name] = found
    print(
        f"{count} worlds, {name:20} reached {found['reached']:.1%}, collided {found['collided']:.1%}, "
        f"late {found['late']:.1%}, {found['seconds']:.1f} s, {found['length']:.2f} m, "
        f"clearance {found['clearance']:.2f} m, steering {1e6 * found['steering']:.0f} us\n"
        f"    {in_words(found['motion'])}",
        flush=True,
    )
    if judged and name in LEAST_REACHED:
        least, most = LEAST_REACHED[name], MOST_COLLIDED[name]
        bounds.require(
            found["reached"] >= least, f"{name}: reached {found['reached']:.1%}, at least {least:.0%} expected"
        )
        bounds.require(
            found["collided"] <= most, f"{name}: collided {found['collided']:.2%}, at most {most:.1%} expected"
        )
        judge_motion(found["motion"], name, bounds)


def measure_motion(controller: Controller, kept: WorldTrials | CrowdTrials) -> dict[str, float]:
    """Return the figures of motion that have gates, of the first characters of `kept`."""
    found = steered_figures(controller.field, kept, count=MOVED)
    return {name: getattr(found, name) for name in GATES if name != "failures"}


def in_words(motion: dict[str, float]) -> str:
    missed = [name for name, value in motion.items() if not within_gate(name, value)]
    told = ", ".join(f"{name} {motion[name]:.2f}" for name in TOLD)
    return f"motion: {told}; misses {', '.join(missed) or 'no gate'}"


def judge_motion(motion: dict[str, float], where: str, bounds: Bounds) -> None:
    for name in REQUIRED_GATES:
        if name in motion:
            low, high = GATES[name]
            value = motion[name]
            bounds.require(within_gate(name, value), f"{where}: {name} {value:.3f}, {low:g} to {high:g} expected")


def _joined(parts: list[WorldTrials], name: str) -> Any:
    return np.concatenate([getattr(part, name) for part in parts])


def measure_crowd(
    controller: Controller,
    name: str,
    make: MakePilot,
    count: int,
    density: float,
    seconds: float,
    figures: dict[str, Any],
) -> None:
    found = crowd_trials(controller, make, count, density, seconds=seconds, seed=CROWD_SEED, keep=True)
    kept: dict[str, Any] = {key: value for key, value in found._asdict().items() if isinstance(value, float)}
    kept["motion"] = measure_motion(controller, found)
    figures.setdefault("crowds", {})[f"{count} at {density}, {name}"] = kept
    print(
        f"{count} at {density}/m2, {name:8} {found.contacts:.2f} contacts/min, in contact {found.touching:.2%}, "
        f"{found.speed:.2f} m/s, {found.goals:.1f} goals/min, still {found.stuck:.1f} s, plans off by "
        f"{100 * found.prediction:.1f} cm after 1 s, steering {1e6 * found.steering:.1f} us, "
        f"body {1e6 * found.body:.1f} us\n    {in_words(kept['motion'])}",
        flush=True,
    )


def measure_growth(
    controller: Controller, make: MakePilot, figures: dict[str, Any], bounds: Bounds, *, quick: bool
) -> None:
    counts = (10, 40) if quick else GROWTH
    costs = steering_costs(controller, make, counts, work=400 if quick else 60_000, seed=CROWD_SEED)
    figures["growth"] = dict(zip(map(str, counts), costs.tolist(), strict=True))
    for count, cost in zip(counts, costs, strict=True):
        print(
            f"{count:6} characters: {1e6 * cost:.1f} us each, {cost / costs[0]:.2f} of the smallest crowd", flush=True
        )
    if not quick:
        growth = float(costs[-1] / costs[0])
        bounds.require(growth <= MOST_GROWTH, f"cost per character grows {growth:.2f} times, at most {MOST_GROWTH}")


def judge_crowds(figures: dict[str, Any], bounds: Bounds) -> None:
    crowds = figures["crowds"]
    for (count, density), most in zip(CROWDS, (None, 0.5, 0.1), strict=True):
        own, other = (crowds[f"{count} at {density}, {name}"] for name in ("futures", "orca"))
        where = f"{count} at {density}/m2"
        if most is not None:
            bounds.require(own["contacts"] <= most, f"{where}: {own['contacts']:.2f} contacts, at most {most} expected")
        ratio = own["steering"] / own["body"]
        bounds.require(ratio <= 0.3, f"{where}: steering takes {ratio:.2f} of the body, at most 0.3 expected")
        judge_motion(own["motion"], where, bounds)
        bounds.require(own["stuck"] <= 5.0, f"{where}: someone stood for {own['stuck']:.1f} s, at most 5 expected")
        if count == 1000:
            fewer = other["contacts"] / max(own["contacts"], 1e-9)
            bounds.require(fewer >= 30.0, f"{where}: {fewer:.0f} times fewer contacts than ORCA, 30 expected")
            miss = own["prediction"]
            bounds.require(miss <= 0.02, f"{where}: plans are off by {100 * miss:.1f} cm after 1 s, at most 2 expected")


if __name__ == "__main__":
    main()
