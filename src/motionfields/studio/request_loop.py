"""Thread behind pages that ask for motions: it carries out the newest request of each page, one after another."""

from __future__ import annotations

from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Generic, Protocol, TypeVar

from motionfields.studio.messages import encode
from motionfields.studio.page_loop import Answer, PageLoop, Publish, StoppedError, refusal


class MotionSession(Protocol):
    """Session that makes motions."""

    def scene(self) -> Any:
        """Return the first message for a page."""
        ...


Session = TypeVar("Session", bound=MotionSession)
Request = TypeVar("Request")
Result = TypeVar("Result")


class ReplacedError(Exception):
    """Raised inside the work on a request that a newer one replaces."""


class RequestLoop(PageLoop, Generic[Session, Request]):
    """Runs the session made by `prepare` on its own thread (see `PageLoop`); `ready` is done once there is one.

    `prepare` receives the loop and should report progress with `tell`.
    """

    def __init__(
        self,
        prepare: Callable[[Any], Session],
        publish: Publish,
        *,
        on_failure: Callable[[], None] = lambda: None,
        name: str,
    ) -> None:
        super().__init__(publish, on_failure=on_failure, name=name)
        self.session: Session | None = None
        self.ready: Future[None] = Future()
        self._prepare = prepare
        self._requests: OrderedDict[Hashable, tuple[Request, Answer]] = OrderedDict()

    def hear(self, page: Hashable, message: Any, answer: Answer) -> None:
        """Queue a request of a `page`, in place of one that waits; answers go to `answer` on the loop's thread."""
        with self._changed:
            self._requests[page] = (message, answer)
            self._changed.notify()

    def leave(self, page: Hashable) -> None:
        """Drop the request of a `page` that was closed."""
        with self._changed:
            self._requests.pop(page, None)

    @abstractmethod
    def _carry_out(self, session: Session, page: Hashable, asked: Request, answer: Answer) -> None:
        """Send the answers to a request; call `_check` often."""

    def _urgent(self) -> Callable[[Session], None] | None:
        """Return a job that goes before all requests, if there is one; `_changed` is held."""
        return None

    def _check(self, page: Hashable) -> None:
        """Raise `ReplacedError` if a newer request of `page` has come or the loop was stopped."""
        with self._changed:
            if self._stopping or page in self._requests:
                raise ReplacedError

    def _work(self) -> None:
        session = self.session = self._prepare(self)
        self.greeting = (encode(session.scene()),)
        self._publish(self.greeting[0], False)
        self.ready.set_result(None)
        while (job := self._next()) is not None:
            job(session)

    def _end(self) -> None:
        if not self.ready.done():
            self.ready.set_exception(self.failure or StoppedError())

    def _next(self) -> Callable[[Session], None] | None:
        """Wait for the next job and return it; None once the loop was stopped."""
        with self._changed:
            urgent = None
            while not self._stopping and (urgent := self._urgent()) is None and not self._requests:
                self._changed.wait()
            if self._stopping or urgent is not None:
                return None if self._stopping else urgent
            page, (asked, answer) = self._requests.popitem(last=False)
        return lambda session: self._attempt_request(session, page, asked, answer)

    def _attempt_request(self, session: Session, page: Hashable, asked: Request, answer: Answer) -> None:
        try:
            refused = attempt(lambda: self._carry_out(session, page, asked, answer), asked)
        except ReplacedError:
            return
        if refused is not None:
            answer(refused)


def attempt(job: Callable[[], Result], message: object) -> Result | bytes:
    """Return the result of `job`, or the refusal of `message` to send if it fails."""
    try:
        return job()
    except ReplacedError:
        raise
    except Exception as error:
        return refusal(message, error)
