from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from motionfields.control.controller import FieldController
from motionfields.control.methods import MatchingSettings, train_graph, train_matching
from motionfields.control.tasks import Direction, Lane, Line, Velocity
from motionfields.measure.testing import check_controller
from motionfields.runtime import Controller, Followers, Mind, Steps
from tests.control.training.small import direction_controller, small_field


@pytest.mark.parametrize("warped", [False, True])
def test_the_field_passes(warped: bool) -> None:
    check_controller(direction_controller(warped=warped))


def test_the_field_without_foresight_passes() -> None:
    check_controller(direction_controller().greedy())


@pytest.mark.parametrize("task", [Direction(), Line(), Velocity(), Lane()])
def test_the_graph_passes(task: Direction | Line | Velocity | Lane) -> None:
    check_controller(train_graph(small_field(), task, tolerance=0.1))


@pytest.mark.parametrize("task", [Direction(), Line(), Velocity(), Lane()])
@pytest.mark.parametrize("warped", [False, True])
def test_matching_passes(task: Direction | Line | Velocity | Lane, warped: bool) -> None:
    settings = MatchingSettings().warped() if warped else MatchingSettings()
    check_controller(train_matching(small_field(), task, settings=settings))


class Wrapped(Controller):
    """A controller that passes, with one member spoilt."""

    def __init__(self, good: FieldController, **spoilt: Any) -> None:
        self._good, self._spoilt = good, spoilt

    def __getattribute__(self, name: str) -> Any:
        if name in ("_good", "_spoilt", "crowd", "__dict__", "__class__"):
            return super().__getattribute__(name)
        return self._spoilt[name] if name in self._spoilt else getattr(self._good, name)

    def decide(self, followers: Followers, mind: Mind, params: Any) -> tuple[Steps, Mind]:
        raise AssertionError("attributes come from the wrapped controller")


def altered(change: Callable[[Followers, Steps], Steps]) -> Wrapped:
    """The field's decisions, changed."""
    good = direction_controller()

    def decide(followers: Followers, mind: Mind, params: Any) -> tuple[Steps, Mind]:
        steps, after = good.decide(followers, mind, params)
        return change(followers, steps), after

    return Wrapped(good, decide=decide)


def last_states(followers: Followers, steps: Steps) -> Steps:
    ends = small_field().database.clip_starts[1:] - 1
    return steps._replace(row=ends[np.zeros(len(steps.row), np.int64)])


def by_the_crowd(followers: Followers, steps: Steps) -> Steps:
    return steps._replace(spin=steps.spin + 0.001 * len(steps.row))


def meddling(followers: Followers, steps: Steps) -> Steps:
    followers.yaw[:] += 0.1
    return steps


@pytest.mark.parametrize(
    ("controller", "message"),
    [
        (Wrapped(direction_controller(), starts=np.array([-1])), "starts: expected 0 to"),
        (Wrapped(direction_controller(), half_lives=(0.1, 0.0)), "half_lives"),
        (Wrapped(direction_controller(), mind=lambda count: (np.zeros(3),)), "mind: expected"),
        (altered(last_states), "another follows"),
        (altered(by_the_crowd), "alone and in a crowd"),
        (altered(meddling), "not to change"),
        (altered(lambda _, steps: steps._replace(spin=np.full(len(steps.row), np.nan))), "finite"),
        (altered(lambda _, steps: steps._replace(row=np.roll(steps.row, 1))), "same bits|outlook"),
        (Wrapped(direction_controller(), prospects=lambda *_: np.zeros(3)), "prospects"),
    ],
)
def test_what_breaks_the_contract_is_told(controller: Wrapped, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_controller(controller)
