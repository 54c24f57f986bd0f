"""Compare the generated clips with captured walking, in figures; `docs/figures/make_images.py` draws both.

    python benchmarks/compare_samples.py [--data ../shared/data]

The captured motion is subject 69 of the CMU database, in `DATA/locomotion` (see the README there); without it, only the
figures of the generated clips are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from common import DATA, make_parser
from motionfields.base.arrays import FloatArray
from motionfields.measure.analysis import gait_cycles, leg_angles
from motionfields.motion.clip import Clip, low_pass, resample
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.formats import load_clip
from motionfields.motion.quality import (
    facing_yaw,
    foot_skate,
    mean_jerk,
    peak_turning_rate,
    response_time,
    root_speed,
    turning_rate,
)
from motionfields.motion.samples import Sample, generate_samples
from motionfields.motion.skeleton import tip_positions

JOINTS = ("hip", "knee", "ankle")
_SIDED = ("UpLeg", "Leg", "Foot", "ToeBase", "Arm", "ForeArm", "Hand")
COMPARED_JOINTS = ("Hips", "Spine", "Spine1", "Head", *(s + n for n in _SIDED for s in ("Left", "Right")))


class CycleSet(NamedTuple):
    """Gait cycles from touch-down to touch-down of the same foot, both feet together."""

    angles: FloatArray  # [cycle, phase, joint], degrees of hip, knee and ankle flexion
    seconds: FloatArray  # [cycle]
    metres: FloatArray  # [cycle], stride length
    stance: FloatArray  # [cycle], share of the cycle in contact


class Agreement(NamedTuple):
    """Agreement of the detector's contacts with the known ones."""

    f1: float
    extra: int  # frames in contact only by the detector
    missed: int


def load_capture(path: Path) -> Clip:
    """Load a captured file, low-passed at 8 Hz."""
    return low_pass(load_clip(path))


def steady_cycles(clips: Iterable[Clip]) -> CycleSet:
    """Return all cycles of steady straight walking: 0.55 to 1.15 m/s, under 12 degrees of turn, 0.9 to 1.5 s."""
    found = []
    for clip in clips:
        contacts, angles, yaw = detect_contacts(clip), np.degrees(leg_angles(clip)), np.degrees(facing_yaw(clip))
        for foot in range(2):
            cycles = gait_cycles(angles[:, foot], contacts[:, foot])
            onset = np.flatnonzero(contacts[1:, foot] & ~contacts[:-1, foot]) + 1
            for cycle, (start, stop) in zip(cycles, pairwise(onset), strict=True):
                seconds = (stop - start) * clip.frame_time
                stride = float(np.linalg.norm((clip.root_position[stop] - clip.root_position[start])[::2]))
                turned = yaw[start : stop + 1]
                straight = abs(turned[-1] - turned[0]) < 12.0 and np.ptp(turned) < 22.0
                if straight and 0.9 < seconds < 1.5 and 0.55 < stride / seconds < 1.15:
                    found.append((cycle, seconds, stride, contacts[start:stop, foot].mean()))
    return CycleSet(*(np.array([row[column] for row in found]) for column in range(4)))


def within_two_sd(samples: CycleSet, capture: CycleSet) -> FloatArray:
    """Return the share of phases [joint] at which the samples' mean curve is within 2 sd of the capture's mean."""
    gap = np.abs(samples.angles.mean(axis=0) - capture.angles.mean(axis=0))
    return np.asarray((gap <= 2.0 * capture.angles.std(axis=0)).mean(axis=0))


def joint_jerk(clips: Iterable[Clip]) -> FloatArray:
    """Return the mean jerk in m/s3 of each of COMPARED_JOINTS over `clips`, low-passed at 8 Hz and at 30 frames/s."""
    parts = []
    for clip in clips:
        slow = resample(low_pass(clip), 30.0)
        joints = [clip.skeleton.index(name) for name in COMPARED_JOINTS]
        third = np.diff(slow.world().positions[:, joints], n=3, axis=0) / slow.frame_time**3
        parts.append(np.linalg.norm(third, axis=-1))
    return np.asarray(np.concatenate(parts).mean(axis=0))


def contact_agreement(samples: Iterable[Sample]) -> Agreement:
    """Compare detected contacts with the known ones, over all frames and both feet."""
    pairs = [(detect_contacts(sample.clip), sample.contacts) for sample in samples]
    found, known = (np.concatenate([pair[column] for pair in pairs]) for column in range(2))
    both, extra, missed = (found & known).sum(), (found & ~known).sum(), (~found & known).sum()
    return Agreement(float(2 * both / (2 * both + extra + missed)), int(extra), int(missed))


def mean_skate(samples: Sequence[Sample]) -> float:
    """Return the mean horizontal speed in m/s of the ball of the foot during known contacts."""
    weights = [sample.contacts.sum() for sample in samples]
    return float(np.average([foot_skate(sample.clip, sample.contacts).mean for sample in samples], weights=weights))


def lowest_point(sample: Sample) -> float:
    """Return the lowest height in metres of any joint or tip."""
    world = sample.clip.world()
    tips = tip_positions(sample.clip.skeleton, world)
    return float(min(world.positions[..., 1].min(), tips[..., 1].min()))


