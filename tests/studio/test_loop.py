from __future__ import annotations

import threading
import time

import msgspec
import numpy as np
import pytest

from motionfields.base.errors import MotionFieldsError
from motionfields.control.controller import FieldController
from motionfields.runtime import Crowd
from motionfields.studio import Loop, Session
from motionfields.studio import messages as m


class Listener:
    """Keeps what a loop publishes."""

    def __init__(self) -> None:
        self.messages: list[dict[str, object]] = []
        self.came = threading.Condition()

    def __call__(self, message: bytes, is_frame: bool) -> None:
        decoded = msgspec.msgpack.decode(message)
        assert is_frame == (decoded["type"] == "frame")
        with self.came:
            self.messages.append(decoded)
            self.came.notify_all()

    def frames(self) -> list[int]:
        return [int(str(message["number"])) for message in self.messages if message["type"] == "frame"]

    def wait_for(self, kind: str, *, more: int = 1, timeout: float = 300.0) -> dict[str, object]:
        with self.came:
            before = sum(message["type"] == kind for message in self.messages)
            assert self.came.wait_for(
                lambda: sum(message["type"] == kind for message in self.messages) >= before + more, timeout
            )
            return [message for message in self.messages if message["type"] == kind][-1]


def nothing(_: bytes) -> None:
    pass


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def loop(controllers: list[FieldController], listener: Listener) -> Loop:
    return Loop(lambda _: Session(controllers), listener)


def test_frames_come_at_the_frame_rate_one_after_the_other(loop: Loop, listener: Listener) -> None:
    loop.start()
    listener.wait_for("frame", more=2)
    began, first = time.perf_counter(), len(listener.frames())
    listener.wait_for("frame", more=45)
    seconds = time.perf_counter() - began
    loop.stop()
    assert 5.0 < (len(listener.frames()) - first) / seconds < 40.0  # a busy machine is late, and then catches up
    numbers = listener.frames()
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_what_is_published_is_in_the_greeting_already(controllers: list[FieldController]) -> None:
    """Else a page that joins in between never sees it while time stands still."""
    greeted: list[bool] = []
    enough = threading.Event()

    def publish(message: bytes, _: bool) -> None:
        greeted.append(message in told.greeting)
        if len(greeted) > 5:
            enough.set()

    told = Loop(lambda _: Session(controllers), publish)
    told.start()
    assert enough.wait(20.0)
    told.stop()
    assert all(greeted)


def test_slow_motion_makes_fewer_frames_of_the_same_length(loop: Loop, listener: Listener) -> None:
    loop.start()
    listener.wait_for("frame")
    loop.hear("page", m.Clock(paused=False, speed=0.25), nothing)
    listener.wait_for("status")
    began = time.perf_counter()
    # At full speed 16 frames take 0.53 s; at a quarter of it 2.1 s, of which a loop that was late makes up a little.
    listener.wait_for("frame", more=16)
    assert time.perf_counter() - began > 1.0
    loop.stop()


def test_a_paused_loop_goes_on_by_steps_alone(loop: Loop, listener: Listener) -> None:
    loop.start()
    listener.wait_for("frame")
    loop.hear("page", m.Clock(paused=True), nothing)
    assert listener.wait_for("status")["paused"]
    count = len(listener.frames())
    time.sleep(0.3)
    assert len(listener.frames()) == count
    for _ in range(3):
        loop.hear("page", m.Step(), nothing)
        listener.wait_for("frame")
    assert len(listener.frames()) == count + 3
    loop.stop()


def test_questions_are_answered_and_of_one_page_only_the_newest_counts(loop: Loop, listener: Listener) -> None:
    answers: list[bytes] = []
    loop.start()
    listener.wait_for("frame", more=5)
    with loop._changed:  # while the loop waits for us, all of these pile up
        for number in range(5):
            loop._questions["page", m.Look] = (m.Look(number), answers.append)
        loop._changed.notify()
    loop.hear("other page", m.Ask(3, 0), answers.append)
    listener.wait_for("frame", more=2)
    loop.stop()
    kinds = {msgspec.msgpack.decode(answer)["type"]: msgspec.msgpack.decode(answer)["number"] for answer in answers}
    assert kinds == {"frame": 4, "reasons": 3}
    assert len(answers) == 2


