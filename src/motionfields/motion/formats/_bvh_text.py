"""Tokenizer of BVH text, with errors that name the line."""

from __future__ import annotations

import math
import re
from typing import Final, NoReturn

from motionfields.base.errors import BvhError
from motionfields.motion.formats._bvh_numbers import LARGEST_VALUE

LONGEST_NUMBER: Final = 100
"""Largest length in bytes of a number in the header; keeps `float` and `int` from parsing megabytes of digits."""

LONGEST_NAME: Final = 1000
"""Largest length in bytes of a joint's name."""

WORDS: Final = re.compile(rb"[{}]|[^ \t\r\n{}]+")  # a brace is always a token of its own
WORDS_AND_COLONS: Final = re.compile(rb":|[^ \t\r\n:]+")
_REST_OF_LINE: Final = re.compile(rb"[^\r\n]*")
_DECIMAL: Final = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE: Final = re.compile(rb"[0-9]+")
_NOT_IN_NAMES: Final = re.compile(r"[\x00-\x1f\x7f-\x9f{}\ufeff\u2028\u2029]")
_RESERVED: Final = frozenset({"OFFSET", "CHANNELS", "MOTION"})


def name_fault(name: str) -> str | None:
    """Return why `name` cannot be the name of a joint in a BVH file; None if it can."""
    words = name.split(" ")
    if "" in words:
        return "it is empty, or has leading, trailing or repeated blanks"
    if _NOT_IN_NAMES.search(name):
        return "it contains a brace or a control character"
    if any(word.startswith(("#", "//")) for word in words):
        return "it looks like a comment, which the format does not have"
    if not _RESERVED.isdisjoint(words):
        return "it contains one of the words OFFSET, CHANNELS, MOTION; is a '{' missing?"
    if len(name.encode("utf-8", "replace")) > LONGEST_NAME:
        return f"it has more than {LONGEST_NAME} bytes"
    return None


class BvhText:
    """The bytes of a BVH file and the reading position; `path` is only for messages."""

    def __init__(self, data: bytes, path: str | None) -> None:
        self.data = data
        self.path = path
        self.position = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.token_start = self.position

    def take(self, words: re.Pattern[bytes] = WORDS) -> bytes:
        """Return the next token, b"" at the end of the file."""
        match = words.search(self.data, self.position)
        if match is None:
            self.token_start = self.position = len(self.data)
            return b""
        self.token_start, self.position = match.span()
        return match.group()

    def expect(self, wanted: str, place: str, *, words: re.Pattern[bytes] = WORDS) -> None:
        """Skip the token `wanted`, in upper or lower case; `place` says in a message where it belongs."""
        token = self.take(words)
        if token.upper() != wanted.upper().encode():
            self.fail(f"expected {wanted!r} {place}, got {quoted(token)}")

    def take_name(self, kind: str) -> str:
        """Return the name between the word `kind` and its '{': all tokens there, joined by one blank."""
        start, length, parts = self.position, 0, list[bytes]()
        while (token := self.take()) != b"{":
            length += len(token) + 1
            if token in (b"", b"}") or length > LONGEST_NAME + 1:
                self.fail(f"expected a name and '{{' after {kind}, got {quoted(token)}")
            parts.append(token)
        try:
            name = b" ".join(parts).decode("utf-8")
        except UnicodeDecodeError:
            self.fail(f"expected a joint name in UTF-8 after {kind}, got {quoted(b' '.join(parts))}", start)
        if fault := name_fault(name):
            self.fail(f"expected a joint name after {kind}, got {name[:40]!r}: {fault}", start)
        return name

    def take_number(self, what: str, *, words: re.Pattern[bytes] = WORDS) -> float:
        """Return the next token as a finite decimal number; `what` names it in a message."""
        token = self.take(words)
        is_decimal = len(token) <= LONGEST_NUMBER and _DECIMAL.fullmatch(token)
        value = float(token) if is_decimal else math.inf
        if not math.fabs(value) <= LARGEST_VALUE:
            self.fail(f"{what}: expected a decimal number up to {LARGEST_VALUE:g}, got {quoted(token)}")
        return value

    def take_count(self, what: str, *, words: re.Pattern[bytes] = WORDS) -> int:
        """Return the next token as a whole number, 0 or more; `what` names it in a message."""
        token = self.take(words)
        if len(token) > LONGEST_NUMBER or not _WHOLE.fullmatch(token):
            self.fail(f"{what}: expected a whole number, 0 or more, got {quoted(token)}")
        return int(token)

    def end_line(self, after: str) -> None:
        """Skip blanks to the end of the line; `after` names the part before."""
        match = _REST_OF_LINE.match(self.data, self.position)
        rest = match.group().strip(b" \t") if match else b""
        if rest:
            self.fail(f"expected the end of the line after {after}, got {quoted(rest)}", self.position)
        self.position = match.end() if match else self.position

    def end_file(self, after: str) -> None:
        """Check that only blanks and line ends are left; `after` names the part before."""
        if token := self.take():
            self.fail(f"expected the end of the file after {after}, got {quoted(token)}")

    def fail(self, message: str, offset: int | None = None) -> NoReturn:
        """Raise BvhError for the line of byte `offset`, by default that of the last token."""
        raise BvhError(message, path=self.path, line=self.line_of(self.token_start if offset is None else offset))

    def line_of(self, offset: int) -> int:
        """Return the line, counted from 1, of byte `offset`; lines end in LF, CR or CRLF."""
        if self.data[offset - 1 : offset + 1] == b"\r\n":
            offset -= 1
        newlines, returns, pairs = (self.data.count(end, 0, offset) for end in (b"\n", b"\r", b"\r\n"))
        return 1 + newlines + returns - pairs

    def line_before(self, offset: int) -> bytes:
        """Return the text of the line of byte `offset`, up to that byte."""
        start = max(self.data.rfind(b"\n", 0, offset), self.data.rfind(b"\r", 0, offset)) + 1
        return self.data[start:offset]


def quoted(token: bytes) -> str:
    """Return `token` for a message: in quotes, shortened, or 'the end of the file' if it is empty."""
    if not token:
        return "the end of the file"
    shown = token[:40].decode("utf-8", "replace")
    return repr(shown) + ("..." if len(token) > 40 else "")
