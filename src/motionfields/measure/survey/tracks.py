"""The motion of every state in numbers, smoothed over half a second, and the kinds of motion that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.root_motion import measure_root_motion
from motionfields.field.database import MotionDatabase
from motionfields.field.database.building import MIRROR
from motionfields.measure.survey.statements import runs
from motionfields.motion.clip import Clip

SMOOTHING = 0.5  # seconds: hips swing with every step, and half a second averages over it
STANDING_SPEED = 0.15  # m/s
STANDING_TIME = 0.3  # seconds
STANDING_TURN = np.radians(30.0)  # rad/s
WALKING_SPEED = 0.5  # m/s
TURNING = np.radians(45.0)  # rad/s
QUICK_TURN = np.radians(90.0)  # rad/s
CHANGE_TIME = 2.5  # seconds within which a start or a stop is over
FOOT_TIME = 0.5  # seconds around a start or a stop in which feet lift or land
SIDEWAYS_SPEED = 0.2  # m/s
BACKWARD_SPEED = 0.2  # m/s


class Tracks(NamedTuple):
    """Root motion and contacts of all states, clip after clip."""

    velocity: FloatArray  # [state, 2], m/s to the left and ahead of the facing, smoothed
    turning: FloatArray  # [state], rad/s of the facing, positive to the left, smoothed
    contacts: BoolArray  # [state, 2], left and right foot
    starts: IntArray  # [clip + 1], first state of each clip
    names: tuple[str, ...]  # [clip]
    frame_time: float  # seconds

    @property
    def speed(self) -> FloatArray:
        """Speed [state] over the ground in m/s."""
        return np.asarray(np.linalg.norm(self.velocity, axis=-1))

    @property
    def clip_of(self) -> IntArray:
        """Clip number [state] of each state."""
        return np.repeat(np.arange(len(self.names)), np.diff(self.starts))

    def clip_at(self, state: int) -> int:
        """Return the clip number of `state`."""
        return int(np.searchsorted(self.starts, state, side="right")) - 1

    def place(self, state: int) -> tuple[str, int]:
        """Return the take and the frame in it of `state`; a mirror image counts as its take."""
        clip = self.clip_at(state)
        return take_name(self.names[clip]), int(state - self.starts[clip])

    def seconds(self, mask: BoolArray) -> float:
        """Return the duration in seconds of the states in `mask` [state]."""
        return float(mask.sum() * self.frame_time)


class Change(NamedTuple):
    """A start or a stop: its first and last state, and the foot that moves first or lands last; -1 if unknown."""

    first: int
    last: int
    foot: int


def take_name(clip_name: str) -> str:
    """Return the name of the take that a clip or mirror image comes from."""
    return clip_name.removesuffix(MIRROR)


def shown_name(clip_name: str) -> str:
    """Return the name of a clip in words."""
    return f"{take_name(clip_name)} (mirror image)" if clip_name.endswith(MIRROR) else clip_name


def take_numbers(tracks: Tracks) -> IntArray:
    """Return the number [clip] of the take of each clip, by first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(take_name(name), len(numbers)) for name in tracks.names])


def labelled_clips(database: MotionDatabase) -> Iterator[tuple[Clip, BoolArray]]:
    """Yield the clips of `database` with their contacts [frame, 2]; the last frame, which is no state, repeats its."""
    for clip, (first, end) in zip(database.iter_source_clips(), pairwise(database.clip_starts), strict=True):
        contacts = database.contacts[first:end]
        yield clip, np.concatenate([contacts, contacts[-1:]])


def measure_tracks(database: MotionDatabase) -> Tracks:
    """Return the tracks of all states of `database`."""
    motion = measure_root_motion(database)
    starts = np.asarray(database.clip_starts)
    reach = max(1, round(0.5 * SMOOTHING / database.frame_time))
    return Tracks(
        smoothed(motion.velocity, starts, reach),
        smoothed(motion.turn[:, 0] / database.frame_time, starts, reach),
        np.asarray(database.contacts),
        starts,
        database.clip_names,
        database.frame_time,
    )


def smoothed(values: FloatArray, starts: IntArray, reach: int) -> FloatArray:
    """Return the mean of `values` [state, ...] over `reach` states each way, within clips that begin at `starts`."""
    clip_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    states = np.arange(len(values))
    before = np.maximum(states - reach, starts[clip_of])
    after = np.minimum(states + reach + 1, starts[clip_of + 1])
    total = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0, dtype=np.float64)])
    count = (after - before).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray((total[after] - total[before]) / count)


