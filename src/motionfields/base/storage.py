"""Read and write files on this computer and on object storage through one set of functions.

A location is a path, or a URL as text: "s3://bucket/walker.field". An object is downloaded to a local folder before it
is read, so that it can be memory-mapped like any file, and is written locally before it is uploaded. Credentials and
the server address come from where fsspec and its file systems look for them: the environment and their own
configuration files. Object storage needs the extra `storage`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

from motionfields.base import files
from motionfields.base.errors import FormatError, MissingExtraError

Location: TypeAlias = str | os.PathLike[str]

CACHE_VARIABLE: Final = "MOTIONFIELDS_CACHE"
KEPT_SECONDS: Final = 3600.0
"""Seconds for which an outdated copy of an object is kept, because another process may be about to open it."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_PASSWORD: Final = re.compile(r"://[^/@\s]*@")
_FETCHES: Final = 3  # attempts, when the object changes during a download
_OPTIONS: Final[dict[str, dict[str, int]]] = {"s3": {"max_concurrency": 4}}  # each part takes 50 MiB of memory
_REASONS: Final = {
    "NoSuchBucket": "the bucket does not exist; create it first, or check its name",
    "NoCredentialsError": "no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE",
    "PartialCredentialsError": "the credentials are incomplete; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "EndpointConnectionError": "the server does not answer; check the network and AWS_ENDPOINT_URL",
    "ConnectTimeoutError": "the server does not answer; check the network and AWS_ENDPOINT_URL",
    "ReadTimeoutError": "the server stopped answering; try again",
    "ConnectionClosedError": "the server closed the connection; try again",
    "ClientPayloadError": "the server closed the connection; try again",
}
"""Error messages by the name of the exception type or by the error code that the server returned."""


def is_remote(location: Location) -> bool:
    """Return whether `location` is a URL; a `Path` never is, because it collapses "s3://" to "s3:/"."""
    return isinstance(location, str) and _SCHEME.match(location) is not None


def joined(folder: Location, name: str) -> str:
    """Return the location of the file `name` in `folder`; `name` may have subfolders, all within `folder`."""
    parts = name.split("/")
    if is_remote(name) or os.path.isabs(name) or "\\" in name or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"name: expected a file within the folder, got {name!r}")
    if is_remote(folder):
        return f"{str(folder).rstrip('/')}/{name}"
    return os.path.join(folder, *parts)


def shown(location: Location) -> str:
    """Return `location` as text for messages, without a user name or password."""
    return _PASSWORD.sub("://", os.fspath(location)) if is_remote(location) else os.fspath(location)


def exists(location: Location) -> bool:
    """Return whether the file or object exists; raise `FormatError` where that is unknown, as without a bucket."""
    if not is_remote(location):
        return Path(location).exists()
    with _plain_errors(location, "accessed"):
        return _known(*_connected(location)) is not None


def remove(location: Location) -> None:
    """Remove the file or object if it exists."""
    if not is_remote(location):
        Path(location).unlink(missing_ok=True)
        return
    with _plain_errors(location, "removed"), suppress(FileNotFoundError):
        system, key = _connected(location)
        system.rm_file(key)


def make_folder(location: Location) -> None:
    """Create the folder and its parents unless they exist; object storage has no folders, so a URL needs nothing."""
    if not is_remote(location):
        Path(location).mkdir(parents=True, exist_ok=True)


def fetched(location: Location) -> Path:
    """Return the local path of the content of `location`: the file itself, or a copy of the object.

    The copy stays in `cache_folder` until the object changes, and is never visible in part, even when several processes
    fetch it at once. Raises `FormatError` for objects that cannot be read.
    """
    if not is_remote(location):
        return Path(location)
    folder = _made_folder("objects")
    with _plain_errors(location, "read"):
        system, key = _connected(location)
        for _ in range(_FETCHES):
            about = _known(system, key)
            if about is None:
                raise FormatError("does not exist", path=str(location))
            copy = folder / f"{_digest(str(location))}.{_digest(repr(sorted(about.items(), key=str)))}"
            if _is_whole(copy, about) or _download(system, key, copy, about):
                with suppress(OSError):  # another user may own the copies in a shared cache
                    os.utime(copy)
                _remove_copies(location, before=time.time() - KEPT_SECONDS)
                return copy
    raise FormatError("changed during every attempt to read it; try again", path=str(location))


def forget(location: Location) -> None:
    """Remove the copies that `fetched` kept of `location`, so that it is downloaded again; local files stay."""
    if is_remote(location):
        _remove_copies(location, before=float("inf"))