def turning_seconds(clip: Clip) -> float:
    """Return the seconds from the start of the fastest turn of `clip` until it faces within 5 degrees of the target.

    The target angle is part of the clip's name. The turn starts at the last frame before the fastest one that turns
    slower than 20 degrees per second, as in a straight walk.
    """
    _, side, degrees, *_ = clip.name.split("_")
    rate = np.abs(turning_rate(clip))
    slow = np.flatnonzero(rate[: rate.argmax()] < np.radians(20.0))
    target = np.radians(float(degrees)) * (1.0 if side == "left" else -1.0)
    return response_time(facing_yaw(clip)[slow[-1] :], target, clip.frame_time).reached


def report_turns(samples: Sequence[Sample]) -> None:
    """Print the jerk of each family of turns, and the speed of the spin turns."""
    turns = [sample.clip for sample in samples if sample.clip.name.startswith("turn_")]
    for family in ("gentle", "quick", "spin"):
        jerks = [mean_jerk(clip) for clip in turns if clip.name.split("_")[3] == family]
        print(f"{family} turns: {len(jerks)}, mean jerk {np.mean(jerks):.0f}, highest of a clip {max(jerks):.0f} m/s3")
    spins = [clip for clip in turns if clip.name.split("_")[3] == "spin"]
    for degrees in sorted({clip.name.split("_")[2] for clip in spins}):
        clips = [clip for clip in spins if clip.name.split("_")[2] == degrees]
        seconds = [turning_seconds(clip) for clip in clips]
        peak = max(np.degrees(peak_turning_rate(clip).maximum) for clip in clips)
        span = f"{min(seconds):.2f} to {max(seconds):.2f}"
        print(f"  spin by {degrees}: within 5 degrees in {span} s, peak {peak:.0f} deg/s")


def report_samples(samples: Sequence[Sample]) -> None:
    seconds = sum(sample.clip.duration for sample in samples)
    agreement = contact_agreement(samples)
    print(f"{len(samples)} clips, {seconds:.1f} s, skate {100 * mean_skate(samples):.3f} cm/s in known contacts")
    print(f"detector F1 {agreement.f1:.3f}, extra frames {agreement.extra}, missed {agreement.missed}")
    print(f"lowest joint or tip {1000 * min(map(lowest_point, samples)):.1f} mm above the floor")
    worst = min(samples, key=lambda sample: contact_agreement([sample]).f1)
    print(f"lowest F1 of a clip {contact_agreement([worst]).f1:.3f} ({worst.clip.name})")
    peak = max(samples, key=lambda sample: peak_turning_rate(sample.clip).maximum)
    print(f"peak yaw rate {np.degrees(peak_turning_rate(peak.clip).maximum):.0f} deg/s ({peak.clip.name})")


def report_comparison(samples: Sequence[Sample], capture: Sequence[Clip]) -> None:
    own, theirs = steady_cycles(sample.clip for sample in samples), steady_cycles(capture)
    print(f"steady cycles: {len(own.seconds)} generated, {len(theirs.seconds)} captured")
    for name, column in (("stride seconds", 1), ("stride metres", 2), ("stance share", 3)):
        mean, spread = theirs[column].mean(), theirs[column].std()
        print(f"  {name:15s} {own[column].mean():.3f} against {mean:.3f} (sd {spread:.3f})")
    for joint, share in zip(JOINTS, within_two_sd(own, theirs), strict=True):
        print(f"  {joint:6s} within 2 sd at {100 * share:.0f} % of the phase")
    speeds = [np.median(np.concatenate([*map(root_speed, clips)])) for clips in ((s.clip for s in samples), capture)]
    print(f"median speed {speeds[0]:.2f} m/s against {speeds[1]:.2f}")
    jerks = joint_jerk(s.clip for s in samples), joint_jerk(capture)
    ratio = jerks[0].mean() / jerks[1].mean()
    print(f"jerk, all: {jerks[0].mean():.1f} against {jerks[1].mean():.1f} m/s3, ratio {ratio:.2f}")
    for name, one, other in zip(COMPARED_JOINTS, *jerks, strict=True):
        print(f"  {name:14s} {one:6.1f} against {other:6.1f}: {one / other:.2f}")
    walks = [s.clip for s in samples if s.clip.name in ("walk_forward", "walk_slow")]
    straight = [clip for clip in capture if clip.name in ("69_01", "69_05")]
    ratio = joint_jerk(walks).mean() / joint_jerk(straight).mean()
    print(f"jerk, straight walks: {joint_jerk(walks).mean():.1f}, ratio {ratio:.2f}")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder that holds locomotion/*.bvh")
    options = parser.parse_args()
    samples = generate_samples()
    report_samples(samples)
    report_turns(samples)
    files = sorted((options.data / "locomotion").glob("*.bvh"))
    if not files:
        print(f"no capture in {options.data / 'locomotion'}: give --data or set MOTIONFIELDS_DATA to compare with it")
        return
    report_comparison(samples, [load_capture(path) for path in files])


if __name__ == "__main__":
    main()
