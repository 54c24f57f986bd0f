"""The studio: a browser page to steer and push characters and to inspect their decisions.

`session` holds the simulation without threads or sockets. `loop` runs it in real time on a thread. `server` connects
pages to it and applies the rules of `access`. `messages` defines the protocol between the server and the pages.
`compose` holds the same parts for the page that composes motion.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motionfields.studio.compose.server import ComposeServer
    from motionfields.studio.compose.session import ComposeSession

from motionfields.studio.access import Access
from motionfields.studio.loop import Loop
from motionfields.studio.server import StudioServer, listen
from motionfields.studio.serving import serve
from motionfields.studio.session import Session

__all__ = [
    "Access",
    "ComposeServer",
    "ComposeSession",
    "Loop",
    "Session",
    "StudioServer",
    "listen",
    "serve",
]


def __getattr__(name: str) -> Any:
    """Return a name of the page that composes motion, which takes longer to import than playing."""
    if name == "ComposeServer":
        from motionfields.studio.compose.server import ComposeServer

        return ComposeServer
    if name == "ComposeSession":
        from motionfields.studio.compose.session import ComposeSession

        return ComposeSession
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
