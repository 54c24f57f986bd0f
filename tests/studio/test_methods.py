"""The studio with controllers of all methods: the same character, led by each in turn."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import angle_difference
from motionfields.control.controller import FieldController
from motionfields.control.methods import train_graph, train_matching
from motionfields.control.tasks import Direction
from motionfields.studio import Session
from motionfields.studio import messages as m

NAMES = ("direction", "direction (graph)", "direction (matching)")


@pytest.fixture(scope="module")
def session(controllers: list[FieldController]) -> Session:
    field = controllers[0].field
    return Session([controllers[0], train_graph(field, Direction()), train_matching(field, Direction())])


def test_methods_are_told_apart_by_name(session: Session) -> None:
    assert tuple(session.controllers) == NAMES
    assert [task.name for task in session.hello().tasks] == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_character_is_handed_over_and_turns_as_it_is_steered(session: Session, name: str) -> None:
    session.apply(m.Do(name))
    facing = float(session._crowd.ground.facing[0])
    session.apply(m.Steer(float(np.sin(facing + 1.2)), float(np.cos(facing + 1.2))))
    for _ in range(120):
        session.tick()
    assert abs(angle_difference(session._crowd.ground.facing[0], facing + 1.2)) < 0.5


@pytest.mark.parametrize("name", NAMES)
def test_why_tells_what_was_decided_in_every_frame(session: Session, name: str) -> None:
    session.apply(m.Do(name))
    counts = []
    for _ in range(40):
        session.tick()
        why = session.why(session.number, 0)
        assert why.chosen == why.actions[0].state
        assert (len(why.values) == 72) == (name != "direction (matching)")
        counts.append(why.action_count)
    if name == "direction":
        assert min(counts) > 1
    else:  # it decides now and then, and goes on in between
        assert min(counts) == 1
        assert max(counts) > 10
