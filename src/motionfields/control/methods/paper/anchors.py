"""Temporal compression: values at every N-th state of a clip, interpolated in time (Lee et al. 2010, section 4.2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import check_array
from motionfields.control.grids import grid_size
from motionfields.control.tasks import Axis
from motionfields.control.values import LARGEST_VALUE


@dataclass(frozen=True, eq=False)
class Anchors:
    """The states that keep values, and the position of all other states between them."""

    states: IntArray  # [anchor], database states, rising
    before: IntArray  # [state], the anchor at or before each state
    after: IntArray  # [state], the anchor at or after each state
    shares: FloatArray  # [state], position in time between the two, 0 to 1, float32

    @classmethod
    def every(cls, clip_starts: IntArray, stride: int) -> Anchors:
        """Return every `stride`-th state of each clip and its last one as anchors.

        `clip_starts` [clip + 1] are the first states of the clips, followed by the number of states.
        """
        if stride < 1:
            raise ValueError(f"stride: expected at least 1 state, got {stride}")
        clips = [np.unique(np.append(np.arange(first, end, stride), end - 1)) for first, end in pairwise(clip_starts)]
        anchors = np.concatenate(clips)
        states = np.arange(clip_starts[-1])
        before = np.searchsorted(anchors, states, side="right") - 1
        after = np.searchsorted(anchors, states, side="left")
        gap = np.maximum(anchors[after] - anchors[before], 1)
        return cls(anchors, before, after, ((states - anchors[before]) / gap).astype(np.float32))

    def keep(self, values: FloatArray) -> FloatArray:
        """Return the values [anchor, node] to store: those of `values` [state, node] at anchors."""
        return np.asarray(values[self.states])

    def expand(self, kept: FloatArray) -> FloatArray:
        """Return the values [state, node] at all states from `kept` [anchor, node]; exact at anchors (eq. 14)."""
        if len(self.states) == len(self.shares):
            return kept
        share = self.shares[:, np.newaxis]
        return np.asarray((1.0 - share) * kept[self.before] + share * kept[self.after])


@dataclass(frozen=True, eq=False)
class AnchorValues:
    """The value function V: values at anchors, interpolated in time for all other states."""

    axes: tuple[Axis, ...]
    anchors: Anchors
    kept: FloatArray  # [anchor, node], float32

    def __post_init__(self) -> None:
        shape = (len(self.anchors.states), grid_size(self.axes))
        check_array("values", self.kept, np.float32, shape, most=LARGEST_VALUE)

    @property
    def byte_count(self) -> int:
        """Size in bytes of the values to store."""
        return int(self.kept.nbytes)

    @cached_property
    def _table(self) -> FloatArray:
        return self.anchors.expand(self.kept)

    def table(self) -> FloatArray:
        """Return all values [state, node], float32."""
        return self._table
