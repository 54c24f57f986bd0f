from __future__ import annotations

import re

import numpy as np
import pytest

from motionfields.control.methods.graph.cutting import BOTH, StepClips, _cuts, cut_steps
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples


@pytest.fixture(scope="module")
def clips(field: MotionField) -> StepClips:
    return cut_steps(field.database)


def test_cuts_are_in_the_middle_of_single_stances_and_at_even_times_of_long_stands() -> None:
    """Left alone for 5 frames, both for 3, right alone for 4, both for 12, by hand."""
    left = np.repeat([True, True, False, True], [5, 3, 4, 12])
    right = np.repeat([False, True, True, True], [5, 3, 4, 12])
    contacts = np.stack([left, right], axis=-1)
    assert _cuts(contacts, 20) == [(2, 0), (10, 1)]
    assert _cuts(contacts, 8) == [(2, 0), (10, 1), (16, 2), (20, 2)]


def test_a_clip_goes_from_one_stance_to_the_next_of_the_same_take(field: MotionField, clips: StepClips) -> None:
    database = field.database
    assert len(clips.start) > 50
    np.testing.assert_array_equal(database.clip_of[clips.start], database.clip_of[clips.end])
    alone = database.contacts[clips.start]
    np.testing.assert_array_equal(alone[np.arange(len(alone)), clips.foot], True)
    np.testing.assert_array_equal(alone[np.arange(len(alone)), 1 - clips.foot], False)
    walking = clips.foot != clips.end_foot
    assert walking.mean() > 0.9
    assert 0.3 < np.median(clips.length) * database.frame_time < 0.9


def test_clips_of_a_take_come_one_after_the_other(clips: StepClips) -> None:
    goes_on = clips.end[:-1] == clips.start[1:]
    assert goes_on.mean() > 0.8
    assert clips.follows()[np.flatnonzero(goes_on), np.flatnonzero(goes_on) + 1].all()


def test_a_mirrored_take_has_the_same_cuts_on_the_other_foot(field: MotionField, clips: StepClips) -> None:
    database = field.database
    name = next(name for name in database.clip_names if not name.endswith(".mirror"))
    cuts = []
    for take in (name, f"{name}.mirror"):
        number = database.clip_names.index(take)
        mine = database.clip_of[clips.start] == number
        cuts.append((clips.start[mine] - database.clip_starts[number], clips.foot[mine]))
    np.testing.assert_array_equal(cuts[0][0], cuts[1][0])
    np.testing.assert_array_equal(cuts[0][1], 1 - cuts[1][1])


def test_states_know_their_clip(field: MotionField, clips: StepClips) -> None:
    at = clips.at(field.database.state_count)
    for clip in (0, 7, len(clips.start) - 1):
        np.testing.assert_array_equal(at[clips.start[clip] : clips.end[clip]], clip)


def test_standing_is_cut_only_when_asked_for() -> None:
    database = MotionDatabase.build(s.clip for s in generate_samples(only=re.compile("walk_stop")))
    assert not (cut_steps(database).foot == BOTH).any()
    stands = cut_steps(database, standing=True)
    both = (stands.foot == BOTH) & (stands.end_foot == BOTH)
    assert both.any()
    assert (stands.length[both] * database.frame_time < 0.7).all()
