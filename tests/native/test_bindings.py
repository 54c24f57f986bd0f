"""The bindings of the C runtime display its bits and convert axes and units: C++, C# and the package for web pages."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from scripts.bindings import BINDINGS, RUNTIME, MissingToolError, digest_program

from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Lane, Navigation
from motionfields.export import pack_bytes
from tests.native.crowds import controller

COUNT, FRAMES = 5, 60
TSC = RUNTIME.parent / "studio" / "web" / "node_modules" / ".bin" / "tsc"


def made(program: Callable[[Path], list[str]], folder: Path) -> list[str]:
    """Return the command of `program`; a skip where this machine cannot compile it."""
    try:
        return program(folder)
    except MissingToolError as missing:
        pytest.skip(str(missing))


def printed(command: list[str], pack: Path) -> str:
    """Return the digest that `command` prints for `pack`."""
    call = [*command, str(pack), str(COUNT), str(FRAMES)]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="session")
def packs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A compact pack with points, headings and speeds, and an exact one with facings and gaits."""
    folder = tmp_path_factory.mktemp("packs")
    lane, navigation = folder / "lane.mfpack", folder / "navigation.mfpack"
    lane.write_bytes(pack_bytes(controller(Lane(), Warp())))
    navigation.write_bytes(pack_bytes(controller(Navigation(gait_count=2), None), exact=True))
    return [lane, navigation]


@pytest.fixture(scope="session")
def digests(packs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The digests of the packs in C, without a binding."""
    command = made(digest_program, tmp_path_factory.mktemp("digest"))
    return [printed(command, pack) for pack in packs]


@pytest.fixture(scope="session", params=BINDINGS)
def binding(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of a program that uses a binding."""
    return made(BINDINGS[request.param], tmp_path_factory.mktemp(request.param))


def test_a_binding_converts_axes_and_displays_the_bits_of_the_library(
    binding: list[str], packs: list[Path], digests: list[str]
) -> None:
    assert [printed(binding, pack) for pack in packs] == digests
    assert len(set(digests)) == 2


def test_a_binding_says_what_is_wrong_with_a_pack(binding: list[str], tmp_path: Path) -> None:
    other = tmp_path / "other.mfpack"
    other.write_bytes(b"nothing")
    done = subprocess.run([*binding, str(other)], capture_output=True, text=True)
    assert done.returncode != 0
    assert "not a motionfields pack" in done.stderr


def test_the_types_of_the_package_for_web_pages_are_up_to_date(tmp_path: Path) -> None:
    if not TSC.exists():
        pytest.skip("TypeScript is not installed: run scripts/build_studio")
    folder = RUNTIME / "web"
    subprocess.run([TSC, "-p", folder, "--outDir", tmp_path], check=True)
    assert (tmp_path / "motionfields.d.ts").read_text() == (folder / "motionfields.d.ts").read_text()


@pytest.mark.parametrize("name", ["unity", "unreal", "godot", "web"])
def test_a_binding_is_short_enough_to_read_before_vendoring_it(name: str) -> None:
    endings = {".cs", ".h", ".cpp", ".js", ".c"}
    files = [path for path in (RUNTIME / name).iterdir() if path.suffix in endings and path.stem != "Check"]
    assert 0 < sum(len(path.read_text().splitlines()) for path in files) <= 300
