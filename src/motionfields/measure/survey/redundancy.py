"""Redundancy: takes that are nearly the same, exact loops, and the share of the set that repeats itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.field.database.duplicates import near_duplicates
from motionfields.measure.survey.reaching import Links
from motionfields.measure.survey.statements import Statement
from motionfields.measure.survey.tracks import Tracks, take_name, take_numbers

SAME = 0.05  # share of the median distance between consecutive frames below which two moments are the same
LEAST_REPEATED = 0.1  # share of the set that is worth mentioning
LOOPED = 0.5  # share of a take that must come again exactly


def duplicate_takes(features: FloatArray, tracks: Tracks) -> list[Statement]:
    """Return the pairs of takes that are nearly the same motion, from the `features` [state, dimension]."""
    found: dict[tuple[str, str], Statement] = {}
    for first, second in near_duplicates(features, tracks.starts):
        takes = take_name(tracks.names[first]), take_name(tracks.names[second])
        if takes[0] == takes[1] or takes in found or takes[::-1] in found:
            continue
        text = f"{takes[0]} and {takes[1]} are nearly the same motion."
        found[takes] = Statement("duplicate-take", text, takes[0], 0, other_take=takes[1], other_frame=0)
    return list(found.values())


def looped_takes(features: FloatArray, links: Links, tracks: Tracks) -> Iterator[Statement]:
    """Yield the takes in which at least half of the frames occur more than once, exactly."""
    clip_of, seen = tracks.clip_of, set()
    same = (links.states >= 0) & (links.distances < SAME * _median_step(features, tracks))
    same &= clip_of[links.states] == clip_of[:, np.newaxis]
    again = np.asarray(same.any(axis=1))
    for clip, (first, end) in enumerate(zip(tracks.starts[:-1], tracks.starts[1:], strict=True)):
        take = take_name(tracks.names[clip])
        share = float(again[first:end].mean())
        if take in seen or share < LOOPED:
            continue
        seen.add(take)
        state = int(first + again[first:end].argmax())
        period = abs(int(links.states[state, same[state].argmax()]) - state) * tracks.frame_time
        text = f"{take} repeats exactly after {period:.1f} s: {100.0 * share:.0f} % of its frames occur more than once."
        yield Statement("looped-take", text, take, state - int(first), share)


def _median_step(features: FloatArray, tracks: Tracks) -> float:
    """Return the median distance from one frame to the next."""
    clip_of = tracks.clip_of
    return float(np.median(np.linalg.norm(np.diff(features, axis=0), axis=-1)[clip_of[1:] == clip_of[:-1]]))


def repeated(features: FloatArray, links: Links, tracks: Tracks) -> FloatArray:
    """Return the share [take] of each take's frames that another take shows too, less than a usual frame's step away.

    Takes are in the order of their names in `tracks`, mirror images left out.
    """
    take_of = take_numbers(tracks)[tracks.clip_of]
    near = (links.states >= 0) & (links.distances < _median_step(features, tracks))
    shown = (near & (take_of[links.states] != take_of[:, np.newaxis])).any(axis=1)
    return np.asarray(np.bincount(take_of, weights=shown) / np.bincount(take_of))


def repeated_statements(shares: FloatArray, lengths: IntArray) -> Iterator[Statement]:
    """Yield a statement about the share of the set that is repeated, given `shares` and `lengths` [take]."""
    share = float((shares * lengths).sum() / lengths.sum())
    if share < LEAST_REPEATED:
        return
    text = f"{100.0 * share:.0f} % of the frames also occur in another take, closer than one frame is to the next."
    yield Statement("repeated-share", text, value=share)
