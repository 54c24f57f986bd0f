"""Clips of one step, cut from the data in the middle of single-foot stances."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, IntArray
from motionfields.field.database import MotionDatabase

LEFT, RIGHT, BOTH = 0, 1, 2  # the standing foot at a cut
SHORTEST = 0.2  # seconds, minimum length of a clip
LONGEST_STAND = 0.6  # seconds; a longer stance on both feet is cut into parts


class StepClips(NamedTuple):
    """Clips of one step each: from the middle of one foot's stance to the middle of the next.

    A clip is played from its state `start`; when it reaches its state `end`, the next clip begins.
    """

    start: IntArray  # [clip], database states
    end: IntArray  # [clip], later states of the same take
    foot: IntArray  # [clip], the standing foot at the start: 0 left, 1 right, 2 both
    end_foot: IntArray  # [clip], the standing foot at the end

    @property
    def length(self) -> IntArray:
        """Length [clip] of each clip in frames."""
        return np.asarray(self.end - self.start)

    @property
    def half(self) -> IntArray:
        """Length [clip] in frames of the first half of each clip, in which it may be warped."""
        return np.maximum(self.length // 2, 1)

    def follows(self) -> BoolArray:
        """Return which clips may follow which [clip, next clip]: the next must begin on the foot that a clip ends on.

        A clip that begins or ends on both feet fits any other.
        """
        ends, starts = self.end_foot[:, np.newaxis], self.foot[np.newaxis]
        return np.asarray((ends == starts) | (ends == BOTH) | (starts == BOTH))

    def at(self, state_count: int) -> IntArray:
        """Return the clip that each state [state] is in, end state excluded; -1 for none."""
        found = np.full(state_count, -1, np.int64)
        for clip, (start, end) in enumerate(zip(self.start.tolist(), self.end.tolist(), strict=True)):
            found[start:end] = clip
        return found


def cut_steps(database: MotionDatabase, *, standing: bool = False) -> StepClips:
    """Return the clips of one step of all takes of `database`, by its contact labels.

    Cuts are in the middle of every interval in which one foot stands alone. Frames before a take's first cut and after
    its last one are in no clip. Long stances on both feet are in no clip either, unless `standing` is set: they are cut
    at even intervals, and their parts are clips too.
    """
    least, most = (round(seconds / database.frame_time) for seconds in (SHORTEST, LONGEST_STAND))
    clips: list[tuple[int, int, int, int]] = []
    for first, end in pairwise(database.clip_starts.tolist()):
        cuts = [(first + frame, foot) for frame, foot in _cuts(database.contacts[first:end], most)]
        kept = cuts[:1]
        for cut in cuts[1:]:
            if cut[0] - kept[-1][0] >= least:
                kept.append(cut)
        clips += [(start, stop, foot, end_foot) for (start, foot), (stop, end_foot) in pairwise(kept)]
    table = np.array(clips, dtype=np.int64).reshape(-1, 4)
    if not standing:
        table = table[(table[:, 2:] != BOTH).all(axis=1)]
    return StepClips(*(np.ascontiguousarray(column) for column in table.T))


def _cuts(contacts: BoolArray, longest: int) -> list[tuple[int, int]]:
    """Return the frames at which one take [frame, 2] is cut, rising, and the standing foot at each."""
    stance = contacts[:, 0] + 2 * contacts[:, 1].astype(np.int64)
    edges = np.concatenate([[0], np.flatnonzero(np.diff(stance)) + 1, [len(stance)]])
    cuts: list[tuple[int, int]] = []
    for start, end in pairwise(edges.tolist()):
        if stance[start] in (1, 2):
            cuts.append(((start + end) // 2, LEFT if stance[start] == 1 else RIGHT))
        elif stance[start] == 3 and end - start > longest:
            parts = (end - start) // (longest // 2)
            cuts += [(start + (end - start) * part // parts, BOTH) for part in range(1, parts)]
    return cuts
