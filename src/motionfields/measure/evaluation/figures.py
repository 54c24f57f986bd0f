"""Figures of trials: response times and measures of motion quality."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.field import MotionField
from motionfields.field.database import MotionState, Pose, pose_difference
from motionfields.field.database.states import poses_of
from motionfields.measure.evaluation.source import SourceFigures, counted_joints, fast_turns
from motionfields.measure.evaluation.trials import Trials
from motionfields.motion import quality
from motionfields.motion.clip import Clip
from motionfields.motion.planting.measures import low_foot_skate

FIRST_FRAME = 30  # characters start at any state, so the distance to the data is not judged in the first second


class Figures(NamedTuple):
    """Summary of trials. Ratios are to the source data; times are in seconds."""

    trial_count: int
    fastest: float
    mean: float
    error: float  # standard error of the mean
    p95: float
    slowest: float
    settled: float  # mean time until the goal was reached for good
    failures: float  # share not completed within 6 s
    jerk: float
    turning_jerk: float
    joint_speed: float
    skate: float
    distance: float  # p95 of the distance to the data before foot locking, relative to that of the data itself
    turning_p99: float  # rad/s
    turning_max: float  # rad/s
    speed: float  # m/s, mean over the ground
    warped: float  # share of frames with warped root motion


GATES: dict[str, tuple[float, float]] = {
    "failures": (0.0, 0.0),
    "jerk": (0.0, 1.2),
    "turning_jerk": (0.0, 1.45),
    "joint_speed": (0.95, 1.05),
    "skate": (0.0, 0.5),
    "distance": (0.0, 1.0),
}
"""Lowest and highest allowed value of each figure; a response time counts only if all gates are met."""


class Motions(NamedTuple):
    """Motion of each character in trials: lists hold one array per character, arrays one entry."""

    jerk: list[FloatArray]  # [frame - 3], m/s3
    turning_rate: list[FloatArray]  # [frame], rad/s, absolute
    joint_speed: list[FloatArray]  # [frame - 1], rad/s
    followed_speed: list[FloatArray]  # [frame - 1], rad/s, of the database states it followed
    distance: list[FloatArray]  # [frame - 31], to the data, before foot locking
    skate: FloatArray  # [character], m/s
    speed: FloatArray  # [character], m/s over the ground
    warped: FloatArray  # [character], share of frames

    def of(self, characters: IntArray) -> Motions:
        """Return the motion of `characters` [n], which may contain repetitions."""
        jerk, rate, joint_speed, followed, distance = ([track[i] for i in characters.tolist()] for track in self[:5])
        skate, speed, warped = (track[characters] for track in self[5:])
        return Motions(jerk, rate, joint_speed, followed, distance, skate, speed, warped)


def measure_trials(field: MotionField, source: SourceFigures, trials: Trials) -> Figures:
    """Return the figures of `trials` on `field`, relative to `source`."""
    motions = measure_motions(field, source, trials)
    return figures_of(field, source, trials.reached, trials.settled, motions)


def measure_motions(field: MotionField, source: SourceFigures, trials: Trials) -> Motions:
    """Measure the motion of each character in `trials`."""
    joints = counted_joints(field)
    return Motions(
        [quality.jerk(clip) for clip in trials.clips],
        [np.abs(quality.turning_rate(clip)) for clip in trials.clips],
        [quality.joint_speed(clip, joints=joints) for clip in trials.clips],
        [source.joint_speed[states[:-1]] for states in trials.states],
        [_distances(field, clip) for clip in trials.unplanted],
        np.array([low_foot_skate(clip, field.stance) for clip in trials.clips]),
        np.array([quality.root_speed(clip).mean() for clip in trials.clips]),
        np.array([np.mean(variants) for variants in trials.variants]),
    )


def figures_of(
    field: MotionField, source: SourceFigures, reached: FloatArray, settled: FloatArray, motions: Motions
) -> Figures:
    """Return the figures of changes that took `reached` and `settled` [trial] seconds, with the motion `motions`."""
    done = reached[np.isfinite(reached)]
    times = done if done.size else np.array([np.nan])
    jerks, rates = motions.jerk, motions.turning_rate
    turning = np.concatenate([values[fast_turns(rate)] for values, rate in zip(jerks, rates, strict=True)])
    rate = np.concatenate(rates)
    held = settled[np.isfinite(settled)]
    return Figures(
        trial_count=len(reached),
        fastest=float(times.min()),
        mean=float(times.mean()),
        error=float(times.std() / np.sqrt(len(times))),
        p95=float(np.percentile(times, 95.0)),
        slowest=float(times.max()),
        settled=float(held.mean()) if held.size else float("nan"),
        failures=float(1.0 - len(done) / len(reached)),
        jerk=float(np.concatenate(jerks).mean() / source.jerk),
        turning_jerk=float(turning.mean() / source.turning_jerk) if turning.size else 0.0,
        joint_speed=float(np.concatenate(motions.joint_speed).mean() / np.concatenate(motions.followed_speed).mean()),
        skate=float(motions.skate.mean() / source.skate),
        distance=float(np.percentile(np.concatenate(motions.distance), 95.0) / field.spacing.p95),
        turning_p99=float(np.percentile(rate, 99.0)),
        turning_max=float(rate.max()),
        speed=float(motions.speed.mean()),
        warped=float(motions.warped.mean()),
    )


def within_gate(name: str, value: float) -> bool:
    """Return whether `value` is within the gate of the figure `name`; false for NaN."""
    low, high = GATES[name]
    return low <= value <= high


def missed_gates(figures: Figures) -> list[str]:
    """Return one line of text for each gate that `figures` miss."""
    return [
        f"{name} is {getattr(figures, name):.3f}, allowed {low:g} to {high:g}"
        for name, (low, high) in GATES.items()
        if not within_gate(name, getattr(figures, name))
    ]


def _distances(field: MotionField, clip: Clip) -> FloatArray:
    """Return the distance to the data [frame - 31] of the states that `clip` shows."""
    poses = poses_of(clip)
    now, then = (
        Pose(*(track[part] for track in poses)) for part in (slice(FIRST_FRAME, -1), slice(FIRST_FRAME + 1, None))
    )
    features = field.database.metric.embed(MotionState(now, pose_difference(then, now)))
    return field.index.search(features, 1).distances[:, 0]
