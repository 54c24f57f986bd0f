"""Filtering and resampling in time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_continuous, quat_normalize, quat_slerp
from motionfields.motion.clip.clip import Clip

LOW_PASS_CUTOFF = 8.0  # Hz; removes capture noise and keeps walking, turning and stumbling unchanged

FASTEST_RATE = 1e6  # frames per second; corresponds to the shortest frame time that files may have


def low_pass(clip: Clip, cutoff: float = LOW_PASS_CUTOFF) -> Clip:
    """Return `clip` without motion faster than `cutoff` Hz, and without delay.

    A second-order Butterworth filter runs forwards and backwards over the root and the sign-continuous quaternions. A
    clip whose rate is too low for `cutoff` (under 2.5 frames per cycle), or with fewer than 4 frames, is returned
    unchanged.
    """
    from scipy.signal import butter, sosfiltfilt

    if not cutoff > 0.0:
        raise ValueError(f"cutoff: expected a positive frequency in Hz, got {cutoff}")
    if clip.frame_rate < 2.5 * cutoff or clip.frame_count < 4:
        return clip
    sections = butter(2, cutoff, fs=clip.frame_rate, output="sos")
    # Odd extension by at most half a second keeps the ends in place.
    padding = min(clip.frame_count - 1, round(0.5 * clip.frame_rate))

    def smooth(track: FloatArray) -> FloatArray:
        return np.asarray(sosfiltfilt(sections, track, axis=0, padlen=padding))

    return replace(
        clip,
        root_position=smooth(clip.root_position),
        rotations=quat_normalize(smooth(quat_continuous(clip.rotations))),
    )


def resample(clip: Clip, frame_rate: float) -> Clip:
    """Return `clip` at `frame_rate` frames per second: rotations by slerp, the root by linear interpolation.

    The first frame stays the first; the last new frame is the last that the clip still covers. When lowering the rate,
    call `low_pass` first, or motion faster than half the new rate aliases.
    """
    if isinstance(frame_rate, np.ndarray) or not 0.0 < frame_rate <= FASTEST_RATE:
        raise ValueError(
            f"frame_rate: expected a positive number of frames per second up to {FASTEST_RATE:g}, got {frame_rate}"
        )
    if clip.frame_count < 2:
        return replace(clip, frame_time=1.0 / frame_rate)
    # Rounding of a file's frame time (.0083333) must not lose the last frame, so up to 0.001 frames past the end count.
    new_count = int(np.floor(clip.duration * frame_rate + 1e-3)) + 1
    place = np.arange(new_count) / (frame_rate * clip.frame_time)
    before = np.clip(np.floor(place).astype(np.int64), 0, clip.frame_count - 2)
    share = np.clip(place - before, 0.0, 1.0)
    root = clip.root_position
    return replace(
        clip,
        root_position=root[before] + share[:, np.newaxis] * (root[before + 1] - root[before]),
        rotations=quat_slerp(clip.rotations[before], clip.rotations[before + 1], share[:, np.newaxis]),
        frame_time=1.0 / frame_rate,
    )
