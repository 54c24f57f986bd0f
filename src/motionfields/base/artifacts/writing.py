"""Writing of artifact files: one pass over the arrays, into a draft that then replaces the file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from motionfields.base.artifacts.layout import (
    ARRAY_NAME,
    BLOCK_BYTES,
    DATA_ALIGNMENT,
    DIGEST_DIGITS,
    DTYPES,
    HEADER_START,
    KIND,
    LENGTH_BYTES,
    MOST_HEADER_BYTES,
    ArrayEntry,
    JsonValue,
    check_json,
    fits_memory,
    header_digest,
)
from motionfields.base.files import remove_abandoned_drafts
from motionfields.base.storage import Location, is_remote, replacing

_TYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def write_artifact(
    path: Location,
    *,
    kind: str,
    version: int,
    arrays: Mapping[str, NDArray[Any]],
    facts: Mapping[str, JsonValue],
) -> None:
    """Write `arrays` and `facts` to the file `path`; a kill leaves the old file or the new one.

    `version` is that of the kind's content, from 1. Arrays may have any shape and any real or boolean type, in either
    byte order; arrays that are not C-contiguous or not little-endian are copied a MiB of rows at a time, others not at
    all. Facts come back as dicts, lists, text, finite numbers, true, false and None. Equal input gives equal bytes,
    whatever the order of keys. Drafts that killed writers left in the folder are removed first. Raises ValueError for
    content that no file can hold, OSError, and FormatError where a URL cannot be written.
    """
    if not KIND.fullmatch(kind):
        raise ValueError(f"kind: expected a lower-case word, got {kind!r}")
    if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version < 10**9:
        raise ValueError(f"version: expected a whole number from 1, got {version!r}")
    entries = _plan(arrays)
    about = {"kind": kind, "version": str(version), "facts": _facts_text(facts)}
    unhashed = {name: "0" * (DIGEST_DIGITS * entry.block_count) for name, entry in entries.items()}
    header_size = len(_header(about, entries, unhashed))
    if header_size > MOST_HEADER_BYTES:
        raise ValueError(f"facts: expected a header of at most {MOST_HEADER_BYTES} bytes, got {header_size}")
    if not is_remote(path):
        remove_abandoned_drafts(Path(os.path.realpath(path)).parent)
    with replacing(path) as file:
        file.seek(LENGTH_BYTES + header_size)
        digests = {name: _write_array(file, arrays[name]) for name in entries}
        header = _header(about, entries, digests)
        file.seek(0)
        file.write(len(header).to_bytes(LENGTH_BYTES, "little") + header)


def _plan(arrays: Mapping[str, NDArray[Any]]) -> dict[str, ArrayEntry]:
    """Return the place of each array: the widest elements first, so that all are aligned, then by name."""
    for name, array in arrays.items():
        if not isinstance(name, str) or not ARRAY_NAME.fullmatch(name):
            raise ValueError(
                f"arrays: expected names of letters, digits and _./- that start with a letter, got {name!r}"
            )
        if not isinstance(array, np.ndarray) or array.dtype.newbyteorder("<") not in _TYPE_NAMES:
            found = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(f"arrays: expected {name} to be an array of real numbers or booleans, got {found}")
        if not fits_memory(array.shape):
            raise ValueError(f"arrays: expected {name} to have fewer axes or elements, got shape {array.shape}")
    entries, start = dict[str, ArrayEntry](), 0
    for name in sorted(arrays, key=lambda name: (-arrays[name].itemsize, name)):
        array = arrays[name]
        entries[name] = ArrayEntry(array.dtype.newbyteorder("<"), array.shape, start, start + array.nbytes)
        start += array.nbytes
    return entries


def _facts_text(facts: Mapping[str, JsonValue]) -> str:
    if not isinstance(facts, Mapping):
        raise ValueError(f"facts: expected a mapping, got {type(facts).__name__}")
    for key, value in facts.items():
        check_json({key: value}, place=f"facts.{key}")
    return json.dumps(dict(facts), default=dict, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _header(about: Mapping[str, str], entries: Mapping[str, ArrayEntry], digests: Mapping[str, str]) -> bytes:
    """Return the JSON before the data, padded; its length does not depend on the digests."""
    tensors = {
        name: {
            "dtype": _TYPE_NAMES[entry.dtype],
            "shape": entry.shape,
            "data_offsets": [entry.start, entry.stop],
        }
        for name, entry in entries.items()
    }
    metadata = {**about, "block_sha256": json.dumps(digests, separators=(",", ":"))}
    rest = json.dumps({"__metadata__": metadata, **tensors}, separators=(",", ":")).encode()
    opening = b'{"__metadata__":{'
    header = HEADER_START + b"0" * DIGEST_DIGITS + b'",' + rest.removeprefix(opening)
    header += b" " * (-(LENGTH_BYTES + len(header)) % DATA_ALIGNMENT)
    return HEADER_START + header_digest(header).encode() + header[len(HEADER_START) + DIGEST_DIGITS :]


def _write_array(file: BinaryIO, array: NDArray[Any]) -> str:
    """Append the bytes of `array` to `file`; return the checksums of its blocks, joined."""
    digests, checksum, room = list[str](), hashlib.sha256(), BLOCK_BYTES
    for piece in _pieces(array):
        position = 0
        while position < len(piece):
            part = piece[position : position + room]
            checksum.update(part)
            file.write(part)
            position += len(part)
            room -= len(part)
            if not room:
                digests.append(checksum.hexdigest())
                checksum, room = hashlib.sha256(), BLOCK_BYTES
    if room < BLOCK_BYTES:
        digests.append(checksum.hexdigest())
    return "".join(digests)


def _pieces(array: NDArray[Any]) -> Iterator[memoryview]:
    """Yield the little-endian bytes of `array` in C order: as they are in memory, or copied some rows at a time."""
    rows = np.atleast_1d(np.asarray(array))
    dtype = rows.dtype.newbyteorder("<")
    if not rows.size:
        return
    in_place = rows.flags.c_contiguous and rows.dtype == dtype
    step = len(rows) if in_place else max(1, BLOCK_BYTES * len(rows) // rows.nbytes)
    for start in range(0, len(rows), step):
        some = np.ascontiguousarray(rows[start : start + step], dtype)
        yield some.reshape(-1).view(np.uint8).data
