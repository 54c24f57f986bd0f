"""Shows what artifact files promise, by breaking them: kills, damage, hostile files, and a file of 1 GB.

    python scripts/prove_artifacts.py [--quick] [--seed 0] [--folder FOLDER]

Exits 1 if a promise breaks. A save that is killed (60 times, SIGKILL at a random moment) leaves the old file or the new
one whole, and the next save clears up after it. Of 1,000 truncations and bit flips, and of every bit and length of a
small file, each is refused before a wrong value can be seen. Files with lying headers are refused with ArtifactError.
A pickle never runs. A file of 1 GB opens in 50 ms and 4 MB, whether the system has it in memory or not. FOLDER should
be on a disk; it is the system's folder for temporary files unless given. Needs a POSIX system.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionfields.base.artifacts import Artifact, read_artifact, write_artifact
from motionfields.base.artifacts.layout import HEADER_START, LENGTH_BYTES, header_digest
from motionfields.base.errors import ArtifactError
from motionfields.base.files import DRAFT_NAME

Arrays = dict[str, NDArray[Any]]
MOST_OPEN_SECONDS = 0.05
MOST_OPEN_BYTES = 4_000_000
MOST_SAVE_BYTES = 16_000_000  # what saving 1 GB may take beyond the arrays
MOST_REFUSE_SECONDS = 2.0
MOST_REFUSE_BYTES = 16_000_000
KILLED_BYTES = 48_000_000  # the size of the file that is saved when killed


def load(path: Path) -> Artifact:
    return read_artifact(path, kind="field", newest_version=1)


def save(path: Path, arrays: Arrays, **facts: int) -> None:
    write_artifact(path, kind="field", version=1, arrays=arrays, facts=facts)


def report(name: str, right: bool, figures: str) -> bool:
    print(f"{'ok  ' if right else 'FAIL'}  {name}: {figures}", flush=True)
    return right


def numbered_arrays(number: int, size: int) -> Arrays:
    """Arrays of about `size` bytes in which every value tells which save it belongs to."""
    return {
        "poses": np.full((size // 64, 8), number, np.float32),
        "root": np.full((size // 64, 4), number, np.float64),
    }


def save_without_end(path: Path) -> None:
    """Saves to `path` again and again, each time other values, saying on stdout when each save starts."""
    first = int(load(path).facts["number"])  # type: ignore[arg-type]
    for number in range(first + 1, first + 1000):
        arrays = numbered_arrays(number, KILLED_BYTES)
        print(number, flush=True)
        save(path, arrays, number=number)


def kill_a_save(path: Path, *, save_seconds: float, rng: random.Random) -> int:
    """Kills a process somewhere in its second save, or just after; the number of that save."""
    command = [sys.executable, __file__, "--save-without-end", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        number = [int(writer.stdout.readline()) for _ in range(2)][-1]
        time.sleep(rng.uniform(0.0, 1.2 * save_seconds))
        os.kill(writer.pid, signal.SIGKILL)
    return number


def prove_kills(folder: Path, *, kills: int, rng: random.Random) -> bool:
    path = folder / "killed.field"
    start = time.perf_counter()
    save(path, numbered_arrays(0, KILLED_BYTES), number=0)
    save_seconds = time.perf_counter() - start
    whole = old = drafts = most_drafts = 0
    for _ in range(kills):
        begun = kill_a_save(path, save_seconds=save_seconds, rng=rng)
        left = [name for name in os.listdir(folder) if DRAFT_NAME.fullmatch(name)]
        drafts, most_drafts = drafts + bool(left), max(most_drafts, len(left))
        artifact = load(path)
        artifact.verify()
        number = artifact.facts["number"]
        whole += all((array == number).all() for array in artifact.arrays.values())
        old += number == begun - 1
    save(path, numbered_arrays(0, 1000), number=0)
    left = [name for name in os.listdir(folder) if DRAFT_NAME.fullmatch(name)]
    figures = (
        f"{whole} of {kills} whole ({old} the old one; {drafts} kills left a draft, {most_drafts} at most at once)"
    )
    return report(
        "kills while saving", whole == kills and not left, f"{figures}; drafts after the next save: {len(left)}"
    )


def seen_wrong(path: Path, whole: Arrays) -> tuple[bool, bool]:
    """Whether anything in a damaged file is refused, and whether a wrong value can be seen in it."""
    refused = wrong = False
    try:
        artifact = load(path)
    except ArtifactError:
        return True, False
    for name, array in whole.items():
        try:
            wrong |= artifact.array(name).tobytes() != array.tobytes()
        except ArtifactError:
            refused = True
    return refused, wrong


def damage(content: bytes, *, data_start: int, rng: random.Random) -> bytes:
    """A cut, or a bit flipped in the header or the data, each as likely."""
    kind = rng.randrange(4)
    if kind == 0:
        return content[: rng.randrange(len(content))]
    place = rng.randrange(data_start) if kind == 1 else rng.randrange(data_start, len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def prove_damage(folder: Path, *, rounds: int, rng: random.Random) -> bool:
    numbers = np.random.default_rng(rng.randrange(2**32))
    arrays: Arrays = {
        "poses": numbers.normal(size=(150_000, 3)).astype(np.float32),
        "root": numbers.normal(size=(999, 3)),
    }
    path = folder / "damaged.field"
    save(path, arrays, k=15)
    content = path.read_bytes()
    results = []
    for _ in range(rounds):
        path.write_bytes(damage(content, data_start=len(content) - 1_800_000 - 999 * 24, rng=rng))
        results.append(seen_wrong(path, arrays))
    refused, wrong = (sum(column) for column in zip(*results, strict=True))
    figures = f"{refused} of {rounds} refused, {wrong} with a wrong value to be seen"
    return report(f"truncations and bit flips of {len(content)} bytes", (refused, wrong) == (rounds, 0), figures)


def prove_all_bits(folder: Path, *, step: int) -> bool:
    """Every bit, or every `step`th, and every length of a small file."""
    arrays = {"a": np.arange(5, dtype=np.float32), "b": np.array([True, False, True])}
    path = folder / "small.field"
    save(path, arrays, k=1)
    content = path.read_bytes()
    cases = [content[:length] for length in range(len(content))] + [content + b"\0", content + b"\xff" * 100]
    for bit in range(0, 8 * len(content), step):
        place = bit // 8
        cases.append(content[:place] + bytes([content[place] ^ 1 << bit % 8]) + content[place + 1 :])
    results = []
    for case in cases:
        path.write_bytes(case)
        results.append(seen_wrong(path, arrays))
    refused, wrong = (sum(column) for column in zip(*results, strict=True))
    figures = f"{refused} of {len(cases)} refused, {wrong} with a wrong value to be seen"
    return report(f"bits and lengths of {len(content)} bytes", (refused, wrong) == (len(cases), 0), figures)


def signed(header: bytes) -> bytes:
    """The start of a file with this header, its checksum made right, as somebody who means harm would."""
    header += b" " * (-(LENGTH_BYTES + len(header)) % 64)
    rest = header[len(HEADER_START) + 64 :]
    digest = header_digest(HEADER_START + b"0" * 64 + rest).encode()
    return len(header).to_bytes(LENGTH_BYTES, "little") + HEADER_START + digest + rest


PARTS = [b"", b"0", b"-1", b"9" * 40, b"1e999", b"NaN", b'"', b"\\", b"{", b"}", b"[" * 2000, b"]", b",", b":", b"\xff"]
PARTS += [
    b"null",
    b"true",
    b'"a":',
    b"\\u0000",
    b"\\ud800",
    b"F16",
    b"BOOL",
    b"\0",
    b"  ",
    b"64",
    b"18446744073709551615",
]


def prove_lies(folder: Path, *, rounds: int, rng: random.Random) -> bool:
    path = folder / "lying.field"
    save(
        path, {"a": np.arange(16.0), "b": np.arange(24, dtype=np.int32).reshape(2, 3, 4), "c": np.zeros(9, bool)}, k=15
    )
    content = path.read_bytes()
    end = LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "little")
    refused = read = 0
    slowest, other = 0.0, ""
    tracemalloc.start()
    for _ in range(rounds):
        header = content[LENGTH_BYTES:end].rstrip()
        for _ in range(rng.randint(1, 3)):
            start = rng.randrange(len(HEADER_START) + 64, len(header))
            header = header[:start] + rng.choice(PARTS) + header[start + rng.choice((0, 1, 1, 2, 5, 20)) :]
        path.write_bytes(signed(header) + content[end : len(content) - rng.choice((0, 0, 0, 1, 100))])
        begin = time.process_time()
        try:
            load(path).verify()
            read += 1
        except ArtifactError:
            refused += 1
        except Exception as error:  # whatever else comes is what this looks for
            other = other or repr(error)
        slowest = max(slowest, time.process_time() - begin)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    figures = f"{refused} refused, {read} read, {rounds - refused - read} other errors {other}"
    right = refused + read == rounds and slowest < MOST_REFUSE_SECONDS and peak < MOST_REFUSE_BYTES
    return report("headers that lie", right, f"{figures}; slowest {1e3 * slowest:.1f} ms, at most {peak / 1e6:.1f} MB")


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str]]:
        return open, (str(self.path), "w")


def prove_pickles(folder: Path) -> bool:
    mark, path = folder / "went off", folder / "pickle.field"
    refused = 0
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        bomb = pickle.dumps(Bomb(mark), protocol)
        path.write_bytes(bomb)
        try:
            load(path)
        except ArtifactError:
            refused += 1
        held = {"bomb": np.frombuffer(bomb, np.uint8)}
        save(path, held)
        load(path).verify()
    never = not mark.exists()
    pickle.loads(bomb).close()  # or the bomb was a dud and shows nothing
    right = never and mark.exists() and refused == pickle.HIGHEST_PROTOCOL + 1
    return report("pickles", right, f"{refused} refused, {'none' if never else 'SOME'} run")


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def peak_resident_bytes() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def forget(path: Path) -> None:
    """Asks the system to drop what it keeps of the file in memory."""
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(handle)


def open_large(path: Path, *, rounds: int, cold: bool) -> dict[str, float]:
    """Times and memory of opening `path`, the first time in this process and then again, and of using it."""
    warm_up = path.with_name("warm-up.field")
    save(warm_up, {"a": np.zeros(3)})
    load(warm_up).verify()
    seconds, before = [], resident_bytes()
    for _ in range(rounds):
        if cold:
            forget(path)
        start = time.perf_counter()
        artifact = load(path)
        seconds.append(time.perf_counter() - start)
    growth = resident_bytes() - before
    _ = artifact.array("few", shape=(1000, 3))
    few_growth = resident_bytes() - before
    start = time.perf_counter()
    artifact.verify()
    return {
        "median": statistics.median(seconds),
        "worst": max(seconds),
        "growth": growth,
        "few_growth": few_growth,
        "verify": time.perf_counter() - start,
    }


def save_large(path: Path, size: int) -> dict[str, float]:
    """What saving `size` bytes takes, of arrays that themselves take next to none: one block seen many times over."""
    block = np.random.default_rng(0).normal(size=(1024, 256)).astype(np.float32)
    arrays: Arrays = {"many": np.broadcast_to(block, (size // block.nbytes, 1024, 256)), "few": np.ones((1000, 3))}
    before, start = resident_bytes(), time.perf_counter()
    save(path, arrays)
    return {"seconds": time.perf_counter() - start, "growth": peak_resident_bytes() - before}


def in_new_process(work: str, path: Path, *options: str) -> dict[str, float]:
    command = [sys.executable, __file__, work, str(path), *options]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(run.stdout))


def prove_large(folder: Path, *, size: int, rounds: int) -> bool:
    path = folder / "large.field"
    saved = in_new_process("--save-large", path, "--size", str(size))
    figures = f"{saved['seconds']:.2f} s, {saved['growth'] / 1e6:.1f} MB more memory at most"
    right = report(f"saving {path.stat().st_size / 1e9:.2f} GB", saved["growth"] < MOST_SAVE_BYTES, figures)
    for name, options in (("cold", ["--cold"]), ("warm", [])):
        opened = in_new_process("--open-large", path, "--rounds", str(rounds), *options)
        quick = opened["worst"] < MOST_OPEN_SECONDS and opened["few_growth"] < MOST_OPEN_BYTES
        times = f"median {1e3 * opened['median']:.2f} ms, worst {1e3 * opened['worst']:.2f} ms of {rounds}"
        memory = f"{opened['growth'] / 1e6:.2f} MB, {opened['few_growth'] / 1e6:.2f} MB with a small array in use"
        right &= report(f"opening it {name}", quick, f"{times}; {memory}; checking all of it {opened['verify']:.2f} s")
    path.unlink()
    return right


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer kills, flips and files, and 0.1 GB, for CI")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=None)
    for work in ("--save-without-end", "--save-large", "--open-large"):
        parser.add_argument(work, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--cold", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.save_without_end:
        save_without_end(options.save_without_end)
        return 0
    if options.save_large:
        print(json.dumps(save_large(options.save_large, options.size)))
        return 0
    if options.open_large:
        print(json.dumps(open_large(options.open_large, rounds=options.rounds, cold=options.cold)))
        return 0
    rng, quick = random.Random(options.seed), options.quick
    with tempfile.TemporaryDirectory(prefix="prove_artifacts_", dir=options.folder) as name:
        folder = Path(name)
        results = [
            prove_kills(folder, kills=6 if quick else 60, rng=rng),
            prove_damage(folder, rounds=100 if quick else 1000, rng=rng),
            prove_all_bits(folder, step=7 if quick else 1),
            prove_lies(folder, rounds=1000 if quick else 20_000, rng=rng),
            prove_pickles(folder),
            prove_large(folder, size=100_000_000 if quick else 1_000_000_000, rounds=5 if quick else 20),
        ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
