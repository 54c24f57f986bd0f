"""Files are replaced in one step, and what killed writers leave behind goes away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from motionfields.base.files import DRAFT_NAME, draft, remove_abandoned_drafts, replacing

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="about POSIX permissions, locks and signals")

SAVE_FOR_EVER = """
import sys, time
from motionfields.base.files import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half of the new")
    file.flush()
    print("writing", flush=True)
    time.sleep(600)
"""


def drafts_in(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if DRAFT_NAME.fullmatch(path.name)]


def test_the_new_content_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    for content in (b"old", b"new"):
        with replacing(path) as file:
            file.write(content)
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_old_content_stays_until_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_an_exception_leaves_the_old_file_and_no_draft(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    with pytest.raises(type(error)), replacing(path) as file:  # noqa: PT012, what is tested is the block itself
        file.write(b"half")
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), replacing(tmp_path):
        pass
    assert not list(tmp_path.parent.glob(f".{tmp_path.name}*"))


@pytest.mark.parametrize("error", [None, KeyError()])
def test_a_draft_alone_is_there_for_the_block_and_no_sweep_takes_it(tmp_path: Path, error: Exception | None) -> None:
    try:
        with draft(tmp_path / "a.bin") as file:
            file.write(b"content")
            file.flush()
            remove_abandoned_drafts(tmp_path)
            assert [path.read_bytes() for path in drafts_in(tmp_path)] == [b"content"]
            if error is not None:
                raise error
    except KeyError:
        pass
    assert not list(tmp_path.iterdir())


@posix_only
def test_permissions_stay_and_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    path, link = tmp_path / "there" / "a.bin", tmp_path / "link.bin"
    path.write_bytes(b"old")
    path.chmod(0o600)
    link.symlink_to(path)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600


@posix_only
def test_content_is_on_disk_before_the_name_and_the_name_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, fsync, replace = list[str](), os.fsync, Path.replace

    def noted_fsync(handle: int) -> None:
        steps.append("flush folder" if os.path.samestat(os.fstat(handle), tmp_path.stat()) else "flush file")
        fsync(handle)

    def noted_replace(self: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    with replacing(tmp_path / "a.bin") as file:
        file.write(b"new")
    assert steps == ["flush file", "rename", "flush folder"]


@posix_only
def test_the_draft_of_a_killed_writer_is_removed_and_that_of_a_live_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    command = [sys.executable, "-c", SAVE_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writing\n"
        remove_abandoned_drafts(tmp_path)
        assert len(drafts_in(tmp_path)) == 1
        os.kill(writer.pid, signal.SIGKILL)
    assert len(drafts_in(tmp_path)) == 1
    remove_abandoned_drafts(tmp_path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"old"


def test_a_sweep_leaves_everything_else_alone(tmp_path: Path) -> None:
    others = {tmp_path / name for name in ("a.bin", ".a.bin.tmp", ".a.0123.motionfields-draft", "motionfields-draft")}
    for path in others:
        path.write_bytes(b"mine")
    (tmp_path / ".a.01234567.motionfields-draft").mkdir()
    (tmp_path / ".b.01234567.motionfields-draft").write_bytes(b"left behind")
    remove_abandoned_drafts(tmp_path)
    assert set(tmp_path.iterdir()) == {*others, tmp_path / ".a.01234567.motionfields-draft"}


@posix_only
def test_a_draft_swept_before_it_was_locked_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl  # which Windows has not

    flock, calls = fcntl.flock, list[int]()

    def late_flock(file: int, operation: int) -> None:
        calls.append(operation)
        if len(calls) == 1:
            remove_abandoned_drafts(tmp_path)
        flock(file, operation)

    monkeypatch.setattr(fcntl, "flock", late_flock)
    with replacing(tmp_path / "a.bin") as file:
        file.write(b"new")
    assert len(calls) == 3  # ours, the sweep's, ours again
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]
