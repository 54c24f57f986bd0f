"""Shows that the gates of `motionfields bench tables` see faults, by planting some.

    python scripts/prove_tables.py [--quick] [--trials 500] [--seed 2000]

Measured are a field as it was trained, the same without foresight (its values set to zero), and the same with joints
that tremble by 2 degrees. Exits 1 unless the first keeps every gate and each of the others misses one. On all generated
samples, or with `--quick` on few of them and few trials. The field is a little smoother than by default (agility 0.25),
so that what is unaltered is well within the gates.
"""

from __future__ import annotations

import argparse
import re
import sys

from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.evaluation import Figures, SourceFigures, measure_source, measure_trials, missed_gates
from motionfields.measure.evaluation.noise import NoisyController
from motionfields.measure.evaluation.tables.measuring import run_trials
from motionfields.measure.evaluation.tables.registry import REGISTRY
from motionfields.measure.evaluation.trials import Controlled
from motionfields.motion.samples import generate_samples

AGILITY = 0.25
NOISE = 2.0  # degrees
QUICK = re.compile(r"walk_forward|turn_left_\d+_gentle")


def figures_of(
    field: MotionField, source: SourceFigures, controller: Controlled, options: argparse.Namespace
) -> Figures:
    count, seeds = (24, 1) if options.quick else (options.trials, 2)
    ran = run_trials(controller, REGISTRY.cases["direction"], count=count, seeds=seeds, first_seed=options.seed)
    return measure_trials(field, source, ran.trials)


def prove(options: argparse.Namespace) -> int:
    clips = [sample.clip for sample in generate_samples(only=QUICK if options.quick else None)]
    field = MotionField(MotionDatabase.build(clips))
    source = measure_source(field)
    controller = train(field, Direction(), agility=AGILITY)
    print(f"{len(clips)} clips, {field.database.state_count} states", flush=True)
    rows: dict[str, tuple[Controlled, bool]] = {
        "unaltered": (controller, True),
        "zero values": (controller.greedy(), False),
        f"{NOISE:g} degrees of noise": (NoisyController(controller, NOISE), False),
    }
    faults = 0
    for name, (one, should_keep) in rows.items():
        figures = figures_of(field, source, one, options)
        missed = missed_gates(figures)
        right = (not missed) == should_keep
        faults += not right
        said = "; ".join(missed) or "every gate is kept"
        print(f"{'ok  ' if right else 'FAIL'}  {name}: {figures.trial_count} changes, {said}", flush=True)
    return 1 if faults else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few trials on few generated clips, for CI")
    parser.add_argument("--trials", type=int, default=500, help="changes for each row, at least")
    parser.add_argument("--seed", type=int, default=2000, help="the first of two seeds")
    return prove(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
