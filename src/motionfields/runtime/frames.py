"""Frames of a crowd."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.runtime.follower import DisplayPose


class Frame(NamedTuple):
    """One frame of a crowd."""

    root_position: FloatArray  # [n, 3], metres
    rotations: FloatArray  # [n, joint, 4], as in a `Clip`
    planted: BoolArray  # [n, 2], whether the left and the right foot are locked in place
    states: IntArray  # [n], the database state of each character
    variants: IntArray  # [n], the variant of root motion that led there: 0 as captured, 1 warped


def blank_frame(count: int, joint_count: int) -> Frame:
    """Return a new frame of `count` characters to write to."""
    shown = DisplayPose.blank(count, joint_count)
    return Frame(*shown, np.zeros((count, 2), np.bool_), np.zeros(count, np.int64), np.zeros(count, np.int64))


def checked_frame(frame: Frame, count: int, joint_count: int) -> Frame:
    """Return `frame` if a crowd of `count` characters can write to it; ValueError if it does not fit."""
    shapes = ((count, 3), (count, joint_count, 4), (count, 2), (count,), (count,))
    types = (np.float64, np.float64, np.bool_, np.int64, np.int64)
    for track, shape, kind in zip(frame, shapes, types, strict=True):
        if track.shape != shape or track.dtype != kind or not track.flags.carray:
            raise ValueError(f"out: expected a frame that `step` returned for a crowd of {count}")
    return frame
