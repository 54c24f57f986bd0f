"""Shove trials: characters that stand or walk and are pushed on the trunk, each compared with an unpushed twin.

Push trials (`pushes`) measure whether characters return to the data. Shove trials measure whether they recover as
people do: by another motion, and by a step to the side that they are pushed to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import angle_difference, heading_vector, quat_normalize
from motionfields.control.contract import Controller
from motionfields.field import MotionField
from motionfields.measure.evaluation.pushes import HOLD, NEAR, near_data
from motionfields.measure.evaluation.trials import SETTLE, stacked
from motionfields.motion.body import find_body
from motionfields.motion.planting.measures import LOW_FOOT
from motionfields.motion.quality import distinct_joints
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import DisplayPose, Frame

WATCH = 2.5  # seconds after a force within which a character must recover
REACTS = 0.3  # seconds within which it must change its clip
STEPS = 0.8  # seconds within which a recovery step must land
LEAST_STEP = 0.08  # metres along the push from the twin's foot at which a landing counts as a recovery step
CROSSED = 0.03  # metres by which an ankle must be on the wrong side of the other
LATER = 1.5  # seconds after the force at which the displacement is measured
RECOVERS = 0.7  # seconds after the force over which foot speed and jerk are measured
FIRST = 1.0  # seconds from the start of a push over which takes and crossed feet are counted


@dataclass(frozen=True)
class Shove:
    """A push on the trunk of a character that was told to move straight ahead at a speed."""

    force: float  # newtons, horizontal
    duration: float = 0.1  # seconds
    speed: float = 0.0  # m/s
    joint: str = "Spine1"


class ShoveRun(NamedTuple):
    """The displayed motion of n characters."""

    places: FloatArray  # [n, frame, joint, 3], metres
    bare: DisplayPose  # [n, frame], before foot locking
    planted: BoolArray  # [n, frame, 2]
    states: IntArray  # [n, frame], followed database states
    goal: FloatArray  # [n], heading that they were told, radians
    way: FloatArray  # [n, 2], direction of the push, world x and z


class ShoveTrials(NamedTuple):
    """Results of shove trials, one of each for every trial."""

    changed: BoolArray  # whether the followed clip differed from the twin's within `REACTS`
    step: FloatArray  # metres along the push that a foot landed beyond the twin's within `STEPS`, at most; 0: none did
    wider: FloatArray  # metres along the push that the foremost foot is beyond the twin's after `STEPS`
    crossed: FloatArray  # share of the frames of the first second with crossed feet
    reactive: FloatArray  # share of the frames of the first second that follow reactive takes
    foot_speed: FloatArray  # [trial, frame], m/s of the lower foot until `RECOVERS` after the force; NaN in the air
    jerk: FloatArray  # m/s3, mean over the joints, until `RECOVERS` after the force
    moved: FloatArray  # metres from the twin, `LATER` after the force
    recovery: FloatArray  # seconds after the force until near data and heading; infinite if not within `WATCH`


class ShoveFigures(NamedTuple):
    """Means over shove trials; foot speed and jerk as multiples of those of unpushed walking characters."""

    trials: int
    changed: float  # share of the trials
    stepped: float  # share of the trials in which a foot lands beyond the twin's, along the push
    widened: float  # share of the trials in which, besides, the feet then reach further along the push
    crossed: float  # share of the frames
    reactive: float  # share of the frames
    foot_speed: float  # 95th percentile in m/s
    foot_ratio: float
    jerk_ratio: float
    moved: float  # metres, mean
    furthest: float  # metres, largest
    recovered: float  # share of the trials
    recovery: float  # seconds, mean of those
    recovery_p95: float  # seconds


def shove_trials(
    controller: Controller,
    shove: Shove,
    count: int,
    *,
    seed: int = 0,
    reactive: Callable[[str], bool] = lambda name: False,
) -> ShoveTrials:
    """Push `count` characters by `shove`, in directions spread evenly around them, and measure their recovery.

    The task of `controller` must have the commands heading and speed. `reactive` tells by the name of a clip whether it
    shows a reaction, such as a stumble.
    """
    twin = run_shove(controller, shove, count, seed=seed, pushed=False)
    return measure_shoves(controller.field, shove, run_shove(controller, shove, count, seed=seed), twin, reactive)


def measure_shoves(
    field: MotionField, shove: Shove, run: ShoveRun, twin: ShoveRun, reactive: Callable[[str], bool]
) -> ShoveTrials:
    """Compare the pushed characters of `run` with the unpushed ones of `twin`."""
    database, at = field.database, shove_frame(field)
    end, second = at + _frames(field, shove.duration), at + _frames(field, FIRST)
    clips, others = (database.clip_of[one.states] for one in (run, twin))
    reacts = np.array([reactive(name) for name in database.clip_names])
    changed = (clips != others)[:, at + 1 : at + _frames(field, REACTS) + 1].any(axis=1)
    step, wider = _steps(field, run, twin, at)
    window = slice(at, end + _frames(field, RECOVERS))
    joints = distinct_joints(database.skeleton)
    away = (run.places - twin.places)[:, min(end + _frames(field, LATER), run.places.shape[1] - 1), 0, ::2]
    return ShoveTrials(
        changed,
        step,
        wider,
        feet_cross(field, run.places[:, at:second]).mean(axis=1),
        reacts[clips[:, at:second]].mean(axis=1),
        lower_foot_speed(field, run.places)[:, window],
        joint_jerk(run.places[:, window.start - 2 : window.stop + 1, joints], database.frame_time),
        np.hypot(away[:, 0], away[:, 1]),
        _recovery(field, run, twin, end),
    )


def shove_figures(parts: Sequence[ShoveTrials], walking: Sequence[ShoveTrials]) -> ShoveFigures:
    """Return the figures of the trials in `parts`, compared with the unpushed characters in `walking`."""
    joined, walkers = (
        {name: np.concatenate([getattr(part, name) for part in some]) for name in ShoveTrials._fields}
        for some in (parts, walking)
    )
    recovery = joined["recovery"]
    done = np.isfinite(recovery)
    speed, usual = (float(np.nanpercentile(speeds, 95.0)) for speeds in (joined["foot_speed"], walkers["foot_speed"]))
    return ShoveFigures(
        len(recovery),
        float(joined["changed"].mean()),
        float((joined["step"] > LEAST_STEP).mean()),
        float(((joined["step"] > LEAST_STEP) & (joined["wider"] > LEAST_STEP)).mean()),
        float(joined["crossed"].mean()),
        float(joined["reactive"].mean()),
        speed,
        speed / usual,
        float(joined["jerk"].mean() / walkers["jerk"].mean()),
        float(joined["moved"].mean()),
        float(joined["moved"].max()),
        float(done.mean()),
        float(recovery[done].mean()) if done.any() else np.inf,
        float(np.percentile(recovery, 95.0, method="higher")),
    )


def shove_frame(field: MotionField) -> int:
    """Return the frame before which characters are pushed."""
    return _frames(field, SETTLE)


def run_shove(
    controller: Controller, shove: Shove, count: int, *, seed: int = 0, pushed: bool = True, crowd: Any = None
) -> ShoveRun:
    """Run `count` characters of a new crowd, or those of `crowd`, and push them by `shove` unless `pushed` is False."""
    field = controller.field
    crowd = controller.crowd(count, seed=seed) if crowd is None else crowd
    at, goal = shove_frame(field), crowd.ground.facing.copy()
    commands = np.stack([goal, np.full(count, shove.speed)], axis=-1)
    azimuth = 2.0 * np.pi * np.arange(count) / count
    frames: list[Frame] = []
    bare: list[DisplayPose] = []
    way: FloatArray = np.zeros((count, 3))
    for number in range(at + _frames(field, shove.duration + WATCH + HOLD) + 2):
        if number == at:
            way = heading_vector(crowd.ground.facing + azimuth)
            for character in range(count) if pushed else ():
                crowd.push(character, shove.joint, shove.force * way[character], duration=shove.duration)
        frames.append(crowd.step(commands))
        bare.append(crowd.unplanted)
    shown = stacked(frames)
    return ShoveRun(
        forward_kinematics(field.database.skeleton, shown.root_position, quat_normalize(shown.rotations)).positions,
        stacked(bare),
        np.stack([frame.planted for frame in frames], axis=1),
        np.stack([frame.states for frame in frames], axis=1),
        goal,
        way[:, ::2],
    )


def lower_foot_speed(field: MotionField, places: FloatArray) -> FloatArray:
    """Return the ground speed [n, frame - 1] in m/s of the lower foot; NaN where both are off the ground.

    `places` is [n, frame, joint, 3]. Of a foot that is low with ball and ankle, the slower of the two counts; of a
    rolling foot, the one that is low. Low is within 3 cm of the standing height.
    """
    stance, legs = field.stance, find_body(field.database.skeleton).legs
    clear, speed = [], []
    for side, leg in enumerate(legs):
        ball, ankle = places[:, :, leg.toe], places[:, :, leg.ankle]
        rest = stance.toe_heights[side]
        heights = (ball[:, :-1, 1] - rest, ankle[:, :-1, 1] - rest - stance.heel_heights[side])
        speeds = [
            np.hypot(*np.moveaxis(np.diff(point[..., ::2], axis=1), -1, 0)) / field.database.frame_time
            for point in (ball, ankle)
        ]
        low = [height < LOW_FOOT for height in heights]
        either = np.minimum(*speeds)
        rolling = np.where(low[0], speeds[0], np.where(low[1], speeds[1], either))
        speed.append(np.where(low[0] & low[1], either, rolling))
        clear.append(np.minimum(*heights))
    lower = np.argmin(clear, axis=0)[np.newaxis]
    slowest = np.take_along_axis(np.stack(speed), lower, 0)[0]
    return np.where(np.min(clear, axis=0) > LOW_FOOT, np.nan, slowest)


def feet_cross(field: MotionField, places: FloatArray) -> BoolArray:
    """Return whether the left ankle is to the right of the right one, [n, frame]; `places` is [n, frame, joint, 3]."""
    legs = find_body(field.database.skeleton).legs
    facing = _facing(field, places)
    gap = places[:, :, legs[0].ankle] - places[:, :, legs[1].ankle]
    return np.asarray(gap[..., 0] * np.cos(facing) - gap[..., 2] * np.sin(facing) < -CROSSED)


def joint_jerk(places: FloatArray, frame_time: float) -> FloatArray:
    """Return the mean jerk [n] in m/s3 of the joints at `places` [n, frame, joint, 3]."""
    return np.asarray(np.linalg.norm(np.diff(places, n=3, axis=1), axis=-1).mean(axis=(1, 2)) / frame_time**3)


def _steps(field: MotionField, run: ShoveRun, twin: ShoveRun, at: int) -> tuple[FloatArray, FloatArray]:
    """Return `step` and `wider` of `ShoveTrials`; a landing is compared with the twin's of the same number."""
    legs, last = find_body(field.database.skeleton).legs, at + _frames(field, STEPS)
    step = np.zeros(len(run.way))
    for i, way in enumerate(run.way):
        for side, leg in enumerate(legs):
            mine, theirs = (_landings(one.planted[i, :, side], at) for one in (run, twin))
            for number, frame in enumerate(mine[mine <= last]):
                # The foot comes to rest two frames after it is locked.
                place, other = (one.places[i, :, leg.toe, ::2] for one in (run, twin))
                if np.linalg.norm(place[frame + 2] - place[at]) < 0.5 * LEAST_STEP:
                    continue
                near = number < len(theirs) and theirs[number] <= last + _frames(field, 0.4)
                same = other[(theirs[number] if near else frame) + 2]
                step[i] = max(step[i], float((place[frame + 2] - same) @ way))
    feet = [
        np.stack([(one.places[:, last, leg.toe, ::2] * run.way).sum(axis=-1) for leg in legs]) for one in (run, twin)
    ]
    return step, feet[0].max(axis=0) - feet[1].max(axis=0)


