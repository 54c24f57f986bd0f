"""Draw the animation at the top of README.md: ten seconds of a captured character in the studio.

    python docs/figures/draw_hero.py [--out docs/images] [--controller FILE]

The character walks, is steered to its right and then towards the camera, and is pushed twice. The motion is the public
set cmu-locomotion. The script adds the keys that are held and the mouse pointer to the page, which no screenshot shows.
`--controller` reuses a direction controller trained on that set. Needs Chromium on the path, and takes minutes with
software rendering.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from draw_studio import Stage, close_hint
from gallery import DATA, IMAGES
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats import load_clips
from motionfields.motion.humanoid import humanoid_bones
from studio_page import CHROMIUM, FLAGS, studio_page

SIZE = (960, 540)  # pixels of the page
SHOWN = (800, 450)  # pixels of the animation
FRAMES = 300  # 10 s
CLOCK_MS = 34  # of the page per frame: enough for the displayed pose to reach the newest frame
SETTLE_MS = 4000  # of the page until the camera rests, however slow the machine is
KEYS = {36: "d", 96: "", 108: "s", 168: ""}  # frame -> key held from then on
PUSHES = {186: 190, 246: -170}  # frame in which a drag begins -> pixels that it goes to the right
DRAG_FRAMES = 9
OVERLAY = """
#badge, #figures .measure { display: none }
#hero-keys { position: fixed; right: 20px; top: 76px; display: grid; grid-template-columns: repeat(3, 34px); gap: 5px }
#hero-keys kbd { height: 34px; border-radius: 7px; font: 600 14px/34px system-ui; text-align: center;
  background: var(--panel); color: var(--muted); box-shadow: 0 1px 3px #0003 }
#hero-keys kbd.held { background: var(--accent); color: #fff }
#hero-pointer { position: fixed; width: 22px; height: 22px; margin: -11px; border-radius: 50%;
  border: 2px solid #fff; background: #22222288; box-shadow: 0 1px 4px #0006 }
"""
MARKS = """() => {
  const keys = document.createElement('div');
  keys.id = 'hero-keys';
  keys.innerHTML = ' W ASD'.replace(/./g, (key) => key === ' ' ? '<i></i>' : `<kbd id="hero-${key}">${key}</kbd>`);
  const pointer = document.createElement('div');
  pointer.id = 'hero-pointer';
  pointer.hidden = true;
  document.body.append(keys, pointer);
}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--controller", type=Path, help="a direction controller of the set, to save its training")
    options = parser.parse_args()
    if CHROMIUM is None:
        print("no Chromium on the path")
        return 1
    if options.controller is not None:
        controller = FieldController.load(options.controller)
    else:
        controller = train(MotionField(MotionDatabase.build(load_clips(DATA / "locomotion"))), Direction())
    screen: dict[str, Any] = {"viewport": {"width": SIZE[0], "height": SIZE[1]}, "color_scheme": "light"}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with studio_page(browser, [controller], title="cmu-locomotion", pushes=True, **screen) as (page, server):
            stage = Stage(page, server)
            stage.settle()
            close_hint(page)
            page.add_style_tag(content=OVERLAY)
            page.evaluate(MARKS)
            pictures = film(stage)
    path = options.out / "studio.webp"
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=33, loop=0, quality=62, method=4)
    print(path, path.stat().st_size, "bytes")
    return 0


def film(stage: Stage) -> list[Image.Image]:
    """Return one picture for each frame of the scene."""
    page, held, pictures = stage.page, "", []
    drag = Drag(stage)
    page.clock.install()
    page.clock.pause_at(page.evaluate("() => Date.now()") + 100)  # camera and marks move by frames, not by real time
    page.clock.run_for(SETTLE_MS)
    for number in range(FRAMES):
        if (key := KEYS.get(number)) is not None:
            hold(page, held, key)
            held = key
        drag.move(number)
        page.evaluate("() => window.studio.studio.send({type: 'step'})")
        stage.wait_for(number + 1)
        page.clock.run_for(CLOCK_MS)
        shot = Image.open(io.BytesIO(page.screenshot(type="png")))
        pictures.append(shot.convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS))
    return pictures


def hold(page: Page, before: str, key: str) -> None:
    """Release the key `before`, hold `key`, and mark it; either may be empty."""
    if before:
        page.keyboard.up(before)
    if key:
        page.keyboard.down(key)
    page.evaluate(
        "(key) => document.querySelectorAll('#hero-keys kbd').forEach((one) => "
        "one.classList.toggle('held', one.id === `hero-${key.toUpperCase()}`))",
        key,
    )


class Drag:
    """Drags of the chest, each of which pushes it."""

    def __init__(self, stage: Stage) -> None:
        self.page = stage.page
        self.neck = stage.do(lambda session: humanoid_bones(session.field.database.skeleton)["Neck"])
        self.start = (0.0, 0.0)

    def move(self, number: int) -> None:
        """Move the mouse as at frame `number`."""
        for begin, right in PUSHES.items():
            since = number - begin
            if since == 0:
                place = self.page.evaluate(f"() => window.studio.view.screenOf(0, {self.neck})")
                self.start = (place["x"], place["y"] + 14)
                self.page.mouse.move(*self.start)
                self.page.mouse.down()
            if 0 <= since <= DRAG_FRAMES:
                x, y = self.start[0] + right * since / DRAG_FRAMES, self.start[1]
                self.page.mouse.move(x, y)
                self._show(f"{x}px", f"{y}px", hidden=False)
            if since == DRAG_FRAMES:
                self.page.mouse.up()
            if since == DRAG_FRAMES + 4:
                self._show("0", "0", hidden=True)

    def _show(self, left: str, top: str, *, hidden: bool) -> None:
        self.page.evaluate(
            "(mark) => { const one = document.querySelector('#hero-pointer'); "
            "one.hidden = mark.hidden; one.style.left = mark.left; one.style.top = mark.top; }",
            {"left": left, "top": top, "hidden": hidden},
        )


if __name__ == "__main__":
    sys.exit(main())
