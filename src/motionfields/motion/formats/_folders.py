"""Search for files in folders and by patterns; only regular files are read, and no link may lead outside."""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from motionfields.base.errors import FormatError
from motionfields.base.files import unreadable_reason
from motionfields.motion.formats._names import shown

LARGEST_FILE: Final = 2 * 1024**3
"""Largest accepted file size in bytes; a text of this size holds hours of motion."""


def files_below(folder: str, wanted: Callable[[str], bool]) -> list[str]:
    """Return all files in `folder` and its subfolders whose path relative to it is `wanted`.

    Links to folders are not followed. The search is iterative, so nesting depth cannot exhaust the stack.
    """
    start = len(os.path.join(folder, ""))
    return [
        entry.path
        for below in _folders_below(folder)
        for entry in _entries(below)
        if wanted(entry.path[start:]) and not os.path.isdir(entry.path)
    ]


def pattern_root(pattern: Path) -> str:
    """Return the folder that a pattern names before its first wildcard; "" is the current one."""
    parts = pattern.parts
    first = next(place for place, part in enumerate(parts) if glob.has_magic(part))
    return os.path.join(*parts[:first]) if first else ""


def files_matching(pattern: Path) -> list[str]:
    """Return all files that match `pattern`, as `glob.glob` does; but ** follows no links, which may form loops."""
    found = [pattern_root(pattern)]
    parts = pattern.parts[len(Path(found[0]).parts) :]
    for part in (*parts, "*") if parts[-1] == "**" else parts:
        found = list(dict.fromkeys(match for place in found for match in _step(place, part)))
    return [match for match in found if not os.path.isdir(match)]


def _step(place: str, part: str) -> Iterator[str]:
    """Yield the entries of the folder `place` that match one `part` of a pattern."""
    if part == "**":
        yield from _folders_below(place, hidden=False)
    elif not glob.has_magic(part):
        if os.path.lexists(os.path.join(place, part)):
            yield os.path.join(place, part)
    elif os.path.isdir(place or "."):
        for entry in _entries(place):
            if fnmatch.fnmatch(entry.name, part) and (part[0] == "." or entry.name[0] != "."):
                yield os.path.join(place, entry.name)


def _folders_below(folder: str, *, hidden: bool = True) -> Iterator[str]:
    """Yield `folder` and all its subfolders; links are not followed."""
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += [
            os.path.join(place, entry.name)
            for entry in _entries(place)
            if entry.is_dir(follow_symlinks=False) and (hidden or entry.name[0] != ".")
        ]


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return the entries of `folder`; none if access is denied."""
    try:
        with os.scandir(folder or ".") as entries:
            return list(entries)
    except PermissionError:
        return []


def read_file(path: str, *, within: str | None = None) -> bytes:
    """Return the bytes of a regular file; with `within`, only if it lies in that folder after following all links."""
    try:
        if within is not None and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(within)):
            raise FormatError("is a link that leads outside the folder; load its target", path=shown(path))
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > LARGEST_FILE:
                raise FormatError(f"expected at most {LARGEST_FILE} bytes, got {size}", path=shown(path))
            data = file.read(size + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise unreadable(path, error) from None
    if len(data) != size:
        raise FormatError(f"changed while it was read: it had {size} bytes", path=shown(path))
    return data


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading without blocking, as opening a pipe would."""
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise FormatError("expected a regular file, got a pipe or device", path=shown(path))
    return file


def unreadable(path: str, error: Exception) -> FormatError:
    """Return the error for a file or folder that the system cannot read."""
    return FormatError(unreadable_reason(path, error), path=shown(path))
