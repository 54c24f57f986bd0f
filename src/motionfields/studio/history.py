"""History of the last half minute: every frame as it was sent, and the decisions that led to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from motionfields.base.arrays import IntArray
from motionfields.runtime import Controller, DisplayPose, Observation

if TYPE_CHECKING:
    from motionfields.authoring.worlds import Pilot
    from motionfields.authoring.worlds.scoring import Decision
    from motionfields.base.world import World


class Decided(NamedTuple):
    """Input and outcome of one decision of all characters of a controller."""

    controller: Controller
    seen: Observation
    chosen: IntArray  # [n], the state that each character followed
    chosen_variant: IntArray  # [n], the variant of its root motion

    def of(self, character: int) -> Decided:
        """Return the decision of `character` alone."""
        one = slice(character, character + 1)
        return Decided(self.controller, self.seen.take(one), self.chosen[one], self.chosen_variant[one])


class Steered(NamedTuple):
    """The pilot that steered the characters of one frame, and its world."""

    pilot: Pilot
    world: World
    decision: Decision | None  # of those who decided in this frame, if anyone did


class Moment(NamedTuple):
    """One frame of the history."""

    number: int
    message: bytes  # the frame as it was sent
    shown: DisplayPose  # the displayed poses, rotations as float32
    before: DisplayPose  # the displayed poses of the previous frame; of the first frame, its own
    decided: Sequence[Decided]  # the decisions that led to this frame, of the characters in order
    steered: Steered | None = None  # what steered the characters through a world, if they were in one

    def decided_by(self, character: int) -> Decided:
        """Return the decision of `character` alone; raise ValueError if it is not in this frame."""
        number = character
        for one in self.decided:
            if number < len(one.chosen):
                return one.of(number)
            number -= len(one.chosen)
        count = sum(len(one.chosen) for one in self.decided)
        raise ValueError(f"character: expected 0 to {count - 1} in frame {self.number}, got {character}")


class History:
    """The newest `length` moments, numbered consecutively."""

    def __init__(self, length: int) -> None:
        self._moments: deque[Moment] = deque(maxlen=length)

    def __len__(self) -> int:
        return len(self._moments)

    def add(self, moment: Moment) -> None:
        """Add the newest `moment`, and drop the oldest if there are more than `length`."""
        self._moments.append(moment)

    @property
    def oldest(self) -> int:
        """Frame number of the oldest moment."""
        return self._moments[0].number

    @property
    def newest(self) -> int:
        """Frame number of the newest moment."""
        return self._moments[-1].number

    def last_alike(self) -> list[Moment]:
        """Return the newest moments that have as many characters as the newest one, in order."""
        found: list[Moment] = []
        for moment in reversed(self._moments):
            if moment.shown.root_position.shape != self._moments[-1].shown.root_position.shape:
                break
            found.append(moment)
        return found[::-1]

    def at(self, number: int) -> Moment:
        """Return the moment `number`, clamped to the oldest and newest ones."""
        return self._moments[min(max(number - self.oldest, 0), len(self) - 1)]
