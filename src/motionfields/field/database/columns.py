"""Columns: labels and annotations of the user for every frame, stored with the states of a database."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motionfields.base.arrays import IntArray
from motionfields.motion.clip import Clip

COLUMN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
COLUMN_PREFIX = "column."  # prefix of their array names in files
_TYPES = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64}

Column: TypeAlias = NDArray[Any]
ColumnSource: TypeAlias = "Sequence[ArrayLike] | Mapping[str, ArrayLike] | ClipColumn"


@dataclass(frozen=True, eq=False)
class ClipColumn:
    """The values of one column, an array [frame] or [frame, k] for each clip.

    `values` is a list in the order of the clips, or a mapping by file path, or by name for clips without a file.
    `mirror` takes the values of a clip and returns those of its mirror image; by default they are the same.
    """

    values: Sequence[ArrayLike] | Mapping[str, ArrayLike]
    mirror: Callable[[NDArray[Any]], ArrayLike] | None = None


class FrameValues(NamedTuple):
    """The values of one column for one clip, and for its mirror image."""

    own: Column  # [frame] or [frame, k]
    mirrored: Column

    def digest(self) -> str:
        """Return a checksum of type, shape and values."""
        text = hashlib.sha256()
        for values in self:
            text.update(f"{values.dtype} {values.shape}".encode() + values.tobytes())
        return text.hexdigest()


def checked_column(name: str, values: ArrayLike) -> Column:
    """Return `values` [n] or [n, k] as bool, int64 or float64; ValueError if the name or values are not valid."""
    if not COLUMN_NAME.fullmatch(name):
        raise ValueError(f"columns: expected names of up to 64 letters, digits and underscores, got {name!r}")
    array = np.asarray(values)
    if array.dtype.kind not in _TYPES:
        raise ValueError(f"column {name}: expected booleans, whole numbers or floats, got {array.dtype}")
    if array.ndim not in (1, 2):
        raise ValueError(f"column {name}: expected [frame] or [frame, k], got shape {array.shape}")
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"column {name}: expected whole numbers of up to 63 bits")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"column {name}: expected finite numbers")
    return np.ascontiguousarray(array, dtype=_TYPES[array.dtype.kind])


class ClipColumns:
    """All columns of a build, checked for one type and width in every clip."""

    def __init__(self, columns: Mapping[str, ColumnSource] | None = None) -> None:
        self._columns: dict[str, dict[str | int, FrameValues]] = {}
        for name, source in (columns or {}).items():
            column = source if isinstance(source, ClipColumn) else ClipColumn(source)
            self._columns[name] = _frame_values(name, column)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def check_clips(self, keys: Sequence[str], *, ordered: bool) -> None:
        """Raise ValueError unless every column has values for the clips `keys` and no others.

        Columns given as a list are accepted only if the clips are `ordered`.
        """
        for name, values in self._columns.items():
            wanted: set[str | int] = set(keys)
            if values and all(isinstance(key, int) for key in values):
                if not ordered:
                    raise ValueError(f"column {name}: expected arrays by file path, got a list")
                wanted = set(range(len(keys)))
            if missing := sorted(map(str, wanted - set(values))):
                raise ValueError(f"column {name}: expected values for every clip, got none for {missing[0]}")
            if unknown := sorted(map(str, set(values) - wanted)):
                raise ValueError(f"column {name}: no clip is called {unknown[0]}")

    def of(self, key: str, number: int | None = None) -> dict[str, FrameValues]:
        """Return the values of the clip `key`, or of clip `number` for columns given as a list, by column name."""
        return {
            name: values[key] if key in values or number is None else values[number]
            for name, values in self._columns.items()
        }


def clip_key(clip: Clip) -> str:
    """Return the key of a clip in columns and labels: the path of its file, or its name if it has none."""
    return clip.report.path if clip.report else clip.name


def whole_numbers(name: str, column: Column) -> IntArray:
    """Return `column` [state] as int64; ValueError unless it holds one whole number for each state."""
    if column.ndim != 1 or column.dtype.kind not in "bi":
        raise ValueError(f"column {name}: expected one whole number for each state, got {column.dtype}")
    return column.astype(np.int64)


def state_values(name: str, values: Column, clip: Clip, even: Clip) -> Column:
    """Return a value for each state of `even`: that of the frame of `clip` nearest in time.

    `even` is `clip` at another frame rate; its last frame is not a state. `values` [frame] are those of `clip`, or of
    its file including the rest frames that loading dropped.
    """
    dropped = int(clip.report.rest_frames.value) if clip.report else 0
    if len(values) not in (clip.frame_count, clip.frame_count + dropped):
        raise ValueError(
            f"column {name}: expected {clip.frame_count} values, one for each frame of {clip.name}, got {len(values)}"
        )
    own = values[len(values) - clip.frame_count :]
    place = np.arange(even.frame_count - 1) * (even.frame_time / clip.frame_time)
    nearest = np.ceil(place - 0.5 - 1e-6).astype(np.int64)  # halfway between two frames, take the earlier one
    return np.asarray(own[np.clip(nearest, 0, clip.frame_count - 1)])


def _frame_values(name: str, column: ClipColumn) -> dict[str | int, FrameValues]:
    """Return the values of one column and of its mirror image, by clip, checked for one type and width."""
    given = column.values
    keyed: dict[str | int, ArrayLike] = (
        {str(key): values for key, values in given.items()} if isinstance(given, Mapping) else dict(enumerate(given))
    )
    found: dict[str | int, FrameValues] = {}
    kinds = set()
    for key, values in keyed.items():
        own = checked_column(name, values)
        other = own if column.mirror is None else checked_column(name, column.mirror(own.copy()))
        if other.shape != own.shape:
            raise ValueError(f"column {name}: expected a mirror rule that keeps shape {own.shape}, got {other.shape}")
        found[key] = FrameValues(own, other)
        kinds |= {(part.dtype, part.shape[1:]) for part in (own, other)}
    if len(kinds) > 1:
        raise ValueError(f"column {name}: expected values of one type and width in all clips")
    return found
