"""Thread that composes: answers first, then the newest request of each page, one motion after another."""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import TypeVar

from motionfields.base.errors import MotionFieldsError
from motionfields.studio.compose import messages as c
from motionfields.studio.compose.session import ComposeSession
from motionfields.studio.messages import Preparing, Refused

STEP = 0.02  # least share of the work between two reports
MOST_ANSWERS = 1000  # waiting judgements; beyond that the oldest is dropped

Answer = Callable[[bytes], None]
Result = TypeVar("Result")
Prepare = Callable[["ComposeLoop"], ComposeSession]


class _ReplacedError(Exception):
    """Raised inside a search that a newer request replaces."""


class ComposeLoop:
    """Runs the session made by `prepare` on its own thread, from `start` until `stop`.

    `publish` is called with messages for all pages. `prepare` receives the loop and should report progress with `tell`.
    `on_failure` is called when an error ends the thread; `failure` then holds the error.
    """

    def __init__(
        self,
        prepare: Prepare,
        publish: Callable[[bytes, bool], None],
        *,
        on_failure: Callable[[], None] = lambda: None,
    ) -> None:
        self.session: ComposeSession | None = None
        self.failure: Exception | None = None
        self.greeting: tuple[bytes, ...] = ()
        self.ready: Future[None] = Future()
        self._prepare, self._publish, self._on_failure = prepare, publish, on_failure
        self._changed = Condition()
        self._stopping = False
        self._requests: OrderedDict[Hashable, tuple[c.Compose, Answer]] = OrderedDict()
        self._answers: deque[tuple[c.Judge, Answer]] = deque(maxlen=MOST_ANSWERS)
        self._thread = Thread(target=self._run, name="motionfields composition", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current step of the search."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def hear(self, page: Hashable, message: c.ToComposer, answer: Answer) -> None:
        """Queue a `message` of a `page`; answers go to `answer` on the loop's thread, source poses at once."""
        if isinstance(message, c.Peek):
            if self.session is not None:
                answer(_attempt(lambda session: c.encode(session.pose(message)), self.session))
            return
        with self._changed:
            if isinstance(message, c.Compose):
                self._requests[page] = (message, answer)
            else:
                self._answers.append((message, answer))
            self._changed.notify()

    def leave(self, page: Hashable) -> None:
        """Drop the request of a `page` that was closed."""
        with self._changed:
            self._requests.pop(page, None)

    def tell(self, doing: str, share: float) -> None:
        """Report to all pages what `prepare` is doing, in words, and the share of the work that is done, 0 to 1."""
        self.greeting = (c.encode(Preparing(doing, share)),)
        self._publish(self.greeting[0], False)

    def _run(self) -> None:
        try:
            self.session = self._prepare(self)
            self._greet(self.session)
            self.ready.set_result(None)
            while (job := self._next()) is not None:
                job(self.session)
        except Exception as error:
            self.failure = error
            if not self.ready.done():
                self.ready.set_exception(error)
            self._on_failure()

    def _greet(self, session: ComposeSession) -> None:
        self.greeting = (c.encode(session.scene()),)
        self._publish(self.greeting[0], False)

    def _next(self) -> Callable[[ComposeSession], None] | None:
        """Wait for the next job and return it; None once the loop was stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or self._answers or self._requests)
            if self._stopping:
                return None
            if self._answers:
                judged, answer = self._answers.popleft()
                return lambda session: self._judge(session, judged, answer)
            page, (asked, answer) = self._requests.popitem(last=False)
            return lambda session: self._compose(session, page, asked, answer)

    def _judge(self, session: ComposeSession, judged: c.Judge, answer: Answer) -> None:
        refusal = _attempt(lambda session: session.judge(judged), session)
        if refusal is not None:
            answer(refusal)

    def _compose(self, session: ComposeSession, page: Hashable, asked: c.Compose, answer: Answer) -> None:
        """Send the motions of a request, and progress before each; ends early once a newer request of it has come."""

        told = -1.0

        def tell(doing: str, share: float) -> None:
            nonlocal told
            with self._changed:
                if self._stopping or page in self._requests:
                    raise _ReplacedError
            if not told <= share < told + STEP:
                told = share
                answer(c.encode(c.Working(asked.revision, doing, share)))

        def work(session: ComposeSession) -> None:
            for motion in session.motions(asked, tell):
                answer(c.encode(motion))
            tell("done", 1.0)

        try:
            refusal = _attempt(work, session)
        except _ReplacedError:
            return
        if refusal is not None:
            answer(refusal)


def _attempt(job: Callable[[ComposeSession], Result], session: ComposeSession) -> Result | bytes:
    """Return the result of `job`, or the refusal to send if it fails; unexpected errors are logged."""
    try:
        return job(session)
    except _ReplacedError:
        raise
    except Exception as error:
        if not isinstance(error, MotionFieldsError | ValueError):
            logging.getLogger(__name__).error("a request could not be carried out", exc_info=error)
        return c.encode(Refused(str(error)[:500]))
