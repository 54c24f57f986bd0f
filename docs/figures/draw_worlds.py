"""Draw the pictures of worlds in `docs/images`: characters in the studio that find their way by themselves.

    python docs/figures/draw_worlds.py [--out docs/images] [--only doorway] [--controller F.ctrl --futures F.futures]

Pictures: `doorway`, `corridor`, `chase` and `why`. The motion is the public set cmu-locomotion, unless a velocity
controller and its futures are given. Needs Chromium on the path, and takes minutes with software rendering.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from draw_studio import Stage, close_hint
from gallery import DATA, IMAGES
from motionfields.authoring.worlds import Futures
from motionfields.base.world import Box, Disc, Room, Wall, World
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats import load_clips
from motionfields.studio import Session, StudioServer
from motionfields.studio import messages as m
from studio_page import CHROMIUM, DESK, FLAGS, opened_page

DOORWAY = Room((-8.0, -8.0, 8.0, 8.0), (Wall((-8.0, 0.0), (-0.8, 0.0), 0.2), Wall((0.8, 0.0), (8.0, 0.0), 0.2)), 0.25)
CORRIDOR = Room(
    (-10.0, -10.0, 10.0, 10.0),
    tuple(
        Wall(start, end, 0.2)
        for side in (-1.0, 1.0)
        for start, end in (
            ((1.8 * side, -5.0), (1.8 * side, 5.0)),
            ((10.0 * side, 5.0), (1.8 * side, 5.0)),
            ((10.0 * side, -5.0), (1.8 * side, -5.0)),
        )
    ),
    0.25,
)
PILLARS = Room(
    (-8.0, -8.0, 8.0, 8.0),
    (Box(2.0, 2.0, 2.0, 1.0, 0.4), Disc(-3.0, -1.0, 0.8), Box(-1.0, -4.0, 1.0, 2.0), Disc(3.0, -3.0, 0.6)),
    0.25,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--only", choices=tuple(PICTURES_BY_NAME))
    parser.add_argument("--controller", type=Path)
    parser.add_argument("--futures", type=Path)
    options = parser.parse_args()
    if CHROMIUM is None:
        print("no Chromium on the path")
        return 1
    if options.controller is None:
        controller = train(MotionField(MotionDatabase.build(load_clips(DATA / "locomotion"))), Velocity())
    else:
        controller = FieldController.load(options.controller)
    futures = Futures.of(controller) if options.futures is None else Futures.load(options.futures)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, draw in PICTURES_BY_NAME.items():
            if options.only in (None, name):
                path = draw(browser, controller, futures, options.out)
                print(path, path.stat().st_size, "bytes", flush=True)
    return 0


def opened(
    browser: Browser, prepare: Callable[[Any], Session], screen: dict[str, Any], use: Callable[[Page, Stage], None]
) -> None:
    """Serve a session, open its page, and `use` it once it is at rest."""
    with opened_page(browser, StudioServer, prepare, **screen) as (page, server):
        page.wait_for_function("() => window.studio?.studio.shown?.walks")
        close_hint(page)
        page.add_style_tag(content="#badge { display: none }")  # says that the simulation waits for pictures
        use(page, Stage(page, server))


class Still:
    """A picture of the page: a room, the number of characters and their orders, and what is switched on."""

    def __init__(self, name: str, room: Room, count: int, orders: str, seconds: float, **more: Any) -> None:
        self.name, self.room, self.count, self.orders, self.seconds, self.more = (
            name,
            room,
            count,
            orders,
            seconds,
            more,
        )

    def __call__(self, browser: Browser, controller: FieldController, futures: Futures, folder: Path) -> Path:
        more = self.more

        def prepare(_: object) -> Session:
            session = Session([controller], title=self.name)
            session.enter(futures, World(self.room))
            session.apply(m.Gather(self.count))
            session.apply(m.Order(self.orders))  # type: ignore[arg-type]
            session.apply(m.Select(more.get("select", 0)))
            for _ in range(round(self.seconds / session.frame_time)):
                session.tick()
            session.paused = True
            return session

        path = folder / f"world_{self.name}.jpg"

        def shoot(page: Page, _: Stage) -> None:
            for layer in more.get("layers", ()):
                page.click(f"#layer-{layer}")
            page.evaluate(f"() => window.studio.view.setCamera('{more.get('camera', 'Orbit')}')")
            page.wait_for_timeout(1000)
            page.evaluate(f"() => window.studio.view.turnCamera({more.get('turn', 0)}, {more.get('tilt', 60)})")
            page.evaluate(f"() => window.studio.view.zoomCamera({more.get('zoom', 1.2)})")
            if more.get("why"):
                page.click("#why-toggle")
                page.wait_for_function("() => document.querySelector('#why:not(.empty) #why-plans td')")
            page.wait_for_timeout(4000)
            page.screenshot(path=path, quality=85)

        opened(browser, prepare, {**DESK, "color_scheme": more.get("theme", "dark")}, shoot)
        return path


PICTURES_BY_NAME: dict[str, Callable[[Browser, FieldController, Futures, Path], Path]] = {
    "doorway": Still(
        "doorway", DOORWAY, 24, "cross", 10.0, layers=("fan", "rays"), camera="Top", theme="light", tilt=0, zoom=2.3
    ),
    "corridor": Still("corridor", CORRIDOR, 30, "cross", 9.0, tilt=40),
    "chase": Still("chase", PILLARS, 12, "chase", 12.0, theme="light", tilt=60, zoom=1.1),
    "why": Still("why", PILLARS, 14, "wander", 6.0, layers=("fan", "rays"), why=True, tilt=110, zoom=1.25, select=3),
}


if __name__ == "__main__":
    sys.exit(main())
