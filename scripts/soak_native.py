"""Step 100,000,000 characters times frames in the C runtime and check every number of every pose.

    python scripts/soak_native.py               1,000 characters, 100,000 frames: about half an hour
    python scripts/soak_native.py --frames 500  fewer frames

The character is the one of the demo, as a compact pack. Exits with 1 at a number that is not finite, a rotation that is
not a unit quaternion, or memory that grows.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.build_native import compilers
from scripts.native import SOURCE, build, demo_pack

MOST_GROWTH = 16  # KiB of memory, from the first hundredth of the frames to the last


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--characters", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=100_000)
    options = parser.parse_args()
    if not (found := compilers()):
        print("no C compiler: install gcc or clang, or ziglang from PyPI")
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pack = demo_pack(folder)
        program = build(folder / "soak", compiler=next(iter(found.values())), program=SOURCE / "tools" / "soak.c")
        command = [str(program), str(pack), str(options.characters), str(options.frames)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
            lines = []
            for line in run.stdout or ():
                print(line, end="", flush=True)
                lines.append(line)
    memory = [int(kib) for line in lines for kib in re.findall(r"(\d+) KiB", line)]
    growth = memory[-1] - memory[0] if memory else 0
    print(f"memory grew by {growth} KiB")
    return int(run.returncode != 0 or growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
