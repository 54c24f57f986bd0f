"""Compile the code of pushes and reasons in a second process, beside a session that already moves."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from motionfields.base.errors import ArtifactError
from motionfields.control.methods import load_controller
from motionfields.runtime import Controller
from motionfields.studio.loop import Loop
from motionfields.studio.session import Session

PUSHES = "pushes"  # the message of a worker process that has compiled the code of pushes and reasons
GRACE = 4.0  # seconds for which the page has the processor to itself, before compiling starts


def warm_beside(loop: Loop, session: Session, controllers: Sequence[Controller], paths: Sequence[str]) -> None:
    """Let `session` move without pushes and reasons, which follow once a second process has compiled their code.

    `paths` are the files or URLs of `controllers`, from which that process loads them.
    """
    session.ready = False

    def get_ready() -> None:
        for _ in messages_of(compile_for, tuple(paths)):
            for controller in controllers:
                use_everything(controller)  # loads what the worker compiled, beside the running session
        loop.call(become_ready)

    threading.Thread(target=get_ready, daemon=True).start()


def compile_for(paths: Sequence[str], sending: Connection) -> None:
    """Compile the code that sessions with the controllers at `paths` run on request; then send `PUSHES`."""
    with suppress(ArtifactError):  # the studio has ended and removed the files of its pages
        for path in paths:
            use_everything(load_controller(path))
        sending.send(PUSHES)


def messages_of(work: Callable[..., None], *arguments: Any) -> Iterator[str]:
    """Yield the messages of `work`, which runs in a new process with `arguments` and a connection, until it ends."""
    time.sleep(GRACE)
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    context.Process(target=_run, args=(work, arguments, sending), daemon=True).start()
    sending.close()
    while True:
        try:
            yield receiving.recv()
        except (EOFError, OSError):
            return


def _run(work: Callable[..., None], arguments: tuple[Any, ...], sending: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    work(*arguments, sending)


def use_everything(controller: Controller) -> None:
    """Run what a session runs on request once, which compiles or loads its code."""
    session = Session([controller])
    session.tick()
    session.why(session.number, 0)
    session.warm_pushes()


def become_ready(session: Session) -> None:
    """Offer pushes and reasons from now on."""
    session.warm_pushes()
    session.ready = True
