"""Download of one file over HTTPS: limited to its known size, resumed after a break, trusted only by its SHA-256.

A partial download is in a file with `.part` added to its name. It gets its final name once all bytes are there and have
the right SHA-256, so a file under its final name is always complete.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPMessage, HTTPResponse
from io import BufferedRandom
from pathlib import Path
from typing import IO, Final, NamedTuple, NoReturn
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from motionfields.base.errors import DownloadError
from motionfields.motion.datasets.catalogue import DataFile, is_loopback, url_fault

if sys.platform != "win32":
    import fcntl

TRIES: Final = 3
"""Number of consecutive attempts without new data before a download fails."""

_CHUNK: Final = 1 << 16
_AGAIN: Final = "run the same command again to resume"
_OFFLINE: Final = (
    "this computer seems to be offline or behind a proxy (set HTTPS_PROXY to use one); "
    "try again when it is online; motionfields sample writes motion without a download"
)


class _BrokenError(Exception):
    """The connection ended before the file did."""


class _Start(NamedTuple):
    """The part of a file that is already here."""

    offset: int  # bytes
    tag: str | None  # the server's entity tag for this version of the file


def is_right(path: Path, file: DataFile) -> bool:
    """Return whether the file at `path` is exactly `file`, by size and SHA-256."""
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == file.sha256


def download(file: DataFile, target: Path, *, timeout: float, on_size: Callable[[int], None]) -> None:
    """Download `file` to `target`, resuming what an earlier call left.

    `timeout` is the number of seconds that the server may be silent; `on_size` is called with the number of bytes here.
    Raises `DownloadError`, and keeps the partial download unless it is wrong.
    """
    part = target.with_name(f"{target.name}.part")
    with _part(part) as content:
        resumed = _receive(file, content, timeout, on_size)
        if resumed and _digest(content) != file.sha256:  # the old part may be of another version
            content.truncate(0)
            _receive(file, content, timeout, on_size)
        got = _digest(content)
        if got != file.sha256:
            content.truncate(0)
            _fail(
                file,
                f"expected SHA-256 {file.sha256}, got {got}; the download was deleted. The file changed on the server "
                "or on the way: try again from another network",
            )
        os.fsync(content.fileno())
        if sys.platform != "win32":
            part.replace(target)  # while locked, so that no other process writes to it
    if sys.platform == "win32":
        part.replace(target)  # after closing: Windows cannot rename an open file


@contextmanager
def _part(path: Path) -> Iterator[BufferedRandom]:
    """Open the partial download and, where the system can, lock it; an error removes it if it is empty."""
    with path.open("a+b") as content:
        if sys.platform != "win32":
            try:
                fcntl.flock(content, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DownloadError(f"{path}: another process is downloading it; wait for it to finish") from None
            except OSError:
                pass  # no locks on this file system
        try:
            yield content
        except BaseException:
            if content.seek(0, os.SEEK_END) == 0:
                with suppress(OSError):  # on systems that cannot remove open files
                    path.unlink()
            raise


def _receive(file: DataFile, content: BufferedRandom, timeout: float, on_size: Callable[[int], None]) -> bool:
    """Bring `content` to the length of `file`; return whether some of it was there before."""
    before = content.seek(0, os.SEEK_END)
    size, tag, tries = before, None, 0
    on_size(size)
    while size < file.size:
        try:
            with _opened(file, _Start(size, tag), timeout) as answer:
                tag = answer.headers.get("ETag") or tag
                _check_start(file, answer, content)
                _copy(file, answer, content, on_size)
        except _BrokenError:
            here = content.seek(0, os.SEEK_END)
            tries = 0 if here > size else tries + 1
            if tries >= TRIES:
                _fail(file, f"the connection broke after {here} of {file.size} bytes; {_AGAIN}")
        size = content.seek(0, os.SEEK_END)
    content.flush()
    return before > 0


def _check_start(file: DataFile, answer: HTTPResponse, content: BufferedRandom) -> None:
    """Truncate `content` to where the body of `answer` begins; refuse answers of another length than the file's."""
    offset = content.seek(0, os.SEEK_END)
    encoding = answer.headers.get("Content-Encoding", "identity")
    if encoding != "identity":
        _fail(file, f"expected the plain bytes of the file, got them encoded as {encoding[:20]!r}")
    total = answer.headers.get("Content-Length", "")
    if answer.status == 206:
        span = re.fullmatch(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18}|\*)", answer.headers.get("Content-Range", ""))
        if span is None or int(span[1]) != offset:
            _fail(file, "the server sent a part that was not requested; try again later")
        total = span[2]
    else:
        content.truncate(0)  # the server ignores the range and sends the whole file
    if total.isdecimal() and int(total) != file.size:
        content.truncate(0)
        _fail(file, f"expected {file.size} bytes, the server has {total}: the file on the server has changed")


