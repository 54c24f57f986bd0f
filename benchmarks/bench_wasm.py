"""Processor time of a frame in WebAssembly, in node, beside that of the C library, measured in turns.

    python benchmarks/bench_wasm.py            9 turns of 100 characters and 600 frames
    python benchmarks/bench_wasm.py --quick    3 turns

The character is the one of the demo, as a compact pack; the module is the one of exported pages. Needs node and a C
compiler; with several, each is measured, and the bound is that of the first. A turn is a fresh process of each; the
first tenth of the frames in node, while the module is compiled, does not count. The digests must agree.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.bindings import web_program
from scripts.build_native import compilers
from scripts.native import SOURCE, build, demo_pack
from scripts.prove_native import run_digest

from common import Bounds, make_parser

COUNT, FRAMES = 100, 600
MOST = 1.4  # times the time of the C library


def main() -> int:
    quick = make_parser(__doc__, quick="3 turns").parse_args().quick
    bounds = Bounds()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pack, program = demo_pack(folder), SOURCE / "tools" / "digest.c"
        commands = {
            label: [str(build(folder / label, compiler=compiler, program=program))]
            for label, compiler in compilers().items()
        }
        commands["wasm"] = web_program(folder)
        times: dict[str, list[float]] = {label: [] for label in commands}
        for _ in range(3 if quick else 9):
            found = {label: run_digest(command, str(pack), FRAMES, COUNT) for label, command in commands.items()}
            bounds.require(len({digest for digest, _ in found.values()}) == 1, f"the digests differ: {found}")
            for label, (_, said) in found.items():
                times[label].append(float(said.split()[0]))
    first = next(iter(times))
    for label, taken in times.items():
        ratio = statistics.median(web / native for web, native in zip(times["wasm"], taken, strict=True))
        compared = "" if label == "wasm" else f"; WebAssembly takes {ratio:.2f} times as long"
        print(f"{label}: {statistics.median(taken):.1f} us per character and frame{compared}")
        if label == first:
            bounds.require(ratio <= MOST, f"WebAssembly takes {ratio:.2f} times as long as {label}, more than {MOST}")
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
