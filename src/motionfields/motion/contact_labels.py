"""Contact labels that a person or another program made, read from a CSV file, in place of the detector's."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

import numpy as np

from motionfields.base.arrays import BoolArray
from motionfields.base.errors import FormatError
from motionfields.base.json_files import MOST_BYTES, brief
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import ContactSettings

HEADER: Final = ("file", "foot", "start_s", "end_s")
FEET: Final = ("left", "right")
NUMBER: Final = re.compile(r"\s*\d{1,12}(\.\d{0,30})?\s*", re.ASCII)
SLACK = 1e-6  # seconds by which a frame may be off the edge of a contact, for rounding


class ContactInterval(NamedTuple):
    """One contact, from `start` up to `end`, in seconds from the first frame of the file."""

    foot: int  # 0 is the left foot, 1 the right
    start: float
    end: float


@dataclass(frozen=True)
class ContactLabels:
    """Contacts by file; files that are not named have theirs detected with `settings`.

    A file is named as its path ends: walk.bvh, or takes/walk.bvh where several folders have one. The longest name that
    fits a path counts.
    """

    intervals: Mapping[str, tuple[ContactInterval, ...]]
    settings: ContactSettings = field(default_factory=ContactSettings)

    def name_of(self, path: str) -> str | None:
        """Return the name under which the file `path` has labels, or None."""
        parts = path.replace("\\", "/").split("/")
        endings = ("/".join(parts[first:]) for first in range(len(parts)))  # the longest first
        return next((name for name in endings if name in self.intervals), None)

    def check_used(self, paths: Iterable[str]) -> None:
        """Raise ValueError if a name has labels and none of the files `paths`."""
        used = {self.name_of(path) for path in paths}
        for name in self.intervals:
            if name not in used:
                raise ValueError(f"contacts: no clip was read from a file {name}; check the names in the label file")

    def labels(self, name: str, clip: Clip, *, offset: float = 0.0) -> BoolArray:
        """Return whether the left and the right foot stand in each frame of `clip`, [frame, 2].

        `name` is that of its labels, and `offset` the seconds of the file before the clip's first frame.
        """
        time = offset + clip.frame_time * np.arange(clip.frame_count)
        found = np.zeros((clip.frame_count, 2), np.bool_)
        for foot, start, end in self.intervals[name]:
            if start > time[-1] + clip.frame_time:
                raise ValueError(
                    f"contacts: a contact of {name} begins at {start:g} s, the motion ends at {time[-1]:.3f} s; "
                    "times are seconds from the first frame of the file"
                )
            first, last = np.searchsorted(time, [start - SLACK, end - SLACK])
            found[first:last, foot] = True
        return found


def read_contacts(path: str | Path, *, settings: ContactSettings | None = None) -> ContactLabels:
    """Return the contact labels in the CSV file `path`, with the columns file, foot, start_s and end_s.

    Contacts of files that it does not name are detected with `settings`. Raises `FormatError`, which names the line.
    """
    from motionfields.motion.formats._folders import read_file  # here, since playing needs no formats

    return parse_contacts(read_file(str(path)), path=str(path), settings=settings)


def parse_contacts(data: bytes, *, path: str = "", settings: ContactSettings | None = None) -> ContactLabels:
    """Return the contact labels in the bytes of a CSV file; `path` is for messages. Raises `FormatError`."""
    reader = _Reader(path)
    found: dict[str, list[tuple[ContactInterval, int]]] = {}
    for line, row in reader.rows(data):
        name, contact = reader.contact(row, line)
        found.setdefault(name, []).append((contact, line))
    if not found:
        reader.fail("expected at least one contact below the header", 1)
    for name, contacts in found.items():
        contacts.sort()
        for (before, line), (after, other) in pairwise(contacts):
            if before.foot == after.foot and after.start < before.end:
                where = f"the contact of the {FEET[after.foot]} foot of {name} in line {min(line, other)}"
                reader.fail(f"overlaps {where}", max(line, other))
    intervals = {name: tuple(contact for contact, _ in contacts) for name, contacts in found.items()}
    return ContactLabels(intervals, settings or ContactSettings())


class _Reader:
    """Checks every part of one file."""

    def __init__(self, path: str) -> None:
        self.path = path

    def rows(self, data: bytes) -> Iterable[tuple[int, list[str]]]:
        """The rows below the header with their lines; blank lines are skipped."""
        if len(data) > MOST_BYTES:
            self.fail(f"expected at most {MOST_BYTES // 2**20} MB", None)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.fail("expected CSV in UTF-8", None)
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        header = False
        try:
            for row in reader:
                if not row:
                    continue
                if header:
                    yield reader.line_num, row
                elif tuple(row) != HEADER:
                    self.fail(f"expected the header {','.join(HEADER)}, got {brief(','.join(row))}", reader.line_num)
                header = True
        except csv.Error as error:
            self.fail(f"expected CSV: {error}", reader.line_num)
        if not header:
            self.fail(f"expected the header {','.join(HEADER)}, got nothing", 1)

    def contact(self, row: list[str], line: int) -> tuple[str, ContactInterval]:
        """The file and the contact of one row."""
        if len(row) != len(HEADER):
            self.fail(f"expected {len(HEADER)} values ({', '.join(HEADER)}), got {len(row)}", line)
        name, foot, start, end = row
        if not name.strip():
            self.fail("file: expected the name of a motion file, got nothing", line)
        if foot not in FEET:
            self.fail(f"foot: expected left or right, got {brief(foot)}", line)
        first, last = self.seconds("start_s", start, line), self.seconds("end_s", end, line)
        if not first < last:
            self.fail(f"end_s: expected more than start_s, {first:g}, got {last:g}", line)
        return name.replace("\\", "/"), ContactInterval(FEET.index(foot), first, last)

    def seconds(self, name: str, text: str, line: int) -> float:
        """Parse `text` as a number of seconds."""
        value = float(text) if NUMBER.fullmatch(text) else math.nan
        if math.isnan(value):
            self.fail(f"{name}: expected seconds, 0 or more, got {brief(text)}", line)
        return value

    def fail(self, reason: str, line: int | None) -> NoReturn:
        """Raises `FormatError` about the file."""
        raise FormatError(reason, path=self.path or None, line=line) from None
