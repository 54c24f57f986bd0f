"""The recorded motion of one skeleton: frozen arrays that are valid by construction."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.motion.clip.report import LoadReport
from motionfields.motion.skeleton import Skeleton, WorldPose, forward_kinematics

UNIT_TOLERANCE = 1e-5  # largest deviation of a quaternion's length from 1 that counts as round-off, not as an error


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion of one skeleton, sampled at a fixed rate; y is up, in metres and seconds.

    `rotations` are `world_from_root` for joint 0 and `parent_from_joint` for the others: unit quaternions wxyz,
    normalised by the constructor. The arrays are float64 and read-only.
    """

    skeleton: Skeleton
    root_position: FloatArray  # [frame, 3], metres
    rotations: FloatArray  # [frame, joint, 4]
    frame_time: float  # seconds
    name: str = ""
    report: LoadReport | None = None

    def __post_init__(self) -> None:
        frame_count, joint_count = len(self.root_position), self.skeleton.joint_count
        root_position = np.array(self.root_position, dtype=np.float64)
        rotations = np.array(self.rotations, dtype=np.float64)
        if root_position.shape != (frame_count, 3):
            raise ValueError(f"root_position: expected [frame, 3], got {root_position.shape}")
        if rotations.shape != (frame_count, joint_count, 4):
            raise ValueError(f"rotations: expected {(frame_count, joint_count, 4)}, got {rotations.shape}")
        if not np.isfinite(root_position).all():
            raise ValueError("root_position: expected finite numbers of metres")
        if not 0.0 < self.frame_time < np.inf:
            raise ValueError(f"frame_time: expected a positive number of seconds, got {self.frame_time}")
        length = np.linalg.norm(rotations, axis=-1, keepdims=True)
        if not np.all(np.abs(length - 1.0) <= UNIT_TOLERANCE):
            raise ValueError("rotations: expected unit quaternions wxyz")
        # Quaternions of length 1 keep their bits, so that repeated copies of a clip do not drift.
        rotations /= np.where(np.abs(length - 1.0) > 1e-14, length, 1.0)
        for name, array in (("root_position", root_position), ("rotations", rotations)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "frame_time", float(self.frame_time))

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies and pickles run the constructor: numpy itself would return writeable arrays.
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.root_position)

    @property
    def frame_rate(self) -> float:
        """Frames per second."""
        return 1.0 / self.frame_time

    @property
    def duration(self) -> float:
        """Time in seconds from the first frame to the last."""
        return max(0, self.frame_count - 1) * self.frame_time

    def world(self) -> WorldPose:
        """Return world positions [frame, joint, 3] and rotations [frame, joint, 4], recomputed at each call."""
        return forward_kinematics(self.skeleton, self.root_position, self.rotations)


def trim(clip: Clip, start: int = 0, stop: int | None = None) -> Clip:
    """Return the frames `start` to `stop` (excluded) of `clip`; negative numbers count from the end, as in a slice."""
    frames = slice(start, stop)
    return replace(clip, root_position=clip.root_position[frames], rotations=clip.rotations[frames])
