"""What crowds refuse at their boundary: commands, places, states, and decisions of a user's controller."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from motionfields.base.errors import ConcurrencyError
from motionfields.control.contract import Arrival, Controller, ControllerState, Decision, Observation, Pivot
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.field.database import MotionState
from motionfields.runtime import Crowd
from motionfields.runtime.checking import checked_commands
from motionfields.runtime.stepping import step_few
from tests.control.training.small import direction_controller, small_field


@pytest.fixture(scope="module")
def controller() -> FieldController:
    return direction_controller()


@pytest.mark.parametrize(
    "commands",
    ["0.5", [["0.3"]], np.array([1 + 2j]), np.ma.masked_array([0.5], [True]), None, True, [[1.0], [1.0, 2.0]], 1e300],
    ids=str,
)
def test_commands_are_real_numbers(commands: Any) -> None:
    with pytest.raises(ValueError, match="commands: expected"):
        checked_commands(Direction(), commands, 1)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e300, "x", 1j])
def test_characters_are_put_at_real_places(controller: FieldController, wrong: Any) -> None:
    crowd = controller.crowd(2)
    with pytest.raises(ValueError, match="position: expected"):
        crowd.place(slice(None), [[wrong, 0.0]], [0.0])
    with pytest.raises(ValueError, match="facing: expected"):
        crowd.place(slice(None), [[0.0, 0.0]], [wrong])
    crowd.step(0.1)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e30])
def test_characters_start_from_real_states(controller: FieldController, wrong: float) -> None:
    crowd, state = controller.crowd(1), controller.field.draw(1)
    for part in range(2):
        for track in range(3):
            parts = [list(state.pose), list(state.velocity)]
            parts[part][track] = np.full_like(parts[part][track], wrong)
            odd = MotionState(type(state.pose)(*parts[0]), type(state.velocity)(*parts[1]))
            with pytest.raises(ValueError, match=r"state\.\w+: expected"):
                crowd.start_from(odd)
    with pytest.raises(ValueError, match=r"state\.root_position: expected shape"):
        crowd.start_from(controller.field.draw(3))


@pytest.mark.parametrize("count", [0, -1, 1.5, True, None, "3", 10**12])
def test_a_crowd_has_a_whole_number_of_characters(controller: FieldController, count: Any) -> None:
    with pytest.raises(ValueError, match="count: expected"):
        controller.crowd(count)
    with pytest.raises(ValueError, match="count: expected"):
        controller.crowd(2).resized(count)


@pytest.mark.parametrize("every", [0, -1, 1.5, np.nan, True, 2**62])
def test_decisions_are_a_whole_number_of_frames_apart(controller: FieldController, every: Any) -> None:
    with pytest.raises(ValueError, match="every: expected"):
        controller.crowd(2).set_detail(every=every)


def test_seeds_of_any_size_give_crowds_of_their_own(controller: FieldController) -> None:
    starts = [tuple(controller.crowd(20, seed=seed).followers.state) for seed in (0, 2**64, 2**200, -1)]
    assert len(set(starts)) == 4
    assert tuple(controller.crowd(20, seed=np.int64(5)).followers.state) == tuple(
        controller.crowd(20, seed=5).followers.state
    )
    with pytest.raises(ValueError, match=r"seed: expected a whole number, got 1\.5"):
        controller.crowd(20, seed=1.5)


class Own(Controller):
    """A controller that decides whatever it is told to."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(small_field(), Direction())
        self.decision = decision

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        return self.decision, seen.controller_state


STATES = np.array([3, 4])
GOOD = Decision.follow(STATES)


@pytest.mark.parametrize(
    "decision",
    [
        *(Decision.follow(np.array([3, wrong])) for wrong in (10**9, 10**6, -1, -(10**9))),
        Decision.follow(np.array([3])),
        Decision.follow(np.array([3.0, 4.0])),
        GOOD._replace(variant=np.array([0, 7])),
        GOOD._replace(variant=np.array([0, -1])),
        GOOD._replace(spin=np.array([0.0, np.nan])),
        GOOD._replace(spin=np.array([0.0, 1e300])),
        GOOD._replace(stretch=np.array([1.0, np.inf])),
        GOOD._replace(weights=np.array([[np.nan], [1.0]])),
        GOOD._replace(drift=float("nan")),
        GOOD._replace(pivot=Pivot(np.array([0.0, np.nan]), np.zeros((2, 2)))),
        GOOD._replace(pivot=Pivot(np.zeros(2), np.zeros((1, 2)))),
        Decision.blend(STATES[:, np.newaxis], np.ones((2, 1)), drift=0.1)._replace(weights=np.ones((2, 3))),
        Decision.blend(
            STATES[:, np.newaxis], np.ones((2, 1)), drift=0.1, arrival=Arrival(np.array([0, 10**9]), np.zeros((2, 2)))
        ),
        Decision.blend(
            STATES[:, np.newaxis], np.ones((2, 1)), drift=0.1, arrival=Arrival(STATES, np.full((2, 2), np.nan))
        ),
    ],
)
def test_a_decision_that_leaves_the_data_is_refused(decision: Decision) -> None:
    crowd = Crowd(Own(decision), 2)
    with pytest.raises(ValueError, match=r"decide: .*expected"):
        crowd.step(0.5)


def test_a_good_decision_is_followed() -> None:
    crowd = Crowd(Own(GOOD), 2)
    np.testing.assert_array_equal(crowd.step(0.5).states, STATES + 1)


class Nowhere(Direction):
    """A task that loses its goal."""

    def params(self, command: Any, ground: Any) -> Any:
        return super().params(command, ground) * np.nan


def test_parameters_that_are_not_numbers_are_refused(controller: FieldController) -> None:
    own = Own(GOOD)
    own.task = Nowhere()
    with pytest.raises(ValueError, match="Nowhere: expected `params` to return finite numbers"):
        Crowd(own, 2).step(0.5)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda crowd: pickle.loads(pickle.dumps(crowd))])
def test_a_copied_crowd_goes_on_alike_without_compiling(
    controller: FieldController, copied: Callable[[Crowd], Crowd]
) -> None:
    crowd = controller.crowd(3, seed=2)
    for _ in range(5):
        crowd.step(0.4)
    compiled = len(step_few.signatures)  # type: ignore[attr-defined]
    other = copied(crowd)
    for _ in range(5):
        for mine, its in zip(crowd.step(0.4), other.step(0.4), strict=True):
            np.testing.assert_array_equal(mine, its)
    assert len(step_few.signatures) == compiled  # type: ignore[attr-defined]


class Slow(Controller):
    """A controller that steps its crowd from another thread while it decides."""

    def __init__(self) -> None:
        super().__init__(small_field(), Direction())
        self.crowd_of: Crowd | None = None
        self.refused: list[Exception] = []

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        from threading import Thread

        def interfere() -> None:
            assert self.crowd_of is not None
            for use in (
                lambda: self.crowd_of.step(0.1),
                lambda: self.crowd_of.place(slice(None), [[0, 0]], [0]),
                lambda: self.crowd_of.resized(2),
            ):
                try:
                    use()
                except ConcurrencyError as error:
                    self.refused.append(error)

        thread = Thread(target=interfere)
        thread.start()
        thread.join()
        return Decision.follow(np.full(len(seen.params), 3)), seen.controller_state


def test_a_crowd_is_not_stepped_from_two_threads_at_once() -> None:
    controller = Slow()
    controller.crowd_of = Crowd(controller, 1)
    controller.crowd_of.step(0.1)
    assert len(controller.refused) == 3
    assert controller.crowd_of.frame_number == 1
