"""Planning thread: serves the newest request of each page in turn and reports the search while it runs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable

from motionfields.authoring.plan import SearchView
from motionfields.studio.page_loop import Answer, Publish
from motionfields.studio.plan import messages as p
from motionfields.studio.plan.session import PlanSession, seen_places
from motionfields.studio.request_loop import RequestLoop

PAUSE = 0.1  # seconds between two reports of a search

Prepare = Callable[["PlanLoop"], PlanSession]


class PlanLoop(RequestLoop[PlanSession, p.ToPlanner]):
    """Runs the session made by `prepare` (see `RequestLoop`)."""

    def __init__(self, prepare: Prepare, publish: Publish, *, on_failure: Callable[[], None] = lambda: None) -> None:
        super().__init__(prepare, publish, on_failure=on_failure, name="planning")

    def _carry_out(self, session: PlanSession, page: Hashable, asked: p.ToPlanner, answer: Answer) -> None:
        """Send the search and the motions of a request; ends early once a newer request of its page has come."""
        told = -math.inf

        def watch(rank: int, view: SearchView) -> None:
            nonlocal told
            self._check(page)
            if time.monotonic() >= told + PAUSE:
                answer(p.encode(_searching(asked.revision, rank, view)))
                told = time.monotonic()

        for motion in session.motions(asked, watch):
            answer(p.encode(motion))
            self._check(page)
        answer(p.encode(p.Finished(asked.revision)))


def _searching(revision: int, rank: int, view: SearchView) -> p.Searching:
    now = view.progress()
    cost = None if math.isinf(now.cost) else now.cost
    return p.Searching(revision, rank, now.seconds, cost, now.bound, now.expanded, *seen_places(view))
