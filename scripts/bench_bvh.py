"""How fast BVH is read, next to a bare numpy parse of the same numbers and to bvhio, all in one run.

Usage: python scripts/bench_bvh.py [FILE.bvh]; by default the 43.6 s recording 69_07 of the shared data. Exits
1 when reading takes more than twice the bare parse, or is less than 20 times faster than bvhio.
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from motionfields.formats.bvh import format_bvh, read_bvh
from motionfields.skeleton import Skeleton

REPO = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("MOTIONFIELDS_DATA", REPO.parent / "shared" / "data"))
MOST_TIMES_NUMPY = 2.0
LEAST_TIMES_BVHIO = 20.0


def median_seconds(work: Callable[[], object], *, runs: int) -> float:
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def numpy_parses(block: bytes) -> dict[str, Callable[[], object]]:
    """The plain ways to get the numbers of `block` out with numpy alone; none of them checks the format."""
    text = block.decode()
    return {
        "numpy fromstring": lambda: np.fromstring(text, sep=" "),
        "numpy loadtxt": lambda: np.loadtxt(io.BytesIO(block)),
        "numpy array(split)": lambda: np.array(block.split(), float),
    }


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", nargs="?", type=Path, default=DATA / "locomotion" / "69_07.bvh")
    arguments.add_argument("--runs", type=int, default=9)
    options = arguments.parse_args()
    data = options.file.read_bytes()
    start = time.perf_counter()
    motion = read_bvh(data, path=str(options.file))
    print(f"{options.file.name}: {motion.rotations.shape[:2]} frames and joints, {len(data) / 1e6:.2f} MB")
    print(f"{'first read_bvh of this process':32}{1e3 * (time.perf_counter() - start):9.1f} ms")
    block = data[data.index(b"\n", data.index(b"Frame Time")) + 1 :]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import bvhio

        parses = {name: median_seconds(work, runs=options.runs) for name, work in numpy_parses(block).items()}
        bvhio_seconds = median_seconds(lambda: bvhio.readAsBvh(str(options.file)), runs=3)
    ours = median_seconds(lambda: read_bvh(data), runs=2 * options.runs)
    skeleton = Skeleton(motion.names, motion.parents, motion.offsets, motion.tip_joints, motion.tip_offsets)
    writing = median_seconds(
        lambda: format_bvh(skeleton, motion.root_position, motion.rotations, motion.frame_time), runs=3
    )
    timings = {"read_bvh": ours, **parses, "bvhio": bvhio_seconds, "format_bvh": writing}
    for name, seconds in timings.items():
        print(f"{name:32}{1e3 * seconds:9.1f} ms{seconds / ours:9.2f} x read_bvh")
    times_numpy, times_bvhio = ours / min(parses.values()), bvhio_seconds / ours
    print(f"read_bvh takes {times_numpy:.2f} times the fastest bare numpy parse (at most {MOST_TIMES_NUMPY:g})")
    print(f"read_bvh is {times_bvhio:.0f} times faster than bvhio (at least {LEAST_TIMES_BVHIO:g})")
    return 0 if times_numpy <= MOST_TIMES_NUMPY and times_bvhio >= LEAST_TIMES_BVHIO else 1


if __name__ == "__main__":
    sys.exit(main())
