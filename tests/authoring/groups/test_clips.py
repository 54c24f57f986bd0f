"""Steps as actions: their moves are those of the data, and jumps vanish where one follows the other there."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.authoring.groups import choose_steps, walking_steps
from motionfields.authoring.groups.clips import StepActions
from motionfields.base.geometry import wrap_angle
from motionfields.control.controller import FieldController
from tests.authoring.worlds.conftest import trained


def found_steps() -> tuple[FieldController, StepActions]:
    controller = trained()[0]
    return controller, walking_steps(controller.field, controller.root_motion)


def test_steps_turn_as_the_facing_does_in_the_data() -> None:
    controller, actions = found_steps()
    motion = controller.root_motion
    for step in range(0, len(actions.turns), 5):
        rows = slice(int(actions.steps.start[step]), int(actions.steps.end[step]))
        assert wrap_angle(actions.turns[step] - motion.turn[rows, 0].sum()) == pytest.approx(0.0, abs=1e-3)
    assert (actions.moves[:, 1] >= 0.3).all()


def test_a_step_continues_into_its_successor_without_a_jump() -> None:
    _, actions = found_steps()
    steps = actions.steps
    pairs = [(i, j) for i in range(len(steps.end)) for j in np.flatnonzero(steps.start == steps.end[i])]
    assert pairs
    for i, j in pairs:
        assert actions.jumps[i, j] == pytest.approx(0.0, abs=1e-4)
    same = steps.end_foot[:, np.newaxis] == steps.foot
    assert np.isfinite(actions.jumps[same]).all()
    assert np.isinf(actions.jumps[~same]).all()


def test_chosen_steps_are_of_both_feet_and_turn_both_ways() -> None:
    _, actions = found_steps()
    chosen = choose_steps(actions, 6)
    assert np.bincount(chosen.steps.foot).tolist() == [3, 3]
    assert len(set(chosen.steps.start.tolist())) == 6
    assert chosen.turns.min() < 0.5 * actions.turns.min() + 0.1
    assert chosen.turns.max() > 0.5 * actions.turns.max() - 0.1
    with pytest.raises(ValueError, match="count"):
        choose_steps(actions, 1)
