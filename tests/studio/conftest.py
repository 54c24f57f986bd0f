"""Controllers of a few generated clips, and a studio that really runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, Line, Velocity
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.studio import Access, Session, StudioServer, listen
from motionfields.studio import messages as m

CLIPS = re.compile(
    r"walk_(forward|slow|stop)|stand_idle|turn_left_(045|090|135|180)_quick|turn_left_180_spin_inside_.*"
)


@pytest.fixture(scope="session")
def controllers() -> list[FieldController]:
    """Direction, velocity and line on one small field."""
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    field = MotionField(MotionDatabase.build(clips))
    settings = ControlSettings(neighbor_count=50, candidate_factor=2)
    return [train(field, task, settings=settings, tolerance=0.1) for task in (Direction(), Velocity(), Line())]


@pytest.fixture
def session(controllers: list[FieldController]) -> Session:
    return Session(controllers)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    from playwright.sync_api import sync_playwright

    from studio_page import CHROMIUM, FLAGS

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


class Running:
    """A studio on a free port of this machine, and pages that talk to it."""

    def __init__(self, server: StudioServer) -> None:
        self.server = server
        self.access = server.access

    @property
    def url(self) -> str:
        return self.access.url

    def page(self) -> ClientConnection:
        return connect(f"{self.url.replace('http', 'ws', 1)}ws", max_size=None)

    def ask(self, job: Callable[[Session], Any]) -> Any:
        """What `job` makes of the session, on its own thread."""
        return self.server.loop.call(job).result(timeout=300.0)


def run_studio(controllers: list[FieldController], *, access: Access | None = None) -> Iterator[Running]:
    """A studio while the caller needs it, on a free port unless `access` says where."""
    with listen("127.0.0.1", access.port if access else 0) as listening:
        here = access or Access.on("127.0.0.1", listening.getsockname()[1])
        server = StudioServer(lambda _: Session(controllers), here)
        with server.running(listening):
            yield Running(server)


@pytest.fixture
def studio(controllers: list[FieldController]) -> Iterator[Running]:
    yield from run_studio(controllers)


def read(page: ClientConnection, kind: str, *, timeout: float = 300.0) -> dict[str, Any]:
    """The next message of a `kind` that comes to a page."""
    while True:
        message: dict[str, Any] = msgspec.msgpack.decode(page.recv(timeout=timeout, decode=False))
        if message["type"] == kind:
            return message


def send(page: ClientConnection, message: m.Message) -> None:
    page.send(m.encode(message))
