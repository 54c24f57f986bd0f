"""Play a take as glTF in the browser beside the live character, compare the two, and draw both.

    python docs/figures/draw_gltf.py [--frames 120] [--picture docs/images/gltf_beside.jpg]

Starts the studio with the controller of `motionfields demo` in headless Chromium, steers the character, records a take
and downloads it as .glb from the page. The three.js loader reads it in the same page, and the script compares the
joints of every frame with those of the live character. Then three.js exports the take again, and this package reads
that file. Exits with 1 if the Khronos validator reports anything about the take, or if a joint is off by 1 mm. Needs
Chromium, Node and the packages that scripts/build_studio installs.
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from gallery import REPO
from motionfields.control.controller import FieldController
from motionfields.motion.formats import load_clip
from motionfields.studio import StudioServer
from studio_page import CHROMIUM, DESK, FLAGS, demo_controllers, studio_page

WEB = REPO / "studio" / "web"
LARGEST_ERROR = 1e-3  # metres
BESIDE = 0.9  # metres between the two in the picture


class Compared(NamedTuple):
    """Distances between joints of the take in the browser and of the live character, in metres."""

    frame_count: int
    joint_count: int
    largest: float
    mean: float
    written: float  # largest difference between the take and its three.js export, both read by this package


def validate(*files: Path) -> list[dict[str, Any]]:
    """Return the validator's report on each of `files`."""
    command = ["node", str(REPO / "scripts" / "validate_gltf.mjs"), *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if not run.stdout:
        raise RuntimeError(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def bundle(folder: Path) -> Path:
    """Bundle the script for the page and three.js into one file, and return its path."""
    # The bundler resolves packages relative to the script, so the script must be beside them.
    entry = WEB / "node_modules" / ".gltf_beside.mjs"
    entry.write_bytes(Path(__file__).with_name("gltf_beside.mjs").read_bytes())
    target = folder / "beside.js"
    try:
        command = ["npx", "rolldown", str(entry), "--format", "iife", "--file", str(target)]
        subprocess.run(command, cwd=WEB, check=True, capture_output=True)
    finally:
        entry.unlink()
    return target


def positions(page: Page, joint_count: int) -> Any:
    """Return the displayed joint positions of the live character, [joint][3] metres, once the newest frame is shown."""
    page.wait_for_function(
        """number => {
            const { studio, view } = window.studio;
            if (studio.shown?.number !== number) return false;
            const bytes = studio.shown.roots;
            const root = new DataView(bytes.buffer, bytes.byteOffset);
            const at = view.pointOf(0, 0);
            return Math.abs(at.x - root.getFloat64(0, true)) + Math.abs(at.z - root.getFloat64(16, true)) < 1e-9;
        }""",
        arg=page.evaluate("() => window.studio.studio.status.newest"),
    )
    return page.evaluate(f"() => [...Array({joint_count}).keys()].map(j => window.studio.view.pointOf(0, j).toArray())")


def live_take(page: Page, server: StudioServer, frames: int, folder: Path) -> tuple[Path, Any]:
    """Record a take of `frames` frames steered in the page.

    Returns the downloaded file and the displayed joint positions, [frame, joint, 3] metres.
    """
    joint_count = server.loop.call(lambda session: session.field.database.skeleton.joint_count).result(60.0)
    page.keyboard.press("r")
    page.wait_for_function("() => window.studio.studio.status.taking")
    shown = []
    for number in range(frames):
        if number % 40 == 10:
            page.keyboard.down("ad"[number // 40 % 2])
        if number % 40 == 35:
            page.keyboard.up("ad"[number // 40 % 2])
        before = page.evaluate("() => window.studio.studio.status.newest")
        page.evaluate("() => window.studio.studio.send({type: 'step'})")
        page.wait_for_function("number => window.studio.studio.status.newest > number", arg=before)
        shown.append(positions(page, joint_count))
    with page.expect_download():  # a finished take is downloaded as BVH
        page.keyboard.press("r")
    page.wait_for_selector("#download-take-gltf", state="visible")
    with page.expect_download() as coming:
        page.click("#download-take-gltf")
    coming.value.save_as(folder / "take.glb")
    return folder / "take.glb", np.array(shown)


def compare(
    browser: Browser, controllers: list[FieldController], folder: Path, *, frames: int, picture: Path | None = None
) -> tuple[Path, Compared]:
    """Record a take in the studio's page, load it there again, and return its file and the joint distances."""
    script = bundle(folder)

    # The page's Content-Security-Policy allows only its own scripts.
    options: dict[str, Any] = {**DESK, "bypass_csp": True, "color_scheme": "light", "accept_downloads": True}
    with studio_page(browser, controllers, quality="best" if picture else "fast", **options) as (page, server):
        page.wait_for_function("() => window.studio?.studio.shown")
        page.click("#hint button")
        file, shown = live_take(page, server, frames, folder)
        page.add_script_tag(path=script)
        page.evaluate("text => window.beside.load(text)", base64.b64encode(file.read_bytes()).decode())
        frame_time = load_clip(file).frame_time
        played = [page.evaluate("t => window.beside.pose(t)", number * frame_time) for number in range(frames)]
        errors = np.linalg.norm(np.array(played) - shown, axis=-1)
        anew = folder / "anew.glb"
        anew.write_bytes(base64.b64decode(page.evaluate("() => window.beside.written()")))
        if picture is not None:
            draw(page, picture)
    written = np.abs(load_clip(anew, scale=1.0).world().positions - load_clip(file, scale=1.0).world().positions)
    return file, Compared(frames, shown.shape[1], float(errors.max()), float(errors.mean()), float(written.max()))


def draw(page: Page, picture: Path) -> None:
    """Save a picture of the take beside the live character, in the pose of the last frame."""
    page.evaluate(
        """apart => {
            const yaw = window.studio.view.cameraYaw() - Math.PI / 2;
            window.beside.stand(apart * Math.sin(yaw), apart * Math.cos(yaw));
        }""",
        BESIDE,
    )
    page.wait_for_timeout(4000)
    page.evaluate("() => { window.studio.view.stage.dirty = true; }")
    page.wait_for_timeout(1000)
    page.screenshot(path=picture, quality=88)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    if CHROMIUM is None or shutil.which("node") is None:
        print("no Chromium or no Node on the path")
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            take, compared = compare(
                browser, demo_controllers(["direction"]), folder, frames=options.frames, picture=options.picture
            )
        one = validate(take)[0]
    figures = ", ".join(f"{one[name]} {name}" for name in ("errors", "warnings", "infos", "hints"))
    print(f"{Path(one['file']).name}: {figures}; {one['vertices']} vertices, {one['triangles']} triangles")
    print(
        f"in the browser: {compared.frame_count} frames of {compared.joint_count} joints, at most "
        f"{1000.0 * compared.largest:.3f} mm from the live character (mean {1000.0 * compared.mean:.3f})"
    )
    print(f"written anew by three.js and read by us: at most {1000.0 * compared.written:.3f} mm from the take")
    sound = not one["messages"] and max(compared.largest, compared.written) < LARGEST_ERROR
    print("held" if sound else "missed")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
