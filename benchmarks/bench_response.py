"""Measure response times and motion quality of controllers on four data sets.

    python benchmarks/bench_response.py [--quick] [--set A] [--only direction] [--json FILE] [--images DIR]

A is the captured `locomotion` set, B that and `walks_69` (which has side steps), C the generated samples, D the walks
of subject 16; all with their mirror images. At least 1,000 changes over 4 seeds that no setting was tuned on. Parts:
`direction` with and without warp, next to the greedy policy and the paper's action set; `line`; `compression`;
`training` (time, also relative to a bare gather-sum of the same states); `starts` from random states; `frontier` over
agility. Exits 1 if a bound is missed. `--quick` runs few trials on few generated clips.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numba import prange

from common import DATA, Bounds, best_time, clips_of_set, control_field, make_parser, write_json
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import parallel_kernel
from motionfields.base.geometry import (
    angle_difference,
    quat_between,
    quat_conjugate,
    quat_exp,
    quat_multiply,
    quat_normalize,
)
from motionfields.control.compression import compress, sampled_anchors
from motionfields.control.controller import FieldController
from motionfields.control.methods import train_paper
from motionfields.control.root_motion import Warp, measure_root_motion
from motionfields.control.tasks import Direction, Line
from motionfields.control.training import TaskTable, train
from motionfields.control.training.sweeps import Actions, Buffers, improve_here, sweep_once
from motionfields.control.transitions import find_transitions
from motionfields.field import MotionField
from motionfields.field.database import MotionState, Pose, PoseDelta
from motionfields.measure.analysis import render_frontier, render_response
from motionfields.measure.evaluation import (
    REQUIRED_GATES,
    Figures,
    SourceFigures,
    Trials,
    direction_trials,
    joined,
    line_trials,
    measure_source,
    measure_trials,
    missed_gates,
)
from motionfields.measure.evaluation.shoves import lower_foot_speed
from motionfields.measure.evaluation.trials import stacked
from motionfields.motion.body import find_body
from motionfields.motion.skeleton import WorldPose, forward_kinematics

SEEDS = (1000, 1001, 1002, 1003)
PARTS = ("direction", "line", "compression", "training", "starts", "frontier")
DIRECTION_BOUNDS = {("A", False): 0.77, ("D", False): 0.88, ("A", True): 0.65, ("B", True): 0.65, ("D", True): 0.70}
DIRECTION_BOUNDS |= {("C", False): 0.40}
LINE_BOUNDS = {"B": 1.2, "C": 0.60}
LINE_AGILITY = 0.1  # lines require more course changes than directions do
LINE_TOLERANCE = 0.01  # radians; the values of the line task are in the tens
WAY_BACK = 1.0  # seconds from a start until characters are back at the data
AGILITIES = (0.0, 0.25, 0.5, 0.75, 1.0)
bounds = Bounds()


def run_trials(controller: Any, trials: Callable[..., Trials], *, quick: bool) -> Trials:
    """Run at least 1,000 changes of 5 degrees or more; far fewer if `quick`."""
    seeds, count = (SEEDS[:1], 12) if quick else (SEEDS, 66)
    return joined([trials(controller, count=count, change_count=2 if quick else 4, seed=seed) for seed in seeds])


def show(
    label: str, figures: Figures, source: SourceFigures, *, bound: float | None = None, gated: bool = False
) -> None:
    """Print one row of the table; mark and record missed bounds and required gates."""
    faults = missed_gates(figures, REQUIRED_GATES) if gated else []
    if bound is not None and not figures.mean <= bound:
        faults.append(f"mean response is {figures.mean:.3f} s, bound {bound} s")
    bounds.missed.extend(f"{label}: {fault}" for fault in faults)
    print(
        f"{label:34} {figures.fastest:5.2f} {figures.mean:6.3f} +-{figures.error:5.3f} {figures.p95:5.2f} "
        f"{figures.slowest:5.2f} {figures.settled:6.2f} {100 * figures.failures:5.1f} "
        f"{figures.mean / source.limit:5.2f} | "
        f"{figures.jerk:5.2f} {figures.turning_jerk:5.2f} {figures.joint_speed:5.3f} {figures.skate:5.2f} "
        f"{figures.distance:5.2f} | {np.degrees(figures.turning_p99):4.0f} {np.degrees(figures.turning_max):4.0f} "
        f"{figures.speed:5.2f} {100 * figures.warped:4.1f} | {figures.turning_foot_speed:5.2f} "
        f"{figures.turning_foot_p95:5.2f} {figures.turning_fast_feet:5.2f} {figures.foot_spin:5.2f} "
        f"{figures.twist:5.2f} {100 * figures.flight:4.1f} {100 * figures.replayed:5.1f} "
        f"{100 * figures.largest_share:4.0f}{'  MISSED' if faults else ''}",
        flush=True,
    )


def header(name: str, source: SourceFigures, trial_count: int) -> None:
    rate = np.degrees(source.turning_rate)
    print(
        f"\n{name}: limit {source.limit:.2f} s; the source turns {rate[0]:.0f} / {rate[1]:.0f} / {rate[2]:.0f} deg/s "
        f"(p95, p99, max), jerk {source.jerk:.1f}, in turns {source.turning_jerk:.1f} m/s3; about {trial_count} trials"
    )
    print(
        f"{'':34}   min   mean    error   p95   max settled fail% limit |  jerk  turn speed skate  dist | "
        f"p99  max   m/s warp%|  foot   p95  fast  spin twist fly% again% one clip %"
    )


def bench_direction(name: str, field: MotionField, options: argparse.Namespace, results: dict[str, Any]) -> None:
    source = measure_source(field)
    header(f"direction on {name}", source, 24 if options.quick else 1030)
    for warp in (None, Warp()):
        controller = train(field, Direction(), warp=warp)
        trials = run_trials(controller, direction_trials, quick=options.quick)
        figures = measure_trials(field, source, trials)
        label = f"{name} ours{', warp' if warp else ''}"
        bound = DIRECTION_BOUNDS.get((name, warp is not None))
        show(label, figures, source, bound=bound, gated=bound is not None)
        results[label] = figures._asdict()
        if warp is None:
            greedy = run_trials(controller.greedy(), direction_trials, quick=options.quick)
            show(f"{name} greedy (eq. 9)", measure_trials(field, source, greedy), source)
        if options.images:
            file_name = f"response_{label.replace(', ', '_').replace(' ', '_')}.png"
            render_response(trials, options.images / file_name, title=label)
    paper = train_paper(field, Direction())
    trials = direction_trials(paper, count=6 if options.quick else 33, seed=SEEDS[0])
    figures = measure_trials(field, source, trials)
    show(f"{name} paper's actions (eq. 8)", figures, source)
    results[f"{name} paper"] = figures._asdict()


def bench_line(name: str, field: MotionField, options: argparse.Namespace, results: dict[str, Any]) -> None:
    source = measure_source(field)
    header(f"line on {name}", source, 1030)
    for warp in (None, Warp()):
        start = time.perf_counter()
        controller = train(field, Line(), agility=LINE_AGILITY, warp=warp, tolerance=LINE_TOLERANCE)
        took = time.perf_counter() - start
        figures = measure_trials(field, source, run_trials(controller, line_trials, quick=options.quick))
        label = f"{name} line{', warp' if warp else ''}"
        show(label, figures, source, bound=LINE_BOUNDS.get(name), gated=True)
        print(f"  trained in {took:.0f} s, {controller.sweeps} sweeps, residual {controller.residual:.1e}")
        results[label] = {**figures._asdict(), "seconds": took, "residual": controller.residual}


def bench_compression(field: MotionField, options: argparse.Namespace, results: dict[str, Any]) -> None:
    source = measure_source(field)
    full = train(field, Direction())
    header("compression on A", source, 1030)
    starts = field.database.clip_starts
    forms: list[tuple[str, FieldController, float]] = [("full", full, np.inf)]
    forms += [
        (f"compressed {factor}", compress(full, factor=factor), most) for factor, most in ((15, 1.05), (60, 1.10))
    ]
    forms += [
        (
            f"sampled every {stride} states",
            replace(full, values=sampled_anchors(full.values, starts, stride)),
            np.inf,
        )
        for stride in (10, 20, 30)
    ]
    reference = 0.0
    for label, controller, most in forms:
        figures = measure_trials(field, source, run_trials(controller, direction_trials, quick=options.quick))
        reference = reference or figures.mean
        factor = full.values.byte_count / controller.values.byte_count
        show(f"{label} (x {factor:.1f})", figures, source)
        ratio = figures.mean / reference
        bounds.require(ratio <= most, f"{label}: {ratio:.3f} times the full response, bound {most}")
        results[label] = {**figures._asdict(), "factor": factor}


@parallel_kernel
def gather_sums(table: FloatArray, rows: IntArray, out: FloatArray) -> None:
    """Sum the table entries that a sweep reads, as a lower limit on the time of a sweep."""
    for place in prange(len(out)):
        mine, open_rows = out[place], rows[place % len(rows)]
        # Nodes are innermost, since the values of one state are contiguous; each thread writes its own entries of
        # `out`.
        mine[:] = 0.0
        for action in range(len(open_rows)):
            row = table[open_rows[action]]
            for node in range(len(mine)):
                mine[node] += row[node]


def bench_training(name: str, field: MotionField, options: argparse.Namespace, results: dict[str, Any]) -> None:
    for task, most in ((Direction(), 15.0), (Line(), 90.0)):
        start = time.perf_counter()
        controller = train(field, task)
        took = time.perf_counter() - start
        label = f"training {type(task).__name__.lower()} on {name}"
        sweep, bare = sweep_times(field, controller)
        print(
            f"{label}: {took:.1f} s (bound {most:.0f}), {controller.sweeps} sweeps, "
            f"residual {controller.residual:.1e}; a sweep takes {1e3 * sweep:.0f} ms, "
            f"{sweep / bare:.2f} times a bare gather-sum of its rows (bound 1.5)"
        )
        if not options.quick:
            bounds.require(took <= most, f"{label}: {took:.1f} s, bound {most:.0f} s")
            ratio = sweep / bare
            bounds.require(ratio <= 1.5, f"{label}: a sweep takes {ratio:.2f} times a bare gather-sum, bound 1.5")
        results[label] = {"seconds": took, "sweep": sweep, "ratio": sweep / bare}


def sweep_times(field: MotionField, controller: FieldController) -> tuple[float, float]:
    """Return the seconds of one full sweep, and of a bare gather-sum of the same entries, in one run."""
    root_motion = measure_root_motion(field.database)
    table = TaskTable.build(controller.task, field.database, root_motion)
    actions = Actions.of(find_transitions(field, root_motion, controller.settings))
    values = controller.values.table()
    buffers = Buffers(np.empty_like(values), np.empty(values.shape, np.uint16), np.empty_like(values))
    discounting = (controller.settings.discount, controller.settings.goal_change)
    sweep = best_time(lambda: sweep_once(table, actions, values, buffers, discounting, improve_here), 8)
    return sweep, best_time(lambda: gather_sums(buffers.action_values, actions.targets, buffers.after), 8)


def bench_starts(name: str, field: MotionField, options: argparse.Namespace, results: dict[str, Any]) -> None:
    """Start from states that are not in the data, with random directions as goals."""
    count = 100 if options.quick else 1000
    rng = np.random.default_rng(SEEDS[0])
    controller = train(field, Direction())
    for label, start in odd_states(field, count, rng).items():
        crowd = controller.crowd(count)
        crowd.start_from(start)
        heading, reached = rng.uniform(-np.pi, np.pi, count), np.zeros(count, np.bool_)
        frames = []
        for _ in range(round(6.0 / field.database.frame_time)):
            frames.append(crowd.step(heading))
            reached |= np.abs(angle_difference(crowd.ground.facing, heading)) < np.radians(5.0)
        way_back = stacked(frames[: round(WAY_BACK / field.database.frame_time)])
        world = forward_kinematics(field.database.skeleton, way_back.root_position, quat_normalize(way_back.rotations))
        finite = all(np.isfinite(part).all() for part in stacked(frames))
        foot = float(np.nanmean(lower_foot_speed(field, world.positions)))
        print(
            f"starts on {name}, {label}: {count} states, finite {finite}, {100 * reached.mean():.1f} % arrive in 6 s, "
            f"lower foot {100 * foot:.0f} cm/s in the first {WAY_BACK:g} s"
        )
        held = finite and bool(reached.mean() >= 0.99)
        bounds.require(held, f"starts on {name}, {label}: finite {finite}, {reached.mean():.3f} reach the heading")
        if not options.quick:
            bounds.require(foot <= 0.25, f"starts on {name}, {label}: the lower foot moves at {100 * foot:.0f} cm/s")
        results[f"starts {name}, {label}"] = {"finite": finite, "reached": float(reached.mean()), "foot": foot}


def odd_states(field: MotionField, count: int, rng: np.random.Generator) -> dict[str, MotionState]:
    """Return `count` states each of: 30 degrees of noise on every joint, arms up, and crouched."""
    pose, velocity = field.draw(count, seed=SEEDS[0])
    axes = rng.normal(size=(*pose.joint_rotations.shape[:-1], 3))
    noise = quat_exp(np.radians(30.0) * axes / np.linalg.norm(axes, axis=-1, keepdims=True))
    noisy = pose._replace(joint_rotations=quat_multiply(noise, pose.joint_rotations))
    database, body = field.database, find_body(field.database.skeleton)
    speed = np.linalg.norm(database.root_step[:, ::2], axis=-1)
    standing = database.states(np.resize(np.argsort(speed, kind="stable")[:count], count))
    still = standing._replace(velocity=PoseDelta(*(np.zeros_like(part) for part in standing.velocity)))
    raised, low = still.pose, still.pose
    for arm in (body.left_arm, body.right_arm):
        if arm is not None:
            places = world_of(field, raised).positions
            upwards = quat_between(places[:, arm.elbow] - places[:, arm.shoulder], np.array([0.0, 1.0, 0.0]))
            raised = turned_joint(field, raised, arm.shoulder, upwards)
    places = world_of(field, low).positions
    sideways = places[:, body.left_leg.hip] - places[:, body.right_leg.hip]
    sideways /= np.linalg.norm(sideways, axis=-1, keepdims=True)
    for leg in body.legs:
        for joint, degrees in ((leg.hip, -60.0), (leg.knee, 110.0), (leg.ankle, -50.0)):
            low = turned_joint(field, low, joint, quat_exp(np.radians(degrees) * sideways))
    toes = [leg.toe for leg in body.legs]
    drop = (world_of(field, low).positions - places)[:, toes, 1].min(axis=1)
    low = low._replace(root_position=low.root_position - drop[:, np.newaxis] * np.array([0.0, 1.0, 0.0]))
    return {
        "30 degrees of noise": MotionState(noisy, velocity),
        "arms up": still._replace(pose=raised),
        "crouched": still._replace(pose=low),
    }


def world_of(field: MotionField, pose: Pose) -> WorldPose:
    """Return the joints of `pose` [n] in the world."""
    rotations = np.concatenate([pose.root_rotation[:, np.newaxis], pose.joint_rotations], axis=1)
    return forward_kinematics(field.database.skeleton, pose.root_position, quat_normalize(rotations))


def turned_joint(field: MotionField, pose: Pose, joint: int, turn: FloatArray) -> Pose:
    """Return `pose` [n] with `joint` turned by the rotations `turn` [n, 4], in the world."""
    above = world_of(field, pose).rotations[:, field.database.skeleton.parents[joint]]
    local = quat_multiply(quat_conjugate(above), quat_multiply(turn, above))
    turned = pose.joint_rotations.copy()
    turned[:, joint - 1] = quat_multiply(local, turned[:, joint - 1])
    return pose._replace(joint_rotations=turned)


def bench_frontier(name: str, field: MotionField, options: argparse.Namespace, results: dict[str, Any]) -> None:
    source = measure_source(field)
    header(f"frontier on {name}", source, 255)
    lines: dict[str, list[tuple[float, Figures]]] = {}
    for warp in (None, Warp()):
        label = f"{name}, warp" if warp else name
        for agility in AGILITIES:
            controller = train(field, Direction(), agility=agility, warp=warp)
            figures = measure_trials(field, source, direction_trials(controller, seed=SEEDS[0]))
            show(f"{label}, agility {agility:g}", figures, source)
            lines.setdefault(label, []).append((agility, figures))
            results[f"frontier {label} {agility:g}"] = figures._asdict()
    if options.images:
        render_frontier(lines, options.images / f"frontier_{name}.png", title=f"Direction task on {name}, by agility")


def main() -> int:
    parser = make_parser(__doc__, quick="few trials on few generated clips, for CI")
    parser.add_argument("--set", choices=tuple("ABCD"), action="append", help="only this set of data")
    parser.add_argument("--only", choices=PARTS, action="append", help="only this part")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--images", type=Path, help="a folder for plots")
    options = parser.parse_args()
    captured = DATA.is_dir()
    names: Sequence[str] = ("quick",) if options.quick else options.set or (tuple("ABCD") if captured else ("C",))
    parts = options.only or (("direction", "starts") if options.quick else PARTS)
    results: dict[str, Any] = {}
    for name in names:
        field = control_field(clips_of_set(name))
        if "direction" in parts:
            bench_direction(name, field, options, results)
        if "line" in parts and name in LINE_BOUNDS:
            bench_line(name, field, options, results)
        if "compression" in parts and name == "A":
            bench_compression(field, options, results)
        if "training" in parts and name == "A":
            bench_training(name, field, options, results)
        if "starts" in parts:
            bench_starts(name, field, options, results)
        if "frontier" in parts and name == "A":
            bench_frontier(name, field, options, results)
    write_json(options.json, results)
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
