"""Soak-test crowds: finite, steady, reproducible in any crowd size and thread count, and accurate far away.

    python benchmarks/soak_crowd.py [--quick] [--controller FILE] [--json FILE]

1,000 characters run for 10,000 frames (10 million characters times frames). Each gets a new heading every two seconds
and is pushed now and then, at a random body part, with up to 300 N.

- `soak`: every number is finite, and every quaternion has length 1 within 1e-6; after the first tenth, memory grows by
  less than 1 MiB, and the 99th percentile of the work per frame in the last tenth is at most 1.1 times that in the
  second;
- `bits`: the same on two threads, and for crowds of 7 and of 1, to the last bit;
- `far`: the same with the clock at 500,000 s and 500 km from the origin, within 0.1 mm.

`--quick` runs 300 characters for 1,000 frames, too few for that percentile, so medians are compared; bits and positions
are then compared over 200 frames. Without a controller, one is trained on the generated clips. Exits 1 if a bound is
missed.
"""

from __future__ import annotations

import gc
import hashlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

from common import Bounds, make_parser, sample_controller, write_json
from motionfields.base.arrays import FloatArray
from motionfields.control.controller import FieldController
from motionfields.field.passive import uniform_draws
from motionfields.runtime import Crowd, Frame

SEED = 7000
SIZES = (1, 7)
GOAL_FRAMES = 60
PUSH_CHANCE = 1.0 / 1500.0  # per character and frame
MOST_FORCE = 300.0  # newtons
PUSHED = ("Spine", "Hips", "LeftForeArm", "RightUpLeg", "Head")
UNIT = 1e-6
MOST_GROWTH = 2**20  # bytes
MOST_SLOWER = 1.1
ATTEMPTS = 4
FEWEST_FRAMES = 500  # of a tenth, so that its 99th percentile is not just its slowest frame
FAR = np.array([400e3, -300e3])  # metres
LATE = 500_000.0  # seconds
NEAR_ENOUGH = 1e-4  # metres
bounds = Bounds()


class Soak(NamedTuple):
    """Figures of a long run."""

    digests: dict[int, str]  # by crowd size: digest of all frames of that many first characters
    work: FloatArray  # [frame], seconds of processor time
    growth: int  # bytes
    off_unit: float
    finite: bool
    push_count: int


