"""Cuts between states: costs, order and local minima, beside a plain search."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.compose.cuts import (
    COST_UNIT,
    CutFeatures,
    Cuts,
    CutSettings,
    cut_cost,
    cut_features,
    find_cuts,
)
from motionfields.field import MotionField


def test_cuts_equal_those_of_a_plain_search(field: MotionField) -> None:
    """Cuts are the nearest states that are minima along time in both clips, sorted by cost and then by state."""
    settings = CutSettings(neighbor_count=12, reach=2, gap=5, loop=0.4, overlap=0.3)
    database = field.database
    features = cut_features(field, settings)
    cuts = find_cuts(field, settings)

    def jump(a: int, b: int) -> float:
        return float(np.linalg.norm(features.jumps[a].astype(np.float64) - features.jumps[b], axis=-1).sum())

    clip_of = database.clip_of
    for state in range(0, database.state_count, 37):
        flat = features.jumps.reshape(database.state_count, -1)
        distance = ((flat[state] - flat) ** 2).sum(axis=1, dtype=np.float64)
        near = np.argsort(distance, kind="stable")[:12]
        expected = []
        for target in near.tolist():
            close = clip_of[state] == clip_of[target] and -12 < target - state < 5
            around = [
                jump(state + d, target + d)
                for d in (-2, -1, 1, 2)
                if min(state, target) + d >= 0
                and max(state, target) + d < len(clip_of)
                and clip_of[state + d] == clip_of[state]
                and clip_of[target + d] == clip_of[target]
            ]
            lowest = not around or min(around) >= jump(state, target)
            fade = database.frames_left[state] + target - database.clip_starts[clip_of[target]]
            if not close and database.frames_left[target] >= 1 and lowest and fade >= 9:
                price = int(cut_cost(features, np.array([state]), np.array([target]), settings)[0])
                expected.append((price, target))
        own = slice(cuts.first[state], cuts.first[state + 1])
        assert list(zip(cuts.costs[own].tolist(), cuts.targets[own].tolist(), strict=True)) == sorted(expected)


def test_the_cost_of_a_cut_is_its_jump_and_its_feet() -> None:
    """State 1 moves a joint by (3, 0, 4), state 2 changes both contacts, state 3 moves the standing foot by 0.5 m."""
    settings = CutSettings(change_cost=2.0, contact_cost=3.0, slip_cost=8.0)
    jumps = np.zeros((4, 2, 3), np.float32)
    jumps[1, 0] = [3.0, 0.0, 4.0]
    balls = np.zeros((4, 2, 2), np.float32)
    balls[3] = [[0.3, 0.4], [9.0, 9.0]]
    contacts = np.array([[True, False], [True, False], [False, True], [True, False]])
    found = cut_cost(CutFeatures(jumps, balls, contacts), np.zeros(4, np.int64), np.arange(4), settings)
    np.testing.assert_array_equal(found, [0, 7 * COST_UNIT, 8 * COST_UNIT, 6 * COST_UNIT])


def test_a_cut_is_found_by_its_states(field: MotionField) -> None:
    cuts = find_cuts(field, CutSettings(neighbor_count=8))
    state = int(np.flatnonzero(np.diff(cuts.first))[0])
    entry = int(cuts.first[state])
    assert cuts.cost(state, int(cuts.targets[entry])) == cuts.costs[entry]
    with pytest.raises(ValueError, match="expected a cut of state"):
        cuts.cost(state, state)


def test_cuts_near_given_ones_are_left_out(field: MotionField) -> None:
    cuts = find_cuts(field, CutSettings(neighbor_count=8))
    state = int(np.flatnonzero(np.diff(cuts.first))[0])
    target = int(cuts.targets[cuts.first[state]])
    fewer = cuts.without(np.array([state]), np.array([target]), reach=3)

    def pairs(of: Cuts) -> set[tuple[int, int, int]]:
        rows = range(len(of.first) - 1)
        return {(s, int(of.targets[e]), int(of.costs[e])) for s in rows for e in range(of.first[s], of.first[s + 1])}

    near = {pair for pair in pairs(cuts) if abs(pair[0] - state) <= 3 and abs(pair[1] - target) <= 3}
    assert near
    assert pairs(fewer) == pairs(cuts) - near


@pytest.mark.parametrize("wrong", [{"neighbor_count": 0}, {"half_life": 0.0}, {"gap": -1}, {"change_cost": np.nan}])
def test_settings_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        CutSettings(**wrong)  # type: ignore[arg-type]
