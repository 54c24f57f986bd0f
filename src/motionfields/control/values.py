"""The value function: the expected future reward for every database state and all task parameters.

Training writes it, the controller reads it (Lee et al. 2010, section 4.2.1). A file holds it in full (`ValueTable`) or
compressed (`CompressedValues`, made by `motionfields.control.compression`).
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.artifacts import Artifact
from motionfields.base.checks import check_array, check_indices
from motionfields.base.compiled import parallel_kernel, prange
from motionfields.base.errors import naming_the_extra
from motionfields.control.grids import corner_steps, find_corners, grid_size, interpolated
from motionfields.control.tasks import Axis
from motionfields.field.passive import ordered_sum

LARGEST_VALUE: Final = 1e30  # radians; float32 can add and interpolate such values
MOST_PLANES: Final = 4  # maximum number of bytes of a packed integer
LZMA_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 20, "lc": 0, "lp": 0, "pb": 0}]


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The value function V: a value for every database state and node of the task's grid."""

    axes: tuple[Axis, ...]
    values: FloatArray  # [state, node], float32

    def __post_init__(self) -> None:
        check_array("values", self.values, np.float32, (None, grid_size(self.axes)), most=LARGEST_VALUE)

    @property
    def byte_count(self) -> int:
        """Size in bytes in a file."""
        return int(sum(array.nbytes for array in self.arrays().values()))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to write to a file, by name."""
        return {"values": self.values}

    def table(self) -> FloatArray:
        """Return all values [state, node], float32."""
        return self.values

    def lookup(self, states: IntArray, params: FloatArray) -> FloatArray:
        """Return V at `states` [...] and task parameters `params` [..., axis], multilinear between nodes."""
        states, params = check_indices("states", states, len(self.table())), np.asarray(params)
        if params.dtype.kind not in "iuf" or params.shape != (*states.shape, len(self.axes)) or np.isnan(params).any():
            raise ValueError(f"params: expected numbers [..., {len(self.axes)}], one set per state")
        corners = find_corners(self.axes, params)
        out = np.empty(states.size)
        shares = corners.shares.reshape(states.size, -1)
        _lookup(self.table(), states.ravel(), corners.first.ravel(), shares, corner_steps(self.axes), out)
        return out.reshape(states.shape)


class ValueCode(NamedTuple):
    """Values as integers: a few profiles over the grid, and for each profile a cosine series over the states.

    The values of a state are the mean plus the sum over profiles of weight times scale times profile, where the weights
    of a profile over the states are the inverse cosine transform of its series.
    """

    mean: FloatArray  # [node], mean over all states, float32
    profiles: IntArray  # [rank, node], int8
    scales: FloatArray  # [rank], float32
    series: IntArray  # [byte], uint8, made by `packed` from [rank, state]


@dataclass(frozen=True, eq=False)
class CompressedValues(ValueTable):
    """A value function that is small in a file: `code`, and its decoded form in `values`; see `read`."""

    code: ValueCode

    @classmethod
    def read(cls, axes: tuple[Axis, ...], code: ValueCode, *, state_count: int) -> CompressedValues:
        """Return the values of `state_count` states that `code` encodes; ValueError if it is invalid."""
        with naming_the_extra():
            from scipy.fft import idct

        rank, node_count = len(code.scales), grid_size(axes)
        _check("mean", code.mean, np.float32, (node_count,))
        _check("scales", code.scales, np.float32, (rank,))
        _check("profiles", code.profiles, np.int8, (rank, node_count))
        _check("series", code.series, np.uint8, (code.series.size,))
        if rank > node_count:
            raise ValueError(f"profiles: expected at most {node_count}, one for each node, got {rank}")
        series = unpacked(code.series.tobytes(), (rank, state_count)) * code.scales[:, np.newaxis].astype(np.float64)
        rest = idct(series, axis=1, norm="ortho").T @ code.profiles.astype(np.float64) if rank else 0.0
        exact = np.broadcast_to(code.mean + rest, (state_count, node_count))
        if not np.abs(exact).max(initial=0.0) <= np.finfo(np.float32).max:
            raise ValueError("series: expected values that float32 can hold")
        return cls(axes, exact.astype(np.float32), code)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to write to a file, by name."""
        return {f"values.{name}": array for name, array in self.code._asdict().items()}


