"""Measure the effect of pushes on characters, their recovery, and the cost of simulation.

    python benchmarks/bench_push.py [--quick] [--only pushes] [--set 1] [--json FILE] [--images DIR]

The data sets are like those of the paper (section 6.2): 1 is `walks_69` (sideways, backwards, crouched walks); 2 adds
the stumbling and staggering takes of other subjects to 1; 3 adds takes of people pulled by the arm to 1; 4 is
`locomotion`; `samples` are the generated clips. Nobody is shoved in any of them. Motion of other subjects is retargeted
to the skeleton of subject 69: scaled by leg length, then fitted with the feet in place.

Parts: `zero` (a push of zero force changes no bit), `pushes` (5,000 random ones on 1, 4 and samples, up to 600 N, a
quarter of them double), `dose` (force against displacement and recovery, by body part, on all sets), `cost` (relative
to the bare steps of the engine). Exits 1 if a bound is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from common import DATA, Bounds, clips_of_set, control_field, make_parser, write_json
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import heading_vector
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.measure.analysis import Dose, render_doses
from motionfields.measure.evaluation import PushPlan, PushTrials, draw_pushes, joined_pushes, push_trials
from motionfields.motion.clip import Clip, retarget
from motionfields.motion.formats import load_clips
from motionfields.runtime import Frame
from motionfields.runtime.physics import SegmentedBody

PARTS = ("zero", "pushes", "dose", "cost")
SETS = ("1", "2", "3", "4", "samples")
PLAIN_SETS = {"quick": "quick", "samples": "C", "4": "A"}  # names in `common.clips_of_set`
PUSHED_SETS = ("1", "4", "samples")  # sets on which the bounds are checked
FOLDERS = {"2": ("stumble_22", "stumble_23", "stagger_104"), "3": ("pulled_19",)}
BATCH = 250
SEED = 5000  # no setting was tuned on this seed
FORCES = (50.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0)
DOSED = ("spine", "pelvis", "neck", "hand", "upper arm", "thigh", "foot")
MOST_EXCESS = np.radians(15.0)
COST_BOUND = 1.5
bounds = Bounds()


def controller_of(name: str) -> FieldController:
    """Train a controller for the direction task on one data set."""
    field = control_field(clips_of(name))
    return train(field, Direction())


def require(label: str, held: bool, message: str) -> None:
    bounds.require(held, f"{label}: {message}")


def clips_of(name: str) -> list[Clip]:
    if name in PLAIN_SETS:
        return clips_of_set(PLAIN_SETS[name])
    walks = load_clips(DATA / "perturbation" / "walks_69")
    others = [clip for folder in FOLDERS.get(name, ()) for clip in load_clips(DATA / "perturbation" / folder)]
    return walks + [retarget(clip, walks[0].skeleton) for clip in others]


def bench_zero(name: str, controller: FieldController, results: dict[str, Any]) -> None:
    """Compare 300 frames with occasional pushes of zero force to the same frames without."""
    runs: list[list[Frame]] = []
    for pushed in (False, True):
        crowd = controller.crowd(8, seed=1)
        frames = []
        for number in range(300):
            if pushed and number % 20 == 0:
                crowd.push(np.arange(8), number % 19, (0.0, 0.0, 0.0))
            frames.append(crowd.step(0.01 * number))
        runs.append(frames)
    same = all(
        np.array_equal(mine, other)
        for one, two in zip(*runs, strict=True)
        for mine, other in zip(one, two, strict=True)
    )
    print(f"zero force on {name}: 300 frames of 8 characters {'are' if same else 'are NOT'} the same bits", flush=True)
    require(f"zero on {name}", same, "a push of no force changes what is shown")
    results[f"zero {name}"] = same


def bench_pushes(name: str, controller: FieldController, count: int, results: dict[str, Any]) -> None:
    joints = SegmentedBody(controller.field.database.skeleton).joints
    start = time.perf_counter()
    parts = []
    for seed in range(SEED, SEED + -(-count // BATCH)):
        plan = draw_pushes(joints, min(BATCH, count), np.random.default_rng(seed))
        parts.append(push_trials(controller, plan, seed=seed))
    trials = joined_pushes(parts)
    figures = figures_of(trials)
    print(
        f"pushes on {name}: {figures['count']} ({time.perf_counter() - start:.0f} s); recovered "
        f"{100 * figures['recovered_300']:.2f} % up to 300 N, {100 * figures['recovered_600']:.2f} % above, "
        f"in {figures['recovery_mean']:.2f} s on average, p95 {figures['recovery_p95']:.2f} s; along the push "
        f"{100 * figures['along']:.1f} % of {figures['trunk_count']} on the trunk, {figures['along_mean']:.3f} m; "
        f"hands first {100 * figures['hand_first']:.1f} %; beyond range at most {np.degrees(figures['excess']):.1f} "
        f"degrees; peak joint speed {figures['peak_speed']:.1f} rad/s (p99); skate {figures['skate']:.3f} m/s, "
        f"twins {figures['twin_skate']:.3f}",
        flush=True,
    )
    label = f"pushes on {name}"
    require(label, figures["finite"], "a number that is none")
    require(
        label, figures["excess"] <= MOST_EXCESS, f"a joint {np.degrees(figures['excess']):.1f} degrees beyond range"
    )
    require(label, figures["recovered_300"] >= 0.99, "fewer than 99 % recovered up to 300 N")
    require(label, figures["recovered_600"] >= 0.95, "fewer than 95 % recovered up to 600 N")
    require(label, figures["along"] >= 0.95, "fewer than 95 % displaced along the push")
    require(label, figures["hand_first"] >= 0.99, "hands that move after the root")
    results[label] = figures


def figures_of(trials: PushTrials) -> dict[str, Any]:
    strongest, done = trials.plan.strongest, np.isfinite(trials.recovery)
    level = np.linalg.norm(trials.plan.forces[:, 0] * np.array([1.0, 0.0, 1.0]), axis=-1)
    trunk = np.isin(trials.parts, ("pelvis", "spine")) & (level > 100.0)
    hands = trials.parts == "hand"
    return {
        "count": len(done),
        "recovered_300": float(done[strongest <= 300.0].mean()),
        "recovered_600": float(done[strongest > 300.0].mean()),
        "recovery_mean": float(trials.recovery[done].mean()),
        "recovery_p95": float(np.percentile(trials.recovery, 95.0, method="higher")),
        "trunk_count": int(trunk.sum()),
        "along": float((trials.along[trunk] > 0.0).mean()),
        "along_mean": float(trials.along[trunk].mean()),
        "hand_first": float(trials.part_first[hands].mean()),
        "excess": float(trials.excess.max()),
        "peak_speed": float(np.percentile(trials.peak_speed, 99.0)),
        "skate": float(trials.skate.mean()),
        "twin_skate": float(trials.twin_skate.mean()),
        "finite": bool(trials.finite.all()),
    }


def bench_dose(name: str, controller: FieldController, count: int, results: dict[str, Any]) -> dict[str, list[Dose]]:
    """Run `count` horizontal pushes of each size on each body part."""
    body = SegmentedBody(controller.field.database.skeleton)
    sizes = np.repeat(FORCES, count)
    doses: dict[str, list[Dose]] = {}
    for part in DOSED:
        joints = np.array([segment.joint for segment in body.segments if segment.part == part])
        trials = push_trials(controller, level_pushes(joints, sizes), seed=SEED)
        doses[part] = [
            dose_of(force, trials.along[sizes == force], trials.recovery[sizes == force]) for force in FORCES
        ]
        row = " ".join(f"{dose.along:6.3f}/{dose.recovery:4.2f}" for dose in doses[part])
        print(f"dose on {name}, {part:10} (m / s at {', '.join(f'{f:.0f}' for f in FORCES)} N): {row}", flush=True)
    results[f"dose {name}"] = {part: [dose._asdict() for dose in points] for part, points in doses.items()}
    return doses


def dose_of(force: float, along: FloatArray, recovery: FloatArray) -> Dose:
    done = recovery[np.isfinite(recovery)]
    spread = np.sqrt(len(along))
    return Dose(force, along.mean(), along.std() / spread, done.mean(), done.std() / spread)


def level_pushes(joints: IntArray, sizes: FloatArray) -> PushPlan:
    """Return single horizontal pushes of the given `sizes` [trial] in newtons, in random directions."""
    rng = np.random.default_rng(SEED)
    plan = draw_pushes(joints, len(sizes), rng)
    azimuth = rng.uniform(-np.pi, np.pi, len(sizes))
    times, forces = plan.times.copy(), plan.forces.copy()
    times[:, 1] = np.inf
    forces[:, 0] = sizes[:, np.newaxis] * heading_vector(azimuth)
    return plan._replace(times=times, forces=forces)


def bench_cost(name: str, controller: FieldController, results: dict[str, Any]) -> None:
    """Measure the time that a push adds to a frame, relative to the bare steps of the engine.

    The search of recovering characters is left out: `bench_shoves.py` has a bound for it.
    """
    for count in (1, 200):
        crowd = controller.crowd(count, seed=2)
        crowd.push(0, 0, (0.0, 0.0, 0.0))
        simulation = crowd.pushes.simulation
        frames = 20 if count > 1 else 200
        run_frames(crowd, 40, pushed=True)
        plain, pushed, bare = [], [], []
        for _ in range(5):
            run_frames(crowd, 50, pushed=False)
            plain.append(run_frames(crowd, frames, pushed=False))
            with timed(simulation, "run_engine") as spent, timed(crowd._recovery, "decide") as searched:
                pushed.append(run_frames(crowd, frames, pushed=True) - searched[0] / frames / count)
            bare.append(spent[0] / frames / count)
        least = [min(times) for times in (plain, pushed, bare)]
        added = float(np.median((np.array(pushed) - np.array(plain)) / np.array(bare)))
        whole = float(np.median(np.array(pushed) / np.array(bare)))
        print(
            f"cost on {name}, {count} pushed: bare steps {1e6 * least[2]:.0f} us a character-frame; a push adds "
            f"{added:.2f} times as much (bound {COST_BOUND} for a crowd), the whole frame is {whole:.2f} times "
            f"({1e6 * least[1]:.0f} us, {1e6 * least[0]:.0f} without a push)",
            flush=True,
        )
        # A single character pays for the calls between Python and the engine, which a crowd shares.
        require(f"cost on {name}", count == 1 or added <= COST_BOUND, f"a push adds {added:.2f} times the bare steps")
        results[f"cost {count}"] = {"added": added, "whole": whole}


@contextmanager
def timed(owner: object, name: str) -> Iterator[list[float]]:
    """Yield a list of one number: the CPU seconds spent so far in the method `name` of `owner`."""
    method, spent = getattr(owner, name), [0.0]

    def run(*given: Any) -> Any:
        start = time.process_time()
        result = method(*given)
        spent[0] += time.process_time() - start
        return result

    setattr(owner, name, run)
    yield spent
    delattr(owner, name)


def run_frames(crowd: Any, frame_count: int, *, pushed: bool) -> float:
    """Run the crowd, and return the CPU seconds per character and frame."""
    start = time.process_time()
    for number in range(frame_count):
        if pushed and number % 10 == 0:
            crowd.push(np.arange(crowd.count), 5, (200.0, 0.0, 50.0))
        crowd.step(0.0)
    return float(time.process_time() - start) / frame_count / int(crowd.count)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, quick="a short run on a few generated clips, for CI")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--set", choices=SETS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--images", type=Path)
    options = parser.parse_args(arguments)
    results: dict[str, Any] = {}
    doses: dict[str, dict[str, list[Dose]]] = {}
    names: Sequence[str] = ("quick",) if options.quick else ((options.set,) if options.set else SETS)
    for name in names:
        if name not in ("quick", "samples") and not DATA.is_dir():
            print(f"set {name}: skipped, there is no {DATA}")
            continue
        controller = controller_of(name)
        counted = options.quick or name in PUSHED_SETS
        wanted = [part for part in PARTS if options.only in (None, part)]
        if "zero" in wanted and counted:
            bench_zero(name, controller, results)
        if "pushes" in wanted and counted:
            bench_pushes(name, controller, 60 if options.quick else 5000, results)
        if "dose" in wanted and not options.quick:
            doses[f"set {name}" if len(name) == 1 else name] = bench_dose(name, controller, 48, results)
        if "cost" in wanted and name in ("quick", "4"):
            bench_cost(name, controller, results)
    if options.images and doses:
        render_doses(doses, options.images / "push_doses.png")
    write_json(options.json, results)
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
