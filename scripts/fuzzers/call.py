"""A call with good arguments, for the fuzzer of calls to spoil."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A function with good arguments, each of which may be replaced."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed
    fresh: Callable[[], Any] | None = None  # makes the object whose method `function` is
