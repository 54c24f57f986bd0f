"""Replace files in one step: a reader sees the old content or the new content, never a part of either.

The new content goes to a draft in the same folder, is flushed to disk and renamed over the old file. A writer holds a
lock on its draft, which the system releases when the process dies: a draft that nobody has locked is abandoned.
"""

from __future__ import annotations

import difflib
import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

if sys.platform != "win32":
    import fcntl

DRAFT_NAME: Final = re.compile(r"\..+\.[0-9a-f]{8}\.motionfields-draft", re.DOTALL)
"""Pattern of draft names: hidden, derived from the target's name, with an ending that nothing else uses."""

_NO_FOLDER_FLUSH: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP})  # the file system cannot flush folders


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a new file to write to, which replaces `path` when the block ends, flushed and with the old permissions.

    An exception in the block leaves the old file and no draft; a kill leaves the old file or the new one, and maybe a
    draft (see `remove_abandoned_drafts`). A symbolic link is followed: the file that it names is replaced.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    draft, file = _open_draft(target)
    try:
        with file:
            with suppress(FileNotFoundError):
                shutil.copymode(target, draft)
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":
                draft.replace(target)  # while locked: otherwise a sweep could remove the draft first
        if sys.platform == "win32":
            draft.replace(target)  # after closing: Windows cannot rename an open file
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


@contextmanager
def draft(target: Path) -> Iterator[BinaryIO]:
    """Yield a new hidden file beside `target` to write to, removed when the block ends; a kill may leave it behind."""
    path, file = _open_draft(target)
    try:
        with file:
            yield file
    finally:
        path.unlink(missing_ok=True)


def remove_abandoned_drafts(folder: Path) -> None:
    """Remove the drafts in `folder` whose writers were killed; drafts of live writers, in any process, stay.

    Where the file system has no locks, no draft is known to be abandoned, and none is removed.
    """
    with os.scandir(folder) as entries:
        drafts = [
            Path(entry.path)
            for entry in entries
            if DRAFT_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
        ]
    for draft in drafts:
        with suppress(OSError):  # locked by a live writer, owned by another user, or already removed
            _remove_if_abandoned(draft)


def unreadable_reason(path: str, error: Exception) -> str:
    """Return why the system cannot read `path`, with a similar name that exists if there is one."""
    if isinstance(error, FileNotFoundError) and os.path.islink(path):
        return "cannot be read: it is a link to a file that does not exist"
    if isinstance(error, FileNotFoundError):
        return f"there is no such file or folder{_nearest_name(path)}"
    if isinstance(error, IsADirectoryError):
        return "expected a file, got a folder"
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def _nearest_name(path: str) -> str:
    folder, name = os.path.split(os.path.normpath(path))
    try:
        names = [name for name in os.listdir(folder or ".") if name.isprintable()]
    except OSError:
        return ""
    close = difflib.get_close_matches(name, names, 1, cutoff=0.75)
    return f"; did you mean {os.path.join(folder, close[0])}?" if close else ""


def _open_draft(target: Path) -> tuple[Path, BinaryIO]:
    """Return the path of a new draft for `target`, and the draft open and locked; errors name the target."""
    while True:
        draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.motionfields-draft")
        try:
            file = draft.open("xb")
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from None
        if sys.platform != "win32":
            with suppress(OSError):  # a file system without locks: a sweep cannot lock the draft either
                fcntl.flock(file, fcntl.LOCK_EX)
        if draft.exists():
            return draft, file
        file.close()  # a sweep removed it before it was locked; try another name


def _remove_if_abandoned(draft: Path) -> None:
    if sys.platform == "win32":
        draft.unlink()  # Windows refuses this while a writer has the file open
        return
    with draft.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.unlink()


def _flush_folder(folder: Path) -> None:
    """Flush a rename in `folder` to disk, where the system can."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDER_FLUSH:
            raise
    finally:
        os.close(handle)
