"""Measure planning: time to the first motion, cost beside a long search, bounds, clearance and motion.

    python benchmarks/bench_plan.py [--quick] [--rooms N] [--steps FILE] [--json FILE]

Uses the captured `locomotion` set, or the step graph in `--steps`. Rooms of 10 to 20 m with 4 to 15 obstacles are drawn
from seeds on which nothing was tuned; half of the goals have a facing. Times are CPU seconds of one thread, distance
fields included. Exits 1 if a bound is missed. `--quick` plans a few walks of generated motion.
"""

from __future__ import annotations

import re
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from common import Bounds, clips_of_set, control_field, make_parser, write_json
from motionfields.authoring.plan import Plan, StepGraph, StepSettings, plan
from motionfields.authoring.plan.lattice import CELL
from motionfields.base.errors import PlanError
from motionfields.base.world import Box, Disc, Obstacle, Room, Wall, clearance_grid, way_lengths
from motionfields.field import MotionField
from motionfields.measure.evaluation.composing import SourceTracks, source_tracks
from motionfields.motion import footwork, quality
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples

FIRST_SEED = 1000  # settings were chosen on seeds below 100
QUICK_CLIPS = re.compile("walk_stop$|turn_left_(090|135)_quick")
LONG = 12.0  # CPU seconds of a long search
EASY = 0.45  # metres of clearance at start and goal


class Request(NamedTuple):
    """A room with a start and a goal; facings in radians, None for any."""

    room: Room
    start: tuple[float, float]
    start_facing: float
    goal: tuple[float, float]
    facing: float | None


class Outcome(NamedTuple):
    """Figures of one plan."""

    first: float  # CPU seconds to the first motion
    total: float  # CPU seconds in all
    ratio: float  # cost over proven bound
    cost: float  # seconds
    clearance: float  # metres
    end_offset: float  # metres
    end_turn: float  # radians
    jerk: float  # ratio to the captured frames, like the next two
    joint_speed: float
    lower_foot: float
    skate: float  # m/s


def main() -> None:
    parser = steps_parser(__doc__, quick="a few walks of generated motion")
    parser.add_argument("--rooms", type=int, default=200, help="number of rooms")
    parser.add_argument("--long", type=int, default=20, help="number of rooms that are also searched for long")
    options = parser.parse_args()
    numba.set_num_threads(1)
    bounds = Bounds()
    if options.quick:
        graph = quick_graph()
        requests = [Request(Room((-4.0, -2.0, 4.0, 8.0), (Disc(0.0, 2.5, 0.4),)), (0.0, 0.0), 0.0, (0.5, 5.0), None)]
        figures = measure(graph, requests, 0, bounds)
    else:
        graph = StepGraph.load(options.steps) if options.steps else built(clips_of_set("A"))
        requests = [drawn(seed) for seed in range(FIRST_SEED, FIRST_SEED + options.rooms)]
        figures = measure(graph, requests, options.long, bounds)
        judge(figures, bounds)
    write_json(options.json, figures)
    sys.exit(bounds.exit_code())


def steps_parser(text: str | None, *, quick: str) -> ArgumentParser:
    """Return a parser with the options of all benchmarks on step graphs."""
    parser = make_parser(text, quick=quick)
    parser.add_argument("--steps", type=Path, help="a step graph, to save the time of building it")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser


def quick_graph() -> StepGraph:
    """Return a step graph of a few generated clips."""
    clips = [sample.clip for sample in generate_samples(only=QUICK_CLIPS)]
    return StepGraph.build(control_field(clips))


def built(clips: list[Clip], settings: StepSettings | None = None) -> StepGraph:
    """Return the step graph of `clips`; prints its size and time."""
    begin = time.process_time()
    graph = StepGraph.build(control_field(clips), settings=settings)
    print(f"{graph.step_count} steps, {len(graph.links.source)} links, {time.process_time() - begin:.1f} s")
    return graph


def drawn(seed: int) -> Request:
    """Return a room drawn by `seed` whose goal can be reached, at least 0.6 of its longer side away."""
    rng = np.random.default_rng(seed)
    while True:
        width, depth = rng.uniform(10.0, 20.0, 2).tolist()
        room = Room((0.0, 0.0, width, depth), tuple(obstacle(rng, width, depth) for _ in range(rng.integers(4, 16))))
        places = rng.uniform((1.0, 1.0), (width - 1.0, depth - 1.0), (2, 2))
        if np.linalg.norm(places[0] - places[1]) < 0.6 * max(width, depth) or room.clearance(places).min() < EASY:
            continue
        grid = clearance_grid(room, (places[0, 0], places[0, 1]), yaw=0.0, cell=CELL)
        start, goal = np.round(grid.to_cells(places)).astype(np.int64)
        # A little wider than the body, so that steps fit through where the way is only just wide enough.
        if np.isinf(way_lengths(grid.clearance >= room.radius + 0.05, goal[np.newaxis])[start[0], start[1]]):
            continue
        facing = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.5 else None
        (x0, z0), (x1, z1) = places.tolist()
        return Request(room, (x0, z0), float(rng.uniform(-np.pi, np.pi)), (x1, z1), facing)


