"""Names of files in folders and archives: sorting, faults, and display in messages."""

from __future__ import annotations

import re
from typing import Final

LONGEST_MEMBER_NAME: Final = 8192
"""Largest number of characters in the name of a file in an archive; systems allow half as many in a path, or fewer."""

_SHOWN: Final = 200
# Control characters, line ends, lone surrogates (from bytes that are not UTF-8), and marks that reverse text direction.
_MISLEADING: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9]) *(\..*)?", re.IGNORECASE | re.DOTALL)


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that orders numbers by value: by the number of digits, then by the digits."""
    parts = re.split(r"(\d+)", name)
    return [(len(part.lstrip("0")), part.lstrip("0")) if part.isdecimal() else (-1, part) for part in parts]


def shown(name: str) -> str:
    """Return `name` for a message: on one line, without control characters, shortened in the middle."""
    if len(name) > _SHOWN:
        name = f"{name[: _SHOWN // 2]}...{name[-_SHOWN // 2 :]}"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in name)


def file_name_fault(name: str) -> str | None:
    """Return the fault in the name of a file in a folder; None if there is none."""
    if _MISLEADING.search(name):
        return "its name is not UTF-8, or contains control characters or marks that change the direction of text"
    return None


def member_name_fault(name: str) -> str | None:
    """Return the fault in the name of a file in an archive, with slashes of either kind; None if there is none."""
    if len(name) > LONGEST_MEMBER_NAME:
        return f"its name has more than {LONGEST_MEMBER_NAME} characters"
    parts = re.split(r"[/\\]", name)
    if parts[0] == "" or ".." in parts or re.match("[A-Za-z]:", name):
        return "its name leads out of the archive"
    if any(_DEVICES.fullmatch(part) for part in parts):
        return "its name is reserved for a device on Windows"
    return file_name_fault(name)
