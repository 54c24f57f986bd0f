from __future__ import annotations

import re
from pathlib import Path

import pytest

from motionfields.base.errors import MotionFieldsError
from motionfields.motion.samples import generate_samples
from motionfields.studio import Loop
from motionfields.studio.demo import CLIPS, FIELD, ORDER, Demo
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
