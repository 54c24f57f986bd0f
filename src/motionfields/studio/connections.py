"""Tracking of open connections: the server closes those that send no request in time and those that do not read."""

from __future__ import annotations

import asyncio
import socket
import struct
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

Client = tuple[str, int]  # address and port

OPEN_SECONDS = 5.0  # time limit for a new connection to send a whole request
MOST_WAITING = 256  # connections that have sent no request yet; beyond that the oldest is closed
SEND_BYTES = 256 * 1024  # send buffer of the operating system per client; small, so that slow clients get recent frames

NO_LINGERING = struct.pack("ii", 1, 0)  # on close, the operating system discards unsent data


class Door:
    """Registry of all open connections, and of those that have not sent a request yet."""

    def __init__(self) -> None:
        self._transports: dict[Client, asyncio.Transport] = {}
        self._waiting: dict[Client, asyncio.TimerHandle] = {}

    def protocol(self) -> type[asyncio.Protocol]:
        """Return an HTTP protocol class that reports its connections to this object."""
        return type("Protocol", (_ReportedProtocol,), {"door": self})

    def came(self, client: Client, transport: asyncio.Transport) -> None:
        """Register a new connection and start its time limit."""
        self._transports[client] = transport
        if len(self._waiting) >= MOST_WAITING:
            self.abort(next(iter(self._waiting)))
        loop = asyncio.get_running_loop()
        self._waiting[client] = loop.call_later(OPEN_SECONDS, partial(self.abort, client))

    def asked(self, client: Client) -> None:
        """Note that a connection sent a request, which ends its time limit."""
        if (timer := self._waiting.pop(client, None)) is not None:
            timer.cancel()

    def left(self, client: Client) -> None:
        """Remove a connection that was closed."""
        self.asked(client)
        self._transports.pop(client, None)

    def abort(self, client: Client) -> None:
        """Close a connection at once and discard its unsent data."""
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
