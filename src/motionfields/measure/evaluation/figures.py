"""Figures of trials: response times and measures of motion quality."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.field import MotionField
from motionfields.field.database import MotionState, Pose, pose_difference
from motionfields.field.database.states import poses_of
from motionfields.field.database.takes import takes_of
from motionfields.measure.evaluation.footing import (
    FootTracks,
    compare_feet,
    foot_figures,
    foot_tracks,
    largest_share,
    replayed_frames,
    replayed_share,
)
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
    foot_speed: float  # mean speed of the supporting foot
    foot_p95: float  # 95th percentile of that speed
    fast_feet: float  # share of frames in which it is faster than 0.6 m/s
    turning_foot_speed: float  # the same three over frames that turn faster than 60 degrees per second
    turning_foot_p95: float
    turning_fast_feet: float
    foot_spin: float  # mean yaw speed of the supporting foot over turning frames
    twist: float  # p95 of the torso's yaw against the pelvis
    flight: float  # share of frames with both feet off the ground, above that of the source; not a ratio
    replayed: float  # share of turning frames that show the data again; not a ratio
    largest_share: float  # share of time spent in the most shown clip and its mirror image; not a ratio


FOOTWORK_GATES: dict[str, tuple[float, float]] = {
    "turning_foot_speed": (0.0, 1.2),
    "turning_foot_p95": (0.0, 1.2),
    "turning_fast_feet": (0.0, 1.5),
    "foot_spin": (0.0, 2.0),
    "twist": (0.8, 2.0),
    "flight": (0.0, 0.005),
    "replayed": (0.0, 0.005),
}
"""Gates of footwork and progress: they catch a character that turns without stepping."""

GATES: dict[str, tuple[float, float]] = {
    "failures": (0.0, 0.0),
    "jerk": (0.0, 1.2),
    "turning_jerk": (0.0, 1.45),
    "joint_speed": (0.95, 1.05),
    "skate": (0.0, 0.5),
    "distance": (0.0, 1.0),
    **FOOTWORK_GATES,
}
"""Lowest and highest allowed value of each figure; a response time counts only if all gates are met."""

# The field's controllers miss these on some data: turns use less of the torso's twist than the captured ones.
NOT_REQUIRED = ("turning_foot_p95", "turning_fast_feet", "twist")
REQUIRED_GATES: tuple[str, ...] = tuple(name for name in GATES if name not in NOT_REQUIRED)
"""Gates that tests and benchmarks require of the package's own controllers."""


class Motions(NamedTuple):
    """Motion of each character in trials: lists hold one array per character, arrays one entry."""

    jerk: list[FloatArray]  # [frame - 3], m/s3
    turning_rate: list[FloatArray]  # [frame], rad/s, absolute
    joint_speed: list[FloatArray]  # [frame - 1], rad/s
    followed_speed: list[FloatArray]  # [frame - 1], rad/s, of the database states it followed
    distance: list[FloatArray]  # [frame - 31], to the data, before foot locking
    feet: list[FootTracks]
    replayed: list[BoolArray]  # [frame], shows the data again
    take: list[IntArray]  # [frame], number of the captured clip that it followed
    skate: FloatArray  # [character], m/s
    speed: FloatArray  # [character], m/s over the ground
    warped: FloatArray  # [character], share of frames

    def of(self, characters: IntArray) -> Motions:
        """Return the motion of `characters` [n], which may contain repetitions."""
        chosen = characters.tolist()
        parts: Any = ([track[i] for i in chosen] if isinstance(track, list) else track[characters] for track in self)
        return Motions(*parts)


def measure_trials(field: MotionField, source: SourceFigures, trials: Trials) -> Figures:
    """Return the figures of `trials` on `field`, relative to `source`."""
    motions = measure_motions(field, source, trials)
    return figures_of(field, source, trials.reached, trials.settled, motions)


def measure_motions(field: MotionField, source: SourceFigures, trials: Trials) -> Motions:
    """Measure the motion of each character in `trials`."""
    joints = counted_joints(field)
    takes, frame_time = takes_of(field.database), field.database.frame_time
    return Motions(
        [quality.jerk(clip) for clip in trials.clips],
        [np.abs(quality.turning_rate(clip)) for clip in trials.clips],
        [quality.joint_speed(clip, joints=joints) for clip in trials.clips],
        [source.joint_speed[states[:-1]] for states in trials.states],
        [_distances(field, clip) for clip in trials.unplanted],
        [foot_tracks(clip, field.stance) for clip in trials.clips],
        [replayed_frames(states, frame_time) for states in trials.states],
        [takes[states] for states in trials.states],
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
    feet = compare_feet(foot_figures(motions.feet), source.feet)
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
        **feet._asdict(),
        replayed=replayed_share(motions.replayed, [track.turning for track in motions.feet]),
        largest_share=largest_share(motions.take),
    )


def within_gate(name: str, value: float) -> bool:
    """Return whether `value` is within the gate of the figure `name`; false for NaN."""
    if name not in GATES:
        raise ValueError(f"name: expected one of {', '.join(GATES)}, got {name!r}")
    low, high = GATES[name]
    return low <= value <= high


def missed_gates(figures: Figures, names: Iterable[str] = tuple(GATES)) -> list[str]:
    """Return one line of text for each gate among `names` that `figures` miss."""
    return [
        f"{name} is {getattr(figures, name):.3f}, allowed {GATES[name][0]:g} to {GATES[name][1]:g}"
        for name in names
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
