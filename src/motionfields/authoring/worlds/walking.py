"""Walks: characters that a pilot steers through a world until they have arrived, as clips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from motionfields.authoring.worlds.futures import Futures
from motionfields.authoring.worlds.pilot import Pilot
from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.checks import checked_number
from motionfields.base.world import Goal, Room, Start, World
from motionfields.control.contract import Controller
from motionfields.motion.clip import Clip
from motionfields.runtime import Crowd
from motionfields.runtime.recording import clips_from_frames

MOST_SECONDS: Final = 3600.0
AFTER: Final = 1.0  # seconds that a walk goes on after everyone has arrived


class Walk(NamedTuple):
    """Displayed, foot-locked motion of characters in a world."""

    world: World
    goals: tuple[Goal, ...]
    clips: list[Clip]  # one for each character
    reached: BoolArray  # [n]
    clearance: FloatArray  # [n], metres, least distance of the displayed root to an obstacle or side

    @property
    def seconds(self) -> float:
        """Length of the walk in seconds."""
        return self.clips[0].duration


def walk(
    controller: Controller,
    futures: Futures,
    world: World | Room,
    goals: Sequence[Goal] | None = None,
    *,
    starts: Sequence[Start] | None = None,
    seconds: float = 60.0,
    seed: int = 0,
    pilot: Pilot | None = None,
) -> Walk:
    """Return the walk of one character for each goal, until 1 s after all have arrived, and `seconds` at most.

    Goals and starts are those of the world unless they are given; without any start, characters start at the origin.
    `seed` draws the database states that they start from. `pilot` replaces the one made from the arguments.
    """
    checked_number("seconds", seconds, 0.1, MOST_SECONDS)
    place = World(world) if isinstance(world, Room) else world
    use = pilot or Pilot(futures, place, goals)
    begin = list(place.starts if starts is None else starts) or [Start(0.0, 0.0)]
    if len(begin) == 1:
        begin = begin * use.count
    if len(begin) != use.count:
        raise ValueError(f"starts: expected one for each of {use.count} goals, got {len(begin)}")
    crowd = Crowd(controller, use.count, seed=seed)
    places = np.array([(start.x, start.z) for start in begin])
    crowd.place(slice(None), places, np.array([start.facing for start in begin]))
    dt = controller.field.database.frame_time
    left, frames, clearance = round(AFTER / dt), [], np.full(use.count, np.inf)
    for number in range(max(1, round(seconds / dt))):
        frames.append(crowd.step(use.commands(crowd)))
        gaps = place.clearance(frames[-1].root_position[:, ::2], (number + 1) * dt)
        clearance = np.minimum(clearance, gaps)
        left -= 1 if use.reached.all() else 0
        if left < 0:
            break
    clips = clips_from_frames(frames, controller.field)
    return Walk(place, tuple(use.world.goals if goals is None else goals), clips, use.reached, clearance)
