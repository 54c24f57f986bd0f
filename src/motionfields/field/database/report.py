"""The build report of a database: its content, and warnings about suspicious data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from motionfields.base.checks import check_fields, checked_number
from motionfields.base.wording import counted

TURNING_EDGES = (0.0, 10.0, 30.0, 60.0, 90.0, 120.0, 180.0, float("inf"))  # degrees per second
SPEED_EDGES = (0.0, 0.15, 0.5, 0.9, 1.3, 1.8, 2.5, float("inf"))  # metres per second


@dataclass(frozen=True)
class BuildReport:
    """A summary of the clips that went into a database, with warnings."""

    clip_count: int  # input clips, before mirroring
    seconds: float  # duration in the database, including mirrored clips
    state_count: int
    frame_rate: float
    mirrored: bool
    bone_change: float  # metres: largest change of a bone when left and right were made symmetric
    dropped_joints: dict[str, str]  # joints left out of the metric, and why
    turning: tuple[float, ...]  # share of the frames between TURNING_EDGES
    speed: tuple[float, ...]  # share of the frames between SPEED_EDGES
    contact_share: tuple[float, float]  # left, right
    warnings: tuple[str, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        shares = (("turning", len(TURNING_EDGES) - 1), ("speed", len(SPEED_EDGES) - 1), ("contact_share", 2))
        for name, count in shares:
            numbers = getattr(self, name)
            if not isinstance(numbers, tuple) or len(numbers) != count:
                raise ValueError(f"report.{name}: expected {count} numbers, got {numbers!r}")
            for number in numbers:
                checked_number(f"report.{name}", number)
        if not isinstance(self.dropped_joints, dict) or not all(
            isinstance(why, str) for why in self.dropped_joints.values()
        ):
            raise ValueError("report.dropped_joints: expected a reason for each joint")
        if not isinstance(self.warnings, tuple) or not all(isinstance(text, str) for text in self.warnings):
            raise ValueError("report.warnings: expected a list of texts")

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain dictionaries, lists and numbers."""
        return asdict(self)

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> BuildReport:
        """Return the report from the result of `as_json`."""
        if not isinstance(facts, Mapping):
            raise ValueError(f"report: expected entries by name, got {type(facts).__name__}")
        parts: dict[str, Any] = {n: tuple(value) if isinstance(value, list) else value for n, value in facts.items()}
        return cls(**parts)

    def lines(self) -> list[str]:
        """Return the report as lines of text, one per item."""
        clips = counted(self.clip_count, "clip")
        images = " and its mirror image" if self.clip_count == 1 else " and their mirror images"
        dropped = ", ".join(f"{name} ({why})" for name, why in self.dropped_joints.items())
        return [
            f"{clips}{images if self.mirrored else ''}: {self.seconds:.1f} s, "
            f"{counted(self.state_count, 'state')} at {self.frame_rate:g} frames/s",
            *(
                [f"left and right bones made symmetric: changed by at most {1000.0 * self.bone_change:.1f} mm"]
                * (self.bone_change > 0)
            ),
            *([f"joints left out of the distance metric: {dropped}"] if dropped else []),
            "turning, deg/s: " + _histogram(TURNING_EDGES, self.turning),
            "speed, m/s: " + _histogram(SPEED_EDGES, self.speed),
            f"in contact: left {100.0 * self.contact_share[0]:.0f} %, right {100.0 * self.contact_share[1]:.0f} %",
            *(f"warning: {warning}" for warning in self.warnings),
        ]


def _histogram(edges: tuple[float, ...], shares: tuple[float, ...]) -> str:
    names = [f"{low:g}-{high:g}" for low, high in pairwise(edges[:-1])] + [f"over {edges[-2]:g}"]
    return ", ".join(f"{name} {100.0 * share:.0f} %" for name, share in zip(names, shares, strict=True))
