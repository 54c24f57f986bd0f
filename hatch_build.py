"""Build hook: compile the C runtime into the wheel, where there is a C compiler; otherwise the wheel is pure Python."""

from __future__ import annotations

import platform
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "scripts"))

from build_native import LIBRARY, PLATFORM, build_library, chosen_compiler

# Machines for which PyPI has ziglang, a C compiler in a wheel.
WITH_ZIG = {"x86_64", "amd64", "arm64", "aarch64"}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the library before a wheel or an editable installation is made."""

    def dependencies(self) -> list[str]:
        """Return the C compiler from PyPI if this machine has none."""
        return ["ziglang"] if chosen_compiler() is None and platform.machine().lower() in WITH_ZIG else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the library, and tag the wheel with this platform; the library serves every version of Python."""
        if self.target_name != "wheel":
            return
        if build_library() is None:
            LIBRARY.unlink(missing_ok=True)  # an older one must not end up in the wheel
            return
        machine = PLATFORM or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data |= {"pure_python": False, "tag": f"py3-none-{machine}"}
        build_data["artifacts"].append(LIBRARY.relative_to(self.root).as_posix())
