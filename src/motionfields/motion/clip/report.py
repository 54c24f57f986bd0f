"""Record of the facts that were given, found or guessed about a motion file, with the evidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One fact about a file: its value, the evidence for it, and whether the caller gave it."""

    value: float | int | str
    evidence: str
    given: bool = False


@dataclass(frozen=True)
class LoadReport:
    """Record of how one file became a clip."""

    path: str
    sha256: str  # of the file's bytes
    scale: Finding  # metres per file unit
    up: Finding  # the file's up axis: "+x", "-x", "+y" ...
    facing: Finding  # the file's axis that the character faces when the root is not rotated
    rest_frames: Finding  # number of rest-pose frames at the start, which were dropped
    frame_rate: Finding  # frames per second
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain dictionaries, strings and numbers."""
        return asdict(self)
