from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.errors import MotionFieldsError
from motionfields.studio import Loop, Session
from motionfields.studio.demo import ORDER, Demo, shipped
from motionfields.studio.warming import become_ready
from tests.studio.test_loop import Listener


def start(demo: Demo) -> tuple[Loop, Listener]:
    listener = Listener()
    loop = Loop(demo.prepare, listener)
    loop.start()
    return loop, listener


def tasks(listener: Listener) -> list[str]:
    """The tasks that the newest greeting names."""
    greetings = [message for message in listener.messages if message["type"] == "hello"]
    return [task["name"] for task in greetings[-1]["tasks"]] if greetings else []  # type: ignore[attr-defined]


def test_the_first_start_trains_for_other_tasks_and_the_next_one_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("motionfields.studio.warming.GRACE", 0.0)
    demo = Demo(tmp_path / "made")
    loop, listener = start(demo)
    with listener.came:
        assert listener.came.wait_for(lambda: tasks(listener) == list(ORDER), timeout=600.0)
    session = loop.session
    assert session is not None
    assert session.ready
    assert loop.call(lambda session: session.why(session.number, 0)).result(60.0).actions
    loop.stop()
    assert loop.failure is None
    assert {path.name for path in demo.folder.iterdir()} == {demo.path(name).name for name in ORDER}

    changed = [demo.path(name).stat().st_mtime_ns for name in ORDER]
    again, listener = start(demo)
    with listener.came:
        assert listener.came.wait_for(lambda: tasks(listener) == list(ORDER), timeout=600.0)
    again.stop()
    assert changed == [demo.path(name).stat().st_mtime_ns for name in ORDER]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    loop, _ = start(Demo(tmp_path / "file" / "made"))
    loop._thread.join(60.0)
    assert isinstance(loop.failure, OSError | MotionFieldsError)


@pytest.mark.parametrize("damage", [b"", b"no artifact"])
def test_a_damaged_controller_counts_as_none(tmp_path: Path, damage: bytes) -> None:
    from motionfields.studio.demo import _loaded

    file = tmp_path / "x.ctrl"
    file.write_bytes(damage)
    assert _loaded(file) is None
    assert _loaded(tmp_path / "none.ctrl") is None


def test_it_moves_before_its_code_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Loop] = []
    monkeypatch.setattr(Demo, "_get_ready", lambda _, loop: started.append(loop))
    loop, listener = start(Demo(tmp_path / "made"))
    listener.wait_for("frame", more=5, timeout=60.0)
    assert started == [loop]
    assert tasks(listener) == [ORDER[0]]
    session = loop.session
    assert session is not None
    assert not session.hello().can_push
    with pytest.raises(MotionFieldsError, match="compiled"):
        loop.call(lambda session: session.why(session.number, 0)).result(60.0)
    monkeypatch.setattr(Session, "warm_pushes", lambda _: None)
    loop.call(become_ready).result(60.0)
    assert session.hello().can_push == (find_spec("mujoco") is not None)
    loop.stop()
    assert loop.failure is None


def test_the_shipped_character_is_small_and_kept(tmp_path: Path) -> None:
    demo = Demo(tmp_path)
    assert len(shipped()) < 2_100_000
    first = demo.first()
    assert "stand_idle" in first.field.database.clip_names
    demo.path(ORDER[0]).unlink()  # the first one still reads the old file
    demo.path(ORDER[0]).write_bytes(b"damaged")
    np.testing.assert_array_equal(demo.first().values.table(), first.values.table())
