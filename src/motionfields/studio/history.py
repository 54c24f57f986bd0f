"""The last half minute: every frame as it was sent, and what each character decided in it."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from motionfields.base.arrays import IntArray
from motionfields.runtime import Controller, DisplayPose, Observation


class Decided(NamedTuple):
    """What all characters knew when they decided how to move, and what they chose."""

    controller: Controller
    seen: Observation
    chosen: IntArray  # [n], the states that they followed
    chosen_variant: IntArray  # [n]


class Moment(NamedTuple):
    """One frame."""

    number: int
    message: bytes  # the frame as it was sent
    shown: DisplayPose  # the poses in it, float32
    before: DisplayPose  # the poses in the frame before; of the very first one, the same
    decided: Decided  # the decision that led to it


class History:
    """The newest `length` moments, their numbers rising by one."""

    def __init__(self, length: int) -> None:
        self._moments: deque[Moment] = deque(maxlen=length)

    def __len__(self) -> int:
        return len(self._moments)

    def add(self, moment: Moment) -> None:
        """Add the newest `moment`; the oldest one is forgotten where there are too many."""
        self._moments.append(moment)

    @property
    def oldest(self) -> int:
        """The number of the oldest moment."""
        return self._moments[0].number

    @property
    def newest(self) -> int:
        """The number of the newest moment."""
        return self._moments[-1].number

    def at(self, number: int) -> Moment:
        """The moment `number`, or the oldest or newest one where it is out of reach."""
        return self._moments[min(max(number - self.oldest, 0), len(self) - 1)]
