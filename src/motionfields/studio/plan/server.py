"""Server of the page that plans motion: its page, its downloads and its WebSockets."""

from __future__ import annotations

from motionfields.studio.access import Access
from motionfields.studio.motion_server import MotionServer
from motionfields.studio.plan import messages as p
from motionfields.studio.plan.loop import PlanLoop, Prepare


class PlanServer(MotionServer):
    """Server whose pages plan motions in the session made by `prepare`, by the rules of `access`."""

    page = "plan.html"
    stem = "planned"
    loop: PlanLoop

    def __init__(self, prepare: Prepare, access: Access) -> None:
        super().__init__(access)
        self.loop = PlanLoop(prepare, self._publish, on_failure=self.stop)

    def decode(self, data: bytes) -> p.ToPlanner:
        """Return the message of a page in `data`; raise `msgspec.MsgspecError` if it is not valid."""
        return p.decode(data)
