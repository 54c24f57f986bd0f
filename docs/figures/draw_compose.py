"""Draw the picture of composition in `docs/images`: the page in headless Chromium, painted as by a user.

    python docs/figures/draw_compose.py [--out docs/images] [--field FILE]

Uses the annotated takes and their labels.csv. `--field` reuses a field built from them. Needs Chromium on the path, and
takes minutes with software rendering. Prints how long after each stroke the motion was displayed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Page

from gallery import DATA, IMAGES
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.annotations import read_annotations
from motionfields.motion.formats import load_clips
from motionfields.studio import ComposeServer, ComposeSession
from studio_page import CHROMIUM, take_picture

STROKES = (
    ("walk", 0.0, 4.0, "want"),
    ("jump", 4.5, 5.5, "want"),
    ("walk", 6.0, 9.0, "want"),
    ("carry", 6.0, 9.0, "want"),
    ("sit", 11.0, 13.0, "want"),
    ("walk", 14.0, 18.0, "want"),
    ("wave", 18.0, 20.0, "want"),
    ("backwards", 0.0, 18.0, "avoid"),
)


def paint(page: Page, label: str, start: float, end: float, brush: str) -> None:
    """Paint one stroke with the mouse, in a row that is added if it is missing."""
    row = page.locator(f'[data-label="{label}"]')
    if not row.count():
        page.select_option("#add-label", label)
    page.click(f"#brush-{brush}")
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start / 20.0, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end / 20.0, y, steps=4)
    page.mouse.up()


def wait(page: Page) -> None:
    """Wait until the motion and its alternatives have come."""
    page.wait_for_timeout(400)
    page.wait_for_function("() => document.querySelector('#compose-panel').dataset.working === 'false'")


def draw(page: Page) -> None:
    """Paint a scene of 20 s, open the details of a piece, and compare its alternatives."""
    for row in page.evaluate("() => [...window.composer.composer.document.rows]"):
        page.hover(f'[data-label="{row}"]')
        page.click(f'[id="remove-{row}"]')
    for stroke in STROKES:
        paint(page, *stroke)
        wait(page)
        seconds = page.evaluate("() => window.composer.composer.tookSeconds")
        print(f"{stroke[0]}: motion {seconds:.2f} s after the stroke", flush=True)
    piece = page.locator(".piece").nth(2)
    piece.click()
    page.click("#compare")
    page.evaluate("() => window.composer.composer.show(4.9)")
    page.wait_for_timeout(3000)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--field", type=Path, help="a field of the annotated takes, to save the time of building it")
    options = parser.parse_args()
    if CHROMIUM is None:
        print("no Chromium on the path")
        return 1
    if options.field is not None:
        field = MotionField.load(options.field)
    else:
        clips = load_clips(DATA / "annotated", scale=0.056444)
        field = MotionField(MotionDatabase.build(clips, frame_rate=30.0))
    session = ComposeSession(field, read_annotations(DATA / "annotated" / "labels.csv"), title="annotated takes")
    session.warm()
    take_picture(
        ComposeServer,
        session,
        options.out / "studio_compose.jpg",
        ready="window.composer?.composer.motions.length > 0",
        draw=draw,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
