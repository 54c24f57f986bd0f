"""Compare the C runtime with the Python crowd over long runs: bits for every task, and digests of every compiler.

    python scripts/prove_native.py            1,000 frames x 64 characters for every task, with and without a warp
    python scripts/prove_native.py --quick    the same with 60 frames x 16 characters

Controllers are trained on generated walking and turns. The library is compiled with the system's mathematical
functions for the comparison with Python, and with its own for the digests: of every compiler, and of the bindings for
C++, C# and web pages. WebAssembly needs ziglang and node, C# needs mcs and mono. With ziglang, other processors and
Windows are tried where qemu-user and wine are installed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.bindings import BINDINGS, MissingToolError
from scripts.build_native import compilers
from scripts.native import SOURCE, NativeCrowd, build, load, random_commands

from motionfields.base.native import without_library
from motionfields.control.controller import FieldController
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Lane, Line, Navigation, Velocity
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.export import pack_bytes
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = ("walk_forward", "walk_stop", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_135_quick")
WASI = ("-O2", "-target", "wasm32-wasi", "-D_WASI_EMULATED_PROCESS_CLOCKS", "-lwasi-emulated-process-clocks")
OPTIONS = (("-O0",), ("-O2",), ("-O3", "-march=native"))
EMULATORS = {  # targets of zig, and the program that runs them on Linux x86-64
    "x86_64-linux-musl": "",
    "aarch64-linux-musl": "qemu-aarch64",
    "arm-linux-musleabihf": "qemu-arm",
    "riscv64-linux-musl": "qemu-riscv64",
    "x86_64-windows-gnu": "wine",
}
WASI_RUNNER = """
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
const [program, folder, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['digest', ...args], preopens: { '/packs': folder } });
const module = await WebAssembly.compile(await readFile(program));
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
"""


def equal_frames(library: Any, controller: FieldController, frame_count: int, count: int) -> int:
    """Return the number of frames in which the characters in C display the bits of the crowd in Python."""
    with without_library():
        crowd = controller.crowd(count, seed=3)
    joints = controller.field.database.skeleton.joint_count
    native = NativeCrowd(library, pack_bytes(controller, exact=True), count, joint_count=joints)
    native.start(crowd.followers.state)
    equal = 0
    for commands in random_commands(controller.task, frame_count, count):
        shown = crowd.step(commands)
        native.step(commands)
        same = np.array_equal(native.root, shown.root_position) and np.array_equal(native.rotations, shown.rotations)
        equal += same and [one.state for one in native.look()] == shown.states.tolist()
    return equal


def run_digest(command: list[str], pack: str, frame_count: int, count: int) -> tuple[str, str]:
    """Return the digest and the time that a build of `runtime/c/tools/digest.c` prints."""
    done = subprocess.run([*command, pack, str(count), str(frame_count)], capture_output=True, text=True, check=True)
    return done.stdout.strip(), (done.stderr.strip().splitlines() or ["no time"])[-1]


def digests(folder: Path, pack: Path, frame_count: int, count: int) -> set[str]:
    """Print and return the digests of all compilers and options of this machine, of WebAssembly and of bindings."""
    found, program = set(), SOURCE / "tools" / "digest.c"
    for name, compiler in compilers().items():
        for options in OPTIONS:
            output = build(folder / f"{name}{options[0]}", compiler=compiler, options=options, program=program)
            digest, time = run_digest([str(output)], str(pack), frame_count, count)
            print(f"  {digest}  {name} {' '.join(options)}: {time}", flush=True)
            found.add(digest)
        for target, emulator in EMULATORS.items() if name == "zig" else ():
            if emulator and not shutil.which(emulator):
                continue
            flags = ["-O2", "-target", target, *(["-static"] if "musl" in target else [])]
            output = build(folder / f"digest-{target}.exe", compiler=compiler, options=flags, program=program)
            command = [emulator, str(output)] if emulator else [str(output)]
            digest, time = run_digest(command, str(pack), frame_count, count)
            print(f"  {digest}  {target}{' by ' if emulator else ''}{emulator}: {time}", flush=True)
            found.add(digest)
        if name == "zig" and (node := shutil.which("node")):
            output = build(folder / "digest.wasm", compiler=compiler, options=WASI, program=program)
            runner = folder / "run.mjs"
            runner.write_text(WASI_RUNNER)
            command = [node, "--no-warnings", str(runner), str(output), str(pack.parent)]
            digest, time = run_digest(command, f"/packs/{pack.name}", frame_count, count)
            print(f"  {digest}  wasm in node: {time}", flush=True)
            found.add(digest)
    for name, compiled in BINDINGS.items():
        try:
            digest, time = run_digest(compiled(folder), str(pack), frame_count, count)
        except MissingToolError as missing:
            print(f"  {'':16}  binding {name}: {missing}")
            continue
        print(f"  {digest}  binding {name}: {time}", flush=True)
        found.add(digest)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="60 frames of 16 characters")
    frame_count, count = (60, 16) if parser.parse_args().quick else (1000, 64)
    if not (found := compilers()):
        print("no C compiler: install gcc or clang, or ziglang from PyPI")
        return 1
    samples = [sample.clip for sample in generate_samples(only=CLIPS)]
    field = MotionField(MotionDatabase.build(samples))
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = ["-O2", "-DMF_SYSTEM_MATH"]
        library = load(build(folder / "twin.so", compiler=next(iter(found.values())), options=options))
        for task in (Direction(), Line(), Velocity(), Lane(), Navigation()):
            for warp in (None, Warp()):
                controller = train(field, task, warp=warp, settings=ControlSettings(neighbor_count=20), tolerance=0.1)
                equal = equal_frames(library, controller, frame_count, count)
                failed |= equal != frame_count
                label = f"{type(task).__name__.lower()}{'' if warp is None else ' with warp'}"
                print(f"{label}: {equal} of {frame_count} frames of {count} characters are bit-identical", flush=True)
                if isinstance(task, Direction):
                    for exact in (True, False):
                        pack = folder / f"{'exact' if exact else 'compact'}.mfpack"
                        pack.write_bytes(pack_bytes(controller, exact=exact))
                        print(f" {label}, {pack.stem}: {pack.stat().st_size} bytes")
                        failed |= len(digests(folder, pack, frame_count, count)) != 1
    print("differences found" if failed else "all bits agree")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
