"""The captured clips behind the clips of a database."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.field import MotionField
from motionfields.field.database.takes import takes_of
from motionfields.field.pruning import kept_states
from tests.control.training.small import small_field


@pytest.fixture(scope="module")
def field() -> MotionField:
    return small_field()


def test_a_clip_and_its_mirror_image_are_one_take(field: MotionField) -> None:
    database, found = field.database, takes_of(field.database)
    starts = dict(zip(database.clip_names, database.clip_starts.tolist(), strict=False))
    for name, start in starts.items():
        if not name.endswith(".mirror"):
            count = int(database.frames_left[start]) + 1
            np.testing.assert_array_equal(found[start : start + count], found[starts[f"{name}.mirror"]])
    assert len(np.unique(found)) == database.clip_count // 2


def test_takes_of_a_pruned_database_are_those_of_the_whole(field: MotionField) -> None:
    whole = field.database
    keep = np.random.default_rng(5).random(whole.state_count // 8 + 1) < 0.7
    keep = np.repeat(keep, 8)[: whole.state_count]
    pruned = kept_states(whole, keep)
    assert any("@" in name for name in pruned.clip_names)
    _, before = np.unique(takes_of(whole)[keep], return_inverse=True)
    _, after = np.unique(takes_of(pruned), return_inverse=True)
    np.testing.assert_array_equal(before[:, np.newaxis] == before, after[:, np.newaxis] == after)
