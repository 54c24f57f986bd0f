"""Queue of messages to send to one page."""

from __future__ import annotations

import asyncio
from collections import deque

MOST_ANSWERS = 32  # queued answers; beyond that the oldest is dropped


class Mailbox:
    """Queue of answers in order, plus the newest frame only: a slow page skips frames instead of falling behind."""

    def __init__(self) -> None:
        self._answers: deque[bytes] = deque(maxlen=MOST_ANSWERS)
        self._frame: bytes | None = None
        self._filled = asyncio.Event()

    def put(self, message: bytes) -> None:
        """Queue `message` after the answers that are waiting."""
        self._answers.append(message)
        self._filled.set()

    def put_frame(self, frame: bytes) -> None:
        """Queue `frame`, replacing a frame that is still waiting."""
        self._frame = frame
        self._filled.set()

    async def take(self) -> bytes:
        """Wait for the next message and return it; answers come before the frame."""
        await self._filled.wait()
        if self._answers:
            message = self._answers.popleft()
        else:
            assert self._frame is not None
            message, self._frame = self._frame, None
        if not self._answers and self._frame is None:
            self._filled.clear()
        return message
