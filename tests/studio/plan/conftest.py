"""A page that plans with a small step graph, shared by all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from motionfields.authoring.plan import StepGraph, StepSettings
from motionfields.base.world import Box, Room
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.studio import Access, PlanServer, PlanSession, listen
from tests.authoring.conftest import CLIPS

ROOM = Room((-3.0, -2.0, 4.0, 6.0), (Box(0.3, 2.0, 2.0, 0.5),))


@pytest.fixture(scope="package")
def session() -> PlanSession:
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    field = MotionField(MotionDatabase.build(clips))
    graph = StepGraph.build(field, settings=StepSettings(most_jump=8.0))  # well connected: quick to search
    return PlanSession(graph, room=ROOM, sketch_width=40)


@pytest.fixture(scope="package")
def server(session: PlanSession) -> Iterator[PlanServer]:
    with listen("127.0.0.1", 0) as listening:
        running = PlanServer(lambda _: session, Access.on("127.0.0.1", listening.getsockname()[1]))
        with running.running(listening):
            yield running
