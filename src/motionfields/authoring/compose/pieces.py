"""The pieces of a motion: which part of which take is shown when, and the mirror images of states."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from motionfields.authoring.compose.solving import cut_frames
from motionfields.base.arrays import IntArray
from motionfields.field.database import MotionDatabase
from motionfields.field.database.building import MIRROR
from motionfields.field.database.takes import original_clip


class Piece(NamedTuple):
    """An uninterrupted part of a take in a composed motion."""

    start: float  # seconds in the composed motion
    end: float
    take: str  # name of the clip in the database
    take_start: float  # seconds in the take
    mirrored: bool


def pieces_of(database: MotionDatabase, path: IntArray) -> tuple[Piece, ...]:
    """Return the pieces of `path` [frame], in order."""
    edges = [0, *cut_frames(path).tolist(), len(path)]
    pieces = []
    for start, end in pairwise(edges):
        clip = int(database.clip_of[path[start]])
        offset = float(path[start] - database.clip_starts[clip]) * database.frame_time
        times = start * database.frame_time, end * database.frame_time
        _, mirrored = original_clip(database, clip)
        pieces.append(Piece(*times, database.clip_names[clip], offset, mirrored))
    return tuple(pieces)


def mirror_images(database: MotionDatabase) -> IntArray:
    """Return the state [state] of the mirror image of each state; the state itself where there is none."""
    number = {name: clip for clip, name in enumerate(database.clip_names)}
    images = np.arange(database.state_count)
    for name, clip in number.items():
        other = number.get(f"{name}{MIRROR}")
        if other is not None:
            own, image = (np.arange(database.clip_starts[one], database.clip_starts[one + 1]) for one in (clip, other))
            count = min(len(own), len(image))
            images[own[:count]], images[image[:count]] = image[:count], own[:count]
    return images


def unmirrored(database: MotionDatabase, states: IntArray) -> IntArray:
    """Return `states` [n] with those of mirror images replaced by the states that they are images of."""
    return np.asarray(np.minimum(states, mirror_images(database)[states]))
