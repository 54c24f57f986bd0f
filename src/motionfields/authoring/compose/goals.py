"""Goals of a timeline: labels, places, paths, poses and heights of joints."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.motion.annotations.spans import checked_label
from motionfields.motion.clip import Clip

LONGEST: Final = 600.0  # seconds; the dynamic program keeps one byte for each state and frame
FURTHEST: Final = 1000.0  # metres from the origin


@dataclass(frozen=True)
class LabelGoal:
    """A label to show from `start` up to `end` in seconds or, if not `wanted`, to avoid.

    Each frame that fails costs `weight` times the label weight of the composition. With `hard`, a motion in which any
    frame fails is refused.
    """

    label: str
    start: float
    end: float
    wanted: bool = True
    weight: float = 1.0
    hard: bool = False

    def __post_init__(self) -> None:
        checked_label(self.label)
        if not 0.0 <= self.start < self.end <= LONGEST:
            raise ValueError(
                f"{self.label}: expected 0 <= start < end <= {LONGEST:g} seconds, got {self.start} to {self.end}"
            )
        _check_weight(self.label, self.weight)

    @property
    def text(self) -> str:
        """The goal in words, for messages."""
        return f"{'' if self.wanted else 'no '}{self.label} from {self.start:g} to {self.end:g} s"


@dataclass(frozen=True)
class PlaceGoal:
    """The root at (`x`, `z`) metres on the ground at `time` seconds, facing `heading` radians, or any way if None."""

    time: float
    x: float
    z: float
    heading: float | None = None

    def __post_init__(self) -> None:
        _check_time("place", self.time)
        for name, value in (("x", self.x), ("z", self.z), ("heading", self.heading or 0.0)):
            if not abs(value) <= FURTHEST:
                raise ValueError(f"place, {name}: expected at most {FURTHEST:g}, got {value}")

    @property
    def text(self) -> str:
        """The goal in words, for messages."""
        facing = "" if self.heading is None else f" facing {math.degrees(self.heading):.0f} degrees"
        return f"place ({self.x:g}, {self.z:g}) m{facing} at {self.time:g} s"


@dataclass(frozen=True)
class PathGoal:
    """A path on the ground through `points`, (x, z) in metres, followed at even speed from `start` to `end` seconds."""

    points: tuple[tuple[float, float], ...]
    start: float
    end: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple((float(x), float(z)) for x, z in self.points))
        _check_time("path", self.start)
        _check_time("path", self.end)
        if not 2 <= len(self.points) <= 10_000 or not self.start < self.end:
            raise ValueError("path: expected 2 to 10000 points and an end after the start")
        if not all(abs(value) <= FURTHEST for point in self.points for value in point):
            raise ValueError(f"path: expected points at most {FURTHEST:g} m from the origin")
        if self.length <= 0.0:
            raise ValueError("path: expected points at different places")

    @property
    def length(self) -> float:
        """Length in metres."""
        return float(np.linalg.norm(np.diff(np.array(self.points), axis=0), axis=-1).sum())

    @property
    def text(self) -> str:
        """The goal in words, for messages."""
        return f"path of {self.length:.1f} m from {self.start:g} to {self.end:g} s"

    def at(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the place [n, 2] in metres and the heading [n] in radians at `times` [n] in seconds."""
        points = np.array(self.points)
        along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
        share = np.clip((times - self.start) / (self.end - self.start), 0.0, 1.0)

        def place(where: FloatArray) -> FloatArray:
            return np.stack([np.interp(where, along, points[:, axis]) for axis in range(2)], axis=-1)

        reach = 0.02 * along[-1]
        ahead = place(np.minimum(share * along[-1] + reach, along[-1]))
        behind = place(np.maximum(share * along[-1] - reach, 0.0))
        heading = np.arctan2(ahead[:, 0] - behind[:, 0], ahead[:, 1] - behind[:, 1])
        return place(share * along[-1]), np.unwrap(heading)


@dataclass(frozen=True)
class PoseGoal:
    """The pose of `take` at `take_time` seconds, shown at `time` seconds.

    `take` names a clip of the database. With `source`, a clip of the same skeleton that need not be in the database,
    the pose is that of `source` instead. Files of timelines do not hold it.
    """

    time: float
    take: str
    take_time: float
    weight: float = 1.0
    source: Clip | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        _check_time("pose", self.time)
        _check_time("pose, take_time", self.take_time)
        _check_weight("pose", self.weight)

    @property
    def text(self) -> str:
        """The goal in words, for messages."""
        return f"pose of {self.take} at {self.take_time:g} s, at {self.time:g} s"


@dataclass(frozen=True)
class JointGoal:
    """A joint at `height` metres above the ground at `time` seconds: a high head gives a jump.

    With `x` and `z`, in metres, the joint is also at this place on the ground.
    """

    time: float
    joint: str
    height: float
    weight: float = 1.0
    x: float | None = None
    z: float | None = None

    def __post_init__(self) -> None:
        _check_time("joint", self.time)
        _check_weight("joint", self.weight)
        if not abs(self.height) <= 100.0:
            raise ValueError(f"joint, height: expected at most 100 m, got {self.height}")
        if (self.x is None) != (self.z is None):
            raise ValueError("joint: expected both x and z, or neither")
        for name, value in (("x", self.x or 0.0), ("z", self.z or 0.0)):
            if not abs(value) <= FURTHEST:
                raise ValueError(f"joint, {name}: expected at most {FURTHEST:g}, got {value}")

    @property
    def text(self) -> str:
        """The goal in words, for messages."""
        place = "" if self.x is None else f" over ({self.x:g}, {self.z:g}) m"
        return f"{self.joint} at {self.height:g} m{place} at {self.time:g} s"


def goal_frame(goal: PlaceGoal | PoseGoal | JointGoal, frame_time: float, frame_count: int) -> int:
    """Return the frame of `goal`: that of its time, or the last one of a motion of `frame_count` frames."""
    return min(round(goal.time / frame_time), frame_count - 1)


def _check_time(name: str, value: float) -> None:
    if not 0.0 <= value <= LONGEST:
        raise ValueError(f"{name}: expected a time of 0 to {LONGEST:g} seconds, got {value}")


def _check_weight(name: str, value: float) -> None:
    if not 0.0 < value <= 100.0:
        raise ValueError(f"{name}: expected a weight above 0 and at most 100, got {value}")
