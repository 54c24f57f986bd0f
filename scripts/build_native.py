"""Compile the C runtime for this package: the library that crowds use, in `src/motionfields/runtime/library`.

    python scripts/build_native.py

`hatch_build.py` calls this when a wheel is built; call it yourself after a change in `runtime/c` or `runtime/python`.
If MOTIONFIELDS_PLATFORM is one of `TARGETS`, the library is compiled for that platform, with ziglang. Only the standard
library is used.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "runtime" / "python" / "python.c"
TARGETS = {  # tag of a wheel -> target of zig
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
    "win_arm64": "aarch64-windows-gnu",
}
PLATFORM = os.environ.get("MOTIONFIELDS_PLATFORM")
SYSTEMS = {"linux": "linux", "macos": "darwin", "windows": "win32"}  # in targets of zig -> sys.platform
SYSTEM = next(SYSTEMS[name] for name in SYSTEMS if name in TARGETS[PLATFORM]) if PLATFORM else sys.platform
NAMES = {"win32": "motionfields.dll", "darwin": "libmotionfields.dylib"}
LIBRARY = ROOT / "src" / "motionfields" / "runtime" / "library" / NAMES.get(SYSTEM, "libmotionfields.so")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")


def compilers() -> dict[str, list[str]]:
    """Return the C compilers of this machine by name; `zig` is clang with its own libraries, from PyPI."""
    found = {name: [path] for name in ("gcc", "clang") if (path := shutil.which(name))}
    if find_spec("ziglang") is not None:
        found["zig"] = [sys.executable, "-m", "ziglang", "cc"]
    elif path := shutil.which("zig"):
        found["zig"] = [path, "cc"]
    return found


def chosen_compiler() -> list[str] | None:
    """Return the command of the C compiler: zig for a given platform, otherwise the one that CC names, or the first."""
    if PLATFORM:
        zig = compilers().get("zig")
        return [*zig, "-target", TARGETS[PLATFORM]] if zig else None
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    return next(iter(compilers().values()), None)


def build_library(output: Path = LIBRARY) -> Path | None:
    """Compile the library to `output` and return that path; None, with the reason on stderr, if that fails."""
    compiler = chosen_compiler()
    if compiler is None:
        print("no C compiler: the package will use numba alone", file=sys.stderr)
        return None
    # No fused multiply-add: the bits must be those of numba's loops.
    options = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fvisibility=hidden"]
    options += [] if SYSTEM == "win32" else ["-fPIC"]
    output.parent.mkdir(exist_ok=True)
    made = output.with_name(f"{output.name}.{os.getpid()}")
    command = [*compiler, *options, str(SOURCE), "-o", str(made), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{' '.join(command)}\n{done.stderr}\nthe package will use numba alone", file=sys.stderr)
        made.unlink(missing_ok=True)
        return None
    made.replace(output)  # whole, for processes that load it meanwhile
    return output


if __name__ == "__main__":
    if build_library() is None:
        sys.exit(1)
    print(f"{LIBRARY}: {LIBRARY.stat().st_size} bytes")
