"""Every picture of the documentation has one script that makes it, and a page that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

import gallery
from motionfields.motion.datasets import list_sets


def test_every_picture_has_one_maker_and_a_page() -> None:
    assert gallery.faults(gallery.MAKERS, gallery.IMAGES, gallery.all_pages()) == []


def test_the_check_bites(tmp_path: Path) -> None:
    images, page = tmp_path / "images", tmp_path / "page.md"
    images.mkdir()
    for name in ("shown.png", "unshown.png", "unmade.png"):
        (images / name).write_bytes(b"")
    page.write_text("![one](images/shown.png) ![two](images/unmade.png)")
    makers = [
        gallery.Maker(("docs/figures/gallery.py",), ("shown.png", "unshown.png", "gone.png")),
        gallery.Maker(("docs/figures/nothing.py",), ("shown.png",)),
    ]
    assert gallery.faults(makers, images, [page]) == [
        "shown.png: 2 makers",
        "unmade.png: no script makes it",
        "gone.png: is not there",
        "unshown.png: no page shows it",
        "docs/figures/nothing.py: there is no such script",
    ]


def test_captured_motion_comes_from_public_sets_or_the_large_archive() -> None:
    known = {one.name for one in list_sets()}
    assert set(gallery.PUBLIC) <= known
    assert {name for maker in gallery.MAKERS for name in maker.motion} <= {
        *gallery.PUBLIC,
        gallery.LARGE,
        gallery.ANNOTATED,
    }


def test_what_is_missing_is_said_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gallery, "DATA", tmp_path)
    monkeypatch.setattr(gallery, "make", lambda *_: pytest.fail("nothing can be drawn"))
    assert gallery.main(["--only", "push_left.gif"]) == 0
    assert f"for want of cmu-locomotion in {tmp_path}: push_left.gif" in capsys.readouterr().out


def test_only_what_was_asked_for_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_unknown_picture_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        gallery.main(["--only", "nothing.png"])
    assert "there is no picture nothing.png" in capsys.readouterr().err
