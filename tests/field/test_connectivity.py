from __future__ import annotations

import re

import numpy as np
import pytest

from motionfields.field.connectivity import _core, _nearest_other, find_connectivity
from motionfields.field.database import MotionDatabase
from motionfields.field.neighbors import ExactIndex
from motionfields.motion.samples import generate_samples


def test_the_core_is_what_can_reach_itself_again() -> None:
    """Clip 0 is states 0 to 3, clip 1 is 4 to 6. One can change from 3 back to 0, and from 1 to 5, but not back."""
    frames_left = np.array([3, 2, 1, 0, 2, 1, 0])
    changes = np.full((7, 1), -1, np.int32)
    changes[3], changes[1] = 0, 5
    np.testing.assert_array_equal(_core(frames_left, changes), [True] * 4 + [False] * 3)
    changes[6] = 2
    np.testing.assert_array_equal(_core(frames_left, changes), [True] * 4 + [False, True, True])


def test_the_nearest_leaves_out_the_same_moment() -> None:
    distances = np.array([[0.1, 0.2, 0.3], [0.1, 0.4, 0.5]])
    other = np.array([[False, True, True], [False, False, False]])
    np.testing.assert_array_equal(_nearest_other(distances, other), [0.2, 0.5])


def test_generated_clips_hang_together() -> None:
    database = MotionDatabase.build(
        [sample.clip for sample in generate_samples(only=re.compile("turn_(left|right)_0(15|30|45)_(gentle|quick)"))]
    )
    rows = np.flatnonzero(database.frames_left >= 45)
    spacing, core, recall = find_connectivity(database, ExactIndex(database.features[rows]), rows)
    assert 0.0 < spacing.median < spacing.p95
    assert core.mean() > 0.95
    assert recall == 1.0


def test_a_search_in_parts_is_the_search_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    database = MotionDatabase.build(
        [sample.clip for sample in generate_samples(only=re.compile("walk_(forward|slow|fast|speed_up|slow_down)"))]
    )
    rows = np.flatnonzero(database.frames_left >= 1)
    index = ExactIndex(database.features[rows])
    spacing, core, recall = find_connectivity(database, index, rows)
    monkeypatch.setattr("motionfields.field.connectivity.ROWS_AT_ONCE", 100)
    again = find_connectivity(database, index, rows)
    assert (again.spacing, again.recall) == (spacing, recall)
    np.testing.assert_array_equal(again.core, core)


def test_the_first_state_counts_as_a_neighbour() -> None:
    """Three states of three clips, of which the first state of the database is the nearest to another."""
    database = MotionDatabase.build(
        [sample.clip for sample in generate_samples(only=["walk_forward", "walk_slow", "walk_fast"])]
    )
    states = database.clip_starts[[0, 3, 4]]
    gaps = np.linalg.norm(database.features[states, np.newaxis] - database.features[states], axis=-1)
    np.fill_diagonal(gaps, np.inf)
    assert 0 in gaps.argmin(axis=1)[1:]
    spacing = find_connectivity(database, ExactIndex(database.features[states]), states).spacing
    np.testing.assert_allclose(spacing, [np.median(gaps.min(axis=1)), np.percentile(gaps.min(axis=1), 95.0)], rtol=1e-5)


def test_takes_of_the_same_motion_are_half_a_frame_step_apart() -> None:
    """Each state has an equal one in the other take; half the median distance between frames is the lower bound."""
    clip = generate_samples(only=["turn_left_015_gentle"])[0].clip
    database = MotionDatabase.build([clip, clip], mirror=False)
    states = np.arange(database.state_count)
    going_on = states[database.frames_left >= 1]
    steps = [np.linalg.norm(database.features[state + 1] - database.features[state]) for state in going_on]
    spacing = find_connectivity(database, ExactIndex(database.features), states).spacing
    np.testing.assert_allclose(spacing, 0.5 * np.median(steps), rtol=1e-5)
