"""Measure sketching: how near joints come to ten strokes of each kind, and the motion beside its source.

    python benchmarks/bench_sketch.py [--quick] [--only KIND] [--steps FILE] [--strokes N] [--json FILE]

Uses the captured `annotated` set, or the step graph in `--steps`. Strokes are drawn from seeds on which nothing was
tuned: paths over the ground, the same with three pillars on each, of the hips in space, hands that are raised, hands
that pick up, kicks. Exits 1 if a bound is missed. `--quick` follows one path on generated motion.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bench_plan import built, quick_graph, steps_parser
from common import DATA, Bounds, write_json
from motionfields.authoring.plan import StepGraph, StepSettings
from motionfields.authoring.plan.planning import CLEARANCE_SLACK
from motionfields.authoring.sketch import Sketch, Stroke, sketch
from motionfields.base.arrays import FloatArray
from motionfields.base.world import Disc, Room
from motionfields.base.world.rooms import BODY_RADIUS
from motionfields.measure.evaluation.composing import SourceTracks, source_tracks
from motionfields.motion import footwork, quality
from motionfields.motion.formats import load_clips

FIRST_SEED = 500
SETTINGS = StepSettings(branching=14, most_jump=4.0, standing=True)
HIPS = 0.88  # metres: height of the hips of the captured subject in walking
WANTED = {
    "hips": 0.05,
    "ground": 0.05,
    "pillars": 0.05,
    "hand": 0.03,
    "pick": 0.03,
    "kick": 0.03,
}  # metres, mean over strokes
SHOWS = {"kick": ("143_24",), "pick": ("143_10", "143_11", "143_12", "143_13")}  # takes with kicks and pick-ups


class Outcome(NamedTuple):
    """Figures of one sketch."""

    mean: float  # metres from the stroke
    p95: float  # metres
    reached: float  # share of frames within 3 cm
    seconds: float  # CPU seconds of the search and the correction
    jerk: float  # ratio to the captured frames, like the next two
    joint_speed: float
    lower_foot: float
    skate: float  # m/s
    shown: float  # 1 if takes of this kind are shown
    clearance: float  # metres that the root keeps from obstacles


def main() -> None:
    parser = steps_parser(__doc__, quick="one path on generated motion")
    parser.add_argument("--only", choices=KINDS, help="strokes of one kind")
    parser.add_argument("--strokes", type=int, default=10, help="strokes of each kind")
    options = parser.parse_args()
    bounds = Bounds()
    if options.quick:
        graph = quick_graph()
        found = sketch(graph, [Stroke.on_ground(np.array([(0.0, 0.0), (0.3, 2.0)]))], width=50)
        bounds.require(found.fits[0].mean < 0.08, f"path: {found.fits[0].mean:.3f} m, expected at most 0.08")
        sys.exit(bounds.exit_code())
    graph = StepGraph.load(options.steps) if options.steps else built(load_clips(DATA / "annotated"), SETTINGS)
    sketch(graph, [Stroke.on_ground(np.array([(0.0, 0.0), (0.0, 2.0)]))], width=10)  # compiles
    source = source_tracks(graph.field)
    figures = {}
    for name, draw in KINDS.items():
        if options.only not in (None, name):
            continue
        outcomes = [measure(graph, name, draw, FIRST_SEED + number, source) for number in range(options.strokes)]
        table = np.array(outcomes)
        print(f"{name}: " + ", ".join(f"{k} {v:.3f}" for k, v in zip(Outcome._fields, table.mean(axis=0), strict=True)))
        figures[name] = [list(one) for one in outcomes]
        mean = float(table[:, 0].mean())
        bounds.require(mean <= WANTED[name], f"{name}: {mean:.3f} m from the strokes, expected {WANTED[name]}")
        bounds.require(bool(table[:, 4].mean() <= 1.3), f"{name}: jerk {table[:, 4].mean():.2f}, expected at most 1.3")
        bounds.require(bool(table[:, 6].mean() <= 1.5), f"{name}: lower foot {table[:, 6].mean():.2f}, at most 1.5")
        bounds.require(bool(table[:, 8].all()), f"{name}: not found in {int((table[:, 8] == 0).sum())} strokes")
        least = float(table[:, 9].min())
        bounds.require(least >= BODY_RADIUS - CLEARANCE_SLACK, f"{name}: {least:.2f} m from an obstacle")
    write_json(options.json, figures)
    sys.exit(bounds.exit_code())


def wandering(rng: np.random.Generator, count: int) -> FloatArray:
    """Return points [n, 2] of a path with turns of up to 50 degrees every 1.2 m, with rounded corners."""
    yaw = np.cumsum(rng.uniform(-0.87, 0.87, count))
    corners = np.concatenate([np.zeros((1, 2)), np.cumsum(1.2 * np.stack([np.sin(yaw), np.cos(yaw)], axis=1), axis=0)])
    for _ in range(3):  # Chaikin
        first, second = 0.75 * corners[:-1] + 0.25 * corners[1:], 0.25 * corners[:-1] + 0.75 * corners[1:]
        corners = np.concatenate([corners[:1], np.stack([first, second], axis=1).reshape(-1, 2), corners[-1:]])
    return corners


def ground(rng: np.random.Generator) -> Stroke:
    return Stroke.on_ground(wandering(rng, 6))


def hips(rng: np.random.Generator) -> Stroke:
    flat = wandering(rng, 6)
    space = np.stack([flat[:, 0], np.full(len(flat), HIPS), flat[:, 1]], axis=1)
    stroke = Stroke.in_space("Hips", space)
    return stroke.timed(stroke.length / rng.uniform(0.8, 1.3))


def keyed(joint: str, keys: list[tuple[float, ...]], *, timed: bool) -> Stroke:
    table = np.array(keys)
    return Stroke.in_space(joint, table[:, 1:], table[:, 0] if timed else None)


def hand(rng: np.random.Generator) -> Stroke:
    """Return a stroke of a hand that is carried for 2 m, raised and lowered."""
    high, ahead = rng.uniform(1.0, 1.4), rng.uniform(0.1, 0.4)
    wait = rng.uniform(0.5, 1.5)
    keys = [(0.0, 0.0, 0.8, 0.0), (2.2, 0.0, 0.8, 2.0), (3.2, 0.0, high, 2.0 + ahead)]
    return keyed("RightHand", [*keys, (3.2 + wait, 0.0, high, 2.0 + ahead)], timed=True)


def pick(rng: np.random.Generator) -> Stroke:
    """Return a stroke of a hand that picks something up from the ground after 2 m."""
    low, ahead = rng.uniform(0.25, 0.45), rng.uniform(0.2, 0.4)
    keys = [(0.0, 0.0, 0.8, 0.0), (2.2, 0.0, 0.8, 2.0), (3.4, 0.0, low, 2.0 + ahead), (4.0, 0.0, low, 2.0 + ahead)]
    return keyed("RightHand", [*keys, (5.2, 0.0, 0.85, 2.0 + ahead)], timed=True)


def kick(rng: np.random.Generator) -> Stroke:
    """Return a stroke of a foot that is raised ahead and put back, at any speed."""
    high, ahead = rng.uniform(0.65, 0.85), rng.uniform(0.7, 0.9)
    points = [(0.0, 0.09, 0.0), (0.0, 0.5 * high, 0.5 * ahead), (0.0, high, ahead)]
    return keyed("RightFoot", [(0.0, *point) for point in [*points, *points[-2::-1]]], timed=False)


def room_on(path: Stroke) -> Room:
    """Return a room with three pillars on `path`."""
    places = path.points[np.linspace(0.0, len(path.points) - 1.0, 5).round().astype(int)[1:-1], ::2]
    x0, z0 = path.points[:, ::2].min(axis=0) - 3.0
    x1, z1 = path.points[:, ::2].max(axis=0) + 3.0
    return Room((x0, z0, x1, z1), tuple(Disc(x, z, 0.3) for x, z in places.tolist()))


KINDS: dict[str, Callable[[np.random.Generator], Stroke]] = {
    "ground": ground,
    "pillars": ground,
    "hips": hips,
    "hand": hand,
    "pick": pick,
    "kick": kick,
}


def measure(
    graph: StepGraph, name: str, draw: Callable[[np.random.Generator], Stroke], seed: int, source: SourceTracks
) -> Outcome:
    begin = time.process_time()
    stroke = draw(np.random.default_rng(seed))
    found = sketch(graph, [stroke], room=room_on(stroke) if name == "pillars" else None)
    out = outcome(graph, name, found, time.process_time() - begin, source)
    print(f"  {name} {seed}: " + ", ".join(f"{k} {v:.3f}" for k, v in out._asdict().items()), flush=True)
    return out


def outcome(graph: StepGraph, name: str, found: Sketch, seconds: float, source: SourceTracks) -> Outcome:
    clip, rows, database = found.clip, found.rows, graph.field.database
    joints = np.arange(1, clip.skeleton.joint_count)
    lower = np.percentile(footwork.lower_foot_speed(clip, graph.field.stance), 95.0)
    takes = {database.clip_names[database.clip_of[row]].removesuffix(".mirror") for row in rows}
    (fit,) = found.fits
    return Outcome(
        fit.mean,
        fit.p95,
        fit.reached,
        seconds,
        float(quality.jerk(clip).mean() / np.nanmean(source.jerk[rows])),
        float(quality.joint_speed(clip, joints=joints).mean() / np.nanmean(source.joint_speed[rows])),
        float(lower / np.nanpercentile(source.lower_foot[rows], 95.0)),
        quality.foot_skate(clip, database.contacts[rows]).mean,
        float(name not in SHOWS or bool(takes & set(SHOWS[name]))),
        found.clearance,
    )


if __name__ == "__main__":
    main()
