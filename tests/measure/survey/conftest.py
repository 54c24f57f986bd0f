"""A small set of generated clips that has no hole and no fault, built once."""

from __future__ import annotations

import re

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey.tracks import Tracks, measure_tracks
from motionfields.motion.clip import Clip
from motionfields.motion.samples import generate_samples

WHOLE = re.compile(
    r"walk_(forward|fast|slow|stop|stop_other_foot|speed_up|slow_down|backward)|stand_idle|sidestep_left"
    r"|turn_(left|right)_(045|090|180)_quick|turn_(left|right)_120_spin_\w+_(070_before|070_after|210_after|350_after)"
)


def clip_called(name: str) -> Clip:
    """The generated clip of this name, at 30 frames/s."""
    return generate_samples(frame_rate=30.0, only=[name])[0].clip


@pytest.fixture(scope="session")
def whole_field() -> MotionField:
    """A field of generated clips and mirror images with all kinds of motion and no fault."""
    clips = [sample.clip for sample in generate_samples(frame_rate=30.0, only=WHOLE)]
    return MotionField(MotionDatabase.build(clips))


@pytest.fixture(scope="session")
def whole(whole_field: MotionField) -> Tracks:
    """The tracks of the whole set."""
    return measure_tracks(whole_field.database)


def only(tracks: Tracks, *names: str, scale: FloatArray | None = None) -> Tracks:
    """The clips called `names` alone, in that order; their velocities are multiplied by `scale` [clip]."""
    return parts(tracks, [(name, 0.0, 1.0) for name in names], scale)


def parts(tracks: Tracks, wanted: list[tuple[str, float, float]], scale: FloatArray | None = None) -> Tracks:
    """Parts of clips: name, and the shares of the clip at which the part begins and ends."""
    pieces = []
    for name, begin, end in wanted:
        clip = tracks.names.index(name)
        first, length = int(tracks.starts[clip]), int(np.diff(tracks.starts)[clip])
        pieces.append(np.arange(first + round(begin * length), first + round(end * length)))
    states = np.concatenate(pieces)
    factor = np.repeat(np.ones(len(pieces)) if scale is None else scale, [len(piece) for piece in pieces])
    return Tracks(
        tracks.velocity[states] * factor[:, np.newaxis],
        tracks.turning[states].copy(),
        tracks.contacts[states].copy(),
        np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]),
        tuple(name for name, *_ in wanted),
        tracks.frame_time,
    )
