"""Measure captured motion itself, the reference for every figure that is relative to the source.

    python benchmarks/measure_source.py [SOURCE]

SOURCE is a folder, pattern, archive or file of motion (default: the shared data's locomotion set). Prints the measures
of the files unchanged, and of the same files as they enter a database: low-passed at 8 Hz, then resampled to 30 frames
per second.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common import DATA, make_parser
from motionfields.base.arrays import FloatArray
from motionfields.motion import quality
from motionfields.motion.clip import Clip, low_pass, resample
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.formats import load_clips

COLUMNS = (
    ("seconds", "{:9.1f}"),
    ("speed m/s", "{:9.2f}"),
    ("turn p95 deg/s", "{:14.0f}"),
    ("turn p99", "{:9.0f}"),
    ("in contact", "{:10.2f}"),
    ("skate cm/s", "{:10.2f}"),
    ("skate p95", "{:9.2f}"),
    ("joints deg/s", "{:12.1f}"),
    ("jerk m/s3", "{:9.1f}"),
    ("jerk turning", "{:12.1f}"),
)


def measures(clip: Clip) -> FloatArray:
    """Return the figures of COLUMNS for one clip."""
    contacts = detect_contacts(clip)
    skate, turning = quality.foot_skate(clip, contacts), quality.peak_turning_rate(clip)
    return np.array(
        [
            clip.duration,
            np.median(quality.root_speed(clip)),
            np.degrees(turning.p95),
            np.degrees(turning.p99),
            contacts.mean(),
            100.0 * skate.mean,
            100.0 * skate.p95,
            np.degrees(quality.joint_speed(clip).mean()),
            quality.mean_jerk(clip),
            quality.mean_jerk_in_turns(clip),
        ]
    )


def print_table(title: str, clips: Sequence[Clip]) -> None:
    print(f"\n{title}")
    print(f"{'clip':12}" + " ".join(name.rjust(len(form.format(0.0))) for name, form in COLUMNS))
    rows = np.array([measures(clip) for clip in clips])
    for clip, row in zip(clips, rows, strict=True):
        print(f"{clip.name[:12]:12}" + " ".join(form.format(v) for (_, form), v in zip(COLUMNS, row, strict=True)))
    known = np.isfinite(rows)
    weights = rows[:, :1] * known
    mean = (np.where(known, rows, 0.0) * weights).sum(axis=0) / weights.sum(axis=0)
    mean[0] = rows[:, 0].sum()
    print(f"{'all':12}" + " ".join(form.format(v) for (_, form), v in zip(COLUMNS, mean, strict=True)))


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("source", nargs="?", default=str(DATA / "locomotion"))
    clips = load_clips(parser.parse_args().source)
    print("means are weighted by duration")
    print_table("as captured", clips)
    print_table("as it enters a database: 8 Hz low-pass, 30 frames/s", [resample(low_pass(c), 30.0) for c in clips])


if __name__ == "__main__":
    main()
