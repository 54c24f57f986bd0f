"""Compare passive synthesis with its source data and with the paper's own rule.

    python benchmarks/bench_passive.py [--quick] [--ablate] [--set NAME] [--json FILE]

For each data set: 50 seeded runs of 60 s and 12 of 600 s, then 50 starts whose joints are all rotated by 15 and by 30
degrees, each with our rule and with the paper's; and foot locking on the 50 runs. Ratios are to the clips as they
entered the database. Exits 1 if our rule misses a bound. `--quick` makes few short runs of generated motion. `--ablate`
instead measures our rule with each of its departures from the paper switched off in turn.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from common import DATA, Bounds, clips_of_set, make_parser, write_json
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_exp, quat_multiply, quat_normalize
from motionfields.field import MotionField, Synthesis
from motionfields.field.database import MotionDatabase, MotionState
from motionfields.field.passive import PAPER, PassiveSettings
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.motion.planting import FootPlanter
from motionfields.motion.planting.measures import deepest_toe, knee_speed, leg_jerk, low_foot_skate
from motionfields.motion.quality import contact_skate

SETS = {"locomotion": "A", "samples": "C", "locomotion+walks_69": "B"}  # names in `common.clips_of_set`
LEAST_SOURCE_SKATE = 0.02  # m/s; generated feet do not slide, so their own skate cannot serve as a reference
FIRST_SEED = 1000  # none of these starts was used to choose settings
# Lowest and highest allowed value of each figure, for our rule.
BOUNDS: dict[str, tuple[float, float]] = {
    "finite": (1.0, 1.0),
    "longest still s": (0.0, 3.0),
    "runs with still over 1 s": (0.0, 0.05),
    "exact loops": (0.0, 0.0),
    "verbatim": (0.0, 0.10),
    "joint speed": (0.95, 1.03),
    "jerk": (0.90, 1.15),
    "distance p95 / data's": (0.0, 1.0),
    "return from 15 deg s": (0.0, 0.45),
    "return from 30 deg s": (0.0, 0.70),
    "planted skate / source": (0.0, 0.05),
    "planted skate, other rule": (0.0, 0.40),
    "knee speed p99": (0.0, 1.05),
    "knee speed max": (0.0, 1.2),
    "toe below floor cm": (0.0, 1.0),
    "out of reach": (0.0, 0.001),
    "pelvis drop p99 cm": (0.0, 4.0),
    "leg jerk / unplanted": (0.0, 1.25),
}
PLAIN_PAPER = replace(PAPER, standing=True, tail=1)  # also finds clip ends and standing states
# Departures from the paper, each switched off in turn.
ABLATIONS = {
    "ours": PassiveSettings(),
    "frame_gap 0": PassiveSettings(frame_gap=0),
    "softness 0": PassiveSettings(softness=0.0),
    "lead_share 0": PassiveSettings(lead_share=0.0),
    "lead_ease 0": PassiveSettings(lead_ease=0.0),
    "homing 1": PassiveSettings(homing=1.0),
    "tail 1": PassiveSettings(tail=1),
    "standing": PassiveSettings(standing=True),
    "paper": PLAIN_PAPER,
}
LEAST_STATES = 1500  # distinct states in each run of 600 s on the locomotion set, at least


@dataclass(frozen=True)
class Source:
    """Source data of a field as clips, with the figures that runs are compared with."""

    clips: list[Clip]
    jerk: float
    median_speed: float  # of the joints, radians per second


def database_of(name: str) -> MotionDatabase:
    return MotionDatabase.build(clips_of_set(SETS[name]))


def source_of(database: MotionDatabase) -> Source:
    clips = database.source_clips()
    jerk = np.concatenate([quality.jerk(clip) for clip in clips]).mean()
    return Source(clips, float(jerk), float(np.median(database.joint_speed)))


def measure_runs(field: MotionField, source: Source, runs: Synthesis, settings: PassiveSettings) -> dict[str, float]:
    clips, spacing = field.clips(runs, plant=False), field.passive_states(settings).spacing
    stills = [quality.stillness(clip, median_joint_speed=source.median_speed) for clip in clips]
    speeds = [
        quality.joint_speed(clip).mean() / field.database.joint_speed[near[:-1]].mean()
        for clip, near in zip(clips, runs.nearest, strict=True)
    ]
    return {
        "finite": float(all(np.isfinite(track).all() for track in runs.poses)),
        "longest still s": max(still.longest for still in stills),
        "runs with still over 1 s": float(np.mean([still.over_one_second > 0 for still in stills])),
        "exact loops": float(sum(quality.exact_loop(clip) is not None for clip in clips)),
        "fewest states": float(min(len(np.unique(near)) for near in runs.nearest)),
        "verbatim": float((runs.distances < 0.1 * spacing.median).mean()),
        "joint speed": float(np.mean(speeds)),
        "jerk": float(np.mean([quality.mean_jerk(clip) for clip in clips])) / source.jerk,
        "distance p95 / data's": float(np.percentile(runs.distances, 95.0)) / spacing.p95,
    }


def measure_return(field: MotionField, settings: PassiveSettings, degrees: float, count: int) -> float:
    """Return the mean seconds until states off by `degrees` in every joint are back within the data's p95 spacing."""
    rng = np.random.default_rng(FIRST_SEED)
    pose, velocity = field.start(count, seed=FIRST_SEED + 2, settings=settings)
    axes = rng.normal(size=(*pose.joint_rotations.shape[:-1], 3))
    turns = quat_exp(np.radians(degrees) * axes / np.linalg.norm(axes, axis=-1, keepdims=True))
    noisy = pose._replace(joint_rotations=quat_multiply(turns, pose.joint_rotations))
    runs = field.synthesize(MotionState(noisy, velocity), 6.0, settings=settings)
    back = runs.distances <= field.passive_states(settings).spacing.p95
    frames = np.where(back.any(axis=1), back.argmax(axis=1), back.shape[1])
    return float(frames.mean() * field.database.frame_time)


