"""Programs that use the C runtime through its bindings, for tests and proofs.

Each is called with a pack, a number of characters and a number of frames. It checks conversions of axes and units
against numbers known in both, and prints the digest of `runtime/c/tools/digest.c`.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from scripts.build_native import STRICT, compilers
from scripts.native import SOURCE, build

RUNTIME = SOURCE.parent
MODULE = RUNTIME.parent / "src" / "motionfields" / "export" / "page" / "motionfields.wasm"


class MissingToolError(Exception):
    """A compiler or interpreter that this machine does not have."""


def _tool(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise MissingToolError(f"{' or '.join(names)} is not installed")
    return found


def _c_compiler() -> list[str]:
    found = next(iter(compilers().values()), None)
    if found is None:
        raise MissingToolError("no C compiler: install gcc or clang, or ziglang from PyPI")
    return found


def digest_program(folder: Path) -> list[str]:
    """Compile the digest in C, without a binding, and return the command that runs it."""
    return [str(build(folder / "digest", compiler=_c_compiler(), program=SOURCE / "tools" / "digest.c"))]


def cpp_program(folder: Path) -> list[str]:
    """Compile the check of the C++ header, which Unreal uses too, and return the command that runs it."""
    compiler, library, program = _tool("g++", "clang++"), folder / "motionfields.o", folder / "check"
    compile_c = [*_c_compiler(), "-std=c99", "-O2", "-c", str(SOURCE / "motionfields.c"), "-o", str(library)]
    subprocess.run(compile_c, check=True)
    flags = [flag for flag in STRICT if not flag.startswith("-std")]
    files = ["-I", str(SOURCE), str(RUNTIME / "cpp" / "check.cpp"), str(library)]
    subprocess.run([compiler, "-std=c++17", *flags, *files, "-o", str(program), "-lm"], check=True)
    return [str(program)]


def unity_program(folder: Path) -> list[str]:
    """Compile the check of the C# binding with mcs, and return the command that runs it under mono."""
    compiler, mono, program = _tool("mcs"), _tool("mono"), folder / "check.exe"
    build(folder / "libmotionfields.so", compiler=_c_compiler())
    files = [str(RUNTIME / "unity" / name) for name in ("Motionfields.cs", "Check.cs")]
    subprocess.run([compiler, "-warn:4", "-warnaserror", f"-out:{program}", *files], check=True)
    return [mono, str(program)]  # mono looks for libraries in the folder of the program too


def web_program(folder: Path) -> list[str]:
    """Return the command that runs the check of the package for web pages in node, with the module that ships."""
    return [_tool("node"), str(RUNTIME / "web" / "check.mjs"), str(MODULE)]


BINDINGS: dict[str, Callable[[Path], list[str]]] = {"cpp": cpp_program, "unity": unity_program, "web": web_program}
