"""One small velocity controller and its futures, for all tests of worlds."""

from __future__ import annotations

import re
from functools import cache

import pytest

from motionfields.authoring.worlds import Futures
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = re.compile("walk_stop$|turn_left_090_quick")


@cache
def trained() -> tuple[FieldController, Futures]:
    """A controller and its futures, made once in a process."""
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    controller = train(MotionField(MotionDatabase.build(clips)), Velocity(), tolerance=0.2)
    return controller, Futures.of(controller)


@pytest.fixture(scope="session")
def walker() -> FieldController:
    return trained()[0]


@pytest.fixture(scope="session")
def futures() -> Futures:
    return trained()[1]
