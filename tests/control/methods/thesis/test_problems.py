"""Rewards and outcomes of the tasks, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.methods.thesis import (
    Checkerboard,
    FixedObstacle,
    Heading,
    MovingObstacle,
    Path,
    Problem,
    RevolvingDoors,
    best_actions,
    mean_cost,
    nothing,
)
from motionfields.control.methods.thesis.problems import DISCOUNT

from .small import TURN, hand_steps

STEPS = hand_steps()
PROBLEMS = [
    Heading(STEPS, spin=0.5, speed=1.0),
    Path(STEPS),
    FixedObstacle(STEPS),
    MovingObstacle(STEPS),
    Checkerboard(STEPS),
    RevolvingDoors(STEPS),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
def test_outcomes_stay_in_their_spans_and_blocked_actions_are_never_chosen(problem: Problem) -> None:
    rng = np.random.default_rng(2)
    clips, params = rng.integers(0, 4, 200), problem.starts(200, rng)
    rewards, after = problem.outcomes(clips, params)
    np.testing.assert_array_equal(np.isfinite(rewards), np.isfinite(STEPS.cost[clips]))
    for axis, span in enumerate(problem.spans):
        assert (after[..., axis] >= span.low).all()
        assert (after[..., axis] <= span.high).all()
    best = best_actions(problem, nothing, clips, params)
    assert np.isfinite(best.value).all()
    np.testing.assert_array_equal(best.reward, rewards.max(axis=1))


def test_walking_off_the_wanted_direction_costs_its_angle() -> None:
    rewards, after = Heading(STEPS).outcomes(np.array([0]), np.array([[0.3]]))
    assert rewards[0, 2] == pytest.approx(-0.3)
    assert after[0, 2, 0] == pytest.approx(0.3)
    assert after[0, 3, 0] == pytest.approx(0.3 - TURN)
    spun, _ = Heading(STEPS, spin=1.0, speed=1.0).outcomes(np.array([0]), np.array([[0.3]]))
    assert spun[0, 2] == pytest.approx(-0.3 - 0.5 - abs(0.5 / 0.6 - 1.0))


def test_a_line_and_an_obstacle_cost_by_distance() -> None:
    place = np.array([[0.4, 0.0]])
    rewards, after = Path(STEPS).outcomes(np.array([0]), place)
    assert after[0, 2].tolist() == [0.4, 0.0]
    assert rewards[0, 2] == pytest.approx(-0.5 * 0.4)
    params = np.array([[0.4, -0.5, 0.0]])
    rewards, after = FixedObstacle(STEPS).outcomes(np.array([0]), params)
    near = 4.0 * np.exp(-((0.4 / 0.7) ** 2))
    assert rewards[0, 2] == pytest.approx(-0.3 * 0.4 - near)
    moving, passed = MovingObstacle(STEPS, velocity=(0.0, -1.0)).outcomes(np.array([0]), params)
    assert passed[0, 2, 1] == pytest.approx(0.6)  # the obstacle came 0.6 m closer, the step 0.5 m
    assert moving[0, 2] == pytest.approx(-4.0 * np.exp(-((0.4 / 0.7) ** 2) - (0.6 / 0.7) ** 2))


def test_black_tiles_cost_where_the_foot_lands() -> None:
    board = Checkerboard(STEPS, slant=0.0)
    assert board.is_black(np.array([[0.1, 0.1], [0.6, 0.1], [0.1, 0.6], [0.6, 0.6]])).tolist() == [
        False,
        True,
        True,
        False,
    ]
    params = np.array([[0.45, 0.1, 0.0], [0.75, 0.1, 0.0]])  # the root goes ahead by a tile, the foot lands 0.1 m right
    rewards, after = board.outcomes(np.array([0, 0]), params)
    assert rewards[:, 2].tolist() == [-4.0, 0.0]
    np.testing.assert_allclose(after[:, 2, 1], 0.6)


def test_doors_stop_a_body_and_let_it_through_between_their_wings() -> None:
    doors = RevolvingDoors(STEPS)
    ahead, aside = np.array(0.0), np.array(np.pi / 2)
    assert doors.is_hit(np.array([1.8, 0.0]), aside)  # the wall
    assert not doors.is_hit(np.array([0.0, -0.6]), aside)
    assert doors.is_hit(np.array([0.0, -0.6]), ahead)  # the second wing
    assert doors.is_hit(np.array([0.6, 0.0]), aside)
    through = np.array([[0.0, 2.0, 0.5, 0.0]])
    rewards, after = doors.outcomes(np.array([0]), through)
    assert rewards[0].tolist() == [-np.inf, -np.inf, 0.0, 0.0]  # has arrived
    np.testing.assert_array_equal(after[0, 2, :2], [0.0, 2.0])


def test_the_mean_cost_is_the_discounted_sum() -> None:
    """Whoever faces ahead walks on for nothing; costs of others fall with the discount."""

    class Ahead(Heading):
        def starts(self, count: int, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
            return np.full((count, 1), 0.2)

    straight = STEPS._replace(cost=np.where(np.isfinite(STEPS.cost), 0.0, np.inf), turn=np.zeros((4, 4)))
    straight = straight._replace(travel=np.tile([[0.0, 0.5]], (4, 4, 1)))
    cost = mean_cost(Ahead(straight), nothing, count=4, horizon=3)
    assert cost == pytest.approx(0.2 * (1.0 + DISCOUNT + DISCOUNT**2) * (1.0 - DISCOUNT))
