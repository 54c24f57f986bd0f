"""The skeletons of a set of clips, and the clips that do not have the one which most share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from motionfields.base.errors import FormatError
from motionfields.field.database.building import SAME_BONES
from motionfields.motion.skeleton import Skeleton

OnError = Callable[[FormatError], None]


class Member(NamedTuple):
    """A clip of the set."""

    name: str
    path: str  # of its file
    rig: int  # number of its skeleton in `Rigs.skeletons`


class Rigs:
    """The different skeletons of clips, found one clip at a time."""

    def __init__(self) -> None:
        self.skeletons: list[Skeleton] = []  # in order of discovery
        self.members: list[Member] = []

    def add(self, skeleton: Skeleton, name: str, path: str) -> None:
        """Add the clip `name` of the file `path`."""
        alike = (n for n, one in enumerate(self.skeletons) if one.matches(skeleton, tolerance=SAME_BONES))
        number = next(alike, len(self.skeletons))
        if number == len(self.skeletons):
            self.skeletons.append(skeleton)
        self.members.append(Member(name, path, number))

    def kept(self, on_error: OnError) -> list[bool]:
        """Return which clips have the skeleton of most, in order; hand an error about each of the others to `on_error`.

        Unless more than half of the clips share a skeleton, all are kept: then the set has several bodies.
        """
        counts = np.bincount([one.rig for one in self.members], minlength=1)
        common = int(counts.argmax())
        if 2 * counts[common] <= len(self.members):
            return [True] * len(self.members)
        example = next(one.path for one in self.members if one.rig == common)
        reason = f"its skeleton is not that of most files, such as {example} (pass --skeleton to retarget it)"
        for one in self.members:
            if one.rig != common:
                on_error(FormatError(reason, path=one.path))
        return [one.rig == common for one in self.members]
