from __future__ import annotations

import re
from pathlib import Path

import pytest

from motionfields.base.errors import MotionFieldsError
from motionfields.studio import Loop, Session
from motionfields.studio.warming import warm_beside
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
