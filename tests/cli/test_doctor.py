"""`motionfields doctor` as it is typed."""

from __future__ import annotations

import tomllib
import webbrowser
from importlib import metadata
from pathlib import Path

import pytest

import motionfields
from motionfields.base.kernel_cache import CacheState
from motionfields.cli.doctor import EXTRAS, _kept_loops
from tests.cli.conftest import Run

REPO = Path(__file__).resolve().parents[2]


def test_it_says_what_is_installed_and_on_what_computer(run: Run) -> None:
    result = run("doctor")
    assert result.code == 0
    for words in (
        f"motionfields    {motionfields.__version__}",
        "Python",
        "numba ",
        "cores",
        "threads",
        "compiled loops",
    ):
        assert words in result.out
    assert f"pictures and plots: matplotlib {metadata.version('matplotlib')}" in result.out
    assert "msgspec" in result.out
    assert "mujoco" in result.out


def test_it_knows_every_extra_that_users_install() -> None:
    declared = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(EXTRAS) == set(declared) - {"docs", "test", "dev", "viewer"}  # viewer is an old name of studio


def test_what_is_missing_comes_with_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    version = metadata.version

    def without_plots(name: str) -> str:
        if name == "matplotlib":
            raise metadata.PackageNotFoundError(name)
        return version(name)

    def no_browser(using: str | None = None) -> webbrowser.BaseBrowser:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(metadata, "version", without_plots)
    monkeypatch.setattr(webbrowser, "get", no_browser)
    said = run("doctor").out
    assert 'not installed: pictures and plots; pip install "motionfields[plots]"' in said
    assert "warning: none found; open the address" in said


def test_it_describes_the_kernel_cache(tmp_path: Path) -> None:
    state = CacheState(tmp_path, writable=True, entries=0, size=0, outdated=0, damaged=())
    assert _kept_loops(state) == f"none yet; the first run compiles them; cache folder {tmp_path}"
    state = state._replace(entries=3, size=2_600_000)
    assert _kept_loops(state) == f"3 kernels, 2.6 MB, in {tmp_path}"
    assert _kept_loops(state._replace(outdated=2)).endswith("; 2 of earlier code, removed automatically")
    said = _kept_loops(state._replace(writable=False))
    assert said.startswith(f"warning: {tmp_path} cannot be written to")
    assert "NUMBA_CACHE_DIR" in said
    said = _kept_loops(state._replace(damaged=tuple(tmp_path / f"{i}.kernel" for i in range(4))))
    assert said.startswith("warning: 4 damaged files")
    assert said.endswith("0.kernel, 1.kernel, 2.kernel, ...")
