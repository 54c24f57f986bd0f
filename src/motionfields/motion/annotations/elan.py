"""Tab-delimited text that ELAN exports, with or without a column for each tier.

ELAN leaves much to the user: which times (begin, end, duration), in which formats (hh:mm:ss.ms, ss.msec, msec), with or
without names of tiers and participants. Two layouts follow from it. Without a column for each tier there is no header,
and a row holds tier, participant, times and value. With one, a header names the columns, and each tier has its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from motionfields.base.json_files import brief
from motionfields.motion.annotations.reading import TextReader
from motionfields.motion.annotations.spans import Annotations, Span

_CLOCK: Final = re.compile(r"(\d{1,5}):([0-5]\d):([0-5]\d\.\d{1,3})", re.ASCII)
_FRACTION: Final = re.compile(r"\d{1,9}\.\d{1,3}", re.ASCII)
_WHOLE: Final = re.compile(r"\d{1,12}", re.ASCII)
_FRAMES: Final = re.compile(r"\d\d:\d\d:\d\d:\d\d", re.ASCII)  # SMPTE, whose unit depends on the video
_NAMED: Final = re.compile(r"(Begin|End|Duration)( Time)? - (hh:mm:ss\.ms|ss\.msec|msec)")
_UNITS: Final = {"hh:mm:ss.ms": "clock", "ss.msec": "seconds", "msec": "whole"}
_OTHER: Final = ("Tier", "Participant", "File Path", "File Name", "Annotation")


class Layout(NamedTuple):
    """Columns of one export."""

    begin: int
    end: int
    values: tuple[tuple[int, str | None], ...]  # columns of annotations, and their tier if it has its own column
    tier: int | None  # column of the tier's name, if there is one
    width: int | None  # number of columns, if all rows have the same


def parse_elan(data: bytes, file: str, *, path: str = "", complete: bool = True) -> Annotations:
    """Return the labels of the motion `file` in tab-delimited text that ELAN exported. Raises `AnnotationError`.

    The value of an annotation is its label, and the name of its tier its basis.
    """
    reader = TextReader(path)
    spans: list[Span] = []
    layout: Layout | None = None
    for line, row in reader.rows(data, tabs=True):
        if row[0].startswith(('"#', "#")):
            continue  # header lines with the names of the media files
        if layout is None and any(_NAMED.fullmatch(cell) for cell in row):
            layout = _named_layout(reader, row, line)
            continue
        if layout is None:
            layout = _plain_layout(reader, row, line)
        if len(row) < 3 or (layout.width is not None and len(row) > layout.width):
            reader.fail(f"expected {layout.width} values, separated by tabs, got {len(row)}", line=line)
        times = [_time(reader, row[column], line) for column in (layout.begin, layout.end) if column < len(row)]
        if len(times) != 2:
            reader.fail("expected a begin and an end time", line=line)
        basis = row[layout.tier] if layout.tier is not None else ""
        for column, tier in layout.values:
            value = row[column] if column < len(row) else ""
            if value or tier is None:
                spans.append(reader.span(file, times[0], times[1], value, tier or basis, line=line))
    return Annotations(reader.checked(spans), complete)


def format_elan(annotations: Annotations, take: str) -> bytes:
    """Return the labels of the take `take` as ELAN exports them: tier, participant, times twice, value.

    The tier is the basis of a label. Times are rounded to milliseconds.
    """
    chosen = sorted((span for span in annotations.spans if span.take == take), key=lambda span: (span.start, span.end))
    lines = []
    for span in chosen:
        times = [part for seconds in (span.start, span.end, span.end - span.start) for part in _written(seconds)]
        lines.append("\t".join([span.basis or "labels", "", *times, span.text]) + "\n")
    return "".join(lines).encode()


def _named_layout(reader: TextReader, row: Sequence[str], line: int) -> Layout:
    """Return the layout that the header `row` names; columns with other names are tiers."""
    kinds: dict[str, int] = {}
    for column, name in enumerate(row):
        if match := _NAMED.fullmatch(name):
            kinds.setdefault(match[1], column)  # the first format is as good as the others
    if "Begin" not in kinds or "End" not in kinds:
        reader.fail("expected columns of begin and end times", line=line)
    others = [(column, name) for column, name in enumerate(row) if name and not _NAMED.fullmatch(name)]
    tiers = [(column, name) for column, name in others if name not in _OTHER]
    named: dict[str, int] = {name: column for column, name in others if name in _OTHER}
    values: list[tuple[int, str | None]] = [*tiers]
    if "Annotation" in named:
        values = [(named["Annotation"], None)]
    if not values:
        reader.fail("expected a column for each tier, or one called Annotation", line=line)
    return Layout(kinds["Begin"], kinds["End"], tuple(values), named.get("Tier"), len(row))


def _plain_layout(reader: TextReader, row: Sequence[str], line: int) -> Layout:
    """Return the layout of an export without a header, from its first row.

    Times are the run of columns before the last that hold times: begin in each of n formats, then end, then duration.
    """
    kinds = [_kind(cell) for cell in row[:-1]]
    first = next((column for column, kind in enumerate(kinds) if kind), len(kinds))
    times = kinds[first:]
    formats = next((n for n in range(1, len(times)) if times[n] == times[0]), 0)
    if first > 2 or None in times or not formats or len(times) not in (2 * formats, 3 * formats):
        reader.fail(
            f"expected tier, participant, begin and end times, and a value, separated by tabs, got {brief(row[0])}",
            line=line,
        )
    return Layout(first, first + formats, ((len(row) - 1, None),), 0 if first else None, len(row))


def _kind(text: str) -> str | None:
    """Return the format of the time in `text`; None if it holds none."""
    for kind, pattern in (("clock", _CLOCK), ("seconds", _FRACTION), ("whole", _WHOLE), ("frames", _FRAMES)):
        if pattern.fullmatch(text):
            return kind
    return None


def _time(reader: TextReader, text: str, line: int) -> float:
    """Return the seconds of a time in any of the formats."""
    if match := _CLOCK.fullmatch(text):
        return 3600.0 * int(match[1]) + 60.0 * int(match[2]) + float(match[3])
    if _FRACTION.fullmatch(text):
        return float(text)
    if not _WHOLE.fullmatch(text):
        reader.fail(f"expected a time as hh:mm:ss.ms, ss.msec or msec, got {brief(text)}", line=line)
    return int(text) / 1000.0


def _written(seconds: float) -> tuple[str, str]:
    """Return a time as hh:mm:ss.ms and as ss.msec."""
    whole = round(seconds * 1000.0)
    minutes, rest = divmod(whole, 60_000)
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
    return clock, f"{whole // 1000}.{whole % 1000:03d}"
