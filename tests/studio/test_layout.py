"""What users see first: nothing covers the character, nothing is cut off, and the picture gets better again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from motionfields.control.controller import FieldController
from tests.studio.conftest import run_studio

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import Browser, FloatRect, Page

from tests.studio.opened import PHONE, Opened, needs_chromium

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def opened(browser: Browser, controllers: list[FieldController]) -> Iterator[Opened]:
    """One paused page for all tests of this file."""
    with contextmanager(run_studio)(controllers) as studio:
        page = Opened(browser, studio)
        page.page.keyboard.press("Space")
        page.until(lambda: page.page.evaluate("() => window.studio.studio.status.paused"))
        yield page
        page.close()


def box(page: Page, name: str) -> FloatRect:
    found = page.locator(name).bounding_box()
    assert found is not None, f"{name} is not visible"
    return found


def body_on_screen(page: Page) -> np.ndarray[Any, Any]:
    """Places [joint, 2] of all joints of the character in pixels, once the camera is at rest."""
    count = page.evaluate("() => window.studio.studio.hello.parents.length")
    places = "n => [...Array(n).keys()].map(j => window.studio.view.screenOf(0, j)).map(({ x, y }) => [x, y])"
    before, now = np.zeros((count, 2)), np.array(page.evaluate(places, count))
    while np.abs(now - before).max() > 0.5:
        page.wait_for_timeout(200)
        before, now = now, np.array(page.evaluate(places, count))
    return now


def inside(places: np.ndarray[Any, Any], area: FloatRect) -> int:
    """Number of `places` within `area`."""
    low, size = np.array([area["x"], area["y"]]), np.array([area["width"], area["height"]])
    return int(((places > low) & (places < low + size)).all(axis=1).sum())


@pytest.mark.parametrize("width", [1400, 1100, 900])
def test_no_tab_is_cut_off_and_all_controls_can_be_reached(opened: Opened, width: int) -> None:
    page = opened.page
    page.set_viewport_size({"width": width, "height": 700})
    page.wait_for_timeout(100)
    row = box(page, "#task")
    for tab in page.locator("#task .segment").all():
        shown = tab.bounding_box()
        assert shown is not None
        assert shown["x"] >= row["x"]
        assert shown["x"] + shown["width"] <= row["x"] + row["width"] + 0.5
    assert box(page, "#why-toggle")["x"] + box(page, "#why-toggle")["width"] <= width
    if page.locator("#menu").is_visible():
        page.click("#menu")
    assert box(page, "#crowd")["x"] + box(page, "#crowd")["width"] <= width
    page.evaluate("() => document.querySelector('#bar').classList.remove('menu-open')")


def test_controls_make_room_for_a_mode_that_appears_later(opened: Opened) -> None:
    page = opened.page
    modes = page.locator("#bar > button:not(#why-toggle):not(#menu)")
    shown = "(buttons, shown) => buttons.forEach((button) => (button.hidden = !shown))"
    fits = "() => { const bar = document.querySelector('#bar'); return bar.scrollWidth <= bar.clientWidth; }"
    hidden = modes.evaluate_all("(buttons) => buttons.map((button) => button.hidden)")
    modes.evaluate_all(shown, False)
    width = 1400
    while page.evaluate("() => !document.querySelector('#bar').classList.contains('narrow')"):
        width -= 10
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_timeout(50)
    page.set_viewport_size({"width": width + 10, "height": 700})
    page.wait_for_timeout(100)
    modes.evaluate_all(shown, True)
    opened.until(lambda: page.evaluate(fits))
    modes.evaluate_all("(buttons, hidden) => buttons.forEach((button, i) => (button.hidden = hidden[i]))", hidden)


@pytest.mark.parametrize("size", [(1280, 720), (1100, 700), (800, 600), (390, 844)])
def test_hint_and_notice_cover_neither_head_nor_feet(opened: Opened, size: tuple[int, int]) -> None:
    page = opened.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => { const { classList } = document.querySelector('#figures'); classList.add('closed'); }")
    page.evaluate("() => document.body.classList.remove('figures-open')")
    page.evaluate("() => window.studio.studio.receive({ type: 'refused', reason: 'a notice for the user' })")
    places = body_on_screen(page)
    for name in ("#hint", "#toast", "#transport"):
        assert inside(places, box(page, name)) == 0, name


def test_figures_on_a_phone_leave_the_body_visible(opened: Opened) -> None:
    page = opened.page
    page.set_viewport_size(PHONE)
    page.click("#figures-fold")
    places = body_on_screen(page)
    for name in ("#figures", "#transport", "#bar", ".stick"):
        assert inside(places, box(page, name)) == 0, name
    page.click("#why-toggle")
    assert page.locator("#figures").evaluate("panel => panel.classList.contains('closed')")
    page.click("#why-toggle")


def test_quality_recovers_after_slow_frames_and_waits_longer_after_each_failure(opened: Opened) -> None:
    """Sizes of the shadow while frames are slow, quick, and slow whenever there are shadows of 2048 texels."""
    code = """() => {
        const used = [], { constructor } = window.studio.view.stage.quality;
        const quality = new constructor((level) => used.push(level.shadowSize), null);
        const run = (seconds, count) => { for (let i = 0; i < count; i += 1) quality.note(seconds); };
        run(0.1, 60);
        const low = used.splice(0);
        run(0.016, 4000);
        const high = used.splice(0);
        const rises = [];
        for (let frame = 0, last = 0; frame < 60000; frame += 1) {
            const full = used.length === 0 || used.at(-1) === 2048;
            quality.note(full ? 0.1 : 0.016);
            if (used.length && used.at(-1) === 2048 && frame > last + 100) rises.push(frame - last), (last = frame);
        }
        return { low, high, rises };
    }"""
    seen = opened.page.evaluate(code)
    assert seen["low"] == [2048, 1024, 512, 0]
    assert seen["high"] == [512, 1024, 2048]
    assert len(seen["rises"]) >= 4
    assert all(later > 1.5 * earlier for earlier, later in zip(seen["rises"], seen["rises"][1:4], strict=False))


def test_arrows_shine_through_bodies_in_front_of_them(opened: Opened) -> None:
    material = opened.page.evaluate(
        "() => { const { behind } = window.studio.view.actors.compass.desired;"
        " const { depthFunc, opacity, color } = behind.material; return [depthFunc, opacity, color.getHex()]; }"
    )
    assert material[0] == 6  # GreaterDepth of three.js: drawn only where something is in front
    assert material[1] > 0.5
    assert material[2] == 0xFFFFFF


def test_cameras_are_chosen_by_name(opened: Opened) -> None:
    page = opened.page
    page.set_viewport_size({"width": 1280, "height": 720})
    facing = page.evaluate("() => window.studio.studio.shown.figures.facing")
    far = page.evaluate("() => window.studio.view.stage.rig.goal.distance")
    page.select_option("#camera", "Front")
    goal = page.evaluate("() => window.studio.view.stage.rig.goal.yaw")
    assert np.cos(goal - facing) < -0.9  # looks against the facing
    page.keyboard.press("c")
    assert page.evaluate("() => window.studio.view.cameraName") == "Side"
    page.keyboard.press("c")
    assert page.evaluate("() => window.studio.view.stage.rig.goal.distance") < 0.5 * far
    places = body_on_screen(page)
    feet = page.evaluate("() => window.studio.studio.hello.feet")
    assert inside(places[feet], {"x": 320, "y": 180, "width": 640, "height": 400}) == 2
    for _ in range(3):
        page.keyboard.press("c")
    assert page.evaluate("() => window.studio.view.cameraName") == "Follow"
    assert page.evaluate("() => window.studio.view.stage.rig.goal.distance") == pytest.approx(far)


def test_the_why_panel_starts_with_one_sentence(opened: Opened) -> None:
    page = opened.page
    page.keyboard.press("y")
    number = opened.until(lambda: page.get_attribute("#why", "data-number"))
    why = opened.server(lambda session: session.why(int(number), 0))
    clips = opened.server(lambda session: session.hello().clips)
    name = [clip.name for clip in clips if clip.start <= why.chosen][-1]
    text = page.text_content("#why-sentence") or ""
    assert name in text
    assert text.endswith(".")
    assert text.count(". ") == 0
    assert box(page, "#why-sentence")["y"] < box(page, "#why-headline")["y"]
    page.keyboard.press("y")


def test_files_dropped_on_the_page_are_sent_and_what_is_wrong_with_them_is_told(opened: Opened) -> None:
    page = opened.page
    drop = """([name, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], name));
        const fire = (type) => document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true }));
        fire("dragenter");
        const shown = !document.querySelector("#drop").hidden;
        fire("drop");
        return shown && document.querySelector("#drop").hidden;
    }"""
    assert page.evaluate(drop, ["notes.txt", "text"])
    opened.until(lambda: "Drop files that end in" in (page.text_content("#toast") or ""))
    assert page.evaluate(drop, ["broken walker.ctrl", "no controller"])
    opened.until(lambda: "broken walker.ctrl" in (page.text_content("#toast") or ""))
    opened.until(lambda: page.locator("#making").is_hidden())
    assert opened.studio.server.workshop._files["broken walker.ctrl"].read_text() == "no controller"


def test_methods_side_by_side_are_named_over_their_characters(opened: Opened) -> None:
    page = opened.page
    assert page.locator("#compare-toggle").is_hidden()
    name = opened.server(lambda session: session.task)
    opened.server(lambda session: session.add(session.controller))
    page.locator("#compare-toggle").wait_for()
    page.keyboard.press("m")
    labels = page.locator(".method")
    opened.until(lambda: labels.count() == 2)
    page.keyboard.press(".")  # the page is paused
    opened.until(lambda: labels.all_inner_texts() == [name, f"{name} 2"])

    def over_heads() -> bool:
        heads = [page.evaluate(f"() => window.studio.view.screenOf({i}, 0)") for i in range(2)]
        boxes = [labels.nth(i).bounding_box() for i in range(2)]
        return all(
            box and abs(box["x"] + 0.5 * box["width"] - head["x"]) < 40 and box["y"] + box["height"] < head["y"]
            for box, head in zip(boxes, heads, strict=True)
        )

    opened.until(over_heads)
    page.click("#compare-toggle")
    opened.until(lambda: labels.count() == 0)


def test_characters_of_a_crowd_have_two_body_types_and_colours_of_their_own(opened: Opened) -> None:
    page = opened.page
    page.evaluate("() => window.studio.studio.send({ type: 'gather', count: 5 })")
    page.evaluate("() => window.studio.studio.send({ type: 'step' })")
    opened.until(lambda: page.evaluate("() => window.studio.view.actors?.world.count") == 5)
    opened.until(lambda: page.evaluate("() => window.studio.view.actors.bodies.colored.count") == 5)
    look = """() => {
        const { actors, stage } = window.studio.view;
        const caster = new stage.caster.constructor();
        const found = [];
        for (let i = 0; i < 5; i += 1) {
            caster.ray.origin.copy(actors.world.place(i, 0, caster.ray.origin)).setY(5);
            caster.ray.direction.set(0, -1, 0);
            found.push(actors.pick(caster)?.character);
        }
        const { meshes } = actors.bodies;
        const counts = meshes.map((mesh) => mesh.count);
        const colors = meshes.filter((mesh, i) => i % (meshes.length / 2) === 0).flatMap(
            (mesh) => Array.from(mesh.instanceColor.array.slice(0, 3 * mesh.count), (x) => x.toFixed(3)));
        const widths = meshes.map(({ geometry }) => (geometry.computeBoundingSphere(), geometry.boundingSphere.radius));
        return { found, counts, colors, widths };
    }"""
    for sizes in ((3, 2), (2, 3)):
        seen = page.evaluate(look)
        assert seen["found"] == [0, 1, 2, 3, 4]  # bodies are picked by their numbers
        half = len(seen["counts"]) // 2
        assert seen["counts"] == [sizes[0]] * half + [sizes[1]] * half
        assert len({tuple(seen["colors"][at : at + 3]) for at in range(0, 15, 3)}) == 5
        assert seen["widths"][:half] != seen["widths"][half:]
        page.keyboard.press("o")
        opened.until(lambda sizes=sizes: page.evaluate(look)["counts"][0] != sizes[0])  # type: ignore[misc]
