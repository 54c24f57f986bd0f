"""Thread that composes: answers first, then the newest request of each page, one motion after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable

from motionfields.studio.compose import messages as c
from motionfields.studio.compose.session import ComposeSession
from motionfields.studio.page_loop import Answer, Publish
from motionfields.studio.request_loop import RequestLoop, attempt

STEP = 0.02  # least share of the work between two reports
MOST_ANSWERS = 1000  # waiting judgements; beyond that the oldest is dropped

Prepare = Callable[["ComposeLoop"], ComposeSession]


class ComposeLoop(RequestLoop[ComposeSession, c.Compose]):
    """Runs the session made by `prepare` (see `RequestLoop`)."""

    def __init__(self, prepare: Prepare, publish: Publish, *, on_failure: Callable[[], None] = lambda: None) -> None:
        super().__init__(prepare, publish, on_failure=on_failure, name="composition")
        self._answers: deque[tuple[c.Judge, Answer]] = deque(maxlen=MOST_ANSWERS)

    def hear(self, page: Hashable, message: c.ToComposer, answer: Answer) -> None:
        """Queue a `message` of a `page`; answers go to `answer` on the loop's thread, source poses at once."""
        if isinstance(message, c.Compose):
            super().hear(page, message, answer)
        elif isinstance(message, c.Judge):
            with self._changed:
                self._answers.append((message, answer))
                self._changed.notify()
        elif (session := self.session) is not None:
            answer(attempt(lambda: c.encode(session.pose(message)), message))

    def _urgent(self) -> Callable[[ComposeSession], None] | None:
        if not self._answers:
            return None
        judged, answer = self._answers.popleft()
        return lambda session: self._judge(session, judged, answer)

    def _judge(self, session: ComposeSession, judged: c.Judge, answer: Answer) -> None:
        refused = attempt(lambda: session.judge(judged), judged)
        if refused is not None:
            answer(refused)

    def _carry_out(self, session: ComposeSession, page: Hashable, asked: c.Compose, answer: Answer) -> None:
        """Send the motions of a request, and progress before each; ends early once a newer request of it has come."""

        told = -1.0

        def tell(doing: str, share: float) -> None:
            nonlocal told
            self._check(page)
            if not told <= share < told + STEP:
                told = share
                answer(c.encode(c.Working(asked.revision, doing, share)))

        for motion in session.motions(asked, tell):
            answer(c.encode(motion))
        tell("done", 1.0)
