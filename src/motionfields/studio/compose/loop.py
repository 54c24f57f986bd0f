"""Thread that composes: answers first, then the newest request of each page, one motion after another."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import TypeVar

from motionfields.studio.compose import messages as c
from motionfields.studio.compose.session import ComposeSession
from motionfields.studio.page_loop import Answer, PageLoop, Publish, StoppedError, refusal

STEP = 0.02  # least share of the work between two reports
MOST_ANSWERS = 1000  # waiting judgements; beyond that the oldest is dropped

Result = TypeVar("Result")
Prepare = Callable[["ComposeLoop"], ComposeSession]


class _ReplacedError(Exception):
    """Raised inside a search that a newer request replaces."""


class ComposeLoop(PageLoop):
    """Runs the session made by `prepare` on its own thread (see `PageLoop`); `ready` is done once there is one.

    `prepare` receives the loop and should report progress with `tell`.
    """

    def __init__(self, prepare: Prepare, publish: Publish, *, on_failure: Callable[[], None] = lambda: None) -> None:
        super().__init__(publish, on_failure=on_failure, name="composition")
        self.session: ComposeSession | None = None
        self.ready: Future[None] = Future()
        self._prepare = prepare
        self._requests: OrderedDict[Hashable, tuple[c.Compose, Answer]] = OrderedDict()
        self._answers: deque[tuple[c.Judge, Answer]] = deque(maxlen=MOST_ANSWERS)

    def hear(self, page: Hashable, message: c.ToComposer, answer: Answer) -> None:
        """Queue a `message` of a `page`; answers go to `answer` on the loop's thread, source poses at once."""
        if isinstance(message, c.Peek):
            if self.session is not None:
                answer(_attempt(lambda session: c.encode(session.pose(message)), self.session, message))
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

    def _work(self) -> None:
        self.session = self._prepare(self)
        self._greet(self.session)
        self.ready.set_result(None)
        while (job := self._next()) is not None:
            job(self.session)

    def _end(self) -> None:
        if not self.ready.done():
            self.ready.set_exception(self.failure or StoppedError())

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
        refused = _attempt(lambda session: session.judge(judged), session, judged)
        if refused is not None:
            answer(refused)

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
            refused = _attempt(work, session, asked)
        except _ReplacedError:
            return
        if refused is not None:
            answer(refused)


def _attempt(job: Callable[[ComposeSession], Result], session: ComposeSession, message: c.ToComposer) -> Result | bytes:
    """Return the result of `job`, or the refusal of `message` to send if it fails."""
    try:
        return job(session)
    except _ReplacedError:
        raise
    except Exception as error:
        return refusal(message, error)
