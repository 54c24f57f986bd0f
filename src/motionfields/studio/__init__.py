"""The studio: a browser page to steer and push characters and to inspect their decisions.

`session` holds the simulation without threads or sockets. `loop` runs it in real time on a thread. `server` connects
pages to it and applies the rules of `access`. `messages` defines the protocol between the server and the pages.
`compose` and `plan` hold the same parts for the pages that compose and that plan motion.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motionfields.studio.compose.server import ComposeServer
    from motionfields.studio.compose.session import ComposeSession
    from motionfields.studio.plan.server import PlanServer
    from motionfields.studio.plan.session import PlanSession

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
    "PlanServer",
    "PlanSession",
    "Session",
    "StudioServer",
    "listen",
    "serve",
]


_LATER = {"ComposeServer": "compose.server", "ComposeSession": "compose.session"}
_LATER |= {"PlanServer": "plan.server", "PlanSession": "plan.session"}


def __getattr__(name: str) -> Any:
    """Return a name of the pages that compose and plan motion, which take longer to import than playing."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"motionfields.studio.{_LATER[name]}"), name)
