"""Small motion graphs of generated frames, and a stroke."""

from __future__ import annotations

import re

import numpy as np
import pytest

from motionfields.authoring.plan.frames import FrameGraph, FrameSettings, MixedGraph, Sheet, make_sheet, well_connected
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = re.compile("walk_stop$|turn_left_090_quick")
SETTINGS = FrameSettings(threshold=0.12, partners=2, shares=(0.5,), branching=6)


@pytest.fixture(scope="session")
def walking() -> MotionField:
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    return MotionField(MotionDatabase.build(clips, mirror=False))


@pytest.fixture(scope="session")
def frame_graph(walking: MotionField) -> FrameGraph:
    return FrameGraph.build(walking, settings=SETTINGS)


@pytest.fixture(scope="session")
def connected_graph(walking: MotionField) -> FrameGraph:
    return well_connected(walking, settings=SETTINGS)


@pytest.fixture(scope="session")
def mixed_graph(frame_graph: FrameGraph) -> MixedGraph:
    return MixedGraph.build(frame_graph)


@pytest.fixture(scope="session")
def sheet() -> Sheet:
    return make_sheet(np.array([(0.0, 0.0), (0.0, 3.0)]), np.array([0.0, 3.0]))
