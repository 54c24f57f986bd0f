from __future__ import annotations

import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.errors import MotionFieldsError
from motionfields.motion.samples import generate_samples
from motionfields.studio import Loop, Session
from motionfields.studio.demo import CLIPS, FIELD, ORDER, SHIPPED, Demo, InstantDemo, _become_ready
from tests.studio.test_loop import Listener

FEW = re.compile(r"walk_(forward|stop)|stand_idle|turn_left_(090|180)_quick")


def start(demo: Demo) -> tuple[Loop, Listener]:
    listener = Listener()
    loop = Loop(demo.prepare, listener)
    loop.start()
    return loop, listener


def tasks(listener: Listener) -> list[str]:
    hello = next(message for message in reversed(listener.messages) if message["type"] == "hello")
    return [task["name"] for task in hello["tasks"]]  # type: ignore[attr-defined]


def test_the_clips_of_the_demo_are_there_and_few() -> None:
    names = [sample.clip.name for sample in generate_samples(frame_rate=10.0, only=CLIPS)]
    assert 20 <= len(names) <= 40
    assert "stand_idle" in names


def test_the_first_start_makes_the_character_and_the_next_one_keeps_it(tmp_path: Path) -> None:
    demo = Demo(tmp_path / "made", FEW)
    loop, listener = start(demo)
    listener.wait_for("hello", timeout=600.0)
    assert tasks(listener)[0] == ORDER[0]
    listener.wait_for("frame", more=5)
    with listener.came:
        assert listener.came.wait_for(lambda: tasks(listener) == list(ORDER), timeout=600.0)
    loop.stop()
    assert loop.failure is None
    assert {path.name for path in demo.folder.iterdir()} == {demo.path(name).name for name in (FIELD, *ORDER)}

    changed = [demo.path(name).stat().st_mtime_ns for name in ORDER]
    again, listener = start(demo)
    listener.wait_for("hello", timeout=600.0)
    again.stop()
    assert tasks(listener) == list(ORDER)
    assert changed == [demo.path(name).stat().st_mtime_ns for name in ORDER]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    loop, _ = start(Demo(tmp_path / "file" / "made", FEW))
    loop._thread.join(60.0)
    assert isinstance(loop.failure, OSError | MotionFieldsError)


@pytest.mark.parametrize("damage", [b"", b"no artifact"])
def test_a_damaged_controller_counts_as_none(tmp_path: Path, damage: bytes) -> None:
    from motionfields.studio.demo import _loaded

    file = tmp_path / "x.ctrl"
    file.write_bytes(damage)
    assert _loaded(file) is None
    assert _loaded(tmp_path / "none.ctrl") is None


def test_the_instant_demo_moves_before_its_code_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Loop] = []
    monkeypatch.setattr(InstantDemo, "_get_ready", lambda _, loop: started.append(loop))
    listener = Listener()
    loop = Loop(InstantDemo(tmp_path / "made").prepare, listener)
    loop.start()
    listener.wait_for("frame", more=5, timeout=60.0)
    assert started == [loop]
    assert tasks(listener) == [ORDER[0]]
    session = loop.session
    assert session is not None
    assert not session.hello().can_push
    with pytest.raises(MotionFieldsError, match="compiled"):
        loop.call(lambda session: session.why(session.number, 0)).result(60.0)
    monkeypatch.setattr(Session, "warm_pushes", lambda _: None)
    loop.call(_become_ready).result(60.0)
    assert session.hello().can_push == (find_spec("mujoco") is not None)
    loop.stop()
    assert loop.failure is None


def test_the_shipped_character_is_small_and_kept(tmp_path: Path) -> None:
    demo = InstantDemo(tmp_path)
    assert len((files("motionfields.studio") / SHIPPED).read_bytes()) < 2_100_000
    first = demo.first()
    assert "stand_idle" in first.field.database.clip_names
    demo.path(ORDER[0]).unlink()  # the first one still reads the old file
    demo.path(ORDER[0]).write_bytes(b"damaged")
    np.testing.assert_array_equal(demo.first().values.table(), first.values.table())
