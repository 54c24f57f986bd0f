"""The captured clips behind the clips of a database, which also holds mirror images and parts of pruned clips."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from motionfields.base.arrays import BoolArray, IntArray
from motionfields.field.database.building import MIRROR
from motionfields.field.database.database import MotionDatabase

AGAIN_TIME = 20.0 / 30.0  # seconds within which a motion should not show a state again


def takes_of(database: MotionDatabase) -> IntArray:
    """Return the number of the captured clip [state] of each state of `database`; mirror images count as their clip.

    Mirror images and the parts of pruned clips are recognised by the names that the database gives them. The n-th clip
    of a name belongs to the n-th mirror image of that name.
    """
    seen: Counter[str] = Counter()
    takes: dict[tuple[str, int], int] = {}
    take_of = []
    for name, count in zip(database.clip_names, np.diff(database.clip_starts).tolist(), strict=True):
        bare = _captured_clip(name, mirrored=database.report.mirrored)
        take_of.append(np.full(count, takes.setdefault((bare, seen[name]), len(takes))))
        seen[name] += 1
    return np.concatenate(take_of)


def original_clip(database: MotionDatabase, clip: int) -> tuple[str, bool]:
    """Return the name of the clip that clip number `clip` of `database` shows, and whether it is its mirror image."""
    name = database.clip_names[clip]
    mirrored = database.report.mirrored and name.endswith(MIRROR)
    return (name.removesuffix(MIRROR) if mirrored else name), mirrored


def shown_again(states: IntArray, frame_time: float) -> BoolArray:
    """Return which of `states` [frame] were also shown within the last `AGAIN_TIME` seconds."""
    again = np.zeros(len(states), np.bool_)
    for back in range(1, min(round(AGAIN_TIME / frame_time), len(states) - 1) + 1):
        again[back:] |= states[back:] == states[:-back]
    return again


def _captured_clip(name: str, *, mirrored: bool) -> str:
    """Return the name of the captured clip behind the database clip `name`."""
    found = re.fullmatch(rf"(.*?)({re.escape(MIRROR)})?(?:@\d+)?", name, re.DOTALL)
    assert found is not None
    bare, image = found.groups()
    return str(bare if mirrored or image is None else bare + image)
