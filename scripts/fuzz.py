"""Throw mutated files and odd arguments at the package; exit 1 if a promise of SECURITY.md breaks.

    python scripts/fuzz.py artifacts --seconds 60 [--seed 0] [--count N]
    python scripts/fuzz.py motion --seconds 60
    python scripts/fuzz.py calls --seconds 60
    python scripts/fuzz.py fbx --seconds 60

`artifacts` changes saved fields, controllers of every method and files of work folders, and repairs their checksums.
`motion` changes BVH, glTF, zip, command files, catalogues and contact labels. `calls` passes odd arguments to public
functions and methods. `fbx` changes FBX files: those that `tests/motion/formats/fbxs.py` writes, and those in a folder
seeds inside --folder, such as files of `scripts/make_fbx.py`. Everything runs in a child process, so that a signal is
seen; a new child continues after one.

A case must succeed or raise one of our errors (for calls: ValueError or TypeError too), within 2 s of processor time
and 64 MB plus 10 times the size of its input, and must not return numbers that are not finite. A call has 20 s and may
raise MemoryError, since it may ask for a million characters. Cases that break this are saved to the folder that the
last line names. The seed and the number of a case reproduce it: --seed S --first N --count 1.

Long searches continue over several runs: --log FILE adds the counts of every 1,000 cases to a file, and a run with the
same kind, seed and file starts after the last of them. --total FILE prints the sums of such a file.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

REPO = Path(__file__).resolve().parents[1]
KINDS = ("artifacts", "motion", "calls", "fbx")
MOST_SECONDS = 2.0  # of processor time
HANG_SECONDS = 120  # of real time; ends the child
MOST_BYTES_PER_BYTE, MOST_BYTES_ALWAYS = 10, 64 << 20
MOST_SECONDS_OF_A_CALL = 20.0
MOST_BYTES_OF_A_CALL = 8 << 30
CASES_PER_LINE = 1000  # of the log
MOST_CHILDREN = 40  # children that may die before the search gives up


class Case(NamedTuple):
    """One case: its name, the bytes it is made of, a function that runs it, and the errors it may raise."""

    name: str
    data: bytes
    run: Callable[[], str | None]  # returns the reason why its outcome is wrong; None if it is right
    allowed: tuple[type[BaseException], ...]


class Slow(BaseException):
    """A case takes too long."""


def main() -> None:
    options = parsed()
    sys.path[:0] = [str(REPO)]
    if options.total:
        print_totals(Path(options.total))
    elif options.child:
        run_child(options)
    else:
        sys.exit(1 if search(options) else 0)


def search(options: argparse.Namespace) -> int:
    """Run children until time or cases run out; return the number of broken promises."""
    folder = Path(options.folder or tempfile.mkdtemp(prefix="fuzz-"))
    folder.mkdir(exist_ok=True)
    log = None if options.log is None else Path(options.log)
    first = options.first if log is None else max([options.first, *logged_ends(log, options.kind, options.seed)])
    end, last, total = time.time() + options.seconds, first + options.count, Counter[str]()
    for _ in range(MOST_CHILDREN):
        left = end - time.time()
        if left <= 0 or first >= last:
            break
        command = [sys.executable, __file__, options.kind, "--child", "--folder", str(folder)]
        command += ["--seed", str(options.seed), "--first", str(first), "--seconds", str(left)]
        command += ["--count", str(last - first)]
        environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
            assert child.stdout is not None
            for line in child.stdout:
                word, _, rest = line.strip().partition(" ")
                if word == "COUNTS":
                    counts = Counter({name: int(number) for name, number in (part.split("=") for part in rest.split())})
                    first += counts["tried"]
                    total += counts
                    add_to_log(log, options, first, counts)
                elif word == "BAD":
                    print(f"BROKEN {rest}", flush=True)
        if child.returncode == 0:
            break
        if child.returncode > 0:
            sys.exit("the fuzzer itself failed, see above")
        current = (folder / "current").read_bytes()
        number = int(current.split(b" ", 1)[0])
        counts = Counter({"tried": number + 1 - first, "signals": 1, "broken": 1})
        first, total = number + 1, total + counts
        add_to_log(log, options, first, counts)
        (folder / f"signal-{number}").write_bytes(current)
        print(f"BROKEN {number}: the process ended with {-child.returncode}, {current[:60]!r}", flush=True)
    shown = ", ".join(f"{name} {number}" for name, number in sorted(total.items()) if name != "broken")
    print(f"{options.kind}, seed {options.seed}: {shown}, broken promises {total['broken']}, in {folder}")
    return total["broken"]


def add_to_log(log: Path | None, options: argparse.Namespace, end: int, counts: Counter[str]) -> None:
    """Add the `counts` of the cases before `end` to the file `log`."""
    if log is not None:
        with log.open("a") as file:
            print(json.dumps({"kind": options.kind, "seed": options.seed, "end": end, **counts}), file=file)


def logged_ends(log: Path, kind: str, seed: int) -> list[int]:
    """Return the number after the last case of each line of `log` about this `kind` and `seed`."""
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return [line["end"] for line in lines if (line["kind"], line["seed"]) == (kind, seed)]


def print_totals(log: Path) -> None:
    """Print the sums of the counts in `log` by kind and seed."""
    sums: dict[tuple[str, int], Counter[str]] = {}
    for text in log.read_text().splitlines():
        line = json.loads(text)
        del line["end"]
        sums.setdefault((line.pop("kind"), line.pop("seed")), Counter()).update(line)
    for (kind, seed), counts in sorted(sums.items()):
        print(f"{kind}, seed {seed}: " + ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items())))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS, nargs="?", default=KINDS[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--count", type=int, default=10**9, help="cases at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--folder", help="where to save cases that break a promise")
    parser.add_argument("--log", help="file for counts; a run continues where the last one with this file ended")
    parser.add_argument("--total", help="print the sums of a log, and run nothing")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def run_child(options: argparse.Namespace) -> None:
    """Run cases until the time is over; print what breaks a promise, and counts at the end and now and then."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, _too_slow)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder = Path(options.folder)
    make: Callable[[Random], Case] = import_module(f"scripts.fuzzers.{options.kind}").cases(folder)
    for number in range(40):  # compile and load everything before limits hold
        with contextlib.suppress(Exception):
            make(Random(f"warm {number}")).run()
    gc.collect()
    gc.freeze()  # what is loaded now stays; a collection need not look at it again
    began, counts = time.time(), Counter[str]()
    for number in range(options.first, options.first + options.count):
        if time.time() - began > options.seconds:
            break
        case = make(Random(f"{options.seed} {number}"))
        (folder / "current").write_bytes(f"{number} {case.name} ".encode() + case.data)
        outcome, reason = tried(case)
        counts["tried"] += 1
        counts[outcome] += 1
        counts["broken"] += reason is not None
        if reason is not None:
            (folder / f"broken-{number}").write_bytes(case.data)
            print(f"BAD {number}: {case.name}: {reason}", flush=True)
        if counts["tried"] == CASES_PER_LINE:
            report(counts)
    report(counts)
    os._exit(0)  # without the destructors of whatever a case left behind


def report(counts: Counter[str]) -> None:
    """Print `counts` for the parent process, and start again from 0."""
    print("COUNTS", *(f"{name}={count}" for name, count in counts.items()), flush=True)
    counts.clear()


def tried(case: Case) -> tuple[str, str | None]:
    """Return how `case` ended, and the promise that it broke, if any."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    # A call may ask for a million characters; a file may not take more than its size allows.
    most = used + (MOST_BYTES_ALWAYS + MOST_BYTES_PER_BYTE * len(case.data) if case.data else MOST_BYTES_OF_A_CALL)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS if case.data else MOST_SECONDS_OF_A_CALL)
    signal.alarm(HANG_SECONDS)
    try:
        wrong = case.run()
        return "succeeded", wrong
    except case.allowed:
        return "refused", None
    except Slow:
        return "slow", "too much processor time"
    except MemoryError as error:
        return "large", f"too much memory: {str(error)[:100]}" if case.data else None
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = " ".join(str(error).split())[:120]
        return "other", f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {text}"
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _too_slow(number: int, frame: Any) -> None:
    raise Slow


if __name__ == "__main__":
    main()
