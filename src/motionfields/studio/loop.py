"""The simulation in time: a thread of its own that ticks at the frame rate, whatever pages do.

Pages hand in messages and get answers through callbacks. What they ask about the past is answered in the time that is
left before the next frame is due, and one question at least between two frames; of each page only the newest counts. So
no number of pages makes a frame late.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from threading import Condition, Thread
from typing import TypeVar

from motionfields.base.errors import MotionFieldsError
from motionfields.studio import messages as m
from motionfields.studio.session import Session

Result = TypeVar("Result")
Answer = Callable[[bytes], None]

MOST_WAITING = 1000  # messages that wait for the next frame; older ones are forgotten
OBEYING = 0.015  # seconds for what was told before a frame; the rest waits for the next
LATEST = 0.25  # seconds behind which the clock gives up catching up
PAUSED = 1.0  # seconds between looks at a simulation that stands still
TIMED = 3600  # ticks whose times are kept


class StoppedError(Exception):
    """Raised in what is being prepared when nobody waits for it any more."""


Prepare = Callable[["Loop"], Session]


class Loop:
    """Runs what `prepare` makes, a session, on its own thread, from `start` until `stop`.

    `publish` is called on that thread with every message that is for all pages, and with whether it is a frame, of
    which only the newest counts. `prepare` is given the loop, may take long, and should `tell` what it does.
    `on_failure` is called when an error ends the thread; it is in `failure` then.
    """

    def __init__(
        self,
        prepare: Prepare,
        publish: Callable[[bytes, bool], None],
        *,
        on_failure: Callable[[], None] = lambda: None,
    ) -> None:
        self.session: Session | None = None
        self.failure: Exception | None = None
        self.delays: deque[float] = deque(maxlen=TIMED)  # seconds from when ticks were due to their end
        self.greeting: tuple[bytes, ...] = ()  # what a page that joins now has to know
        self._prepare = prepare
        self._publish = publish
        self._on_failure = on_failure
        self._changed = Condition()
        self._stopping = False
        self._ended = False
        self._greeting = [b"", b"", b""]  # hello, status and newest frame
        self._told_tasks: tuple[str, ...] = ()
        self._told_status: tuple[object, ...] = ()
        self._told_number = -1
        self._commands: deque[tuple[m.FromClient, Answer]] = deque(maxlen=MOST_WAITING)
        self._questions: dict[tuple[Hashable, type], tuple[m.FromClient, Answer]] = {}
        self._jobs: deque[Callable[[], None]] = deque()
        self._thread = Thread(target=self._run, name="motionfields simulation", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the frame that is being made, and wait for that; not for what is still being prepared."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self.session is not None:
            self._thread.join()

    def hear(self, page: Hashable, message: m.FromClient, answer: Answer) -> None:
        """Take a `message` of a `page`; `answer` is called on the loop's thread, if there is anything to say."""
        with self._changed:
            if isinstance(message, m.Look | m.Ask):
                self._questions[page, type(message)] = (message, answer)
            else:
                self._commands.append((message, answer))
            self._changed.notify()

    def leave(self, page: Hashable) -> None:
        """Forget what a `page` asked."""
        with self._changed:
            for kind in (m.Look, m.Ask):
                self._questions.pop((page, kind), None)

    def tell(self, doing: str, share: float) -> None:
        """Tell all pages what is being prepared, in words, and the share of it that is done.

        Raises `StoppedError` if nobody waits for it any more. For `prepare` alone.
        """
        if self._stopping:
            raise StoppedError
        self.greeting = (m.encode(m.Preparing(doing, share)),)
        self._publish(self.greeting[0], False)

    def call(self, job: Callable[[Session], Result]) -> Future[Result]:
        """What `job` makes of the session, on the loop's thread, once there is a session."""
        result: Future[Result] = Future()

        def run() -> None:
            try:
                if self._ended or self.session is None:
                    raise MotionFieldsError(f"the simulation has ended: {self.failure or 'it was stopped'}")
                result.set_result(job(self.session))
            except Exception as error:  # it is the caller's
                result.set_exception(error)

        with self._changed:
            if not self._ended:
                self._jobs.append(run)
                self._changed.notify()
                return result
        run()
        return result

    def _run(self) -> None:
        try:
            session = self._prepare(self)
            self.session = session
            self._go_on(session)
        except StoppedError:
            pass
        except Exception as error:
            self.failure = error
            self._on_failure()
        finally:
            with self._changed:
                self._ended = True
            while self._jobs:
                self._jobs.popleft()()

    def _publish_changes(self, session: Session) -> None:
        """Tell all pages, and those that join later, what is not as it was when they were last told."""
        tasks, steady = tuple(session.controllers), _steady(session.status())
        changed = []
        if tasks != self._told_tasks:
            self._greeting[0] = m.encode(session.hello())
            changed.append(0)
        if steady != self._told_status:
            self._greeting[1] = m.encode(session.status())
            changed.append(1)
        if session.number != self._told_number:
            self._greeting[2] = session.look(session.number)
            changed.append(2)
        self._told_tasks, self._told_status, self._told_number = tasks, steady, session.number
        self.greeting = tuple(self._greeting)  # first, so that a page that joins meanwhile misses none of it
        for place in changed:
            self._publish(self._greeting[place], place == 2)

    def _go_on(self, session: Session) -> None:
        due = time.perf_counter()
        while not self._stopping:
            self._obey(session)
            now = time.perf_counter()
            if session.paused:
                due = now
                self._rest(session, now + PAUSED)
            elif now < due:
                self._rest(session, due)
            else:
                self._answer(session)
                session.tick()
                self._publish_changes(session)
                step = session.frame_time / session.speed
                self.delays.append(time.perf_counter() - due)
                due = max(due + step, now - LATEST)

    def _obey(self, session: Session) -> None:
        """Carry out what was told since the last frame, as much of it as there is time for."""
        until = time.perf_counter() + OBEYING
        while time.perf_counter() < until and (told := self._next_told(session)) is not None:
            told()
        self._publish_changes(session)

    def _next_told(self, session: Session) -> Callable[[], None] | None:
        """What is to be carried out next, if anything is."""
        with self._changed:
            if self._jobs:
                return self._jobs.popleft()
            return partial(self._apply, session, *self._commands.popleft()) if self._commands else None

    def _apply(self, session: Session, message: m.FromClient, answer: Answer) -> None:
        try:
            session.apply(message)
        except Exception as error:
            answer(_refusal(message, error))

    def _rest(self, session: Session, until: float) -> None:
        """Answer questions, one at least, until something is told or the time `until` comes."""
        while True:
            self._answer(session)
            with self._changed:
                if self._stopping or self._commands or self._jobs:
                    return
                left = until - time.perf_counter()
                if left <= 0.0:
                    return
                if not self._questions:
                    self._changed.wait(left)

    def _answer(self, session: Session) -> None:
        """Answer the question that waits longest, if one does."""
        with self._changed:
            if not self._questions:
                return
            question, answer = self._questions.pop(next(iter(self._questions)))
        answer(self._reply(session, question))

    def _reply(self, session: Session, question: m.FromClient) -> bytes:
        try:
            if isinstance(question, m.Look):
                return session.look(question.number)
            assert isinstance(question, m.Ask)
            return m.encode(session.why(question.number, question.character))
        except Exception as error:
            return _refusal(question, error)


def _refusal(message: m.FromClient, error: Exception) -> bytes:
    """What the page that sent `message` is told; a fault of one message must not end everybody's session."""
    if not isinstance(error, MotionFieldsError | ValueError):
        logging.getLogger(__name__).error("%r could not be carried out", message, exc_info=error)
    return m.encode(m.Refused(str(error)[:500]))


def _steady(status: m.Status) -> tuple[object, ...]:
    """What of `status` does not change from frame to frame by itself."""
    return (status.task, status.count, status.selected, status.paused, status.speed, status.pace, status.taking)
