"""Build the sdist, and from it the wheels of all platforms, with the C runtime cross-compiled by zig from PyPI.

    python scripts/build_wheels.py [--outdir FOLDER] [PLATFORM ...]

Needs the package `build`. Only the wheel of this machine's platform can be tested here.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.build_native import ROOT, TARGETS

MAGIC = {"linux": b"\x7fELF", "macos": b"\xcf\xfa\xed\xfe", "windows": b"MZ"}  # in targets -> first bytes of a library


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"default: {', '.join(TARGETS)}")
    parser.add_argument("--outdir", type=Path, default=ROOT / "dist", help="folder for the wheels")
    options = parser.parse_args()
    unknown = set(options.platforms) - set(TARGETS)
    if unknown:
        parser.error(f"expected {', '.join(TARGETS)}, got {', '.join(sorted(unknown))}")
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", str(options.outdir), str(ROOT)], check=True)
    (source,) = options.outdir.glob("motionfields-*.tar.gz")
    for platform in options.platforms or TARGETS:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-cache-dir"]
        environment = {**os.environ, "MOTIONFIELDS_PLATFORM": platform}
        subprocess.run([*command, "-w", str(options.outdir), str(source)], env=environment, check=True)
        (wheel,) = options.outdir.glob(f"motionfields-*-py3-none-{platform}.whl")
        print(
            f"{wheel.name}: {wheel.stat().st_size} bytes, library of {check_library(wheel, platform)} bytes", flush=True
        )


def check_library(wheel: Path, platform: str) -> int:
    """Return the size in bytes of the library in `wheel`; exits if it is missing or for another system."""
    with zipfile.ZipFile(wheel) as content:
        (name,) = (name for name in content.namelist() if "/runtime/library/" in name)
        library = content.read(name)
    if not any(system in TARGETS[platform] and library.startswith(mark) for system, mark in MAGIC.items()):
        sys.exit(f"{wheel.name}: {name} is for another system")
    return len(library)


if __name__ == "__main__":
    main()
