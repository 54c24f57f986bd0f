"""`motionfields export` as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from motionfields.control.tasks import Direction
from motionfields.export import pack_bytes
from tests.cli.conftest import Run
from tests.native.crowds import controller


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "walker.ctrl"
    controller(Direction(), None).save(path)
    return path


@pytest.mark.parametrize("exact", [True, False])
def test_export_writes_a_pack_and_says_what_is_in_it(run: Run, saved: Path, tmp_path: Path, exact: bool) -> None:
    path = tmp_path / "walker.mfpack"
    done = run("export", saved, "-o", path, *(["--exact"] if exact else []))
    assert done.code == 0, done.err
    assert path.read_bytes() == pack_bytes(controller(Direction(), None), exact=exact)
    assert "22 joints" in done.out
    assert ("exact" if exact else "compact") in done.out


def test_the_name_of_the_output_must_say_its_format(run: Run, saved: Path, tmp_path: Path) -> None:
    done = run("export", saved, "-o", tmp_path / "walker.fbx")
    assert done.code == 1
    assert "expected an output name that ends in .mfpack or .html" in done.err