def _copy(file: DataFile, answer: HTTPResponse, content: BufferedRandom, on_size: Callable[[int], None]) -> None:
    size = content.seek(0, os.SEEK_END)
    for chunk in _chunks(answer):
        size += len(chunk)
        if size > file.size:
            content.truncate(0)
            _fail(file, f"expected {file.size} bytes, the server sends more: the file on the server has changed")
        content.write(chunk)
        on_size(size)
    if size < file.size:
        raise _BrokenError


def _chunks(answer: HTTPResponse) -> Iterator[bytes]:
    try:
        while chunk := answer.read1(_CHUNK):
            yield chunk
    except (OSError, HTTPException) as error:
        raise _BrokenError from error


@contextmanager
def _opened(file: DataFile, start: _Start, timeout: float) -> Iterator[HTTPResponse]:
    """Yield the server's answer, of status 200 or 206; any other outcome raises `DownloadError`."""
    headers = {"User-Agent": "motionfields", "Accept-Encoding": "identity"}
    if start.offset:
        headers["Range"] = f"bytes={start.offset}-"
        if start.tag and not start.tag.startswith("W/"):
            headers["If-Range"] = start.tag
    try:
        answer = _opener(file.url).open(request.Request(file.url, headers=headers), timeout=timeout)  # noqa: S310 (checked)
    except HTTPError as error:
        error.close()
        _fail(file, _status(error.code))
    except URLError as error:
        kept = f"; {start.offset} of {file.size} bytes are kept" if start.offset else ""
        _fail(file, _unreached(file, error.reason) + kept)
    except (OSError, HTTPException) as error:
        raise _BrokenError from error
    except ValueError as error:
        _fail(file, f"the server redirects to an address that cannot be used: {error}")
    with answer:
        yield answer


def _opener(url: str) -> request.OpenerDirector:
    """Return an opener for web addresses only, through the system's proxy unless they are of this computer."""
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler({} if is_loopback(url) else None),
        request.HTTPHandler(),
        request.HTTPSHandler(context=ssl.create_default_context()),
        request.HTTPDefaultErrorHandler(),
        request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


class _Redirects(request.HTTPRedirectHandler):
    """Redirect handler that stays encrypted, or on this computer."""

    def redirect_request(
        self, req: request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> request.Request | None:
        """Return the next request; refuse to redirect from https to anything else."""
        fault = url_fault(newurl)
        if fault is None and urlsplit(req.full_url).scheme == "https" and urlsplit(newurl).scheme != "https":
            fault = "expected https:// to be kept"
        if fault:
            fp.close()
            raise DownloadError(f"{req.full_url}: the server redirects to {newurl[:200]!r}: {fault}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _status(code: int) -> str:
    if code in (404, 410):
        return f"the server answered {code}: the file is no longer there; a newer motionfields may have its new address"
    if code in (401, 403, 407, 451):
        return f"the server or a proxy answered {code}: access is denied"
    if code == 416:
        return "the server answered 416: the file on the server is too short; it has changed"
    return f"the server answered {code}; try again later"


def _unreached(file: DataFile, reason: object) -> str:
    """Return why a server cannot be reached, and what to do."""
    host = urlsplit(file.url).hostname
    if isinstance(reason, ssl.SSLCertVerificationError):
        return (
            f"the certificate of {host} cannot be trusted: {reason.verify_message}; check this computer's clock, and "
            "whether a proxy decrypts traffic (set SSL_CERT_FILE to certificates to trust)"
        )
    if isinstance(reason, socket.gaierror):
        return f"the name {host} cannot be looked up: {_OFFLINE}"
    if isinstance(reason, TimeoutError):
        return f"{host} does not answer: {_OFFLINE}"
    return f"{host} cannot be reached ({reason}): {_OFFLINE}"


def _digest(content: BufferedRandom) -> str:
    content.seek(0)
    return hashlib.file_digest(content, "sha256").hexdigest()


def _fail(file: DataFile, reason: str) -> NoReturn:
    raise DownloadError(f"{file.url}: {reason}") from None
