"""Processor time of a frame in the C runtime beside that of crowds in Python, measured in turns on one thread.

    python benchmarks/bench_native.py            1, 100 and 10,000 characters
    python benchmarks/bench_native.py --quick    1 and 100 characters, fewer frames

The controller is trained on generated walking and turns, for directions, with 100 transitions per state.
"""

from __future__ import annotations

import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.build_native import compilers
from scripts.native import NativeCrowd, build, load, open_status

from common import Bounds, best_time, control_field, make_parser, sample_clips
from motionfields.base.native import without_library
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.export import pack_bytes

CLIPS = ("walk_forward", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_135_quick", "turn_left_180_quick")
FRAMES = 30  # frames of one turn
SHARES = {1: 0.3, 100: 0.75, 10_000: 0.75}  # largest accepted time relative to numba's loops


def medians(controller: FieldController, library: object, count: int, turns: int) -> list[float]:
    """Return seconds per character and frame: crowd in numba, crowd in Python with the C library, exact, compact pack.

    Without a C library in this installation, the first two are the same.
    """
    joints = controller.field.database.skeleton.joint_count
    with without_library():
        plain = controller.crowd(count, seed=1)
    crowds = [plain, controller.crowd(count, seed=1)]
    packs = [
        NativeCrowd(library, pack_bytes(controller, exact=exact), count, joint_count=joints) for exact in (True, False)
    ]
    for native in packs:
        native.start(plain.followers.state)
    rng = np.random.default_rng(2)
    commands, frame = rng.uniform(-np.pi, np.pi, (count, 1)), plain.step(np.zeros((count, 1)))
    steps: list[Callable[..., object]] = [
        *(partial(crowd.step, out=frame) for crowd in crowds),
        *(native.step for native in packs),
    ]
    times: list[list[float]] = [[] for _ in steps]
    for turn in range(turns + 1):  # the first turn warms up
        changed = rng.random(count) < 0.5
        commands[changed] = rng.uniform(-np.pi, np.pi, (changed.sum(), 1))
        for step, taken in zip(steps, times, strict=True):
            began = time.thread_time()
            for _ in range(FRAMES):
                step(commands)
            if turn:
                taken.append((time.thread_time() - began) / (FRAMES * count))
    return [float(np.median(part)) for part in times]


def opening_time(library: object, data: bytes) -> float:
    """Return the seconds that opening and checking the pack `data` takes."""
    return best_time(lambda: open_status(library, data), 20)


def heading_errors(controller: FieldController, library: object, frame_count: int) -> tuple[float, float]:
    """Return the mean angle in degrees between facing and goal of 200 characters: exact pack, compact pack."""
    joints, count = controller.field.database.skeleton.joint_count, 200
    found = []
    for exact in (True, False):
        crowd = NativeCrowd(library, pack_bytes(controller, exact=exact), count, joint_count=joints)
        rng, off = np.random.default_rng(7), []
        goals = rng.uniform(-np.pi, np.pi, (count, 1))
        for frame in range(frame_count):
            changed = rng.random(count) < 1.0 / 45.0
            goals[changed] = rng.uniform(-np.pi, np.pi, (changed.sum(), 1))
            crowd.step(goals)
            if frame >= 60 and frame % 5 == 0:
                gap = goals[:, 0] - [one.facing for one in crowd.look()]
                off.append(np.abs(np.arctan2(np.sin(gap), np.cos(gap))))
        found.append(float(np.degrees(np.mean(off))))
    return found[0], found[1]


def main() -> int:
    quick = make_parser(__doc__, quick="fewer frames, and no crowd of 10,000").parse_args().quick
    if not (found := compilers()):
        print("no C compiler: install gcc or clang, or ziglang from PyPI")
        return 1
    numba.set_num_threads(1)
    controller = train(control_field(sample_clips(CLIPS)), Direction(), tolerance=0.1)
    bounds = Bounds()
    with tempfile.TemporaryDirectory() as name:
        path = build(Path(name) / "runtime.so", compiler=next(iter(found.values())), options=("-O2",))
        print(f"{path.stat().st_size / 1024:.0f} KB, {controller.field.database.state_count} states")
        library = load(path)
        print("characters   numba us  python us  exact us  share  compact us")
        for count, turns in ((1, 40), (100, 20)) if quick else ((1, 200), (100, 60), (10_000, 5)):
            plain, python, exact, compact = medians(controller, library, count, turns)
            figures = (
                f"{1e6 * plain:11.2f}{1e6 * python:11.2f}{1e6 * exact:10.2f}{exact / plain:7.2f}{1e6 * compact:12.2f}"
            )
            print(f"{count:10,}{figures}", flush=True)
            share = f"{count:,} characters take {exact / plain:.2f} of the time of numba's loops"
            bounds.require(exact / plain <= SHARES[count], f"{share}, expected at most {SHARES[count]}")
        opening = [1e3 * opening_time(library, pack_bytes(controller, exact=exact)) for exact in (True, False)]
        print(f"milliseconds to open and check a pack: exact {opening[0]:.1f}, compact {opening[1]:.1f}")
        sizes = [len(pack_bytes(controller, exact=exact)) for exact in (True, False)]
        deflated = len(zlib.compress(pack_bytes(controller), 9))
        print(f"bytes: exact {sizes[0]:,}, compact {sizes[1]:,}, compact and deflated {deflated:,}")
        exact, compact = heading_errors(controller, library, 240 if quick else 900)
        print(f"mean angle to goals that change every 1.5 s: exact {exact:.2f}, compact {compact:.2f} degrees")
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