def measure_planting(field: MotionField, source: Source, runs: Synthesis) -> dict[str, float]:
    """Measure foot locking on `runs`, relative to the source and to the same runs without it."""
    poses, skeleton = runs.poses, field.database.skeleton
    turns = poses.rotations
    frame_time = field.database.frame_time
    planter = FootPlanter(skeleton, field.stance, frame_time=frame_time)
    root, planted_turns, reached, drops = planter.run(poses.root_position, turns, contact_votes=runs.contact_votes)
    planted = [Clip(skeleton, r, quat_normalize(t), frame_time) for r, t in zip(root, planted_turns, strict=True)]
    plain = field.clips(runs, plant=False)
    labels = runs.contact_votes >= 0.5
    contacts = np.split(field.database.contacts, field.database.clip_starts[1:-1])
    source_skate = _mean([contact_skate(c, k) for c, k in zip(_shortened(source.clips), contacts, strict=True)])
    source_skate = max(source_skate, LEAST_SOURCE_SKATE)
    other_source = float(np.mean([low_foot_skate(clip, field.stance) for clip in source.clips]))
    knees, source_knees = ([knee_speed(clip) for clip in clips] for clips in (planted, source.clips))
    return {
        "planted skate / source": _mean([contact_skate(c, k) for c, k in zip(planted, labels, strict=True)])
        / source_skate,
        "skate / source, unplanted": _mean([contact_skate(c, k) for c, k in zip(plain, labels, strict=True)])
        / source_skate,
        "planted skate, other rule": float(np.mean([low_foot_skate(c, field.stance) for c in planted])) / other_source,
        "knee speed p99": float(np.mean([k.p99 for k in knees]) / np.mean([k.p99 for k in source_knees])),
        "knee speed max": max(k.maximum for k in knees) / max(k.maximum for k in source_knees),
        "toe below floor cm": 100.0 * max(deepest_toe(clip, field.stance) for clip in planted),
        "out of reach": float(1.0 - np.mean(reached)),
        "pelvis drop p99 cm": float(100.0 * np.percentile(drops, 99.0)),
        "leg jerk / unplanted": float(np.mean([leg_jerk(c) for c in planted]) / np.mean([leg_jerk(c) for c in plain])),
    }


