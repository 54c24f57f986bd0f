"""Artifact files under attack: killed saves, random damage, forged headers, and the cost of a large file.

The default is a short version. MOTIONFIELDS_LONG=1 runs the long one (minutes): 60 kills, 1,000 damaged files, every
bit of a small file, 20,000 forged headers, and a file of 1 GB.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.artifacts.layout import HEADER_START, LENGTH_BYTES
from motionfields.base.errors import ArtifactError
from motionfields.base.files import DRAFT_NAME
from tests.base.test_artifacts import Arrays, assert_refused_before_seen, header_of, load, save, signed
from tests.conftest import LONG, REPO

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and sends SIGKILL")]

MOST_OPEN_SECONDS = 0.05
MOST_OPEN_BYTES = 4_000_000
MOST_SAVE_BYTES = 16_000_000  # beyond the arrays themselves
MOST_REFUSE_SECONDS = 2.0
MOST_REFUSE_BYTES = 16_000_000
KILLED_BYTES = 48_000_000  # size of the file whose save is killed
FORGED = [b"", b"0", b"-1", b"9" * 40, b"1e999", b"NaN", b'"', b"\\", b"{", b"}", b"[" * 2000, b"]", b",", b":"]
FORGED += [b"null", b"true", b'"a":', b"\\u0000", b"\\ud800", b"F16", b"BOOL", b"\0", b"  ", b"64", b"\xff"]
FORGED += [b"18446744073709551615"]


@pytest.fixture
def chance() -> random.Random:
    return random.Random(0)


def process(call: str) -> subprocess.Popen[str]:
    """Start a Python process that calls a function of this module."""
    code = f"from tests.base.test_artifact_attacks import *; {call}"
    return subprocess.Popen([sys.executable, "-c", code], cwd=REPO, stdout=subprocess.PIPE, text=True)


def figures_of(call: str) -> dict[str, float]:
    """Return the figures that a function of this module returns in a new process."""
    with process(f"print(json.dumps({call}))") as running:
        output, _ = running.communicate()
    assert running.returncode == 0
    return dict(json.loads(output))


def numbered_arrays(number: int, size: int) -> Arrays:
    """Return arrays of about `size` bytes, in which every value is the number of the save."""
    return {
        "poses": np.full((size // 64, 8), number, np.float32),
        "root": np.full((size // 64, 4), number, np.float64),
    }


def save_repeatedly(path: str) -> None:
    """Save other values to `path` again and again; print the number of each save as it starts."""
    first: Any = load(Path(path)).facts["number"]
    for number in range(first + 1, first + 1000):
        arrays = numbered_arrays(number, KILLED_BYTES)
        print(number, flush=True)
        save(Path(path), arrays, facts={"number": number})


def drafts(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if DRAFT_NAME.fullmatch(name)]


def test_a_killed_save_leaves_the_old_file_or_the_new_one(tmp_path: Path, chance: random.Random) -> None:
    path = tmp_path / "killed.field"
    start = time.perf_counter()
    save(path, numbered_arrays(0, KILLED_BYTES), facts={"number": 0})
    save_seconds = time.perf_counter() - start
    for _ in range(60 if LONG else 6):
        with process(f"save_repeatedly({str(path)!r})") as writer:
            assert writer.stdout is not None
            begun = [int(writer.stdout.readline()) for _ in range(2)][-1]
            time.sleep(chance.uniform(0.0, 1.2 * save_seconds))
            os.kill(writer.pid, signal.SIGKILL)
        artifact = load(path, verify=True)
        number: Any = artifact.facts["number"]
        assert number >= begun - 1
        assert all((array == number).all() for array in artifact.arrays.values())
    save(path, numbered_arrays(0, 1000), facts={"number": 0})
    assert drafts(tmp_path) == []


def damaged(content: bytes, data_start: int, chance: random.Random) -> bytes:
    """Return `content` cut short, or with a bit flipped in the header or, twice as likely, in the data."""
    kind = chance.randrange(4)
    if kind == 0:
        return content[: chance.randrange(len(content))]
    place = chance.randrange(data_start) if kind == 1 else chance.randrange(data_start, len(content))
    return content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :]


def test_cuts_and_flipped_bits_of_a_large_file_are_refused(tmp_path: Path, chance: random.Random) -> None:
    numbers = np.random.default_rng(0)
    poses = numbers.normal(size=(150_000, 3)).astype(np.float32)
    arrays: Arrays = {"poses": poses, "root": numbers.normal(size=(999, 3))}
    path = save(tmp_path / "damaged.field", arrays, facts={"k": 15})
    content = path.read_bytes()
    data_start = len(content) - sum(array.nbytes for array in arrays.values())
    for _ in range(1000 if LONG else 100):
        path.write_bytes(damaged(content, data_start, chance))
        assert_refused_before_seen(path, arrays)


@pytest.mark.skipif(not LONG, reason="minutes: set MOTIONFIELDS_LONG=1; test_artifacts.py flips a bit of every byte")
def test_every_flipped_bit_of_a_small_file_is_refused(tmp_path: Path) -> None:
    arrays: Arrays = {"a": np.arange(5, dtype=np.float32), "b": np.array([True, False, True])}
    path = save(tmp_path / "small.field", arrays, facts={"k": 1})
    content = path.read_bytes()
    for bit in range(8 * len(content)):
        place = bit // 8
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit % 8]) + content[place + 1 :])
        assert_refused_before_seen(path, arrays)


def test_forged_headers_cost_little_and_raise_nothing_else(tmp_path: Path, chance: random.Random) -> None:
    arrays: Arrays = {"a": np.arange(16.0), "b": np.arange(24, dtype=np.int32).reshape(2, 3, 4), "c": np.zeros(9, bool)}
    path = save(tmp_path / "forged.field", arrays, facts={"k": 15})
    honest, content = header_of(path), path.read_bytes()
    data = content[LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "little") :]
    refused, slowest = 0, 0.0
    tracemalloc.start()
    for _ in range(20_000 if LONG else 1000):
        header = honest
        for _ in range(chance.randint(1, 3)):
            start = chance.randrange(len(HEADER_START) + 64, len(header))
            header = header[:start] + chance.choice(FORGED) + header[start + chance.choice((0, 1, 1, 2, 5, 20)) :]
        path.write_bytes(signed(header) + data[: len(data) - chance.choice((0, 0, 0, 1, 100))])
        begin = time.process_time()
        try:
            load(path, verify=True)
        except ArtifactError:
            refused += 1
        slowest = max(slowest, time.process_time() - begin)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused > 500
    assert slowest < MOST_REFUSE_SECONDS
    assert peak < MOST_REFUSE_BYTES


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def save_large(path: str, size: int) -> dict[str, float]:
    """Return the extra memory of saving `size` bytes of arrays that are views of one small block."""
    block = np.random.default_rng(0).normal(size=(1024, 256)).astype(np.float32)
    arrays: Arrays = {"many": np.broadcast_to(block, (size // block.nbytes, 1024, 256)), "few": np.ones((1000, 3))}
    before = resident_bytes()
    save(Path(path), arrays)
    peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) * 1024
    return {"growth": peak - before}


def drop_from_memory(path: Path) -> None:
    """Ask the system to drop the pages of the file that it keeps in memory."""
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(handle)


def open_large(path: str, rounds: int, cold: bool) -> dict[str, float]:
    """Return seconds of opening `path`, median and worst, and the extra memory with one small array in use."""
    large = Path(path)
    load(save(large.with_name("warm-up.field"), {"a": np.zeros(3)}), verify=True)
    seconds, before = [], resident_bytes()
    for _ in range(rounds):
        if cold:
            drop_from_memory(large)
        start = time.perf_counter()
        artifact = load(large)
        seconds.append(time.perf_counter() - start)
    _ = artifact.array("few", shape=(1000, 3))
    return {"median": statistics.median(seconds), "worst": max(seconds), "growth": resident_bytes() - before}


def test_a_large_file_is_saved_and_opened_at_the_cost_of_its_header(tmp_path: Path) -> None:
    path = str(tmp_path / "large.field")
    size, rounds = (1_000_000_000, 20) if LONG else (100_000_000, 5)
    assert figures_of(f"save_large({path!r}, {size})")["growth"] < MOST_SAVE_BYTES
    for cold in (True, False):
        opened = figures_of(f"open_large({path!r}, {rounds}, {cold})")
        assert opened["growth"] < MOST_OPEN_BYTES
        assert opened["worst" if LONG else "median"] < MOST_OPEN_SECONDS
