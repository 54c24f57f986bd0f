"""A small field of generated motion, shared by the tests of composition."""

from __future__ import annotations

import re

import pytest

from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.annotations import Annotations, Span
from motionfields.motion.samples import generate_samples

CLIPS = re.compile("walk_forward|turn_left_(090|135)_quick")


@pytest.fixture(scope="session")
def field() -> MotionField:
    return MotionField(MotionDatabase.build([sample.clip for sample in generate_samples(only=CLIPS)]))


@pytest.fixture(scope="session")
def labels(field: MotionField) -> Annotations:
    """A label for each clip: walk for all of it, and the side for the middle of turns."""
    database, spans = field.database, []
    for clip, name in enumerate(database.clip_names):
        if not name.endswith(".mirror"):
            seconds = float(database.clip_starts[clip + 1] - database.clip_starts[clip]) * database.frame_time
            spans.append(Span(name, 0.0, seconds, "walk"))
            if "turn" in name:
                spans.append(Span(name, 0.3 * seconds, 0.7 * seconds, "turn_left"))
    return Annotations(tuple(spans))
