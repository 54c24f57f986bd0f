"""Checks of numbers and arrays, run once when an object is made, so that compiled loops need none.

All of them raise `ValueError` with one line that names the array or the field; loaders turn that into `ArtifactError`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import fields
from numbers import Integral, Real
from types import EllipsisType
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from motionfields.base.arrays import FloatArray, IntArray

LARGEST: Final = 1e9  # bound of every setting: beyond it, sums and products lose their meaning
_ROWS_AT_ONCE: Final = 1 << 16  # rows whose lengths are measured at once, to avoid copies of large arrays


def check_array(
    name: str,
    array: NDArray[Any],
    dtype: DTypeLike,
    shape: Sequence[int | None],
    *,
    most: float | None = None,
) -> None:
    """Raise ValueError unless `array` has this type and shape, and finite numbers of a magnitude up to `most`.

    None in `shape` stands for any length. Nothing is copied.
    """
    if not isinstance(array, np.ndarray) or array.dtype != np.dtype(dtype):
        found = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise ValueError(f"{name}: expected an array of {np.dtype(dtype)}, got {found}")
    _check_shape(name, array, shape)
    if array.dtype.kind == "f" and array.size:
        # The smallest and the largest are NaN if any number is.
        low, high = float(array.min()), float(array.max())
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ValueError(f"{name}: expected finite numbers")
        if most is not None and not (-most <= low and high <= most):
            raise ValueError(f"{name}: expected numbers from {-most:g} to {most:g}, got {low:g} to {high:g}")


def check_unit(name: str, quaternions: FloatArray, tolerance: float) -> None:
    """Raise ValueError unless all `quaternions` [..., 4] have length 1 within `tolerance`."""
    rows = quaternions.reshape(-1, 4)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = rows[start : start + _ROWS_AT_ONCE]
        if not np.all(np.abs(np.einsum("ij,ij->i", part, part) - 1.0) <= 2.0 * tolerance):
            raise ValueError(f"{name}: expected unit quaternions wxyz")


def check_indices(name: str, indices: ArrayLike, count: int) -> IntArray:
    """Return `indices` as an array; ValueError unless all are whole numbers from 0 to `count` - 1."""
    array = np.asarray(indices)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name}: expected whole numbers, got {array.dtype}")
    if array.size and not (array.min() >= 0 and array.max() < count):
        raise ValueError(f"{name}: expected 0 to {count - 1}, got {array.min()} to {array.max()}")
    return array


def checked_numbers(
    name: str, given: ArrayLike, most: float = LARGEST, *, shape: Sequence[int | EllipsisType | None] | None = None
) -> FloatArray:
    """Return `given` as float64; ValueError unless it holds real, finite numbers of a magnitude up to `most`.

    With `shape`, it must have that shape, where None stands for any length; `(..., 2)` is a shape that ends in 2.
    """
    if "numpy.ma" in sys.modules and isinstance(given, np.ma.MaskedArray):
        raise ValueError(f"{name}: expected plain numbers, got a masked array")
    try:
        raw = np.asarray(given)
    except ValueError:
        raise ValueError(f"{name}: expected numbers, got a ragged list") from None
    if raw.dtype.kind not in "iuf":
        raise ValueError(f"{name}: expected real numbers, got {raw.dtype}")
    if shape is not None:
        _check_shape(name, raw, shape)
    numbers = raw.astype(np.float64, copy=False)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name}: expected finite numbers")
    if numbers.size and np.abs(numbers).max() > most:
        raise ValueError(f"{name}: expected numbers from {-most:g} to {most:g}")
    return numbers


def checked_number(name: str, value: Any, least: float = -LARGEST, most: float = LARGEST) -> float:
    """Return `value` as a float; ValueError unless it is a real number from `least` to `most`."""
    if not _is_real(value) or not least <= value <= most:
        raise ValueError(f"{name}: expected a number from {least:g} to {most:g}, got {value!r}")
    return float(value)


def checked_count(name: str, value: Any, least: int = 0, most: int = int(LARGEST)) -> int:
    """Return `value` as an int; ValueError unless it is a whole number from `least` to `most`."""
    if not _is_whole(value) or not least <= value <= most:
        raise ValueError(f"{name}: expected a whole number from {least} to {most}, got {value!r}")
    return int(value)


def checked_seed(seed: Any) -> int:
    """Return `seed`, any whole number, as one from 0 to 2^64 - 1; ValueError for anything else.

    Seeds in that range stay as they are. All others are hashed, so that no two of practical interest coincide.
    """
    if not _is_whole(seed):
        raise ValueError(f"seed: expected a whole number, got {seed!r}")
    number = int(seed)
    if 0 <= number < 2**64:
        return number
    text = number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little")


def check_fields(settings: Any, *, endless: Sequence[str] = ()) -> None:
    """Raise ValueError unless the fields of the dataclass `settings` hold what their annotations say.

    Covers `bool`, `int`, `float` and `str`, alone or with `| None`; other annotations are not looked at. Numbers are
    at most `LARGEST` in magnitude; only the fields `endless` may be infinite.
    """
    for item in fields(settings):
        value, kind = getattr(settings, item.name), str(getattr(item.type, "__name__", item.type))
        if kind.endswith(" | None"):
            kind = kind.removesuffix(" | None")
            if value is None:
                continue
        if item.name in endless and value == np.inf:
            continue
        if kind == "float":
            checked_number(item.name, value)
        elif kind == "int":
            checked_count(item.name, value, -int(LARGEST))
        elif kind == "bool" and not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{item.name}: expected True or False, got {value!r}")
        elif kind == "str" and not isinstance(value, str):
            raise ValueError(f"{item.name}: expected text, got {value!r}")


def _check_shape(name: str, array: NDArray[Any], shape: Sequence[int | EllipsisType | None]) -> None:
    wanted = list(shape)
    if wanted and wanted[0] is ...:
        wanted[:1] = [None] * (array.ndim - len(wanted) + 1)
    if array.ndim != len(wanted) or any(w not in (None, have) for w, have in zip(wanted, array.shape, strict=True)):
        text = ", ".join("any" if length is None else str(length) for length in shape).replace("Ellipsis", "...")
        raise ValueError(f"{name}: expected shape [{text}], got {list(array.shape)}")


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
