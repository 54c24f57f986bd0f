"""The search around the displayed state: each cost, and the compiled loops against plain ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray, frozen
from motionfields.control.controller import FieldController
from motionfields.runtime.recovery.outline import Figure
from motionfields.runtime.recovery.search import (
    FULL_HURRY,
    MOST_EXCESS,
    MOST_OVERLAP,
    feet_gap,
    find_candidates,
    is_possible,
    landing_shift,
    rate_candidates,
    step_cost,
)
from motionfields.runtime.recovery.settings import Costs, RecoverySettings
from motionfields.runtime.recovery.sight import Fall, Sight, blank_sight
from motionfields.runtime.recovery.tables import STANDS, Outlines, measure_outlines
from tests.control.training.small import direction_controller

COSTS = Costs.of(RecoverySettings())


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller()


@pytest.fixture(scope="module")
def figure(controller: FieldController) -> Figure:
    return Figure.of(controller.field.database, controller.half_lives[0])


@pytest.fixture(scope="module")
def outlines(controller: FieldController, figure: Figure) -> Outlines:
    return measure_outlines(controller.field, figure, ahead=0.27)


def random_sight(figure: Figure, outlines: Outlines, count: int) -> tuple[Sight, Fall]:
    """Characters near states of the data, of which every other one falls."""
    rng = np.random.default_rng(4)
    sight = blank_sight(count, figure)
    near = rng.integers(0, len(outlines.pool), count)
    for name in ("features", "own_features"):
        table = getattr(sight, name)
        table[:] = outlines.features[:, near].T + rng.normal(0.0, 0.3, table.shape)
    sight.yaw[:] = rng.uniform(-3.0, 3.0, count)
    for track in (sight.velocity, sight.capture, sight.middles):
        track[:] = rng.normal(0.0, 0.4, track.shape)
    sight.stands[:] = rng.uniform(size=(count, 2)) < 0.6
    angle = rng.uniform(-3.0, 3.0, count)
    way = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    lack = rng.uniform(-0.1, 0.3, count)
    return sight, Fall(way, rng.uniform(0.1, 0.6, count), lack, np.full(count, 0.08), np.arange(count) % 2 == 0)


def plain_shift(outlines: Outlines, state: int, middles: FloatArray, way: FloatArray, excess: float) -> FloatArray:
    """The shift of a landing place: along the fall, but not nearer to the other foot than allowed."""
    side = int(outlines.side[state])
    outward = (1.0, -1.0)[side]
    shift = min(excess, COSTS.reach) * way
    gap = outward * (outlines.spot[state, 0] + shift[0] - middles[1 - side, 0])
    shift = shift + np.array([outward * max(COSTS.apart - gap, 0.0), 0.0])
    return np.asarray(shift * min(1.0, COSTS.reach / max(float(np.linalg.norm(shift)), 1e-12)))


def plain_step_cost(outlines: Outlines, state: int, middles: FloatArray, fall: Fall, k: int) -> float:
    way, side = fall.way[k], int(outlines.side[state])
    excess = max(fall.wanted[k] - outlines.capture[state] @ way, 0.0)
    cost = COSTS.balance_cost * min(excess, MOST_EXCESS)
    hurry = 1.0 + max(fall.lack[k], 0.0) / FULL_HURRY
    if outlines.wait[state] > COSTS.soon:
        unmet = max(fall.lack[k] + COSTS.safety, 0.0)
        cost += (COSTS.late_cost * COSTS.soon + COSTS.missing_cost) * hurry
    else:
        landed = outlines.spot[state] + plain_shift(outlines, state, middles, way, excess)
        support = max(landed @ way, middles[1 - side] @ way) + fall.edge[k]
        unmet = max(fall.wanted[k] + COSTS.safety - support, 0.0)
        overlap = COSTS.apart - (1.0, -1.0)[side] * (outlines.spot[state, 0] - middles[1 - side, 0])
        cost += COSTS.late_cost * outlines.wait[state] * hurry + COSTS.cross_cost * np.clip(overlap, 0.0, MOST_OVERLAP)
    return float(cost + COSTS.unmet_cost * min(unmet, MOST_EXCESS))


def plain_cost(outlines: Outlines, state: int, features: FloatArray, sight: Sight, fall: Fall, k: int) -> float:
    off = (features - sight.features[k].astype(np.float32)).reshape(-1, 3)
    cost = COSTS.jump_cost * np.linalg.norm(off, axis=1).sum()
    cost += COSTS.velocity_cost * np.linalg.norm(outlines.velocity[state] - sight.velocity[k])
    for side in range(2):
        stands, vote = sight.stands[k, side], outlines.votes[state, side]
        cost += COSTS.contact_cost * abs(vote - float(stands))
        if stands and vote >= STANDS:
            cost += COSTS.slip_cost * np.linalg.norm(outlines.feet[state, side] - sight.middles[k, side])
        elif stands:
            cost += COSTS.start_cost * outlines.foot_speed[state, side]
    return float(cost + (plain_step_cost(outlines, state, sight.middles[k], fall, k) if fall.falls[k] else 0.0))


def plain_possible(outlines: Outlines, state: int, stands: Any) -> bool:
    on = outlines.votes[state] >= STANDS
    side = int(outlines.side[state])
    held = not stands.any() or bool((stands & on).any())
    return held and not (stands[side] and not on[side] and outlines.wait[state] < COSTS.swing)


def test_the_compiled_search_equals_a_plain_loop(figure: Figure, outlines: Outlines) -> None:
    count, wanted = 6, 12
    sight, fall = random_sight(figure, outlines, count)
    own = outlines.pool[np.arange(count) * 7].astype(np.int64)
    states, charged = np.empty((count, 1 + wanted), np.int64), np.empty((count, 1 + wanted))
    find_candidates(COSTS, outlines, sight, fall, own, states, charged)
    for k in range(count):
        costs = {
            int(state): plain_cost(outlines, int(state), outlines.features[:, place], sight, fall, k)
            for place, state in enumerate(outlines.pool)
            if state != own[k] and plain_possible(outlines, int(state), sight.stands[k])
        }
        best = sorted(costs, key=lambda state: (costs[state], state))[:wanted]
        assert states[k, 0] == own[k]
        np.testing.assert_array_equal(states[k, 1:], sorted(best))
        np.testing.assert_allclose(charged[k, 1:], [costs[state] for state in sorted(best)], rtol=1e-5)
        own_cost = plain_cost(outlines, int(own[k]), sight.own_features[k].astype(np.float32), sight, fall, k)
        np.testing.assert_allclose(charged[k, 0], own_cost, rtol=1e-5)


def test_a_character_is_searched_for_alike_in_any_batch(figure: Figure, outlines: Outlines) -> None:
    sight, fall = random_sight(figure, outlines, 5)
    own = outlines.pool[:5].astype(np.int64)
    states, charged = np.empty((5, 9), np.int64), np.empty((5, 9))
    find_candidates(COSTS, outlines, sight, fall, own, states, charged)
    alone, cost = np.empty((1, 9), np.int64), np.empty((1, 9))
    one: Any = Sight(**{name: track[3:4] for name, track in sight._asdict().items()})
    its: Any = Fall(**{name: track[3:4] for name, track in fall._asdict().items()})
    find_candidates(COSTS, outlines, one, its, own[3:4], alone, cost)
    np.testing.assert_array_equal(alone[0], states[3])
    np.testing.assert_array_equal(cost[0], charged[3])


def test_of_equal_candidates_the_lowest_states_are_taken(figure: Figure, outlines: Outlines) -> None:
    # Read-only as those of controllers, so that no loop is compiled again.
    same = frozen(
        outlines._replace(
            **{
                name: np.ascontiguousarray(np.broadcast_to(track[:1], track.shape))
                for name, track in outlines._asdict().items()
                if name not in ("pool", "features")
            },
            features=np.ascontiguousarray(np.broadcast_to(outlines.features[:, :1], outlines.features.shape)),
        )
    )
    sight, fall = random_sight(figure, outlines, 1)
    sight.stands[:] = False
    states, charged = np.empty((1, 6), np.int64), np.empty((1, 6))
    find_candidates(COSTS, same, sight, fall, outlines.pool[2:3].astype(np.int64), states, charged)
    np.testing.assert_array_equal(states[0], outlines.pool[[2, 0, 1, 3, 4, 5]])


def test_values_of_candidates_are_those_of_the_controller(controller: FieldController, outlines: Outlines) -> None:
    policy = controller.policy
    assert policy is not None
    states = outlines.pool[np.arange(24).reshape(3, 8)].astype(np.int64)
    params = np.array([[0.3], [-2.0], [1.1]])
    scores = np.empty(states.shape)
    rate_candidates(policy.table, policy.grid, policy.task, states, params, scores)
    variants = controller.root_motion.variant_count
    free = np.zeros((*states.shape, variants, variants), np.float32)
    plain = controller.score(states, free, np.zeros(3, np.int64), params).scores[:, :, 0]
    np.testing.assert_allclose(scores, plain, atol=1e-6)


def test_a_state_that_lands_no_foot_in_time_costs_what_it_lacks(outlines: Outlines) -> None:
    never = frozen(outlines._replace(wait=np.full_like(outlines.wait, 1e3), capture=np.zeros_like(outlines.capture)))
    fall = Fall(np.array([[1.0, 0.0]]), np.array([0.2]), np.array([0.15]), np.array([0.05]), np.array([True]))
    expected = COSTS.balance_cost * 0.2 + COSTS.unmet_cost * (0.15 + COSTS.safety)
    expected += (COSTS.late_cost * COSTS.soon + COSTS.missing_cost) * 1.5
    assert step_cost(COSTS, never, 0, np.zeros((2, 2)), fall, 0) == pytest.approx(expected)


def test_a_landing_place_is_moved_along_the_fall_but_not_across_the_other_foot(outlines: Outlines) -> None:
    left = outlines._replace(side=np.zeros_like(outlines.side), spot=np.zeros_like(outlines.spot))
    middles = np.array([[0.0, 0.0], [-0.2, 0.0]])  # the right foot stands 0.2 m to the right of the landing place
    assert feet_gap(left, 0, middles) == pytest.approx(0.2)
    assert landing_shift(COSTS, left, 0, middles, 1.0, 0.0, 0.2) == pytest.approx((0.2, 0.0))
    assert landing_shift(COSTS, left, 0, middles, 0.0, 1.0, 2.0) == pytest.approx((0.0, COSTS.reach))
    towards = landing_shift(COSTS, left, 0, middles, -1.0, 0.0, 0.25)
    assert towards == pytest.approx((-(0.2 - COSTS.apart), 0.0))
    crossed = np.array([[0.0, 0.0], [0.1, 0.0]])
    assert landing_shift(COSTS, left, 0, crossed, 1.0, 0.0, 0.0) == pytest.approx((0.1 + COSTS.apart, 0.0))


def test_a_standing_foot_goes_on_standing_or_has_time_to_swing(outlines: Outlines) -> None:
    votes = np.zeros_like(outlines.votes)
    votes[:, 0] = 1.0  # the left foot stands, the right one swings and lands next
    late = outlines._replace(votes=votes, side=np.ones_like(outlines.side), wait=np.full_like(outlines.wait, 0.5))
    soon = late._replace(wait=np.full_like(outlines.wait, 0.1))
    for stands, free, hurried in (((1, 0), True, True), ((0, 1), False, False), ((1, 1), True, False)):
        feet = np.array(stands, dtype=np.bool_)
        assert is_possible(COSTS, late, 0, feet) is free
        assert is_possible(COSTS, soon, 0, feet) is hurried
    assert is_possible(COSTS, soon, 0, np.zeros(2, np.bool_))
