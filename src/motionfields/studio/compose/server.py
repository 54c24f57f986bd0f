"""Server of the page that composes motion: its page, its downloads and its WebSockets."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from motionfields.motion.annotations import format_csv
from motionfields.studio.access import Access
from motionfields.studio.compose import messages as c
from motionfields.studio.compose.loop import ComposeLoop, Prepare
from motionfields.studio.server import FORMATS, PAGE, PageServer, attachment


class ComposeServer(PageServer):
    """Server whose pages compose motions in the session made by `prepare`, by the rules of `access`."""

    def __init__(self, prepare: Prepare, access: Access) -> None:
        super().__init__(access)
        self.loop: ComposeLoop = ComposeLoop(prepare, self._publish, on_failure=self.stop)

    def wait_until_ready(self) -> None:
        """Wait until there is a session; raise the error that prevents it."""
        self.loop.ready.result()

    def decode(self, data: bytes) -> c.ToComposer:
        """Return the message of a page in `data`; raise `msgspec.MsgspecError` if it is not valid."""
        return c.decode(data)

    def routes(self) -> list[BaseRoute]:
        """Return the addresses of the page, of composed motions and of the labels."""
        return [
            Route("/", self._send_page),
            Route("/motion-{number:int}.{suffix}", self._send_motion),
            Route("/labels.csv", self._send_labels),
        ]

    async def _send_page(self, _: Request) -> Response:
        return FileResponse(PAGE / "compose.html")

    async def _send_motion(self, request: Request) -> Response:
        number, suffix = request.path_params["number"], request.path_params["suffix"]
        session = self.loop.session
        motion = session.motion(number) if session is not None and suffix in FORMATS else None
        if motion is None:
            return PlainTextResponse("there is no such motion; compose it again\n", status_code=404)
        write, kind = FORMATS[suffix]
        return attachment(await asyncio.to_thread(write, motion.clip), f"composed.{suffix}", kind)

    async def _send_labels(self, _: Request) -> Response:
        if self.loop.session is None:
            return PlainTextResponse("there are no labels yet\n", status_code=404)
        return attachment(format_csv(self.loop.session.annotations), "labels.csv", "text/csv")
