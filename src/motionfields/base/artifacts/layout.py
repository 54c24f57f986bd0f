"""Constants and checks that the writer and the reader of artifact files share."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as brief
from typing import Any, Final, TypeAlias

import numpy as np

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"

FORMAT_START: Final = b'{"__metadata__":{"format":"motionfields",'
HEADER_START: Final = FORMAT_START + b'"layout":"1","sha256":"'
"""The bytes that begin every header, up to its own checksum."""

LENGTH_BYTES: Final = 8
DIGEST_DIGITS: Final = 64
DATA_ALIGNMENT: Final = 64  # bytes
BLOCK_BYTES: Final = 1 << 20
MOST_HEADER_BYTES: Final = 1 << 23  # holds the checksums of 100 GB; a hostile header costs at most seconds and 250 MB
MOST_DIMENSIONS: Final = 16
MOST_ELEMENTS: Final = 1 << 48  # ignoring axes of length 0; numpy refuses more than 2**63 bytes
DEEPEST_FACTS: Final = 32

DTYPES: Final[Mapping[str, np.dtype[Any]]] = {
    "F64": np.dtype("<f8"),
    "I64": np.dtype("<i8"),
    "U64": np.dtype("<u8"),
    "F32": np.dtype("<f4"),
    "I32": np.dtype("<i4"),
    "U32": np.dtype("<u4"),
    "F16": np.dtype("<f2"),
    "I16": np.dtype("<i2"),
    "U16": np.dtype("<u2"),
    "I8": np.dtype("i1"),
    "U8": np.dtype("u1"),
    "BOOL": np.dtype("?"),
}
"""Array types that a file can hold, by their safetensors names."""

KIND: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
ARRAY_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_./-]{0,127}")


@dataclass(frozen=True)
class ArrayEntry:
    """Type, shape and extent of one array; its bytes are `start` to `stop` of the part after the header."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    start: int
    stop: int

    @property
    def block_count(self) -> int:
        """Number of blocks with a checksum; the last may be short."""
        return -(-(self.stop - self.start) // BLOCK_BYTES)


def fits_memory(shape: Sequence[int]) -> bool:
    """Return whether numpy can address an array of this shape."""
    return len(shape) <= MOST_DIMENSIONS and math.prod(length or 1 for length in shape) <= MOST_ELEMENTS


def header_digest(header: bytes) -> str:
    """Return the SHA-256 of a header and its length as hex digits, leaving out the digits stored in `header` itself."""
    digits = len(HEADER_START)
    checksum = hashlib.sha256(len(header).to_bytes(LENGTH_BYTES, "little"))
    checksum.update(header[:digits])
    checksum.update(header[digits + DIGEST_DIGITS :])
    return checksum.hexdigest()


def check_json(value: object, *, place: str, depth: int = 0) -> None:
    """Raise a ValueError that names `place` if JSON cannot hold `value` exactly or it is nested too deeply."""
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ValueError(f"{place}: expected text, got half a surrogate pair in {brief(value)}")
    elif isinstance(value, (list, tuple)):
        _check_items(value, place=place, depth=depth)
    elif isinstance(value, (dict, Mapping)):  # dict first, because isinstance with Mapping is slow
        for key in value:
            if not isinstance(key, str):
                raise ValueError(f"{place}: expected text for keys, got {brief(key)}")
        _check_items(value, place=place, depth=depth)
        _check_items(value.values(), place=place, depth=depth)
    elif not (value is None or isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))):
        raise ValueError(f"{place}: expected a value that JSON can hold, with finite numbers, got {brief(value)}")


def _check_items(items: Iterable[object], *, place: str, depth: int) -> None:
    if depth == DEEPEST_FACTS:
        raise ValueError(f"{place}: expected at most {DEEPEST_FACTS} levels, got more")
    for item in items:
        if not (type(item) is int or (type(item) is str and item.isascii())):  # most are; spare them the call
            check_json(item, place=place, depth=depth + 1)
