"""Helpers that open the studio in headless Chromium, with the character of the demo, to take pictures."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from motionfields.base.storage import cache_folder
from motionfields.control.controller import FieldController
from motionfields.control.tasks import TASKS
from motionfields.control.training import train
from motionfields.studio import Access, Session, StudioServer, listen
from motionfields.studio.demo import TITLE, Demo

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",  # without a graphics card, composing the page this way is 4 times as fast
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}


def demo_controllers(tasks: Sequence[str]) -> list[FieldController]:
    """Return controllers of the demo for `tasks`; trains those that do not ship, and keeps them as the demo does."""
    demo = Demo(cache_folder())
    first = demo.first()
    for task in tasks:
        if not demo.path(task).exists():
            train(first.field, TASKS.load(task)()).save(demo.path(task))
    return [FieldController.load(demo.path(task)) for task in tasks]


@contextmanager
def studio_page(
    browser: Browser,
    controllers: list[FieldController],
    *,
    title: str = TITLE,
    pushes: bool = False,
    quality: str = "best",
    **context: Any,
) -> Iterator[tuple[Page, StudioServer]]:
    """Serve a paused session and open its page; `context` holds options of the browser context."""

    def prepare(_: object) -> Session:
        session = Session(controllers, title=title)
        session.paused = True
        if pushes:
            session.warm_pushes()
        return session

    with opened_page(browser, StudioServer, prepare, quality=quality, **context) as opened:
        yield opened


@contextmanager
def opened_page(
    browser: Browser, serve: Callable[..., Any], prepare: Callable[[Any], Any], *, quality: str = "best", **context: Any
) -> Iterator[tuple[Page, Any]]:
    """Start the server `serve` of the session that `prepare` makes, and open its page; yields the page and the server.

    `context` holds options of the browser context.
    """
    with listen("127.0.0.1", 0) as listening:
        server = serve(prepare, Access.on("127.0.0.1", listening.getsockname()[1]))
        with server.running(listening):
            opened = browser.new_context(**context)
            page = opened.new_page()
            page.set_default_timeout(300_000)
            page.goto(f"{server.access.url}?quality={quality}")
            yield page, server
            opened.close()


def take_picture(
    server: Callable[..., Any], session: Any, path: Path, *, ready: str, draw: Callable[[Page], None]
) -> None:
    """Serve `session` by a `server` that composes or plans, use its page as `draw` does, and save a picture of it.

    `ready` is JavaScript that is true once the page can be used.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with opened_page(browser, server, lambda _: session, color_scheme="light", **DESK) as (page, _):
            page.wait_for_function(f"() => {ready}")
            draw(page)
            page.screenshot(path=path, quality=88)
    print(path, flush=True)
