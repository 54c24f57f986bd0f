"""Contact votes, without the part of scipy that is slow to import."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import convolve1d

from motionfields.motion.planting.votes import VOTE_SPREAD, votes_from_contacts


@pytest.mark.parametrize("frame_rate", [5.0, 30.0, 60.0, 120.0])
@pytest.mark.parametrize("frame_count", [1, 3, 200])
def test_votes_have_the_bits_of_scipy(frame_rate: float, frame_count: int, rng: np.random.Generator) -> None:
    contacts = np.repeat(rng.random((frame_count, 2)) < 0.5, 3, axis=0)[:frame_count]
    window = np.hanning(2 * round(0.5 * VOTE_SPREAD * frame_rate) + 3)[1:-1]
    expected = convolve1d(contacts.astype(np.float64), window / window.sum(), axis=0, mode="nearest")
    np.testing.assert_array_equal(votes_from_contacts(contacts, 1.0 / frame_rate), expected)
