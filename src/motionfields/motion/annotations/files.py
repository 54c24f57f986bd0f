"""Files of labels: reading by suffix, and writing in one step."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from motionfields.base.errors import AnnotationError, FormatError
from motionfields.base.files import replacing
from motionfields.motion.annotations.audacity import format_audacity, parse_audacity
from motionfields.motion.annotations.babel import format_babel, parse_babel
from motionfields.motion.annotations.elan import format_elan, parse_elan
from motionfields.motion.annotations.spans import Annotations, take_name
from motionfields.motion.annotations.tables import format_csv, parse_csv
from motionfields.motion.formats._folders import read_file

SUFFIXES: Final = (".csv", ".json", ".txt", ".tsv")


def read_annotations(path: str | os.PathLike[str], *, complete: bool = True) -> Annotations:
    """Return the labels in a file, or in all files with labels of a folder. Raises `AnnotationError`.

    The suffix decides the format: .csv our table, .json BABEL, .txt and .tsv an Audacity label track or tab-delimited
    text of ELAN. The last two belong to one take, which has the name of the file: walk.txt labels walk.bvh. See
    `Annotations` for `complete`.
    """
    place = Path(path)
    if place.is_dir():
        files = sorted(one for one in place.iterdir() if one.suffix.lower() in SUFFIXES)
        if not files:
            raise AnnotationError(f"expected files that end in {', '.join(SUFFIXES)}, got none", path=str(path))
        return Annotations(tuple(span for one in files for span in _read(one, complete).spans), complete)
    return _read(place, complete)


def write_annotations(annotations: Annotations, path: str | os.PathLike[str]) -> None:
    """Write `annotations` to the file `path` in one step: .csv our table, .json BABEL."""
    writers: dict[str, Callable[[Annotations], bytes]] = {".csv": format_csv, ".json": format_babel}
    _write(path, writers, annotations)


def write_label_track(annotations: Annotations, take: str, path: str | os.PathLike[str]) -> None:
    """Write the labels of one take to the file `path`: .txt an Audacity label track, .tsv text for ELAN to import."""
    writers: dict[str, Callable[[Annotations], bytes]] = {
        ".txt": lambda all_spans: format_audacity(all_spans, take),
        ".tsv": lambda all_spans: format_elan(all_spans, take),
    }
    _write(path, writers, annotations)


def _write(
    path: str | os.PathLike[str], writers: dict[str, Callable[[Annotations], bytes]], annotations: Annotations
) -> None:
    writer = writers.get(Path(path).suffix.lower())
    if writer is None:
        raise AnnotationError(f"expected a name that ends in {' or '.join(writers)}", path=str(path))
    content = writer(annotations)
    with replacing(path) as file:
        file.write(content)


def _read(path: Path, complete: bool) -> Annotations:
    suffix, name = path.suffix.lower(), str(path)
    if suffix not in SUFFIXES:
        raise AnnotationError(f"expected a file that ends in {', '.join(SUFFIXES)}", path=name)
    try:
        data = read_file(name)
    except FormatError as error:
        raise AnnotationError(error.reason, path=error.path, line=error.line) from None
    if suffix == ".csv":
        return parse_csv(data, path=name, complete=complete)
    if suffix == ".json":
        return parse_babel(data, path=name, complete=complete)
    parse = parse_audacity if _is_audacity(data) else parse_elan
    return parse(data, take_name(name), path=name, complete=complete)


def _is_audacity(data: bytes) -> bool:
    """Return whether `data` begins as a label track does: with two times and a label."""
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0][:4096].split(b"\t")
    return len(first) == 3 and all(cell.strip().replace(b".", b"", 1).isdigit() for cell in first[:2])
