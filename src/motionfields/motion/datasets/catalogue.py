"""Catalogues of motion sets: JSON with the address, the size in bytes and the SHA-256 of each file.

The package ships one. A lab can write its own in the same form:

    {"format": 1, "sets": [{
        "name": "takes", "title": "Our walks", "licence": "CC BY 4.0", "source": "Our lab",
        "base": "https://motion.example.org/takes/",
        "files": [{"path": "walks.zip", "bytes": 1048576, "sha256": "...", "unpack": true}]
    }]}

A set may also have `about`, `credit`, `scale`, `frame_rate` and `seconds`. A catalogue may come from anywhere, so every
part of it is checked and unknown fields are refused.
"""

from __future__ import annotations

import ipaddress
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from os import PathLike
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from motionfields.base.errors import FormatError
from motionfields.base.json_files import MOST_BYTES, JsonReader, brief
from motionfields.motion.formats import UNITS
from motionfields.motion.formats._folders import LARGEST_FILE, open_regular, unreadable
from motionfields.motion.formats._names import file_name_fault, member_name_fault, shown
from motionfields.motion.formats.loading import SUFFIXES

LONGEST_TEXT: Final = 2000
"""Largest number of characters in a title, licence or address in a catalogue."""

_FORMAT: Final = 1
_SET_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_PATH: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class DataFile:
    """One file of a set: its address, size and checksum."""

    url: str
    size: int  # bytes
    sha256: str  # 64 hexadecimal digits
    unpack: bool = False  # a zip archive whose motion files are wanted

    @property
    def name(self) -> str:
        """Name of the file in the folder of the set."""
        return self.url.rpartition("/")[2]


@dataclass(frozen=True)
class DataSet:
    """A set of related motion files, with the information needed to use them."""

    name: str
    title: str
    licence: str
    source: str  # its author and origin
    files: tuple[DataFile, ...]
    about: str = ""
    credit: str = ""  # the acknowledgement that the authors request
    scale: str | None = None  # the unit of its files, one of `formats.UNITS`
    frame_rate: float | None = None  # frames per second
    seconds: float | None = None  # duration of the motion

    @property
    def size(self) -> int:
        """Size of all files in bytes."""
        return sum(file.size for file in self.files)


def list_sets(catalogue: str | PathLike[str] | None = None) -> tuple[DataSet, ...]:
    """Return the sets of a catalogue, by default of the one that the package ships.

    Raises a `FormatError` that says what is wrong with a catalogue, and where in it.
    """
    if catalogue is not None:
        return _Reader(shown(os.fspath(catalogue))).read(_content(os.fspath(catalogue)))
    shipped = resources.files("motionfields.motion.datasets").joinpath("cmu.json")
    return _Reader(str(shipped)).read(shipped.read_bytes())


def _content(path: str) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise unreadable(path, error) from None


def find_set(name: str, catalogue: str | PathLike[str] | None = None) -> DataSet:
    """Return the set called `name`; raise a `FormatError` that lists the known names if there is none."""
    sets = {one.name: one for one in list_sets(catalogue)}
    if name not in sets:
        raise FormatError(f"no set is called {shown(name)!r}; expected one of {', '.join(sets)}")
    return sets[name]


