"""The newest motions of a session, by number, so that pages can still ask for them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Generic, TypeVar

KEPT: Final = 40  # motions

Motion = TypeVar("Motion")


class Shelf(Generic[Motion]):
    """Keeps the newest motions; read and written on any thread."""

    def __init__(self) -> None:
        self.number = 0  # of the newest motion
        self._kept: OrderedDict[int, Motion] = OrderedDict()

    def add(self, motion: Motion) -> int:
        """Keep `motion` and return its number."""
        self.number += 1
        self._kept[self.number] = motion
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self.number

    def get(self, number: int) -> Motion | None:
        """Return the motion `number`; None if it is not kept any more."""
        return self._kept.get(number)
