"""How contract checks fail."""

from __future__ import annotations


def require(held: bool, message: str) -> None:
    """Raise `AssertionError` with `message` unless something `held`."""
    if not held:
        raise AssertionError(message)
