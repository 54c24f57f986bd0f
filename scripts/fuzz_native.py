"""Open damaged packs with the C runtime under sanitizers, and run two threads on one pack.

    python scripts/fuzz_native.py --seconds 60

Needs gcc or clang with the sanitizers for addresses, undefined behaviour and threads. Exits with 1 at a finding.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.build_native import STRICT, compilers
from scripts.native import SOURCE, arbitrary_controller, build

from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Lane, Navigation, Task
from motionfields.control.transitions import ControlSettings
from motionfields.export import pack_bytes
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

SANITIZERS = "-fsanitize=address,undefined,float-cast-overflow"
FLAGS = ("-O2", "-g", "-fno-sanitize-recover=all", "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")


def tiny_packs(folder: Path) -> list[Path]:
    """Write packs of a few dozen states, exact and compact, of tasks with one, three and four axes."""
    walk = generate_samples(only=["turn_left_090_quick"])[0].clip
    part = replace(walk, root_position=walk.root_position[60:96], rotations=walk.rotations[60:96])
    database = MotionDatabase.build([part])
    field = MotionField(database.with_column("gait", np.arange(database.state_count) % 3 - 1))
    settings, paths = ControlSettings(neighbor_count=3, candidate_factor=1), []
    tasks: list[tuple[Task, Warp | None]] = [(Direction(), Warp()), (Lane(top=1.0), None), (Navigation(top=1.0), None)]
    for task, warp in tasks:
        controller = arbitrary_controller(field, task, warp=warp, settings=settings)
        for exact in (True, False):
            path = folder / f"{type(task).__name__.lower()}-{'exact' if exact else 'compact'}.mfpack"
            path.write_bytes(pack_bytes(controller, exact=exact))
            paths.append(path)
    return paths


def run(command: list[str]) -> bool:
    """Run `command`, print its last lines, and return whether it ended well."""
    done = subprocess.run(command, capture_output=True, text=True)
    print(f"{Path(command[1]).name}: {done.stdout.strip()}{done.stderr[-3000:]}", flush=True)
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="time for damaged packs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, help="most packs of each kind")
    options = parser.parse_args()
    found = {name: command for name, command in compilers().items() if name in ("gcc", "clang")}
    if not found:
        print("no compiler with sanitizers: install gcc or clang")
        return 1
    compiler, fine = next(iter(found.values())), True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packs = tiny_packs(folder)
        fuzzer = folder / "fuzz"
        source = str(SOURCE / "tools" / "fuzz.c")
        subprocess.run([*compiler, *STRICT, *FLAGS, SANITIZERS, source, "-o", str(fuzzer), "-lm"], check=True)
        for pack in packs:
            seconds = str(max(1, round(options.seconds / len(packs))))
            most = [] if options.cases is None else [str(options.cases)]
            fine &= run([str(fuzzer), str(pack), str(options.seed), seconds, *most])
        threads = folder / "threads"
        flags = ["-O1", "-g", "-fsanitize=thread", "-pthread"]
        build(threads, compiler=compiler, options=flags, program=SOURCE / "tools" / "threads.c")
        fine &= run([str(threads), str(packs[0]), "200"])
    print("no findings" if fine else "findings, see above")
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
