"""Start the studio in one call: open a socket, print the address of the page, and serve until interrupted."""

from __future__ import annotations

import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any

from motionfields.base.errors import MotionFieldsError
from motionfields.studio.access import Access
from motionfields.studio.qr import LONGEST, qr_code, terminal_text
from motionfields.studio.server import PAGE, PageServer, StudioServer, listen


def serve(
    prepare: Callable[[Any], Any],
    *,
    server: Callable[[Any, Access], PageServer] = StudioServer,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    names: Sequence[str] = (),
    browser: bool = False,
) -> None:
    """Serve the session that `prepare` makes (see `Loop`) until interrupted, and print the address of the page.

    `server` is the kind of server: `ComposeServer` for the page that composes motion, with a `prepare` that makes a
    `ComposeSession`. `host`, `port` (0 for any free port), `token` and `names` are as in `Access.on`. `browser` opens
    the page in a browser. If other machines can reach the page, a terminal also shows its address as a QR code.
    """
    if not (PAGE / "index.html").is_file():
        raise MotionFieldsError("the studio page has not been built; run scripts/build_studio")
    Access.on(host, port, token=token, names=names)  # raises before a socket is opened
    try:
        listening = listen(host, port)
    except OSError as error:
        raise MotionFieldsError(f"{host}, port {port}: {error.strerror}; --port 0 picks a free port") from None
    with listening:
        access = Access.on(host, listening.getsockname()[1], token=token, names=names)
        server(prepare, access).run(listening, on_start=lambda: _announce(access, browser=browser))


def _announce(access: Access, *, browser: bool) -> None:
    url = access.url
    if not access.is_local and sys.stdout.isatty() and len(url.encode()) <= LONGEST:
        print(terminal_text(qr_code(url)))
    print(f"the studio is at {url}\npress Ctrl-C to stop", flush=True)
    if browser:
        threading.Thread(target=_open, args=(url,), daemon=True).start()  # opening a browser may block


def _open(url: str) -> None:
    if not webbrowser.open(url):
        print("no browser could be opened; open the address in a browser on this machine", flush=True)
