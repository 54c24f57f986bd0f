"""Choices found while running are those of the tables."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.control.transitions import TransitionFinder
from motionfields.measure.evaluation.searching import SearchingController
from motionfields.measure.testing import check_controller
from tests.control.training.small import SETTINGS, WARP, direction_controller, small_field


@cache
def unreduced(*, warped: bool = True) -> FieldController:
    """Return a controller that keeps all transitions that training considers."""
    settings = replace(SETTINGS, candidate_factor=1)
    return train(small_field(), Direction(), warp=WARP if warped else None, settings=settings, tolerance=0.1)


@pytest.mark.parametrize("warped", [False, True])
def test_choices_searched_for_one_by_one_are_those_of_the_table(warped: bool, rng: np.random.Generator) -> None:
    controller = unreduced(warped=warped)
    states = rng.integers(0, len(controller.transitions.states), 50)
    rows, costs = TransitionFinder(controller.field, controller.root_motion, controller.settings).find(states)
    np.testing.assert_array_equal(rows, controller.transitions.states[states])
    np.testing.assert_array_equal(costs, controller.transitions.costs[states])


def test_a_crowd_that_searches_moves_as_one_that_reads_tables(rng: np.random.Generator) -> None:
    controller = unreduced()
    searching = SearchingController.of(controller)
    crowd, usual = searching.crowd(12, seed=2), controller.crowd(12, seed=2)
    for number in range(90):
        if number % 30 == 0:
            goals = rng.uniform(-3.0, 3.0, 12)
        one, other = crowd.step(goals), usual.step(goals)
        np.testing.assert_array_equal(one.rotations, other.rotations)
        np.testing.assert_array_equal(one.root_position, other.root_position)
    assert 100 < searching.searched_count < len(controller.transitions.states)


def test_it_keeps_the_contract_of_controllers() -> None:
    check_controller(SearchingController.of(direction_controller(warped=False)))
