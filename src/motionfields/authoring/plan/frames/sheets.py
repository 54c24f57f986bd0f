"""Strokes as images: the distance of every place from a stroke, and the time at which the stroke is nearest to it."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from motionfields.base.arrays import FloatArray
from motionfields.base.checks import checked_number, checked_numbers
from motionfields.base.compiled import kernel

CELL: Final = 0.02  # metres
MARGIN: Final = 1.5  # metres around the stroke within which motions stay
SAMPLE: Final = 1.0 / 60.0  # seconds between the samples of a stroke
MOST_CELLS: Final = 1 << 24
GROUND: Final = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # the view from above


class Sheet(NamedTuple):
    """The plane of a view with a stroke (D and T of section 3.3.1 of Lo's thesis)."""

    distance: FloatArray  # [u, v], metres, float32
    time: FloatArray  # [u, v], seconds of the stroke, float32
    corner: FloatArray  # [2], metres, place of the first cell
    axes: FloatArray  # [2, 3], directions in the world along which u and v are measured
    duration: float  # seconds


def make_sheet(points: FloatArray, times: FloatArray, *, axes: FloatArray = GROUND) -> Sheet:
    """Return the sheet of a stroke through `points` [n, 2] in metres along `axes` [2, 3] at `times` [n], from 0 s."""
    flat = checked_numbers("points", points, shape=(None, 2))
    if len(flat) < 2:
        raise ValueError(f"points: expected at least two places, got {len(flat)}")
    clock = checked_numbers("times", times, shape=(len(flat),))
    if not (np.diff(clock) > 0.0).all() or clock[0] != 0.0:
        raise ValueError("times: expected rising times in seconds from 0, one for each point")
    checked_number("times", float(clock[-1]), 0.0, 600.0)
    view = np.asarray(axes, dtype=np.float64)
    if view.shape != (2, 3) or not np.allclose(view @ view.T, np.eye(2), atol=1e-6):
        raise ValueError("axes: expected two directions of length 1 at right angles [2, 3]")
    corner = flat.min(axis=0) - MARGIN
    size = np.ceil((flat.max(axis=0) + MARGIN - corner) / CELL).astype(np.int64) + 1
    if size.prod() > MOST_CELLS:
        raise ValueError(f"points: expected a stroke within {MOST_CELLS * CELL**2:.0f} m2")
    at = np.linspace(0.0, clock[-1], math.ceil(clock[-1] / SAMPLE) + 1)
    samples = np.stack([np.interp(at, clock, column) for column in flat.T], axis=1)
    cells = np.stack(np.meshgrid(*(np.arange(count) for count in size), indexing="ij"), axis=-1).reshape(-1, 2)
    found = cKDTree(samples).query(corner + CELL * cells)
    shape = (int(size[0]), int(size[1]))
    distance, time = (np.asarray(part, np.float32).reshape(shape) for part in (found[0], at[found[1]]))
    return Sheet(distance, time, corner, view, float(clock[-1]))


@kernel
def looked_up(sheet: Sheet, x: float, y: float, z: float) -> tuple[float, float]:
    """Return the distance in metres and the time in seconds of the stroke at a place; -1 outside the sheet."""
    axes, corner = sheet.axes, sheet.corner
    u = math.floor((axes[0, 0] * x + axes[0, 1] * y + axes[0, 2] * z - corner[0]) / CELL + 0.5)
    v = math.floor((axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z - corner[1]) / CELL + 0.5)
    if u < 0 or v < 0 or u >= sheet.distance.shape[0] or v >= sheet.distance.shape[1]:
        return -1.0, -1.0
    return float(sheet.distance[u, v]), float(sheet.time[u, v])
