"""One small velocity controller and its futures, for all tests of worlds."""

from __future__ import annotations

import re

import pytest

from motionfields.authoring.worlds import Futures
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = re.compile("walk_stop$|turn_left_090_quick")


@pytest.fixture(scope="session")
def walker() -> FieldController:
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    return train(MotionField(MotionDatabase.build(clips)), Velocity(), tolerance=0.2)


@pytest.fixture(scope="session")
def futures(walker: FieldController) -> Futures:
    return Futures.of(walker)
