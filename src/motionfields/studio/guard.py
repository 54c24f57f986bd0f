"""Middleware that applies the rules of `access` to every request and adds security headers to every response."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from motionfields.studio.access import Access
from motionfields.studio.connections import Door

HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",  # one request per connection, so that the time limit of new connections applies to each
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

POLICY = (
    "default-src 'self'; connect-src 'self' {sockets}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Guard:
    """ASGI middleware: passes requests that `access` allows to `app`, and answers all others with 403."""

    def __init__(self, app: ASGIApp, access: Access, door: Door) -> None:
        self.app = app
        self.access = access
        self.door = door
        # Content-Security-Policy cannot express IPv6 hosts. Current browsers apply 'self' to WebSockets too.
        sockets = " ".join(f"ws://{host}" for host in access.hosts if not host.startswith("["))
        self._headers = {**HEADERS, "Content-Security-Policy": POLICY.format(sockets=sockets)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one plain request or WebSocket upgrade."""
        client = tuple(scope["client"])
        self.door.asked(client)
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        refusal = self.access.refusal(scope["path"], headers)
        if scope["type"] == "websocket":
            try:
                if refusal is None:
                    return await self.app(scope, receive, send)
                await receive()
                return await send({"type": "websocket.close"})  # closing before accepting sends 403
            finally:
                self.door.left(client)  # after an upgrade the HTTP protocol no longer reports the end

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        answer = self.app if refusal is None else PlainTextResponse(f"{refusal}\n", status_code=403)
        return await answer(scope, receive, send_guarded)