def obstacle(rng: np.random.Generator, width: float, depth: float) -> Obstacle:
    x, z = rng.uniform(0.0, width), rng.uniform(0.0, depth)
    kind = rng.integers(3)
    if kind == 0:
        return Box(x, z, rng.uniform(0.4, 3.0), rng.uniform(0.4, 3.0), rng.uniform(-np.pi, np.pi))
    if kind == 1:
        length, yaw = rng.uniform(1.0, 5.0), rng.uniform(-np.pi, np.pi)
        return Wall((x, z), (x + length * np.sin(yaw), z + length * np.cos(yaw)), 0.15)
    return Disc(x, z, rng.uniform(0.2, 1.0))


def solve(graph: StepGraph, one: Request, seconds: float) -> tuple[Plan, float, float]:
    """Return a plan with CPU seconds to its first motion and in all."""
    firsts: list[float] = []
    begin = time.process_time()
    found = plan(
        graph,
        one.goal,
        facing=one.facing,
        start=one.start,
        start_facing=one.start_facing,
        room=one.room,
        within=seconds,
        clock=time.process_time,
        progress=lambda now: firsts.append(time.process_time() - begin) if np.isfinite(now.cost) else None,
    )
    return found, firsts[0], time.process_time() - begin


def measure(graph: StepGraph, requests: list[Request], long: int, bounds: Bounds) -> dict[str, object]:
    field, source = graph.field, source_tracks(graph.field)
    for facing in (None, 0.5):  # compiles
        plan(graph, (0.0, 6.0), facing=facing, most_expansions=20_000)
    outcomes, unsolved, gaps = [], [], []
    for number, one in enumerate(requests):
        try:
            found, first, total = solve(graph, one, 1.0)
        except PlanError as error:
            unsolved.append(number)
            bounds.require(False, f"room {number}: {error}")
            continue
        outcomes.append(outcome(field, found, first, total, source))
        print(f"room {number}: " + ", ".join(f"{k} {v:.3f}" for k, v in outcomes[-1]._asdict().items()), flush=True)
        if number < long:
            gaps.append(found.cost / solve(graph, one, LONG)[0].cost)
    table = np.array(outcomes)
    for name, column in zip(Outcome._fields, table.T, strict=True):
        print(f"{name:12s} min {column.min():.3f} median {np.median(column):.3f} p95 {np.percentile(column, 95):.3f} "
              f"max {column.max():.3f}")  # fmt: skip
    if gaps:
        print(f"cost over that of {LONG:g} s of search: median {np.median(gaps):.3f}, max {max(gaps):.3f}")
    return {"outcomes": [list(one) for one in outcomes], "unsolved": unsolved, "gaps": gaps}


def outcome(field: MotionField, found: Plan, first: float, total: float, source: SourceTracks) -> Outcome:
    clip, rows = found.clip, found.rows
    joints = np.arange(1, clip.skeleton.joint_count)
    lower = np.percentile(footwork.lower_foot_speed(clip, field.stance), 95.0)
    return Outcome(
        first,
        total,
        found.ratio,
        found.cost,
        found.clearance,
        found.end_offset,
        found.end_turn,
        float(quality.jerk(clip).mean() / np.nanmean(source.jerk[rows])),
        float(quality.joint_speed(clip, joints=joints).mean() / np.nanmean(source.joint_speed[rows])),
        float(lower / np.nanpercentile(source.lower_foot[rows], 95.0)),
        quality.foot_skate(clip, field.database.contacts[rows]).mean,
    )


def judge(figures: dict[str, object], bounds: Bounds) -> None:
    """Check what planning must show."""
    table = np.array(figures["outcomes"])
    of = dict(zip(Outcome._fields, table.T, strict=True))
    gaps = np.array(figures["gaps"])
    for name, value, most in (
        ("first motion, p95 of CPU s", np.percentile(of["first"], 95), 0.3),
        ("first motion, largest CPU s", of["first"].max(), 1.0),
        ("cost over that of a long search", gaps.max(initial=1.0), 1.02),
        ("jerk", of["jerk"].mean(), 1.3),
        ("lower foot", of["lower_foot"].mean(), 1.5),
        ("end off in m, p95", np.percentile(of["end_offset"], 95), 0.02),
        ("end turned in radians, p95", np.percentile(of["end_turn"], 95), np.radians(2.0)),
        ("clearance lacking in m", 0.3 - of["clearance"].min(), 0.02),
    ):
        bounds.require(bool(value <= most), f"{name}: {value:.3f}, expected at most {most:.3f}")


if __name__ == "__main__":
    main()
