"""Lossy compression of trained value functions, by the methods of image compression.

Compression has four steps. The mean over all states at each node is stored separately; it does not affect decisions.
The values of each state over the task's grid become a weighted sum of profiles, the most important first (principal
components). The weights of each profile, taken over the states in order, become a cosine series: neighbouring states of
a clip have nearly equal weights. All numbers are then rounded to multiples of one step, which turns most of them into
0, and packed. The step follows from the requested size or error.

`sampled_anchors` keeps every n-th value in the form of Lee et al. 2010, eq. 14, for comparison; the paper trains at
these anchors only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeVar, overload

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.values import CompressedValues, ValueCode, ValueTable, packed

ROUNDED_UP = 0.35  # added to a magnitude, in steps, before rounding down; below 0.5, more numbers become 0
FINENESS = 64  # step sizes to choose from per factor of 2
OCTAVES = 30  # number of times the coarsest step can be halved, limited by the numbers that can be packed


class HasValues(Protocol):
    """A frozen dataclass with a field `values`, such as a controller."""

    @property
    def values(self) -> ValueTable:
        """The value function."""
        ...


Holder = TypeVar("Holder", bound=HasValues)


@overload
def compress(of: ValueTable, *, factor: float | None = None, loss: float | None = None) -> CompressedValues: ...
@overload
def compress(of: Holder, *, factor: float | None = None, loss: float | None = None) -> Holder: ...
def compress(of: Any, *, factor: float | None = None, loss: float | None = None) -> Any:
    """Return a compressed copy of `of`, a value table or a controller with one; other fields of a controller are kept.

    Give either `factor` or `loss`. With `factor`, the values take at least that many times fewer bytes than float32,
    with the smallest error that allows. With `loss`, the `value_error` is at most `loss`, with the smallest size that
    allows.
    """
    if (factor is None) == (loss is None):
        raise ValueError("factor, loss: expected exactly one of them")
    if not isinstance(of, ValueTable):
        return dataclasses.replace(of, values=compress(of.values, factor=factor, loss=loss))
    return _with_factor(of, factor) if factor is not None else _with_loss(of, loss or 0.0)


def value_error(values: ValueTable, other: ValueTable) -> float:
    """Return the root mean square difference between `values` and `other`, in the unit of the reward.

    An offset that all states share at a node does not count: decisions compare states at the same task parameters.
    """
    gap = other.table().astype(np.float64) - values.table()
    return float(np.sqrt(np.mean((gap - gap.mean(axis=0)) ** 2)))


@dataclass(frozen=True, eq=False)
class AnchoredValues(ValueTable):
    """A value function kept at some states of each clip, linear in time between them; a file holds the full table."""

    anchor_count: int

    @property
    def byte_count(self) -> int:
        """Size in bytes of the values at the anchors alone."""
        return 4 * self.anchor_count * int(self.values.shape[1])


def sampled_anchors(table: ValueTable, clip_starts: IntArray, stride: int) -> AnchoredValues:
    """Return `table` sampled at every `stride`-th state of a clip and its last one (eq. 14), for comparison.

    `clip_starts` [clip + 1] are the first states of the clips, followed by the number of states, as in a database.
    """
    if stride < 1:
        raise ValueError(f"stride: expected at least 1, got {stride}")
    values, count = np.empty_like(table.table()), 0
    for start, stop in pairwise(clip_starts):
        part = table.table()[start:stop]
        kept = np.unique(np.append(np.arange(0, len(part), stride), len(part) - 1))
        count += len(kept)
        for node in range(part.shape[1]):
            values[start:stop, node] = np.interp(np.arange(len(part)), kept, part[kept, node])
    return AnchoredValues(table.axes, values, count)


def _with_factor(values: ValueTable, factor: float) -> CompressedValues:
    """Return the finest code of `values` that is at least `factor` times smaller than float32."""
    if not 1.0 <= factor < np.inf:
        raise ValueError(f"factor: expected a number of at least 1, got {factor}")
    full = 4 * values.table().size
    small, larger = _border(_Series.of(values), lambda code: _byte_count(code) * factor <= full)
    if small is None:
        assert larger is not None
        raise ValueError(f"factor: expected at most {full / _byte_count(larger):.1f} for these values, got {factor}")
    return _read(values, small)


def _with_loss(values: ValueTable, loss: float) -> CompressedValues:
    """Return the coarsest code of `values` whose error is at most `loss`."""
    if not 0.0 <= loss < np.inf:
        raise ValueError(f"loss: expected a number of at least 0, got {loss}")
    far, near = _border(_Series.of(values), lambda code: value_error(values, _read(values, code)) > loss)
    if near is None:
        assert far is not None
        least = value_error(values, _read(values, far))
        raise ValueError(f"loss: expected at least {least:.2g} for these values, got {loss}")
    return _read(values, near)


def _read(values: ValueTable, code: ValueCode) -> CompressedValues:
    return CompressedValues.read(values.axes, code, state_count=len(values.table()))


def _byte_count(code: ValueCode) -> int:
    return sum(array.nbytes for array in code)


def _border(series: _Series, is_coarse: Callable[[ValueCode], bool]) -> tuple[ValueCode | None, ValueCode | None]:
    """Return the finest code for which `is_coarse` holds, and the next finer one; None for one that does not exist.

    The search starts at the coarse end, where rounding is fast. It moves by octaves until it passes the border, then
    bisects.
    """
    codes: list[ValueCode | None] = [None, None]
    coarse, fine = -1, FINENESS * OCTAVES + 1
    while fine - coarse > 1:
        octave = 0 if coarse < 0 else coarse + FINENESS
        rung = octave if octave < fine and codes[1] is None else (coarse + fine) // 2
        code = series.rounded(rung)
        if is_coarse(code):
            coarse, codes[0] = rung, code
        else:
            fine, codes[1] = rung, code
    return codes[0], codes[1]


class _Series(NamedTuple):
    """Profiles and cosine series of values, before rounding."""

    mean: FloatArray  # [node], mean over all states, float32
    profiles: IntArray  # [node, node], int8, the most important first
    scales: FloatArray  # [node], factor from an int8 profile to its component
    numbers: FloatArray  # [node, state], cosine series of each profile's weights over the states

    @classmethod
    def of(cls, values: ValueTable) -> _Series:
        """Return the series of `values`; ValueError if they are not finite."""
        from scipy.fft import dct

        table = values.table()
        if not np.isfinite(table).all():
            raise ValueError("values: expected finite numbers")
        mean = table.mean(axis=0, dtype=np.float64).astype(np.float32)
        rest = table.astype(np.float64) - mean
        components = np.linalg.eigh(rest.T @ rest).eigenvectors.T[::-1]
        scales = np.abs(components).max(axis=1) / 127.0
        profiles = np.rint(components / scales[:, np.newaxis]).astype(np.int8)
        # Solve for the weights of the rounded profiles, which compensates for the rounding of the profiles.
        shares = np.linalg.solve((profiles * scales[:, np.newaxis]).T, rest.T)
        return cls(mean, profiles, scales, dct(shares, axis=1, norm="ortho"))

    def rounded(self, rung: int) -> ValueCode:
        """Return the values in multiples of a step: rung 0 keeps only the mean, each further rung has a finer step."""
        sizes = np.abs(self.numbers).max(axis=1)
        step = 2.0 ** (1.0 - rung / FINENESS) * max(float(sizes.max()), 1e-6)
        used = sizes / step >= 1.0 - ROUNDED_UP
        numbers = self.numbers[used] / step
        whole = np.sign(numbers) * np.floor(np.abs(numbers) + ROUNDED_UP)
        scales = (step * self.scales[used]).astype(np.float32)
        series = np.frombuffer(packed(whole.astype(np.int64)), np.uint8)
        return ValueCode(self.mean, self.profiles[used], scales, series)
