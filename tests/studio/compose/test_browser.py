"""The page that composes in a real browser: painting, dragging and choosing change what the server composes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from motionfields.studio import ComposeServer

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import Page

from tests.studio.opened import needs_chromium, quiet_page

pytestmark = needs_chromium


class Opened:
    """The page in the browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def until(self, condition: Callable[[], Any], *, seconds: float = 600.0) -> Any:
        deadline = time.monotonic() + seconds
        while not (value := condition()):
            assert time.monotonic() < deadline, "never came"
            self.page.wait_for_timeout(50)
        return value

    @property
    def timeline(self) -> dict[str, Any]:
        """The timeline as the page sends it."""
        found: dict[str, Any] = json.loads(self.page.evaluate("() => window.composer.composer.document.write()"))
        return found

    def composed(self, count: int = 3) -> list[dict[str, Any]]:
        """The motions of the newest timeline, once there are `count`."""
        self.page.wait_for_timeout(300)
        idle = "() => window.composer.composer.working === null && window.composer.composer.motions.length"
        self.until(lambda: self.page.evaluate(idle) == count)
        pick = "({ motion: { number, labels_met, pieces } }) => ({ number, labels_met, pieces })"
        motions: list[dict[str, Any]] = self.page.evaluate(f"() => window.composer.composer.motions.map({pick})")
        return motions

    def settled(self, count: int = 3) -> None:
        """Wait until there are `count` motions and the camera has stopped."""
        self.composed(count)
        self.page.evaluate(
            """() => new Promise((stop) => {
              let before = null, same = 0;
              const look = () => {
                const now = JSON.stringify(window.composer.view.pickGround(500, 250), (_, v) => v?.toFixed?.(4) ?? v);
                same = now === before ? same + 1 : 0;
                before = now;
                if (same < 10) requestAnimationFrame(look);
                else stop();
              };
              look();
            })"""
        )

    def drag(self, start: tuple[float, float], *stops: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for stop in stops:
            self.page.mouse.move(*stop, steps=6)
        self.page.mouse.up()

    def paint(self, label: str, start: float, end: float, brush: str = "want") -> None:
        self.page.click(f"#brush-{brush}")
        box = self.page.locator(f'[data-label="{label}"]').bounding_box()
        assert box is not None
        y, seconds = box["y"] + box["height"] / 2, self.timeline["seconds"]
        self.drag((box["x"] + box["width"] * start / seconds, y), (box["x"] + box["width"] * end / seconds, y))

    def screen(self, x: float, z: float) -> tuple[float, float]:
        """Where a point of the ground is on the screen."""
        at = self.page.evaluate(f"() => window.composer.view.screenOf({x}, {z})")
        return at["x"], at["y"]


@pytest.fixture
def opened(server: ComposeServer) -> Iterator[Opened]:
    with quiet_page(server.access.url) as page:
        one = Opened(page)
        one.until(lambda: page.evaluate("() => window.composer?.composer.motions.length"))
        page.fill("#length", "4")
        page.keyboard.press("Enter")
        yield one


def test_painting_undoing_choosing_judging_and_export(opened: Opened) -> None:
    page = opened.page
    opened.paint("walk", 0.0, 1.5)
    opened.paint("turn_left", 2.0, 2.5)
    opened.paint("turn_right", 0.0, 4.0, "avoid")
    labels = [(goal["label"], goal["start_s"], goal["end_s"]) for goal in opened.timeline["labels"]]
    assert sorted(labels) == [("turn_left", 2.0, 2.5), ("turn_right", 0.0, 4.0), ("walk", 0.0, 1.5)]
    assert next(goal for goal in opened.timeline["labels"] if not goal.get("wanted", True))["label"] == "turn_right"
    motions = opened.composed()
    assert motions[0]["labels_met"] == 1.0
    opened.paint("walk", 0.5, 1.0, "erase")
    walks = [(goal["start_s"], goal["end_s"]) for goal in opened.timeline["labels"] if goal["label"] == "walk"]
    assert walks == [(0.0, 0.5), (1.0, 1.5)]
    page.keyboard.press("Control+z")
    assert sorted((goal["label"], goal["start_s"], goal["end_s"]) for goal in opened.timeline["labels"]) == sorted(
        labels
    )
    motions = opened.composed()
    page.click("#alternatives-1")
    assert page.locator(".piece").count() == len(motions[1]["pieces"])
    page.click("#compare")
    assert page.evaluate("() => window.composer.composer.compare")
    used = next(i for i, piece in enumerate(motions[1]["pieces"]) if "turn_left" in piece["labels"])
    page.locator(".piece").nth(used).click()
    page.click("#wrong-turn_left")
    assert opened.composed()[0]["number"] > motions[2]["number"]
    page.click("#export")
    with page.expect_download() as coming:
        page.click("#export-timeline")
    assert json.loads(coming.value.path().read_text()) == opened.timeline
    page.click("#export")
    with page.expect_download() as coming:
        page.click("#export-bvh")
    assert coming.value.path().read_text().startswith("HIERARCHY")


def test_a_place_is_dragged_moved_and_retimed_a_path_is_drawn_and_a_pose_is_pinned(opened: Opened) -> None:
    page = opened.page
    opened.composed()
    page.click("#force")  # this small field reaches few places
    page.click("#camera-top")
    ruler = page.locator("#ruler").bounding_box()
    assert ruler is not None
    page.mouse.click(ruler["x"] + 0.75 * ruler["width"], ruler["y"] + 5)
    opened.settled()
    page.click("#tool-place")
    x, z = page.evaluate("() => { const { x, z } = window.composer.view.pickGround(500, 250); return [x, z]; }")
    opened.drag((500, 250), opened.screen(x + 1.0, z))
    (place,) = opened.timeline["places"]
    assert (place["time_s"], place["heading_deg"]) == (3.0, pytest.approx(90, abs=3))
    assert (place["x_m"], place["z_m"]) == (pytest.approx(x, abs=0.05), pytest.approx(z, abs=0.05))
    opened.settled()
    opened.drag(opened.screen(place["x_m"], place["z_m"]), opened.screen(place["x_m"] + 0.5, place["z_m"]))
    (moved,) = opened.timeline["places"]
    assert moved["x_m"] == pytest.approx(place["x_m"] + 0.5, abs=0.05)
    motions = opened.composed(3)
    last = page.evaluate(
        "() => { const { pose } = window.composer.composer.motions[0]; return [...pose.roots.slice(270, 273)]; }"
    )
    assert (last[0], last[2]) == (pytest.approx(moved["x_m"], abs=0.01), pytest.approx(moved["z_m"], abs=0.01))
    diamond = page.locator(".moment").bounding_box()
    assert diamond is not None
    assert motions
    y = diamond["y"] + 6
    opened.drag((diamond["x"] + 6, y), (ruler["x"] + 0.5 * ruler["width"], y))
    assert opened.timeline["places"][0]["time_s"] == pytest.approx(2.0, abs=0.11)
    page.keyboard.press("Delete")
    assert "places" not in opened.timeline
    page.click("#tool-path")
    opened.drag((600, 300), (640, 200), (700, 150))
    assert len(opened.timeline["path"]["points_m"]) > 5
    page.hover("#path")
    page.click("#clear-path")
    page.click("#tool-pose")
    page.select_option("#pose-take", "walk_forward")
    page.fill("#pose-time", "0.5")
    page.click("#pose-pin")
    (pin,) = opened.timeline["poses"]
    assert pin["take"] == "walk_forward"
    assert pin["take_s"] == pytest.approx(0.5, abs=0.04)
    opened.composed()
