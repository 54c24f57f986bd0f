"""Record a video and a GIF in the studio with headless Chromium, and print what ffprobe says about them.

    python scripts/prove_video.py [--seconds 10] [--out FOLDER]

Fails unless the video has the recorded length at 30 pictures per second. Needs Chromium and ffprobe.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

REPO = Path(__file__).parent.parent
sys.path.insert(0, str(REPO / "docs" / "figures"))
from motionfields.studio.demo import Demo  # noqa: E402
from studio_page import CHROMIUM, DESK, FLAGS, studio_page  # noqa: E402

RATE = 30.0  # pictures per second


def facts_of(path: Path) -> dict[str, Any]:
    """Return what ffprobe says about a video."""
    entries = "format=duration,size:stream=codec_name,width,height,r_frame_rate,nb_read_frames"
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", entries, "-of", "json", str(path)]
    told: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {**told["format"], **told["streams"][0]}


RECORD = """async seconds => {
  const press = key => window.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
  const button = document.querySelector("#video");
  const started = new Promise(resolve =>
    new MutationObserver(() => resolve(performance.now())).observe(button, { attributes: true }));
  press("v");
  const began = await started;
  while (performance.now() < began + 1000 * seconds) {
    const angle = (performance.now() - began) / 2000;
    window.studio.studio.send({ type: "steer", x: Math.sin(angle), z: Math.cos(angle) });
    await wait(Math.min(200, began + 1000 * seconds - performance.now()));
  }
  const ended = performance.now();
  press("v");
  return (ended - began) / 1000;
}"""


def record(page: Page, seconds: float, folder: Path) -> tuple[Path, Path, float]:
    """Record `seconds` of walking in a circle and its end as a GIF; return both, and the time by the page's clock."""
    page.evaluate("() => window.studio.studio.pause(false)")
    with page.expect_download(timeout=300_000) as video:
        elapsed = float(page.evaluate(RECORD, seconds))
    video.value.save_as(folder / "studio.webm")
    page.evaluate("() => window.studio.studio.pause(true)")
    with page.expect_download(timeout=600_000) as gif:
        page.keyboard.press("g")
    gif.value.save_as(folder / "studio.gif")
    return folder / "studio.webm", folder / "studio.gif", elapsed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = options.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with studio_page(browser, [Demo(Path(temporary)).first()], quality="fast", viewport=DESK["viewport"]) as (
            page,
            _,
        ):
            page.wait_for_function("() => window.studio?.studio.shown")
            video, gif, elapsed = record(page, options.seconds, folder)
        browser.close()
        film, animation = facts_of(video), facts_of(gif)
    length, count = float(film["duration"]), int(film["nb_read_frames"])
    print(f"recorded {elapsed:.2f} s by the clock of the page")
    print(f"video: {length:.3f} s, {count} pictures, {film['r_frame_rate']} per second, {film['codec_name']}", end=", ")
    print(f"{film['width']} x {film['height']}, {int(film['size']) / 1e6:.1f} MB")
    print(f"GIF: {float(animation['duration']):.2f} s, {animation['nb_read_frames']} pictures", end=", ")
    print(f"{int(animation['size']) / 1e6:.1f} MB")
    right = abs(length - elapsed) < 0.1 and abs(count - RATE * length) <= 1.0
    print("the length is right" if right else "the length is WRONG")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
