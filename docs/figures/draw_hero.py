"""Draw the animation at the top of README.md: ten seconds of a captured character in the studio.

    python docs/figures/draw_hero.py [--out docs/images]

The character walks, is steered to its right and then round, and is pushed. The motion is the public set cmu-locomotion.
Needs Chromium on the path, and takes minutes with software rendering.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from draw_studio import Stage, close_hint
from gallery import DATA, IMAGES
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats import load_clips
from motionfields.motion.humanoid import humanoid_bones
from studio_page import CHROMIUM, FLAGS, studio_page

SIZE = (960, 540)  # pixels of the page
SHOWN = (720, 405)  # pixels of the animation
STEP = 3  # frames of the character per picture
PICTURES = 100  # 10 s
KEYS = {20: "d", 42: "", 50: "s", 74: ""}  # picture -> key held from then on
PUSH = 84  # picture


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=IMAGES)
    options = parser.parse_args()
    if CHROMIUM is None:
        print("no Chromium on the path")
        return 1
    controller = train(MotionField(MotionDatabase.build(load_clips(DATA / "locomotion"))), Direction())
    screen: dict[str, Any] = {"viewport": {"width": SIZE[0], "height": SIZE[1]}, "color_scheme": "light"}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with studio_page(browser, [controller], pushes=True, **screen) as (page, server):
            stage = Stage(page, server)
            stage.settle()
            close_hint(page)
            page.add_style_tag(content="#badge { display: none }")  # says that the simulation waits for pictures
            pictures = film(stage)
    path = options.out / "studio.webp"
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=1000 * STEP // 30, loop=0, quality=60, method=6
    )
    print(path, path.stat().st_size, "bytes")
    return 0


def film(stage: Stage) -> list[Image.Image]:
    """Return the pictures of the scene, `STEP` frames apart."""
    page, held, pictures = stage.page, "", []
    for number in range(PICTURES):
        if (key := KEYS.get(number)) is not None:
            if held:
                page.keyboard.up(held)
            if key:
                page.keyboard.down(key)
            held = key
            page.wait_for_timeout(300)
        if number == PUSH:
            push(stage)
        stage.advance(STEP)
        shot = Image.open(io.BytesIO(page.screenshot(type="png")))
        pictures.append(shot.convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS))
    return pictures


def push(stage: Stage) -> None:
    """Push the chest to one side, as by dragging it."""
    page = stage.page
    neck = stage.do(lambda session: humanoid_bones(session.field.database.skeleton)["Neck"])
    place = page.evaluate(f"() => window.studio.view.screenOf(0, {neck})")
    page.mouse.move(place["x"], place["y"] + 12)
    page.mouse.down()
    page.mouse.move(place["x"] + 110, place["y"] + 12, steps=6)
    page.mouse.up()


if __name__ == "__main__":
    sys.exit(main())
