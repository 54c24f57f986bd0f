"""Strict reading of JSON files from users and untrusted sources: all parts are checked, unknown fields are refused."""

from __future__ import annotations

import json
import math
import os
import stat
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from motionfields.base.errors import FormatError
from motionfields.base.files import unreadable_reason
from motionfields.base.storage import shown

MOST_BYTES: Final = 16 * 2**20
"""Largest accepted file size in bytes."""


def content_of(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of the regular file `path`, at most one more than allowed; raises `FormatError`."""
    name = shown(str(path))
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FormatError("expected a regular file, got a folder, pipe or device", path=name)
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise FormatError(unreadable_reason(str(path), error), path=name) from None


@dataclass(frozen=True)
class JsonReader:
    """Reader of one file; `path` is for messages. Any fault raises an `error` that says where it is."""

    path: str
    most_bytes: int = field(default=MOST_BYTES, kw_only=True)
    error: type[FormatError] = field(default=FormatError, kw_only=True)

    def parsed(self, content: bytes) -> object:
        """Return the parsed content of the file; repeated fields, NaN and infinity are refused."""
        if len(content) > self.most_bytes:
            self.fail(f"expected at most {self.most_bytes // 2**20} MB")
        try:
            return json.loads(content.decode(), object_pairs_hook=self._pairs, parse_constant=self._refuse_constant)
        except json.JSONDecodeError as error:
            self.fail(f"expected JSON, {error.msg} at column {error.colno}", line=error.lineno)
        except UnicodeDecodeError:
            self.fail("expected JSON in UTF-8")
        except (ValueError, RecursionError):
            self.fail("expected plain JSON, got a number that is too large or nesting that is too deep")

    def fields(
        self, value: object, fields: Sequence[str], where: str, *, optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Return `value`, which must be an object with all `fields`, any of the `optional` ones, and no others."""
        if not isinstance(value, dict):
            self.fail(f"{where}: expected an object with {', '.join(fields)}, got {brief(value)}")
        for name in fields:
            if name not in value:
                self.fail(f"{where}: expected {', '.join(fields)}; {name} is missing")
        for name in value:
            if name not in (*fields, *optional):
                self.fail(f"{where}: expected {', '.join((*fields, *optional))}; {brief(name)} is not one of them")
        return value

    def entries(self, value: object, where: str) -> list[object]:
        """Return `value`, which must be a list of at least one entry."""
        if not isinstance(value, list) or not value:
            self.fail(f"{where}: expected a list of at least one entry, got {brief(value)}")
        return value

    def listed(self, value: object, where: str) -> list[object]:
        """Return `value`, which must be a list; it may be empty."""
        if not isinstance(value, list):
            self.fail(f"{where}: expected a list")
        return value

    def numbers(self, value: object, count: int, where: str) -> list[float]:
        """Return `value`, which must be a list of `count` numbers."""
        if not isinstance(value, list) or len(value) != count:
            self.fail(f"{where}: expected {count} numbers, got {brief(value)}")
        return [self.number(entry, where) for entry in value]

    def number(self, value: object, where: str) -> float:
        """Return `value` as a float; it must be a finite number."""
        number = math.nan
        if isinstance(value, int | float) and not isinstance(value, bool):
            with suppress(OverflowError):  # an integer too large for a float
                number = float(value)
        if not math.isfinite(number):
            self.fail(f"{where}: expected a finite number, got {brief(value)}")
        return number

    def check_version(self, value: object, name: str, version: int) -> None:
        """Refuse a file whose field `name` is not `version`."""
        if value != version or not isinstance(value, int) or isinstance(value, bool):
            self.fail(f"{name}: expected version {version}, got {value!r:.40}")

    def check_once(self, names: Sequence[str], where: str) -> None:
        """Refuse `names` in which one occurs twice."""
        again, count = Counter(names).most_common(1)[0] if names else ("", 0)
        if count > 1:
            self.fail(f"{where}: expected every name once, got {brief(again)} twice")

    def fail(self, reason: str, *, line: int | None = None) -> NoReturn:
        """Raise an `error` about this file."""
        raise self.error(reason, path=self.path, line=line) from None

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self.check_once([name for name, _ in pairs], "fields")
        return dict(pairs)

    def _refuse_constant(self, word: str) -> NoReturn:
        self.fail(f"expected finite numbers, got {word}")


def brief(value: object) -> str:
    """Return `value` in at most 40 characters, without control characters that a terminal would obey."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**18:
        return "a number that is too large"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:36]}..."
