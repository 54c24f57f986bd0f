"""The studio: a page in the browser in which characters are steered, pushed and asked why; needs the extra `viewer`.

`session` is the simulation as the page sees it, without threads or sockets; `loop` runs it in time; `server` lets pages
take part, under the rules of `access`. What they say to each other is in `messages`.
"""

from motionfields.errors import MissingExtraError

try:
    from motionfields.viewer.access import Access
    from motionfields.viewer.loop import Loop
    from motionfields.viewer.server import StudioServer, listen
    from motionfields.viewer.serving import serve
    from motionfields.viewer.session import Session
except ModuleNotFoundError as error:
    if error.name not in ("starlette", "uvicorn", "msgspec"):
        raise
    raise MissingExtraError(error.name, extra="viewer") from None

__all__ = ["Access", "Loop", "Session", "StudioServer", "listen", "serve"]
