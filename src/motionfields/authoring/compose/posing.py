"""Costs of poses and of heights of joints at single frames, and of closing a loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from motionfields.authoring.compose.cuts import COST_UNIT, Cuts
from motionfields.authoring.compose.goals import PoseGoal, goal_frame
from motionfields.authoring.compose.solving import StateCosts
from motionfields.authoring.compose.timeline import Timeline
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.errors import ComposeError
from motionfields.control.transitions import joint_places, state_parts
from motionfields.field.database import MotionDatabase, Pose
from motionfields.motion.quality import distinct_joints

POSE_COST: Final = 1000.0  # for each metre of mean distance between the joints
JOINT_COST: Final = 200.0  # for each metre by which a joint is too high or too low
OPEN_COST: Final = 2000.0  # of a loop whose last frame does not lead to its first
MOST_EXTRA: Final = 4000.0  # cost of one frame; keeps sums within their range


def pose_state(database: MotionDatabase, goal: PoseGoal) -> int:
    """Return the state of the pose that `goal` names; `ComposeError` if the database does not have it."""
    if goal.take not in database.clip_names:
        raise ComposeError(f"{goal.text}: expected the name of a clip such as {database.clip_names[0]}")
    clip = database.clip_names.index(goal.take)
    state = int(database.clip_starts[clip]) + round(goal.take_time / database.frame_time)
    if state >= database.clip_starts[clip + 1]:
        raise ComposeError(f"{goal.text}: the clip ends before that time")
    return state


def goal_pose(database: MotionDatabase, goal: PoseGoal) -> Pose:
    """Return the pose [1] that `goal` asks for, grounded and in its yaw frame; `ComposeError` if there is none."""
    if goal.source is None:
        return database.poses(np.array([pose_state(database, goal)]))
    if goal.source.skeleton.names != database.skeleton.names:
        raise ComposeError(f"{goal.text}: expected a clip with the joints of the database")
    rate = 1.0 / database.frame_time
    source = MotionDatabase.build([goal.source], frame_rate=rate, mirror=False)
    return source.poses(np.array([pose_state(source, replace(goal, take=source.clip_names[0]))]))


def pose_distance(database: MotionDatabase, pose: FloatArray) -> FloatArray:
    """Return the mean distance [state] in metres between the joints of each state and `pose` [joint, 3].

    Positions are in the yaw frame of the root on the ground; joints at the place of their parent do not count.
    """
    joints = distinct_joints(database.skeleton)
    found = np.empty(database.state_count)
    for part in state_parts(database.state_count):
        places = joint_places(database, database.poses(part))
        found[part] = np.linalg.norm(places - pose, axis=-1)[:, joints].mean(axis=-1)
    return found


def pose_gap(database: MotionDatabase, goal: PoseGoal, state: int) -> float:
    """Return the mean distance in metres between the joints of `state` and of the pose that `goal` asks for."""
    asked, shown = (
        joint_places(database, pose)[0] for pose in (goal_pose(database, goal), database.poses(np.array([state])))
    )
    return float(np.linalg.norm(shown - asked, axis=-1)[distinct_joints(database.skeleton)].mean())


def with_moments(costs: StateCosts, timeline: Timeline, database: MotionDatabase) -> StateCosts:
    """Return `costs` with those of the poses and the heights of joints of `timeline` added."""
    extra: dict[int, FloatArray] = {}
    for goal in timeline.poses:
        pose = joint_places(database, goal_pose(database, goal))[0]
        frame = goal_frame(goal, database.frame_time, costs.frame_count)
        extra[frame] = extra.get(frame, 0.0) + POSE_COST * goal.weight * pose_distance(database, pose)
    for height in timeline.joints:
        joint = database.skeleton.index(height.joint)
        frame = goal_frame(height, database.frame_time, costs.frame_count)
        gap = np.abs(joint_heights(database, joint) - height.height)
        extra[frame] = extra.get(frame, 0.0) + JOINT_COST * height.weight * gap
    return with_extra(costs, extra)


def joint_heights(database: MotionDatabase, joint: int) -> FloatArray:
    """Return the height [state] in metres of `joint` above the ground."""
    found = np.empty(database.state_count)
    for part in state_parts(database.state_count):
        found[part] = joint_places(database, database.poses(part))[:, joint, 1]
    return found


def with_extra(costs: StateCosts, extra: dict[int, FloatArray]) -> StateCosts:
    """Return `costs` with the costs `extra` [state] of single frames added; each is at most `MOST_EXTRA`."""
    merged = {int(frame): row.astype(np.int64) for frame, row in zip(costs.frames, costs.extra, strict=True)}
    for frame, more in extra.items():
        units = np.floor(COST_UNIT * np.minimum(more, MOST_EXTRA) + 0.5).astype(np.int64)
        merged[frame] = merged.get(frame, 0) + units
    if not merged:
        return costs
    frames = np.array(sorted(merged), np.int64)
    return costs._replace(frames=frames, extra=np.stack([merged[int(frame)] for frame in frames]).astype(np.int32))


def closing_costs(cuts: Cuts, frames_left: IntArray, start: int) -> FloatArray:
    """Return the cost [state] of a last frame at each state of a loop that begins at `start`."""
    found = np.full(len(frames_left), OPEN_COST)
    entries = np.flatnonzero(cuts.targets == start)
    owners = np.searchsorted(cuts.first, entries, side="right") - 1  # states in whose place `start` may be shown
    before = owners - 1
    able = (before >= 0) & (frames_left[before] >= 1)
    np.minimum.at(found, before[able], cuts.costs[entries[able]] / COST_UNIT)
    if start > 0 and frames_left[start - 1] >= 1:
        found[start - 1] = 0.0
    return found
