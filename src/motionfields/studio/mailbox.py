"""What waits to be sent to one page."""

from __future__ import annotations

import asyncio
from collections import deque

MOST_ANSWERS = 32  # that wait; older ones are forgotten


class Mailbox:
    """Answers in order, and of all frames only the newest: a page that is slow loses frames and falls behind no one."""

    def __init__(self) -> None:
        self._answers: deque[bytes] = deque(maxlen=MOST_ANSWERS)
        self._frame: bytes | None = None
        self._filled = asyncio.Event()

    def put(self, message: bytes) -> None:
        """Send `message` after those that wait."""
        self._answers.append(message)
        self._filled.set()

    def put_frame(self, frame: bytes) -> None:
        """Send `frame` in place of one that still waits."""
        self._frame = frame
        self._filled.set()

    async def take(self) -> bytes:
        """The next message, once there is one."""
        await self._filled.wait()
        if self._answers:
            message = self._answers.popleft()
        else:
            assert self._frame is not None
            message, self._frame = self._frame, None
        if not self._answers and self._frame is None:
            self._filled.clear()
        return message
