"""`motionfields doctor`: report versions, hardware and missing extras."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import motionfields
from motionfields.base.compiled import numba_is_installed
from motionfields.base.wording import counted

if TYPE_CHECKING:
    from motionfields.base.kernel_cache import CacheState

EXTRAS = {
    "train": "reading motion files, building and training",
    "studio": "training, and pushes in the studio",
    "plots": "pictures and plots",
    "physics": "pushes and thrown balls",
    "rl": "reinforcement learning environments",
    "fbx": "reading FBX files",
    "usd": "writing USD files",
    "learn": "labels learnt from a few",
    "storage": "fields and controllers on object storage",
    "cluster": "training on a Ray cluster",
    "faiss": "approximate neighbour search in very large databases",
}
"""Purpose of each extra; extras for work on the package itself are left out."""


def doctor() -> None:
    """Report versions, hardware and missing extras."""
    for title, value in [*_software(), *_computer(), *_studio()]:
        print(f"{title:<16}{value}")
    print("\nextras")
    for name, purpose in EXTRAS.items():
        print(f"  {name:<14}{_extra(name, purpose)}")


def _software() -> Iterator[tuple[str, str]]:
    import platform

    yield "motionfields", f"{motionfields.__version__}, in {Path(motionfields.__file__).parent}"
    yield "Python", f"{platform.python_version()}, {sys.executable}"
    yield "packages", ", ".join(f"{name} {metadata.version(name)}" for name in _packages())


def _computer() -> Iterator[tuple[str, str]]:
    import platform

    yield "system", f"{platform.system()} {platform.release()}, {platform.machine()}"
    yield "CPU", f"{_cpu_name()}{counted(os.cpu_count() or 1, 'core')}"
    if numba_is_installed():
        import numba

        count = numba.get_num_threads()
        yield "threads", f"{count} for crowds, search and training; set NUMBA_NUM_THREADS to change it"
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()):
        yield "memory", f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 1024**3:.1f} GiB"
    if numba_is_installed():
        from motionfields.base.kernel_cache import cache_state

        yield "compiled loops", _kept_loops(cache_state())


def _cpu_name() -> str:
    """Return the name of the processor and a comma; nothing without numba, which knows it."""
    if not numba_is_installed():
        return ""
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()}, "


def _kept_loops(state: CacheState) -> str:
    """Describe the kernel cache: its folder and size, and what to do if it is damaged or cannot be written to."""
    size = f"{counted(state.entries, 'kernel')}, {state.size / 1e6:.1f} MB, in {state.folder}"
    if state.damaged:
        names = ", ".join(path.name for path in state.damaged[:3]) + (", ..." if len(state.damaged) > 3 else "")
        damaged = counted(len(state.damaged), "damaged file")
        return f"warning: {damaged} in addition to {size}; delete to recompile: {names}"
    if not state.writable:
        return (
            f"warning: {state.folder} cannot be written to ({size}); every process compiles missing kernels again, "
            "up to a minute in all; set NUMBA_CACHE_DIR to a writable folder with free space"
        )
    if not state.entries:
        return f"none yet; the first run compiles them; cache folder {state.folder}"
    return f"{size}; {state.outdated} of earlier code, removed automatically" if state.outdated else size


def _studio() -> Iterator[tuple[str, str]]:
    import webbrowser

    from motionfields.base.storage import cache_folder

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        yield "browser", "warning: none found; open the address that demo and play print in a browser on this machine"
    else:
        yield "browser", str(getattr(browser, "name", "") or type(browser).__name__)
    yield "cache folder", f"{cache_folder()}; set MOTIONFIELDS_CACHE to change it"


def _extra(name: str, purpose: str) -> str:
    """Return the installed packages of the extra `name`, or the command that installs it."""
    found = {}
    for package in _packages(name):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            return f'not installed: {purpose}; pip install "motionfields[{name}]"'
    return f"{purpose}: " + ", ".join(f"{package} {version}" for package, version in found.items())


def _packages(extra: str | None = None) -> list[str]:
    """Return the packages that motionfields requires, or those of `extra`, including extras that it refers to."""
    names: list[str] = []
    for line in metadata.requires("motionfields") or []:
        requirement, _, marker = line.partition(";")
        wanted = re.search(r"extra == ['\"](\w+)['\"]", marker)
        if (wanted[1] if wanted else None) != extra:
            continue
        name = re.match(r"[\w.-]+", requirement)
        inner = re.search(r"\[([\w,]+)\]", requirement)
        if name and name[0] == "motionfields" and inner:
            names += [package for one in inner[1].split(",") for package in _packages(one)]
        elif name:
            names.append(name[0])
    return names
