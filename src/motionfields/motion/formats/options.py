"""Options of a caller for loading files, and their checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from motionfields.base.checks import checked_count
from motionfields.motion.clip import Finding
from motionfields.motion.clip.place import AXES
from motionfields.motion.clip.timing import FASTEST_RATE
from motionfields.motion.formats.guessing import UNITS

SCALES = (1e-6, 1e6)  # metres per file unit


class LoadOptions(TypedDict, total=False):
    """Known facts about the files to load; see `load_clip`."""

    scale: float | str | None
    up: str | None
    facing: str | None
    rest_frames: int | None
    frame_rate: float | None


@dataclass(frozen=True)
class Given:
    """Facts that the caller gave about the files, checked; None means that it is guessed."""

    scale: float | str | None = None
    up: str | None = None
    facing: str | None = None
    rest_frames: int | None = None
    frame_rate: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.scale, str):
            object.__setattr__(self, "scale", metres_per(self.scale, "scale: expected metres per unit or one of"))
        low, high = SCALES
        if self.scale is not None and not low <= float(self.scale) <= high:
            raise ValueError(
                f"scale: expected a positive number of metres per unit from {low:g} to {high:g}, got {self.scale}"
            )
        if self.frame_rate is not None and not 0.0 < self.frame_rate <= FASTEST_RATE:
            raise ValueError(
                f"frame_rate: expected a positive number of frames per second up to {FASTEST_RATE:g}, "
                f"got {self.frame_rate}"
            )
        if self.rest_frames is not None:
            checked_count("rest_frames", self.rest_frames)
        self._check_axes()

    def _check_axes(self) -> None:
        for name, axis in (("up", self.up), ("facing", self.facing)):
            if axis is not None and axis not in AXES:
                raise ValueError(f"{name}: expected one of {', '.join(AXES)}, got {axis!r}")
        if self.up is not None and self.facing is not None and self.up[1] == self.facing[1]:
            raise ValueError(f"facing: expected an axis perpendicular to up ({self.up}), got {self.facing}")

    def finding(self, name: str) -> Finding | None:
        """Return the given value called `name`, or None."""
        value = getattr(self, name)
        return None if value is None else Finding(value, "given", given=True)


def metres_per(name: str, expected: str = "unit: expected one of") -> float:
    """Return the length in metres of the unit called `name`."""
    if name not in UNITS:
        raise ValueError(f"{expected} {', '.join(UNITS)}, got {name!r}")
    return UNITS[name]