def value_means(table: FloatArray) -> FloatArray:
    """Return the mean [state] of the values `table` [state, node] over all goals, in a defined order of summation."""
    return np.asarray(ordered_sum(table.astype(np.float64)) / table.shape[1])


def packed(numbers: IntArray) -> bytes:
    """Return the integers `numbers` [...], below 2^31 in magnitude, as compressed bytes.

    Small numbers take little space, runs of 0 hardly any. The numbers 0, 1, -1, 2, ... become 0, 1, 2, 3, ... The
    lowest bytes of all numbers come first, then the next bytes, up to the last ones that are not all 0. LZMA compresses
    the result.
    """
    folded = (2 * np.abs(numbers.astype(np.int64)) - (numbers > 0)).astype("<u4")
    planes = np.moveaxis(np.ascontiguousarray(folded)[..., np.newaxis].view(np.uint8), -1, 0)
    used = 1 + max((place for place in range(MOST_PLANES) if planes[place].any()), default=0)
    return lzma.compress(planes[:used].tobytes(), format=lzma.FORMAT_RAW, filters=LZMA_FILTERS)


def unpacked(code: bytes, shape: tuple[int, ...]) -> IntArray:
    """Return the numbers of `shape`, int64, that `packed` encoded as `code`; ValueError if it is no such code."""
    count = int(np.prod(shape))
    reader = lzma.LZMADecompressor(format=lzma.FORMAT_RAW, filters=LZMA_FILTERS)
    try:
        raw = reader.decompress(code, max_length=MOST_PLANES * count + 1)
    except lzma.LZMAError as error:
        raise ValueError(f"series: expected LZMA data ({error})") from None
    plane_count = len(raw) // max(count, 1)
    if len(raw) != plane_count * count or plane_count > MOST_PLANES or (count and not plane_count):
        raise ValueError(f"series: expected 1 to {MOST_PLANES} bytes for each of {count} numbers, got {len(raw)}")
    folded = np.zeros(shape, np.int64)
    for place in range(plane_count):
        part = np.frombuffer(raw, np.uint8, count, place * count).reshape(shape)
        folded |= part.astype(np.int64) << (8 * place)
    return np.where(folded % 2 == 1, (folded + 1) // 2, -(folded // 2))


def values_from(artifact: Artifact, axes: tuple[Axis, ...], state_count: int) -> ValueTable:
    """Return the values in `artifact` of `state_count` states over `axes`; ValueError if they are invalid."""
    if "values" in artifact.arrays:
        shape = (state_count, grid_size(axes))
        table = artifact.array("values", dtype=np.float32, shape=shape)
        return ValueTable(axes, table)
    code = ValueCode(*(artifact.array(f"values.{name}") for name in ValueCode._fields))
    return CompressedValues.read(axes, code, state_count=state_count)


def _check(name: str, array: NDArray[Any], dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    if array.dtype != dtype or array.shape != shape:
        wanted = f"{np.dtype(dtype)} {list(shape)}"
        raise ValueError(f"{name}: expected {wanted}, got {array.dtype} {list(array.shape)}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers")


@parallel_kernel
def _lookup(
    values: FloatArray, states: IntArray, first: IntArray, shares: FloatArray, steps: IntArray, out: FloatArray
) -> None:
    """Fill `out` [n] with the values of `states` [n] at the grid positions `first` [n], `shares` [n, axis]."""
    for i in prange(len(states)):
        out[i] = interpolated(values[states[i]], first[i], shares[i], steps)
