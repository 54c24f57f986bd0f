"""Timing of a stroke that is followed at any speed: the frames of a motion matched with the nearest points in order."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from motionfields.authoring.sketch.strokes import Stroke
from motionfields.base.arrays import FloatArray, IntArray

SPACING: Final = 0.01  # metres between the points of a stroke that frames are matched with
MOST_POINTS: Final = 2000
FASTEST: Final = 3.0  # times the mean speed at which a motion may follow a stroke
SMOOTHING: Final = 0.1  # seconds: width of the filter on the progress along a stroke


def aligned(stroke: Stroke, track: FloatArray, frame_time: float) -> Stroke:
    """Return `stroke` with the times at which the joint at `track` [frame, 3] in metres is nearest to it, in order.

    The first frame is at the start of the stroke and the last frame at its end.
    """
    count = int(np.clip(math.ceil(stroke.length / SPACING), 2, MOST_POINTS)) + 1
    dense = stroke.timed(1.0).at(np.linspace(0.0, 1.0, count))
    seen, projected = dense @ stroke.seen, track @ stroke.seen
    most = max(1, math.ceil(FASTEST * count / len(track)))
    matched = match(seen, projected, most)
    progress = gaussian_filter1d(matched / (count - 1.0), SMOOTHING / frame_time, mode="nearest")
    progress = (progress - progress[0]) / max(progress[-1] - progress[0], 1e-9)
    return Stroke(
        stroke.timed(1.0).at(progress), stroke.seen, stroke.joint, frame_time * np.arange(len(track), dtype=np.float64)
    )


def match(points: FloatArray, track: FloatArray, most: int) -> IntArray:
    """Return the point [frame] of `points` [n, 3] for each frame of `track` [frame, 3], by least square distances.

    The first frame has the first point and the last frame the last; each frame is up to `most` points after the one
    before. Of equal matches, the one with the smaller advance.
    """
    count, frames = len(points), len(track)
    cost = np.full(count, np.inf)
    cost[0] = 0.0
    chosen = np.zeros((frames, count), np.int32)
    for frame in range(1, frames):
        padded = np.concatenate([np.full(most, np.inf), cost])
        windows = np.lib.stride_tricks.sliding_window_view(padded, most + 1)[:, ::-1]  # by advance, from 0
        chosen[frame] = windows.argmin(axis=1)
        cost = windows.min(axis=1) + ((points - track[frame]) ** 2).sum(axis=1)
    out = np.empty(frames, np.int64)
    out[-1] = count - 1
    for frame in range(frames - 1, 0, -1):
        out[frame - 1] = out[frame] - chosen[frame, out[frame]]
    return out