def stands(tracks: Tracks) -> BoolArray:
    """Return which states [state] are part of at least 0.3 s of standing."""
    slow = (tracks.speed < STANDING_SPEED) & (np.abs(tracks.turning) < STANDING_TURN)
    standing = np.zeros(len(slow), np.bool_)
    for first, last in runs(slow, tracks.starts):
        standing[first : last + 1] = (last + 1 - first) * tracks.frame_time >= STANDING_TIME
    return standing


def find_starts(tracks: Tracks) -> list[Change]:
    """Return the starts: from the end of standing to the first state that walks, within 2.5 s."""
    found = []
    for _, first in runs(stands(tracks), tracks.starts):
        last = _first_walking(tracks, int(first))
        if last is not None:
            found.append(Change(int(first), last, _first_lifted(tracks, int(first), last)))
    return found


def find_stops(tracks: Tracks) -> list[Change]:
    """Return the stops: from the last state that walks to the beginning of standing, within 2.5 s."""
    backward = reversed_tracks(tracks)
    count = len(tracks.turning)
    changes = [Change(count - 1 - one.last, count - 1 - one.first, one.foot) for one in find_starts(backward)]
    return sorted(changes)


def reversed_tracks(tracks: Tracks) -> Tracks:
    """Return `tracks` played backwards: velocities change sign, a landing foot becomes a lifted one."""
    return Tracks(
        -tracks.velocity[::-1],
        -tracks.turning[::-1],
        tracks.contacts[::-1],
        tracks.starts[-1] - tracks.starts[::-1],
        tracks.names[::-1],
        tracks.frame_time,
    )


def _first_walking(tracks: Tracks, state: int) -> int | None:
    """Return the first state within 2.5 s after `state`, in the same clip, that is faster than a slow walk."""
    end = min(int(tracks.starts[tracks.clip_at(state) + 1]), state + round(CHANGE_TIME / tracks.frame_time))
    fast = np.flatnonzero(np.linalg.norm(tracks.velocity[state:end], axis=-1) > WALKING_SPEED)
    return state + int(fast[0]) if fast.size else None


def _first_lifted(tracks: Tracks, first: int, last: int) -> int:
    """Return the foot that first leaves the ground between `first` and `last`; -1 if none or both do."""
    first = max(int(tracks.starts[tracks.clip_at(first)]), first - round(FOOT_TIME / tracks.frame_time))
    both = np.asarray(tracks.contacts[first : last + 1].all(axis=-1))
    lifted = np.flatnonzero(both[:-1] & ~both[1:]) + first + 1
    if lifted.size == 0:
        return -1
    feet = tracks.contacts[lifted[0]]
    return -1 if not feet.any() else int(feet.argmin())


def motion_kinds(tracks: Tracks) -> dict[str, BoolArray]:
    """Return which states [state] belong to each kind of motion, by name."""
    left, ahead = tracks.velocity.T
    walking = ahead > WALKING_SPEED
    in_place = (tracks.speed < 0.3) & (np.abs(tracks.turning) > np.radians(60.0))
    sideways = (np.abs(ahead) < 0.5 * np.abs(left)) & (np.abs(tracks.turning) < TURNING)
    return {
        "standing": stands(tracks),
        "start": _between(find_starts(tracks), len(left)),
        "stop": _between(find_stops(tracks), len(left)),
        "straight walk": walking & (np.abs(tracks.turning) < np.radians(20.0)),
        "left turn": tracks.turning > TURNING,
        "right turn": tracks.turning < -TURNING,
        "quick left turn": tracks.turning > QUICK_TURN,
        "quick right turn": tracks.turning < -QUICK_TURN,
        "turn in place": in_place,
        "step to the left": sideways & (left > SIDEWAYS_SPEED),
        "step to the right": sideways & (left < -SIDEWAYS_SPEED),
        "backward walk": (ahead < -BACKWARD_SPEED) & ~sideways,
        "fast walk or run": ahead > 1.8,
    }


def _between(changes: list[Change], count: int) -> BoolArray:
    mask = np.zeros(count, np.bool_)
    for change in changes:
        mask[change.first : change.last + 1] = True
    return mask
