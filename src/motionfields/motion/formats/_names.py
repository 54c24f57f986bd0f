"""Names of files found in folders and archives: their order, what is wrong with them, how messages show them."""

from __future__ import annotations

import re
from typing import Final

LONGEST_MEMBER_NAME: Final = 8192
"""Most letters the name of a file in an archive may have; systems take half as many in a path, or fewer."""

_SHOWN: Final = 200
# Control characters, line ends, halves of pairs (from bytes that are no UTF-8), and what turns the direction of text.
_MISLEADING: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9]) *(\..*)?", re.IGNORECASE | re.DOTALL)


def natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts numbers by their size: by how many digits they have, then by the digits."""
    parts = re.split(r"(\d+)", name)
    return [(len(part.lstrip("0")), part.lstrip("0")) if part.isdecimal() else (-1, part) for part in parts]


def shown(name: str) -> str:
    """`name` for a message: on one line, without letters that a terminal would obey, shortened in the middle."""
    if len(name) > _SHOWN:
        name = f"{name[: _SHOWN // 2]}...{name[-_SHOWN // 2 :]}"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in name)


def file_name_fault(name: str) -> str | None:
    """What is wrong with the name of a file in a folder; None when nothing is."""
    if _MISLEADING.search(name):
        return "its name is no UTF-8, or has control characters in it or such that change the direction of text"
    return None


def member_name_fault(name: str) -> str | None:
    """What is wrong with the name of a file in an archive, with slashes of either kind; None when nothing is."""
    if len(name) > LONGEST_MEMBER_NAME:
        return f"its name has more than {LONGEST_MEMBER_NAME} letters"
    parts = re.split(r"[/\\]", name)
    if parts[0] == "" or ".." in parts or re.match("[A-Za-z]:", name):
        return "its name leads out of the archive"
    if any(_DEVICES.fullmatch(part) for part in parts):
        return "its name is that of a device on Windows"
    return file_name_fault(name)
