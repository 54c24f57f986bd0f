"""Fetch a set to a folder: download its files, unpack its archives, and write its licence beside them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple

from motionfields.base import files
from motionfields.base.errors import FormatError
from motionfields.motion.datasets.catalogue import DataFile, DataSet, find_set, targets
from motionfields.motion.datasets.download import download, is_right
from motionfields.motion.formats._folders import LARGEST_FILE, open_regular
from motionfields.motion.formats._zip import ZipArchive
from motionfields.motion.formats.loading import LARGEST_RATIO, SUFFIXES

LONGEST_SILENCE: Final = 3600.0
"""Largest timeout in seconds for a server's answer."""
UNPACKED: Final = (*SUFFIXES, ".bin")
"""Suffixes of archive members that are unpacked: motion files, and the buffers of glTF files."""


class Progress(NamedTuple):
    """Progress of fetching a set."""

    file: str  # name of the file that is being downloaded
    size: int  # bytes here so far, of all files
    total: int  # bytes of all files


def fetch(
    name: str,
    folder: str | PathLike[str] | None = None,
    *,
    catalogue: str | PathLike[str] | None = None,
    timeout: float = 30.0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Path:
    """Download the set `name` and return its folder; each file has the SHA-256 that the catalogue gives.

    `folder` is created if it does not exist; by default it has the name of the set. Files that are already there and
    right are not downloaded again, and interrupted downloads resume. `catalogue` replaces the one of the package, and
    `timeout` is the number of seconds that a server may be silent. Raises `DownloadError` for files that cannot be
    downloaded, and `FormatError` for a folder, catalogue or archive that cannot be used. The licence of the set is in
    `DataSet.licence`, and is also written into the folder.
    """
    if not 0.0 < timeout <= LONGEST_SILENCE:
        raise ValueError(f"timeout: expected more than 0 and at most {LONGEST_SILENCE:g} seconds, got {timeout}")
    chosen = find_set(name, catalogue)
    place = Path(chosen.name if folder is None else folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        _fetch(chosen, place, timeout, on_progress or (lambda _: None))
    except OSError as error:
        path = error.filename or place
        raise FormatError(f"cannot be written: {error.strerror or error}", path=str(path)) from error
    return place


def licence_text(chosen: DataSet) -> str:
    """Return the terms of use of a set, line by line: title, licence, acknowledgement and source."""
    lines = [f"{chosen.name}: {chosen.title}", chosen.about, f"Source: {chosen.source}", f"Licence: {chosen.licence}"]
    if chosen.credit:
        lines.append(f"Please acknowledge in publications: {chosen.credit}")
    return "\n".join(line for line in lines if line)


def _fetch(chosen: DataSet, folder: Path, timeout: float, on_progress: Callable[[Progress], None]) -> None:
    missing = _missing(chosen, folder)
    files.remove_abandoned_drafts(folder)
    with files.replacing(folder / f"{chosen.name}.LICENSE.txt") as notice:
        notice.write(f"{licence_text(chosen)}\n".encode())
    done = chosen.size - sum(file.size for file in missing)
    for file in missing:

        def tell(size: int, file: DataFile = file, before: int = done) -> None:
            on_progress(Progress(file.name, before + size, chosen.size))

        download(file, folder / file.name, timeout=timeout, on_size=tell)
        done += file.size
    for file in chosen.files:
        if file.unpack:
            _unpack(folder / file.name, folder / targets(file)[1])


def _missing(chosen: DataSet, folder: Path) -> list[DataFile]:
    """Return the files that are not in `folder` yet; refuse to overwrite other content."""
    missing = []
    for file in chosen.files:
        path = folder / file.name
        if not path.exists():
            missing.append(file)
        elif not is_right(path, file):
            raise FormatError(
                f"differs from the file of set {chosen.name} and is not replaced; move it away, or name another folder",
                path=str(path),
            )
    return missing


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack the motion files of `archive` to `folder`, all or none; an existing folder must hold them already."""
    if folder.exists():
        if all(_holds(folder.joinpath(*path), content) for path, content in _members(archive)):
            return
        raise FormatError(
            f"differs from the content of {archive}, and is not replaced; move it away, or name another folder",
            path=str(folder),
        )
    draft = folder.with_name(f".{folder.name}.unpacking")
    shutil.rmtree(draft, ignore_errors=True)  # left by a process that was killed
    try:
        for path, content in _members(archive):
            target = draft.joinpath(*path)
            if any(part in ("", ".", "..") for part in path) or not target.resolve().is_relative_to(draft.resolve()):
                raise FormatError("its name leads out of the archive", path=f"{archive}/{'/'.join(path)}")
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:  # names that differ only in case are one file on some systems
                file.write(content)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content


def _members(archive: Path) -> Iterator[tuple[list[str], bytes]]:
    """Yield the path and bytes of every motion file in `archive`, and of the buffers of glTF files."""
    found = False
    with open_regular(str(archive)) as file:
        reader = ZipArchive(file, str(archive))
        room = LARGEST_RATIO * max(reader.size(), 1024)
        for member in reader.members():
            path = re.split(r"[/\\]", member.name)
            if path[0] != "__MACOSX" and path[-1].lower().endswith(UNPACKED):
                content = reader.read(member, limit=min(LARGEST_FILE, room))
                room -= len(content)
                found = True
                yield path, content
    if not found:
        raise FormatError(f"no {' or '.join(UNPACKED)} file found", path=str(archive))
