"""The thread behind the pages of a server: it prepares a session, then carries out what pages ask for."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from threading import Condition, Thread
from typing import Any

from motionfields.base.errors import MotionFieldsError
from motionfields.studio import messages as m

Answer = Callable[[bytes], None]
Publish = Callable[[bytes, bool], None]


class StoppedError(Exception):
    """Raised inside the work of a loop that was stopped meanwhile."""


class PageLoop(ABC):
    """Thread that works from `start` until `stop`.

    `publish` is called on that thread with every message for all pages, and with whether it is a frame (an unsent frame
    may be replaced by a newer one). `on_failure` is called when an error ends the thread; `failure` then holds it.
    """

    def __init__(self, publish: Publish, *, on_failure: Callable[[], None], name: str) -> None:
        self.failure: Exception | None = None
        self.greeting: tuple[bytes, ...] = ()  # messages to send to a page that joins now
        self._publish = publish
        self._on_failure = on_failure
        self._changed = Condition()  # held to read and change what pages asked for
        self._stopping = False
        self._thread = Thread(target=self._run, name=f"motionfields {name}", daemon=True)

    @abstractmethod
    def hear(self, page: Hashable, message: Any, answer: Answer) -> None:
        """Queue a `message` of a `page`; an answer, if there is one, goes to `answer`."""

    @abstractmethod
    def leave(self, page: Hashable) -> None:
        """Drop the requests of a `page` that was closed."""

    @abstractmethod
    def _work(self) -> None:
        """Prepare, then work until the loop is stopped."""

    @abstractmethod
    def _end(self) -> None:
        """Answer what still waits, because the thread ends."""

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Let the thread end after its current piece of work."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def tell(self, doing: str, share: float) -> None:
        """Report the progress of the preparation to all pages: a text, and the finished share from 0 to 1.

        Raises `StoppedError` if the loop was stopped. Only the preparation may call this.
        """
        if self._stopping:
            raise StoppedError
        self.greeting = (m.encode(m.Preparing(doing, share)),)
        self._publish(self.greeting[0], False)

    def _run(self) -> None:
        try:
            self._work()
        except StoppedError:
            pass
        except Exception as error:
            self.failure = error
            self._on_failure()
        finally:
            self._end()


def refusal(message: object, error: Exception) -> bytes:
    """Return the refusal to send for `message`; unexpected errors are logged, since they must not end the session."""
    if not isinstance(error, MotionFieldsError | ValueError):
        logging.getLogger(__name__).error("%r could not be carried out", message, exc_info=error)
    return m.encode(m.Refused(str(error)[:500]))
