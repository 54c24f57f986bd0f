"""The demo: a character of generated clips that ships with the package; `scripts/make_demo.py` makes it.

It moves at once. Meanwhile a second process compiles the code for pushes and reasons, and trains controllers for the
other tasks, which are kept for later starts.
"""

from __future__ import annotations

import hashlib
import lzma
import threading
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
from motionfields.studio.warming import PUSHES, become_ready, messages_of, use_everything

ORDER = ("velocity", "direction", "line")  # tasks; the first one ships
TITLE = "demo"
SHIPPED = "demo.ctrl.xz"  # beside this file


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
        for text in messages_of(make_others, self):
            if text == PUSHES:
                use_everything(self.first())  # loads what the worker compiled, beside the running session
                loop.call(become_ready)
            elif (controller := _loaded(self.path(text))) is not None:
                loop.call(partial(Session.add, controller=controller))


def make_others(demo: Demo, sending: Connection) -> None:
    """Compile the code of pushes and reasons, train for the other tasks, and send the name of each when ready."""
    first = demo.first()
    use_everything(first)
    sending.send(PUSHES)
    for task in ORDER[1:]:
        if _loaded(demo.path(task)) is None:
            train(first.field, TASKS.load(task)()).save(demo.path(task))
        sending.send(task)


def _loaded(path: Path) -> FieldController | None:
    try:
        return FieldController.load(path)
    except (ArtifactError, OSError):
        return None
