"""Figures of footwork and of progress through the data, by the same code for captured clips and for trials.

A controller that shows one moment of the data again and again turns fast and smoothly: a statue on a turntable. Means
over whole runs hide it, so most of these figures are over turning frames only. `docs/quality.md` defines them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.field.database.takes import shown_again
from motionfields.motion import footwork
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.planting import Stance

FAST_FOOT = 0.6  # m/s; a supporting foot that is faster slides or changes place
WINDOW_TIME = 8.0 / 30.0  # seconds in which more than half of the frames must show states of their own

# The least reference for each ratio: generated feet hardly move, so they alone would be too strict a reference.
LEAST_FOOT_SPEED = 0.05  # m/s
LEAST_FOOT_P95 = 0.10  # m/s
LEAST_FAST_FEET = 0.01  # share of frames
LEAST_SPIN = float(np.radians(10.0))  # rad/s
LEAST_TWIST = float(np.radians(1.0))  # rad; data with less has a stiff torso, and no ratio is formed


class FootTracks(NamedTuple):
    """Footwork of one clip or character, frame by frame, without the last frame."""

    turning: BoolArray  # [frame - 1], turns faster than 60 degrees per second
    speed: FloatArray  # [frame - 1], m/s, of the supporting foot
    spin: FloatArray  # [frame - 1], rad/s, of the supporting foot about the vertical
    twist: FloatArray  # [frame - 1], rad, of the torso against the pelvis, absolute
    airborne: BoolArray  # [frame - 1], both feet off the ground


class FootFigures(NamedTuple):
    """Footwork of clips in absolute units; NaN for turns if nothing turns."""

    foot_speed: float  # m/s, mean speed of the supporting foot
    foot_p95: float  # m/s, its 95th percentile
    fast_feet: float  # share of frames in which it is faster than 0.6 m/s
    turning_foot_speed: float  # m/s, the same three over turning frames
    turning_foot_p95: float
    turning_fast_feet: float
    foot_spin: float  # rad/s, mean yaw speed of the supporting foot over turning frames
    twist: float  # rad, 95th percentile of the torso's twist
    flight: float  # share of frames without a foot on the ground

    def labelled(self) -> dict[str, float]:
        """Return the figures by names with their units, in degrees and metres per second."""
        return {
            "foot_speed_m_s": self.foot_speed,
            "foot_p95_m_s": self.foot_p95,
            "fast_feet_share": self.fast_feet,
            "turning_foot_speed_m_s": self.turning_foot_speed,
            "turning_foot_p95_m_s": self.turning_foot_p95,
            "turning_fast_feet_share": self.turning_fast_feet,
            "foot_spin_deg_s": float(np.degrees(self.foot_spin)),
            "twist_deg": float(np.degrees(self.twist)),
            "flight_share": self.flight,
        }


def foot_tracks(clip: Clip, stance: Stance, *, body: Body | None = None) -> FootTracks:
    """Measure the footwork of `clip`."""
    use = body or find_body(clip.skeleton)
    return FootTracks(
        footwork.turning_frames(clip, body=use)[:-1],
        footwork.lower_foot_speed(clip, stance, body=use),
        footwork.foot_spin(clip, stance, body=use),
        np.abs(footwork.torso_twist(clip, body=use))[:-1],
        footwork.airborne(clip, stance, body=use)[:-1],
    )


def foot_figures(tracks: Sequence[FootTracks]) -> FootFigures:
    """Return the figures of all frames of `tracks`."""
    turning, speed, spin, twist, flying = (np.concatenate(part) for part in zip(*tracks, strict=True))
    fast = speed > FAST_FOOT
    return FootFigures(
        float(speed.mean()),
        float(np.percentile(speed, 95.0)),
        float(fast.mean()),
        _mean(speed[turning]),
        float(np.percentile(speed[turning], 95.0)) if turning.any() else float("nan"),
        _mean(fast[turning]),
        _mean(spin[turning]),
        float(np.percentile(twist, 95.0)),
        float(flying.mean()),
    )


def compare_feet(own: FootFigures, source: FootFigures) -> FootFigures:
    """Return `own` relative to `source`: ratios, except for flight, which is the share above that of the source.

    Turns that `own` does not have count as 0; turns that only the source lacks leave NaN. The twist of a source with a
    stiff torso is no reference, and its ratio is 1.
    """
    least = source._replace(
        foot_speed=max(source.foot_speed, LEAST_FOOT_SPEED),
        foot_p95=max(source.foot_p95, LEAST_FOOT_P95),
        fast_feet=max(source.fast_feet, LEAST_FAST_FEET),
        turning_foot_speed=_at_least(source.turning_foot_speed, LEAST_FOOT_SPEED),
        turning_foot_p95=_at_least(source.turning_foot_p95, LEAST_FOOT_P95),
        turning_fast_feet=_at_least(source.turning_fast_feet, LEAST_FAST_FEET),
        foot_spin=_at_least(source.foot_spin, LEAST_SPIN),
    )
    still = np.isnan(own.foot_spin)
    ratios = [
        0.0 if still and np.isnan(value) else value / reference if reference else 0.0
        for value, reference in zip(own, least, strict=True)
    ]
    return FootFigures(*ratios)._replace(
        twist=own.twist / source.twist if source.twist >= LEAST_TWIST else 1.0,
        flight=max(0.0, own.flight - source.flight),
    )


def replayed_frames(states: IntArray, frame_time: float) -> BoolArray:
    """Return which frames [frame] show the data again instead of advancing through it.

    These are the frames whose state in `states` [frame] was shown within the last 20 frames, and those that end 8
    frames with at most 4 different states; the numbers are for 30 frames per second and scale with `frame_time`. A
    mirror image is another state: a step to the left may follow the same step to the right.
    """
    again = shown_again(states, frame_time)
    window = max(2, round(WINDOW_TIME / frame_time))
    if len(states) >= window:
        recent = np.sort(np.lib.stride_tricks.sliding_window_view(states, window), axis=1)
        different = 1 + (np.diff(recent, axis=1) != 0).sum(axis=1)
        again[window - 1 :] |= different <= window // 2
    return again


def replayed_share(replayed: Sequence[BoolArray], turning: Sequence[BoolArray]) -> float:
    """Return the share of the `turning` frames ([frame] each) that are also `replayed` ([frame] each); 0 if none."""
    turns = np.concatenate([one[: len(other)] for one, other in zip(turning, replayed, strict=True)])
    again = np.concatenate([one[: len(other)] for one, other in zip(replayed, turning, strict=True)])
    return float(again[turns].mean()) if turns.any() else 0.0


def largest_share(takes: Sequence[IntArray]) -> float:
    """Return the share of all frames of `takes` ([frame] each) that show the most shown captured clip."""
    return float(np.bincount(np.concatenate(takes)).max() / sum(len(one) for one in takes))


def _mean(values: FloatArray | BoolArray) -> float:
    return float(values.mean()) if values.size else float("nan")


def _at_least(value: float, least: float) -> float:
    """Return the larger of `value` and `least`, and NaN for NaN."""
    return value if np.isnan(value) else max(value, least)