def is_loopback(url: str) -> bool:
    """Return whether `url` names this computer."""
    host = urlsplit(url).hostname or ""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def url_fault(url: str) -> str | None:
    """Return why `url` is not fetched from; None if it may be."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        return f"is not a valid address: {error}"
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(url)):
        return "expected https://, or http:// for this computer itself"
    if not host or "@" in parts.netloc:
        return "expected the name of a server, without a user or password"
    return None


class _Reader(JsonReader):
    """Reader of one catalogue."""

    def read(self, content: bytes) -> tuple[DataSet, ...]:
        """Return the sets of a catalogue with this content."""
        facts = self.fields(self.parsed(content), ("format", "sets"), "the file")
        if facts["format"] != _FORMAT:
            self.fail(f"format: expected {_FORMAT}, got {brief(facts['format'])}; a newer motionfields may read it")
        entries = self.entries(facts["sets"], "sets")
        found = tuple(self._set(entry, f"sets[{number}]") for number, entry in enumerate(entries))
        self.check_once([one.name for one in found], "sets")
        return found

    def _set(self, entry: object, where: str) -> DataSet:
        fields = ("name", "title", "licence", "source", "base", "files")
        facts = self.fields(entry, fields, where, optional=("about", "credit", "scale", "frame_rate", "seconds"))
        name = self._text(facts["name"], f"{where}.name")
        if not _SET_NAME.fullmatch(name) or member_name_fault(name):
            self.fail(f"{where}.name: expected lower-case letters, digits and hyphens, at most 64, got {brief(name)}")
        base = self._base(facts["base"], f"{where}.base")
        entries = self.entries(facts["files"], f"{where}.files")
        found = tuple(self._file(one, base, f"{where}.files[{number}]") for number, one in enumerate(entries))
        self.check_once([target.lower() for file in found for target in targets(file)], f"{where}.files")
        scale = facts.get("scale")
        if scale is not None and not (isinstance(scale, str) and scale in UNITS):
            self.fail(f"{where}.scale: expected one of {', '.join(UNITS)}, got {brief(scale)}")
        return DataSet(
            name=name,
            title=self._text(facts["title"], f"{where}.title"),
            licence=self._text(facts["licence"], f"{where}.licence"),
            source=self._text(facts["source"], f"{where}.source"),
            files=found,
            about=self._text(facts.get("about", ""), f"{where}.about", empty=True),
            credit=self._text(facts.get("credit", ""), f"{where}.credit", empty=True),
            scale=scale,
            frame_rate=self._amount(facts["frame_rate"], f"{where}.frame_rate") if "frame_rate" in facts else None,
            seconds=self._amount(facts["seconds"], f"{where}.seconds") if "seconds" in facts else None,
        )

    def _base(self, value: object, where: str) -> str:
        base = self._text(value, where)
        fault = url_fault(base)
        if fault is None and (not base.isascii() or re.search(r"[\s?#\\]", base) or not base.endswith("/")):
            fault = "expected an ASCII address that ends in /, without ? or #"
        if fault:
            self.fail(f"{where}: {fault}, got {brief(base)}")
        return base

    def _file(self, entry: object, base: str, where: str) -> DataFile:
        facts = self.fields(entry, ("path", "bytes", "sha256"), where, optional=("unpack",))
        path = self._text(facts["path"], f"{where}.path")
        if not _PATH.fullmatch(path) or member_name_fault(path):
            self.fail(f"{where}.path: expected ASCII letters, digits and . _ - / within the base, got {brief(path)}")
        unpack = facts.get("unpack", False)
        if not isinstance(unpack, bool):
            self.fail(f"{where}.unpack: expected true or false, got {brief(unpack)}")
        suffixes = (".zip",) if unpack else SUFFIXES
        if not path.endswith(suffixes):
            self.fail(f"{where}.path: expected a name that ends in {' or '.join(suffixes)}, got {brief(path)}")
        size, digest = facts["bytes"], facts["sha256"]
        if type(size) is not int or not 0 < size <= LARGEST_FILE:
            self.fail(f"{where}.bytes: expected a whole number from 1 to {LARGEST_FILE}, got {brief(size)}")
        if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
            self.fail(f"{where}.sha256: expected 64 lower-case hexadecimal digits, got {brief(digest)}")
        return DataFile(base + path, size, digest, unpack)

    def _text(self, value: object, where: str, *, empty: bool = False) -> str:
        if not isinstance(value, str) or not (empty or value.strip()):
            self.fail(f"{where}: expected text, got {brief(value)}")
        if len(value) > LONGEST_TEXT or file_name_fault(value):  # misleading in a name, misleading here
            self.fail(f"{where}: expected a line of at most {LONGEST_TEXT} printable characters, got {brief(value)}")
        return value

    def _amount(self, value: object, where: str) -> float:
        amount = self.number(value, where)
        if amount <= 0.0:
            self.fail(f"{where}: expected a positive number, got {brief(value)}")
        return amount


def targets(file: DataFile) -> tuple[str, ...]:
    """Return the names that a file takes in the folder of its set: its own, and the folder that it is unpacked to."""
    return (file.name, PurePosixPath(file.name).stem) if file.unpack else (file.name,)
