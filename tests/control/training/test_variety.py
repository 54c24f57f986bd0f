"""Prices of captured clips: how often clips are shown, and training that keeps their shares small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import Progress, train
from motionfields.control.training.sweeps import TaskTable
from motionfields.control.training.variety import MOST_ROUNDS, RAISE, Prices, shown_shares, varied
from motionfields.field.database.takes import takes_of
from tests.control.training.small import SETTINGS, direction_controller, small_field

LARGEST = 0.5


@pytest.fixture(scope="module")
def priced() -> FieldController:
    return train(small_field(), Direction(), settings=SETTINGS, largest_share=LARGEST)


def test_no_clip_is_shown_for_longer_than_wanted(priced: FieldController) -> None:
    takes = takes_of(small_field().database)
    before, after = (shown_shares(one, takes) for one in (direction_controller(warped=False), priced))
    assert before.sum() == pytest.approx(1.0)
    assert before.max() > LARGEST >= after.max()


def test_prices_are_a_cost_of_following_a_state(priced: FieldController) -> None:
    own = priced.transitions.roughness - direction_controller(warped=False).transitions.roughness
    takes = takes_of(small_field().database)
    assert own.max() > 0.0
    for take in np.unique(takes):
        np.testing.assert_allclose(own[takes == take], own[takes == take][0], atol=1e-6)  # a clip and its mirror image


def test_prices_rise_with_excess_and_are_never_negative() -> None:
    prices = Prices(np.array([0, 0, 1, 2]), np.array([0.1, 0.0, 0.02]))
    first = prices.adjusted(np.array([0.7, 0.3, 0.0]), LARGEST, 1)
    np.testing.assert_allclose(first.price, [0.1 + RAISE * 0.2, 0.0, 0.0])
    np.testing.assert_allclose(prices.adjusted(np.array([0.7, 0.3, 0.0]), LARGEST, 2).price[0], 0.1 + RAISE * 0.1)
    np.testing.assert_array_equal(first.of_states, np.array([0.1 + RAISE * 0.2] * 2 + [0.0, 0.0], np.float32))


def test_a_priced_table_has_smaller_rewards() -> None:
    rewards = np.arange(12.0, dtype=np.float32).reshape(6, 2)  # two variants of three states
    none = np.zeros(0, np.int64)
    table = TaskTable(rewards, none, np.zeros(0), none, none)
    expected = rewards - np.array([1, 2, 3, 1, 2, 3], np.float32)[:, np.newaxis]
    np.testing.assert_array_equal(table.priced(np.array([1, 2, 3], np.float32)).rewards, expected)


def test_where_the_data_does_not_allow_it_the_most_even_controller_is_returned() -> None:
    controller = direction_controller(warped=False)
    seen: list[FieldController | None] = []

    def solved(prices: FloatArray | None, before: FieldController | None) -> FieldController:
        seen.append(before)
        return controller

    assert varied(solved, small_field().database, 0.01) is controller
    assert seen == [None] + [controller] * MOST_ROUNDS


def test_a_resumed_training_run_ends_with_the_same_bits(priced: FieldController, tmp_path: Path) -> None:
    told: list[Progress] = []

    def on_progress(progress: Progress) -> None:
        told.append(progress)
        if len(told) > 5 and progress.sweep == 6 and any(one.residual <= 1e-3 for one in told):
            raise KeyboardInterrupt  # in the second round or later, after a checkpoint

    with pytest.raises(KeyboardInterrupt):
        train(
            small_field(),
            Direction(),
            settings=SETTINGS,
            largest_share=LARGEST,
            work=tmp_path,
            on_progress=on_progress,
        )
    resumed = train(small_field(), Direction(), settings=SETTINGS, largest_share=LARGEST, work=tmp_path)
    np.testing.assert_array_equal(resumed.values.table(), priced.values.table())
    np.testing.assert_array_equal(resumed.transitions.roughness, priced.transitions.roughness)


@pytest.mark.parametrize("wrong", [0.0, -0.5, 1.5, float("nan")])
def test_a_share_outside_0_to_1_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="largest_share: expected more than 0 and at most 1"):
        train(small_field(), Direction(), largest_share=wrong)
