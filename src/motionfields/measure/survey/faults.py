"""Faults of takes: sliding feet, shaking, jumps, a floor that drifts, a wrong frame rate, exchanged sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.field.database.report import BuildReport
from motionfields.measure.survey.statements import Statement, runs
from motionfields.motion import footwork, quality
from motionfields.motion.body import Body
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import central_velocity
from motionfields.motion.formats.plausibility import implausible_rate, rate_evidence
from motionfields.motion.planting import Stance

SHORTEST = 8  # frames of a take that can be judged
SLIDING = 0.1  # m/s of the supporting foot, in half of the frames
WALKED = 1.8  # m/s of the root; in faster motion feet are on the ground too shortly to judge them
JUDGED_TIME = 0.5  # seconds of walking or standing needed to judge sliding
JITTER = 1.05  # ratio of third to second differences of the joints' positions; smooth motion has less
LEAST_JERK = 60.0  # m/s3; below, shaking is too small to see
POP = 0.05  # metres by which a joint departs from the mean of the frames before and after
POP_RATIO = 4.0  # times the usual departure in the frames around
POP_FRAMES = 4  # frames each way that count as around
FROZEN_TURN = 1e-5  # radians that no joint turns in a frame, and metres that the root does not move
FROZEN_TIME = 0.2  # seconds
DRIFT = 0.05  # metres by which the standing feet rise or sink in a take
OFFSET = 0.04  # metres between the standing height of a take and that of all
DEPTH = 0.05  # metres below the standing height
STILL_FOOT = 0.1  # m/s
LOW_FOOT = 0.01  # metres above the standing height
MISSING_TIME = 0.3  # seconds of a foot on the ground without a contact label
SWAP_TIME = 0.1  # seconds within which left and right change places
SWAP_APART = 0.2  # metres between left and right knees, ankles and balls, before and after
SWAP_FRAMES = 2  # frames that must show the exchange; a hasty step or a hop shows it in one
UNEVEN = 0.03  # metres
RATE_WORDS = "check the frame rate"  # in warnings of `implausible_rate`
WALK_TIME = 2.0  # seconds of walking needed to judge arms and legs
SAME_SWING = 0.5  # correlation of arm and leg of one side


class TakeFigures(NamedTuple):
    """Figures of one take, in metres and seconds; NaN where it is too short or has no contacts."""

    name: str
    seconds: float
    jerk: float  # m/s3
    jitter: float  # third differences of the joints' positions divided by the second ones
    slide: float  # m/s, median speed of the supporting foot while walking or standing
    floor: float  # height of the standing feet above that of all takes, metres
    drift: float  # rise of the standing feet over the take, metres
    depth: float  # farthest that a ball goes below its standing height, metres


class Take(NamedTuple):
    """A take as it went into the database, with its contacts."""

    clip: Clip
    contacts: BoolArray  # [frame, 2]
    body: Body
    stance: Stance  # of all takes


def figures(take: Take) -> TakeFigures:
    """Return the figures of `take`."""
    clip = take.clip
    if clip.frame_count < SHORTEST:
        return TakeFigures(clip.name, clip.duration, *[float("nan")] * 6)
    speed = sliding(take)
    places = clip.world().positions[:, quality.distinct_joints(clip.skeleton)]
    second, third = (np.linalg.norm(np.diff(places, n=order, axis=0), axis=-1).mean() for order in (2, 3))
    heights = standing_heights(take)
    depth = float((take.stance.toe_heights - _balls(take)[..., 1]).max())
    return TakeFigures(
        clip.name,
        clip.duration,
        quality.mean_jerk(clip),
        float(third / max(second, 1e-9)),
        float(np.nanmedian(speed)) if np.isfinite(speed).sum() * clip.frame_time >= JUDGED_TIME else float("nan"),
        float(np.nanmedian(heights)) if np.isfinite(heights).any() else float("nan"),
        _rise(heights),
        max(0.0, depth),
    )


def sliding(take: Take) -> FloatArray:
    """Return the speed [frame - 1] in m/s of the supporting foot; NaN in the air and in motion faster than a walk."""
    speed = footwork.lower_foot_speed(take.clip, take.stance, body=take.body)
    judged = ~footwork.airborne(take.clip, take.stance, body=take.body) & (quality.root_speed(take.clip) < WALKED)
    return np.where(judged[:-1], speed, np.nan)


def take_faults(take: Take, found: TakeFigures) -> list[Statement]:
    """Return the faults of `take` with the figures `found`."""
    if take.clip.frame_count < SHORTEST:
        return []
    checks: Sequence[Callable[[], Iterator[Statement]]] = (
        lambda: _skate(take, found),
        lambda: _jitter(take, found),
        lambda: _pops(take),
        lambda: _frozen(take),
        lambda: _floor(take, found),
        lambda: _rate(take),
        lambda: _contacts(take),
        lambda: _swaps(take),
        lambda: _swing(take),
    )
    return [statement for check in checks for statement in check()]


def report_faults(report: BuildReport) -> list[Statement]:
    """Return the faults that the build reported: uneven bones, and warnings about files."""
    found = []
    if report.bone_change > UNEVEN:
        text = f"Left and right bones differ: making them equal changed one by {100.0 * report.bone_change:.1f} cm."
        found.append(Statement("uneven-bones", text, value=report.bone_change))
    for warning in report.warnings:
        if "nearly the same motion" not in warning:
            kind = "frame-rate" if RATE_WORDS in warning else "file-warning"
            found.append(Statement(kind, f"{warning}.", warning.partition(":")[0]))
    return found


def standing_heights(take: Take) -> FloatArray:
    """Return the height [frame] in metres of the balls of standing feet above those of all takes; NaN in flight."""
    heights = _balls(take)[..., 1] - take.stance.toe_heights
    held = np.where(take.contacts, heights, 0.0).sum(axis=1)
    count = take.contacts.sum(axis=1)
    return np.where(count > 0, held / np.maximum(count, 1), np.nan)


def _rise(heights: FloatArray) -> float:
    """Return the rise in metres over a take, from a straight line through the heights [frame] of standing feet."""
    known = np.flatnonzero(np.isfinite(heights))
    if len(known) < SHORTEST or known[-1] - known[0] < 0.5 * len(heights):
        return float("nan")
    slope = np.polyfit(known, heights[known], 1)[0]
    return float(slope * (known[-1] - known[0]))


def _balls(take: Take) -> FloatArray:
    """Return the positions [frame, 2, 3] in metres of the balls of the feet."""
    return np.asarray(take.clip.world().positions[:, [leg.toe for leg in take.body.legs]])


def _skate(take: Take, found: TakeFigures) -> Iterator[Statement]:
    if found.slide > SLIDING:
        text = f"{take.clip.name}: the supporting foot slides, at {100.0 * found.slide:.0f} cm/s in half of the frames."
        yield Statement("skate", text, take.clip.name, int(np.nanargmax(sliding(take))), found.slide)


def _jitter(take: Take, found: TakeFigures) -> Iterator[Statement]:
    if found.jitter > JITTER and found.jerk > LEAST_JERK:
        frame = int(quality.jerk(take.clip).argmax()) + 1
        text = f"{take.clip.name}: the joints shake: a jerk of {found.jerk:.0f} m/s3, most of it above 5 Hz."
        yield Statement("jitter", text, take.clip.name, frame, found.jitter)


def _pops(take: Take) -> Iterator[Statement]:
    """Yield the greatest departure of a joint from the mean of its neighbouring frames, if it stands alone."""
    places = take.clip.world().positions - take.clip.root_position[:, np.newaxis]
    away = np.linalg.norm(places[1:-1] - 0.5 * (places[2:] + places[:-2]), axis=-1)
    frame, joint = np.unravel_index(int(away.argmax()), away.shape)
    around = np.sort(away[max(0, frame - POP_FRAMES) : frame + POP_FRAMES + 1, joint])
    # The frames beside a jump depart by half as much: the fourth largest departure is the first usual one.
    if away[frame, joint] > max(POP, POP_RATIO * around[max(0, len(around) - 4)]):
        jump = 100.0 * float(away[frame, joint])
        text = f"{take.clip.name}: {take.clip.skeleton.names[joint]} jumps by {jump:.0f} cm in one frame."
        yield Statement("pop", text, take.clip.name, int(frame) + 1, jump)


def _frozen(take: Take) -> Iterator[Statement]:
    clip = take.clip
    turn = 2.0 * np.linalg.norm(np.diff(clip.rotations, axis=0), axis=-1).max(axis=-1)
    moved = np.linalg.norm(np.diff(clip.root_position, axis=0), axis=-1)
    still = (turn < FROZEN_TURN) & (moved < FROZEN_TURN)
    for first, last in runs(still, np.array([0, len(still)])):
        seconds = (last + 1 - first) * clip.frame_time
        if seconds >= FROZEN_TIME:
            text = f"{clip.name}: the pose is frozen for {seconds:.1f} s."
            yield Statement("frozen", text, clip.name, int(first), float(seconds))
            return


def _floor(take: Take, found: TakeFigures) -> Iterator[Statement]:
    name, heights = take.clip.name, standing_heights(take)
    if abs(found.drift) > DRIFT:
        word = "rises" if found.drift > 0.0 else "sinks"
        text = f"{name}: the floor {word} by {100.0 * abs(found.drift):.0f} cm during the take."
        yield Statement("floor-drift", text, name, int(np.flatnonzero(np.isfinite(heights))[-1]), found.drift)
    elif abs(found.floor) > OFFSET:
        word = "above" if found.floor > 0.0 else "below"
        text = f"{name}: the feet stand {100.0 * abs(found.floor):.0f} cm {word} the floor of the other takes."
        yield Statement("floor-offset", text, name, int(np.flatnonzero(np.isfinite(heights))[0]), found.floor)
    elif found.depth > DEPTH:
        depth = take.stance.toe_heights - _balls(take)[..., 1]
        frame, foot = np.unravel_index(int(depth.argmax()), depth.shape)
        text = f"{name}: the {('left', 'right')[foot]} foot goes {100.0 * found.depth:.0f} cm below the floor."
        yield Statement("through-floor", text, name, int(frame), found.depth)


def _rate(take: Take) -> Iterator[Statement]:
    warning = implausible_rate(take.clip, rate_evidence(take.clip, take.body))
    if warning:
        yield Statement(
            "frame-rate", f"{take.clip.name}: {warning.partition(f': {RATE_WORDS}')[0]}.", take.clip.name, 0
        )


def _contacts(take: Take) -> Iterator[Statement]:
    """Yield the longest time for which a foot stands on the floor without a contact label."""
    balls = _balls(take)
    speed = np.linalg.norm(central_velocity(balls, take.clip.frame_time), axis=-1)
    heights = balls[..., 1] - take.stance.toe_heights
    on_floor = (speed < STILL_FOOT) & (np.abs(heights) < LOW_FOOT) & ~take.contacts
    for foot, side in enumerate(("left", "right")):
        missed = runs(on_floor[:, foot], np.array([0, len(on_floor)]))
        lengths = (missed[:, 1] + 1 - missed[:, 0]) * take.clip.frame_time
        if lengths.size and lengths.max() >= MISSING_TIME:
            longest = int(lengths.argmax())
            text = f"{take.clip.name}: the {side} foot stands for {lengths[longest]:.1f} s without a contact label."
            yield Statement("missing-contacts", text, take.clip.name, int(missed[longest, 0]), float(lengths[longest]))


def _swaps(take: Take) -> Iterator[Statement]:
    """Yield the first moment at which spread legs exchange their places faster than in any step of a walk."""
    legs, clip = take.body.legs, take.clip
    gap = max(1, round(SWAP_TIME / clip.frame_time))
    if clip.frame_count <= gap:
        return
    side = [np.stack([_ahead(take), clip.world().positions[..., 1]], axis=-1)[:, [leg.knee, leg.ankle, leg.toe]]
            for leg in legs]  # fmt: skip
    left, right = side
    stayed = _apart(left[gap:], left[:-gap]) + _apart(right[gap:], right[:-gap])
    swapped = _apart(left[gap:], right[:-gap]) + _apart(right[gap:], left[:-gap])
    spread = _apart(left, right)
    walks = quality.root_speed(clip) < WALKED
    wide = np.minimum(spread[gap:], spread[:-gap]) > SWAP_APART
    found = np.flatnonzero((swapped < 0.4 * stayed) & wide & walks[gap:] & walks[:-gap])
    if found.size >= SWAP_FRAMES:
        text = f"{clip.name}: the left and the right leg change places."
        yield Statement("left-right-swap", text, clip.name, int(found[0]) + gap, float(found.size))


def _ahead(take: Take) -> FloatArray:
    """Return how far [frame, joint] in metres each joint is ahead of the root, along the facing."""
    yaw = quality.facing_yaw(take.clip, body=take.body)[:, np.newaxis]
    places = take.clip.world().positions - take.clip.root_position[:, np.newaxis]
    return np.asarray(places[..., 0] * np.sin(yaw) + places[..., 2] * np.cos(yaw))


def _apart(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the mean distance [frame] in metres of joints `first` and `second` [frame, joint, 3]."""
    return np.asarray(np.linalg.norm(first - second, axis=-1).mean(axis=-1))


def _swing(take: Take) -> Iterator[Statement]:
    """Yield whether arm and leg of the same side swing together while the take walks straight ahead."""
    clip, body = take.clip, take.body
    if body.left_arm is None or body.right_arm is None:
        return
    straight = np.abs(quality.turning_rate(clip, body=body)) < quality.FAST_TURN
    walking = straight & (quality.root_speed(clip) > 0.6)
    if walking.sum() * clip.frame_time < WALK_TIME:
        return
    ahead = _ahead(take)
    arms = ahead[:, body.left_arm.wrist] - ahead[:, body.right_arm.wrist]
    legs = ahead[:, body.left_leg.ankle] - ahead[:, body.right_leg.ankle]
    together = float(np.corrcoef(arms[walking], legs[walking])[0, 1])
    if np.std(arms[walking]) > 0.05 and together > SAME_SWING:
        text = f"{clip.name}: arm and leg of the same side swing together (correlation {together:.2f})."
        yield Statement("same-side-swing", text, clip.name, int(np.flatnonzero(walking)[0]), together)
