"""Servers of the pages: the files of a page, downloads, and a WebSocket for every open page."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from motionfields.base.world import format_world
from motionfields.motion.clip import Clip
from motionfields.motion.formats import format_bvh, format_crowd_glb, format_glb
from motionfields.studio import messages as m
from motionfields.studio.access import Access
from motionfields.studio.connections import Client, Door
from motionfields.studio.guard import Guard
from motionfields.studio.loop import Loop, Prepare
from motionfields.studio.mailbox import Mailbox
from motionfields.studio.page_loop import Answer, PageLoop, refusal
from motionfields.studio.session import Session

if TYPE_CHECKING:
    from motionfields.studio.workshop import Workshop

PAGE = Path(__file__).parent / "page"  # built by scripts/build_studio
MOST_PAGES = 128  # open at the same time
UPLOAD_SECONDS = 600.0  # time limit for receiving one file
SEND_SECONDS = 4.0  # time limit for sending one message to a page
PING_SECONDS = 3.0  # interval between WebSocket pings
PONG_SECONDS = 5.0  # time limit for the answer to a ping


class PageServer(ABC):
    """Server that connects pages with `loop`, by the rules of `access`."""

    loop: PageLoop

    def __init__(self, access: Access) -> None:
        self.access = access
        self.pages: dict[Client, Mailbox] = {}
        self._door = Door()
        self._events: asyncio.AbstractEventLoop | None = None

    @abstractmethod
    def wait_until_ready(self) -> None:
        """Wait until there is a session; raise the error that prevents it."""

    @abstractmethod
    def decode(self, data: bytes) -> object:
        """Return the message of a page in `data`; raise `msgspec.MsgspecError` if it is not valid."""

    @abstractmethod
    def routes(self) -> list[BaseRoute]:
        """Return the addresses below the token, besides the WebSocket and the files of the page."""

    def hear(self, client: Client, message: Any, answer: Answer) -> None:
        """Take a `message` of a page; an answer, if there is one, goes to `answer`."""
        self.loop.hear(client, message, answer)

    def close(self) -> None:  # noqa: B027  (most servers have nothing to free)
        """Release the server's resources; called when it ends."""

    def run(self, listening: socket.socket, *, on_start: Callable[[], None] = lambda: None) -> None:
        """Serve on a bound socket until interrupted or until `stop`; call `on_start` once pages can connect.

        An error that ends the simulation also ends the server, and is raised here.
        """
        config = uvicorn.Config(
            Guard(self._app(), self.access, self._door),
            http=self._door.protocol(),
            ws="websockets-sansio",
            ws_max_size=m.MOST_BYTES,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PONG_SECONDS,
            ws_per_message_deflate=False,
            lifespan="off",
            proxy_headers=False,
            server_header=False,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config, partial(self._begin, on_start))
        try:
            self._server.run(sockets=[listening])
        finally:
            self.loop.stop()
            self.close()
        if self.loop.failure is not None:
            raise self.loop.failure

    @contextlib.contextmanager
    def running(self, listening: socket.socket) -> Iterator[None]:
        """Run the server on its own thread while the context is open; the context starts once there is a session."""
        started = threading.Event()
        thread = threading.Thread(target=self.run, args=(listening,), kwargs={"on_start": started.set})
        thread.start()
        try:
            started.wait()
            self.wait_until_ready()
            yield
        finally:
            self.stop()
            thread.join()

    def stop(self) -> None:
        """End `run`; may be called from any thread."""
        self._server.should_exit = True

    def _begin(self, on_start: Callable[[], None]) -> None:
        self._events = asyncio.get_running_loop()
        self.loop.start()
        on_start()

    def _app(self) -> Starlette:
        own = [
            WebSocketRoute("/ws", self._talk),
            *self.routes(),
            Mount("/", StaticFiles(directory=PAGE, html=True)),
        ]
        return Starlette(routes=[Mount(self.access.path.rstrip("/"), routes=own)])

    def _publish(self, message: bytes, is_frame: bool) -> None:
        """Send `message` to all pages; called on the thread of the simulation."""
        assert self._events is not None
        with contextlib.suppress(RuntimeError):  # the event loop may already be closed
            self._events.call_soon_threadsafe(self._deliver, message, is_frame)

    def _deliver(self, message: bytes, is_frame: bool) -> None:
        for mailbox in self.pages.values():
            (mailbox.put_frame if is_frame else mailbox.put)(message)

    async def _talk(self, page: WebSocket) -> None:
        """Serve one page's WebSocket until it disconnects."""
        assert page.client is not None
        client: Client = (page.client.host, page.client.port)
        if len(self.pages) >= MOST_PAGES:
            return await page.close()
        await page.accept()
        mailbox = Mailbox()
        for message in self.loop.greeting:
            mailbox.put(message)
        self.pages[client] = mailbox
        sending = asyncio.create_task(self._send(page, client, mailbox))
        try:
            await self._listen(page, client, mailbox)
        finally:
            sending.cancel()
            self.loop.leave(client)
            del self.pages[client]

    async def _listen(self, page: WebSocket, client: Client, mailbox: Mailbox) -> None:
        events = asyncio.get_running_loop()

        def answer(message: bytes) -> None:
            with contextlib.suppress(RuntimeError):
                events.call_soon_threadsafe(mailbox.put, message)

        while True:
            received = await page.receive()
            if received["type"] == "websocket.disconnect":
                return
            try:
                message = self.decode(received.get("bytes") or b"")
            except msgspec.MsgspecError as error:
                mailbox.put(m.encode(m.Refused(f"the message cannot be read: {error}"[:500])))
            else:
                self.hear(client, message, answer)

    async def _send(self, page: WebSocket, client: Client, mailbox: Mailbox) -> None:
        try:
            while True:
                message = await mailbox.take()
                async with asyncio.timeout(SEND_SECONDS):
                    await page.send_bytes(message)
        except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
            self._door.abort(client)


