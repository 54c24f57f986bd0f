"""Smaller value functions: trained in full, then compressed as pictures are.

Four steps. What all states share at a node is kept apart: it alters no choice. Each state's values over the task's grid
become a sum of profiles, the most important first (principal components). How much of a profile the states have, one
after the other, becomes a cosine series: states next to each other in a clip have nearly the same. Then everything is
rounded to multiples of one step, which turns most of it into 0, and packed. The step follows from a budget.

`sampled_anchors` keeps every n-th value in the form of Lee et al. 2010, eq. 14, to compare with; the paper trains at
these anchors alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeVar, overload

import numpy as np
from scipy.fft import dct

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.values import CompressedValues, ValueCode, ValueTable, packed

ROUNDED_UP = 0.35  # of a step, from where a number is rounded up; less than half makes more of them 0
FINENESS = 64  # steps to choose from between one and its double
OCTAVES = 30  # how often the coarsest step can be halved, by what numbers can be packed


class HasValues(Protocol):
    """A frozen dataclass with values among its fields, such as a controller."""

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
    """`of`, which are values or a controller with some, made smaller; the rest of a controller stays as it is.

    Give one of two. With `factor`, the values take at least so many times fewer bytes than float32, and are as close
    to what they were as that allows. With `loss`, `value_error` is at most that, and they are as small as it allows.
    """
    if (factor is None) == (loss is None):
        raise ValueError("factor, loss: expected one of them")
    if not isinstance(of, ValueTable):
        return dataclasses.replace(of, values=compress(of.values, factor=factor, loss=loss))
    return _with_factor(of, factor) if factor is not None else _with_loss(of, loss or 0.0)


def value_error(values: ValueTable, other: ValueTable) -> float:
    """How far `other` is from `values`: the root mean square difference, in the unit of the reward.

    What all states at a node are off by does not count: choices are between states at like task parameters.
    """
    gap = other.table().astype(np.float64) - values.table()
    return float(np.sqrt(np.mean((gap - gap.mean(axis=0)) ** 2)))


@dataclass(frozen=True, eq=False)
class AnchoredValues(ValueTable):
    """V that was kept at some states of each clip and is linear in time between them; a file still holds all of it."""

    anchor_count: int

    @property
    def byte_count(self) -> int:
        """What the anchors alone take."""
        return 4 * self.anchor_count * int(self.values.shape[1])


def sampled_anchors(table: ValueTable, clip_starts: IntArray, stride: int) -> AnchoredValues:
    """`table` kept at every `stride`-th state of a clip and its last (eq. 14 of the paper), to compare with.

    `clip_starts` [clip + 1] are the first states of the clips and the number of states, as in a database.
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
    """The finest form that is `factor` times smaller than float32."""
    if not 1.0 <= factor < np.inf:
        raise ValueError(f"factor: expected a number of at least 1, got {factor}")
    full = 4 * values.table().size
    small, larger = _border(_Series.of(values), lambda code: _byte_count(code) * factor <= full)
    if small is None:
        assert larger is not None
        raise ValueError(f"factor: expected at most {full / _byte_count(larger):.1f} for these values, got {factor}")
    return _read(values, small)


def _with_loss(values: ValueTable, loss: float) -> CompressedValues:
    """The coarsest form that is within `loss` of `values`."""
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
    """The last code on the way from coarse to fine that `is_coarse`, and the one after it; None where there is none.

    The way is gone from its coarse end, where rounding is quick, by octaves at first.
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
    """Values before they are rounded."""

    mean: FloatArray  # [node], float32
    profiles: IntArray  # [node, node], int8, the most important first
    scales: FloatArray  # [node]
    numbers: FloatArray  # [node, state], the cosine series of each profile over the states

    @classmethod
    def of(cls, values: ValueTable) -> _Series:
        """The series of `values`."""
        table = values.table()
        if not np.isfinite(table).all():
            raise ValueError("values: expected finite numbers")
        mean = table.mean(axis=0, dtype=np.float64).astype(np.float32)
        rest = table.astype(np.float64) - mean
        components = np.linalg.eigh(rest.T @ rest).eigenvectors.T[::-1]
        scales = np.abs(components).max(axis=1) / 127.0
        profiles = np.rint(components / scales[:, np.newaxis]).astype(np.int8)
        # Shares of the profiles as they are after rounding, so that their rounding is made up for.
        shares = np.linalg.solve((profiles * scales[:, np.newaxis]).T, rest.T)
        return cls(mean, profiles, scales, dct(shares, axis=1, norm="ortho"))

    def rounded(self, rung: int) -> ValueCode:
        """The values in multiples of a step: on rung 0 nothing but the mean is left, on each further it is finer."""
        sizes = np.abs(self.numbers).max(axis=1)
        step = 2.0 ** (1.0 - rung / FINENESS) * max(float(sizes.max()), 1e-6)
        used = sizes / step >= 1.0 - ROUNDED_UP
        numbers = self.numbers[used] / step
        whole = np.sign(numbers) * np.floor(np.abs(numbers) + ROUNDED_UP)
        scales = (step * self.scales[used]).astype(np.float32)
        series = np.frombuffer(packed(whole.astype(np.int64)), np.uint8)
        return ValueCode(self.mean, self.profiles[used], scales, series)
