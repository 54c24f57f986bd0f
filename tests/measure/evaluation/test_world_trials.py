"""Trials of steering: worlds are drawn by their seeds, and a few characters walk in worlds and in a crowd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from motionfields.authoring.worlds import Futures, Pilot
from motionfields.base.world import Disc, Goal, World
from motionfields.base.world.drawing import GOAL, LEVELS, MOVERS, RADIUS, draw_world
from motionfields.control.controller import FieldController
from motionfields.measure.evaluation.world_trials import (
    crowd_trials,
    in_contact,
    least_gap,
    steered_figures,
    steering_costs,
    world_trials,
)
from tests.authoring.worlds.conftest import futures, walker  # noqa: F401 - fixtures


def test_a_world_is_drawn_by_its_seed() -> None:
    for seed in range(20):
        world, level = draw_world(seed)
        assert (world, level) == draw_world(seed)
        assert LEVELS[level][0] <= len(world.room.obstacles) <= LEVELS[level][1]
        assert len(world.movers) == MOVERS
        assert world.clearance(np.array([0.0, 0.0])) - RADIUS > 0.9
        assert world.clearance(np.array(GOAL)) - RADIUS > 0.5
    assert draw_world(0) != draw_world(1)
    for seed in range(20):
        world, level = draw_world(seed, counts=(2, 3), shapes=("disc",), movers=0)
        assert (level, world.movers) == (-1, ())
        assert len(world.room.obstacles) in (2, 3)
        assert all(isinstance(one, Disc) for one in world.room.obstacles)
    wrong: dict[str, Any]
    for wrong in ({"shapes": ("cone",)}, {"shapes": ()}, {"counts": (3, 2)}, {"counts": (0, 10**6)}, {"movers": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            draw_world(0, **wrong)


def test_gaps_are_the_clearance_of_the_world(rng: np.random.Generator) -> None:
    world, _ = draw_world(3)
    moved = world.mover_blocks(np.array([2.5]))[0]
    for place in rng.uniform((-3.0, 0.0), (3.0, 8.0), (50, 2)):
        wanted = float(world.clearance(place, 2.5))  # far from the sides of the room
        assert least_gap(world.room.blocks(), moved, *place) == pytest.approx(wanted, abs=1e-9)


def test_contacts_are_those_of_all_pairs(rng: np.random.Generator) -> None:
    position = rng.uniform(0.0, 8.0, (80, 2))
    gaps = np.linalg.norm(position[:, np.newaxis] - position, axis=-1) + np.diag(np.full(80, np.inf))
    assert in_contact(position).tolist() == (gaps.min(axis=1) < 2.0 * RADIUS).tolist()


def test_a_character_reaches_the_goal_of_an_easy_world(walker: FieldController, futures: Futures) -> None:  # noqa: F811
    easy = next(seed for seed in range(100) if len(draw_world(seed)[0].room.obstacles) == 1)
    found = world_trials(walker, lambda world, goals: Pilot(futures, world, goals), [easy], keep=True)
    assert found.reached.tolist() == [True]
    assert found.collided.tolist() == [False]
    assert len(found.frames) == pytest.approx(found.seconds[0] / walker.field.database.frame_time)
    assert found.length[0] > 7.0
    assert found.clearance[0] > 0.0
    figures = steered_figures(walker.field, found, count=5)
    assert 0.2 < figures.jerk < 3.0
    assert 0.5 < figures.joint_speed < 1.5
    assert figures.replayed <= 0.05


def test_a_crowd_is_judged_by_its_displayed_places(walker: FieldController, futures: Futures) -> None:  # noqa: F811
    found = crowd_trials(walker, lambda world, goals: Pilot(futures, world, goals), 8, 0.2, seconds=6.0, seed=2)
    assert found.places.shape == (round(6.0 / walker.field.database.frame_time), 8, 2)
    assert found.contacts == 0.0
    assert found.touching == 0.0
    assert 0.2 < found.speed < futures.top
    assert found.prediction < 0.15


def test_the_cost_of_steering_is_known_for_crowds_of_any_size(walker: FieldController, futures: Futures) -> None:  # noqa: F811
    asked = []

    def make(world: World, goals: Sequence[Goal]) -> Pilot:
        asked.append((len(goals), world.room.bounds))
        return Pilot(futures, world, goals)

    costs = steering_costs(walker, make, (4, 16), rounds=1, work=100)
    assert asked == [(4, (0.0, 0.0, 4.0, 4.0)), (16, (0.0, 0.0, 8.0, 8.0))]
    assert (costs > 0.0).all()
    assert np.isfinite(costs).all()
