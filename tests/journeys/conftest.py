"""The first hour of four new users: the built wheel in fresh environments, and what they type.

Run on their own, since they take minutes and measure time: `scripts/prove_journeys`, or what of it CI runs by
`pytest -m journey -s`. A wheel that was built before is named in MOTIONFIELDS_WHEEL; otherwise one is built.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

REPO = Path(__file__).resolve().parents[2]
EVERYTHING = os.environ.get("MOTIONFIELDS_JOURNEYS") == "all"  # or what CI has the time for


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.journey)


def pythons() -> list[str]:
    """The Pythons of this computer that the package is for: this one, and newer ones by name or kept by pyenv."""
    found = {sys.version_info[:2]: sys.executable}
    kept = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"))
    named = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    for path in [*map(str, kept), *filter(None, named)]:
        asked = subprocess.run(
            [path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False
        )
        version = tuple(map(int, asked.stdout.split()))
        if asked.returncode == 0 and version >= (3, 11):
            found.setdefault(version, path)  # type: ignore[arg-type]
    return [found[version] for version in sorted(found)]


def oldest_and_newest() -> list[str]:
    found = pythons()
    return found if len(found) < 3 else [found[0], found[-1]]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that users install, made from the sdist."""
    if given := os.environ.get("MOTIONFIELDS_WHEEL"):
        return Path(given).resolve()
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--outdir", folder, REPO], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


class Journey:
    """A user in a folder of their own, with a fresh environment, who types one command after the other.

    Nothing of this computer's is found: not its caches, and not the source tree.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.commands = folder / "environment" / "bin"
        self.steps = 0
        self.began = time.perf_counter()
        self.environment = {"PATH": f"{self.commands}:/usr/bin:/bin", "HOME": str(folder)}

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """One thing that the user does, with its time on the screen."""
        began = time.perf_counter()
        yield
        self.steps += 1
        print(f"  {time.perf_counter() - began:6.1f} s  {title}", flush=True)

    def install(self, wheel: Path, extras: str = "", *, python: str = sys.executable) -> None:
        """A fresh environment of `python` with the wheel in it."""
        with self.step(f"pip install motionfields{extras}"):
            subprocess.run([python, "-m", "venv", self.folder / "environment"], check=True)
            subprocess.run([self.commands / "pip", "install", "--quiet", f"{wheel}{extras}"], check=True)
        self.began = time.perf_counter()  # what downloads take is not ours

    def type(self, line: str) -> str:
        """Return the output of a command that must succeed."""
        with self.step(line):
            return self.run(*line.split())

    def run(self, *words: str) -> str:
        """Return the output of a command that must succeed, without counting it as a step."""
        done = self._finished(*words)
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def refused(self, line: str) -> str:
        """Return the message of a command that must fail."""
        done = self._finished(*line.split())
        assert done.returncode == 1, f"{line}\n{done.stdout}\n{done.stderr}"
        return done.stderr

    def _finished(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.commands / words[0], *words[1:]],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    @contextmanager
    def studio(self, line: str) -> Iterator[ClientConnection]:
        """A page of the studio that the command `line` opens, talked to as the browser does."""
        first, *rest = line.split()
        process = subprocess.Popen(
            [self.commands / first, *rest, "--port", "0", "--no-browser"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            url = re.search(r"http(://\S+)", process.stdout.readline())
            assert url is not None
            with connect(f"ws{url[1]}ws", max_size=None, ping_interval=None) as page:
                yield page
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=300.0)
        finally:
            process.kill()
            process.communicate()

    def minutes(self, result: str) -> float:
        """Minutes since the installation, which are printed with the steps that it took to a `result`."""
        minutes = (time.perf_counter() - self.began) / 60.0
        print(f"{self.name}: {minutes:.2f} minutes and {self.steps} steps to {result}", flush=True)
        return minutes


def read(page: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a `kind` that comes to a page."""
    while True:
        message: dict[str, Any] = msgspec.msgpack.decode(page.recv(timeout=180.0, decode=False))
        if message["type"] == kind:
            return message


def first_move(page: ClientConnection) -> None:
    """Waits for a frame in which the character is elsewhere than in its first one."""
    start = read(page, "frame")["roots"]
    while read(page, "frame")["roots"] == start:
        pass


@pytest.fixture
def journey(request: pytest.FixtureRequest, tmp_path: Path) -> Journey:
    print()
    return Journey(request.node.name.removeprefix("test_"), tmp_path)
