from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from motionfields.control.controller import FieldController
from motionfields.control.methods import MatchingSettings, train_graph, train_matching
from motionfields.control.tasks import Direction, Lane, Line, Velocity
from motionfields.measure.testing import check_controller
from motionfields.runtime import Controller, ControllerState, Decision, Observation
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

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        raise AssertionError("attributes come from the wrapped controller")


def altered(change: Callable[[Observation, Decision], Decision]) -> dict[str, Any]:
    """Decisions of the field, changed."""

    def decide(seen: Observation) -> tuple[Decision, ControllerState]:
        decision, after = direction_controller().decide(seen)
        return change(seen, decision), after

    return {"decide": decide}


def last_states(seen: Observation, decision: Decision) -> Decision:
    ends = small_field().database.clip_starts[1:] - 1
    return decision._replace(states=ends[np.zeros(decision.states.shape, np.int64)])


def by_the_crowd(seen: Observation, decision: Decision) -> Decision:
    return decision._replace(spin=decision.spin + 0.001 * len(decision.states))


def meddling(seen: Observation, decision: Decision) -> Decision:
    seen.followers.yaw[:] += 0.1
    return decision


def heavy(seen: Observation, decision: Decision) -> Decision:
    return decision._replace(weights=2.0 * decision.weights)


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        ({"start_states": np.array([-1])}, "start_states: expected 0 to"),
        ({"half_lives": (0.1, 0.0)}, "half_lives"),
        ({"initial_state": lambda count: (np.zeros(3),)}, "initial_state: expected"),
        (altered(last_states), "with a next state"),
        (altered(by_the_crowd), "alone and in a crowd"),
        (altered(meddling), "stay unchanged"),
        (altered(lambda _, decision: decision._replace(spin=np.full(len(decision.spin), np.nan))), "finite"),
        (altered(heavy), "sum to 1"),
        (
            altered(lambda _, decision: decision._replace(states=np.roll(decision.states, 1, axis=0))),
            "same bits|action",
        ),
        ({"state_values": lambda *_: np.zeros(3)}, "state_values"),
    ],
)
def test_what_breaks_the_contract_is_told(spoilt: dict[str, Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_controller(Wrapped(direction_controller(), **spoilt))
