"""Temporal compression: values at every N-th state of a clip, interpolated in time (Lee et al. 2010, section 4.2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.grids import grid_size
from motionfields.control.tasks import Axis


@dataclass(frozen=True, eq=False)
class Anchors:
    """Which states keep values, and how all others lie between them."""

    states: IntArray  # [anchor], of the database, rising
    before: IntArray  # [state], the anchor at or before each state
    after: IntArray  # [state], the anchor after it; the same one where the state is an anchor
    shares: FloatArray  # [state], how far it is on the way between the two, 0 to 1, float32

    @classmethod
    def every(cls, clip_starts: IntArray, stride: int) -> Anchors:
        """Every `stride`-th state of each clip and its last one, for clips that start at `clip_starts` [clip + 1]."""
        if stride < 1:
            raise ValueError(f"stride: expected at least 1 state, got {stride}")
        clips = [np.unique(np.append(np.arange(first, end, stride), end - 1)) for first, end in pairwise(clip_starts)]
        rows = np.concatenate(clips)
        states = np.arange(clip_starts[-1])
        before = np.searchsorted(rows, states, side="right") - 1
        after = np.searchsorted(rows, states, side="left")
        gap = np.maximum(rows[after] - rows[before], 1)
        return cls(rows, before, after, ((states - rows[before]) / gap).astype(np.float32))

    def keep(self, values: FloatArray) -> FloatArray:
        """Of `values` [state, node] those at anchors, [anchor, node]: what has to be stored."""
        return np.asarray(values[self.states])

    def expand(self, kept: FloatArray) -> FloatArray:
        """The values [state, node] at all states, from `kept` [anchor, node]; exactly those at anchors (eq. 14)."""
        if len(self.states) == len(self.shares):
            return kept
        share = self.shares[:, np.newaxis]
        return np.asarray((1.0 - share) * kept[self.before] + share * kept[self.after])


@dataclass(frozen=True, eq=False)
class AnchorValues:
    """V: values at anchors, of which those at all other states are made."""

    axes: tuple[Axis, ...]
    anchors: Anchors
    kept: FloatArray  # [anchor, node], float32

    def __post_init__(self) -> None:
        shape = (len(self.anchors.states), grid_size(self.axes))
        if self.kept.shape != shape:
            raise ValueError(f"kept: expected shape {shape}, got {self.kept.shape}")

    @property
    def byte_count(self) -> int:
        """What has to be stored."""
        return int(self.kept.nbytes)

    @cached_property
    def _table(self) -> FloatArray:
        return self.anchors.expand(self.kept)

    def table(self) -> FloatArray:
        """All values [state, node], float32."""
        return self._table