@contextmanager
def replacing(location: Location) -> Iterator[BinaryIO]:
    """Yield a new file to write to, which replaces `location` when the block ends (see `files.replacing`).

    An object is uploaded as a whole after the block. An exception in the block, or a kill at any time, leaves the old
    object.
    """
    if not is_remote(location):
        with files.replacing(location) as file:
            yield file
        return
    folder = _made_folder("uploads")
    files.remove_abandoned_drafts(folder)
    with files.draft(folder / _digest(str(location))) as file:
        yield file
        file.flush()
        with _plain_errors(location, "written"):
            system, key = _connected(location)
            system.put_file(file.name, key)


def cache_folder() -> Path:
    """Return this system's folder for files that can be made or fetched again; MOTIONFIELDS_CACHE names another one."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "motionfields"


def _made_folder(name: str) -> Path:
    """Return the folder `name` in `cache_folder`; create it with access for this user alone unless it exists."""
    folder = cache_folder() / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = f"cannot be created: {error.strerror or error}; set {CACHE_VARIABLE} to another folder"
        raise FormatError(reason, path=str(folder)) from error
    return folder


class _ChangedError(Exception):
    """An object changed while it was being downloaded."""


def _connected(location: Location) -> tuple[Any, str]:
    """Return the fsspec file system that holds `location`, and the object's key on it."""
    url = str(location)
    if _PASSWORD.search(url):
        raise FormatError("expected a URL without user or password; set them in the environment", path=shown(url))
    try:
        from fsspec.core import url_to_fs
    except ModuleNotFoundError:
        raise MissingExtraError("fsspec", extra="storage") from None
    scheme = url.partition("://")[0].lower()
    try:
        system, key = url_to_fs(url, use_listings_cache=False, **_OPTIONS.get(scheme, {}))
    except ImportError as error:
        if scheme in ("s3", "s3a"):
            raise MissingExtraError("s3fs", extra="storage") from None
        raise FormatError(f"this URL needs another package: {error}", path=url) from None
    return system, str(key)


def _known(system: Any, key: str) -> dict[str, Any] | None:
    """Return the server's metadata of an object, which changes whenever the object does; None if there is no object.

    It includes the size in bytes.
    """
    try:
        about: dict[str, Any] = system.info(key)
    except FileNotFoundError as error:
        if _cause(error) == "NoSuchBucket":
            raise
        return None
    return about if about["type"] == "file" else None


def _is_whole(copy: Path, about: dict[str, Any]) -> bool:
    """Return whether `copy` exists with the size in bytes that the server reported."""
    with suppress(FileNotFoundError):
        return bool(copy.stat().st_size == about["size"])
    return False


def _download(system: Any, key: str, copy: Path, about: dict[str, Any]) -> bool:
    """Download the object to `copy` in one step; return False, and leave no file, if it no longer matches `about`."""
    files.remove_abandoned_drafts(copy.parent)
    with suppress(_ChangedError), files.replacing(copy) as draft:
        system.get_file(key, draft.name)
        if _known(system, key) != about or os.path.getsize(draft.name) != about["size"]:
            raise _ChangedError
        return True
    return False


def _remove_copies(location: Location, *, before: float) -> None:
    """Remove the copies of `location` last used before the time `before`, in seconds since the epoch."""
    for copy in (cache_folder() / "objects").glob(f"{_digest(str(location))}.*"):
        with suppress(OSError):  # already removed, or open on a system that cannot remove open files
            if copy.stat().st_mtime < before:
                copy.unlink()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


@contextmanager
def _plain_errors(location: Location, done: str) -> Iterator[None]:
    """Turn errors of the libraries and servers below into a `FormatError` that names the location and what to do."""
    try:
        yield
    except (FormatError, MissingExtraError, MemoryError):
        raise
    except Exception as error:  # every fsspec file system raises its own types
        raise FormatError(f"cannot be {done}: {_reason(error)}", path=str(location)) from error


def _reason(error: Exception) -> str:
    for name in (_cause(error), type(error).__name__):
        if name in _REASONS:
            return _REASONS[name]
    if isinstance(error, OSError) and (error.filename or error.errno == errno.ENOSPC):  # a local file, not the object
        return f"{error.filename or cache_folder()}: {error.strerror}"
    if isinstance(error, FileNotFoundError):
        return "it does not exist"
    if isinstance(error, PermissionError):
        return "access was denied; check the credentials and their permissions"
    return _PASSWORD.sub("://", " ".join(str(error).split())) or type(error).__name__


def _cause(error: BaseException) -> str:
    """Return the server's code for the error that caused `error`, or the type name of that cause."""
    response = getattr(error.__cause__, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return str(code or type(error.__cause__).__name__)