class StudioServer(PageServer):
    """Server that lets pages take part in the session made by `prepare` (see `Loop`), by the rules of `access`."""

    def __init__(self, prepare: Prepare, access: Access) -> None:
        super().__init__(access)
        self.loop: Loop = Loop(prepare, self._publish, on_failure=self.stop)
        self._workshop: Workshop | None = None

    @property
    def workshop(self) -> Workshop:
        """Files of pages, and training on them; made on first use, because it imports much that playing needs not."""
        if self._workshop is None:
            from motionfields.studio.workshop import Workshop

            self._workshop = Workshop(self.loop)
        return self._workshop

    def close(self) -> None:
        """Remove the files of pages."""
        if self._workshop is not None:
            self._workshop.close()

    def hear(self, client: Client, message: Any, answer: Answer) -> None:
        """Take a `message` of a page; those about files and training do not wait for the simulation."""
        session = self.loop.session
        tabulates = (
            isinstance(message, m.Enter)
            and message.on
            and session is not None
            and not session.worlds.knows(session.task)
        )
        if tabulates or isinstance(message, m.Load | m.Retrain):
            threading.Thread(target=self._make, args=(message, answer), daemon=True).start()
        else:
            super().hear(client, message, answer)

    def _make(self, message: m.Load | m.Retrain | m.Enter, answer: Answer) -> None:
        try:
            if isinstance(message, m.Load):
                self.workshop.load(message)
            elif isinstance(message, m.Enter):
                self.workshop.enter(message)
            else:
                self.workshop.retrain(message)
        except Exception as error:
            answer(refusal(message, error))

    def wait_until_ready(self) -> None:
        """Wait until there is a session; raise the error that prevents it."""
        self.loop.call(Session.status).result()

    def decode(self, data: bytes) -> m.FromClient:
        """Return the message of a page in `data`; raise `msgspec.MsgspecError` if it is not valid."""
        return m.decode(data)

    def routes(self) -> list[BaseRoute]:
        """Return the addresses of the last take, the crowd, the world, the costume, and files that pages send."""
        takes: list[BaseRoute] = [Route(f"/{name}", partial(self._send_take, name=name)) for name in TAKES]
        files = Route("/files/{name}", self._receive_file, methods=["PUT"])
        crowd = [Route("/crowd.glb", self._send_crowd), Route("/world.json", self._send_world)]
        return [*takes, *crowd, Route("/costume.msgpack", self._send_costume), files]

    async def _send_crowd(self, _: Request) -> Response:
        clips, room = await asyncio.wrap_future(self.loop.call(Session.crowd_clips))
        data = await asyncio.to_thread(lambda: format_crowd_glb(clips, room=room))
        return attachment(data, "crowd.glb", "model/gltf-binary")

    async def _send_world(self, _: Request) -> Response:
        world = await asyncio.wrap_future(self.loop.call(Session.world))
        return attachment(format_world(world), "world.json", "application/json")

    async def _receive_file(self, request: Request) -> Response:
        """Write the body of a request to the temporary folder."""
        try:
            path = self.workshop.place(request.path_params["name"])
            async with asyncio.timeout(UPLOAD_SECONDS):
                with path.open("wb") as file:
                    async for chunk in request.stream():
                        self.workshop.count(len(chunk))
                        file.write(chunk)
        except (ValueError, OSError, TimeoutError) as error:
            return PlainTextResponse(f"{error or 'the file came too slowly'}\n", status_code=400)
        return Response(status_code=204)

    async def _send_costume(self, _: Request) -> Response:
        costume = await asyncio.wrap_future(self.loop.call(lambda session: session.costume))
        if costume is None:
            return PlainTextResponse("there is no costume\n", status_code=404)
        return Response(costume.mesh, media_type="application/vnd.msgpack")

    async def _send_take(self, _: Request, *, name: str) -> Response:
        asked = self.loop.call(lambda session: (session.taken(), session.costume))
        take, costume = await asyncio.wrap_future(asked)
        if take is None:
            return PlainTextResponse("no take has been recorded yet\n", status_code=404)
        write, kind = TAKES[name]
        if costume is not None and name.endswith(".glb"):
            write = costume.glb
        return attachment(await asyncio.to_thread(lambda: write(take.clip())), name, kind)


class _Server(uvicorn.Server):
    """Server that calls `on_start` once pages can connect."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()


def attachment(data: bytes, name: str, kind: str) -> Response:
    """Return a response that the browser saves as the file `name`, of the media type `kind`."""
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to `host` and `port` (0 for any free port); raise OSError if that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening


def _bvh(clip: Clip) -> bytes:
    return format_bvh(clip.skeleton, clip.root_position, clip.rotations, clip.frame_time)


# Download formats of a motion: suffix, function that writes it, and media type.
FORMATS: Mapping[str, tuple[Callable[[Clip], bytes], str]] = {
    "bvh": (_bvh, "text/plain"),
    "glb": (format_glb, "model/gltf-binary"),
}
TAKES = {f"take.{suffix}": written for suffix, written in FORMATS.items()}
