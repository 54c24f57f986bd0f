"""Stance of a character: the heights of ball and ankle while a foot is in contact, measured from data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import detect_contacts


@dataclass(frozen=True, eq=False)
class Stance:
    """Heights in metres of standing feet; entry 0 is the left foot, entry 1 the right."""

    toe_heights: FloatArray  # [2], of the ball of the foot above y = 0
    heel_heights: FloatArray  # [2], of the ankle above the ball

    def __post_init__(self) -> None:
        for name in ("toe_heights", "heel_heights"):
            heights = np.array(getattr(self, name), dtype=np.float64)
            if heights.shape != (2,) or not np.isfinite(heights).all():
                raise ValueError(f"{name}: expected two finite heights in metres, left and right, got {heights}")
            heights.flags.writeable = False
            object.__setattr__(self, name, heights)


def measure_stance(
    clips: Clip | Sequence[Clip], contacts: Sequence[BoolArray] | None = None, *, body: Body | None = None
) -> Stance:
    """Return the stance of the character in `clips`, which share a floor, during `contacts` ([frame, 2] each).

    Contacts default to the detected ones. The ball's height is the median over the contact frames. The ankle's height
    is the 25th percentile, because contact continues while the heel rises.
    """
    takes = [clips] if isinstance(clips, Clip) else list(clips)
    if not takes:
        raise ValueError("clips: expected at least one clip")
    labels = [detect_contacts(clip, body=body) for clip in takes] if contacts is None else list(contacts)
    for clip, held in zip(takes, labels, strict=True):
        if np.shape(held) != (clip.frame_count, 2) or np.asarray(held).dtype != np.bool_:
            raise ValueError(f"contacts: expected true or false of shape {(clip.frame_count, 2)} for {clip.name}")
    legs = (body or find_body(takes[0].skeleton)).legs
    toe_heights, heel_heights = np.empty(2), np.empty(2)
    positions = [clip.world().positions for clip in takes]
    for side, leg in enumerate(legs):
        toe, ankle = (
            np.concatenate([places[held[:, side], joint, 1] for places, held in zip(positions, labels, strict=True)])
            for joint in (leg.toe, leg.ankle)
        )
        if toe.size == 0:
            raise ValueError(f"contacts: expected some contact of the {('left', 'right')[side]} foot, got none")
        toe_heights[side], heel_heights[side] = np.median(toe), np.percentile(ankle - toe, 25.0)
    return Stance(toe_heights, heel_heights)
