"""Interpretation of position channels below the root for bones of constant length."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.wording import counted
from motionfields.motion.formats._bvh_header import Hierarchy

STRETCH_TOLERANCE: Final = 1e-3
"""Deviation of a joint's position channels above which a note reports it, as a share of the largest offset."""

_BLOCK_VALUES: Final = 1_000_000  # values per block; keeps copies small compared with the rows


class _Moves(NamedTuple):
    """One entry per position channel below the root."""

    joints: IntArray
    axes: IntArray
    columns: IntArray


class _Ranges(NamedTuple):
    """Minimum, median and maximum of each of some columns."""

    lowest: FloatArray
    median: FloatArray
    highest: FloatArray


def joint_offsets(values: FloatArray, hierarchy: Hierarchy) -> tuple[FloatArray, tuple[str, ...]]:
    """Return offsets [joint, 3] in the file's unit for rows `values` [frame, column], and notes for the user.

    Position channels replace OFFSET. Bones have a constant length here, so the median over all frames is used. Channels
    that are 0 throughout while OFFSET is not come from writers that leave the bone to OFFSET; there OFFSET stays.
    """
    offsets = np.array(hierarchy.offsets)
    moves = _moves_below_root(hierarchy)
    if not len(values) or not len(moves.columns):
        return offsets, ()
    ranges = _column_ranges(values, moves.columns)
    sizes = (offsets[1:], np.array(hierarchy.tip_offsets), ranges.median)
    tolerance = STRETCH_TOLERANCE * max(float(np.abs(size).max(initial=0.0)) for size in sizes)
    zero = _left_to_offset(moves, ranges, offsets, tolerance=tolerance)
    taken = ~zero[moves.joints]
    offsets[moves.joints[taken], moves.axes[taken]] = ranges.median[taken]
    strays = np.maximum(ranges.highest - ranges.median, ranges.median - ranges.lowest) * taken
    notes = _stretch_notes(moves, strays, hierarchy, tolerance=tolerance)
    if zero.any():
        notes += (f"position channels of {counted(zero.sum(), 'joint')} are 0 throughout; OFFSET is used",)
    return offsets, notes


def _moves_below_root(hierarchy: Hierarchy) -> _Moves:
    entries = [
        (joint, channel.axis, channel.column)
        for joint in range(1, len(hierarchy.names))
        for channel in hierarchy.channels_of(joint, "POSITION")
    ]
    return _Moves(*np.array(entries, np.int64).reshape(-1, 3).T)


def _column_ranges(values: FloatArray, columns: IntArray) -> _Ranges:
    ranges = np.empty((3, len(columns)))
    width = max(1, _BLOCK_VALUES // len(values))
    for start in range(0, len(columns), width):
        block = values[:, columns[start : start + width]]
        ranges[:, start : start + width] = block.min(axis=0), np.median(block, axis=0), block.max(axis=0)
    return _Ranges(*ranges)


def _left_to_offset(moves: _Moves, ranges: _Ranges, offsets: FloatArray, *, tolerance: float) -> BoolArray:
    """Return which joints [joint] have position channels of 0 throughout while OFFSET is not 0 along their axes."""
    farthest_move, farthest_offset = np.zeros(len(offsets)), np.zeros(len(offsets))
    np.maximum.at(farthest_move, moves.joints, np.maximum(np.abs(ranges.lowest), np.abs(ranges.highest)))
    np.maximum.at(farthest_offset, moves.joints, np.abs(offsets[moves.joints, moves.axes]))
    return (farthest_move <= tolerance) & (tolerance < farthest_offset)


def _stretch_notes(moves: _Moves, strays: FloatArray, hierarchy: Hierarchy, *, tolerance: float) -> tuple[str, ...]:
    stretched = np.unique(moves.joints[strays > tolerance])
    if not len(stretched):
        return ()
    worst = int(np.argmax(strays))
    return (
        f"bones of {counted(len(stretched), 'joint')} change length by up to "
        f"{counted(strays[worst], 'unit', spec='.3g')} "
        f"(joint {hierarchy.names[moves.joints[worst]]!r}); the median over all frames is used instead",
    )
