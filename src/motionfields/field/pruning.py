"""Pruning: removal of redundant motion, stretches that nearly repeat an earlier part of the database.

The states that remain are unchanged, bit for bit. Clips only become shorter, are split, or are removed.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel
from motionfields.base.runs import true_runs
from motionfields.base.wording import counted
from motionfields.field.connectivity import other_moments
from motionfields.field.database import MotionDatabase
from motionfields.field.database.saving import STATE_ARRAYS
from motionfields.field.neighbors import Search, make_index

SHORTEST_RUN = 0.5  # seconds: shortest stretch that is cut, and shortest piece of a clip left between two cuts


class PruneReport(NamedTuple):
    """Counts of states and clips before and after pruning."""

    reach: float  # in multiples of the spacing
    spacing: float  # median distance of a state to its nearest other moment, before pruning
    states_before: int
    states_after: int
    clips_before: int
    clips_after: int

    @property
    def share_cut(self) -> float:
        """Share of the states that were cut."""
        return 1.0 - self.states_after / self.states_before

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        return [
            f"pruned within {self.reach:g} times the spacing of {self.spacing:.3g}: "
            f"{counted(self.states_before, 'state')} in {counted(self.clips_before, 'clip')} reduced to "
            f"{counted(self.states_after, 'state')} in {counted(self.clips_after, 'clip')} "
            f"({100 * self.share_cut:.1f} % removed)"
        ]


def prune(database: MotionDatabase, *, reach: float, search: Search = "exact") -> tuple[MotionDatabase, PruneReport]:
    """Return `database` without stretches that nearly repeat a kept one, and a report of the cuts.

    A state is redundant if a kept state of another moment (see `SAME_MOMENT`) that has a kept next state lies within
    `reach` times the spacing of the data. Clips are processed in order, so the first occurrence of a motion is kept.
    Only runs of at least half a second are cut. The remaining pieces of a clip, each at least half a second long,
    become clips of their own: `walk@120` begins at state 120 of `walk`.

    `search` is that of `MotionField`. The shares of speeds and turns in the database's report still describe the
    database before pruning.
    """
    if not reach > 0.0:
        raise ValueError(f"reach: expected a positive number, got {reach}")
    goes_on = np.flatnonzero(database.frames_left >= 1)
    near, distances = other_moments(database, make_index(database.features[goes_on], search), goes_on)
    distances[near < 0] = np.inf
    nearest = distances.min(axis=1)[goes_on]
    spacing = float(np.median(nearest[np.isfinite(nearest)])) if np.isfinite(nearest).any() else 0.0
    keep = np.zeros(database.state_count, np.bool_)
    shortest = max(2, round(SHORTEST_RUN / database.frame_time))
    _keep_clips(near, distances, database.clip_starts, reach * spacing, shortest, keep)
    pruned = kept_states(database, keep)
    return pruned, PruneReport(
        reach, spacing, database.state_count, pruned.state_count, database.clip_count, pruned.clip_count
    )


def kept_states(database: MotionDatabase, keep: BoolArray) -> MotionDatabase:
    """Return `database` with only the states marked in `keep` [state]; each unbroken run of them is a clip."""
    starts, names = [0], []
    for name, (first, end) in zip(database.clip_names, pairwise(database.clip_starts.tolist()), strict=True):
        for begin, stop in true_runs(keep[first:end]):
            starts.append(starts[-1] + stop - begin)
            names.append(name if stop - begin == end - first else f"{name}@{begin}")
    if not names:
        raise ValueError("keep: expected at least one state, got none")
    arrays: dict[str, Any] = {array: getattr(database, array)[keep] for array in STATE_ARRAYS}
    left, right = arrays["contacts"].mean(axis=0).tolist()
    report = replace(
        database.report, state_count=starts[-1], seconds=starts[-1] * database.frame_time, contact_share=(left, right)
    )
    columns = {name: column[keep] for name, column in database.columns.items()}
    return replace(
        database, **arrays, columns=columns, clip_starts=np.array(starts), clip_names=tuple(names), report=report
    )


@kernel
def _keep_clips(
    near: IntArray, distances: FloatArray, clip_starts: IntArray, reach: float, shortest: int, keep: BoolArray
) -> None:
    """Set `keep` [state], initially False, for every state that is kept.

    A state counts as not kept until it is decided. So a state is only ever redundant to an earlier state that is kept
    for good, and no two states can each be cut because of the other.
    """
    for clip in range(len(clip_starts) - 1):
        first, end = clip_starts[clip], clip_starts[clip + 1]
        piece = first  # start of the piece being kept
        run = first - 1  # start of the run that may be cut; `first - 1` means none
        cut = first  # start of the last cut
        for state in range(first, end):
            # A cut may begin only at the clip's start or after a kept piece of at least `shortest` states; inside a run
            # it may always continue.
            long_enough = state == first or run >= first or state - piece >= shortest
            if long_enough and _is_shown(near[state], distances[state], reach, keep):
                if run < first:
                    run = state
                continue
            if run >= first:
                if state - run < shortest:
                    keep[run:state] = True
                else:
                    cut, piece = run, state
                run = first - 1
            keep[state] = True
        if run >= first:
            if end - run < shortest and run > first:
                keep[run:end] = True
        elif end - piece < shortest and piece > first:
            # The clip ends on a piece that is too short: extend it back into the cut before it.
            back = end - shortest
            keep[back if back - cut >= shortest else cut : piece] = True


@kernel
def _is_shown(near: IntArray, distances: FloatArray, reach: float, keep: BoolArray) -> bool:
    """Return whether a kept state within `reach` among `near` [k] has a next state that is also kept."""
    shown = False
    for j in range(len(near)):
        # Entries of -1 have an infinite distance and fail the first test.
        shown |= distances[j] <= reach and keep[near[j]] and keep[near[j] + 1]
    return shown
