"""Soak-test a crowd with everything that can happen to it: pushes, balls, hand-overs, new goals and resizes.

    python benchmarks/soak_mixed.py [--total 100000000] [--count 1000] [--json FILE] [--quick]

Runs until `--total` frames of single characters have been shown. Every character gets a new heading every two seconds;
one frame in 20 brings a push of up to 300 N, one in 40 a ball, one in 300 a hand-over to a controller of another task,
and one in 500 another size of the crowd, from half of `--count` to all of it. Checked:

- every number is finite, and the guard of the crowd resets nobody;
- after the first fifth, memory grows by less than 1 MiB; it is measured with `--count` characters, without the free
  pages that the allocator keeps;
- the median work per character and frame in the last fifth is at most 1.1 times that in the second.

Controllers are trained on a few generated clips. --quick runs 100 characters for 300,000 frames in total, and allows
1.5 times and 4 MiB.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from common import QUICK_CLIPS, Bounds, control_field, make_parser, sample_clips, write_json
from motionfields.base.errors import CharacterWarning
from motionfields.control.tasks import Direction, Velocity
from motionfields.control.training import train
from motionfields.runtime import Controller, Crowd
from soak_crowd import MOST_FORCE, PUSHED, resident_bytes

GOAL_FRAMES = 60
TIMED = 20  # one frame of these is timed, so that the times take no memory
bounds = Bounds()


class Events:
    """Random things that happen to a crowd."""

    def __init__(self, controllers: list[Controller], count: int) -> None:
        self.controllers, self.count = controllers, count
        self.crowd: Crowd = controllers[0].crowd(count, seed=1)
        self.chance = np.random.default_rng(1)
        self.happened = Counter[str]()
        self._number = 0
        self._heading = np.zeros(count)

    def step(self) -> float:
        """Let things happen, advance by one frame, check it, and return the seconds of work per character."""
        chance, crowd = self.chance, self.crowd
        began = time.process_time()
        self._heading[self._number % GOAL_FRAMES :: GOAL_FRAMES] = chance.uniform(-np.pi, np.pi)
        who = int(chance.integers(crowd.count))
        x, z = crowd.followers.position[who]
        if self._due(20, "pushes"):
            force = chance.uniform(-MOST_FORCE, MOST_FORCE, 3) * (1.0, 0.0, 1.0) / np.sqrt(2.0)
            crowd.push(who, PUSHED[int(chance.integers(len(PUSHED)))], force, duration=0.1)
        if self._due(40, "balls"):
            crowd.throw((x, 1.2, z + 3.0), (0.0, 1.0, -9.0))
        if self._due(300, "hand-overs"):
            crowd.hand_over(self.controllers[self.happened["hand-overs"] % len(self.controllers)])
        if self._due(500, "resizes"):
            crowd = self.resize(int(chance.integers(self.count // 2, self.count + 1)))
        self._number += 1
        names = crowd.controller.task.command_names
        commands = np.tile([1.0] * len(names), (crowd.count, 1))
        commands[:, names.index("heading")] = self._heading[: crowd.count]
        frame = crowd.step(commands)
        work = (time.process_time() - began) / crowd.count
        good = np.isfinite(frame.root_position).all() and np.isfinite(frame.rotations).all()
        bounds.require(bool(good), f"a number is not finite at frame {self._number}")
        return work

    def resize(self, count: int) -> Crowd:
        """Give the crowd `count` characters, and return it."""
        self.crowd = self.crowd.resized(count, seed=self._number)
        return self.crowd

    def _due(self, frames: int, name: str) -> bool:
        due = bool(self.chance.random() < 1.0 / frames)
        self.happened[name] += due
        return due


def settled_bytes(events: Events) -> int:
    """Return the resident memory with the full crowd, after free memory is given back to the system."""
    events.resize(events.count)
    events.step()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return resident_bytes()


def main() -> int:
    parser = make_parser(__doc__, quick="300,000 frames of 100 characters")
    parser.add_argument("--total", type=int, default=100_000_000, help="frames of single characters")
    parser.add_argument("--count", type=int, default=1000, help="characters")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    total, count = (300_000, 100) if options.quick else (options.total, options.count)
    most_growth, most_slower = (4 << 20, 1.5) if options.quick else (1 << 20, 1.1)
    field = control_field(sample_clips((*QUICK_CLIPS, "walk_stop", "stand_idle")))
    events = Events([train(field, task, tolerance=0.05) for task in (Direction(), Velocity())], count)
    work: list[list[float]] = [[], [], [], [], []]
    before, shown = 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("error", CharacterWarning)
        for frame in range(sys.maxsize):
            if shown >= total:
                break
            if not before and shown >= total / 5:
                before = settled_bytes(events)
            seconds = events.step()
            if frame % TIMED == 0:
                work[int(5 * shown / total)].append(seconds)
            shown += events.crowd.count
        growth = settled_bytes(events) - before
    first, last = (1e6 * float(np.median(work[part])) for part in (1, 4))
    happened = ", ".join(f"{number:,} {name}" for name, number in events.happened.items())
    print(
        f"mixed: {shown:,} characters times frames, {happened}; memory {growth / 1024:+.0f} KiB, "
        f"{first:.2f} us per character and frame, then {last:.2f}"
    )
    bounds.require(growth < most_growth, f"memory grew by {growth / 2**20:.2f} MiB")
    bounds.require(last <= most_slower * first, f"a frame went from {first:.2f} to {last:.2f} us per character")
    figures = {"character_frames": shown, "growth_bytes": growth, "first_us": first, "last_us": last}
    write_json(options.json, {**figures, **events.happened})
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
