"""Time of `motionfields survey` on generated and captured sets, and the statements that it makes.

    python benchmarks/bench_survey.py                    # all sets that are present
    python benchmarks/bench_survey.py --quick            # ten generated clips
    python benchmarks/bench_survey.py --set locomotion --set annotated

Sets: samples (all generated clips), locomotion, walks_69, annotated. Bounds: two minutes per 50,000 states, with the
pictures and the page, and neither a problem nor a gap on the generated clips.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from common import DATA, Bounds
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey import LEVELS, save_report, survey
from motionfields.measure.survey.statements import NOTE
from motionfields.motion.clip import Clip
from motionfields.motion.formats import load_clips
from motionfields.motion.samples import generate_samples, sample_names

SETS = {"locomotion": "locomotion", "walks_69": "perturbation/walks_69", "annotated": "annotated"}
LIMIT = 120.0  # seconds per 50,000 states
MANY = 50_000


def clips_of(name: str, *, quick: bool) -> list[Clip]:
    """Return the clips of the set called `name`; with `quick`, a tenth of the generated ones."""
    if name == "samples":
        wanted = sample_names()[::17] if quick else sample_names()
        return [sample.clip for sample in generate_samples(frame_rate=30.0, only=wanted)]
    return load_clips(DATA / SETS[name])


def measure(name: str, bounds: Bounds, *, quick: bool) -> None:
    """Survey one set, and print its time and statements."""
    field = MotionField(MotionDatabase.build(clips_of(name, quick=quick)))
    count = field.database.state_count
    began = time.perf_counter()
    found = survey(field)
    surveyed = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        size = save_report(found, field, folder).stat().st_size
    seconds = time.perf_counter() - began
    each = seconds * MANY / count
    levels = ", ".join(f"{len(found.of_level(level))} {level}s" for level in LEVELS)
    print(f"{name}: {count} states, survey {surveyed:.1f} s, with its page {seconds:.1f} s ({size / 1e6:.1f} MB)")
    print(f"  {each:.0f} s per {MANY:,} states; {levels}")
    for one in found.statements:
        print(f"  {one.level}: {one.text}")
    if not quick:
        bounds.require(each <= LIMIT, f"{name}: {each:.0f} s per {MANY:,} states, at most {LIMIT:.0f} s")
        alarms = [one for one in found.statements if one.level != NOTE]
        bounds.require(name != "samples" or not alarms, f"{name}: {len(alarms)} false alarms, expected none")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="ten generated clips, without bounds")
    parser.add_argument("--set", action="append", choices=["samples", *SETS], help="a set; default: all present")
    given = parser.parse_args()
    present = [name for name, folder in SETS.items() if Path(DATA / folder).is_dir()]
    names = ["samples"] if given.quick else given.set or ["samples", *present]
    bounds = Bounds()
    for name in names:
        measure(name, bounds, quick=given.quick)
    raise SystemExit(bounds.exit_code())


if __name__ == "__main__":
    main()
