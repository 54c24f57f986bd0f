"""A field small enough to be worked through by plain loops, and the paper's controller on it."""

from __future__ import annotations

import pytest

from motionfields.control.methods.paper import PaperController, train_paper
from motionfields.control.tasks import Direction
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = ("walk_forward", "turn_left_045_gentle", "turn_left_090_quick", "turn_left_135_quick")


@pytest.fixture(scope="package")
def field() -> MotionField:
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    return MotionField(MotionDatabase.build(clips))


@pytest.fixture(scope="package")
def controller(field: MotionField) -> PaperController:
    # Eq. 16 and a pace: few clips and the paper's actions do not turn for the finer reward that ours is given.
    return train_paper(field, Direction(pace_weight=0.4, last_weight=0.0))
