"""Time file reading and forward kinematics, each as a ratio to a plain implementation in the same run.

    python benchmarks/bench.py [--quick]

Reads the 43.6 s recording 69_07 of the shared data, or generated motion of the same length if that is absent. Exits 1
if a ratio misses its bound: reading takes at most twice as long as a bare numpy parse of the same numbers and is 20
times faster than bvhio; forward kinematics is 30 times faster than scipy's rotations and agrees with them within 1e-6
m.
"""

from __future__ import annotations

import io
import re
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable

import numpy as np
from scipy.spatial.transform import Rotation

from common import DATA, make_parser
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_normalize
from motionfields.motion.formats.bvh import format_bvh, read_bvh
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton, forward_kinematics

FRAME_COUNT = 2000  # poses for forward kinematics
MOST_TIMES_NUMPY = 2.0
LEAST_TIMES_BVHIO = 20.0
LEAST_TIMES_SCIPY = 30.0


def median_seconds(works: dict[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Return the median time of each of `works`, run in turns so that a busy machine slows all of them alike."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.process_time()
            work()
            seconds[name].append(time.process_time() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}


def print_timings(timings: dict[str, float], ours: str) -> None:
    for name, seconds in timings.items():
        print(f"  {name:30}{1e3 * seconds:9.2f} ms{seconds / timings[ours]:9.2f} x {ours}")


def recording() -> bytes:
    """Return the bytes of a long BVH file: captured if available, generated otherwise."""
    captured = DATA / "locomotion" / "69_07.bvh"
    if captured.is_file():
        print(f"{captured.name}, captured")
        return captured.read_bytes()
    clips = [sample.clip for sample in generate_samples(frame_rate=120.0, only=re.compile("walk_[^b].*|stand_idle"))]
    root, rotations = (
        np.concatenate(tracks) for tracks in zip(*((c.root_position, c.rotations) for c in clips), strict=True)
    )
    print(f"{len(root) / 120.0:.1f} s of generated motion; set MOTIONFIELDS_DATA for captured")
    return format_bvh(clips[0].skeleton, root, rotations, 1.0 / 120.0)


def numpy_parses(block: bytes) -> dict[str, Callable[[], object]]:
    """Return the plain ways to parse the numbers of `block` with numpy alone; none of them checks the format."""
    text = block.decode()
    return {
        "numpy fromstring": lambda: np.fromstring(text, sep=" "),
        "numpy loadtxt": lambda: np.loadtxt(io.BytesIO(block)),
        "numpy array(split)": lambda: np.array(block.split(), float),
    }


def bench_reading(rounds: int) -> bool:
    """Compare BVH reading with bare numpy and with bvhio; return whether both bounds hold."""
    data = recording()
    motion = read_bvh(data)
    print(f"  {motion.rotations.shape[:2]} frames and joints, {len(data) / 1e6:.2f} MB")
    skeleton = Skeleton(motion.names, motion.parents, motion.offsets, motion.tip_joints, motion.tip_offsets)
    parses = numpy_parses(data[data.index(b"\n", data.index(b"Frame Time")) + 1 :])
    timings = median_seconds({"read_bvh": lambda: read_bvh(data), **parses}, rounds=rounds)
    with warnings.catch_warnings(), tempfile.NamedTemporaryFile(suffix=".bvh") as file:
        warnings.simplefilter("ignore")
        import bvhio

        file.write(data)
        file.flush()
        slow = {
            "bvhio": lambda: bvhio.readAsBvh(file.name),
            "format_bvh": lambda: format_bvh(skeleton, motion.root_position, motion.rotations, motion.frame_time),
        }
        timings |= median_seconds(slow, rounds=max(1, rounds // 5))
    print_timings(timings, "read_bvh")
    times_numpy = timings["read_bvh"] / min(timings[name] for name in parses)
    times_bvhio = timings["bvhio"] / timings["read_bvh"]
    print(f"  read_bvh takes {times_numpy:.2f} times the fastest bare numpy parse (at most {MOST_TIMES_NUMPY:g})")
    print(f"  read_bvh is {times_bvhio:.0f} times faster than bvhio (at least {LEAST_TIMES_BVHIO:g})")
    return times_numpy <= MOST_TIMES_NUMPY and times_bvhio >= LEAST_TIMES_BVHIO


def scipy_positions(skeleton: Skeleton, root: FloatArray, rotations: FloatArray) -> FloatArray:
    """Return world positions [frame, joint, 3] from scipy's rotations, one joint at a time: the plain oracle."""
    world: list[Rotation] = []
    positions = np.empty((*rotations.shape[:2], 3))
    for joint, parent in enumerate(skeleton.parents):
        local = Rotation.from_quat(rotations[:, joint], scalar_first=True)
        world.append(local if parent < 0 else world[parent] * local)
        positions[:, joint] = root
        if parent >= 0:
            positions[:, joint] = positions[:, parent] + world[parent].apply(skeleton.offsets[joint].copy())
    return positions


def bench_kinematics(rounds: int) -> bool:
    """Compare forward kinematics with scipy on a branching skeleton of 31 joints; return whether the bound holds."""
    rng = np.random.default_rng(0)
    parents = np.array([-1] + [int(rng.integers(0, joint)) for joint in range(1, 31)])
    skeleton = Skeleton(tuple(f"joint{j}" for j in range(31)), parents, 0.3 * rng.normal(size=(31, 3)))
    root, rotations = rng.normal(size=(FRAME_COUNT, 3)), quat_normalize(rng.normal(size=(FRAME_COUNT, 31, 4)))
    difference = forward_kinematics(skeleton, root, rotations).positions - scipy_positions(skeleton, root, rotations)
    works = {
        "forward_kinematics": lambda: forward_kinematics(skeleton, root, rotations),
        "scipy": lambda: scipy_positions(skeleton, root, rotations),
    }
    print(f"forward kinematics, {FRAME_COUNT} frames of 31 joints")
    timings = median_seconds(works, rounds=rounds)
    print_timings(timings, "forward_kinematics")
    times, error = timings["scipy"] / timings["forward_kinematics"], float(np.abs(difference).max())
    print(f"  forward_kinematics is {times:.0f} times faster than scipy (at least {LEAST_TIMES_SCIPY:g}),")
    print(f"  and differs by {error:.1e} m at most (1e-06 allowed)")
    return times >= LEAST_TIMES_SCIPY and error <= 1e-6


def main() -> int:
    parser = make_parser(__doc__, quick="fewer rounds, for CI")
    rounds = 5 if parser.parse_args().quick else 15
    held = [bench_reading(rounds), bench_kinematics(rounds)]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
