"""No controller beats the bounds of response, and they equal a plain search over all paths."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from motionfields.base.geometry import wrap_angle
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey.bounds import TOLERANCE, TurnBounds, farthest_turns, response_bounds

from .conftest import clip_called

SETTINGS = ControlSettings(neighbor_count=20)


@pytest.fixture(scope="module")
def controller() -> FieldController:
    clips = [clip_called(name) for name in ("walk_forward", "turn_left_090_quick")]
    return train(MotionField(MotionDatabase.build(clips)), Direction(), settings=SETTINGS, agility=1.0)


def test_the_farthest_turn_is_that_of_the_best_of_all_paths(rng: np.random.Generator) -> None:
    count, frames = 7, 4
    targets, usable = rng.integers(0, count - 1, (count, 3)), rng.random((count, 3)) < 0.8
    usable[:, 0] = True
    turn = rng.normal(size=count)
    found = farthest_turns(targets, usable, turn, frames)
    for state in range(count):
        best = -np.inf
        for path in product(range(3), repeat=frames):
            place, total = state, 0.0
            for choice in path:
                if not usable[place, choice]:
                    total = -np.inf
                    break
                total += turn[targets[place, choice]]
                place = targets[place, choice] + 1
            best = max(best, total)
        assert found[frames, state] == pytest.approx(best, abs=1e-5)


def test_a_bound_is_the_first_frame_at_which_either_way_round_arrives() -> None:
    left = np.radians([[0.0], [60.0], [120.0], [200.0]])
    bounds = TurnBounds(left, -0.5 * left, 0.1)
    states = np.zeros(5, np.int64)
    found = bounds.seconds(states, np.radians([3.0, 50.0, 100.0, -50.0, -170.0]))
    np.testing.assert_allclose(found, [0.0, 0.1, 0.2, 0.2, 0.3])


def test_no_trained_controller_beats_its_bounds_nor_those_before_training(controller: FieldController) -> None:
    field, count = controller.field, 48
    own = response_bounds(field, transitions=controller.transitions)
    before = response_bounds(field, settings=SETTINGS)
    crowd = controller.crowd(count, seed=11, plant=False)
    goals = crowd.ground.facing[:, np.newaxis].copy()
    for _ in range(30):
        crowd.step(goals)
    states = crowd.followers.state.copy()
    angles = np.linspace(-np.pi, np.pi, count)
    goals = (crowd.ground.facing + angles)[:, np.newaxis]
    took = np.full(count, np.inf)
    for frame in range(91):
        near = np.abs(wrap_angle(goals[:, 0] - crowd.ground.facing)) <= TOLERANCE
        took = np.where(near & np.isinf(took), frame * field.database.frame_time, took)
        crowd.step(goals)
    least = own.seconds(states, wrap_angle(angles))
    assert np.isfinite(took).mean() > 0.8
    assert (took >= least - 1e-9).all()
    assert (least >= before.seconds(states, wrap_angle(angles)) - 1e-9).all()
    assert least.max() > 0.3  # the bound says something
