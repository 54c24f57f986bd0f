"""The figures of trials: response, and every measure of quality beside it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields import quality
from motionfields.arrays import FloatArray
from motionfields.clip import Clip
from motionfields.database import MotionState, Pose, pose_difference
from motionfields.database.states import poses_of
from motionfields.evaluation.source import SourceFigures, counted_joints, fast_turns
from motionfields.evaluation.trials import Trials
from motionfields.field import MotionField
from motionfields.planting.measures import low_foot_skate

FIRST_FRAME = 30  # characters start anywhere; what they show in the first second is not judged by its distance


class Figures(NamedTuple):
    """How trials went. Ratios are to the source; times are seconds."""

    trial_count: int
    fastest: float
    mean: float
    error: float  # standard error of the mean
    p95: float
    slowest: float
    settled: float  # mean until it was done for good
    failures: float  # share not done within 6 s
    jerk: float
    turning_jerk: float
    joint_speed: float
    skate: float
    distance: float  # p95 of the distance to data before feet are held, to that of the data itself
    turning_p99: float  # rad/s
    turning_max: float  # rad/s
    speed: float  # m/s, mean over the ground
    warped: float  # share of frames


GATES: dict[str, tuple[float, float]] = {
    "failures": (0.0, 0.0),
    "jerk": (0.0, 1.2),
    "turning_jerk": (0.0, 1.45),
    "joint_speed": (0.95, 1.05),
    "skate": (0.0, 0.5),
    "distance": (0.0, 1.0),
}
"""What no response figure counts without: least and most of each."""


def measure_trials(field: MotionField, source: SourceFigures, trials: Trials) -> Figures:
    """The figures of `trials` on `field`, whose data is as `source` says."""
    done = trials.reached[np.isfinite(trials.reached)]
    times = done if done.size else np.array([np.nan])
    jerks = [quality.jerk(clip) for clip in trials.clips]
    rates = [np.abs(quality.turning_rate(clip)) for clip in trials.clips]
    turning = np.concatenate([values[fast_turns(rate)] for values, rate in zip(jerks, rates, strict=True)])
    rate = np.concatenate(rates)
    joints = counted_joints(field)
    speed = np.concatenate([quality.joint_speed(clip, joints=joints) for clip in trials.clips]).mean()
    followed = np.concatenate([source.joint_speed[rows[:-1]] for rows in trials.rows]).mean()
    distances = np.concatenate([_distances(field, clip) for clip in trials.unplanted])
    settled = trials.settled[np.isfinite(trials.settled)]
    return Figures(
        trial_count=len(trials.reached),
        fastest=float(times.min()),
        mean=float(times.mean()),
        error=float(times.std() / np.sqrt(len(times))),
        p95=float(np.percentile(times, 95.0)),
        slowest=float(times.max()),
        settled=float(settled.mean()) if settled.size else float("nan"),
        failures=float(1.0 - len(done) / len(trials.reached)),
        jerk=float(np.concatenate(jerks).mean() / source.jerk),
        turning_jerk=float(turning.mean() / source.turning_jerk) if turning.size else 0.0,
        joint_speed=float(speed / followed),
        skate=float(np.mean([low_foot_skate(clip, field.stance) for clip in trials.clips]) / source.skate),
        distance=float(np.percentile(distances, 95.0) / field.spacing.p95),
        turning_p99=float(np.percentile(rate, 99.0)),
        turning_max=float(rate.max()),
        speed=float(np.mean([quality.root_speed(clip).mean() for clip in trials.clips])),
        warped=float(np.mean([np.mean(ways) for ways in trials.ways])),
    )


def missed_gates(figures: Figures) -> list[str]:
    """Which gates `figures` miss, in words."""
    return [
        f"{name} is {getattr(figures, name):.3f}, allowed {low:g} to {high:g}"
        for name, (low, high) in GATES.items()
        if not low <= getattr(figures, name) <= high
    ]


def _distances(field: MotionField, clip: Clip) -> FloatArray:
    """How far [frame] the states that `clip` shows are from the data."""
    poses = poses_of(clip)
    now, then = (
        Pose(*(track[part] for track in poses)) for part in (slice(FIRST_FRAME, -1), slice(FIRST_FRAME + 1, None))
    )
    features = field.database.metric.embed(MotionState(now, pose_difference(then, now)))
    return field.index.search(features, 1).distances[:, 0]
