"""Strict reading of JSON files from users and untrusted sources: all parts are checked, unknown fields are refused."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from motionfields.base.errors import FormatError

MOST_BYTES: Final = 16 * 2**20
"""Largest accepted file size in bytes."""


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

    def number(self, value: object, where: str) -> float:
        """Return `value` as a float; it must be a finite number."""
        number = math.nan
        if isinstance(value, int | float) and not isinstance(value, bool):
            with suppress(OverflowError):  # an integer too large for a float
                number = float(value)
        if not math.isfinite(number):
            self.fail(f"{where}: expected a finite number, got {brief(value)}")
        return number

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
