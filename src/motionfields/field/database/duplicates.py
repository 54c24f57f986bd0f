"""Detection of clips with nearly the same motion, which crowd out other neighbours and add nothing."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.field.neighbors import BoundedIndex

SAMPLE_STEP = 15  # frames between the states compared
SAME_SHARE = 0.2  # states closer than this share of the median step between consecutive states are the same moment
COVERED = 0.9  # share of a clip's moments that the other clip must contain
ROWS_AT_ONCE = 1 << 16  # states measured at a time
LOOKED_AT = 16  # nearest states searched for copies of a moment


def near_duplicates(features: FloatArray, clip_starts: IntArray) -> list[tuple[int, int]]:
    """Return pairs of clips (a, b), a < b, where the longer contains nearly every moment of the shorter.

    `features` [state, dimension] are those of all clips, one after the other; `clip_starts` is [clip + 1].
    """
    lengths = np.diff(clip_starts)
    clip_of = np.repeat(np.arange(len(lengths)), lengths)
    steps = _step_lengths(features)[clip_of[1:] == clip_of[:-1]]
    place = np.arange(len(features)) - clip_starts[clip_of]
    states = np.flatnonzero(place % SAMPLE_STEP == 0)
    found = BoundedIndex(features).search(features[states], min(LOOKED_AT, len(features)))
    same = found.distances < SAME_SHARE * np.median(steps)
    own, other = np.broadcast_to(clip_of[states][:, np.newaxis], same.shape)[same], clip_of[found.indices][same]
    moment = np.broadcast_to(np.arange(len(states))[:, np.newaxis], same.shape)[same]
    seen = np.unique(np.stack([own, other, moment]), axis=1)[:2]
    pairs, hits = np.unique(seen, axis=1, return_counts=True)
    moments = -(-lengths // SAMPLE_STEP)
    return sorted(
        {
            (min(a, b), max(a, b))
            for (a, b), count in zip(pairs.T.tolist(), hits.tolist(), strict=True)
            if a != b and lengths[b] >= lengths[a] and count >= COVERED * moments[a]
        }
    )


def _step_lengths(features: FloatArray) -> FloatArray:
    """Return the distances [state - 1] between consecutive states, computed in parts to save memory."""
    parts = [features[start : start + ROWS_AT_ONCE + 1] for start in range(0, len(features) - 1, ROWS_AT_ONCE)]
    return np.concatenate([np.linalg.norm(np.diff(part, axis=0), axis=-1) for part in parts or [features[:1]]])
