"""Labels in CSV: one row per span, with the columns file, start_s, end_s, label and basis."""

from __future__ import annotations

import csv
import io
from typing import Final

from motionfields.base.json_files import brief
from motionfields.motion.annotations.reading import TextReader
from motionfields.motion.annotations.spans import Annotations, Span

HEADER: Final = ("file", "start_s", "end_s", "label", "basis")


def parse_csv(data: bytes, *, path: str = "", complete: bool = True) -> Annotations:
    """Return the labels in the bytes of a CSV file; `path` is for messages. Raises `AnnotationError`.

    Times are seconds from the first frame of the motion. A label with an exclamation mark in front is absent.
    """
    reader = TextReader(path)
    spans: list[Span] = []
    header = False
    for line, row in reader.rows(data, tabs=False):
        if not header:
            if tuple(row) != HEADER:
                reader.fail(f"expected the header {','.join(HEADER)}, got {brief(','.join(row))}", line=line)
            header = True
            continue
        if len(row) != len(HEADER):
            reader.fail(f"expected {len(HEADER)} values ({', '.join(HEADER)}), got {len(row)}", line=line)
        file, start, end, label, basis = row
        times = reader.seconds(start, "start_s", line), reader.seconds(end, "end_s", line)
        spans.append(reader.span(file, *times, label, basis, line=line))
    if not header:
        reader.fail(f"expected the header {','.join(HEADER)}, got nothing", line=1)
    return Annotations(reader.checked(spans), complete)


def format_csv(annotations: Annotations) -> bytes:
    """Return `annotations` as the bytes of a CSV file; undoes `parse_csv`."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for span in annotations.spans:
        writer.writerow([span.file, decimal(span.start), decimal(span.end), span.text, span.basis])
    return text.getvalue().encode()


def decimal(seconds: float) -> str:
    """Return `seconds` in decimal digits, without an exponent, that read back as the same number."""
    text = repr(float(seconds))
    return f"{seconds:.30f}".rstrip("0").rstrip(".") if "e" in text else text
