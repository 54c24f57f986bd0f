"""The characters of a session: one crowd of one controller, or one character for each of several controllers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.control.tasks import Ground
from motionfields.runtime import Crowd, Frame
from motionfields.runtime.physics.balls import Hit
from motionfields.studio.history import Decided


class Cast:
    """Characters in one or several crowds, numbered through; all crowds have one field and the same commands."""

    def __init__(self, crowds: Sequence[Crowd]) -> None:
        self.crowds = tuple(crowds)
        self._firsts = np.cumsum([0, *(crowd.count for crowd in crowds)])  # numbers of the first characters

    @property
    def count(self) -> int:
        """Number of characters."""
        return int(self._firsts[-1])

    @property
    def ground(self) -> Ground:
        """Positions and facings of all characters."""
        parts = [crowd.ground for crowd in self.crowds]
        return Ground(
            np.concatenate([part.position for part in parts]), np.concatenate([part.facing for part in parts])
        )

    @property
    def hits(self) -> list[tuple[int, Hit]]:
        """Hits by balls in the last frame, each with the number of the character."""
        return [
            (int(first) + hit.character, hit)
            for first, crowd in zip(self._firsts[:-1], self.crowds, strict=True)
            for hit in crowd.hits
        ]

    def find(self, character: int) -> tuple[Crowd, int]:
        """Return the crowd of `character`, and its number there."""
        place = int(np.searchsorted(self._firsts, character, side="right")) - 1
        return self.crowds[place], character - int(self._firsts[place])

    def throw(self, position: ArrayLike, velocity: ArrayLike) -> None:
        """Throw a ball (see `Crowd.throw`) that can hit a character in each crowd."""
        for crowd in self.crowds:
            crowd.throw(position, velocity)

    def step(self, commands: FloatArray) -> tuple[Frame, list[Decided]]:
        """Advance by one frame under `commands` [n, column]; return it, and the decision of each character."""
        frames, decided = [], list[Decided]()
        for first, crowd in zip(self._firsts[:-1], self.crowds, strict=True):
            told = commands[first : first + crowd.count]
            seen = crowd.observe(told).kept(keep_display=crowd.controller.policy is None)
            frame = crowd.step(told)
            frames.append(frame)
            chosen = frame.states - 1  # after the step, each character is at the state after the one it followed
            decided.append(Decided(crowd.controller, seen, chosen, frame.variants))
        if len(frames) == 1:
            return frames[0], decided
        return Frame(*(np.concatenate(tracks) for tracks in zip(*frames, strict=True))), decided

    def started_again(self, *, seed: int) -> Cast:
        """Return new characters of the same controllers at the current places, as far as these are known."""
        cast = Cast([Crowd(crowd.controller, crowd.count, seed=seed) for crowd in self.crowds])
        for crowd, old in zip(cast.crowds, self.crowds, strict=True):
            places = old.followers.position
            crowd.place(slice(None), np.where(np.isfinite(places), places, 0.0), crowd.ground.facing)
        return cast
