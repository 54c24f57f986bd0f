"""Selected takes do as well as many, predictions agree with what is gained, and the smaller field is usable."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.transitions import BLOCKED, ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey.selection import Selection, _gains, predicted_gains, select_takes
from motionfields.measure.survey.subsets import TakeTables
from motionfields.motion.clip import trim

from .conftest import clip_called

NAMES = ("walk_stop", "stand_idle", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_180_quick")


@pytest.fixture(scope="module")
def tables() -> TakeTables:
    field = MotionField(MotionDatabase.build([trim(clip_called(name), 0, 120) for name in NAMES]))
    return TakeTables.of(field, settings=ControlSettings(neighbor_count=10))


def test_takes_that_turn_come_first_and_all_are_selected_if_more_are_asked_for(tables: TakeTables) -> None:
    found = select_takes(tables.field, 9, tables=tables)
    first, second, *_ = found.steps
    assert {first.take, second.take} <= {"turn_left_045_gentle", "turn_left_090_quick", "turn_left_180_quick"}
    assert np.isnan(first.predicted)
    assert second.predicted > 0.0
    assert first.share < second.share
    assert found.kept.all()
    assert found.steps[-1].share == pytest.approx(1.0)
    with pytest.raises(ValueError, match="count"):
        select_takes(tables.field, 0, tables=tables)


def test_the_smaller_field_holds_the_states_of_the_selected_takes_unchanged(tables: TakeTables) -> None:
    kept = np.array([False, False, True, False, True])
    small = Selection((), kept, tables).field().database
    assert {name.removesuffix(".mirror") for name in small.clip_names} == {NAMES[2], NAMES[4]}
    states = np.flatnonzero(kept[tables.take_of])
    np.testing.assert_array_equal(small.features, tables.field.database.features[states])


def test_predicted_gains_agree_with_what_is_gained(tables: TakeTables) -> None:
    kept = np.array([True, False, False, False, False])
    predicted = predicted_gains(tables, kept)
    assert np.isnan(predicted[0])
    before = tables.performance(kept).reward
    gained = [tables.performance(kept | (np.arange(5) == take)).reward - before for take in range(1, 5)]
    assert np.corrcoef(predicted[1:], gained)[0, 1] > 0.8
    assert predicted[1] < 0.2 * predicted[1:].max()  # standing does not help to turn


def test_only_states_with_a_way_into_the_new_take_gain_and_none_loses(tables: TakeTables) -> None:
    kept = np.array([True, True, False, True, True])
    current, both = tables.without(kept), tables.unsolved(np.ones(5, np.bool_))
    assert current is not None
    assert both is not None
    new = tables.take_of[both.states] == 2
    gains = _gains(both, new, current.values, tables)
    assert gains.shape == current.values.shape
    leads_there = (new[both.actions.targets] & (both.actions.charges < BLOCKED)).any(axis=1)[~new]
    assert not leads_there.all()
    assert gains[~leads_there].max() == 0.0
    assert gains.min() == 0.0
    assert gains.max() > 0.0
