"""Registries of named implementations that load on first use and that installed packages extend by entry points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class Registry(Generic[T]):
    """Implementations by name: built-in ones first, then those that packages register in the entry-point `group`.

    `builtin` maps each name to `"module:attribute"`, so that listing names imports nothing. A package adds an
    implementation in its own metadata:

        [project.entry-points."motionfields.tasks"]
        patrol = "my_package.tasks:Patrol"

    A built-in name always means the built-in implementation; an entry point cannot replace it.
    """

    def __init__(self, group: str, builtin: Mapping[str, str]) -> None:
        self.group = group
        self._builtin = dict(builtin)
        self._added: dict[str, T] = {}

    @cached_property
    def _installed(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points

        return {point.name: point for point in entry_points(group=self.group)}

    def __iter__(self) -> Iterator[str]:
        """Iterate over all names: built-in, then added in this process, then installed."""
        return iter(dict.fromkeys([*self._builtin, *self._added, *self._installed]))

    def __contains__(self, name: object) -> bool:
        return name in self._builtin or name in self._added or name in self._installed

    def add(self, name: str, implementation: T) -> None:
        """Register `implementation` as `name` in this process; raise ValueError if a built-in one has that name."""
        if name in self._builtin:
            raise ValueError(f"{self.group}: {name!r} is built in; choose another name")
        self._added[name] = implementation

    def load(self, name: str) -> T:
        """Return the implementation called `name`; a ValueError that lists the known names if there is none."""
        if name in self._builtin:
            module, _, attribute = self._builtin[name].partition(":")
            found: Any = getattr(import_module(module), attribute)
        elif name in self._added:
            found = self._added[name]
        elif name in self._installed:
            found = self._installed[name].load()
        else:
            raise ValueError(f"{self.group}: expected one of {', '.join(self)}, got {name!r}")
        return found  # type: ignore[no-any-return]
