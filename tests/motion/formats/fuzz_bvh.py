"""Search for BVH files that break the promises of the reader; `test_bvh_fuzz.py` runs it for a short while.

    python tests/motion/formats/fuzz_bvh.py --seconds 300 [--seed 0] [--atheris]

Every input must be read or refused with BvhError, in under 2 s and under 10 times its size plus 64 MB; a motion that is
read must be sound and, if small, survive being written and read again. The fuzzer saves an input that breaks this and
exits 1.

Inputs grow out of the seeds below by changes of bytes, words and structure. An input that meets a new refusal is kept
and changed further. With --atheris, code coverage leads the search instead.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import random
import re
import signal
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import FrameType

import numpy as np

from motionfields.base.errors import BvhError
from motionfields.motion.formats.bvh import BvhMotion, format_bvh, read_bvh
from motionfields.motion.skeleton import Skeleton

MOST_SECONDS = 2.0
MOST_BYTES_PER_BYTE = 10
MOST_BYTES_ALWAYS = 64_000_000
MOST_INPUT_BYTES = 8_000_000
FAILURES = Path(tempfile.gettempdir()) / "fuzz_bvh_failures"
SMALL = 20_000  # bytes; inputs up to here are also written again

WORD_LIST = """
HIERARCHY ROOT JOINT End Site { } OFFSET CHANNELS MOTION Frames: Frame Time: : A B Hips J1 # // 0 1 2 3 6 7 -1 +5 .5
5. 1e3 1e-3 1e999 -1e-999 1e400 nan inf -inf 0x1p3 1,5 1_0 2000000000 99999999999999999999 0.0333333
Xposition Yposition Zposition Xrotation Yrotation Zrotation Wrotation
"""
WORDS = WORD_LIST.split()
CHANNELS = [word for word in WORDS if word.endswith(("position", "rotation")) and word[0] in "XYZ"]
ODD_BYTES = (b"\x00", b"\xff", b"\r", b"\n", b"\r\n", b"\t", b" ", b"\xef\xbb\xbf", b"\xc3\x28", b"{", b"}", b"\x0c")


def bvh(joints: list[tuple[int, str]], rows: list[str], *, frame_time: str = "0.01", end: str = "\n") -> bytes:
    """A file of joints (depth, channel names), each with an End Site if it has no child, and the given rows."""
    lines = ["HIERARCHY"]
    for place, (depth, channels) in enumerate(joints):
        following = joints[place + 1][0] if place + 1 < len(joints) else 0
        lines += [f"{'JOINT' if place else 'ROOT'} J{place}", "{", f"OFFSET {place} 1.5 -2e-1"]
        lines.append(f"CHANNELS {len(channels.split())} {channels}")
        if following <= depth:
            lines += ["End Site", "{", "OFFSET 0 1 0", "}"] + ["}"] * (depth - following + 1)
    lines += ["MOTION", f"Frames: {len(rows)}", f"Frame Time: {frame_time}", *rows, ""]
    return end.join(lines).encode()


def seeds() -> list[bytes]:
    """Good files of many kinds, and some that are made to cost time or memory."""
    turns, places = "Zrotation Yrotation Xrotation", "Xposition Yposition Zposition"
    six = f"{places} {turns}"
    walker = [(0, six), (1, turns), (2, turns), (1, turns)]
    row = "0.5 90 -1.25 10 20 30 1 2 3 4 5 6 .5 5. 1e1"
    walk = bvh(walker, [row] * 4)
    zero_joints = [(0, "Zrotation"), *[(1, "")] * 60]
    return [
        walk,
        bvh(walker, [row] * 3, end="\r\n"),
        bvh(walker, [], frame_time=".0083333"),
        b"\xef\xbb\xbf" + walk.replace(b" ", b"\t"),
        walk.replace(b"J1", b"Bip01 L Thigh").replace(b"J2", "F\u00fc\u00dfe \u811a".encode()),
        bvh([(0, six), (1, six), (1, six)], [" ".join(["1.5"] * 18)] * 3),
        bvh([(0, "Xrotation Zposition Yrotation"), (1, "Yposition")], ["1 2 3 4", "5 6 7 8"]),
        bvh([(depth, "Zrotation") for depth in range(60)], [" ".join(["0"] * 60)] * 2),
        bvh([(0, turns)], ["1.23456789012345678901234567890e-5 -0.000000000000000001 123456789.123456789"] * 20),
        bvh([(0, "Zrotation")], ["0"] * 2000),
        bvh(zero_joints, ["0"] * 500),
        walk.replace(b"Frames: 4", b"Frames: 40000000"),
        b"HIERARCHY ROOT " + b"a " * 2000,
        b"",
    ]


def random_file(rng: random.Random) -> bytes:
    """A good file of any hierarchy, channels and numbers, now and then of megabytes."""
    joints: list[tuple[int, str]] = []
    counts = rng.choice(((0,), (1,), (3,), (6,), (0, 1, 3, 6)))  # of channels below the root
    for place in range(rng.choice((1, 1, 2, 2, 5, 5, 30, rng.randrange(1, rng.choice((300, 300, 1500, 11_000)))))):
        depth = rng.randrange(1, joints[-1][0] + 2) if place else 0
        joints.append((depth, " ".join(rng.sample(CHANNELS, rng.choice(counts) if place else 3))))
    width = sum(len(channels.split()) for _, channels in joints)
    numbers = rng.choice((["0"], ["0", "-1.5", "90.0000"], [odd_number(rng).decode() for _ in range(20)]))
    rows = [" ".join(rng.choices(numbers, k=width)) for _ in range(rng.choice((1, 3)))]
    size = rng.choice((300, 300, 300, 5_000, 5_000, 100_000, rng.choice((500_000, MOST_INPUT_BYTES))))
    rows *= max(1, rng.randrange(size) // (len(rows) * (len(rows[0]) + 1)))
    return bvh(joints, rows, end=rng.choice(("\n", "\n", "\r\n", " \n\n")))


def change_bytes(data: bytes, rng: random.Random) -> bytes:
    """One byte-level change."""
    place, length = rng.randrange(len(data) + 1), min(int(rng.expovariate(0.1)), 200)
    kind = rng.randrange(6)
    if kind == 0:
        return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
    if kind == 1:
        return data[:place] + rng.choice(ODD_BYTES) + data[place:]
    if kind == 2:
        return data[:place] + data[place + length :]
    if kind == 3:
        return data[:place] + data[place : place + length] * 2 + data[place + length :]
    if kind == 4:
        return data[:place]
    other = rng.randrange(len(data) + 1)
    return data[:place] + data[other : other + length] + data[place:]


def change_words(data: bytes, rng: random.Random) -> bytes:
    """One word replaced, put in, dropped or swapped with another."""
    words = list(re.finditer(rb"[^ \t\r\n]+", data[:50_000]))
    if not words:
        return rng.choice(WORDS).encode()
    one, other = rng.choice(words), rng.choice(words)
    new = rng.choice((rng.choice(WORDS).encode(), other.group(), odd_number(rng), b""))
    start, stop = one.span() if rng.random() < 0.7 else (one.start(), one.start())
    return data[:start] + new + (b" " if start == stop else b"") + data[stop:]


def odd_number(rng: random.Random) -> bytes:
    digits = "".join(rng.choice("0123456789") for _ in range(int(rng.expovariate(0.05)) + 1))
    point = rng.randrange(len(digits) + 1)
    power = rng.choice(("", f"e{rng.randrange(-400, 400)}", "E+5", "e"))
    return (rng.choice(("", "-", "+")) + digits[:point] + rng.choice(("", ".")) + digits[point:] + power).encode()


def change_structure(data: bytes, rng: random.Random) -> bytes:
    """Lines dropped, repeated or moved; the frame count set to the count of rows or to something else."""
    lines = data.split(b"\n", 2000)
    kind, place = rng.randrange(5), rng.randrange(len(lines))
    stop = place + 1 + min(int(rng.expovariate(0.3)), 30)
    if kind == 0:
        del lines[place:stop]
    elif kind == 1:
        lines[place:place] = lines[place:stop]
    elif kind == 2:
        block, lines[place:stop] = lines[place:stop], []
        lines[rng.randrange(len(lines) + 1) : 0] = block
    elif kind == 3:
        rows = data.rpartition(b"Frame Time")[2].strip().count(b"\n") + rng.choice((0, 0, 1, -1))
        return re.sub(rb"Frames:[^\n]*", b"Frames: %d" % rows, data, count=1)
    else:
        return re.sub(rb"Frames: *\d+", b"Frames: %d" % rng.choice((0, 1, 10**6, 10**9, 10**30)), data, count=1)
    return b"\n".join(lines)


def inflate(data: bytes, rng: random.Random) -> bytes:
    """A piece of the file over and over, up to megabytes: what costs too much shows only at size."""
    start = rng.randrange(len(data) + 1)
    piece = data[start : start + 1 + min(int(rng.expovariate(0.02)), 2000)] or b"0 "
    count = rng.randrange(1, max(2, rng.choice((20_000, 500_000, MOST_INPUT_BYTES)) // len(piece)))
    if rng.random() < 0.3:  # rows that are as many as Frames: says
        head, _, rows = data.partition(b"Frame Time: 0.01\n")
        row = rows.split(b"\n", 1)[0] + b"\n"
        count = min(count, MOST_INPUT_BYTES // len(row))
        return re.sub(rb"Frames: *\d+", b"Frames: %d" % count, head) + b"Frame Time: 0.01\n" + row * count
    return data[:start] + piece * count + data[start:]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """`data` after one to a few changes of any kind."""
    changes: tuple[Callable[[bytes, random.Random], bytes], ...] = (change_bytes, change_words, change_structure)
    for _ in range(min(1 + int(rng.expovariate(1.5)), 8)):
        data = rng.choice(changes)(data, rng)
    return (inflate(data, rng) if rng.random() < 0.01 else data)[:MOST_INPUT_BYTES]


def next_input(corpus: list[bytes], rng: random.Random) -> bytes:
    """Mostly a changed member of the corpus, sometimes a new file, changed or not."""
    if rng.random() < 0.95:
        smaller = min(rng.choices(corpus, k=3), key=len)  # more tries in the same time
        return mutated(smaller, rng)
    new = random_file(rng)
    return mutated(new, rng) if rng.random() < 0.5 else new


@dataclass
class Tally:
    """Counts and extremes so far."""

    tried: int = 0
    read: int = 0
    refusals: set[str] = field(default_factory=set)
    slowest: float = 0.0  # seconds
    largest_peak: int = 0  # bytes
    violations: int = 0


def unsound(motion: BvhMotion) -> str | None:
    """Return the fault of a motion that was read, None if it is sound."""
    joint_count, frame_count = len(motion.names), motion.frame_count
    shapes = (motion.offsets.shape, motion.parents.shape, motion.rotations.shape, len(motion.rotation_orders))
    if shapes != ((joint_count, 3), (joint_count,), (frame_count, joint_count, 4), joint_count):
        return f"shapes {shapes} for {joint_count} joints and {frame_count} frames"
    if len(set(motion.names)) != joint_count or not np.all(motion.parents < np.arange(joint_count)):
        return "names or parents out of order"
    if not all(np.isfinite(array).all() for array in (motion.offsets, motion.tip_offsets, motion.root_position)):
        return "lengths that are not finite"
    for start in range(0, frame_count, 1000):
        norms = np.sum(motion.rotations[start : start + 1000] ** 2, axis=-1)
        if not np.all(np.abs(norms - 1.0) < 1e-12):
            return "rotations that are not unit quaternions"
    return None


def unwritable(motion: BvhMotion) -> str | None:
    """Why a motion that was read does not come back from being written, None when it does."""
    skeleton = Skeleton(motion.names, motion.parents, motion.offsets, motion.tip_joints, motion.tip_offsets)
    again = read_bvh(format_bvh(skeleton, motion.root_position, motion.rotations, motion.frame_time))
    if again.names != motion.names or again.rotations.shape != motion.rotations.shape:
        return "another motion after writing and reading"
    dots = np.abs(np.sum(again.rotations * motion.rotations, axis=-1))
    return None if np.all(dots > 1.0 - 1e-9) else "other rotations after writing and reading"


def attempt(data: bytes, tally: Tally) -> tuple[str | None, str]:
    """Return the fault of the reader on `data`, None if there is none, and a word for the outcome."""
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    tally.tried += 1
    start = time.perf_counter()
    motion, ending = None, "read"
    try:
        motion = read_bvh(data)
    except BvhError as error:
        ending = kind_of(error)
    except BaseException as error:
        return f"{type(error).__name__}: {error}", "crash"
    seconds, peak = time.perf_counter() - start, tracemalloc.get_traced_memory()[1] - before
    if seconds > 0.5 * MOST_SECONDS:
        seconds = untraced_seconds(data)
    tally.read += motion is not None
    tally.slowest, tally.largest_peak = max(tally.slowest, seconds), max(tally.largest_peak, peak)
    if seconds > MOST_SECONDS:
        return f"took {seconds:.2f} s for {len(data)} bytes", ending
    if peak > MOST_BYTES_PER_BYTE * len(data) + MOST_BYTES_ALWAYS:
        return f"took {peak} bytes of memory for {len(data)} bytes", ending
    if motion is None:
        return None, ending
    try:
        return unsound(motion) or (unwritable(motion) if len(data) <= SMALL else None), ending
    except Exception as error:
        return f"read, but then {type(error).__name__}: {error}", ending


def kind_of(error: BvhError) -> str:
    """The error's message without what it quotes and counts."""
    parts = re.split("['\"]", error.reason)
    return re.sub("[0-9]+", "~", parts[0] + (parts[-1] if len(parts) > 1 else ""))


