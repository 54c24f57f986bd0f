"""Numbers of a glTF file: accessors over views of buffers, with the bounds of every level checked."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray
from motionfields.motion.formats._gltf_document import LARGEST_NUMBER, GltfDocument

NUMBER_BYTES_PER_BYTE: Final = 32
NUMBER_BYTES_ALWAYS: Final = 16_000_000
"""Limit on decoded numbers in bytes: the first constant times the file size, plus the second.

Without it, accessors that share bytes could turn a small file into gigabytes. Bytes that become float64 take 8 times
their size.
"""

_TYPES: Final = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS: Final = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_COMPRESSED: Final = ("EXT_meshopt_compression", "KHR_meshopt_compression")


class Accessors:
    """Reader of the accessors of a document; each is decoded once."""

    def __init__(self, document: GltfDocument) -> None:
        self._document = document
        self._read: dict[int, FloatArray] = {}
        self._columns: dict[int, FloatArray] = {}
        self._room = NUMBER_BYTES_PER_BYTE * document.size + NUMBER_BYTES_ALWAYS

    def read(self, item: dict[str, Any], key: str, width: int) -> FloatArray:
        """Return the rows [count, width] of the accessor whose index is in `item` under `key`.

        Integers that are marked as normalized become shares of their type's largest value.
        """
        document = self._document
        accessor = document.one("accessors", item, key)
        index: int = item[key]
        if index not in self._read:
            self._read[index] = self._rows(accessor)
        rows = self._read[index]
        self._spend(rows.nbytes)  # on every call: each caller may derive as much memory from the same rows
        if rows.shape[1] != width:
            document.fail(f"accessor {index}: expected {width} numbers a row, got {rows.shape[1]}")
        return rows

    def column(self, item: dict[str, Any], key: str) -> FloatArray:
        """Return an accessor of single numbers, [count]; the same array at each call."""
        index = self._document.whole(item, key)
        if index not in self._columns:
            self._columns[index] = self.read(item, key, 1)[:, 0]
        return self._columns[index]

    def _rows(self, accessor: dict[str, Any]) -> FloatArray:
        document = self._document
        dtype, width = self._kind(accessor)
        count = document.whole(accessor, "count")
        if count == 0:
            document.fail("count: expected at least 1 in an accessor")
        self._spend(8 * count * width)
        if "bufferView" in accessor:
            raw = self._slice(accessor, count, dtype, width)
        elif "sparse" in accessor:
            raw = np.zeros((count, width), dtype)
        else:
            document.fail("bufferView: expected one in an accessor that is neither sparse nor compressed")
        if "sparse" in accessor:
            raw = self._with_sparse(accessor, raw)
        with np.errstate(invalid="ignore"):  # from NaN, which is refused below
            rows = _shares(raw) if accessor.get("normalized") is True else raw.astype(np.float64)
        if not np.all(np.abs(rows) <= LARGEST_NUMBER):
            document.fail(f"expected finite numbers up to {LARGEST_NUMBER:g} in accessors, got NaN or larger ones")
        return rows

    def _kind(self, accessor: dict[str, Any]) -> tuple[np.dtype[Any], int]:
        document = self._document
        number, kind = accessor.get("componentType"), accessor.get("type")
        if type(number) is not int or number not in _TYPES:
            document.fail(f"componentType: expected one of {', '.join(map(str, _TYPES))}, got {str(number)[:40]}")
        if not isinstance(kind, str) or kind not in _WIDTHS:
            document.fail(f"type: expected one of {', '.join(_WIDTHS)}, got {str(kind)[:40]!r}")
        return np.dtype(_TYPES[number]), _WIDTHS[kind]

    def _slice(self, item: dict[str, Any], count: int, dtype: np.dtype[Any], width: int) -> NDArray[Any]:
        """Return `count` rows of `width` numbers from the view that `item` names, at its offset; not copied."""
        document = self._document
        view = document.one("bufferViews", item, "bufferView")
        packed = view.get("extensions")
        if isinstance(packed, dict) and any(name in packed for name in _COMPRESSED):
            document.fail("its numbers are compressed with meshopt; export it without compression")
        data = document.view(view)
        row = dtype.itemsize * width
        stride = document.whole(view, "byteStride", default=row, most=252 if "byteStride" in view else 2**53)
        offset = document.whole(item, "byteOffset", default=0)
        if stride < row or offset + stride * (count - 1) + row > len(data):
            document.fail(f"accessor: {count} rows of {row} bytes, {stride} apart, from {offset} reach beyond its view")
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def _with_sparse(self, accessor: dict[str, Any], rows: NDArray[Any]) -> NDArray[Any]:
        """Return `rows` with the replacements from the sparse part of `accessor`."""
        document = self._document
        sparse = accessor["sparse"]
        indices, values = (sparse.get("indices"), sparse.get("values")) if isinstance(sparse, dict) else (None, None)
        if not isinstance(indices, dict) or not isinstance(values, dict):
            document.fail("sparse: expected indices and values")
        count = document.whole(sparse, "count", most=len(rows))
        kind = _TYPES.get(document.whole(indices, "componentType"), "")
        if kind not in ("u1", "<u2", "<u4"):
            document.fail("sparse: expected indices of whole numbers")
        if count == 0:
            return rows
        self._spend(8 * count * (1 + rows.shape[1]))
        places = self._slice(indices, count, np.dtype(kind), 1)[:, 0].astype(np.int64)
        if np.any(places >= len(rows)):
            document.fail(f"sparse: expected indices below {len(rows)}, got {places.max()}")
        changed = rows.copy()
        changed[places] = self._slice(values, count, rows.dtype, rows.shape[1])
        return changed

    def _spend(self, size: int) -> None:
        """Refuse, before any allocation, more numbers than the size of the file justifies."""
        self._room -= size
        if self._room < 0:
            self._document.fail("its accessors hold far more numbers than the file has bytes; do they share some?")


def _shares(raw: NDArray[Any]) -> FloatArray:
    """Return integers as shares of their type's largest value, -1 to 1 or 0 to 1; floats unchanged."""
    if raw.dtype.kind == "f":
        return raw.astype(np.float64)
    return np.maximum(raw / float(np.iinfo(raw.dtype).max), -1.0)
