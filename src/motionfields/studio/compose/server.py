"""Server of the page that composes motion: its page, its downloads and its WebSockets."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from motionfields.motion.annotations import format_csv
from motionfields.studio.access import Access
from motionfields.studio.compose import messages as c
from motionfields.studio.compose.loop import ComposeLoop, Prepare
from motionfields.studio.motion_server import MotionServer
from motionfields.studio.server import attachment


class ComposeServer(MotionServer):
    """Server whose pages compose motions in the session made by `prepare`, by the rules of `access`."""

    page = "compose.html"
    stem = "composed"
    loop: ComposeLoop

    def __init__(self, prepare: Prepare, access: Access) -> None:
        super().__init__(access)
        self.loop = ComposeLoop(prepare, self._publish, on_failure=self.stop)

    def decode(self, data: bytes) -> c.ToComposer:
        """Return the message of a page in `data`; raise `msgspec.MsgspecError` if it is not valid."""
        return c.decode(data)

    def routes(self) -> list[BaseRoute]:
        """Return the addresses of the page, of composed motions and of the labels."""
        return [*super().routes(), Route("/labels.csv", self._send_labels)]

    async def _send_labels(self, _: Request) -> Response:
        if self.loop.session is None:
            return PlainTextResponse("there are no labels yet\n", status_code=404)
        return attachment(format_csv(self.loop.session.annotations), "labels.csv", "text/csv")
