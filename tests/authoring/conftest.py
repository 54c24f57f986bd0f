"""Small step graphs of generated motion, shared by the tests of planning and sketching."""

from __future__ import annotations

import re

import pytest

from motionfields.authoring.plan import StepGraph, StepSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = re.compile("walk_stop$|walk_forward|turn_left_(090|135)_quick|stand_idle")


@pytest.fixture(scope="session")
def graph() -> StepGraph:
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    return StepGraph.build(MotionField(MotionDatabase.build(clips)))


@pytest.fixture(scope="session")
def tiny() -> StepGraph:
    clips = [sample.clip for sample in generate_samples(only=re.compile("walk_stop$"))]
    settings = StepSettings(branching=2, most_jump=8.0)
    return StepGraph.build(MotionField(MotionDatabase.build(clips)), settings=settings)
