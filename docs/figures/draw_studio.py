"""Draw the pictures of the studio in `docs/images`: the page in headless Chromium, operated as by a user.

    python docs/figures/draw_studio.py [--out docs/images] [--only push]

The character is that of `motionfields demo`. Needs Chromium on the path, and takes minutes with software rendering.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from gallery import IMAGES
from motionfields.control.controller import FieldController
from motionfields.control.methods import train_graph, train_matching
from motionfields.studio import Session, StudioServer
from motionfields.studio.demo import ORDER
from studio_page import CHROMIUM, DESK, FLAGS, demo_controllers, studio_page

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


class Stage:
    """One page and its simulation, which advances only on request, so that pictures do not depend on the machine."""

    def __init__(self, page: Page, server: StudioServer) -> None:
        self.page = page
        self.server = server

    def do(self, job: Callable[[Session], Any]) -> Any:
        """Return the result of `job` on the session."""
        return self.server.loop.call(job).result(60.0)

    def go_on(self, frames: int) -> None:
        """Advance by `frames` frames, and wait until the page is at rest."""
        self.advance(frames)
        self.settle()

    def advance(self, frames: int) -> None:
        """Advance by `frames` frames, one at a time, and wait until the page shows each of them."""
        for _ in range(frames):
            number = self.do(lambda session: session.number)
            self.page.evaluate("() => window.studio.studio.send({type: 'step'})")
            self.wait_for(number + 1)
        self.wait_for(self.do(lambda session: session.number))

    def wait_for(self, number: int) -> None:
        """Wait until the page shows frame `number` or a later one."""
        self.page.wait_for_function(f"() => (window.studio?.studio.shown?.number ?? -1) >= {number}", polling=25)

    def settle(self) -> None:
        """Wait until the page shows the newest frame and its camera has stopped moving."""
        self.advance(0)
        self.page.wait_for_timeout(4000)


def close_hint(page: Page) -> None:
    """Close the hint for new users."""
    page.click("#hint button")


def first(stage: Stage) -> None:
    """Show the page as it opens."""
    stage.go_on(60)


def turn(stage: Stage) -> None:
    """Stop in the middle of a turn to the right."""
    close_hint(stage.page)
    stage.go_on(60)
    stage.page.keyboard.down("d")
    stage.page.wait_for_timeout(500)
    stage.go_on(16)


def push(stage: Stage) -> None:
    """Push the chest once, then drag on it again without releasing."""
    page = stage.page
    close_hint(page)
    stage.go_on(50)
    neck = stage.do(lambda session: next(part.joint for part in session.hello().parts if part.name == "neck"))
    chest = stage.do(lambda session: int(session.field.database.skeleton.parents[neck]))
    for let_go in (True, False):
        place = page.evaluate(f"() => window.studio.view.screenOf(0, {chest})")
        page.mouse.move(place["x"], place["y"])
        page.mouse.down()
        page.mouse.move(place["x"] - 130, place["y"] - 10, steps=6)
        if let_go:
            page.mouse.up()
            stage.go_on(8)


def why(stage: Stage) -> None:
    """Open the Why? panel with ghosts, at a past frame within a turn."""
    page = stage.page
    close_hint(page)
    page.keyboard.press("y")
    stage.go_on(60)
    page.keyboard.down("a")
    page.wait_for_timeout(500)
    stage.go_on(40)
    page.keyboard.up("a")
    page.click("#ghosts-actions")
    for _ in range(33):
        page.keyboard.press(",")
        page.wait_for_timeout(60)
    page.wait_for_timeout(4000)


def crowd(stage: Stage) -> None:
    """Show a hundred characters as they start to turn."""
    page = stage.page
    close_hint(page)
    if page.is_visible("#menu"):
        page.click("#menu")
    page.fill("#crowd-number", "100")
    page.keyboard.press("Enter")
    if page.is_visible("#menu"):
        page.click("#menu")
    page.wait_for_timeout(1000)
    stage.go_on(45)
    page.keyboard.down("a")
    page.wait_for_timeout(500)
    stage.go_on(14)
    page.wait_for_timeout(8000)


def compare(stage: Stage) -> None:
    """Show the motion field, motion matching and a motion graph in the middle of the same turn."""
    page = stage.page
    close_hint(page)
    controller = stage.do(lambda session: session.controller)
    matching, graph = (make(controller.field, controller.task) for make in (train_matching, train_graph))
    stage.do(lambda session: session.add(matching))
    stage.do(lambda session: session.add(graph))
    page.keyboard.press("m")
    stage.go_on(60)
    page.keyboard.down("d")
    page.wait_for_timeout(500)
    stage.go_on(20)


def phone(stage: Stage) -> None:
    """Show the page on a phone."""
    stage.go_on(70)


SCENES: dict[str, tuple[Callable[[Stage], None], dict[str, Any]]] = {
    "first": (first, {**DESK, "color_scheme": "light"}),
    "turn": (turn, {**DESK, "color_scheme": "dark"}),
    "push": (push, {**DESK, "color_scheme": "light"}),
    "why": (why, {**DESK, "color_scheme": "dark"}),
    "crowd": (crowd, {**DESK, "color_scheme": "light"}),
    "compare": (compare, {**DESK, "color_scheme": "light"}),
    "phone": (phone, {**PHONE, "color_scheme": "dark"}),
}


def draw(browser: Browser, controllers: list[FieldController], name: str, out: Path) -> None:
    """Play one scene in a new session, and save the picture."""
    scene, options = SCENES[name]

    with studio_page(browser, controllers, pushes=True, **options) as (page, server):
        stage = Stage(page, server)
        stage.settle()
        if name != "why":  # the badge says that the simulation waits for the pictures
            page.add_style_tag(content="#badge { display: none }")
        scene(stage)
        page.screenshot(path=out / f"studio_{name}.jpg", quality=88)
    print(out / f"studio_{name}.jpg", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--only", choices=SCENES, action="append")
    options = parser.parse_args()
    if CHROMIUM is None:
        print("no Chromium on the path")
        return 1
    controllers = demo_controllers(ORDER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name in options.only or SCENES:
            draw(browser, controllers, name, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
