"""`motionfields doctor` as it is typed."""

from __future__ import annotations

import tomllib
import webbrowser
from importlib import metadata
from pathlib import Path

import pytest

import motionfields
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
    assert f"pictures: matplotlib {metadata.version('matplotlib')}" in result.out
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
    assert 'not installed: pictures; pip install "motionfields[plots]"' in said
    assert "look: none found; open the address" in said


def test_it_says_where_compiled_loops_are_kept(tmp_path: Path) -> None:
    (tmp_path / "geometry_1").mkdir()
    assert "none yet" in _kept_loops(str(tmp_path / "geometry_1"))
    (tmp_path / "geometry_1" / "a.nbi").touch()
    assert _kept_loops(str(tmp_path / "geometry_1")) == f"1 kept in {tmp_path}"
    assert "NUMBA_CACHE_DIR" in _kept_loops(None)
