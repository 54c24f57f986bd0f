"""Features of motion matching: positions and velocities of the feet, motion of the hips, and the future trajectory.

Features are in the yaw frame of each state's root, because a character is placed by its root. They form groups. Each
pose group is divided by its standard deviation, averaged over its columns, and multiplied by its weight (Clavet 2016,
and Holden's reference implementation). The trajectory groups are divided by fixed units instead: the amount of turning
in the data says nothing about the importance of an error of one radian, and in data that mostly goes straight, the
standard deviation would make a turn count twice as much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import turn_over_ground
from motionfields.control.methods.matching.settings import WEIGHTS, MatchingSettings
from motionfields.control.root_motion import RootMotion
from motionfields.control.transitions import joint_places
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase, apply_delta
from motionfields.motion.body import find_body

POSE_SIZE = 16  # columns of the pose: two feet, their velocities, the hips' velocity and turning rate
POINT_SIZE = 4  # columns of each point of the trajectory: place x, z and facing x, z
ENDING = 0.2  # seconds at the end of a clip whose motion is extrapolated beyond it
UNITS = {"trajectory_position": 0.2, "trajectory_direction": 0.4}  # metres, and distance between unit facing vectors
LEAST_SPREAD = 1e-6  # a group with a smaller standard deviation is not divided by it


class Paths(NamedTuple):
    """The future path of each state, in its yaw frame."""

    trajectory: FloatArray  # [state, 4 points], position x, z in metres and facing x, z, at each horizon
    velocity: FloatArray  # [state, 2], m/s, smoothed
    turning: FloatArray  # [state], rad/s of the facing, smoothed
    facing: FloatArray  # [state], radians, smoothed


@dataclass(frozen=True, eq=False)
class MatchingFeatures:
    """The weighted features of every state, pose first, and the scales to weight others."""

    values: FloatArray  # [state, 16 + 4 points], float64
    scales: FloatArray  # [16 + 4 points], the factors on the raw features
    paths: Paths


def searchable_states(field: MotionField, settings: MatchingSettings) -> IntArray:
    """Return the states [found] that a search may find: none near the end of a clip or in a dead end."""
    database = field.database
    lengths = np.diff(database.clip_starts)[database.clip_of]
    margin = np.clip(lengths // 3, 1, max(1, round(settings.tail / database.frame_time)))
    found = np.flatnonzero((database.frames_left >= margin) & field.connectivity.core)
    if len(found) == 0:
        raise ValueError("field: expected states away from clip ends and dead ends, got none; use longer clips")
    return found


def measure_features(
    database: MotionDatabase, root_motion: RootMotion, settings: MatchingSettings, *, among: IntArray
) -> MatchingFeatures:
    """Return the weighted features of all states; their spread is measured over the states `among` [m]."""
    paths = measure_paths(database, root_motion, settings)
    raw = np.concatenate([pose_features(database, root_motion), paths.trajectory], axis=1)
    scales = np.empty(raw.shape[1])
    for name, columns in group_columns(len(settings.horizons)).items():
        spread = UNITS.get(name) or float(raw[np.ix_(among, columns)].std(axis=0).mean())
        scales[columns] = getattr(settings, name) / (spread if spread > LEAST_SPREAD else 1.0)
    return MatchingFeatures(raw * scales, scales, paths)


def group_columns(horizon_count: int) -> dict[str, IntArray]:
    """Return the columns of each group of features, by the name of its weight."""
    points = POSE_SIZE + POINT_SIZE * np.arange(horizon_count)[:, np.newaxis]
    pose = (np.arange(6), np.arange(6, 12), np.arange(12, 15), np.arange(15, 16))
    columns = (*pose, points + np.arange(2), points + np.arange(2, 4))
    return {name: np.ravel(group) for name, group in zip(WEIGHTS, columns, strict=True)}


def pose_features(database: MotionDatabase, root_motion: RootMotion) -> FloatArray:
    """Return the features of the pose [state, 16], in metres, m/s and rad/s.

    They are the positions of the left and right foot, the velocities of both feet and of the hips, and the turning rate
    of the hips.
    """
    state = database.states(slice(None))
    feet = [leg.ankle for leg in find_body(database.skeleton).legs]
    now, then = (joint_places(database, pose)[:, feet] for pose in (state.pose, apply_delta(*state)))
    count, time = database.state_count, database.frame_time
    hips = np.column_stack([database.root_step.astype(np.float64), root_motion.turn[:, 0]]) / time
    return np.concatenate([now.reshape(count, 6), ((then - now) / time).reshape(count, 6), hips], axis=1)


def measure_paths(database: MotionDatabase, root_motion: RootMotion, settings: MatchingSettings) -> Paths:
    """Return the future path of each state, extrapolated beyond the end of its clip; no path crosses a cut."""
    ahead = np.maximum(1, np.round(np.array(settings.horizons) / database.frame_time).astype(np.int64))
    parts = [
        _clip_paths(database, root_motion, slice(first, end), ahead, settings.smoothing)
        for first, end in zip(database.clip_starts[:-1], database.clip_starts[1:], strict=True)
    ]
    return Paths(*(np.concatenate(tracks) for tracks in zip(*parts, strict=True)))


def _clip_paths(
    database: MotionDatabase, root_motion: RootMotion, states: slice, ahead: IntArray, smoothing: float
) -> Paths:
    """Return the paths of `states`, those of one clip, with points `ahead` frames later."""
    time, count = database.frame_time, states.stop - states.start
    yaw = np.concatenate([[0.0], np.cumsum(root_motion.yaw_turn[states, 0])])
    step = turn_over_ground(database.root_step[states][:, ::2].astype(np.float64), yaw[:-1])
    place = np.concatenate([np.zeros((1, 2)), np.cumsum(step, axis=0)])
    facing = yaw[:-1] + root_motion.facing[states]
    facing = np.concatenate([facing, facing[-1:] + root_motion.turn[states.stop - 1 : states.stop, 0]])
    window = 2 * round(0.5 * smoothing / time) + 1
    place, facing = (_smoothed(track, window) for track in (place, np.unwrap(facing)))
    velocity, turning = (np.diff(track, axis=0) / time for track in (place, facing))
    place, facing = _extended(place, facing, time, int(ahead.max()), max(1, round(ENDING / time)))
    then = np.arange(count)[:, np.newaxis] + ahead
    offsets = turn_over_ground(place[then] - place[:count, np.newaxis], -yaw[:count, np.newaxis])
    angle = facing[then] - yaw[:count, np.newaxis]
    points = np.concatenate([offsets, np.stack([np.sin(angle), np.cos(angle)], axis=-1)], axis=-1)
    return Paths(
        points.reshape(count, -1), turn_over_ground(velocity, -yaw[:count]), turning, facing[:count] - yaw[:count]
    )


def _extended(
    place: FloatArray, facing: FloatArray, time: float, frame_count: int, ending: int
) -> tuple[FloatArray, FloatArray]:
    """Return `place` [frame, 2] and `facing` [frame] with `frame_count` more frames that extrapolate the last ones."""
    back = min(ending, len(facing) - 1)
    rate = (facing[-1] - facing[-1 - back]) / back
    step = (place[-1] - place[-1 - back]) / back
    numbers = np.arange(1, frame_count + 1)
    # The mean step has the direction of the middle of the ending, so it is turned from there.
    steps = turn_over_ground(np.broadcast_to(step, (frame_count, 2)), rate * (numbers + 0.5 * (back - 1)))
    return (
        np.concatenate([place, place[-1] + np.cumsum(steps, axis=0)]),
        np.concatenate([facing, facing[-1] + rate * numbers]),
    )


def _smoothed(track: FloatArray, window: int) -> FloatArray:
    """Return `track` [frame, ...] smoothed by cubics over `window` frames (Savitzky-Golay), fewer if it is shorter."""
    from scipy.signal import savgol_filter

    odd = min(window, len(track) - 1 + len(track) % 2)
    return track if odd < 5 else np.asarray(savgol_filter(track, odd, 3, axis=0))