def _landings(planted: BoolArray, at: int) -> IntArray:
    """Return the frames after `at` in which a foot that is `planted` [frame] was not in the frame before."""
    frames = np.flatnonzero(planted[1:] & ~planted[:-1]) + 1
    return frames[frames > at]


def _recovery(field: MotionField, run: ShoveRun, twin: ShoveRun, end: int) -> FloatArray:
    """Return the seconds [n] from frame `end` until motion stays near the data and the heading, or the twin's."""
    hold = _frames(field, HOLD)
    frames = np.tile(end + np.arange(_frames(field, WATCH) + hold), (len(run.goal), 1))
    mine, theirs = (_facing(field, one.places)[:, end : end + frames.shape[1]] for one in (run, twin))
    off = np.minimum(np.abs(angle_difference(mine, run.goal[:, np.newaxis])), np.abs(angle_difference(mine, theirs)))
    fine = near_data(field, run.bare, frames) & (off <= NEAR)
    kept = np.asarray(np.lib.stride_tricks.sliding_window_view(fine, hold, axis=1).all(axis=-1))
    first = np.where(kept.any(axis=1), kept.argmax(axis=1), np.inf)
    return np.asarray(first * field.database.frame_time)


def _facing(field: MotionField, places: FloatArray) -> FloatArray:
    """Return the yaw [...] perpendicular to the line of the hips at `places` [..., joint, 3]."""
    legs = find_body(field.database.skeleton).legs
    line = places[..., legs[0].hip, :] - places[..., legs[1].hip, :]
    return np.asarray(np.arctan2(-line[..., 2], line[..., 0]))


def _frames(field: MotionField, seconds: float) -> int:
    return round(seconds / field.database.frame_time)


def named_in(takes: Collection[str]) -> Callable[[str], bool]:
    """Return a test whether a clip, or the clip that it mirrors, is one of `takes` or of a subject `takes` lists.

    A take is a whole name such as "69_20"; a subject is its number with an underscore, such as "104_".
    """
    return lambda name: name.partition(".")[0] in takes or name.partition("_")[0] + "_" in takes
