from __future__ import annotations

import numpy as np
import pytest

from motionfields.control.controller import FieldController
from motionfields.field import similarity_weights
from motionfields.runtime import Crowd
from motionfields.studio import Session
from motionfields.studio import messages as m
from motionfields.studio.history import History


def test_the_first_action_is_the_one_that_was_followed(session: Session) -> None:
    session.apply(m.Gather(4))
    for frame in range(90):
        if frame == 40:
            session.apply(m.Steer(-1.0, 0.3))
        session.tick()
        for character in range(4):
            why = session.why(session.number, character)
            moment = session.history.at(session.number)
            assert why.actions[0].state == why.chosen == moment.decided_by(character).chosen[0]
            assert why.actions[0].variant == why.chosen_variant
            scores = [action.score for action in why.actions]
            assert scores == sorted(scores, reverse=True)
            for action in why.actions:
                assert action.score == pytest.approx(action.reward - action.cost + action.future)


def test_reasons_of_the_past_stay_as_they_were(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.apply(m.Gather(3))
    told = {}
    monkeypatch.setattr(session, "history", History(60))
    session.tick()
    for frame in range(120):
        if frame % 30 == 10:
            session.apply(m.Steer(*np.random.default_rng(frame).normal(size=2).tolist()))
        if frame == 60:
            session.apply(m.Do("velocity"))
        session.tick()
        told[session.number] = m.encode(session.why(session.number, 1))
    for number in range(session.history.oldest, session.number + 1):
        assert m.encode(session.why(number, 1)) == told[number]


def test_the_next_frame_shows_the_state_after_the_one_followed(session: Session) -> None:
    for _ in range(50):
        session.tick()
        why = session.why(session.number, 0)
        followed = session.history.at(session.number)
        crowd: Crowd = session._crowd
        assert crowd.followers.state[0] == why.chosen + 1
        assert followed.decided_by(0).seen.followers.state[0] == why.state


def test_neighbours_are_those_of_the_field_with_their_weights(session: Session) -> None:
    for _ in range(20):
        session.tick()
    why = session.why(session.number, 0)
    assert len(why.neighbors) == session.field.neighbor_count
    distances = np.array([neighbor.distance for neighbor in why.neighbors])
    assert (np.diff(distances) >= 0.0).all()
    np.testing.assert_allclose(
        [neighbor.weight for neighbor in why.neighbors], similarity_weights(distances[np.newaxis])[0], rtol=1e-5
    )


def test_values_are_those_of_the_state_for_goals_all_around(session: Session) -> None:
    session.tick()
    why = session.why(session.number, 0)
    assert len(why.headings) == len(why.values) == 72
    controller = session.controller
    assert isinstance(controller, FieldController)
    params = np.array([[why.headings[10]]])
    row = np.array([why.state + why.variant * session.field.database.state_count])
    assert why.values[10] == pytest.approx(float(controller.values.lookup(row, params)[0]))
    assert max(why.values) - min(why.values) > 0.1


def test_ghosts_stand_where_the_character_stood(session: Session) -> None:
    for _ in range(30):
        session.tick()
    why = session.why(session.number, 0)
    here = session.history.at(session.number - 1).shown.root_position[0]
    for ghosts, count in ((why.neighbor_ghosts, len(why.neighbors)), (why.action_ghosts, len(why.actions))):
        roots = np.frombuffer(ghosts.roots).reshape(-1, 3)
        rotations = np.frombuffer(ghosts.rotations, "<i2").reshape(count, -1, 4) / m.ROTATION_UNIT
        assert len(roots) == count
        assert np.abs(roots - here).max() < 0.3
        np.testing.assert_allclose(np.linalg.norm(rotations, axis=-1), 1.0, atol=1e-3)
    winner = np.frombuffer(why.action_ghosts.roots).reshape(-1, 3)[0]
    np.testing.assert_allclose(winner, session.history.at(session.number).shown.root_position[0], atol=0.1)


def test_who_was_not_there_has_no_reasons(session: Session) -> None:
    session.tick()
    with pytest.raises(ValueError, match="expected 0 to 0 in frame"):
        session.why(session.number, 1)
    session.apply(m.Gather(2))
    session.tick()
    assert session.why(session.number, 1).character == 1
