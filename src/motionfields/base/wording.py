"""Counts in messages and reports."""

from __future__ import annotations


def counted(count: float, noun: str, plural: str | None = None, *, spec: str = "") -> str:
    """Return `count` with its noun: "1 clip", "2 clips".

    `plural` is the plural of the noun, by default the noun with an s. `spec` formats the number as in an f-string: ","
    separates thousands.
    """
    shown = f"{count:{spec}}"
    return f"{shown} {noun if shown == '1' else plural or f'{noun}s'}"
