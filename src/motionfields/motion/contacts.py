"""Contact labels of the feet, from the speed and height of the ball of the foot, with hysteresis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip


@dataclass(frozen=True)
class ContactSettings:
    """Thresholds of the contact detector, in metres, metres per second and seconds.

    A contact begins where the ball of the foot is slower than `enter_speed` and less than `enter_height` above its own
    standing height. It extends over all neighbouring frames in which the ball stays below the `leave` values.
    """

    enter_speed: float = 0.25
    leave_speed: float = 0.35
    enter_height: float = 0.025
    leave_height: float = 0.045
    shortest: float = 0.08  # seconds; shorter contacts are dropped and shorter gaps closed
    speed_window: float = 1.0 / 30.0  # seconds over which a speed is measured

    def __post_init__(self) -> None:
        for name in ("enter_speed", "enter_height", "speed_window"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name}: expected a positive number, got {getattr(self, name)}")
        if self.leave_speed < self.enter_speed or self.leave_height < self.enter_height:
            raise ValueError("leave_speed, leave_height: expected values of at least enter_speed and enter_height")


class FootTrack(NamedTuple):
    """Height and speed of the balls of both feet; column 0 is the left foot, column 1 the right."""

    height: FloatArray  # [frame, 2], metres above the foot's own standing height
    speed: FloatArray  # [frame, 2], metres per second


def foot_track(clip: Clip, *, body: Body | None = None, speed_window: float = 1.0 / 30.0) -> FootTrack:
    """Return the height and speed of each foot in every frame of `clip`."""
    legs = (body or find_body(clip.skeleton)).legs
    position = clip.world().positions[:, [leg.toe for leg in legs]]
    reach = max(1, round(0.5 * speed_window * clip.frame_rate))
    speed = np.linalg.norm(central_velocity(position, clip.frame_time, reach=reach), axis=-1)
    return FootTrack(position[..., 1] - _standing_height(position[..., 1], speed), speed)


def detect_contacts(clip: Clip, settings: ContactSettings | None = None, *, body: Body | None = None) -> BoolArray:
    """Return whether the left and the right foot are in contact in each frame, [frame, 2]."""
    use = settings or ContactSettings()
    if clip.frame_count < 2:
        return np.zeros((clip.frame_count, 2), dtype=np.bool_)
    track = foot_track(clip, body=body, speed_window=use.speed_window)
    sure = (track.speed < use.enter_speed) & (track.height < use.enter_height)
    possible = (track.speed < use.leave_speed) & (track.height < use.leave_height)
    shortest = round(use.shortest * clip.frame_rate)
    contacts = np.empty_like(sure)
    for foot in range(2):
        held = _grown(sure[:, foot], possible[:, foot])
        closed = ~_without_short_runs(~held, shortest)
        contacts[:, foot] = _without_short_runs(closed, shortest)
    return contacts


def checked_labels(clip: Clip, contacts: ArrayLike) -> BoolArray:
    """Return `contacts` as booleans [frame, 2]; raise `ValueError` unless there is one row per frame of `clip`."""
    labels = np.asarray(contacts, dtype=np.bool_)
    if labels.shape != (clip.frame_count, 2):
        raise ValueError(f"contacts: expected [frame, 2] = {(clip.frame_count, 2)}, got {labels.shape}")
    return labels


def central_velocity(values: FloatArray, frame_time: float, *, reach: int = 1) -> FloatArray:
    """Return the rate of change per second of `values` [frame, ...] over `reach` frames each way, fewer at the ends."""
    frames = np.arange(len(values))
    before, after = np.maximum(frames - reach, 0), np.minimum(frames + reach, len(values) - 1)
    span = np.maximum(after - before, 1) * frame_time
    return np.asarray((values[after] - values[before]) / span.reshape(-1, *([1] * (values.ndim - 1))))


def _standing_height(height: FloatArray, speed: FloatArray) -> FloatArray:
    """Return the height [2] in metres at which each ball stands: the median of the lower half of its slow frames."""
    floors = np.empty(2)
    for foot in range(2):
        slow = height[speed[:, foot] <= np.percentile(speed[:, foot], 30.0), foot]
        floors[foot] = np.median(slow[slow <= np.percentile(slow, 50.0)])
    return floors


def _grown(seed: BoolArray, allowed: BoolArray) -> BoolArray:
    """Return the runs of `allowed` [frame] that contain at least one frame of `seed`."""
    from scipy.ndimage import label

    runs, _ = label(allowed)
    kept = np.unique(runs[seed & allowed])
    return np.asarray(np.isin(runs, kept[kept > 0]))


def _without_short_runs(flags: BoolArray, shortest: int) -> BoolArray:
    """Return `flags` [frame] without its runs of fewer than `shortest` frames, except runs at either end."""
    from scipy.ndimage import label

    runs, count = label(flags)
    lengths = np.bincount(runs, minlength=count + 1)
    short = lengths < shortest
    short[[0, runs[0], runs[-1]]] = False
    return np.asarray(flags & ~short[runs])
