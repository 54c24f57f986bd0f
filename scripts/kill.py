"""Kill builds, training and downloads at random points, resume them, and compare every byte; exit 1 on a difference.

    python scripts/kill.py [--kills 200] [--seed 0] [--only build|train|fetch] [--quick]

Each job runs in a child process that is ended by SIGKILL: half of the time at a random file operation in its folder
(open, rename, remove, map ...), half of the time after a random part of its duration. A killed job is started again,
and at times killed again, up to three times. The last start runs to its end. It must leave the same files with the same
bytes as a job that was never killed, and nothing else.

`build` streams two clips through shards to a field, `train` makes a controller with a work folder and a checkpoint
after every sweep, `fetch` downloads three files from a server on this machine. --quick stops after 9 kills.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

REPO = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPO)]
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

from scripts.fuzzers.small import small_clips  # noqa: E402 - found by the line above
from tests.motion.test_datasets import entry, facts, serving  # noqa: E402

from motionfields.control.tasks import Direction  # noqa: E402
from motionfields.control.training import train  # noqa: E402
from motionfields.control.training.work import TransitionParts  # noqa: E402
from motionfields.control.transitions import ControlSettings  # noqa: E402
from motionfields.field import MotionField  # noqa: E402
from motionfields.field.database import shards  # noqa: E402
from motionfields.field.database.building import BuildSettings  # noqa: E402
from motionfields.field.database.streaming import streamed_database  # noqa: E402
from motionfields.field.database.survey import Recipe  # noqa: E402
from motionfields.motion.datasets import fetch  # noqa: E402
from motionfields.motion.formats import save_clip  # noqa: E402

WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "mmap.__new__")
MOST_KILLS_OF_A_JOB = 3
SHARD_STATES = 60  # so that two clips and their mirror images need more than one shard
PART_STATES = 40  # of a file of transitions
FILE_SIZES = (400_000, 1000, 150_000)  # bytes, of the files to download
Job = Callable[[Path], None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("build", "train", "fetch"))
    parser.add_argument("--quick", action="store_true", help="9 kills")
    options = parser.parse_args()
    wanted = 9 if options.quick else options.kills
    chance = Random(options.seed)
    with tempfile.TemporaryDirectory() as name, server() as url:
        top = Path(name)
        jobs = prepared_jobs(top, url)
        names = [options.only] if options.only else list(jobs)
        # Training starts from the field of the first build.
        whole = {one: measured(jobs[one], top / f"{one}-whole") for one in dict.fromkeys(["build", *names])}
        kills, same, wrong = Counter[str](), Counter[str](), 0
        number = 0
        while sum(kills.values()) < wanted:
            one = names[number % len(names)]
            folder = top / f"{one}-{number}"
            number += 1
            killed = resumed(jobs[one], folder, whole[one], chance)
            kills[one] += killed
            if contents(folder) == whole[one].files:
                same[one] += killed
            else:
                wrong += 1
                print(f"DIFFERENT: {one} number {number}, {sorted(contents(folder))}", flush=True)
            shutil.rmtree(folder)
    shown = ", ".join(f"{one} {same[one]} of {kills[one]}" for one in names)
    print(f"kills that resume to the same bytes: {sum(same.values())} of {sum(kills.values())} ({shown})")
    sys.exit(1 if wrong else 0)


class Whole:
    """A job that was never killed: the files it leaves, its seconds and its watched file operations."""

    def __init__(self, files: dict[str, str], seconds: float, operations: int) -> None:
        self.files, self.seconds, self.operations = files, seconds, operations


def prepared_jobs(top: Path, url: str) -> dict[str, Job]:
    """Return the jobs by name; what they start from is in the folder `top`."""
    clips = top / "clips"
    clips.mkdir()
    for clip in small_clips():
        save_clip(clip, clips / f"{clip.name}.bvh")
    catalogue = top / "sets.json"
    catalogue.write_text(json.dumps(facts(url, *(entry(f"{n}.bvh", file_bytes(n)) for n in range(len(FILE_SIZES))))))

    def build(folder: Path) -> None:
        shards.SHARD_STATES = SHARD_STATES
        with streamed_database([clips], folder / "shards", Recipe(BuildSettings())) as streamed:
            MotionField(streamed.database, neighbor_count=5).save(folder / "a.field")

    def training(folder: Path) -> None:
        training_module: Any = import_module("motionfields.control.training.train")
        training_module.TransitionParts = partial(TransitionParts, size=PART_STATES)
        field = MotionField.load(top / "build-whole" / "a.field")
        settings = ControlSettings(neighbor_count=4, candidate_factor=2)
        made = train(field, Direction(), settings=settings, tolerance=0.3, work=folder / "work", checkpoint_sweeps=1)
        made.save(folder / "a.controller")

    def download(folder: Path) -> None:
        fetch("takes", folder / "takes", catalogue=catalogue)

    return {"build": build, "train": training, "fetch": download}


def file_bytes(number: int) -> bytes:
    return Random(number).randbytes(FILE_SIZES[number])


@contextlib.contextmanager
def server() -> Any:
    """Serve the files to download in a child process, for use inside a `with` block; the value is its URL."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        with serving() as home:
            home.content = {f"/{number}.bvh": file_bytes(number) for number in range(len(FILE_SIZES))}
            os.write(write, home.url.encode() + b"\n")
            signal.pause()
    try:
        with os.fdopen(read) as pipe:
            yield pipe.readline().strip()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def measured(job: Job, folder: Path) -> Whole:
    """Run `job` to its end, twice: the first time it may compile."""
    for _ in range(2):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        read, write = os.pipe()
        child = started(job, folder, last=None, told=write)
        os.close(write)
        with os.fdopen(read) as pipe:
            text = pipe.read()
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit("a job fails although nobody kills it, see above")
    operations, seconds = text.split()
    return Whole(contents(folder), float(seconds), int(operations))


def resumed(job: Job, folder: Path, whole: Whole, chance: Random) -> int:
    """Start, kill and resume `job` until it ends; return how often it was killed."""
    folder.mkdir()
    killed = 0
    for _ in range(chance.randint(1, MOST_KILLS_OF_A_JOB)):
        at_operation = chance.random() < 0.5
        child = started(job, folder, last=chance.randrange(whole.operations) if at_operation else None)
        if not at_operation:
            time.sleep(chance.uniform(0.0, whole.seconds))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        killed += os.WIFSIGNALED(status)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            sys.exit("a resumed job fails, see above")
    _, status = os.waitpid(started(job, folder, last=None), 0)
    if status:
        sys.exit("a resumed job fails, see above")
    return killed


def started(job: Job, folder: Path, *, last: int | None, told: int | None = None) -> int:
    """Start `job` in a child that kills itself at watched operation `last`; return its process number.

    At its end the child writes its number of operations and its seconds to the pipe `told`.
    """
    child = os.fork()
    if child:
        return child
    try:
        warnings.simplefilter("ignore")
        count, began = 0, time.perf_counter()

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal count
            if event in WATCHED and (event == "mmap.__new__" or str(folder) in str(arguments[0])):
                if count == last:
                    os.kill(os.getpid(), signal.SIGKILL)
                count += 1

        sys.addaudithook(watch)
        job(folder)
        if told is not None:
            os.write(told, f"{count} {time.perf_counter() - began}".encode())
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)


def contents(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file in `folder` by path, and the empty folders."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in folder.rglob("*")
    }


if __name__ == "__main__":
    main()
