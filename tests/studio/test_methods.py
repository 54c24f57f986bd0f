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
from motionfields.studio.world_mode import APART

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


def test_methods_are_compared_side_by_side(session: Session) -> None:
    session.apply(m.Do(NAMES[0]))
    session.tick()
    session.apply(m.Compare(on=True))
    assert session.status().compared == list(NAMES)
    ground = session._cast.ground
    np.testing.assert_allclose(np.linalg.norm(np.diff(ground.position, axis=0), axis=1), APART)
    np.testing.assert_allclose(ground.facing, ground.facing[0], atol=1e-6)
    facing = float(ground.facing[0])
    session.apply(m.Steer(float(np.sin(facing - 1.2)), float(np.cos(facing - 1.2))))
    for _ in range(120):
        session.tick()
        assert [session.why(session.number, i).character for i in range(3)] == [0, 1, 2]
    assert np.abs(angle_difference(session._cast.ground.facing, facing - 1.2)).max() < 0.5
    session.apply(m.Select(2))
    assert session.task == NAMES[2]
    assert len(session.crowd_clips()[0]) == 3
    with pytest.raises(ValueError, match="0 to 2"):
        session.apply(m.Push(3, 0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    place = session._cast.ground.position[2]
    session.apply(m.Compare(on=False))
    assert (session.count, session.selected, session.task) == (1, 0, NAMES[2])
    np.testing.assert_array_equal(session._cast.ground.position[0], place)
    session.tick()
    with pytest.raises(ValueError, match="in frame"):
        session.why(session.number, 1)


def test_a_push_and_a_ball_reach_one_of_those_who_are_compared(session: Session) -> None:
    session.apply(m.Compare(on=True))
    session.apply(m.Push(2, 0, (0.0, 0.0, 0.0), (300.0, 0.0, 0.0)))
    session.tick()
    assert [who.pushes.moving.tolist() for who in session._cast.crowds if who._pushes is not None] == [[0]]
    x, z = session._cast.ground.position[1]
    session.apply(m.Throw((x, 1.1, z + 1.0), (0.0, 0.5, -12.0)))
    hit = [session.tick() and {who for who, _ in session._cast.hits} for _ in range(12)]
    assert set().union(*hit) == {1}
    session.apply(m.Gather(5))
    assert (session.count, session.status().compared) == (5, [])


def test_a_single_method_cannot_be_compared(controllers: list[FieldController]) -> None:
    with pytest.raises(ValueError, match="another controller"):
        Session(controllers).apply(m.Compare(on=True))
