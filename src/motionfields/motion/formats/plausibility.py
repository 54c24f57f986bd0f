"""Plausibility of a clip's frame rate: bodies fall at 9.81 m/s2, and people take one to three steps per second."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.motion.body import Body
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import detect_contacts, foot_track
from motionfields.motion.quality import root_speed

GRAVITY = 9.81  # m/s2
FASTEST_FALL = 2.0  # times gravity; limb motion about the rough centre of mass spreads it around 1
SHORTEST_FLIGHT = 0.12  # seconds
AIRBORNE = 0.04  # metres that both feet must be above their standing height
LEAST_ARCH = 0.015  # metres that a flight must rise above the line from take-off to landing
FASTEST_STEPS = 2.8  # steps per second while walking
SLOWEST_STEPS = 0.6
WALKING_SUPPORT = 0.8  # share of the time with at least one foot in contact when walking; running has less


class RateEvidence(NamedTuple):
    """Evidence in the motion about its frame rate; NaN where there is none."""

    fall: float  # median downward acceleration in flight, times gravity
    flight_count: int
    steps_per_second: float  # while the root travels
    support: float  # share of that time with at least one foot in contact


def rate_evidence(clip: Clip, body: Body) -> RateEvidence:
    """Return how the body falls and steps in `clip`, which is in metres and seconds."""
    falls = _falls(clip, body)
    steps, support = _steps(clip, body)
    return RateEvidence(float(np.median(falls)) if len(falls) else float("nan"), len(falls), steps, support)


def implausible_rate(clip: Clip, evidence: RateEvidence) -> str | None:
    """Return a warning if `evidence` contradicts the clip's frame rate, else None."""
    if evidence.fall > FASTEST_FALL:
        likely = clip.frame_rate / np.sqrt(evidence.fall)
        return (
            f"at {clip.frame_rate:.4g} frames/s the body falls with {evidence.fall:.1f} g (flights: "
            f"{evidence.flight_count}); {likely:.0f} frames/s would make it 1 g: check the frame rate"
        )
    steps = evidence.steps_per_second
    if evidence.support > WALKING_SUPPORT and not SLOWEST_STEPS <= steps <= FASTEST_STEPS:
        return f"{steps:.1f} steps per second is unusual for a walk: check the frame rate ({clip.frame_rate:.4g}/s)"
    return None


def _falls(clip: Clip, body: Body) -> list[float]:
    """Return the downward acceleration, divided by gravity, of each flight that follows a parabola."""
    from scipy.ndimage import label

    height = foot_track(clip, body=body).height
    runs, count = label((height > AIRBORNE).all(axis=1))
    centre = _mass_height(clip, body)
    falls = []
    for run in range(1, count + 1):
        frames = np.flatnonzero(runs == run)
        if len(frames) < max(5, round(SHORTEST_FLIGHT * clip.frame_rate)):
            continue
        time = (frames - frames[0]) * clip.frame_time
        fit, residual, *_ = np.polyfit(time, centre[frames], 2, full=True)
        spread = float(np.sum((centre[frames] - centre[frames].mean()) ** 2))
        arch = -fit[0] * (0.5 * time[-1]) ** 2
        if arch > LEAST_ARCH and len(residual) and residual[0] < 0.05 * spread:
            falls.append(float(-2.0 * fit[0] / GRAVITY))
    return falls


def _mass_height(clip: Clip, body: Body) -> FloatArray:
    """Return the height [frame] in metres of a rough centre of mass.

    Its weights are trunk and head 0.58, thighs 0.2, shanks and feet 0.12, arms 0.1.
    """
    height = clip.world().positions[..., 1]

    def middle(*joints: int) -> FloatArray:
        return np.asarray(height[:, list(joints)].mean(axis=1))

    hips = middle(*(leg.hip for leg in body.legs))
    knees = middle(*(leg.knee for leg in body.legs))
    ankles = middle(*(leg.ankle for leg in body.legs))
    arms = [arm for arm in (body.left_arm, body.right_arm) if arm is not None]
    shoulders = middle(*(arm.shoulder for arm in arms)) if arms else 2.0 * hips - knees
    hands = middle(*(arm.wrist for arm in arms)) if arms else hips
    trunk = 0.45 * hips + 0.55 * shoulders
    return np.asarray(
        0.58 * trunk + 0.2 * 0.5 * (hips + knees) + 0.12 * 0.5 * (knees + ankles) + 0.1 * 0.5 * (shoulders + hands)
    )


def _steps(clip: Clip, body: Body) -> tuple[float, float]:
    """Return steps per second, and the share of frames on at least one foot, while the root travels.

    Both are NaN if there are fewer than four steps.
    """
    contacts = detect_contacts(clip, body=body)
    travelling = np.asarray(root_speed(clip) > 0.4)
    onsets = (contacts[1:] & ~contacts[:-1]) & travelling[1:, np.newaxis]
    seconds = float(travelling.sum() * clip.frame_time)
    if onsets.sum() < 4 or seconds < 1.5:
        return float("nan"), float("nan")
    return float(onsets.sum()) / seconds, float(contacts[travelling].any(axis=1).mean())
