"""The least change of root motion that meets places exactly, spread over the frames in which the body moves anyway."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d

from motionfields.authoring.compose.goals import JointGoal, PathGoal, goal_frame
from motionfields.authoring.compose.reaching import later_goals, start_of
from motionfields.authoring.compose.rendering import (
    GroundPath,
    Rendered,
    RootWarp,
    Track,
    ground_path,
    show,
)
from motionfields.authoring.compose.timeline import Timeline
from motionfields.authoring.easing import smooth_share
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import turn_over_ground, wrap_angle
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.skeleton import forward_kinematics

ROUNDS: Final = 8  # of the linear problem, whose coefficients depend on its solution
SMOOTH: Final = 6.0  # frames: width of the filter on the speeds to which the warp is relative
TAPER: Final = 10.0  # frames before a target in which its warp ends
PATH_STEP: Final = 1.5  # seconds between the places of a path that are met


class Target(NamedTuple):
    """A place at a frame; `heading` in radians is NaN for any.

    `ahead_x` and `ahead_z` are the metres from the root to the point that must be there, in the yaw frame of the root.
    """

    frame: int
    x: float
    z: float
    heading: float
    ahead_x: float = 0.0
    ahead_z: float = 0.0

    def point(self, ground: GroundPath) -> FloatArray:
        """Return where the point is [2] in metres, if the root goes along `ground`."""
        ahead = turn_over_ground(np.array([self.ahead_x, self.ahead_z]), ground.yaw[self.frame])
        return np.asarray(ground.place[self.frame] + ahead)


class Placed(NamedTuple):
    """A motion whose root motion is warped to meet its targets."""

    shown: Rendered
    warp: RootWarp
    missed: tuple[tuple[float, float], ...]  # metres and radians by which each target is missed without the warp
    left: tuple[tuple[float, float], ...]  # and with it


def targets_of(timeline: Timeline, database: MotionDatabase, track: Track) -> list[Target]:
    """Return the targets of the places of root and joints and of the path of `timeline`, in order of time."""
    targets, frame_count, frame_time = [], len(track.turns), database.frame_time
    for goal, place, _ in later_goals(timeline):
        frame = goal_frame(place, frame_time, frame_count)
        ahead = (0.0, 0.0)
        if isinstance(goal, JointGoal):
            root = np.array([0.0, track.height[frame], 0.0])
            shown = forward_kinematics(database.skeleton, root, track.rotations[frame]).positions
            x, _, z = shown[database.skeleton.index(goal.joint)].tolist()
            ahead = (x, z)
        targets.append(Target(frame, place.x, place.z, np.nan if place.heading is None else place.heading, *ahead))
    if timeline.path is not None:
        targets += _along(timeline.path, frame_count, frame_time)
    return sorted(targets)


def place_track(field: MotionField, track: Track, timeline: Timeline) -> Placed:
    """Return the motion of `track`, warped so that it meets the places of `timeline`."""
    targets = targets_of(timeline, field.database, track)
    facing = facing_of(track.rotations[:, 0], hip_line(field.database.skeleton))
    x, z, heading = start_of(timeline)
    yaw = heading - float(facing[0])
    warp = least_warp(track, facing, targets, place=(x, z), yaw=yaw)
    plain, warped = ground_path(track, (x, z), yaw), ground_path(track, (x, z), yaw, warp)
    missed, left = (_gaps(targets, ground, facing) for ground in (plain, warped))
    return Placed(show(field, track, place=(x, z), yaw=yaw, warp=warp), warp, missed, left)


def least_warp(
    track: Track, facing: FloatArray, targets: list[Target], *, place: tuple[float, float], yaw: float
) -> RootWarp:
    """Return the smallest extra turns and shifts with which `track` meets `targets`.

    A turn costs the square of its ratio to the turn and speed of the frame, a shift that of its ratio to the speed, so
    that frames in which the body stands still stay as they are. The ratios are smooth in time, and a warp ends
    smoothly at its target, so that it adds no jerk.
    """
    count = len(track.turns)
    speed = np.linalg.norm(track.steps, axis=-1)
    turn_scale, shift_scale = (
        gaussian_filter1d(scale, SMOOTH, mode="nearest") + 1e-5 for scale in (np.abs(track.turns) + 0.15 * speed, speed)
    )
    warp = RootWarp.none(count)
    for _ in range(ROUNDS if targets else 0):
        ground = ground_path(track, place, yaw, warp)
        rows, gaps = [], []
        for target in targets:
            active = smooth_share((target.frame - np.arange(count)) / min(TAPER, target.frame + 1.0))
            # A turn at frame t swings the target about the place of frame t + 1.
            point = target.point(ground)
            arm = point - np.append(ground.place[1:], ground.place[-1:], axis=0)
            nothing = np.zeros(count)
            rows.append(np.concatenate([active * arm[:, 1] * turn_scale, active * shift_scale, nothing]))
            rows.append(np.concatenate([-active * arm[:, 0] * turn_scale, nothing, active * shift_scale]))
            gaps += [target.x - point[0], target.z - point[1]]
            if np.isfinite(target.heading):
                rows.append(np.concatenate([active * turn_scale, nothing, nothing]))
                gaps.append(float(wrap_angle(target.heading - ground.yaw[target.frame] - facing[target.frame])))
        matrix = np.array(rows)
        solution = matrix.T @ np.linalg.solve(matrix @ matrix.T + 1e-12 * np.eye(len(rows)), np.array(gaps))
        warp.turns[:] += solution[:count] * turn_scale
        warp.shifts[:, 0] += solution[count : 2 * count] * shift_scale
        warp.shifts[:, 1] += solution[2 * count :] * shift_scale
    return warp


def _along(path: PathGoal, frame_count: int, frame_time: float) -> list[Target]:
    """Return the targets of a path, one for each `PATH_STEP` seconds."""
    times = np.arange(path.start + PATH_STEP, path.end + 1e-9, PATH_STEP)
    places, _ = path.at(times)
    frames = np.minimum(np.round(times / frame_time).astype(np.int64), frame_count - 1)
    return [Target(int(frame), float(x), float(z), np.nan) for frame, (x, z) in zip(frames, places, strict=True)]


def _gaps(targets: list[Target], ground: GroundPath, facing: FloatArray) -> tuple[tuple[float, float], ...]:
    """Return the metres and radians between each target and `ground`; 0 radians for any heading."""
    found = []
    for target in targets:
        frame, heading = target.frame, target.heading
        turn = 0.0 if np.isnan(heading) else abs(float(wrap_angle(heading - ground.yaw[frame] - facing[frame])))
        point = target.point(ground)
        found.append((float(np.hypot(point[0] - target.x, point[1] - target.z)), turn))
    return tuple(found)
