"""Takes: motion of the selected character, recorded while the session runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_normalize
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton

LONGEST_TAKE = 600.0  # seconds


class Recording(NamedTuple):
    """A recorded motion."""

    skeleton: Skeleton
    frames: tuple[tuple[FloatArray, FloatArray], ...]  # root position [3], metres, and rotations [joint, 4], wxyz
    frame_time: float  # seconds

    def clip(self) -> Clip:
        """Return the motion as a clip."""
        root, rotations = (np.stack(tracks) for tracks in zip(*self.frames, strict=True))
        return Clip(self.skeleton, root, quat_normalize(rotations), self.frame_time, name="take")


class Recorder:
    """Recorder of one take at a time, of at most `LONGEST_TAKE` seconds."""

    def __init__(self, skeleton: Skeleton, frame_time: float) -> None:
        self.on = False
        self._skeleton, self._frame_time = skeleton, frame_time
        self._frames: list[tuple[FloatArray, FloatArray]] = []

    def __len__(self) -> int:
        return len(self._frames)

    def start(self) -> None:
        """Begin a new take."""
        self._frames, self.on = [], True

    def add(self, root_position: FloatArray, rotations: FloatArray) -> None:
        """Add a frame, root position [3] and rotations [joint, 4], to the take that is being recorded, if any."""
        if self.on:
            self._frames.append((root_position.copy(), rotations.copy()))
            self.on = len(self) * self._frame_time < LONGEST_TAKE

    def taken(self) -> Recording | None:
        """Return the last take, or None if there is none."""
        return Recording(self._skeleton, tuple(self._frames), self._frame_time) if self._frames else None
