"""The rules of `access` on every request, and the headers that keep a browser to them."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from motionfields.studio.access import Access
from motionfields.studio.connections import Door

HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",  # so that every request has to come within the time of a new connection
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
    """Lets through to `app` what `access` allows, and answers the rest with 403."""

    def __init__(self, app: ASGIApp, access: Access, door: Door) -> None:
        self.app = app
        self.access = access
        self.door = door
        # A policy has no words for addresses of IPv6; browsers of today take 'self' for sockets too.
        sockets = " ".join(f"ws://{host}" for host in access.hosts if not host.startswith("["))
        self._headers = {**HEADERS, "Content-Security-Policy": POLICY.format(sockets=sockets)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, plain or to upgrade."""
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
                return await send({"type": "websocket.close"})  # before it is accepted: 403
            finally:
                self.door.left(client)  # after an upgrade nobody else says so

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        answer = self.app if refusal is None else PlainTextResponse(f"{refusal}\n", status_code=403)
        return await answer(scope, receive, send_guarded)
