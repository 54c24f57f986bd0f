"""A small field with labels, and a page that composes from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from motionfields.field import MotionField
from motionfields.motion.annotations import Annotations
from motionfields.studio import Access, ComposeServer, ComposeSession, listen
from tests.authoring.compose.conftest import field, labels

__all__ = ["field", "labels"]


@pytest.fixture
def session(field: MotionField, labels: Annotations) -> ComposeSession:
    return ComposeSession(field, labels)


@pytest.fixture
def server(session: ComposeSession) -> Iterator[ComposeServer]:
    with listen("127.0.0.1", 0) as listening:
        running = ComposeServer(lambda _: session, Access.on("127.0.0.1", listening.getsockname()[1]))
        with running.running(listening):
            yield running
