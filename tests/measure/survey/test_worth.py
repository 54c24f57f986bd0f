"""Worth is that of training without the take, copies share it, and Shapley values are those of the definition."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from motionfields.base.arrays import BoolArray
from motionfields.control.training.sweeps import TaskTable
from motionfields.control.transitions import ControlSettings, Transitions
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.pruning import kept_states
from motionfields.measure.survey.subsets import Policy, Tables, TakeTables, _reduced, _response
from motionfields.measure.survey.worth import shapley_values, take_worth
from motionfields.motion.clip import trim

from .conftest import clip_called

SETTINGS = ControlSettings(neighbor_count=20)
NAMES = ("walk_forward", "turn_left_090_quick", "walk_stop")


@pytest.fixture(scope="module")
def tables() -> TakeTables:
    """Three takes, one of them twice."""
    clips = [trim(clip_called(name), 0, 150) for name in NAMES]
    copy = replace(clips[1], name="copy")
    return TakeTables.of(MotionField(MotionDatabase.build([*clips, copy])), settings=SETTINGS)


def test_shapley_values_of_all_orders_are_those_of_the_definition() -> None:
    weights = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 0.5], [1.0, 0.5, 0.0]])

    def worth(kept: BoolArray) -> float:
        return float(kept.sum() + (weights[np.ix_(kept, kept)]).sum() / 2.0)

    expected = np.zeros(3)
    for order in permutations(range(3)):
        kept = np.zeros(3, np.bool_)
        for member in order:
            before = worth(kept)
            kept[member] = True
            expected[member] += (worth(kept) - before) / 6.0
    # Of a game of pairs, an order and its reverse give the mean over all orders.
    found, errors = shapley_values(worth, 3, rounds=2)
    np.testing.assert_allclose(found, expected)
    assert (errors >= 0.0).all()


def test_two_members_that_replace_each_other_share_their_worth() -> None:
    def worth(kept: BoolArray) -> float:
        return 3.0 * bool(kept[0] or kept[1]) + 1.0 * bool(kept[2])

    found, _ = shapley_values(worth, 3, rounds=4, seed=5)
    np.testing.assert_allclose(found, [1.5, 1.5, 1.0])


def test_copies_of_a_take_share_its_worth_though_neither_is_missed_alone(tables: TakeTables) -> None:
    worth = take_worth(tables.field, rounds=40, tables=tables)
    by_name = {one.take: one for one in worth.takes}
    first, second = by_name["turn_left_090_quick"], by_name["copy"]
    assert sum(one.share for one in worth.takes) == pytest.approx(1.0)
    assert first.share == pytest.approx(second.share, abs=0.02)
    assert first.share > 0.05
    # Not quite nothing: from one copy, a character can go back in time to the other.
    assert max(first.loss, second.loss) < 0.5 * first.share
    assert "stop" in by_name["walk_stop"].kinds
    assert 1 <= len(worth.enough) < len(worth.takes)
    assert worth.text == f"{len(worth.enough)} of 4 takes carry {100.0 * worth.reached:.0f} % of what the set can do."


def test_removal_from_the_tables_does_as_well_as_training_without_the_take(tables: TakeTables) -> None:
    kept = np.array([True, True, True, False])
    cheap = tables.performance(kept)
    field = MotionField(kept_states(tables.field.database, kept[tables.take_of]))
    exact = TakeTables.of(field, settings=SETTINGS, task=tables.task).performance(np.ones(3, np.bool_))
    assert cheap.reward - tables.idle_reward == pytest.approx(exact.reward - tables.idle_reward, rel=0.03)
    assert cheap.response == pytest.approx(exact.response, abs=0.1)
    assert cheap.shares[3] == 0.0
    assert cheap.shares.sum() == pytest.approx(1.0)


def test_no_takes_are_worth_standing_still(tables: TakeTables) -> None:
    nothing = tables.performance(np.zeros(4, np.bool_))
    assert nothing.reward == tables.idle_reward < tables.performance(np.ones(4, np.bool_)).reward


def test_probability_moves_and_is_not_lost(tables: TakeTables, rng: np.random.Generator) -> None:
    whole = tables.without(np.ones(4, np.bool_))
    assert whole is not None
    policy = Policy.of(whole, tables.settings)
    flow = rng.random(policy.costs.shape)
    assert policy.moved(flow).sum() == pytest.approx(flow.sum())


def test_a_state_whose_transitions_all_lead_out_is_a_dead_end() -> None:
    # State 1 can only follow the removed state 3; state 0 can follow itself, which leads to 1, or 2, which leads to 2.
    targets = np.array([[0, 2], [3, 3], [2, 0], [3, 3]], np.int32)
    costs = np.zeros((4, 2, 1, 1), np.float32)
    table = TaskTable(
        np.zeros((4, 3), np.float32), np.zeros((4, 3), np.int32), np.zeros((4, 3, 1), np.float32), np.array([1]),
        np.array([1, 1, 2, 3]),
    )  # fmt: skip
    transitions = Transitions(targets, costs, np.zeros(4, np.float32))
    whole = Tables(np.arange(4), table, transitions, np.zeros((4, 3), np.float32))
    reduced = _reduced(whole, np.array([True, True, True, False]), 2)
    assert reduced is not None
    assert reduced.transitions.states.tolist() == [[2], [1], [2]]
    assert reduced.transitions.costs[:, 0, 0, 0].tolist() == [0.0, 20.0, 0.0]
    assert _reduced(whole, np.array([False, True, False, False]), 2) is None


def test_the_response_is_the_time_of_the_turn() -> None:
    # One state that turns by one node a frame towards node 2 of 4; nodes are 0, 90 and 180 degrees off the goal.
    onward = np.array([[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    nothing = np.zeros((1, 4))
    policy = Policy(np.zeros(1, np.int64), nothing.astype(np.int64), nothing, nothing, onward)
    angles = np.abs(np.radians([180.0, 90.0, 0.0, 90.0]))
    # From node 0 two frames, from node 1 one; node 3 never arrives and counts with the whole window of 6 s.
    assert _response(policy, np.ones(1), angles, 0.5) == pytest.approx((1.0 + 0.5 + 6.0) / 3.0)