class Users:
    """Goals and pushes of a crowd's characters; the same for each character in a crowd of any size."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.push_count = 0
        self._number = 0
        self._heading = np.zeros(crowd.count)
        self._characters = np.arange(crowd.count)

    def step(self, out: Frame | None = None) -> Frame:
        """Advance by one frame."""
        due = (self._number + self._characters) % GOAL_FRAMES == 0
        self._heading[due] = 2.0 * np.pi * self._chance(0)[due] - np.pi
        for character in np.flatnonzero(self._chance(1) < PUSH_CHANCE).tolist():
            angle, size = 2.0 * np.pi * self._chance(2)[character], MOST_FORCE * self._chance(3)[character]
            force = [size * np.sin(angle), 0.0, size * np.cos(angle)]
            joint = PUSHED[int(len(PUSHED) * self._chance(4)[character])]
            self.crowd.push(character, joint, force, duration=0.1)
            self.push_count += 1
        self._number += 1
        return self.crowd.step(self._heading, out=out)

    def _chance(self, draw: int) -> FloatArray:
        return uniform_draws(SEED + draw, self._characters, self._number)


def soak(controller: FieldController, count: int, frame_count: int, sizes: tuple[int, ...]) -> Soak:
    """Run `count` characters for `frame_count` frames, and record the figures that are checked."""
    users = Users(controller.crowd(count, seed=SEED))
    digests = {size: hashlib.sha256() for size in sizes}
    work, worst, finite, before = np.empty(frame_count), 0.0, True, 0
    frame = users.step()
    for number in range(frame_count):
        began = time.process_time()
        users.step(out=frame)
        work[number] = time.process_time() - began
        finite &= bool(np.isfinite(frame.root_position).all() and np.isfinite(frame.rotations).all())
        worst = max(worst, float(np.abs(np.sqrt(np.sum(frame.rotations**2, axis=-1)) - 1.0).max()))
        for size, digest in digests.items():
            for track in frame:
                digest.update(np.ascontiguousarray(track[:size]).data)
        if number == frame_count // 10:
            before = resident_bytes()
    growth = resident_bytes() - before
    return Soak(
        {size: digest.hexdigest() for size, digest in digests.items()}, work, growth, worst, finite, users.push_count
    )


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def ends(run: Soak) -> tuple[float, float, float]:
    """Return the percentile used, and that of the seconds of work per frame in the second and in the last tenth."""
    tenth = len(run.work) // 10
    rank = 99.0 if tenth >= FEWEST_FRAMES else 50.0
    first, last = (float(np.percentile(part, rank)) for part in (run.work[tenth : 2 * tenth], run.work[-tenth:]))
    return rank, first, last


def even_soak(controller: FieldController, count: int, frame_count: int) -> Soak:
    """Run the soak, repeating it if the last frames were slower: a slow computer recovers, a leak does not."""
    for _ in range(ATTEMPTS):
        run = soak(controller, count, frame_count, (*SIZES, count))
        _, first, last = ends(run)
        if last <= MOST_SLOWER * first:
            break
    return run


def check_soak(run: Soak, count: int, frame_count: int) -> dict[str, Any]:
    """Check the figures of a long run against the bounds."""
    rank, first, last = ends(run)
    bounds.require(run.finite, "a number is not finite")
    bounds.require(run.off_unit <= UNIT, f"a quaternion is off by {run.off_unit:.2g}")
    bounds.require(run.growth < MOST_GROWTH, f"memory grew by {run.growth / 2**20:.2f} MiB")
    bounds.require(
        last <= MOST_SLOWER * first, f"p{rank:.0f} of a frame's work went from {1e3 * first:.2f} to {1e3 * last:.2f} ms"
    )
    each = 1e6 * float(run.work.mean()) / count
    print(
        f"soak: {count * frame_count:,} characters times frames, {run.push_count} pushes, {each:.2f} us each; "
        f"off unit {run.off_unit:.1e}, memory {run.growth / 1024:+.0f} KiB, "
        f"p{rank:.0f} {1e3 * first:.2f} ms then {1e3 * last:.2f} ms"
    )
    return {
        "character_frames": count * frame_count,
        "pushes": run.push_count,
        "microseconds": each,
        "off_unit": run.off_unit,
        "growth_bytes": run.growth,
        "first_ms": 1e3 * first,
        "last_ms": 1e3 * last,
    }


def check_bits(controller: FieldController, count: int, frame_count: int, *, run: Soak | None) -> dict[str, Any]:
    """Check that `run` gives the same bits on two threads and with fewer characters."""
    if run is None:
        run = soak(controller, count, frame_count, (*SIZES, count))
    with threads(2):
        other = soak(controller, count, frame_count, (*SIZES, count))
    bounds.require(other.digests == run.digests, "two threads give other bits")
    for size in SIZES:
        few = soak(controller, size, frame_count, (size,))
        bounds.require(few.digests[size] == run.digests[size], f"a crowd of {size} gives other bits")
    print(f"bits: crowds of 1, 7 and {count} and 1 and 2 threads agree over {frame_count:,} frames")
    return {"sizes": [*SIZES, count], "frames": frame_count, "digest": run.digests[count]}


def check_far(controller: FieldController, count: int, frame_count: int) -> dict[str, Any]:
    """Check that a crowd moves the same way at the origin as late and far away."""
    near, far = (controller.crowd(count, seed=SEED) for _ in range(2))
    far.frame_number = round(LATE / controller.field.database.frame_time)
    facing = far.ground.facing
    near.place(slice(None), np.zeros(2), facing)
    far.place(slice(None), FAR, facing)
    shift, most = np.array([FAR[0], 0.0, FAR[1]]), 0.0
    users, others = Users(near), Users(far)
    for _ in range(frame_count):
        here, there = users.step(), others.step()
        most = max(most, float(np.abs(there.root_position - shift - here.root_position).max()))
    bounds.require(most <= NEAR_ENOUGH, f"500 km away characters are off by {most:.2g} m")
    print(f"far: {count} characters, {frame_count:,} frames, off by at most {most:.1e} m")
    return {"off_metres": most, "frames": frame_count}


@contextmanager
def threads(count: int) -> Iterator[None]:
    usual = numba.get_num_threads()
    numba.set_num_threads(min(count, int(numba.config.NUMBA_NUM_THREADS)))  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.set_num_threads(usual)


def main() -> int:
    parser = make_parser(__doc__, quick="a short run on a few generated clips, for CI")
    parser.add_argument("--controller", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    count, frame_count = (300, 1000) if options.quick else (1000, 10_000)
    controller = (
        sample_controller(quick=options.quick)
        if options.controller is None
        else FieldController.load(options.controller)
    )
    compared = 200 if options.quick else frame_count
    with threads(1):
        run = even_soak(controller, count, frame_count)
        facts = {
            "soak": check_soak(run, count, frame_count),
            "bits": check_bits(controller, count, compared, run=None if options.quick else run),
            "far": check_far(controller, count, compared),
        }
    write_json(options.json, facts)
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