def untraced_seconds(data: bytes) -> float:
    """Return the seconds of reading alone: tracing memory makes it several times slower."""
    tracemalloc.stop()
    start = time.perf_counter()
    with contextlib.suppress(BvhError):
        read_bvh(data)
    seconds = time.perf_counter() - start
    tracemalloc.start()
    return seconds


def report(fault: str, data: bytes, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{sha256(data).hexdigest()[:16]}.bvh"
    path.write_bytes(data)
    print(f"{path}: {fault}", file=sys.stderr)


def search(seconds: float, rng: random.Random, folder: Path) -> Tally:
    """Tries inputs for so many seconds; those that end in a new way join the seeds."""
    corpus, tally, stop = seeds(), Tally(), time.monotonic() + seconds
    waiting = list(corpus)
    while time.monotonic() < stop:
        data = waiting.pop() if waiting else next_input(corpus, rng)
        signal.alarm(30)
        fault, ending = attempt(data, tally)
        signal.alarm(0)
        if fault:
            tally.violations += 1
            report(fault, data, folder)
        elif ending not in tally.refusals or (ending == "read" and rng.random() < 0.01):
            tally.refusals.add(ending)
            if len(data) <= SMALL and len(corpus) < 2000:
                corpus.append(data)
    return tally


def search_by_coverage(seconds: float, rng: random.Random, folder: Path) -> None:
    """Hands the search to atheris (libFuzzer); it ends the process, with a code other than 0 after a violation."""
    import atheris

    names = ("_bvh_text", "_bvh_header", "_bvh_positions", "bvh")
    for name in names:
        sys.modules.pop(f"motionfields.motion.formats.{name}", None)
    with atheris.instrument_imports(include=[f"motionfields.motion.formats.{name}" for name in names]):
        instrumented = importlib.import_module("motionfields.motion.formats.bvh")
    globals()["read_bvh"] = instrumented.read_bvh
    tally = Tally()

    def try_one(data: bytes) -> None:
        fault, _ = attempt(data, tally)
        if fault:
            report(fault, data, folder)
            raise RuntimeError(fault)

    def change(data: bytes, max_size: int, seed: int) -> bytes:
        return mutated(data, random.Random(seed))[:max_size]

    start_folder = folder / "corpus"
    start_folder.mkdir(parents=True, exist_ok=True)
    for place, data in enumerate(seeds()):
        (start_folder / f"seed_{place}").write_bytes(data)
    flags = [f"-max_total_time={seconds:.0f}", "-max_len=200000", "-timeout=30", "-rss_limit_mb=0"]
    flags += [f"-seed={rng.randrange(2**31)}", f"-artifact_prefix={folder}/", str(start_folder)]
    atheris.Setup([sys.argv[0], *flags], try_one, custom_mutator=change)
    atheris.Fuzz()


def out_of_time(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("no answer within 30 s")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=20.0)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--save", type=Path, default=FAILURES, help="folder for bad inputs")
    arguments.add_argument("--atheris", action="store_true", help="let atheris lead (pip install atheris)")
    options = arguments.parse_args()
    read_bvh(seeds()[0])  # compiles the kernels, which is not the input's fault
    tracemalloc.start()
    rng = random.Random(options.seed)
    if options.atheris:
        search_by_coverage(options.seconds, rng, options.save)
    signal.signal(signal.SIGALRM, out_of_time)
    tally = search(options.seconds, rng, options.save)
    print(
        f"fuzz_bvh: {tally.tried} inputs, {tally.read} read, the others refused in {len(tally.refusals)} ways; slowest "
        f"{tally.slowest:.2f} s, largest peak {tally.largest_peak / 1e6:.1f} MB, {tally.violations} violations"
    )
    return 1 if tally.violations else 0


if __name__ == "__main__":
    sys.exit(main())
