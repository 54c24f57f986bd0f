"""The studio: a page in the browser in which characters are steered, pushed and asked why; needs the extra `studio`.

`session` is the simulation as the page sees it, without threads or sockets; `loop` runs it in time; `server` lets pages
take part, under the rules of `access`. What they say to each other is in `messages`.
"""

from motionfields.base.errors import MissingExtraError

try:
    from motionfields.studio.access import Access
    from motionfields.studio.loop import Loop
    from motionfields.studio.server import StudioServer, listen
    from motionfields.studio.serving import serve
    from motionfields.studio.session import Session
except ModuleNotFoundError as error:
    if error.name not in ("starlette", "uvicorn", "msgspec"):
        raise
    raise MissingExtraError(error.name, extra="studio") from None

__all__ = ["Access", "Loop", "Session", "StudioServer", "listen", "serve"]
