"""Labels of the BABEL data set (Punnakkal et al. 2021), in JSON: one entry per take, with labels of spans or of all.

An entry holds the path of the take in AMASS (feat_p), its length (dur) and two lists of labels: frame_ann, whose labels
have times, and seq_ann, whose labels hold for the whole take. Files of extra annotations call them frame_anns and
seq_anns and hold a list of each. Fields that are not needed are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, Literal

from motionfields.base.errors import AnnotationError
from motionfields.base.json_files import JsonReader
from motionfields.motion.annotations.reading import TextReader
from motionfields.motion.annotations.spans import Annotations, Span

MOST_BYTES: Final = 256 * 2**20  # the largest file of BABEL has a tenth of this
SOURCES: Final = ("act_cat", "proc_label", "raw_label")


def parse_babel(
    data: bytes,
    *,
    path: str = "",
    source: Literal["act_cat", "proc_label", "raw_label"] = "act_cat",
    complete: bool = True,
) -> Annotations:
    """Return the labels in the bytes of a BABEL file. Raises `AnnotationError`.

    `source` selects the field: categories of actions (a label may have several), or the annotator's words, processed or
    raw. Labels of a whole take count only if it has none with times.
    """
    if source not in SOURCES:
        raise ValueError(f"source: expected one of {', '.join(SOURCES)}, got {source!r}")
    reader, text = JsonReader(path, most_bytes=MOST_BYTES, error=AnnotationError), TextReader(path)
    content = reader.parsed(data)
    if not isinstance(content, dict):
        reader.fail("expected an object with an entry for each take")
    spans: list[Span] = []
    for key, entry in content.items():
        where = f"entry {key:.40}"
        if not isinstance(entry, dict) or not isinstance(entry.get("feat_p"), str):
            reader.fail(f"{where}: expected an object with the path of a take, feat_p")
        length = reader.number(entry.get("dur"), f"{where}, dur")
        for label in _labels(reader, entry, where):
            start = _time(reader, label, "start_t", 0.0, where)
            end = _time(reader, label, "end_t", length, where)
            for name in _names(reader, label, source, where):
                if end > start:  # BABEL has a few empty segments
                    spans.append(text.span(entry["feat_p"], max(start, 0.0), end, name.strip(), "babel"))
    return Annotations(text.checked(spans), complete)


def format_babel(annotations: Annotations) -> bytes:
    """Return the present labels of `annotations` as a BABEL file, in the fields that `parse_babel` reads."""
    entries: dict[str, Any] = {}
    for file in dict.fromkeys(span.file for span in annotations.spans):
        spans = [span for span in annotations.spans if span.file == file and span.present]
        labels = [
            {"raw_label": s.label, "proc_label": s.label, "act_cat": [s.label], "start_t": s.start, "end_t": s.end}
            for s in spans
        ]
        length = max((span.end for span in annotations.spans if span.file == file), default=0.0)
        number = len(entries) + 1
        entries[str(number)] = {
            "babel_sid": number,
            "feat_p": file,
            "dur": length,
            "seq_ann": None,
            "frame_ann": {"labels": labels},
        }
    return (json.dumps(entries, indent=1, ensure_ascii=False) + "\n").encode()


def _labels(reader: JsonReader, entry: dict[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Yield the labels of one take: those with times, or else those of the whole take."""
    for names in (("frame_ann", "frame_anns"), ("seq_ann", "seq_anns")):
        found = [one for name in names for one in _listed(entry.get(name))]
        for annotation in found:
            labels = annotation.get("labels") if isinstance(annotation, dict) else None
            if not isinstance(labels, list) or not all(isinstance(label, dict) for label in labels):
                reader.fail(f"{where}, {names[0]}: expected an object with a list of labels")
            yield from labels
        if found:
            return


def _listed(value: object) -> list[object]:
    """Return `value` as a list: empty for null."""
    return [] if value is None else value if isinstance(value, list) else [value]


def _time(reader: JsonReader, label: dict[str, Any], name: str, default: float, where: str) -> float:
    value = label.get(name)
    return default if value is None else reader.number(value, f"{where}, {name}")


def _names(reader: JsonReader, label: dict[str, Any], source: str, where: str) -> list[str]:
    """Return the labels in the field `source`; none if it is null."""
    names = _listed(label.get(source))
    if not all(isinstance(name, str) for name in names):
        reader.fail(f"{where}, {source}: expected text")
    return [str(name) for name in names if str(name).strip()]
