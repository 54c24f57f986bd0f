"""Pruning takes out what is shown twice, and leaves the rest as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.field import MotionField
from motionfields.field.connectivity import LOOKED_AT, SAME_MOMENT
from motionfields.field.database import MotionDatabase
from motionfields.field.database.saving import STATE_ARRAYS
from motionfields.field.pruning import _keep_clips, kept_states, prune
from motionfields.motion.samples import generate_samples

SHORTEST = 15  # states in half a second


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    names = ("walk_forward", "walk_fast", "turn_left_090_quick", "turn_left_180_quick")
    return MotionDatabase.build([sample.clip for sample in generate_samples(only=names)])


def twice(database: MotionDatabase) -> MotionDatabase:
    """`database` with every clip there a second time."""
    arrays: dict[str, Any] = {name: np.concatenate([getattr(database, name)] * 2) for name in STATE_ARRAYS}
    starts = np.concatenate([database.clip_starts[:-1], database.clip_starts + database.state_count])
    names = database.clip_names + tuple(f"{name}.again" for name in database.clip_names)
    return replace(database, **arrays, clip_starts=starts, clip_names=names)


def plain_keep(features: FloatArray, clip_starts: IntArray, reach: float) -> BoolArray:
    """Return which states are kept, by brute force, clip by clip."""
    keep = np.zeros(len(features), np.bool_)
    clip_of = np.repeat(np.arange(len(clip_starts) - 1), np.diff(clip_starts))
    rows = np.arange(len(features))
    goes_on = np.setdiff1d(rows, clip_starts[1:] - 1)

    def is_shown(state: int) -> bool:
        gaps = np.sqrt(((features - features[state]).astype(np.float64) ** 2).sum(axis=1))
        near = goes_on[np.argsort(gaps[goes_on], kind="stable")][:LOOKED_AT]
        other = (clip_of[near] != clip_of[state]) | (np.abs(near - state) > SAME_MOMENT)
        return bool((keep[near] & keep[near + 1] & other & (gaps[near] <= reach)).any())

    for first, end in zip(clip_starts[:-1].tolist(), clip_starts[1:].tolist(), strict=True):
        state, piece = first, first
        while state < end:
            run = state
            if state == first or state - piece >= SHORTEST:
                while run < end and is_shown(run):
                    run += 1
            whole = (state, run) == (first, end)
            if run - state >= SHORTEST or whole:
                if run < end <= run + SHORTEST:
                    begin = end - SHORTEST if end - SHORTEST - state >= SHORTEST else state
                    keep[begin:end] = True
                    run = end
                state = piece = run
            else:
                # A run that is too short is kept for good, with the state that ended it.
                keep[state : run + 1] = True
                state = min(run + 1, end)
    return keep


def test_what_is_there_twice_is_cut_once(database: MotionDatabase) -> None:
    pruned, report = prune(twice(database), reach=0.5)
    assert report.spacing == 0.0
    assert report.states_before == 2 * database.state_count
    assert pruned.clip_names[: database.clip_count] == database.clip_names
    # Only the ends are left: nothing that is kept goes on from the last state of a clip.
    assert report.states_after < 1.1 * database.state_count
    for name in STATE_ARRAYS:
        np.testing.assert_array_equal(getattr(pruned, name)[: database.state_count], getattr(database, name))


@pytest.mark.parametrize("reach", [1.0, 1.2, 2.0])
def test_what_is_kept_is_what_plain_search_keeps(database: MotionDatabase, reach: float) -> None:
    pruned, report = prune(database, reach=reach)
    keep = plain_keep(database.features, database.clip_starts, reach * report.spacing)
    expected = kept_states(database, keep)
    assert pruned.clip_names == expected.clip_names
    np.testing.assert_array_equal(pruned.clip_starts, expected.clip_starts)
    assert 0.0 < report.share_cut < 1.0


def test_what_remains_is_bit_for_bit_as_before(database: MotionDatabase) -> None:
    pruned, report = prune(database, reach=1.5)
    starts = dict(zip(database.clip_names, database.clip_starts[:-1].tolist(), strict=True))
    for clip, name in enumerate(pruned.clip_names):
        source, _, offset = name.partition("@")
        first, end = pruned.clip_starts[clip], pruned.clip_starts[clip + 1]
        begin = starts[source] + int(offset or 0)
        for array in STATE_ARRAYS:
            before, after = getattr(database, array), getattr(pruned, array)
            np.testing.assert_array_equal(after[first:end], before[begin : begin + end - first])
    assert (pruned.state_count, pruned.clip_count) == (report.states_after, report.clips_after)
    assert pruned.report.state_count == pruned.state_count
    assert pruned.report.seconds == pytest.approx(pruned.state_count * pruned.frame_time)


def test_every_cut_state_has_a_kept_one_near_it_that_goes_on(database: MotionDatabase) -> None:
    pruned, report = prune(database, reach=1.5)
    goes_on = pruned.features[pruned.frames_left >= 1]
    kept = {feature.tobytes() for feature in pruned.features}
    cut = [feature for feature in database.features if feature.tobytes() not in kept]
    assert len(cut) == report.states_before - report.states_after
    gaps = [np.linalg.norm(goes_on - feature, axis=1).min() for feature in cut]
    assert max(gaps) <= 1.5 * report.spacing * (1.0 + 1e-5)


def test_pieces_and_cuts_are_half_a_second_and_more(database: MotionDatabase) -> None:
    pruned, _ = prune(database, reach=1.5)
    lengths = np.diff(pruned.clip_starts)
    assert lengths.min() >= min(SHORTEST, np.diff(database.clip_starts).min())
    assert any("@" in name for name in pruned.clip_names)


def test_a_pruned_database_is_a_field(database: MotionDatabase) -> None:
    field = MotionField(prune(database, reach=1.5)[0])
    assert field.connectivity.core.mean() > 0.9
    assert len(field.synthesize(field.start(2), 1.0).poses.root_position[0]) == 30


def test_a_smaller_reach_keeps_more(database: MotionDatabase) -> None:
    counts = [prune(database, reach=reach)[0].state_count for reach in (1e-6, 1.0, 1.5, 3.0)]
    assert counts[0] == database.state_count
    assert counts == sorted(counts, reverse=True)


def test_a_cut_worked_by_hand() -> None:
    """Clip 0 is 40 states that stay. Clip 1 shows it in its states 20 to 39, and 45 to 49 more, which are too few."""
    keep = np.zeros(90, np.bool_)
    near = np.full((90, 1), -1, np.int32)
    distances = np.full((90, 1), np.inf, np.float32)
    near[60:80, 0] = np.arange(5, 25)
    near[85:, 0] = np.arange(25, 30)
    distances[near >= 0] = 1.0
    _keep_clips(near, distances, np.array([0, 40, 90]), 1.0, 8, keep)
    np.testing.assert_array_equal(np.flatnonzero(~keep), np.arange(60, 80))


def test_a_clip_does_not_end_on_a_crumb() -> None:
    """Clip 1 is shown in its states 0 to 26 of 30: the last 3 take back 5 of them."""
    keep = np.zeros(70, np.bool_)
    near = np.full((70, 1), -1, np.int32)
    distances = np.full((70, 1), np.inf, np.float32)
    near[40:67, 0] = np.arange(5, 32)
    distances[near >= 0] = 1.0
    _keep_clips(near, distances, np.array([0, 40, 70]), 1.0, 8, keep)
    np.testing.assert_array_equal(np.flatnonzero(~keep), np.arange(40, 62))


@pytest.mark.parametrize("reach", [0.0, -1.0, float("nan")])
def test_a_reach_that_makes_no_sense_is_refused(database: MotionDatabase, reach: float) -> None:
    with pytest.raises(ValueError, match="reach: expected a positive number"):
        prune(database, reach=reach)


def test_something_must_be_kept(database: MotionDatabase) -> None:
    with pytest.raises(ValueError, match="keep: expected at least one state"):
        kept_states(database, np.zeros(database.state_count, np.bool_))
