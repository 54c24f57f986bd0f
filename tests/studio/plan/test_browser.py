"""The page that plans in a real browser: clicking, dragging and drawing change what the server plans."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from motionfields.studio import PlanServer

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import Page

from tests.studio.opened import needs_chromium, quiet_page

pytestmark = needs_chromium

Point = tuple[float, float]


class Opened:
    """The page in the browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def ask(self, expression: str) -> Any:
        return self.page.evaluate(f"() => {{ const {{ planner, view }} = window.planner; return {expression}; }}")

    def found(self, *, seconds: float = 600.0) -> None:
        """Wait until the newest request is answered."""
        deadline = time.monotonic() + seconds
        while self.ask("planner.working || (!planner.motions.length && !planner.refused)"):
            assert time.monotonic() < deadline, "never came"
            self.page.wait_for_timeout(50)

    def still(self) -> None:
        """Wait until the camera has stopped."""
        before = None
        while (now := self.ask("[view.screenOf(0, 0), view.screenOf(1, 1)]")) != before:
            before = now
            self.page.wait_for_timeout(200)

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("planner.document.write()"))
        return found

    @property
    def way(self) -> list[Point]:
        """Places of the root of the displayed motion."""
        roots = self.ask("[...planner.shown.pose.roots]")
        return list(zip(roots[::3], roots[2::3], strict=True))

    def screen(self, place: Point) -> Point:
        at = self.ask(f"view.screenOf({place[0]}, {place[1]})")
        return at["x"], at["y"]

    def drag(self, *stops: Point, steps: int = 6) -> None:
        self.page.mouse.move(*stops[0])
        self.page.mouse.down()
        for stop in stops[1:]:
            self.page.mouse.move(*stop, steps=steps)
        self.page.mouse.up()

    def drag_over(self, *places: Point) -> None:
        self.drag(*(self.screen(place) for place in places))

    def passes(self, place: Point, within: float) -> bool:
        return min((x - place[0]) ** 2 + (z - place[1]) ** 2 for x, z in self.way) < within**2


@pytest.fixture
def opened(server: PlanServer) -> Iterator[Opened]:
    with quiet_page(server.access.url) as page:
        page.wait_for_function("() => window.planner?.planner.scene", timeout=600_000)
        one = Opened(page)
        page.click('[id="within-0.3"]')
        one.found()
        page.click("#camera-top")
        one.still()
        yield one


def test_goals_boxes_and_places_are_set_refused_undone_and_redrawn(opened: Opened) -> None:
    page = opened.page
    page.click("#tool-goal")
    opened.drag_over((1.0, 4.0), (2.0, 4.0))
    goal = opened.document["goal"]
    assert (goal["x_m"], goal["z_m"]) == (pytest.approx(1.0, abs=0.05), pytest.approx(4.0, abs=0.05))
    assert goal["heading_deg"] == pytest.approx(90, abs=3)
    opened.found()
    assert opened.way[-1] == pytest.approx((goal["x_m"], goal["z_m"]), abs=0.02)
    assert "lower bound" in page.inner_text("#summary")
    ways = opened.ask("planner.motions.length")
    assert ways >= 2
    page.click("#ways-1")
    assert opened.ask("planner.rank") == 1

    page.click("#tool-box")
    opened.drag_over((0.5, 3.6), (1.5, 4.4))
    page.keyboard.press("Escape")
    box = opened.document["room"]["boxes"][1]
    assert (box["width_m"], box["depth_m"]) == (pytest.approx(1.0, abs=0.06), pytest.approx(0.8, abs=0.06))
    opened.found()
    assert "nearer to an obstacle" in page.inner_text("#limits")  # the box stands on the goal
    opened.drag_over((1.3, 4.3), (3.1, 4.3))
    opened.found()
    assert opened.document["room"]["boxes"][1]["x_m"] == pytest.approx(2.8, abs=0.06)
    page.keyboard.press("KeyQ")
    assert opened.document["room"]["boxes"][1]["yaw_deg"] == 15
    page.keyboard.press("Delete")
    assert len(opened.document["room"]["boxes"]) == 1
    page.keyboard.press("Control+z")
    assert len(opened.document["room"]["boxes"]) == 2

    page.click("#tool-via")
    page.mouse.click(*opened.screen((-1.5, 2.0)))
    page.keyboard.press("Escape")
    opened.found()
    assert opened.passes((-1.5, 2.0), 0.3)
    number = opened.ask("planner.shown.motion.number")
    middle = len(opened.way) // 2
    begin, end = opened.way[middle - middle // 4], opened.way[middle + middle // 4]
    outside = (min(begin[0], end[0]) - 0.7, (begin[1] + end[1]) / 2)
    page.click("#tool-redraw")
    opened.drag_over(begin, outside, end)
    opened.found()
    assert opened.ask("planner.shown.motion.number") > number
    assert opened.passes(outside, 0.45)
    page.click("#export")
    with page.expect_download() as coming:
        page.click("#export-bvh")
    assert coming.value.path().read_text().startswith("HIERARCHY")
    page.click("#play")
    page.wait_for_function("() => window.planner.planner.time > 0.1", timeout=600_000)


def test_a_path_and_a_stroke_are_drawn_and_redrawn(opened: Opened) -> None:
    page = opened.page
    page.click("#tool-path")
    opened.drag_over((0.0, 0.0), (-1.6, 1.2), (-1.6, 3.0))
    (path,) = opened.document["strokes"]
    assert len(path["points_m"]) > 5
    opened.found()
    assert opened.passes((-1.6, 2.5), 0.3)
    page.click("#tool-redraw")
    opened.drag_over((-1.6, 1.6), (-2.2, 2.2), (-1.6, 2.8))
    opened.found()
    assert len(opened.document["strokes"]) == 1
    assert min(x for x, _ in opened.document["strokes"][0]["points_m"]) < -2.0
    page.click("#tool-stroke")
    opened.still()
    page.select_option("#joint", label="RightHand")
    hand = opened.ask("view.screenOfJoint(planner.joint)")
    start = (hand["x"], hand["y"])
    opened.drag(start, (start[0] + 10, start[1] - 40), (start[0] + 20, start[1] - 70))
    opened.found()
    strokes = opened.document["strokes"]
    assert [stroke.get("joint") for stroke in strokes] == [None, "RightHand"]
    assert strokes[1]["times_s"][0] == pytest.approx(0.0, abs=1e-6)
    assert strokes[0]["times_s"][-1] > strokes[1]["times_s"][-1] or len(strokes[0]["times_s"]) > 1
    assert "RightHand" in page.inner_text("#summary")
    page.keyboard.press("Escape")
    page.click("#clear-strokes")
    opened.found()
    assert opened.document["strokes"] == []
    assert opened.ask("planner.shown.motion.bound") is not None
