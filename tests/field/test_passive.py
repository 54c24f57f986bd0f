from __future__ import annotations

import numpy as np
import pytest

from motionfields.field.passive import (
    Leaders,
    PassiveSettings,
    add_leader,
    ahead_of,
    draw_leaders,
    ordered_sum,
    soft_weights,
    spread_out,
    uniform_draws,
)


def test_soft_weights_fall_off_and_vanish_at_the_edge() -> None:
    weights = soft_weights(np.array([[0.1, 0.2, 0.3]]), 0.2)
    raw = np.exp(-(np.array([0.01, 0.04, 0.09]) - 0.01) / 0.04) * np.array([1 - 1 / 9, 1 - 4 / 9, 0.0])
    np.testing.assert_allclose(weights[0], raw / raw.sum(), atol=1e-9)


def test_soft_weights_do_not_mind_missing_equal_or_zero_distances() -> None:
    np.testing.assert_allclose(soft_weights(np.array([[0.1, 0.1, np.inf]]), 0.2), [[0.5, 0.5, 0.0]])
    np.testing.assert_allclose(soft_weights(np.array([[0.0, 0.0]]), 0.2), [[0.5, 0.5]])


def test_moments_of_one_clip_count_once() -> None:
    rows = np.array([[10, 11, 30, 16, 17, 52]])
    clip_of = np.repeat([0, 1], [50, 50])
    distances = np.arange(6, dtype=np.float32)[np.newaxis]
    kept, far = spread_out(rows, distances, clip_of, 6, 5)
    np.testing.assert_array_equal(kept, [[10, 30, 17, 52, 10]])
    np.testing.assert_array_equal(far, [[0.0, 2.0, 4.0, 5.0, np.inf]])


def test_nearness_does_not_reach_over_a_cut() -> None:
    kept, _ = spread_out(np.array([[49, 50]]), np.zeros((1, 2), np.float32), np.repeat([0, 1], [50, 50]), 6, 2)
    np.testing.assert_array_equal(kept, [[49, 50]])


def test_stale_leaders_are_drawn_from_all_that_may_lead_alike() -> None:
    count = 20_000
    rows = np.tile([5, 6, 7, 8], (count, 1))
    eligible = np.tile([True, False, True, True], (count, 1))
    leaders = draw_leaders(
        Leaders.none(count), np.ones(count, np.bool_), rows, (eligible,), uniform_draws(1, np.arange(count), 0)
    )
    found, counts = np.unique(leaders.states, return_counts=True)
    np.testing.assert_array_equal(found, [5, 7, 8])
    np.testing.assert_allclose(counts / count, 1 / 3, atol=0.02)
    kept = draw_leaders(leaders, np.zeros(count, np.bool_), rows + 9, (eligible,), np.zeros(count))
    np.testing.assert_array_equal(kept.states, leaders.states)


def test_what_was_just_played_does_not_lead_again() -> None:
    clip_of = np.repeat([0, 1], [50, 50])
    rows = np.array([[10, 19, 20, 21, 45, 60]])
    free = ahead_of(Leaders(np.array([20]), np.array([3])), rows, clip_of, 5)
    np.testing.assert_array_equal(free, [[True, False, False, True, True, True]])
    assert ahead_of(Leaders.none(1), rows, clip_of, 5).all()


def test_where_nothing_may_lead_the_nearest_does() -> None:
    leaders = draw_leaders(
        Leaders.none(1), np.array([True]), np.array([[4, 9]]), (np.zeros((1, 2), np.bool_),), np.array([0.999999])
    )
    assert leaders.states[0] == 4


def test_the_second_choice_counts_where_the_first_offers_nothing() -> None:
    rows, nothing, second = (
        np.array([[4, 9], [4, 9]]),
        np.array([[False, False], [True, False]]),
        np.ones((2, 2), np.bool_),
    )
    drawn = draw_leaders(Leaders.none(2), np.ones(2, np.bool_), rows, (nothing, second), np.array([0.9, 0.9]))
    np.testing.assert_array_equal(drawn.states, [9, 4])


def test_the_leader_gets_its_share_and_the_rest_keep_their_proportions() -> None:
    rows, weights = add_leader(np.array([[0.6, 0.4]]), np.array([[3, 8]]), np.array([20]), np.array([0.75]))
    np.testing.assert_array_equal(rows, [[3, 8, 20]])
    np.testing.assert_allclose(weights, [[0.15, 0.1, 0.75]])
    _, weights = add_leader(np.array([[0.6, 0.4]]), np.array([[3, 8]]), np.array([3]), np.array([0.75]))
    np.testing.assert_allclose(weights[0, 0] + weights[0, 2], 0.75)
    _, weights = add_leader(np.array([[0.9, 0.1]]), np.array([[3, 8]]), np.array([3]), np.array([0.75]))
    np.testing.assert_allclose(weights, [[0.9, 0.1, 0.0]])


def test_chances_are_even_and_belong_to_the_character() -> None:
    many = uniform_draws(7, np.arange(50_000), 3)
    assert many.min() >= 0.0
    assert many.max() < 1.0
    np.testing.assert_allclose(np.histogram(many, 10, (0.0, 1.0))[0] / 5000, 1.0, atol=0.06)
    np.testing.assert_array_equal(uniform_draws(7, np.array([41]), 3), many[41:42])
    assert uniform_draws(7, np.array([41]), 4) != many[41]
    assert uniform_draws(8, np.array([41]), 3) != many[41]


def test_sums_run_from_left_to_right() -> None:
    values = np.array([[1e16, 1.0, -1e16, 1.0]])
    assert ordered_sum(values)[0] == ((1e16 + 1.0) - 1e16) + 1.0


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="lead_share: expected 0 to 1"):
        PassiveSettings(lead_share=1.5)
    with pytest.raises(ValueError, match="candidate_count"):
        PassiveSettings(candidate_count=0)