def _shortened(clips: list[Clip]) -> list[Clip]:
    """Return clips without their last frame, which has no state."""
    from motionfields.motion.clip import trim

    return [trim(clip, 0, -1) for clip in clips]


def _mean(parts: list[FloatArray]) -> float:
    return float(np.concatenate(parts).mean())


def bench(name: str, *, quick: bool) -> dict[str, dict[str, float]]:
    """Return all figures of one data set: a column for each rule and run length."""
    field = MotionField(database_of(name))
    source = source_of(field.database)
    table: dict[str, dict[str, float]] = {}
    lengths = ((8, 20.0),) if quick else ((50, 60.0), (12, 600.0))
    for rule, settings in (("ours", PassiveSettings()), ("paper", PLAIN_PAPER)):
        for count, seconds in lengths:
            start = time.perf_counter()
            first = field.start(count, seed=FIRST_SEED, settings=settings)
            runs = field.synthesize(first, seconds, seed=FIRST_SEED, settings=settings)
            took = time.perf_counter() - start
            column = measure_runs(field, source, runs, settings)
            column["us a frame"] = 1e6 * took / runs.nearest.size
            if (count, seconds) == lengths[0]:
                for degrees in (15.0, 30.0):
                    off = measure_return(field, settings, degrees, count)
                    column[f"return from {degrees:.0f} deg s"] = off
                if rule == "ours":
                    column |= measure_planting(field, source, runs)
            table[f"{rule} {count} x {seconds:.0f} s"] = column
    return table


def ablate(name: str) -> dict[str, dict[str, float]]:
    """Measure our rule, and with each departure switched off: 20 runs of 60 s, and the return from 15 degrees."""
    field = MotionField(database_of(name))
    source, table = source_of(field.database), {}
    for column, settings in ABLATIONS.items():
        first = field.start(20, seed=FIRST_SEED, settings=settings)
        runs = field.synthesize(first, 60.0, seed=FIRST_SEED, settings=settings)
        table[column] = measure_runs(field, source, runs, settings)
        table[column]["return from 15 deg s"] = measure_return(field, settings, 15.0, 20)
    return table


def print_table(name: str, table: dict[str, dict[str, float]]) -> list[str]:
    """Print the figures of one data set, and return the bounds that our rule misses."""
    print(f"\n{name}\n{'':28}" + "".join(f"{column:>16}" for column in table) + "   allowed")
    missed = []
    figures = list(dict.fromkeys(figure for column in table.values() for figure in column))
    for figure in figures:
        row = "".join(f"{column[figure]:16.3f}" if figure in column else " " * 16 for column in table.values())
        low, high = BOUNDS.get(figure, (-np.inf, np.inf))
        print(f"{figure:28}{row}" + (f"   {low:g} to {high:g}" if figure in BOUNDS else ""))
        for column, values in table.items():
            if column.startswith("ours ") and figure in values and not low <= values[figure] <= high:
                missed.append(f"{name}, {column}: {figure} is {values[figure]:.3f}")
    for column, values in table.items():
        if name == "locomotion" and column == "ours 12 x 600 s" and values["fewest states"] < LEAST_STATES:
            missed.append(f"{name}, {column}: a run visits {values['fewest states']:.0f} states, not {LEAST_STATES}")
    return missed


def main() -> int:
    parser = make_parser(__doc__, quick="few short runs of generated motion, for CI")
    parser.add_argument("--ablate", action="store_true", help="switch off each departure from the paper alone")
    parser.add_argument("--set", choices=SETS, action="append", help="only this set of data")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    names = options.set or (("samples",) if options.quick or not DATA.is_dir() else SETS)
    tables, bounds = {}, Bounds()
    for name in names:
        tables[name] = ablate(name) if options.ablate else bench(name, quick=options.quick)
        bounds.missed += print_table(name, tables[name])
    write_json(options.json, tables)
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
