"""The demo: a character of generated clips that ships with the package; `scripts/make_demo.py` makes it.

It moves at once. Meanwhile a second process compiles the code for pushes and reasons, and trains controllers for the
other tasks, which are kept for later starts.
"""

from __future__ import annotations

import hashlib
import lzma
import multiprocessing
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from multiprocessing.connection import Connection
from pathlib import Path

from motionfields.base.errors import ArtifactError
from motionfields.base.files import replacing
from motionfields.control.controller import FieldController
from motionfields.control.tasks import TASKS
from motionfields.control.training import train
from motionfields.studio.loop import Loop
from motionfields.studio.session import Session

PUSHES = "pushes"  # what the worker process reports besides tasks
ORDER = ("velocity", "direction", "line")  # tasks; the first one ships
TITLE = "demo"
SHIPPED = "demo.ctrl.xz"  # beside this file
GRACE = 4.0  # seconds for which the page has the processor to itself, before compiling starts


@cache
def shipped() -> bytes:
    """Return the compressed controller that ships with the package."""
    return (files("motionfields.studio") / SHIPPED).read_bytes()


@dataclass(frozen=True)
class Demo:
    """The character that ships with the package; controllers for other tasks are kept in `folder`."""

    folder: Path

    def path(self, task: str) -> Path:
        """Return the file path of the controller for `task`, which names the character that ships with the package."""
        return self.folder / f"demo-{hashlib.sha256(shipped()).hexdigest()[:12]}-{task}.ctrl"

    def first(self) -> FieldController:
        """Return the controller that ships with the package, which is unpacked to `folder`."""
        path = self.path(ORDER[0])
        if (kept := _loaded(path)) is not None:
            return kept
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(lzma.decompress(shipped()))
        return FieldController.load(path)

    def prepare(self, loop: Loop) -> Session:
        """Return a session that moves now; pushes, reasons and other tasks follow once they are ready."""
        loop.tell("starting", 0.5)
        session = Session([self.first()], title=TITLE)
        session.ready = False
        threading.Thread(target=self._get_ready, args=(loop,), daemon=True).start()
        return session

    def _get_ready(self, loop: Loop) -> None:
        """Compile what the session needs and train for other tasks, in a process of its own; then tell the session."""
        time.sleep(GRACE)
        context = multiprocessing.get_context("spawn")
        receiving, sending = context.Pipe(duplex=False)
        worker = context.Process(target=make_others, args=(self, sending), daemon=True)
        worker.start()
        sending.close()
        for text in _news(receiving):
            if text == PUSHES:
                _use_everything(self.first())  # loads what the worker compiled, beside the running session
                loop.call(_become_ready)
            elif (controller := _loaded(self.path(text))) is not None:
                loop.call(partial(Session.add, controller=controller))


def make_others(demo: Demo, sending: Connection) -> None:
    """Compile the code of pushes and reasons, train for the other tasks, and send the name of each when ready."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    first = demo.first()
    _use_everything(first)
    sending.send(PUSHES)
    for task in ORDER[1:]:
        if _loaded(demo.path(task)) is None:
            train(first.field, TASKS.load(task)()).save(demo.path(task))
        sending.send(task)


def _use_everything(controller: FieldController) -> None:
    """Run what a session runs on request once, which compiles or loads its code."""
    session = Session([controller])
    session.tick()
    session.why(session.number, 0)
    session.warm_pushes()


def _become_ready(session: Session) -> None:
    session.warm_pushes()
    session.ready = True


def _news(receiving: Connection) -> Iterator[str]:
    """Yield the messages of the worker process until it ends."""
    while True:
        try:
            yield receiving.recv()
        except (EOFError, OSError):
            return


def _loaded(path: Path) -> FieldController | None:
    try:
        return FieldController.load(path)
    except (ArtifactError, OSError):
        return None
