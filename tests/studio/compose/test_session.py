from __future__ import annotations

import msgspec
import numpy as np
import pytest

from motionfields.authoring.compose.composing import Composer
from motionfields.authoring.compose.goals import LabelGoal
from motionfields.authoring.compose.labels import NO, YES, label_states
from motionfields.authoring.compose.timeline import Timeline, format_timeline, parse_timeline
from motionfields.base.errors import AnnotationError, ComposeError
from motionfields.studio import ComposeSession
from motionfields.studio.compose import messages as c

TURN = Timeline(3.0, (LabelGoal("walk", 0.0, 1.0), LabelGoal("turn_left", 1.5, 2.0)))


def asked(timeline: Timeline, *, count: int = 1) -> c.Compose:
    return c.Compose(1, format_timeline(timeline).decode(), count)


def silent(doing: str, share: float) -> None:
    pass


@pytest.mark.parametrize(
    "message", [c.Compose(3, "{}", 2, True), c.Judge(1, 0.5, 1.0, "walk", False), c.Peek("walk_forward", 0.5)]
)
def test_messages_of_a_page_come_back_as_they_were(message: c.ToComposer) -> None:
    assert c.decode(c.encode(message)) == message


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "compose", "revision": 1, "timeline": "x" * 70_000},
        {"type": "compose", "revision": 1, "timeline": "{}", "count": 6},
        {"type": "judge", "number": 1, "start": float("nan"), "end": 1.0, "label": "walk", "right": True},
        {"type": "peek", "take": "a", "time": -1.0},
        {"type": "scene"},
    ],
    ids=str,
)
def test_messages_out_of_bounds_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(msgspec.MsgspecError):
        c.decode(msgspec.msgpack.encode(fields))


def test_a_page_starts_with_the_labels_the_takes_and_a_timeline(session: ComposeSession) -> None:
    scene = session.scene()
    assert [label.name for label in scene.labels] == ["turn_left", "turn_right", "walk"]
    assert scene.labels[2].seconds == pytest.approx(sum(take.seconds for take in scene.takes))
    assert parse_timeline(scene.timeline.encode()) == Timeline(20.0)


def test_the_motions_are_those_of_a_composer_in_order_of_search(session: ComposeSession) -> None:
    steps: list[tuple[str, float]] = []
    found = list(session.motions(asked(TURN, count=2), lambda doing, share: steps.append((doing, share))))
    plain = Composer(session.field, session.labels).compose(TURN)
    assert [motion.rank for motion in found] == [0, 1]
    assert found[0].cost == plain.costs.total <= found[1].cost
    np.testing.assert_array_equal(np.frombuffer(found[0].roots).reshape(-1, 3), plain.clip.root_position)
    assert [piece.take for piece in found[0].pieces] == [piece.take for piece in plain.pieces]
    assert any("turn_left" in piece.labels for piece in found[0].pieces)
    assert [doing for doing, _ in steps] == 2 * ["searching", "rendering"]


def test_missed_stretches_are_those_of_the_frames_that_fail(session: ComposeSession) -> None:
    both = (LabelGoal("turn_left", 0.0, 2.0), LabelGoal("turn_right", 0.0, 2.0))
    (motion,) = session.motions(asked(Timeline(2.0, both)), silent)
    lost = sum(end - start for missed in motion.missed for start, end in missed.runs)
    assert lost == pytest.approx(sum(2.0 * (1.0 - missed.share) for missed in motion.missed))
    assert lost >= 2.0 - 1e-9  # no frame turns both ways


def test_a_wrong_piece_loses_its_label_and_is_not_used_again(session: ComposeSession) -> None:
    (motion,) = session.motions(asked(TURN), silent)
    path = session.motion(motion.number).path  # type: ignore[union-attr]
    session.judge(c.Judge(motion.number, 1.5, 2.0, "turn_left", False))
    frames = slice(round(1.5 / session.field.database.frame_time), round(2.0 / session.field.database.frame_time))
    column = session.labels.column_of("turn_left")
    assert (session.labels.values[path[frames], column] == NO).all()
    np.testing.assert_array_equal(
        session.labels.values, label_states(session.field.database, session.annotations).values
    )
    (again,) = session.motions(asked(TURN), silent)
    other = session.motion(again.number).path  # type: ignore[union-attr]
    assert not np.isin(other[frames], path[frames]).any()
    session.judge(c.Judge(motion.number, 1.5, 2.0, "turn_left", True))
    assert (session.labels.values[path[frames], column] == YES).all()


def test_with_learning_an_answer_teaches_only_its_label(session: ComposeSession) -> None:
    pytest.importorskip("sklearn")
    few = session.annotations.spans[:4]
    learning = ComposeSession(session.field, type(session.annotations)(few, complete=False), learn=True)
    before = learning.labels
    (motion,) = learning.motions(asked(Timeline(1.0, (LabelGoal("walk", 0.0, 1.0),))), silent)
    learning.judge(c.Judge(motion.number, 0.0, 0.5, "walk", False))
    for name in ("turn_left", "turn_right"):
        column = before.column_of(name)
        np.testing.assert_array_equal(learning.labels.values[:, column], before.values[:, column])
    assert (learning.labels.values[:, before.column_of("walk")] != before.values[:, before.column_of("walk")]).any()


def test_a_source_pose_stands_at_the_origin(session: ComposeSession) -> None:
    pose = session.pose(c.Peek("walk_forward", 0.5))
    x, y, z = np.frombuffer(pose.roots)
    assert (x, z) == (0.0, 0.0)
    assert 0.5 < y < 1.5
    with pytest.raises(ComposeError, match="expected the name of a clip"):
        session.pose(c.Peek("nothing", 0.5))


def test_wrong_requests_say_what_is_wrong(session: ComposeSession) -> None:
    with pytest.raises(AnnotationError):
        next(session.motions(c.Compose(1, "{"), silent))
    with pytest.raises(ValueError, match="not kept"):
        session.judge(c.Judge(99, 0.0, 1.0, "walk", True))
    with pytest.raises(ValueError, match="label: expected one of"):
        session.judge(c.Judge(99, 0.0, 1.0, "fly", True))
