"""Contact votes: the confidence that a foot is in contact, between 0 and 1."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.checks import checked_number

VOTE_SPREAD = 0.13  # seconds in which a vote rises from 0 to 1 around the start of a contact
LONGEST_REACH = 10_000  # frames on either side over which votes are averaged


def votes_from_contacts(contacts: BoolArray, frame_time: float, *, spread: float = VOTE_SPREAD) -> FloatArray:
    """Return votes [frame, 2] that rise and fall over `spread` seconds around the edges of `contacts` [frame, 2].

    Votes are at least 0.5 exactly in the contact frames (for contacts and gaps that last at least `spread`), like the
    share of a state's neighbours that are in contact.
    """
    labels = np.asarray(contacts, dtype=np.float64)
    if labels.ndim != 2 or labels.shape[1] != 2:
        raise ValueError(f"contacts: expected [frame, 2], got {labels.shape}")
    spread, frame_time = checked_number("spread", spread, 0.0), checked_number("frame_time", frame_time, 1e-6)
    reach = round(0.5 * spread / frame_time)
    if reach > LONGEST_REACH:
        raise ValueError(f"spread: expected at most {2 * LONGEST_REACH} frames, got {spread:g} s at {frame_time:g} s")
    window = np.hanning(2 * reach + 3)[1:-1]
    return _smoothed(labels, window / window.sum())


def _smoothed(track: FloatArray, window: FloatArray) -> FloatArray:
    """Return `track` [frame, 2] averaged under the symmetric `window` [2 * reach + 1]; its ends continue as they are.

    The sums run in the order of scipy.ndimage.convolve1d, which gives the same bits and takes a second to import.
    """
    reach, count = len(window) // 2, len(track)
    longer = np.pad(track, ((reach, reach), (0, 0)), mode="edge")
    total = longer[reach : reach + count] * window[reach]
    for off in range(reach, 0, -1):
        total += (longer[reach - off :][:count] + longer[reach + off :][:count]) * window[reach - off]
    return np.asarray(total)
