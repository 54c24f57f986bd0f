"""Every picture of the documentation has one script that makes it, and a page that shows it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from motionfields.motion.datasets import list_sets

REPO = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    """scripts/gallery.py as a module."""
    spec = importlib.util.spec_from_file_location("gallery", REPO / "scripts" / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_picture_has_one_maker_and_a_page(gallery: ModuleType) -> None:
    assert gallery.faults(gallery.MAKERS, gallery.IMAGES, gallery.all_pages()) == []


def test_the_check_bites(gallery: ModuleType, tmp_path: Path) -> None:
    images, page = tmp_path / "images", tmp_path / "page.md"
    images.mkdir()
    for name in ("shown.png", "unshown.png", "unmade.png"):
        (images / name).write_bytes(b"")
    page.write_text("![one](images/shown.png) ![two](images/unmade.png)")
    makers = [
        gallery.Maker(("scripts/gallery.py",), ("shown.png", "unshown.png", "gone.png")),
        gallery.Maker(("scripts/nothing.py",), ("shown.png",)),
    ]
    assert gallery.faults(makers, images, [page]) == [
        "shown.png: 2 makers",
        "unmade.png: no script makes it",
        "gone.png: is not there",
        "unshown.png: no page shows it",
        "scripts/nothing.py: there is no such script",
    ]


def test_captured_motion_comes_from_public_sets_or_the_large_archive(gallery: ModuleType) -> None:
    known = {one.name for one in list_sets()}
    assert set(gallery.PUBLIC) <= known
    assert {name for maker in gallery.MAKERS for name in maker.motion} <= {*gallery.PUBLIC, gallery.LARGE}


def test_what_is_missing_is_said_and_left_as_it_is(
    gallery: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gallery, "DATA", tmp_path)
    monkeypatch.setattr(gallery, "make", lambda *_: pytest.fail("nothing can be drawn"))
    assert gallery.main(["--only", "push_left.gif"]) == 0
    assert f"for want of cmu-locomotion in {tmp_path}: push_left.gif" in capsys.readouterr().out


def test_only_what_was_asked_for_is_replaced(
    gallery: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "draw.py"
    script.write_text(
        "import pathlib, sys\nfor name in ('a.png', 'b.png'): pathlib.Path(sys.argv[1], name).write_text('new')\n"
    )
    images = tmp_path / "images"
    images.mkdir()
    (images / "b.png").write_text("old")
    monkeypatch.setattr(gallery, "IMAGES", images)
    monkeypatch.setattr(gallery, "MAKERS", (gallery.Maker((str(script), "{folder}"), ("a.png", "b.png")),))
    assert gallery.main(["--only", "a.png"]) == 0
    assert (images / "a.png").read_text() == "new"
    assert (images / "b.png").read_text() == "old"
    assert gallery.main([]) == 0
    assert (images / "b.png").read_text() == "new"


def test_an_unknown_picture_is_refused(gallery: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        gallery.main(["--only", "nothing.png"])
    assert "there is no picture nothing.png" in capsys.readouterr().err


def test_the_script_is_a_command(gallery: ModuleType) -> None:
    assert (REPO / "scripts" / "gallery").stat().st_mode & 0o111
