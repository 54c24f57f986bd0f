"""Files replaced in one step: whoever reads one sees its old content or its new content, never a part of it.

The new content goes to a draft in the same folder, is flushed to disk and renamed over the old file. A writer holds
a lock on its draft, which the system lets go when the process dies: a draft that nobody has locked is abandoned.
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
"""What a draft is called: hidden, after its file, and never what anybody else calls a file."""

_NO_FOLDER_FLUSH: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP})  # from file systems without it


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file to write to, which takes the place of `path` when the block ends, on disk and with its permissions.

    An exception in the block leaves the old file and no draft; a kill leaves the old file or the new one, and
    maybe a draft (see `remove_abandoned_drafts`). A link is followed: the file that it names is replaced.
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
                draft.replace(target)  # under the lock, or a sweep could take the draft just before
        if sys.platform == "win32":
            draft.replace(target)  # where an open file cannot be renamed
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


@contextmanager
def draft(target: Path) -> Iterator[BinaryIO]:
    """A new hidden file beside `target` to write to, which is gone when the block ends; a kill may leave it."""
    path, file = _open_draft(target)
    try:
        with file:
            yield file
    finally:
        path.unlink(missing_ok=True)


def remove_abandoned_drafts(folder: Path) -> None:
    """Removes the drafts in `folder` whose writers were killed; those of live writers stay, in any process.

    Where the file system has no locks, nothing is known to be abandoned, and nothing is removed.
    """
    with os.scandir(folder) as entries:
        drafts = [
            Path(entry.path)
            for entry in entries
            if DRAFT_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
        ]
    for draft in drafts:
        with suppress(OSError):  # a live writer's, another user's, or gone by now
            _remove_if_abandoned(draft)


def unreadable_reason(path: str, error: Exception) -> str:
    """Why the system does not let us read `path`, and what may have been meant."""
    if isinstance(error, FileNotFoundError) and os.path.islink(path):
        return "cannot be read: a link to a file that is not there"
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
    return f"; is it {os.path.join(folder, close[0])}?" if close else ""


def _open_draft(target: Path) -> tuple[Path, BinaryIO]:
    """A new draft for `target`, open and locked, and where it is; errors name the target."""
    while True:
        draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.motionfields-draft")
        try:
            file = draft.open("xb")
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from None
        if sys.platform != "win32":
            with suppress(OSError):  # no locks on this file system: then no sweep can lock it either
                fcntl.flock(file, fcntl.LOCK_EX)
        if draft.exists():
            return draft, file
        file.close()  # a sweep saw it before it was locked


def _remove_if_abandoned(draft: Path) -> None:
    if sys.platform == "win32":
        draft.unlink()  # which Windows refuses while a writer has it open
        return
    with draft.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.unlink()


def _flush_folder(folder: Path) -> None:
    """Puts a renaming on disk, as far as the system can."""
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
