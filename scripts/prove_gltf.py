"""A walk as glTF: sound by the validator of Khronos, and in the browser the same as the live character.

    python scripts/prove_gltf.py [--frames 120] [--picture docs/images/gltf_beside.jpg]

Records a walk with turns from the controller of `motionfields demo`, writes it as .glb and lets the validator look at
it. Then it starts the studio with that controller in headless Chromium, steers there and records a take, downloads it
as .glb from the page, loads it in the same page by three.js's own loader, and compares where the joints are in every
frame with where the live character showed them. Last it lets three.js write the take anew, and reads that. Exits with
1 if the validator has anything to say, or if a joint is 1 mm off. Needs Chromium, Node and what scripts/build_studio
installs.
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

from motionfields.control.controller import FieldController
from motionfields.control.tasks import TASKS
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats import load_clip, save_clip
from motionfields.motion.samples import generate_samples
from motionfields.runtime.recording import Commands, record
from motionfields.studio import Access, Session, StudioServer, listen
from motionfields.studio.demo import CLIPS, TITLE

REPO = Path(__file__).resolve().parents[1]
WEB = REPO / "studio" / "web"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run"]
LARGEST_ERROR = 1e-3  # metres
BESIDE = 0.9  # metres between the two in the picture


class Compared(NamedTuple):
    """How far joints of the take in the browser are from those of the live character, in metres."""

    frame_count: int
    joint_count: int
    largest: float
    mean: float
    written: float  # the largest for the same take as three.js writes it, read by us


def validate(*files: Path) -> list[dict[str, Any]]:
    """What the validator says of each of `files`."""
    command = ["node", str(REPO / "scripts" / "validate_gltf.mjs"), *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if not run.stdout:
        raise RuntimeError(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def bundle(folder: Path) -> Path:
    """The script for the page with three.js in it, as one file."""
    # Beside the packages that it imports, for they are looked for from where it is.
    entry = WEB / "node_modules" / ".gltf_beside.mjs"
    entry.write_bytes((REPO / "scripts" / "gltf_beside.mjs").read_bytes())
    target = folder / "beside.js"
    try:
        command = ["npx", "rolldown", str(entry), "--format", "iife", "--file", str(target)]
        subprocess.run(command, cwd=WEB, check=True, capture_output=True)
    finally:
        entry.unlink()
    return target


def positions(page: Page, joint_count: int) -> Any:
    """Where the live character's joints are as displayed, [joint][3], once the newest frame is."""
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
    """A take of `frames` frames steered in the page, as downloaded, and what was displayed, [frame, joint, 3]."""
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
    page.keyboard.press("r")
    page.wait_for_selector("#download-take-gltf", state="visible")
    with page.expect_download() as coming:
        page.click("#download-take-gltf")
    coming.value.save_as(folder / "take.glb")
    return folder / "take.glb", np.array(shown)


def compare(
    browser: Browser, controllers: list[FieldController], folder: Path, *, frames: int, picture: Path | None = None
) -> tuple[Path, Compared]:
    """Play, record and load again in the studio's page: the file that was downloaded, and how far the two are apart."""
    script = bundle(folder)

    def prepare(_: object) -> Session:
        session = Session(controllers, title=TITLE)
        session.paused = True
        return session

    with listen("127.0.0.1", 0) as listening:
        server = StudioServer(prepare, Access.on("127.0.0.1", listening.getsockname()[1]))
        with server.running(listening):
            # The studio's page lets no script in but its own.
            context = browser.new_context(
                viewport={"width": 1280, "height": 720}, bypass_csp=True, color_scheme="light", accept_downloads=True
            )
            page = context.new_page()
            page.set_default_timeout(120_000)
            page.goto(f"{server.access.url}?quality=best")
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
            context.close()
    written = np.abs(load_clip(anew, scale=1.0).world().positions - load_clip(file, scale=1.0).world().positions)
    return file, Compared(frames, shown.shape[1], float(errors.max()), float(errors.mean()), float(written.max()))


def draw(page: Page, picture: Path) -> None:
    """The two beside each other, in the pose of the last frame."""
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
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None or shutil.which("node") is None:
        print("no Chromium or no Node on the path")
        return 1
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    field = MotionField(MotionDatabase.build(clips))
    controllers = [train(field, TASKS["direction"]())]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        walk = folder / "walk.glb"
        save_clip(record(controllers[0], turning()), walk)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            take, compared = compare(browser, controllers, folder, frames=options.frames, picture=options.picture)
        said = validate(walk, take)
    for one in said:
        figures = ", ".join(f"{one[name]} {name}" for name in ("errors", "warnings", "infos", "hints"))
        print(f"{Path(one['file']).name}: {figures}; {one['vertices']} vertices, {one['triangles']} triangles")
    print(
        f"in the browser: {compared.frame_count} frames of {compared.joint_count} joints, at most "
        f"{1000.0 * compared.largest:.3f} mm from the live character (mean {1000.0 * compared.mean:.3f})"
    )
    print(f"written anew by three.js and read by us: at most {1000.0 * compared.written:.3f} mm from the take")
    sound = not any(one["messages"] for one in said) and max(compared.largest, compared.written) < LARGEST_ERROR
    print("held" if sound else "missed")
    return 0 if sound else 1


def turning() -> Commands:
    """Commands for eight seconds of walking, with a turn to the left and one back over the right."""
    return Commands(("heading",), np.array([0.0, 2.5, 5.0]), np.radians([[0.0], [90.0], [-45.0]]), 8.0)


if __name__ == "__main__":
    sys.exit(main())
