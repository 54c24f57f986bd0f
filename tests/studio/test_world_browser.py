"""World mode in a real browser: what users place, drag and click there is what characters walk around and to."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.world import Disc, Room, World
from motionfields.studio import Access, Session, StudioServer, listen
from motionfields.studio import messages as m
from tests.studio.conftest import Running
from tests.studio.test_world_mode import walker

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import Browser

from tests.studio.opened import Opened, needs_chromium

pytestmark = needs_chromium


def made(_: object) -> Session:
    session = Session(walker()[:1])
    session.worlds.world = World(Room((-6.0, -6.0, 6.0, 6.0), radius=0.25))
    session.worlds.learn(session.task, walker()[1], session.controller)
    session.speed = 2.0
    session.apply(m.Steer(0.0, 0.0))  # stands, however long the page takes to load
    return session


def test_an_obstacle_is_placed_and_dragged_and_a_character_walks_around_it_to_a_click(browser: Browser) -> None:
    with listen("127.0.0.1", 0) as listening:
        server = StudioServer(made, Access.on("127.0.0.1", listening.getsockname()[1]))
        with server.running(listening):
            opened = Opened(browser, Running(server))
            use(opened)
            opened.close()


def use(opened: Opened) -> None:
    page = opened.page
    page.select_option("#camera", "Top")
    page.click("#world-toggle")
    opened.until(lambda: page.evaluate("() => window.studio.studio.shown.walks != null"))

    def screen(x: float, z: float) -> tuple[float, float]:
        at = page.evaluate(f"() => window.studio.view.screenOfGround({x}, {z})")
        return at["x"], at["y"]

    def is_still() -> bool:
        before = screen(0.0, 0.0)
        page.wait_for_timeout(300)
        return bool(np.allclose(before, screen(0.0, 0.0), atol=1.0))

    def drag(start: tuple[float, float], end: tuple[float, float]) -> None:
        opened.until(is_still)  # the camera rests above the character, which stands
        begin, finish = screen(*start), screen(*end)
        page.mouse.move(*begin)
        page.mouse.down()
        page.mouse.move(*((a + b) / 2 for a, b in zip(begin, finish, strict=True)), steps=2)
        page.mouse.move(*finish, steps=2)
        page.mouse.up()

    def discs(session: Session) -> list[Disc]:
        return [one for one in session.worlds.world.room.obstacles if isinstance(one, Disc)]

    opened.until(is_still)
    x, z = opened.server(lambda session: session._crowd.ground.position[0].tolist())
    page.click("#world-disc")
    drag((x + 1.3, z - 1.6), (x + 1.7, z - 1.6))
    # The page sends the disc while it grows.
    placed = opened.until(lambda: [one for one in opened.server(discs) if abs(one.radius - 0.4) < 0.05])[0]
    page.click("#world-disc")  # puts the tool away
    drag((placed.x, placed.z), (x + 1.3, z))  # not through the character, which would step aside with the camera
    opened.until(lambda: abs(opened.server(discs)[0].z - z) < 0.2)
    page.mouse.click(*screen(x + 2.2, z))
    room = opened.server(lambda session: session.worlds.world.room)
    least = np.inf

    def arrived(session: Session) -> bool:
        nonlocal least
        assert session.worlds.navigation is not None
        least = min(least, float(room.clearance(session._crowd.followers.position)[0]))
        return bool(session.worlds.navigation.pilot.reached[0])

    opened.until(lambda: opened.server(arrived))
    assert least > room.radius - 0.03
    page.click("#why-toggle")
    opened.until(lambda: "goal" in page.inner_text("#why-future"))
    page.click("#world-toggle")
    opened.until(lambda: page.evaluate("() => window.studio.studio.shown.walks == null"))
