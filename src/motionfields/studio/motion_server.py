"""Server of a page that makes motions: the page, its motions as files, and its WebSockets."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from motionfields.studio.request_loop import RequestLoop
from motionfields.studio.server import FORMATS, PAGE, PageServer, attachment


class MotionServer(PageServer):
    """Server whose pages ask `loop` for motions."""

    page: ClassVar[str]  # file of the page
    stem: ClassVar[str]  # of the names of downloads
    loop: RequestLoop[Any, Any]

    def wait_until_ready(self) -> None:
        """Wait until there is a session; raise the error that prevents it."""
        self.loop.ready.result()

    def routes(self) -> list[BaseRoute]:
        """Return the addresses of the page and of its motions."""
        return [Route("/", self._send_page), Route("/motion-{number:int}.{suffix}", self._send_motion)]

    async def _send_page(self, _: Request) -> Response:
        return FileResponse(PAGE / self.page)

    async def _send_motion(self, request: Request) -> Response:
        number, suffix = request.path_params["number"], request.path_params["suffix"]
        session = self.loop.session
        motion = session.motion(number) if session is not None and suffix in FORMATS else None
        if motion is None:
            return PlainTextResponse("there is no such motion; make it again\n", status_code=404)
        write, kind = FORMATS[suffix]
        return attachment(await asyncio.to_thread(write, motion.clip), f"{self.stem}.{suffix}", kind)
