"""Time the guard of crowds, which looks for numbers that are not finite at every frame, beside a crowd without it.

    python benchmarks/bench_guard.py [--quick]

A crowd with the guard and one without take turns, 20 frames at a time; the shortest of each are compared. Exits 1 if
the guard makes frames longer than 1.15 times those without it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np

from common import Bounds, make_parser, sample_controller
from motionfields.runtime import Crowd
from motionfields.runtime import crowd as crowd_module
from motionfields.runtime.pushable import NOBODY

COUNT = 1000
FRAMES = 20
MOST = 1.15
bounds = Bounds()


@contextmanager
def no_guard() -> Iterator[None]:
    def nobody(*_: Any) -> Any:
        return NOBODY

    with patch.object(crowd_module, "unsound_followers", nobody), patch.object(crowd_module, "unsound_poses", nobody):
        yield


def seconds(crowd: Crowd, heading: float) -> float:
    """Return the processor time in seconds of some frames of `crowd`."""
    commands = np.full(crowd.count, heading)
    began = time.process_time()
    for _ in range(FRAMES):
        crowd.step(commands)
    return time.process_time() - began


def main() -> int:
    options = make_parser(__doc__, quick="a short run on a few generated clips, for CI").parse_args()
    controller = sample_controller(quick=options.quick)
    guarded, bare = (controller.crowd(COUNT, seed=1) for _ in range(2))
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(8 if options.quick else 40):
        heading = float(turn % 7) - 3.0
        times[0].append(seconds(guarded, heading))
        with no_guard():
            times[1].append(seconds(bare, heading))
    # The same bits, or the comparison would be of other motion.
    bounds.require(
        bool(np.array_equal(guarded.followers.position, bare.followers.position)), "the guard changes motion"
    )
    each = [1e6 * min(part[2:]) / (COUNT * FRAMES) for part in times]
    ratio = each[0] / each[1]
    print(f"guard: {each[0]:.2f} us per character and frame, {each[1]:.2f} without, ratio {ratio:.3f}")
    bounds.require(ratio <= MOST, f"the guard takes {ratio:.3f} times as long")
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
