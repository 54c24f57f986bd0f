"""Measure the controllers of chapter 5 of Lo's thesis with our motion: value functions of turning by steps.

    python benchmarks/bench_groups.py [--quick] [--only groups] [--controller FILE]

Cuts the captured `locomotion` set and `walks_69` into steps, or the data of the velocity controller `--controller`.
Parts: `values` (figure 5.8: polynomials by linear programming against trees, and a dense grid as the optimum); `groups`
(figure 5.10: single steps against blends of similar ones; how near both come to steps that were left out, and the
footwork of the blends); `grasp` (section 5.4: greedy, planned and parametric grasping).
Times are CPU times of one thread. Prints figures; has no bounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np

from bench_worlds import QUICK_CLIPS
from common import DATA, clips_of_set, control_field, make_parser, write_json
from motionfields.authoring.groups import HeadingTask, choose_steps, walking_steps
from motionfields.authoring.groups.blending import Member, move_of
from motionfields.authoring.groups.clips import StepActions
from motionfields.authoring.groups.fitting import (
    Fit,
    TreeSettings,
    fit_polynomials,
    fit_trees,
    solve_grid,
)
from motionfields.authoring.groups.grasping import Grasps, GraspTask
from motionfields.authoring.groups.grouping import Groups, blended_step, group_steps, step_members
from motionfields.authoring.groups.heading import Values, measure, no_values
from motionfields.control.contract import load_controller
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.field import MotionField
from motionfields.motion.annotations import read_annotations
from motionfields.motion.formats import load_clip
from motionfields.motion.planting.holding import hold_feet
from motionfields.motion.quality import contact_skate
from motionfields.motion.samples import generate_samples

STEPS = 20  # clips, as in the thesis
STEP_JUMP_COST = 0.1  # steps for each m/s2 of jump, on the way to an object
JUMP_COST = 4.0  # degrees for each m/s2 of jump
DEGREES = (2, 4, 10)  # of the polynomials
FIRST_SEED = 100  # of fits; settings were chosen with seeds below 10
TEST_SEED = 50_000  # of the states at which all are measured
SAMPLES = 16_000
Fitter = Callable[[int], tuple[Any, Fit, int]]


def main() -> None:
    parser = make_parser(__doc__, quick="a few generated steps and samples")
    parser.add_argument("--only", choices=tuple(PARTS), help="run one part")
    parser.add_argument("--seeds", type=int, default=3, help="fits of each kind; figures are their means")
    parser.add_argument("--controller", type=Path, help="a velocity controller, whose data is used")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    numba.set_num_threads(1)
    bench, figures = Bench(options), {}
    for name in PARTS if options.only is None else (options.only,):
        begin = time.process_time()
        figures[name] = PARTS[name](bench)
        print(f"{name}: {time.process_time() - begin:.0f} s of CPU time", flush=True)
    write_json(options.json, figures)


class Bench:
    """Field and steps that the parts share, and the size of the measurements."""

    def __init__(self, options: Any) -> None:
        self.quick, self.seeds = options.quick, 1 if options.quick else options.seeds
        self.field, self.root_motion = read_field(options.quick, options.controller)
        self.steps = walking_steps(self.field, self.root_motion)
        turns = np.degrees(np.quantile(self.steps.turns, (0.0, 0.5, 1.0)))
        print(
            f"{len(self.steps.turns)} steps that turn by {turns[0]:.0f} to {turns[2]:.0f} degrees, "
            f"mean jump {np.mean(self.steps.jumps[np.isfinite(self.steps.jumps)]):.1f} m/s2",
            flush=True,
        )


def read_field(quick: bool, path: Path | None) -> tuple[MotionField, RootMotion]:
    """Return the field to cut into steps, and its root motion."""
    if path is not None:
        controller = load_controller(path)
        return controller.field, controller.root_motion
    clips = [one.clip for one in generate_samples(only=QUICK_CLIPS)] if quick else clips_of_set("B")
    field = control_field(clips)
    return field, measure_root_motion(field.database)


def values_part(bench: Bench) -> dict[str, Any]:
    """Figure 5.8: polynomials by linear programming against trees, with `STEPS` clips of one step."""
    chosen = choose_steps(bench.steps, 6 if bench.quick else STEPS)
    task, samples = single_task(chosen), 600 if bench.quick else SAMPLES
    print(f"\n{len(chosen.turns)} steps, turns {np.degrees(chosen.turns).round().astype(int).tolist()}", flush=True)
    print(f"{'values':20} {'samples':>7} {'time':>7} {'residual':>9} {'reward':>8} {'storage':>9}  fit", flush=True)

    def polynomials(degree: int) -> Fitter:
        def fit(seed: int) -> tuple[Any, Fit, int]:
            group, theta = task.draw(samples, np.random.default_rng(seed))
            return (*fit_polynomials(task, group, theta, degree=degree), samples)

        return fit

    fit_trees(task, settings=TreeSettings(rounds=1, states=100))  # compile
    figures = {"greedy": told("greedy", task, no_values)}
    figures["grid"] = fitted("grid", task, fit_grid(task), 1)
    for degree in DEGREES:
        name = f"degree {degree}"
        figures[name] = fitted(name, task, polynomials(degree), bench.seeds)
    figures["trees"] = fitted("trees", task, fit_forest(task, samples), bench.seeds)
    return figures


def groups_part(bench: Bench) -> dict[str, Any]:
    """Figure 5.10: single steps against groups whose blends turn by any angle in between."""
    chosen = choose_steps(bench.steps, 6 if bench.quick else STEPS)
    members = step_members(bench.field, chosen)
    groups = group_steps(chosen, members)
    samples = 600 if bench.quick else SAMPLES
    tasks = {
        "single steps": single_task(chosen),
        "groups": HeadingTask(groups.options(), JUMP_COST * groups.costs(chosen.jumps)),
    }
    figures: dict[str, Any] = {"groups": [np.degrees(chosen.turns[rows]).tolist() for rows in groups.members]}
    print(f"\n{len(groups.members)} groups of {', '.join(str(len(rows)) for rows in groups.members)} steps", flush=True)
    for name, task in tasks.items():
        figures[name] = {"optimum": fitted(f"{name}, grid", task, fit_grid(task), 1)}
        figures[name]["trees"] = fitted(f"{name}, trees", task, fit_forest(task, samples), bench.seeds)
    figures["reach"] = reach(bench, chosen, groups)
    figures["footwork"] = footwork(chosen, members, groups, 4 if bench.quick else 200)
    return figures


def reach(bench: Bench, chosen: StepActions, groups: Groups) -> dict[str, Any]:
    """Print and return how near the chosen steps and their blends come to the other steps of the data."""
    known, figures = set(chosen.steps.start.tolist()), {}
    others = np.array([i for i, start in enumerate(bench.steps.steps.start.tolist()) if start not in known])
    wanted, feet = bench.steps.moves[others], bench.steps.steps.foot[others]
    low, high = chosen.turns.min(), chosen.turns.max()
    inside = (wanted[:, 2] >= low) & (wanted[:, 2] <= high)
    singles = [chosen.moves[chosen.steps.foot == foot] for foot in (0, 1)]
    blends: list[list[np.ndarray[Any, Any]]] = [[], []]
    for number, rows in enumerate(groups.members):
        for turn in groups.options(41)[number]:
            blends[int(chosen.steps.foot[rows[0]])].append(groups.weights(number, float(turn)) @ chosen.moves[rows])
    for name, moves in (("single steps", singles), ("blends", [np.array(part) for part in blends])):
        turns, places = [], []
        for one, foot in zip(wanted[inside], feet[inside], strict=True):
            off = np.abs(moves[foot][:, 2] - one[2])
            best = moves[foot][off.argmin()]
            turns.append(np.degrees(off.min()))
            places.append(np.linalg.norm(best[:2] - one[:2]))
        figures[name] = {"turn": float(np.mean(turns)), "worst": float(np.max(turns)), "place": float(np.mean(places))}
        told = f"turn off by {np.mean(turns):.2f} degrees (at most {np.max(turns):.1f})"
        print(f"{name}: {told}, place by {100 * np.mean(places):.1f} cm, for {inside.sum()} other steps", flush=True)
    return figures


def footwork(chosen: StepActions, members: Sequence[Member], groups: Groups, count: int) -> dict[str, Any]:
    """Print and return the sliding of standing feet in the steps and in random blends, and how exact blends are."""
    rng, off, blends = np.random.default_rng(TEST_SEED), [], []
    wide = [number for number, rows in enumerate(groups.members) if len(rows) > 1]
    for _ in range(count if wide else 0):
        group = int(rng.choice(wide))
        ends = chosen.turns[groups.members[group][[0, -1]]]
        turn = float(rng.uniform(*ends))
        made = blended_step(groups, members, group, turn)
        off.append(abs(np.degrees(move_of(made.clip)[2] - turn)))
        blends.append((made.clip, made.contacts))
    figures = {"turn": float(np.max(off, initial=0.0))}
    for name, clips in (("steps", [(one.clip, one.contacts) for one in members]), ("blends", blends)):
        bare = [contact_skate(clip, contacts) for clip, contacts in clips]
        held = [contact_skate(hold_feet(clip, contacts).clip, contacts) for clip, contacts in clips]
        figures |= {name: float(np.mean(np.concatenate(bare))), f"{name}, held": float(np.mean(np.concatenate(held)))}
        print(
            f"{name}: standing feet slide by {100 * figures[name]:.1f} cm/s, "
            f"{100 * figures[f'{name}, held']:.1f} cm/s with held feet",
            flush=True,
        )
    print(f"blends turn by the wanted angle within {figures['turn']:.2f} degrees", flush=True)
    return figures


def grasp_part(bench: Bench) -> dict[str, Any]:
    """Section 5.4: objects between the places of the pick-up takes of `annotated`, and walks to an object."""
    folder, figures = DATA / "annotated", {}
    spans = [one for one in read_annotations(folder / "labels.csv").spans if one.label == "pick_up"]
    grasps = Grasps.of([(load_clip(folder / one.file), one.start, one.end) for one in spans])
    print(f"\n{len(grasps.places)} takes, left hand at {grasps.places.round(2).tolist()}", flush=True)
    rng = np.random.default_rng(TEST_SEED)
    mixed = rng.dirichlet(np.ones(len(spans)), 20 if bench.quick else 200) @ grasps.places
    blended = np.array([grasps.reach(goal)[1] for goal in mixed])
    figures["reach"] = {"nearest": float(grasps.nearest(mixed).mean()), "blend": float(blended.mean())}
    print(
        f"{len(mixed)} objects between them: nearest take off by {100 * figures['reach']['nearest']:.1f} cm, "
        f"blend by {100 * blended.mean():.2f} cm (at most {100 * blended.max():.2f})",
        flush=True,
    )
    chosen = choose_steps(bench.steps, 6 if bench.quick else STEPS)
    count = 20 if bench.quick else 300
    angle, far = rng.uniform(-np.pi, np.pi, count), np.sqrt(rng.uniform(0.5**2, 2.0**2, count))
    goals, last = far[:, np.newaxis] * np.stack([np.sin(angle), np.cos(angle)], axis=1), rng.integers(6, size=count)
    for parametric in (False, True):
        task = GraspTask(grasps, chosen.moves, STEP_JUMP_COST * chosen.jumps, parametric)
        solved = task.solve(sweeps=5 if bench.quick else 25)
        for name, values in (("greedy", np.zeros_like(solved)), ("planned", solved)):
            found = task.run(values, goals, last)
            name = f"{name}, {'blends' if parametric else 'single takes'}"
            figures[name] = {
                "grasped": float(found.grasped.mean()),
                "steps": float(found.steps[found.grasped].mean()) if found.grasped.any() else float("nan"),
            }
            print(
                f"{name:24} {figures[name]['grasped']:.1%} grasped, after {figures[name]['steps']:.2f} steps",
                flush=True,
            )
    return figures


def single_task(actions: StepActions) -> HeadingTask:
    """Return the task in which each step is a group of its own."""
    return HeadingTask(actions.turns[:, np.newaxis], JUMP_COST * actions.jumps)


def fit_grid(task: HeadingTask) -> Fitter:
    """Return a function that solves `task` on a dense grid; the seed has no effect."""
    return lambda seed: (*solve_grid(task), 720 * task.group_count)


def fit_forest(task: HeadingTask, samples: int) -> Fitter:
    """Return a function that fits trees to about `samples` samples."""
    return lambda seed: fit_trees(task, settings=TreeSettings(states=samples // 10), seed=seed)


def told(name: str, task: HeadingTask, values: Values) -> dict[str, float]:
    """Print and return the measures of `values`, which took no time to find."""
    found = measure(task, values, seed=TEST_SEED)
    print(f"{name:20} {'':>7} {'':>7} {found.residual:9.2f} {found.reward:8.1f}", flush=True)
    return found._asdict()


def fitted(name: str, task: HeadingTask, fit: Fitter, seeds: int) -> dict[str, Any]:
    """Print and return the means over `seeds` fits: time, Bellman residual, reward and storage."""
    rows, ends = [], []
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        begin = time.process_time()
        values, end, samples = fit(seed)
        seconds = time.process_time() - begin
        found = measure(task, values, seed=TEST_SEED)
        rows.append((samples, seconds, found.residual, found.reward, values.size, found.left))
        ends.append(end)
    samples, seconds, residual, reward, size, left = np.mean(rows, axis=0).tolist()
    spread = 0.5 * float(np.ptp([row[3] for row in rows]))
    converged = sum(end.converged for end in ends)
    print(
        f"{name:20} {samples:7.0f} {seconds:6.1f}s {residual:9.2f} {reward:8.1f} {size / 1000:7.1f}kB  "
        f"{converged} of {seeds} converged, reward +- {spread:.1f}, {left:.2f} degrees left",
        flush=True,
    )
    keys = ("samples", "seconds", "residual", "reward", "bytes", "left")
    return dict(zip(keys, (samples, seconds, residual, reward, size, left), strict=True)) | {"spread": spread}


PARTS: dict[str, Callable[[Bench], dict[str, Any]]] = {
    "values": values_part,
    "groups": groups_part,
    "grasp": grasp_part,
}

if __name__ == "__main__":
    main()
