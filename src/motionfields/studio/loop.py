"""The real-time loop: a thread that steps the simulation at the frame rate, whatever pages do.

Pages hand in messages and get answers through callbacks. Questions about the past are answered in the time left before
the next frame is due, and at least one between two frames. Of each page, only the newest question of each kind is kept,
so more pages do not make frames late.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from motionfields.base.errors import MotionFieldsError
from motionfields.studio import messages as m
from motionfields.studio.page_loop import Answer, PageLoop, Publish, refusal
from motionfields.studio.session import Session

Result = TypeVar("Result")

MOST_WAITING = 1000  # queued commands; beyond that the oldest is dropped
OBEYING = 0.015  # seconds to carry out commands before a frame; the rest wait for the next frame
LATEST = 0.25  # seconds; a loop further behind than this skips the lost time
PAUSED = 1.0  # seconds between wake-ups of a paused loop
TIMED = 3600  # ticks whose delays are kept

Prepare = Callable[["Loop"], Session]


class Loop(PageLoop):
    """Real-time loop that runs the session made by `prepare` on its own thread (see `PageLoop`).

    `prepare` receives the loop, may take long, and should report progress with `tell`. An error in a frame is shown to
    all pages, and the characters start again; another error, as in `prepare`, ends the thread.
    """

    def __init__(self, prepare: Prepare, publish: Publish, *, on_failure: Callable[[], None] = lambda: None) -> None:
        super().__init__(publish, on_failure=on_failure, name="simulation")
        self.session: Session | None = None
        self.delays: deque[float] = deque(maxlen=TIMED)  # seconds from the due time of each tick to its end
        self._prepare = prepare
        self._ended = False
        self._greeting = [b"", b"", b"", b""]  # hello, status, world and newest frame
        self._told_tasks: tuple[object, ...] = ()  # names, findings, and whether characters can be pushed
        self._told_status: tuple[object, ...] = ()
        self._told_world: m.WorldState | None = None
        self._told_number = -1
        self._failed = False  # whether the newest frame failed
        self._commands: deque[tuple[m.FromClient, Answer]] = deque(maxlen=MOST_WAITING)
        self._questions: dict[tuple[Hashable, type], tuple[m.FromClient, Answer]] = {}
        self._jobs: deque[Callable[[], None]] = deque()

    def stop(self) -> None:
        """Stop after the current frame and wait for it; does not wait for a `prepare` that is still running."""
        super().stop()
        if self.session is not None:
            self._thread.join()

    def hear(self, page: Hashable, message: m.FromClient, answer: Answer) -> None:
        """Queue a `message` of a `page`; an answer, if there is one, goes to `answer` on the loop's thread."""
        with self._changed:
            if isinstance(message, m.Look | m.Ask | m.AskPlan):
                self._questions[page, type(message)] = (message, answer)
            else:
                self._commands.append((message, answer))
            self._changed.notify()

    def leave(self, page: Hashable) -> None:
        """Drop the open questions of a `page`."""
        with self._changed:
            for kind in (m.Look, m.Ask, m.AskPlan):
                self._questions.pop((page, kind), None)

    def call(self, job: Callable[[Session], Result]) -> Future[Result]:
        """Run `job` with the session on the loop's thread, once there is a session, and return its future result."""
        result: Future[Result] = Future()

        def run() -> None:
            try:
                if self._ended or self.session is None:
                    raise MotionFieldsError(f"the simulation has ended: {self.failure or 'it was stopped'}")
                result.set_result(job(self.session))
            except Exception as error:  # passed on to the caller through the future
                result.set_exception(error)

        with self._changed:
            if not self._ended:
                self._jobs.append(run)
                self._changed.notify()
                return result
        run()
        return result

    def replace(self, session: Session) -> None:
        """Go on with another `session`; only jobs (see `call`) may call this."""
        self.session = session
        self._told_tasks, self._told_status, self._told_world, self._told_number = (), (), None, -1

    def report(self, message: bytes) -> None:
        """Send an encoded `message` to all pages; may be called from any thread."""
        self._publish(message, False)

    def _work(self) -> None:
        self.session = self._prepare(self)
        while not self._stopping:
            self._go_on(self.session)

    def _end(self) -> None:
        with self._changed:
            self._ended = True
        while self._jobs:
            self._jobs.popleft()()

    def _publish_changes(self, session: Session) -> None:
        """Publish what changed since the last call, and update the greeting for pages that join later."""
        tasks, steady = (*session.controllers, session.findings, session.can_push), _steady(session.status())
        changed = []
        if tasks != self._told_tasks:
            self._greeting[0] = m.encode(session.hello())
            changed.append(0)
        if steady != self._told_status:
            self._greeting[1] = m.encode(session.status())
            changed.append(1)
        if session.worlds.state is not self._told_world:
            self._greeting[2] = m.encode(session.worlds.state)
            changed.append(2)
        if session.number != self._told_number:
            self._greeting[3] = session.look(session.number)
            changed.append(3)
        self._told_tasks, self._told_status, self._told_number = tasks, steady, session.number
        self._told_world = session.worlds.state
        self.greeting = tuple(self._greeting)  # before publishing, so that a page that joins meanwhile misses nothing
        for place in changed:
            self._publish(self._greeting[place], place == 3)

    def _go_on(self, session: Session) -> None:
        due = time.perf_counter()
        while not self._stopping:
            self._obey(session)
            if self.session is not session:
                return
            now = time.perf_counter()
            if session.paused:
                due = now
                self._rest(session, now + PAUSED)
            elif now < due:
                self._rest(session, due)
            else:
                self._answer(session)
                self._advance(session)
                step = session.frame_time / session.speed
                self.delays.append(time.perf_counter() - due)
                due = max(due + step, now - LATEST)

    def _advance(self, session: Session) -> None:
        """Simulate and publish one frame; after an error, tell all pages, and let the characters start again.

        The second error in a row pauses the simulation, so that the user can choose another task.
        """
        try:
            session.tick()
            self._failed = False
        except Exception as error:
            logging.getLogger(__name__).error("frame %d failed", session.number + 1, exc_info=error)
            reason = f"{type(error).__name__}: {str(error)[:400]}"
            if self._failed or not session.restart():
                session.paused = True
                told = f"the simulation is paused, since a frame failed again ({reason}); choose another task"
            else:
                told = f"a frame failed ({reason}); all characters start again"
            self._failed = not self._failed
            self._publish(m.encode(m.Refused(told)), False)
        self._publish_changes(session)

    def _obey(self, session: Session) -> None:
        """Carry out queued jobs and commands for at most `OBEYING` seconds, then publish the changes."""
        until = time.perf_counter() + OBEYING
        while time.perf_counter() < until and (told := self._next_told(session)) is not None:
            told()
            if self.session is not session:  # replaced by a job
                return
        self._publish_changes(session)

    def _next_told(self, session: Session) -> Callable[[], None] | None:
        """Return the next queued job or command as a callable, jobs first; None if there is none."""
        with self._changed:
            if self._jobs:
                return self._jobs.popleft()
            return partial(self._apply, session, *self._commands.popleft()) if self._commands else None

    def _apply(self, session: Session, message: m.FromClient, answer: Answer) -> None:
        try:
            session.apply(message)
        except Exception as error:
            answer(refusal(message, error))

    def _rest(self, session: Session, until: float) -> None:
        """Answer questions until a command or job arrives or the time `until` is reached; answers at least one."""
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
        """Answer the question that has waited longest, if there is one."""
        with self._changed:
            if not self._questions:
                return
            question, answer = self._questions.pop(next(iter(self._questions)))
        answer(self._reply(session, question))

    def _reply(self, session: Session, question: m.FromClient) -> bytes:
        try:
            if isinstance(question, m.Look):
                return session.look(question.number)
            if isinstance(question, m.AskPlan):
                return m.encode(session.why_plan(question.number, question.character))
            assert isinstance(question, m.Ask)
            return m.encode(session.why(question.number, question.character))
        except Exception as error:
            return refusal(question, error)


def _steady(status: m.Status) -> tuple[object, ...]:
    """Return the fields of `status` that do not change on their own from frame to frame."""
    steady = (status.task, status.count, status.selected, status.paused, status.speed, status.pace, status.taking)
    return (*steady, *status.compared)
