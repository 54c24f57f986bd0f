"""Bounded, strict reading of text files with labels, shared by the formats."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NoReturn

from motionfields.base.errors import AnnotationError
from motionfields.base.json_files import brief
from motionfields.motion.annotations.spans import Span, span_of

MOST_BYTES: Final = 16 * 2**20
"""Largest accepted size in bytes of a text file with labels."""

MOST_SPANS: Final = 1_000_000
"""Largest accepted number of spans in a file."""

_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{0,30})?", re.ASCII)


@dataclass(frozen=True)
class TextReader:
    """Reader of one text file; `path` is for messages. Any fault raises an `AnnotationError` with the line."""

    path: str

    def rows(self, data: bytes, *, tabs: bool) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows of `data` with their line numbers: separated by tabs, or CSV. Blank lines are skipped."""
        if len(data) > MOST_BYTES:
            self.fail(f"expected at most {MOST_BYTES // 2**20} MB")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.fail("expected text in UTF-8")
        if tabs:
            for number, line in enumerate(text.split("\n"), 1):
                if line.strip():
                    yield number, [cell.strip(" \r") for cell in line.split("\t")]
            return
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            for row in reader:
                if row:
                    yield reader.line_num, row
        except csv.Error as error:
            self.fail(f"expected CSV: {error}", line=reader.line_num)

    def seconds(self, text: str, what: str, line: int) -> float:
        """Return the number of seconds in `text`, 0 or more, in plain decimal digits."""
        value = float(text) if _SECONDS.fullmatch(text.strip()) else math.nan
        if math.isnan(value):
            self.fail(f"{what}: expected seconds, 0 or more, got {brief(text)}", line=line)
        return value

    def span(self, file: str, start: float, end: float, text: str, basis: str = "", *, line: int | None = None) -> Span:
        """Return a checked span; `text` is the label with an exclamation mark in front if it is absent."""
        try:
            return span_of(file, start, end, text, basis)
        except ValueError as error:
            self.fail(str(error), line=line)

    def checked(self, spans: list[Span]) -> tuple[Span, ...]:
        """Return `spans`; refuse an empty list and one that is too long."""
        if not 1 <= len(spans) <= MOST_SPANS:
            self.fail(f"expected 1 to {MOST_SPANS} labels, got {len(spans)}")
        return tuple(spans)

    def fail(self, reason: str, *, line: int | None = None) -> NoReturn:
        """Raise an `AnnotationError` about this file."""
        raise AnnotationError(reason, path=self.path or None, line=line) from None
