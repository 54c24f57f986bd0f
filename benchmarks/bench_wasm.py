"""Processor time of a frame in WebAssembly, in node, beside that of the C library, measured in turns.

    python benchmarks/bench_wasm.py            9 turns of 100 characters and 600 frames
    python benchmarks/bench_wasm.py --quick    3 turns

The character is the one of the demo, as a compact pack; the module is the one of exported pages. Needs a C compiler and
node. A turn is a fresh process of each, so that WebAssembly pays for its compilation. The digests must agree.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.bindings import digest_program, web_program
from scripts.native import demo_pack
from scripts.prove_native import run_digest

from common import Bounds, make_parser

COUNT, FRAMES = 100, 600
MOST = 1.4  # times the time of the C library


def main() -> int:
    quick = make_parser(__doc__, quick="3 turns").parse_args().quick
    bounds, times = Bounds(), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pack, commands = demo_pack(folder), (digest_program(folder), web_program(folder))
        for turn in range(3 if quick else 9):
            (plain, native), (other, web) = (run_digest(command, str(pack), FRAMES, COUNT) for command in commands)
            times.append((float(native.split()[0]), float(web.split()[0])))
            bounds.require(plain == other, f"turn {turn}: the digests {plain} and {other} differ")
    native_time, web_time = (statistics.median(part) for part in zip(*times, strict=True))
    ratio = statistics.median(web / native for native, web in times)
    print(f"us per character and frame: C library {native_time:.1f}, WebAssembly in node {web_time:.1f}")
    print(f"WebAssembly takes {ratio:.2f} times as long (median of {len(times)} turns)")
    bounds.require(ratio <= MOST, f"WebAssembly takes {ratio:.2f} times as long, more than {MOST}")
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
