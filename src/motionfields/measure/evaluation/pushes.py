"""Push trials: characters that walk straight and are pushed, each compared with an unpushed twin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.geometry import angle_difference, quat_normalize
from motionfields.control.tasks import Ground
from motionfields.field import MotionField
from motionfields.field.database import MotionState, Pose, pose_difference
from motionfields.measure.evaluation.source import counted_joints
from motionfields.measure.evaluation.trials import SETTLE, SPREAD, stacked
from motionfields.motion import quality
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.planting.measures import low_foot_skate
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import DisplayPose, Frame
from motionfields.runtime.physics import SegmentedBody, measure_ranges

WATCH = 2.5  # seconds after the last push within which a character must recover
HOLD = 0.25  # seconds for which it must stay recovered
NEAR = np.radians(10.0)  # radians; largest error to the desired heading
JUDGED = 0.5  # seconds after the first push at which displacement is measured
DURATION = 0.1  # seconds that a push lasts
BEGUN = 0.01  # metres from the twin beyond which a body part counts as moving


class PushedCrowd(Protocol):
    """Crowd as push trials use it."""

    @property
    def ground(self) -> Ground:
        """Positions and facings of the characters."""
        ...

    @property
    def unplanted(self) -> DisplayPose | None:
        """Displayed pose of the last frame before foot locking."""
        ...

    def push(self, character: int, joint: int, force: FloatArray, *, duration: float) -> None:
        """Push one character."""
        ...

    def step(self, commands: FloatArray) -> Frame:
        """Advance by one frame."""
        ...


class PushedController(Protocol):
    """Controller as push trials use it; its command is a heading."""

    @property
    def field(self) -> MotionField:
        """Motion field of the controller."""
        ...

    def crowd(self, count: int, *, seed: int = 0) -> PushedCrowd:
        """Return a crowd of `count` characters."""
        ...


class PushPlan(NamedTuple):
    """Time, place and strength of the pushes: one or two per trial."""

    times: FloatArray  # [trial, 2], seconds; infinite if there is no second push
    joints: IntArray  # [trial, 2]
    forces: FloatArray  # [trial, 2, 3], newtons

    @property
    def strongest(self) -> FloatArray:
        """Magnitude [trial] of the stronger push, in newtons."""
        sizes = np.linalg.norm(self.forces, axis=-1)
        return np.asarray(np.where(np.isfinite(self.times), sizes, 0.0).max(axis=-1))


class PushTrials(NamedTuple):
    """Results of push trials."""

    plan: PushPlan
    parts: NDArray[np.str_]  # [trial], the body part that the first push hit
    along: FloatArray  # [trial], metres from the twin's root along the first push, horizontally
    recovery: FloatArray  # [trial], seconds after the last push; infinite if it did not recover in time
    excess: FloatArray  # [trial], radians by which a joint exceeded its human range, at most
    peak_speed: FloatArray  # [trial], rad/s, mean over joints, largest over frames
    skate: FloatArray  # [trial], m/s, from the first push on
    twin_skate: FloatArray  # [trial], m/s, of the twin over the same frames
    part_first: BoolArray  # [trial], whether the pushed part moved no later than the root
    finite: BoolArray  # [trial], whether all numbers were finite


def draw_pushes(
    joints: IntArray, count: int, rng: np.random.Generator, *, least: float = 20.0, most: float = 600.0
) -> PushPlan:
    """Draw `count` push plans of `least` to `most` newtons on random `joints`.

    The horizontal direction is uniform; half of the pushes, on average, also point upwards. One plan in four, on
    average, has a second push 0.1 to 0.6 s after the first.
    """
    first = SETTLE + rng.uniform(0.0, SPREAD, count)
    gap = rng.uniform(0.1, 0.6, count)
    second = np.where(rng.uniform(size=count) < 0.25, first + gap, np.inf)
    azimuth = rng.uniform(-np.pi, np.pi, (count, 2))
    steep = np.where(rng.uniform(size=(count, 2)) < 0.5, 0.0, rng.uniform(0.0, 0.5 * np.pi, (count, 2)))
    size = rng.uniform(least, most, (count, 2))
    direction = [np.cos(steep) * np.sin(azimuth), np.sin(steep), np.cos(steep) * np.cos(azimuth)]
    return PushPlan(
        np.stack([first, second], axis=1),
        rng.choice(joints, (count, 2)),
        size[..., np.newaxis] * np.stack(direction, axis=-1),
    )


def push_trials(controller: PushedController, plan: PushPlan, *, seed: int = 0) -> PushTrials:
    """Push characters that walk straight according to `plan`, and measure their displacement, recovery and motion."""
    field = controller.field
    body = SegmentedBody(field.database.skeleton, rotations=field.database.rotations)
    moments = np.where(np.isfinite(plan.times), np.round(plan.times / field.database.frame_time), -1).astype(np.int64)
    length = int(moments.max()) + _frames(field, WATCH + HOLD) + 2
    goal, twin, _ = _run(controller, plan, moments, length, pushed=False, seed=seed)
    _, shown, bare = _run(controller, plan, moments, length, pushed=True, seed=seed)
    joint_of = plan.joints[:, 0]
    now, then = (forward_kinematics(field.database.skeleton, *poses).positions for poses in (shown, twin))
    parts = np.array([body.segments[body.segment_of(int(joint))].part for joint in joint_of])
    away = now - then
    clips, twins = (_clips(field, poses, moments[:, 0]) for poses in (shown, twin))
    joints = counted_joints(field)
    return PushTrials(
        plan,
        parts,
        _along(plan, away[np.arange(len(goal)), moments[:, 0] + _frames(field, JUDGED), 0]),
        _recovery(field, bare, goal, moments.max(axis=1)),
        _excess(field, body, clips),
        np.array([quality.joint_speed(clip, joints=joints).max() for clip in clips]),
        np.array([low_foot_skate(clip, field.stance) for clip in clips]),
        np.array([low_foot_skate(clip, field.stance) for clip in twins]),
        _moves_first(away, moments[:, 0], joint_of),
        np.array([bool(np.isfinite(poses).all()) for poses in now]),
    )


def joined_pushes(parts: Sequence[PushTrials]) -> PushTrials:
    """Concatenate the trials of all `parts`."""
    plan = PushPlan(*(np.concatenate(tracks) for tracks in zip(*(part.plan for part in parts), strict=True)))
    rest = {name: np.concatenate([getattr(part, name) for part in parts]) for name in PushTrials._fields[1:]}
    return PushTrials(plan, **rest)


def _run(
    controller: PushedController, plan: PushPlan, moments: IntArray, length: int, *, pushed: bool, seed: int
) -> tuple[FloatArray, DisplayPose, DisplayPose]:
    """Run the trials; return the goal headings [trial] and the poses [trial, frame] after and before foot locking."""
    crowd = controller.crowd(len(moments), seed=seed)
    goal = crowd.ground.facing.copy()
    frames: list[Frame] = []
    bare: list[DisplayPose] = []
    for number in range(length):
        for trial, which in np.argwhere(moments == number) if pushed else ():
            crowd.push(int(trial), int(plan.joints[trial, which]), plan.forces[trial, which], duration=DURATION)
        frames.append(crowd.step(goal))
        assert crowd.unplanted is not None
        bare.append(crowd.unplanted)
    return goal, _normalized(stacked(frames)), _normalized(stacked(bare))


def _normalized(poses: DisplayPose) -> DisplayPose:
    return poses._replace(rotations=quat_normalize(poses.rotations))


def _clips(field: MotionField, poses: DisplayPose, starts: IntArray) -> list[Clip]:
    skeleton, frame_time = field.database.skeleton, field.database.frame_time
    return [
        Clip(skeleton, root[start:], turns[start:], frame_time)
        for root, turns, start in zip(*poses, starts.tolist(), strict=True)
    ]


def _along(plan: PushPlan, away: FloatArray) -> FloatArray:
    """Return the horizontal component [trial] in metres of `away` [trial, 3] along the first push."""
    level = plan.forces[:, 0] * np.array([1.0, 0.0, 1.0])
    return np.asarray((away * level).sum(axis=-1) / np.maximum(np.linalg.norm(level, axis=-1), 1e-9))


def _recovery(field: MotionField, bare: DisplayPose, goal: FloatArray, last: IntArray) -> FloatArray:
    """Return the seconds [trial] from frame `last` [trial] until motion stays near the data and the heading `goal`."""
    start, count = _frames(field, DURATION), _frames(field, WATCH)
    hold = _frames(field, HOLD)
    frames = last[:, np.newaxis] + np.arange(start, count + hold)
    fine = near_data(field, bare, frames) & _near_goal(find_body(field.database.skeleton), field, bare, frames, goal)
    kept = np.asarray(sliding_window_view(fine, hold, axis=1).all(axis=-1))
    first = np.where(kept.any(axis=1), kept.argmax(axis=1) + start, np.inf)
    return np.asarray(first * field.database.frame_time)


def near_data(field: MotionField, bare: DisplayPose, frames: IntArray) -> BoolArray:
    """Return whether the states at `frames` [trial, frame] are as close to the data as its states are to each other."""
    own = np.arange(len(frames))[:, np.newaxis]
    now, then = (_pose(bare, own, at) for at in (frames, frames + 1))
    features = field.database.metric.embed(MotionState(now, pose_difference(then, now)))
    distances = field.index.search(features, 1).distances[:, 0]
    return np.asarray((distances <= field.spacing.p95).reshape(frames.shape))


def _near_goal(body: Body, field: MotionField, bare: DisplayPose, frames: IntArray, goal: FloatArray) -> BoolArray:
    own = np.arange(len(frames))[:, np.newaxis]
    world = forward_kinematics(field.database.skeleton, bare.root_position[own, frames], bare.rotations[own, frames])
    line = world.positions[:, :, body.left_leg.hip] - world.positions[:, :, body.right_leg.hip]
    facing = np.arctan2(-line[..., 2], line[..., 0])
    return np.asarray(np.abs(angle_difference(facing, goal[:, np.newaxis])) <= NEAR)


def _pose(poses: DisplayPose, own: IntArray, frames: IntArray) -> Pose:
    root, turns = poses.root_position[own, frames], poses.rotations[own, frames]
    return Pose(root.reshape(-1, 3), turns[:, :, 0].reshape(-1, 4), turns[:, :, 1:].reshape(-1, turns.shape[2] - 1, 4))


def _excess(field: MotionField, body: SegmentedBody, clips: Sequence[Clip]) -> FloatArray:
    """Return the largest angle in radians [trial] by which any joint of `clips` exceeds its human range."""
    ranges = measure_ranges(body, field.database.rotations)
    return np.array([ranges.excess(body.turns(clip.rotations)).max() for clip in clips])


def _moves_first(away: FloatArray, starts: IntArray, joints: IntArray) -> BoolArray:
    """Return whether `joints` [trial] leave their twins no later than the root.

    `away` [trial, frame, joint, 3] is the displacement from the twin in metres; frames before `starts` [trial] are
    ignored.
    """
    far = np.linalg.norm(away, axis=-1) > BEGUN
    own = np.arange(len(starts))
    after = np.arange(far.shape[1]) >= starts[:, np.newaxis]
    part = np.asarray(far[own, :, joints]) & after
    root = np.asarray(far[own, :, 0]) & after
    begun = np.where(np.any(root, axis=1), np.argmax(root, axis=1), far.shape[1])
    return np.asarray(np.any(part, axis=1) & (np.argmax(part, axis=1) <= begun))


def _frames(field: MotionField, seconds: float) -> int:
    return round(seconds / field.database.frame_time)
