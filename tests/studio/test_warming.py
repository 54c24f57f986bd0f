from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from motionfields.base.errors import MotionFieldsError
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.studio import Loop, Session
from motionfields.studio import messages as m
from motionfields.studio.warming import PUSHES, compile_for, find_faults, warm_beside
from tests.control.training.small import direction_controller
from tests.studio.test_loop import Listener


@pytest.mark.parametrize("found", [True, False], ids=["compiled", "the process fails"])
def test_a_session_moves_first_and_can_be_pushed_and_asked_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("motionfields.studio.warming.GRACE", 0.0)
    controller = direction_controller()
    path = tmp_path / "walker.ctrl"
    if found:
        controller.save(path)

    def prepare(loop: Loop) -> Session:
        session = Session([controller], title="walker")
        warm_beside(loop, session, [controller], [str(path)])
        assert not session.can_push
        with pytest.raises(MotionFieldsError, match="compiled"):
            session.why(0, 0)
        for message in (
            m.Push(0, 0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.1),
            m.Throw((0.0, 1.0, 2.0), (0.0, 0.0, -1.0)),
        ):
            with pytest.raises(MotionFieldsError, match="ready in a minute"):
                session.apply(message)
        return session

    listener = Listener()
    loop = Loop(prepare, listener)
    loop.start()
    with listener.came:
        assert listener.came.wait_for(lambda: loop.session is not None and loop.session.ready, timeout=600.0)
    listener.wait_for("frame", more=2, timeout=60.0)
    assert loop.call(lambda session: session.why(session.number, 0)).result(60.0).actions
    loop.stop()
    assert loop.failure is None
    assert found != bool(re.search("Traceback", capfd.readouterr().err))


def straight_walk() -> MotionField:
    return MotionField(
        MotionDatabase.build(sample.clip for sample in generate_samples(only=["walk_forward"], frame_rate=30.0))
    )


def test_findings_are_the_warnings_of_training() -> None:
    (finding,) = find_faults(straight_walk())
    assert finding.text.startswith("The set cannot turn")
    assert finding.advice.startswith("Capture turns to both sides")
    assert find_faults(direction_controller().field) == ()


def test_the_second_process_sends_the_findings_first(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    sending = SimpleNamespace(send=sent.append)
    controller = SimpleNamespace(field=straight_walk())
    monkeypatch.setattr("motionfields.studio.warming.load_controller", lambda path: controller)
    monkeypatch.setattr("motionfields.studio.warming.use_everything", lambda controller: None)
    compile_for(["walker.ctrl"], cast(Any, sending))
    assert sent == [find_faults(controller.field), PUSHES]


def test_pages_are_told_of_findings_when_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_faults(straight_walk())
    monkeypatch.setattr("motionfields.studio.warming.messages_of", lambda *arguments: iter([found]))
    monkeypatch.setattr("motionfields.studio.warming.become_ready", lambda session: None)  # it compiles for a minute
    controller = direction_controller()

    def prepare(loop: Loop) -> Session:
        session = Session([controller])
        warm_beside(loop, session, [controller], [])
        return session

    listener = Listener()
    loop = Loop(prepare, listener)
    loop.start()
    with listener.came:
        told = [{"text": found[0].text, "advice": found[0].advice}]
        assert listener.came.wait_for(lambda: any(one.get("findings") == told for one in listener.messages), 600.0)
    loop.stop()
    assert loop.failure is None
