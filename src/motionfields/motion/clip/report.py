"""What was given, found or guessed about a motion file, with the evidence for it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One fact about a file: its value, why we think so, and whether the caller gave it."""

    value: float | int | str
    evidence: str
    given: bool = False


@dataclass(frozen=True)
class LoadReport:
    """How one file became a clip."""

    path: str
    sha256: str  # of the file's bytes
    scale: Finding  # metres per file unit
    up: Finding  # the file's up axis: "+x", "-x", "+y" ...
    facing: Finding  # the file's axis that the character faces with its root unturned
    rest_frames: Finding  # how many frames at the start are a rest pose, and were dropped
    frame_rate: Finding  # frames per second
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The report as plain dictionaries, strings and numbers."""
        return asdict(self)
