"""Draw the picture of an exported page in `docs/images`: opened as a file in headless Chromium, with thirty characters.

    python docs/figures/draw_export.py [--output docs/images]

Needs Chromium on the path.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from gallery import IMAGES
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.export import save_page
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from studio_page import CHROMIUM, FLAGS

CLIPS = ("walk_forward", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_135_quick")
WALK, TURN = 60, 60  # frames straight on, then to the left


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=IMAGES)
    folder = parser.parse_args().output
    field = MotionField(MotionDatabase.build(one.clip for one in generate_samples(only=CLIPS)))
    controller = train(field, Direction(), settings=ControlSettings(neighbor_count=20), tolerance=0.1)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        path = Path(name) / "walker.html"
        save_page(controller, path, title="walker")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(f"{path.as_uri()}?quality=best")
        page.wait_for_function("() => window.standalone?.studio.shown", timeout=60_000)
        # The hint would cover characters; the badge says that the simulation waits for the picture.
        page.add_style_tag(content="#hint, #badge { display: none }")
        send = "(message) => window.standalone.studio.send(message)"
        page.evaluate(send, {"type": "gather", "count": 30})
        for frames, command in ((WALK, (0.0, 1.0)), (TURN, (1.0, 0.0))):
            page.evaluate(send, {"type": "steer", "x": command[0], "z": command[1]})
            page.evaluate(f"(count) => {{ while (count--) ({send})({{ type: 'step' }}); }}", frames)
        page.wait_for_timeout(3000)
        page.screenshot(path=folder / "export_page.jpg", type="jpeg", quality=82)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
