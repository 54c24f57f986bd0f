"""The door of the server: connections that do not say what they want, and those that do not listen, are closed."""

from __future__ import annotations

import asyncio
import socket
import struct
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

Client = tuple[str, int]  # address and port

OPEN_SECONDS = 5.0  # within which a connection must have sent a whole request
MOST_WAITING = 256  # connections without one; beyond that the oldest is closed
SEND_BYTES = 256 * 1024  # that the system may hold for a client, so that what a slow one gets is recent

NO_LINGERING = struct.pack("ii", 1, 0)  # the system, too, forgets what was still to be sent


class Door:
    """All open connections, and which of them have not sent a request yet."""

    def __init__(self) -> None:
        self._transports: dict[Client, asyncio.Transport] = {}
        self._waiting: dict[Client, asyncio.TimerHandle] = {}

    def protocol(self) -> type[asyncio.Protocol]:
        """The protocol for HTTP that reports its connections here."""
        return type("Protocol", (_ReportedProtocol,), {"door": self})

    def came(self, client: Client, transport: asyncio.Transport) -> None:
        """A connection was made."""
        self._transports[client] = transport
        if len(self._waiting) >= MOST_WAITING:
            self.abort(next(iter(self._waiting)))
        loop = asyncio.get_running_loop()
        self._waiting[client] = loop.call_later(OPEN_SECONDS, partial(self.abort, client))

    def asked(self, client: Client) -> None:
        """A connection sent a request."""
        if (timer := self._waiting.pop(client, None)) is not None:
            timer.cancel()

    def left(self, client: Client) -> None:
        """A connection was closed."""
        self.asked(client)
        self._transports.pop(client, None)

    def abort(self, client: Client) -> None:
        """Close a connection at once, with whatever was still to be sent."""
        transport = self._transports.get(client)
        self.left(client)
        if transport is not None:
            if (own := transport.get_extra_info("socket")) is not None:
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGERING)
            transport.abort()


class _ReportedProtocol(H11Protocol):
    door: Door

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if (own := transport.get_extra_info("socket")) is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        self._client = tuple(transport.get_extra_info("peername")[:2])
        self.door.came(self._client, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.left(self._client)
        super().connection_lost(exc)
