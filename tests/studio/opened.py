"""A page of the studio in headless Chromium, for tests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from motionfields.studio import Session
from tests.studio.conftest import Running

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, sync_playwright

from studio_page import CHROMIUM, FLAGS

PHONE: ViewportSize = {"width": 390, "height": 844}
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on this machine: install the package chromium"
)


class Opened:
    """A page of the studio in the browser; anything that it says on the console is a fault."""

    def __init__(self, browser: Browser, studio: Running, **options: Any) -> None:
        self.studio = studio
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 720}, **options})
        self.page: Page = self.context.new_page()
        self.said: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        # The least work for the renderer, which draws on the processor here.
        self.page.goto(f"{studio.url}?quality=fast")
        self.until(lambda: (self.number or 0) > 3)

    def _note(self, message: ConsoleMessage) -> None:
        if "GPU stall due to ReadPixels" not in message.text:  # a remark of the driver that draws on the processor
            self.said.append(f"{message.type}: {message.text}")

    @property
    def number(self) -> int | None:
        """The number of the frame that is shown."""
        shown: int | None = self.page.evaluate("() => window.studio?.studio.shown?.number ?? null")
        return shown

    def until(self, condition: Callable[[], Any], *, seconds: float = 60.0) -> Any:
        deadline = time.monotonic() + seconds
        while not (value := condition()):
            assert time.monotonic() < deadline, f"never came; the console says {self.said}"
            self.page.wait_for_timeout(50)
        return value

    def server(self, job: Callable[[Session], Any]) -> Any:
        return self.studio.ask(job)

    def close(self) -> None:
        self.context.close()
        assert self.said == []


@contextmanager
def quiet_page(url: str) -> Iterator[Page]:
    """A page at `url` in a browser of its own; an error of its scripts is a fault."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        said: list[str] = []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{url}?quality=fast")  # the least work for the renderer, which draws on the processor here
        yield page
        browser.close()
        assert said == []
