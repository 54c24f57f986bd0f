"""An exported page in a real browser, opened as a file: it moves, obeys and asks nobody."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")

from playwright.sync_api import Page, sync_playwright

from motionfields.control.tasks import Direction
from motionfields.export import page_text, save_page
from motionfields.motion.formats import read_character
from motionfields.studio.costume import Costume
from studio_page import CHROMIUM, FLAGS
from tests.control.training.small import small_controller
from tests.motion.formats.characters import character_file

NUMBER = "() => window.standalone?.studio.shown?.number ?? -1"
FACING = "() => window.standalone.studio.shown.figures.facing"
ROOT = "() => Array.from(new Float64Array(window.standalone.studio.shown.roots.slice().buffer)).slice(0, 3)"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "walker.html"
    save_page(small_controller(Direction()), path, title="walker <1>")
    return path


def test_a_page_is_one_file_with_a_description_of_the_character(file: Path) -> None:
    text = file.read_text("utf-8")
    assert text == page_text(small_controller(Direction()), title="walker <1>")
    assert "<title>walker &lt;1&gt; · motionfields</title>" in text
    found = re.search(r'id="hello">(.*?)</script>', text)
    assert found
    hello = json.loads(found[1])
    assert (hello["title"], hello["can_push"]) == ("walker <1>", False)
    assert hello["joint_names"] == list(small_controller(Direction()).field.database.skeleton.names)
    assert "three.js authors" in text
    assert "Sun Microsystems" in text
    assert len(text) < 3_000_000


@pytest.fixture(scope="module")
def opened(file: Path) -> Iterator[tuple[Page, list[str]]]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install the package chromium")
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url))
        page.goto(f"{file.as_uri()}?quality=fast")
        until(page, f"({NUMBER})() > 3")
        yield page, said
        browser.close()


def test_a_page_shows_a_character_of_ones_own(tmp_path: Path) -> None:
    controller = small_controller(Direction())
    data = character_file(controller.field.database.skeleton, unit=0.01, rolled=True, textured=True)
    hero = read_character(data, path="hero.glb")
    path = tmp_path / "hero.html"
    size = save_page(controller, path, character=hero)
    plain = len(page_text(controller).encode())
    mesh = Costume.of(hero, controller.field.database.skeleton).mesh
    assert plain < size < plain + 4 * len(mesh) / 3 + 10_000
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 480, "height": 360})
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{path.as_uri()}?quality=fast")
        until(page, "window.standalone?.view.actors?.costumes?.group.visible === true")
        assert not page.evaluate("() => window.standalone.view.actors.bodies.group.visible")
        assert page.evaluate("() => window.standalone.view.actors.costumes.materials[0].map !== null")
        assert [url for url in asked if not url.startswith((path.as_uri(), "data:", "blob:"))] == []
        browser.close()


def test_a_character_too_large_for_a_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    controller = small_controller(Direction())
    hero = read_character(character_file(controller.field.database.skeleton), path="hero.glb")
    monkeypatch.setattr("motionfields.export.page.LARGEST_MESH", 1000)
    with pytest.raises(ValueError, match="smaller textures or fewer vertices"):
        page_text(controller, character=hero)


def until(page: Page, condition: str, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"never came: {condition}"
        page.wait_for_timeout(50)


def test_the_character_walks_and_turns_on_command(opened: tuple[Page, list[str]]) -> None:
    page, _ = opened
    start: Any = page.evaluate(ROOT)
    until(page, f"Math.hypot(({ROOT})()[0] - {start[0]}, ({ROOT})()[2] - {start[2]}) > 0.5")
    page.evaluate("() => window.standalone.studio.send({ type: 'steer', x: 1, z: 0 })")  # to the left, along +x
    until(page, f"Math.abs(({FACING})() - {np.pi / 2}) < 0.15")
    page.keyboard.down("ArrowUp")
    until(page, "window.standalone.studio.shown.goal.kind === 'heading'")
    page.keyboard.up("ArrowUp")


def test_a_crowd_gathers_and_the_past_can_be_seen(opened: tuple[Page, list[str]]) -> None:
    page, _ = opened
    page.evaluate("() => window.standalone.studio.send({ type: 'gather', count: 5 })")
    until(page, "window.standalone.studio.shown.states.length === 20")
    roots = np.array(
        page.evaluate("() => Array.from(new Float64Array(window.standalone.studio.shown.roots.slice().buffer))")
    )
    assert np.linalg.norm(roots.reshape(5, 3)[1:] - roots[:3], axis=1).min() > 0.5
    page.evaluate("() => window.standalone.studio.look(window.standalone.studio.shown.number - 5)")
    until(page, "window.standalone.studio.lookingAt !== null && window.standalone.studio.status.paused")
    page.evaluate("() => window.standalone.studio.pause(false)")
    until(page, "!window.standalone.studio.status.paused")


def test_what_needs_a_server_is_hidden_or_refused(opened: tuple[Page, list[str]]) -> None:
    page, _ = opened
    assert not page.locator("#why-toggle").is_visible()
    assert not page.locator("#take").is_visible()
    assert page.locator("#crowd").is_visible()
    page.evaluate("() => window.standalone.studio.send({ type: 'throw', position: [0, 1, 0], velocity: [1, 0, 0] })")
    until(page, "document.querySelector('#toast').textContent.includes('motionfields play')")


PAST = """number => window.standalone.studio.frames.filter(frame => frame.number <= number).slice(-30).map(
  ({ number, roots, rotations, states, planted }) => [number, ...[roots, rotations, states, planted].map(String)])"""


def test_a_link_reproduces_a_moment_bit_for_bit(opened: tuple[Page, list[str]], file: Path) -> None:
    page, _ = opened
    send = "message => window.standalone.studio.send(message)"
    page.evaluate(send, {"type": "gather", "count": 3})
    page.evaluate(send, {"type": "steer", "x": -0.3, "z": 0.7})
    start = page.evaluate(NUMBER)
    until(page, f"({NUMBER})() > {start + 20}")
    page.evaluate(send, {"type": "go", "x": 1.5, "z": -2.5})
    until(page, f"({NUMBER})() > {start + 50}")
    page.evaluate("() => window.standalone.studio.look(window.standalone.studio.shown.number - 3)")
    until(page, "window.standalone.studio.shown.number === window.standalone.studio.lookingAt")
    number = page.evaluate(NUMBER)
    page.keyboard.press("k")
    until(page, "location.hash.startsWith('#moment=')")
    link, expected = page.url, page.evaluate(PAST, number)
    page.evaluate("() => window.standalone.studio.pause(false)")
    assert link == f"{file.as_uri()}?quality=fast{link[link.index('#') :]}"
    browser = page.context.browser
    assert browser is not None
    other = browser.new_page(viewport={"width": 320, "height": 240})
    other.goto(link)
    until(other, "window.standalone?.studio.status?.paused")
    assert other.evaluate(NUMBER) == number
    seen = other.evaluate(PAST, number)
    assert seen == expected
    assert len(seen) == 30
    assert len(seen[0][3].split(",")) == 3 * 4  # the states of three characters
    other.evaluate("() => window.standalone.studio.pause(false)")  # the motion goes on from there
    until(other, f"({NUMBER})() > {number + 3}")
    other.goto("about:blank")
    other.goto(link[:-5])
    until(other, "document.querySelector('#toast')?.textContent.includes('broken')")
    until(other, f"({NUMBER})() > 3")
    other.close()


def test_a_video_has_the_length_that_was_recorded(opened: tuple[Page, list[str]], tmp_path: Path) -> None:
    page, _ = opened
    page.keyboard.press("v")
    until(page, "parseFloat(document.querySelector('#video').textContent) >= 1.5")
    with page.expect_download() as coming:
        page.keyboard.press("v")
    film = tmp_path / "film.webm"
    coming.value.save_as(film)
    data = film.read_bytes()
    at = data.index(b"\x44\x89\x01\x00\x00\x00\x00\x00\x00\x08") + 10
    seconds = float(np.frombuffer(data[at : at + 8], ">f8")[0]) / 1000.0
    assert 1.5 <= seconds < 30.0
    if shutil.which("ffprobe") is None:
        pytest.skip("no ffprobe on this machine: install the package ffmpeg")
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_entries"]
    entries = "format=duration:stream=codec_name,width,height,r_frame_rate,nb_read_frames"
    told = subprocess.run([*command, entries, "-of", "json", film], capture_output=True, text=True, check=True)
    assert told.stderr == ""
    facts = json.loads(told.stdout)
    assert float(facts["format"]["duration"]) == pytest.approx(seconds, abs=0.002)
    [stream] = facts["streams"]
    assert (stream["codec_name"], stream["r_frame_rate"]) == ("vp8", "30/1")
    assert int(stream["nb_read_frames"]) == round(30.0 * seconds)


def test_a_gif_shows_the_last_seconds(opened: tuple[Page, list[str]], tmp_path: Path) -> None:
    page, _ = opened
    page.set_viewport_size({"width": 480, "height": 270})  # fewer pixels to draw
    until(page, "window.standalone.studio.frames.length > 60")
    page.keyboard.press("Space")
    until(page, "window.standalone.studio.status.paused")
    count = min(page.evaluate("() => window.standalone.studio.frames.length"), 150)
    with page.expect_download(timeout=120_000) as coming:
        page.keyboard.press("g")
    path = tmp_path / "last.gif"
    coming.value.save_as(path)
    page.keyboard.press("Space")
    with PIL.Image.open(path) as gif:
        assert gif.info["loop"] == 0
        shown = []
        pictures = []
        for number in range(gif.n_frames):  # type: ignore[attr-defined]
            gif.seek(number)
            shown.append(gif.info["duration"])
            pictures.append(np.asarray(gif.convert("RGB"), np.float64))
    assert len(pictures) == -(-count // 2)
    assert sum(shown) == pytest.approx(1000.0 * 2 * len(pictures) / 30.0, abs=10.0)
    steps = [np.abs(later - earlier).mean() for earlier, later in itertools.pairwise(pictures)]
    assert max(steps) > 0.05  # it moves
    assert max(steps) < 25.0  # and no picture is broken
    until(page, "!window.standalone.studio.status.paused")


def test_the_page_says_nothing_and_makes_no_request(opened: tuple[Page, list[str]], file: Path) -> None:
    _, said = opened
    quiet = [text for text in said if "GPU stall due to ReadPixels" not in text]
    assert [text for text in quiet if not text.startswith((file.as_uri(), "data:", "blob:"))] == []
