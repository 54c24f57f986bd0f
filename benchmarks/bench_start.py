"""Time from the command to the first moving frame: a crowd in a fresh process, and the demo in headless Chromium.

    python benchmarks/bench_start.py            a crowd, and the demo with empty caches
    python benchmarks/bench_start.py --quick    the crowd alone

The crowd has one character of the controller that ships with the package, in processes that find the modules compiled
to bytecode, as pip does at installation. For the demo, Chromium runs already; the time
ends when the page has shown two different positions of the character. Times are wall-clock times; on a busy machine the
processor time says more.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import make_parser

ROUNDS = 5
CROWD = """
import time
wall, processor = time.perf_counter(), time.process_time()
import numpy
print(time.perf_counter() - wall, time.process_time() - processor)
import motionfields, sys
crowd = motionfields.load_controller(sys.argv[1]).crowd(1)
crowd.step([[0.0, 1.0]])
print(time.perf_counter() - wall, time.process_time() - processor)
print(*sorted({"numba", "scipy"} & set(sys.modules)))
"""
SHOWN = "() => { const s = window.studio?.studio?.shown; return s ? [s.number, ...s.roots] : null; }"


def crowd_start(path: Path) -> None:
    """Print the times from `import` to the first frame of a crowd, the shortest of several processes."""
    runs = []
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(path.parent / "bytecode")
    for turn in range(ROUNDS + 1):
        command = [sys.executable, "-c", CROWD, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        if not turn:  # it compiled the modules
            continue
        numpy_line, all_line, loaded = done.stdout.split("\n")[:3]
        runs.append([float(number) for number in (numpy_line + " " + all_line).split()])
    wall, processor = min(run[2] for run in runs), min(run[3] for run in runs)
    bare = min(run[1] for run in runs)
    print(f"import to first frame: {wall:.2f} s, processor {processor:.2f} s, of which numpy {bare:.2f} s")
    print(f"loaded besides numpy: {loaded or 'neither numba nor scipy'}")


def demo_start(folder: Path) -> None:
    """Print the time from `motionfields demo`, with empty caches in `folder`, to a character that moves on the page."""
    from playwright.sync_api import sync_playwright

    from studio_page import CHROMIUM, FLAGS

    environment = {**os.environ, "MOTIONFIELDS_CACHE": str(folder / "cache"), "NUMBA_CACHE_DIR": str(folder / "numba")}
    with sync_playwright() as player, player.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as browser:
        page = browser.new_page()
        began = time.perf_counter()
        command = [sys.executable, "-m", "motionfields", "demo", "--no-browser", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as demo:
            assert demo.stdout is not None
            url = demo.stdout.readline().split()[-1]
            served = time.perf_counter() - began
            page.goto(f"{url}?quality=fast", wait_until="commit")
            moved = _wait_for_motion(page, began)
            demo.terminate()
    print(f"demo: page served after {served:.2f} s, character moves after {moved:.2f} s")


def _wait_for_motion(page: Any, began: float) -> float:
    """Return the seconds since `began` at which the character has moved on the page."""
    first: list[float] | None = None
    while time.perf_counter() - began < 120.0:
        shown = page.evaluate(SHOWN)
        if shown and first and shown[1:] != first[1:]:
            return time.perf_counter() - began
        first = first or shown
        time.sleep(0.01)
    raise TimeoutError("the character did not move within 120 s")


def main() -> int:
    quick = make_parser(__doc__, quick="only the crowd").parse_args().quick
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "figures"))
    with tempfile.TemporaryDirectory() as name:
        from motionfields.studio.demo import ORDER, Demo

        demo = Demo(Path(name))
        demo.first()
        crowd_start(demo.path(ORDER[0]))
        if not quick:
            demo_start(Path(name) / "fresh")
    return 0


if __name__ == "__main__":
    sys.exit(main())
