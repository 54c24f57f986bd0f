"""Reading of artifact files: the header is checked at once, each array before its values are first used."""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from motionfields.base.artifacts.header import Header, open_regular, parse_header, parse_kind, read_header
from motionfields.base.artifacts.layout import BLOCK_BYTES, DIGEST_DIGITS, ArrayEntry, JsonValue
from motionfields.base.errors import ArtifactError, FormatError
from motionfields.base.files import unreadable_reason
from motionfields.base.storage import Location, fetched, forget, is_remote, shown

_MOST_THREADS: Final = 8
_BLOCKS_FOR_THREADS: Final = 8  # fewer blocks are hashed faster than threads start


class CheckedArrays(Mapping[str, NDArray[Any]]):
    """The arrays of an open file by name, read-only and memory-mapped; each is checked before it is first returned.

    `entries` has their types and shapes, which are known without reading the values.
    """

    def __init__(self, mapped: mmap.mmap, header: Header, *, path: str) -> None:
        self.entries: Mapping[str, ArrayEntry] = header.entries
        self._mapped = mapped
        self._size = len(mapped)
        self._header = header
        self._path = path
        self._checked: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._checked:
            self._checked[name] = self._check(name, self.entries[name])
        return self._checked[name]

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def _check(self, name: str, entry: ArrayEntry) -> NDArray[Any]:
        if self._mapped.size() != self._size:  # reading past the end of a shrunken file kills the process
            raise ArtifactError("was changed while it was open; open it again", path=self._path)
        first = self._header.data_start + entry.start
        values = np.frombuffer(self._mapped, np.uint8, entry.stop - entry.start, first)
        if (block := _damaged_block(values.data, self._header.block_digests[name])) is not None:
            forget(self._path)  # the damage may be in the cached copy of an object
            place = f"array {name!r} is damaged in the {BLOCK_BYTES} bytes from byte {first + block * BLOCK_BYTES}"
            raise ArtifactError(f"{place}; restore the file from a copy or make it again", path=self._path)
        if entry.dtype == np.bool_ and values.size and values.max() > 1:
            raise ArtifactError(f"array {name!r} holds bytes that are neither true nor false", path=self._path)
        return values.view(entry.dtype).reshape(entry.shape)


@dataclass(frozen=True, eq=False)
class Artifact:
    """An open artifact file. An array has the values that are on disk when it is first read, see `CheckedArrays`.

    Saving over the file is safe while it is open: this object keeps the old content. Changes that a program makes to
    the file in place are not detected once an array has been checked.
    """

    path: Path | str  # as given; a URL stays text
    kind: str
    version: int
    digest: str  # SHA-256 as hex digits; equal only if kind, version, facts and arrays are equal
    facts: Mapping[str, JsonValue]
    arrays: CheckedArrays

    def array(
        self, name: str, *, dtype: DTypeLike | None = None, shape: Sequence[int | None] | None = None
    ) -> NDArray[Any]:
        """Return the array `name`, read-only; ArtifactError if it is missing, damaged, or not of `dtype` and `shape`.

        None in `shape` stands for any length. Type and shape are checked before the values.
        """
        entry = self.arrays.entries.get(name)
        if entry is None:
            raise ArtifactError(f"expected an array {name!r}, which is missing", path=str(self.path))
        if dtype is not None and entry.dtype != np.dtype(dtype):
            message = f"array {name!r}: expected {np.dtype(dtype)}, got {entry.dtype}"
            raise ArtifactError(message, path=str(self.path))
        if shape is not None and not _fits(entry.shape, shape):
            message = f"array {name!r}: expected shape {_shape_text(shape)}, got {_shape_text(entry.shape)}"
            raise ArtifactError(message, path=str(self.path))
        return self.arrays[name]

    def verify(self) -> None:
        """Check every array that has not been checked yet; raise ArtifactError if one is damaged."""
        for name in self.arrays:
            _ = self.arrays[name]


def read_artifact(path: Location, *, kind: str, newest_version: int, verify: bool = False) -> Artifact:
    """Open the artifact file `path`, of this `kind` and at most `newest_version`, memory-mapped and not copied.

    A URL is downloaded first, unless a copy exists and the object has not changed (see `motionfields.base.storage`).
    Files of every size are treated alike: the header is checked now, an array when it is first read, and with `verify`
    all arrays now. Nothing is unpickled. Raises ArtifactError for any fault in the file, in time and memory bounded by
    its header; an unchecked value cannot be reached.
    """
    with _opened(path) as file:
        header = parse_header(*read_header(file), kind=kind, newest_version=newest_version)
        mapped = _map(file, header.file_size)
    arrays = CheckedArrays(mapped, header, path=os.fspath(path))
    where = str(path) if is_remote(path) else Path(path)
    artifact = Artifact(where, header.kind, header.version, header.digest, header.facts, arrays)
    if verify:
        artifact.verify()
    return artifact


def artifact_kind(path: Location) -> str:
    """Return the kind of artifact that the file `path` declares; raise ArtifactError if it is not an artifact."""
    with _opened(path) as file:
        return parse_kind(read_header(file)[0])


@contextmanager
def _opened(path: Location) -> Iterator[BinaryIO]:
    """Open the file `path`, or the copy of the object; errors name the location."""
    try:
        with open_regular(fetched(path)) as file:
            yield file
    except OSError as error:
        raise ArtifactError(unreadable_reason(os.fspath(path), error), path=os.fspath(path)) from error
    except FormatError as error:
        if isinstance(error, ArtifactError):
            forget(path)  # the damage may be in the cached copy of an object
        raise ArtifactError(error.reason, path=shown(path)) from error.__cause__


def _map(file: BinaryIO, size: int) -> mmap.mmap:
    """Map all of `file`, which had `size` bytes when its header was read."""
    if os.fstat(file.fileno()).st_size != size:
        raise ArtifactError("was changed while it was being opened; open it again")
    return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)


def _damaged_block(data: memoryview, digests: str) -> int | None:
    """Return the first block of `data` whose checksum differs from that in `digests`; None if all match."""

    def is_right(block: int) -> bool:
        checksum = hashlib.sha256(data[block * BLOCK_BYTES : (block + 1) * BLOCK_BYTES])
        return checksum.hexdigest() == digests[block * DIGEST_DIGITS : (block + 1) * DIGEST_DIGITS]

    blocks = range(-(-len(data) // BLOCK_BYTES))
    if len(blocks) < _BLOCKS_FOR_THREADS:
        return next((block for block in blocks if not is_right(block)), None)
    with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool:
        return next((block for block, right in enumerate(pool.map(is_right, blocks)) if not right), None)


def _fits(shape: tuple[int, ...], expected: Sequence[int | None]) -> bool:
    pairs = zip(shape, expected, strict=False)
    return len(shape) == len(expected) and all(wanted in (None, length) for length, wanted in pairs)


def _shape_text(shape: Sequence[int | None]) -> str:
    return "[" + ", ".join("any" if length is None else str(length) for length in shape) + "]"
