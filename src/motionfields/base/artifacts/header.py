"""Parsing of the header of an artifact file, which is untrusted until every part of it has been checked."""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as brief  # bounded in length, whatever the value
from typing import Any, BinaryIO, Final

from motionfields.base.artifacts.layout import (
    ARRAY_NAME,
    DATA_ALIGNMENT,
    DIGEST_DIGITS,
    DTYPES,
    FORMAT_START,
    HEADER_START,
    KIND,
    LENGTH_BYTES,
    MOST_DIMENSIONS,
    MOST_HEADER_BYTES,
    ArrayEntry,
    JsonValue,
    check_json,
    fits_memory,
    header_digest,
)
from motionfields.base.errors import ArtifactError

_METADATA: Final = frozenset({"format", "layout", "sha256", "kind", "version", "facts", "block_sha256"})
_OTHER_FILES: Final = (
    (b"\x80", "a pickle, which is never loaded because it can run code"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x93NUMPY", "a numpy array"),
    (b"HIERARCHY", "a BVH file; build a field from it with motionfields build"),
)
_ADVICE: Final = {  # (expected, found) -> advice
    ("field", "controller"): "; give the .field file that it was trained on",
    ("controller", "field"): "; train a controller on it with motionfields train",
}
_UPGRADE: Final = "upgrade with: pip install --upgrade motionfields"
_RESTORE: Final = "restore the file from a copy or make it again"


@dataclass(frozen=True)
class Header:
    """Parsed header of a file; `block_digests` are hex digits, those of an array's blocks joined."""

    kind: str
    version: int
    digest: str
    facts: Mapping[str, JsonValue]
    entries: Mapping[str, ArrayEntry]
    block_digests: Mapping[str, str]
    data_start: int  # bytes from the start of the file
    file_size: int  # bytes


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open the file `path`; refuse folders, and also pipes and devices, which could block for ever."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        raise ArtifactError(f"expected a file, got {'a folder' if stat.S_ISDIR(mode) else 'a device or pipe'}")
    return open(path, "rb")


def read_header(file: BinaryIO) -> tuple[bytes, int]:
    """Return the JSON at the start of an artifact file, with its checksum verified, and the file size in bytes."""
    file_size = os.fstat(file.fileno()).st_size
    start = file.read(LENGTH_BYTES + len(HEADER_START))
    if start[LENGTH_BYTES:] != HEADER_START:
        raise ArtifactError(_foreign(start, file_size))
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    if not len(HEADER_START) + DIGEST_DIGITS <= length <= min(MOST_HEADER_BYTES, file_size - LENGTH_BYTES):
        raise ArtifactError(f"is damaged or truncated: a header of {length} bytes in a file of {file_size}; {_RESTORE}")
    header = start[LENGTH_BYTES:] + file.read(length - len(HEADER_START))
    digits = header[len(HEADER_START) : len(HEADER_START) + DIGEST_DIGITS]
    if len(header) != length or digits != header_digest(header).encode():
        raise ArtifactError(f"its header is damaged; {_RESTORE}")
    return header, file_size


def parse_header(header: bytes, file_size: int, *, kind: str, newest_version: int) -> Header:
    """Return the content of `header` if all of it is consistent with the file size, the kind and the version."""
    try:
        content = _parse_json(header.decode("utf-8"), place="header")
        metadata = _take_metadata(content)
        version = _checked_version(metadata, kind=kind, newest_version=newest_version)
        if metadata.keys() != _METADATA:
            raise ValueError(f"expected metadata {sorted(_METADATA)}, got {brief(sorted(metadata))}")
        facts = _parse_json(metadata["facts"], place="facts")
        data_start = LENGTH_BYTES + len(header)
        if data_start % DATA_ALIGNMENT:
            raise ValueError(f"expected the arrays to start at a multiple of {DATA_ALIGNMENT} bytes, got {data_start}")
        entries = {name: _entry(name, tensor) for name, tensor in content.items()}
        _check_extents(entries, file_size - data_start)
        digests = _parse_json(metadata["block_sha256"], place="block_sha256")
        _check_digests(digests, entries)
    except RecursionError:
        raise ArtifactError("its header is nested too deeply") from None
    except ValueError as error:
        raise ArtifactError(f"its header breaks the format: {error}") from error
    return Header(kind, version, metadata["sha256"], facts, entries, digests, data_start, file_size)


def parse_kind(header: bytes) -> str:
    """Return the kind of artifact that `header` declares."""
    try:
        return _take_metadata(_parse_json(header.decode("utf-8"), place="header")).get("kind", "")
    except RecursionError:
        raise ArtifactError("its header is nested too deeply") from None
    except ValueError as error:
        raise ArtifactError(f"its header breaks the format: {error}") from error


def _foreign(start: bytes, file_size: int) -> str:
    """Return the error message for a file that does not begin like an artifact."""
    if not file_size:
        return "the file is empty"
    if start[LENGTH_BYTES:].startswith(FORMAT_START):
        return f"has a layout that this version does not know; {_UPGRADE}"
    found = next((what for mark, what in _OTHER_FILES if start.startswith(mark)), None)
    return f"expected a motionfields artifact, got {found or 'something else, or a damaged one'}"


def _parse_json(text: str, *, place: str) -> dict[str, Any]:
    """Return the object in `text`; ValueError for anything else, for repeated keys and for numbers outside JSON."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) != len(pairs):
            raise ValueError(f"{place}: expected each key once")
        return content

    content = json.loads(text, object_pairs_hook=unique)
    check_json(content, place=place)
    if not isinstance(content, dict):
        raise ValueError(f"{place}: expected an object, got {brief(content)}")
    return content


def _take_metadata(content: dict[str, Any]) -> dict[str, str]:
    """Remove the metadata from `content`, which leaves the arrays, and return it."""
    metadata = content.pop("__metadata__")  # always present: the header starts with it
    for key, value in metadata.items():
        if not isinstance(value, str):
            raise ValueError(f"expected text for {key}, got {brief(value)}")
    return dict(metadata)


def _checked_version(metadata: Mapping[str, str], *, kind: str, newest_version: int) -> int:
    found, digits = metadata.get("kind", ""), metadata.get("version", "")
    if found != kind:
        got = f"a {found}" if KIND.fullmatch(found) else brief(found)
        raise ArtifactError(f"expected a {kind}, got {got}{_ADVICE.get((kind, found), '')}")
    if not (digits.isascii() and digits.isdecimal() and 0 < len(digits) < 10 and digits[0] != "0"):
        raise ValueError(f"expected a version from 1, got {brief(digits)}")
    if int(digits) > newest_version:
        versions = f"version {digits} of the {kind} format; this version reads up to {newest_version}"
        raise ArtifactError(f"was written by a newer motionfields, in {versions}; {_UPGRADE}")
    return int(digits)


def _entry(name: str, tensor: Any) -> ArrayEntry:
    """Return the header's entry for the array `name`, if its type, shape and extent agree."""
    if not ARRAY_NAME.fullmatch(name):
        raise ValueError(
            f"expected array names of letters, digits and _./- that start with a letter, got {brief(name)}"
        )
    if not isinstance(tensor, dict) or tensor.keys() != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"{name}: expected dtype, shape and data_offsets, got {brief(tensor)}")
    dtype, shape, extent = tensor["dtype"], tensor["shape"], tensor["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise ValueError(f"{name}: expected a dtype of {', '.join(DTYPES)}, got {brief(dtype)}")
    if not _are_lengths(shape) or not _are_lengths(extent) or len(extent) != 2:
        raise ValueError(f"{name}: expected whole numbers, got shape {brief(shape)} at {brief(extent)}")
    if not fits_memory(shape):
        raise ValueError(f"{name}: expected an array that fits in memory, got shape {brief(shape)}")
    size = math.prod(shape) * DTYPES[dtype].itemsize
    if extent[1] - extent[0] != size:
        raise ValueError(f"{name}: expected {size} bytes for {dtype} {brief(shape)}, got bytes {brief(extent)}")
    return ArrayEntry(DTYPES[dtype], tuple(shape), extent[0], extent[1])


def _are_lengths(values: Any) -> bool:
    """Return whether `values` is a short list of non-negative integers; the bound keeps their product cheap."""
    return (
        isinstance(values, list)
        and len(values) <= MOST_DIMENSIONS
        and all(type(value) is int and 0 <= value < 2**63 for value in values)
    )


def _check_extents(entries: Mapping[str, ArrayEntry], data_size: int) -> None:
    """Refuse gaps, overlaps, misaligned arrays and bytes after the last array."""
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].start, item[1].stop)):
        if entry.start != end or entry.start % entry.dtype.itemsize:
            raise ValueError(f"{name}: expected to start at byte {end} of the data, aligned, got {entry.start}")
        end = entry.stop
    if end != data_size:
        raise ArtifactError(f"is truncated or too long: expected {end} bytes of arrays, got {data_size}; {_RESTORE}")


def _check_digests(digests: Mapping[str, Any], entries: Mapping[str, ArrayEntry]) -> None:
    if digests.keys() != entries.keys():
        raise ValueError("block_sha256: expected one for each array")
    for name, entry in entries.items():
        if not isinstance(digests[name], str) or len(digests[name]) != DIGEST_DIGITS * entry.block_count:
            raise ValueError(f"block_sha256.{name}: expected {DIGEST_DIGITS * entry.block_count} digits")
