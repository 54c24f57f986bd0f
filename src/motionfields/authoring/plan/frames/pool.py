"""Frames as nodes of a motion graph, and the distance between them after the best placement on the ground.

The distance is that of Kovar et al. (2002): the root mean square distance of two clouds of joint positions, of which
one is turned about the vertical and moved over the ground to fit best. A cloud has the joints of one frame (eq. 2.3 of
Lo's thesis) or also those of frames before and after it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionfields.authoring.plan.steps import composed, relative
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_fields, checked_number
from motionfields.base.geometry import turn_over_ground
from motionfields.field import MotionField
from motionfields.motion.skeleton import forward_kinematics


@dataclass(frozen=True)
class FrameSettings:
    """Settings of a motion graph of frames.

    Clouds reach `window` seconds before and after a frame; with 0 they have the joints of one frame. Two frames are
    similar if their clouds are at most `threshold` metres apart and no pair up to `reach` frames beside them is nearer.
    A transition within a take skips or repeats at least `gap` seconds.

    Costs are in seconds: those that a motion lasts, and `jump_cost` for each metre of distance at a transition. A node
    of the compressed graph keeps its `branching` cheapest links.

    Motions may be interpolated with the weights `shares` where their clouds are at most `spread` metres apart and
    neither takes more than `stretch` times as long as the other; each with the `partners` most similar ones.
    """

    window: float = 0.17
    threshold: float = 0.06
    reach: int = 2
    gap: float = 0.5
    jump_cost: float = 2.0
    branching: int = 12
    shares: tuple[float, ...] = (0.25, 0.5, 0.75)
    spread: float = 0.2
    stretch: float = 1.6
    partners: int = 6

    def __post_init__(self) -> None:
        check_fields(self)
        for name, least, most in (
            ("window", 0.0, 2.0),
            ("threshold", 0.0, 10.0),
            ("reach", 0, 100),
            ("gap", 0.0, 100.0),
            ("jump_cost", 0.0, 1000.0),
            ("branching", 1, 1000),
            ("spread", 0.0, 10.0),
            ("stretch", 1.0, 10.0),
            ("partners", 1, 1000),
        ):
            checked_number(name, getattr(self, name), least, most)
        for share in self.shares:
            checked_number("shares", share, 0.0, 1.0)


class Frames(NamedTuple):
    """Frames of takes, and of motions interpolated between two takes. Frames of one run follow each other."""

    first: IntArray  # [frame], database states
    second: IntArray  # [frame], database states; the same as `first` in captured frames
    share: FloatArray  # [frame], weight of `second`
    run: IntArray  # [frame], rising
    phase: IntArray  # [frame], 1 for the left foot in contact, plus 2 for the right
    ground: FloatArray  # [frame, 3], ground pose in the run

    @property
    def captured(self) -> BoolArray:
        """Whether each frame [frame] is captured."""
        return np.asarray(self.share == 0.0)

    def follows(self) -> BoolArray:
        """Return whether another frame of its run follows each frame [frame]."""
        return np.concatenate([self.run[1:] == self.run[:-1], [False]])


def captured_frames(field: MotionField, places: FloatArray) -> Frames:
    """Return all states of `field` as frames; `places` [state, 3] are their ground poses (see `settled_places`)."""
    database = field.database
    states = np.arange(database.state_count)
    phase = database.contacts @ np.array([1, 2])
    return Frames(states, states, np.zeros(len(states)), database.clip_of.astype(np.int64), phase, places)


def state_clouds(field: MotionField, places: FloatArray, window: float) -> FloatArray:
    """Return the cloud [state, point, 3] of every state in metres, in the frame of its ground pose, float32.

    Points are the joints of the state and, with a `window` in seconds, of those so long before and after it in its
    take; at the ends of takes, of the first or last state.
    """
    database = field.database
    heights = database.poses(slice(None)).root_position
    joints = forward_kinematics(database.skeleton, heights, database.rotations).positions
    states = np.arange(database.state_count)
    first, last = database.clip_starts[database.clip_of], database.clip_starts[database.clip_of + 1] - 1
    shift = round(window / database.frame_time)
    parts = []
    for offset in sorted({-shift, 0, shift}):
        rows = np.clip(states + offset, first, last)
        pose = relative(places, places[rows])[:, np.newaxis]
        seen = joints[rows].copy()
        seen[..., ::2] = pose[..., :2] + turn_over_ground(seen[..., ::2], pose[..., 2])
        parts.append(seen)
    return np.concatenate(parts, axis=1).astype(np.float32)


def clouds_of(frames: Frames, clouds: FloatArray) -> FloatArray:
    """Return the clouds [frame, point, 3] of `frames` from those of the states, `clouds` [state, point, 3]."""
    share = frames.share[:, np.newaxis, np.newaxis].astype(np.float32)
    return np.asarray(clouds[frames.first] + share * (clouds[frames.second] - clouds[frames.first]))


class Clouds(NamedTuple):
    """Clouds in the form in which all distances are products of matrices."""

    flat: FloatArray  # [cloud, 2 * point]: x of all points, then z, less their means
    height: FloatArray  # [cloud, point], metres
    middle: FloatArray  # [cloud, 2], metres: the means of x and z

    @classmethod
    def of(cls, clouds: FloatArray) -> Clouds:
        """Return `clouds` [cloud, point, 3]."""
        middle = clouds[..., ::2].mean(axis=1)
        flat = (clouds[..., ::2] - middle[:, np.newaxis]).transpose(0, 2, 1).reshape(len(clouds), -1)
        return cls(flat, clouds[..., 1], middle)

    @property
    def turned(self) -> FloatArray:
        """The points `flat` after a quarter turn to the left."""
        count = self.height.shape[1]
        return np.concatenate([self.flat[:, count:], -self.flat[:, :count]], axis=1)

    def rows(self, rows: IntArray | slice) -> Clouds:
        """Return the clouds in `rows`."""
        return Clouds(*(part[rows] for part in self))


def cloud_distances(a: Clouds, b: Clouds) -> FloatArray:
    """Return the distances [a, b] in metres of all clouds `a` from all clouds `b`, each after its best placement.

    Points that are turned by an angle t correlate with others by A cos t + B sin t, which is at most hypot(A, B).
    """
    along, aside = a.flat @ b.flat.T, a.flat @ b.turned.T
    own, other = (np.square(part.flat).sum(axis=1) + np.square(part.height).sum(axis=1) for part in (a, b))
    squares = own[:, np.newaxis] + other - 2.0 * (np.hypot(along, aside) + a.height @ b.height.T)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / a.height.shape[1]))


def placements(a: Clouds, b: Clouds) -> FloatArray:
    """Return the ground poses [n, 3], in the frames of the clouds `a` [n], that place the clouds `b` [n] best."""
    along, aside = ((a.flat * part).sum(axis=1) for part in (b.flat, b.turned))
    yaw = np.arctan2(aside, along).astype(np.float64)
    shift = a.middle.astype(np.float64) - turn_over_ground(b.middle.astype(np.float64), yaw)
    return np.concatenate([shift, yaw[:, np.newaxis]], axis=1)


class Transitions(NamedTuple):
    """Changes from one frame to the frame after a similar one."""

    source: IntArray  # [transition], frames
    target: IntArray  # [transition], frames
    distance: FloatArray  # [transition], metres
    pose: FloatArray  # [transition, 3], ground pose of the target in the frame of the source


def find_transitions(frames: Frames, clouds: FloatArray, settings: FrameSettings, frame_time: float) -> Transitions:
    """Return the transitions between `frames` with `clouds` [frame, point, 3]: pairs with the same feet in contact,
    similar and, among the pairs beside them, nearest."""
    every = Clouds.of(clouds)
    gap = math.ceil(settings.gap / frame_time)
    follows = frames.follows()
    edges = np.concatenate([[0], np.flatnonzero(np.diff(frames.run)) + 1, [len(frames.run)]])
    found = []
    for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        distance = cloud_distances(every.rows(slice(begin, end)), every)
        same = frames.phase[begin:end, np.newaxis] == frames.phase
        row, column = np.nonzero(same & follows & (distance <= settings.threshold))
        far = (column < begin) | (column >= end) | (np.abs(column - begin - row) >= gap)
        row, column = row[far], column[far]
        least = _is_least(distance, row, column, frames.run, settings.reach)
        row, column = row[least], column[least]
        fit = placements(every.rows(row + begin), every.rows(column))
        pose = composed(fit, relative(frames.ground[column], frames.ground[column + 1]))
        found.append((row + begin, column + 1, distance[row, column].astype(np.float64), pose))
    return Transitions(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _is_least(distance: FloatArray, row: IntArray, column: IntArray, run: IntArray, reach: int) -> BoolArray:
    """Return which pairs (`row`, `column`) [n] of `distance` [row, column] are not above any pair beside them.

    Rows are frames of one run; columns beside a pair count if they are of the same `run` [column].
    """
    kept = np.ones(len(row), np.bool_)
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            i, j = row + down, column + right
            inside = (i >= 0) & (i < distance.shape[0]) & (j >= 0) & (j < distance.shape[1])
            i, j = np.where(inside, i, row), np.where(inside, j, column)
            kept &= (run[j] != run[column]) | (distance[row, column] <= distance[i, j])
    return kept
