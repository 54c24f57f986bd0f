"""Tools for motion curves over time: eased steps, splines through knots, waves, smoothing, slow drift."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from motionfields.base.arrays import FloatArray


class Bump:
    """A smooth curve through (place, value) knots, constant before the first and after the last knot."""

    def __init__(self, *knots: tuple[float, float]) -> None:
        places, values = zip(*knots, strict=True)
        self._spline = CubicSpline(places, values, bc_type="clamped")
        self._first, self._last = places[0], places[-1]

    def __call__(self, place: FloatArray) -> FloatArray:
        """Return the value at each `place`, in the same shape."""
        return np.asarray(self._spline(np.clip(place, self._first, self._last)))


def ease(share: FloatArray) -> FloatArray:
    """Return 0 to 1 with zero speed and acceleration at both ends (quintic), for `share` clipped to 0..1."""
    s = np.clip(share, 0.0, 1.0)
    return np.asarray(s**3 * (10.0 - 15.0 * s + 6.0 * s**2))


def wave(cycle: FloatArray, *harmonics: tuple[int, float, float]) -> FloatArray:
    """Return a sum of cosines over the gait `cycle` (1 = one stride), each (harmonic, amplitude, place of maximum)."""
    total = np.zeros_like(cycle)
    for harmonic, amplitude, peak in harmonics:
        total += amplitude * np.cos(2.0 * np.pi * harmonic * (cycle - peak))
    return total


def smoothed(values: FloatArray, *, width: float, frame_time: float) -> FloatArray:
    """Return `values` [frame, ...] filtered by a Gaussian of standard deviation `width` seconds; ends are held."""
    return np.asarray(gaussian_filter1d(values, width / frame_time, axis=0, mode="nearest"))


def ahead(values: FloatArray, lead: float, *, frame_time: float) -> FloatArray:
    """Return `values` [frame] shifted to be `lead` seconds early; ends are held."""
    frames = np.arange(len(values))
    return np.asarray(np.interp(frames + lead / frame_time, frames, values))


def through(times: FloatArray, values: FloatArray, at: FloatArray) -> FloatArray:
    """Return a curve without overshoot through `values` [knot] at `times` [knot], held outside, `at` [frame]."""
    curve = PchipInterpolator(times, values, axis=0)
    return np.asarray(curve(np.clip(at, times[0], times[-1])))


def slow_drift(
    rng: np.random.Generator, time: FloatArray, *, size: float, periods: Sequence[float] = (2.3, 3.7, 6.1)
) -> FloatArray:
    """Return a wandering signal [frame] of standard deviation near `size`: sines of `periods` seconds, random phase."""
    phases = rng.uniform(0.0, 2.0 * np.pi, len(periods))
    scale = size * np.sqrt(2.0 / len(periods))
    waves = [np.sin(2.0 * np.pi * time / period + phase) for period, phase in zip(periods, phases, strict=True)]
    return np.asarray(scale * np.sum(waves, axis=0))
