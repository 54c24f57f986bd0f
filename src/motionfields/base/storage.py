"""Files that are here or on object storage, by one set of functions; the latter need the extra `storage`.

A location is a path, or a URL as text: "s3://bucket/walker.field". An object is fetched to a folder of this computer
before it is read, so that it can be mapped like any file, and is written here before it is sent. Who may read and
where the server is comes from where fsspec and its file systems look for it: the environment and their own files.
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
"""How long a copy of an object that has changed since is kept: another process may be about to open it."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_PASSWORD: Final = re.compile(r"://[^/@\s]*@")
_FETCHES: Final = 3  # tries, when the object changes meanwhile
_OPTIONS: Final[dict[str, dict[str, int]]] = {"s3": {"max_concurrency": 4}}  # parts of 50 MiB in memory
_REASONS: Final = {
    "NoSuchBucket": "the bucket does not exist; make it first, or check its name",
    "NoCredentialsError": "no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE",
    "PartialCredentialsError": "the credentials are not complete; set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "EndpointConnectionError": "the server does not answer; check the network and AWS_ENDPOINT_URL",
    "ConnectTimeoutError": "the server does not answer; check the network and AWS_ENDPOINT_URL",
    "ReadTimeoutError": "the server stopped answering; try again",
    "ConnectionClosedError": "the server ended the connection; try again",
    "ClientPayloadError": "the server ended the connection; try again",
}
"""What to say of errors, by the names of their types or of what the server calls them."""


def is_remote(location: Location) -> bool:
    """Whether this is a URL; a path is none, for `Path` makes "s3:/" of "s3://"."""
    return isinstance(location, str) and _SCHEME.match(location) is not None


def joined(folder: Location, name: str) -> str:
    """Where the file `name` of `folder` is; `name` may have folders of its own, and never leads out of `folder`."""
    parts = name.split("/")
    if is_remote(name) or os.path.isabs(name) or "\\" in name or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"name: expected a file within the folder, got {name!r}")
    if is_remote(folder):
        return f"{str(folder).rstrip('/')}/{name}"
    return os.path.join(folder, *parts)


def shown(location: Location) -> str:
    """`location` as text for messages, without a user or password."""
    return _PASSWORD.sub("://", os.fspath(location)) if is_remote(location) else os.fspath(location)


def exists(location: Location) -> bool:
    """Whether there is such a file or object; raises `FormatError` where that cannot be told, as without a bucket."""
    if not is_remote(location):
        return Path(location).exists()
    with _plain_errors(location, "looked for"):
        return _known(*_connected(location)) is not None


def remove(location: Location) -> None:
    """Remove the file or object, if there is one."""
    if not is_remote(location):
        Path(location).unlink(missing_ok=True)
        return
    with _plain_errors(location, "removed"), suppress(FileNotFoundError):
        system, key = _connected(location)
        system.rm_file(key)


def make_folder(location: Location) -> None:
    """Make the folder with those above it, unless it is there; object storage has none and needs none."""
    if not is_remote(location):
        Path(location).mkdir(parents=True, exist_ok=True)


def fetched(location: Location) -> Path:
    """Where the content of `location` is on this computer: the file itself, or a copy of the object.

    The copy is kept in `cache_folder` until the object changes, and is never seen in part, however many processes
    fetch it. Raises `FormatError` for objects that cannot be had.
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
                with suppress(OSError):  # in a cache that others filled
                    os.utime(copy)
                _remove_copies(location, before=time.time() - KEPT_SECONDS)
                return copy
    raise FormatError("changed each time while it was being read; try again", path=str(location))


def forget(location: Location) -> None:
    """Remove the copies that `fetched` kept of `location`, so that it is fetched anew; files here stay."""
    if is_remote(location):
        _remove_copies(location, before=float("inf"))


@contextmanager
def replacing(location: Location) -> Iterator[BinaryIO]:
    """A new file to write to, which takes the place of `location` when the block ends (see `files.replacing`).

    An object is sent whole after the block; an exception in it, or a kill at any time, leaves the old one.
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
    """Where this system keeps what a program can make or fetch again; MOTIONFIELDS_CACHE names another folder."""
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
    """The folder `name` of `cache_folder`, made for this user alone unless it is there."""
    folder = cache_folder() / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = f"cannot be made: {error.strerror or error}; name another folder in {CACHE_VARIABLE}"
        raise FormatError(reason, path=str(folder)) from error
    return folder


class _ChangedError(Exception):
    """An object is not what it was when its download began."""


def _connected(location: Location) -> tuple[Any, str]:
    """The file system of fsspec that `location` is on, and what it calls the object."""
    url = str(location)
    if _PASSWORD.search(url):
        raise FormatError("expected no user or password in a URL; give them in the environment", path=shown(url))
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
        raise FormatError(f"needs another package: {error}", path=url) from None
    return system, str(key)


def _known(system: Any, key: str) -> dict[str, Any] | None:
    """What the server says of an object: its size in bytes, and what changes with it; None if there is none."""
    try:
        about: dict[str, Any] = system.info(key)
    except FileNotFoundError as error:
        if _cause(error) == "NoSuchBucket":
            raise
        return None
    return about if about["type"] == "file" else None


def _is_whole(copy: Path, about: dict[str, Any]) -> bool:
    with suppress(FileNotFoundError):
        return bool(copy.stat().st_size == about["size"])
    return False


def _download(system: Any, key: str, copy: Path, about: dict[str, Any]) -> bool:
    """Fetch the object to the file `copy` in one step; False, and no file, if it is no longer as `about` says."""
    files.remove_abandoned_drafts(copy.parent)
    with suppress(_ChangedError), files.replacing(copy) as draft:
        system.get_file(key, draft.name)
        if _known(system, key) != about or os.path.getsize(draft.name) != about["size"]:
            raise _ChangedError
        return True
    return False


def _remove_copies(location: Location, *, before: float) -> None:
    """Remove the copies of `location` last used `before` that time, in seconds."""
    for copy in (cache_folder() / "objects").glob(f"{_digest(str(location))}.*"):
        with suppress(OSError):  # gone by now, or open where an open file cannot be removed
            if copy.stat().st_mtime < before:
                copy.unlink()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


@contextmanager
def _plain_errors(location: Location, done: str) -> Iterator[None]:
    """Errors of the libraries and servers below become `FormatError`, which names the place and what to do."""
    try:
        yield
    except (FormatError, MissingExtraError, MemoryError):
        raise
    except Exception as error:  # each file system of fsspec has its own
        raise FormatError(f"cannot be {done}: {_reason(error)}", path=str(location)) from error


def _reason(error: Exception) -> str:
    for name in (_cause(error), type(error).__name__):
        if name in _REASONS:
            return _REASONS[name]
    if isinstance(error, OSError) and (error.filename or error.errno == errno.ENOSPC):  # of this computer
        return f"{error.filename or cache_folder()}: {error.strerror}"
    if isinstance(error, FileNotFoundError):
        return "it does not exist"
    if isinstance(error, PermissionError):
        return "access was refused; check the credentials and what they may do"
    return _PASSWORD.sub("://", " ".join(str(error).split())) or type(error).__name__


def _cause(error: BaseException) -> str:
    """What the server called the error under this one, or its type's name."""
    response = getattr(error.__cause__, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return str(code or type(error.__cause__).__name__)
