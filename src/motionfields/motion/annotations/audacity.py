"""Label tracks of Audacity: start, end and text of each label, separated by tabs; a second line may hold frequencies.

A label track belongs to one recording, and so to one take: the name of the file says which.
"""

from __future__ import annotations

from motionfields.motion.annotations.reading import TextReader
from motionfields.motion.annotations.spans import Annotations, Span


def parse_audacity(data: bytes, file: str, *, path: str = "", complete: bool = True) -> Annotations:
    """Return the labels of the motion `file` in the bytes of an Audacity label track. Raises `AnnotationError`.

    Lines that begin with a backslash hold the frequency range of the label above them and are skipped. Point labels,
    which have no duration, are refused.
    """
    reader = TextReader(path)
    spans: list[Span] = []
    for line, row in reader.rows(data, tabs=True):
        if row[0] == "\\":
            if not spans or len(row) != 3:
                reader.fail("expected a label above its frequencies, and two of them", line=line)
            continue
        if len(row) != 3:
            reader.fail(f"expected start, end and label, separated by tabs, got {len(row)} values", line=line)
        start, end = reader.seconds(row[0], "start", line), reader.seconds(row[1], "end", line)
        if start == end:
            reader.fail(
                "expected a label of a region, got one of a point; drag its edge to give it a length", line=line
            )
        spans.append(reader.span(file, start, end, row[2], line=line))
    return Annotations(reader.checked(spans), complete)


def format_audacity(annotations: Annotations, take: str) -> bytes:
    """Return the labels of the take `take` as an Audacity label track, with times to the microsecond."""
    chosen = sorted((span for span in annotations.spans if span.take == take), key=lambda span: (span.start, span.end))
    return "".join(f"{span.start:.6f}\t{span.end:.6f}\t{span.text}\n" for span in chosen).encode()