def test_what_is_refused_is_told_to_the_one_who_asked(loop: Loop, listener: Listener) -> None:
    answers: list[bytes] = []
    loop.start()
    listener.wait_for("frame")
    loop.hear("page", m.Do("dance"), answers.append)
    loop.hear("page", m.Ask(0, 150), answers.append)
    listener.wait_for("frame", more=3)
    loop.stop()
    reasons = [msgspec.msgpack.decode(answer)["reason"] for answer in answers]
    assert len(reasons) == 2
    assert any("dance" in reason for reason in reasons)
    assert any("expected 0 to 0 in frame" in reason for reason in reasons)


def test_jobs_run_on_the_thread_of_the_loop_and_hand_back_errors(loop: Loop, listener: Listener) -> None:
    loop.start()
    listener.wait_for("frame")
    assert loop.call(lambda _: threading.current_thread().name).result(5.0) == "motionfields simulation"
    with pytest.raises(ZeroDivisionError):
        loop.call(lambda _: 1 // 0).result(5.0)
    listener.wait_for("frame")
    loop.stop()


def test_a_flood_of_commands_is_bounded_and_time_goes_on(loop: Loop, listener: Listener) -> None:
    loop.start()
    listener.wait_for("frame")
    for number in range(20_000):
        loop.hear("page", m.Steer(1.0, float(number)), nothing)
    assert len(loop._commands) <= 1000
    listener.wait_for("frame", more=5)
    loop.stop()


def test_an_error_while_preparing_ends_the_loop_and_is_kept(listener: Listener) -> None:
    failed = threading.Event()

    def prepare(_: Loop) -> Session:
        raise MotionFieldsError("no character today")

    loop = Loop(prepare, listener, on_failure=failed.set)
    loop.start()
    assert failed.wait(5.0)
    assert str(loop.failure) == "no character today"
    loop.stop()


def test_preparing_is_told_and_ends_early_when_the_loop_is_stopped(listener: Listener) -> None:
    begun, ended = threading.Event(), threading.Event()

    def prepare(loop: Loop) -> Session:
        try:
            while True:
                loop.tell("knitting", 0.5)
                begun.set()
                time.sleep(0.01)
        finally:
            ended.set()

    loop = Loop(prepare, listener)
    loop.start()
    assert begun.wait(5.0)
    assert listener.messages[0] == {"type": "preparing", "doing": "knitting", "share": 0.5}
    loop.stop()
    assert ended.wait(5.0)
    assert loop.failure is None


def test_an_error_in_a_frame_is_shown_and_survived(
    session: Session, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The characters start again at their places; the second error in a row pauses."""
    loop = Loop(lambda _: session, listener)
    session.apply(m.Gather(3))
    for _ in range(5):
        loop._advance(session)
    number, places = session.number, session._crowd.followers.position.copy()
    broken = Crowd.step

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a task of the user's")

    monkeypatch.setattr(Crowd, "step", fail)
    loop._advance(session)
    assert "RuntimeError: a task of the user's" in str(listener.messages[-1]["reason"])
    assert (session.number, session.count, session.paused) == (number, 3, False)
    np.testing.assert_allclose(session._crowd.followers.position, places)
    loop._advance(session)
    assert session.paused
    assert "paused" in str([one for one in listener.messages if one["type"] == "refused"][-1]["reason"])
    monkeypatch.setattr(Crowd, "step", broken)
    session.paused = False
    loop._advance(session)
    assert session.number == number + 1
    assert listener.messages[-1]["type"] == "frame"
