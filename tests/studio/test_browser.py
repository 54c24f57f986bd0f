"""The page in a real browser, against a real server: what the user does there is what the server does, and back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from motionfields.control.controller import FieldController
from motionfields.motion.formats import load_clip
from motionfields.studio import Session
from motionfields.studio import messages as m
from motionfields.studio.warming import tell_findings
from tests.studio.conftest import Running, run_studio

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import Browser

from tests.studio.opened import PHONE, Opened, needs_chromium

pytestmark = needs_chromium


@pytest.fixture
def opened(browser: Browser, studio: Running) -> Iterator[Opened]:
    page = Opened(browser, studio)
    yield page
    page.close()


def facing(session: Session) -> float:
    return float(session._crowd.ground.facing[0])


def off(one: float, other: float) -> float:
    return abs((one - other + np.pi) % (2.0 * np.pi) - np.pi)


def test_the_page_shows_a_character_that_moves_and_says_nothing_on_the_console(opened: Opened) -> None:
    first = opened.number
    opened.until(lambda: (opened.number or 0) > (first or 0) + 20)
    assert "motionfields studio" in opened.page.title()
    drawn = opened.page.evaluate("() => document.querySelector('#scene').width")
    assert drawn > 100


def test_holding_d_turns_the_character_to_the_right_of_the_screen(opened: Opened) -> None:
    before = opened.server(facing)
    camera = opened.page.evaluate("() => window.studio.view.cameraYaw()")
    opened.page.keyboard.down("d")
    opened.until(lambda: off(opened.server(facing), camera - np.pi / 2) < np.radians(20.0))
    assert off(opened.server(facing), before) > np.radians(45.0)
    received = "() => window.studio.studio.frames.map(frame => frame.figures.facing)"
    opened.until(lambda: min(off(yaw, camera - np.pi / 2) for yaw in opened.page.evaluate(received)) < np.radians(20.0))
    shown = "() => { const { number, figures } = window.studio.studio.shown; return [number, figures.facing]; }"
    number, yaw = opened.page.evaluate(shown)
    sent = msgspec.msgpack.decode(opened.server(lambda session: session.history.at(number).message))
    assert yaw == sent["figures"]["facing"]
    opened.page.keyboard.up("d")


def test_dragging_the_chest_pushes_it_and_the_plot_shows_it(opened: Opened) -> None:
    pytest.importorskip("mujoco")
    page = opened.page
    joint = opened.server(lambda session: next(p.joint for p in session.hello().parts if p.name == "neck"))
    joint = opened.server(lambda session: int(session.field.database.skeleton.parents[joint]))
    opened.page.keyboard.press("Space")  # a character that stands still is easier to hit
    opened.until(lambda: page.evaluate("() => window.studio.studio.status.paused"))
    page.wait_for_timeout(500)
    place = page.evaluate(f"() => window.studio.view.screenOf(0, {joint})")
    picked = page.evaluate(f"() => window.studio.view.pickBody({place['x']}, {place['y']})?.character ?? null")
    assert picked == 0
    page.mouse.move(place["x"], place["y"])
    page.mouse.down()
    page.mouse.move(place["x"] + 60, place["y"], steps=4)
    page.mouse.move(place["x"] + 120, place["y"], steps=4)
    page.mouse.up()
    page.keyboard.press("Space")
    moments = opened.until(lambda: opened.server(_pushed))
    push = moments[0]["pushes"][0]
    right = opened.page.evaluate("() => window.studio.view.cameraYaw()") - np.pi / 2
    along = push["force"][0] * np.sin(right) + push["force"][2] * np.cos(right)
    assert along > 0.7 * np.linalg.norm(push["force"])  # to the right of the screen
    opened.until(lambda: int(page.get_attribute("#error-plot", "data-pushes") or 0) > 0)


def _pushed(session: Session) -> list[dict[str, Any]]:
    """The frames of the last half minute in which a push acts."""
    frames = [
        msgspec.msgpack.decode(session.look(n)) for n in range(session.history.oldest, session.history.newest + 1)
    ]
    return [frame for frame in frames if frame["pushes"]]


def test_pause_rewind_and_why_show_what_the_server_recorded(opened: Opened) -> None:
    page = opened.page
    opened.until(lambda: (opened.number or 0) > 60)
    page.keyboard.press("d")
    page.wait_for_timeout(700)
    page.click("#why-toggle")
    page.keyboard.press("Space")
    opened.until(lambda: page.evaluate("() => window.studio.studio.status.paused"))
    newest = opened.server(lambda session: session.number)
    opened.until(lambda: opened.number == newest)
    for back in range(1, 6):
        page.keyboard.press(",")
        opened.until(lambda number=newest - back: opened.number == number)  # type: ignore[misc]
    timeline = page.locator("#timeline").bounding_box()
    assert timeline is not None
    page.mouse.click(timeline["x"] + 0.985 * timeline["width"], timeline["y"] + timeline["height"] / 2)
    number = opened.until(lambda: opened.number if opened.number not in (newest, newest - 5) else None)
    opened.until(lambda: page.get_attribute("#why", "data-number") == str(number))
    why = opened.server(lambda session: session.why(number, 0))
    assert page.get_attribute("#why", "data-chosen") == str(why.chosen)
    assert page.get_attribute("#why", "data-state") == str(why.state)
    table = "[...document.querySelectorAll('#why-actions [data-state]')]"
    shown = page.evaluate(f"() => {table}.map(row => [+row.dataset.state, +row.dataset.score])")
    assert [row for row, _ in shown] == [action.state for action in why.actions]
    np.testing.assert_allclose([score for _, score in shown], [action.score for action in why.actions], atol=1e-3)
    near = page.evaluate(
        "() => [...document.querySelectorAll('#why-neighbors [data-state]')].map(row => +row.dataset.state)"
    )
    assert near == [neighbor.state for neighbor in why.neighbors]
    page.click("#live")
    opened.until(lambda: not opened.server(lambda session: session.paused))
    opened.until(lambda: (opened.number or 0) > newest)


def test_two_browsers_see_the_same_motion(browser: Browser, opened: Opened, studio: Running) -> None:
    other = Opened(browser, studio, viewport={"width": 480, "height": 320})
    other.page.keyboard.press("d")  # one steers, both see it
    other.page.wait_for_timeout(800)
    other.page.keyboard.press("Space")
    newest = other.until(lambda: studio.ask(lambda session: session.paused and session.number))
    seen = []
    for page in (opened, other):
        page.until(lambda page=page: page.number == newest)  # type: ignore[misc]
        frames = "() => window.studio.studio.frames.map(f => [f.number, `${f.roots} ${f.rotations}`])"
        seen.append(dict(page.page.evaluate(frames)))
    common = seen[0].keys() & seen[1].keys()
    assert len(common) > 10
    assert all(seen[0][number] == seen[1][number] for number in common)
    other.close()


def test_tasks_crowd_and_speed_are_set_from_the_page(opened: Opened) -> None:
    page = opened.page
    for key, name in (("2", "velocity"), ("3", "line"), ("1", "direction")):
        page.keyboard.press(key)
        opened.until(lambda name=name: opened.server(lambda session: session.status().task) == name)  # type: ignore[misc]
    page.fill("#crowd-number", "12")
    page.keyboard.press("Enter")
    opened.until(lambda: opened.server(lambda session: session.count) == 12)
    page.keyboard.press("[")
    opened.until(lambda: opened.server(lambda session: session.speed) < 1.0)


def test_findings_about_the_data_are_listed_and_dismissed_for_good(opened: Opened) -> None:
    page = opened.page
    assert not page.is_visible("#findings")
    found = (m.Finding("The set cannot turn.", "Capture turns."), m.Finding("Nobody plays run_03.", "Look at it."))
    opened.server(lambda session: tell_findings(session, found))
    opened.until(lambda: page.is_visible("#findings"))
    if (hint := page.locator("#hint").bounding_box()) is not None:
        below = page.locator("#findings").bounding_box()
        assert below is not None
        assert hint["y"] + hint["height"] <= below["y"]
    assert page.inner_text("#findings summary") == "2 findings about the data"
    assert not page.is_visible("#findings li")
    page.click("#findings summary")
    assert page.inner_text("#findings li >> nth=0") == "The set cannot turn.\nCapture turns."
    page.click("#findings-close")
    assert not page.is_visible("#findings")
    page.reload()
    opened.until(lambda: page.evaluate("() => window.studio?.studio.hello?.findings.length") == 2)
    assert not page.is_visible("#findings")
    opened.server(lambda session: tell_findings(session, found[1:]))  # other data
    opened.until(lambda: page.is_visible("#findings"))
    assert page.inner_text("#findings summary") == "1 finding about the data"


def test_a_line_is_drawn_on_the_ground_and_a_point_is_clicked(opened: Opened) -> None:
    page = opened.page
    page.keyboard.press("Space")  # so that neither the camera nor the character moves under the mouse
    opened.until(lambda: page.evaluate("() => window.studio.studio.status.paused"))
    place = page.evaluate("() => window.studio.view.screenOf(0, 0)")
    x, y = place["x"] + 200, 470
    ground = page.evaluate(f"() => {{ const p = window.studio.view.pickGround({x}, {y}); return [p.x, p.z]; }}")
    page.mouse.click(x, y)
    wish = opened.until(
        lambda: opened.server(lambda session: session._steering.wish.kind == "point" and session._steering.wish)
    )
    np.testing.assert_allclose(wish.point, ground, atol=1.5)  # the camera moves on between the two
    page.keyboard.press("3")
    opened.until(lambda: page.evaluate("() => window.studio.studio.status.task") == "line")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y - 40, steps=5)
    page.mouse.up()
    opened.until(lambda: opened.server(lambda session: session._steering.wish.kind) == "line")


def heading(session: Session) -> float:
    return session._steering.wish.heading


def test_a_gamepad_steers_and_pauses(opened: Opened) -> None:
    """The browser has no gamepad, so it is told of one as a real one would be."""
    page = opened.page
    page.evaluate(
        """() => {
            window.pad = { connected: true, axes: [-1, 0, 0, 0], buttons: Array(17).fill({ pressed: false }) };
            navigator.getGamepads = () => [window.pad];
            window.dispatchEvent(new Event("gamepadconnected"));
        }"""
    )
    left = page.evaluate("() => window.studio.view.cameraYaw()") + np.pi / 2
    opened.until(lambda: off(opened.server(heading), left) < np.radians(30.0))
    page.evaluate("() => { window.pad.buttons = window.pad.buttons.map((b, i) => ({ pressed: i === 9 })); }")
    opened.until(lambda: page.evaluate("() => window.studio.studio.status.paused"))


def test_a_take_is_downloaded_as_bvh(opened: Opened, tmp_path: Path) -> None:
    page = opened.page
    page.keyboard.press("r")
    opened.until(lambda: opened.server(lambda session: session.status().taken) > 15)
    opened.until(lambda: page.evaluate("() => window.studio.studio.status.taking"))
    with page.expect_download(timeout=300_000) as coming:
        page.keyboard.press("r")
    file = tmp_path / "take.bvh"
    coming.value.save_as(file)
    assert load_clip(file, scale=1.0).frame_count == opened.server(lambda session: session.status().taken)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_page_fits_a_phone_and_its_stick_steers(browser: Browser, studio: Running, theme: str) -> None:
    opened = Opened(browser, studio, viewport=PHONE, has_touch=True, is_mobile=True, color_scheme=theme)
    page = opened.page
    stick = page.locator(".stick").bounding_box()
    assert stick is not None
    x, y = stick["x"] + stick["width"] / 2, stick["y"] + stick["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=3)
    left = page.evaluate("() => window.studio.view.cameraYaw()") + np.pi / 2
    opened.until(lambda: off(opened.server(heading), left) < np.radians(30.0))
    page.mouse.up()
    page.locator("#why-toggle").first.dispatch_event("click")
    opened.until(lambda: page.get_attribute("#why", "data-number"))
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    assert page.locator("#task").evaluate("tabs => tabs.scrollWidth <= tabs.clientWidth")
    page.locator("#bar > button").evaluate_all("buttons => buttons.forEach((button) => (button.hidden = false))")
    clipped = "tabs => tabs.filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.innerText)"
    assert page.locator("#task .segment").evaluate_all(clipped) == []
    for name in ("#play", "#why", "#menu"):
        box = page.locator(name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"] + 1
        assert box["y"] + box["height"] <= PHONE["height"] + 1
    opened.close()


def test_a_lost_connection_is_told_and_the_page_comes_back(
    browser: Browser, controllers: list[FieldController]
) -> None:
    with contextlib.contextmanager(run_studio)(controllers) as first:
        access = first.access
        opened = Opened(browser, first)
    opened.page.wait_for_selector("#card:visible", timeout=300_000)
    assert "lost" in (opened.page.text_content("#card") or "").lower()
    with contextlib.contextmanager(run_studio)(controllers, access=access) as second:
        opened.page.wait_for_selector("#card", state="hidden", timeout=300_000)
        opened.until(lambda: opened.number is not None and abs(opened.number - second.ask(lambda s: s.number)) < 30)
    opened.context.close()
