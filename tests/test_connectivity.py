from __future__ import annotations

import numpy as np
import pytest

from motionfields.connectivity import _core, _spacing, find_connectivity
from motionfields.database import MotionDatabase
from motionfields.neighbors import ExactIndex
from motionfields.samples import generate_samples


def test_the_core_is_what_can_reach_itself_again() -> None:
    """Clip 0 is states 0 to 3, clip 1 is 4 to 6. One can change from 3 back to 0, and from 1 to 5, but not back."""
    frames_left = np.array([3, 2, 1, 0, 2, 1, 0])
    near = np.zeros((7, 1), np.int64)
    change = np.zeros((7, 1), np.bool_)
    near[3], change[3] = 0, True
    near[1], change[1] = 5, True
    np.testing.assert_array_equal(_core(frames_left, near, change), [True] * 4 + [False] * 3)
    near[6], change[6] = 2, True
    np.testing.assert_array_equal(_core(frames_left, near, change), [True] * 4 + [False, True, True])


def test_spacing_leaves_out_the_same_moment() -> None:
    distances = np.array([[0.1, 0.2, 0.3], [0.1, 0.4, 0.5]])
    other = np.array([[False, True, True], [False, False, False]])
    assert _spacing(distances, other).median == pytest.approx(0.5 * (0.2 + 0.5))


def test_generated_clips_hang_together() -> None:
    database = MotionDatabase.build([sample.clip for sample in generate_samples()[9:21]])
    rows = np.flatnonzero(database.frames_left >= 45)
    spacing, core = find_connectivity(database, ExactIndex(database.features[rows]), rows)
    assert 0.0 < spacing.median < spacing.p95
    assert core.mean() > 0.95
