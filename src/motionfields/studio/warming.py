"""Survey the data and compile the code of pushes and reasons in a second process, beside a session that moves."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from motionfields.base.compiled import numba_is_installed
from motionfields.control.methods import load_controller
from motionfields.field import MotionField
from motionfields.runtime import Controller
from motionfields.studio import messages as m
from motionfields.studio.loop import Loop
from motionfields.studio.session import Session

if TYPE_CHECKING:
    from motionfields.authoring.worlds import Futures

PUSHES = "pushes"  # the message of a worker process that has compiled the code of pushes and reasons
GRACE = 4.0  # seconds for which the page has the processor to itself, before compiling starts


def warm_beside(loop: Loop, session: Session, controllers: Sequence[Controller], paths: Sequence[str]) -> None:
    """Let `session` move without pushes and reasons, which follow once a second process has compiled their code.

    That process also surveys the data. `paths` are the files or URLs of `controllers`, from which it loads them.
    """
    session.ready = False

    def get_ready() -> None:
        for message in messages_of(compile_for, tuple(paths)):
            if message != PUSHES:
                loop.call(partial(tell_findings, found=message))
                continue
            for controller in controllers:
                use_everything(controller)  # loads what the worker compiled, beside the running session
        if numba_is_installed():
            loop.call(become_ready)

    threading.Thread(target=get_ready, daemon=True).start()


def compile_for(paths: Sequence[str], sending: Connection) -> None:
    """Send the findings about the data of the controllers at `paths`; compile their code, and send `PUSHES`."""
    controllers = [load_controller(path) for path in paths]
    sending.send(find_faults(controllers[0].field))
    for controller in controllers:
        use_everything(controller)
    sending.send(PUSHES)


def find_faults(field: MotionField) -> tuple[m.Finding, ...]:
    """Return what characters cannot do with `field`, as `motionfields train` warns about it."""
    from motionfields.measure.survey import quick_statements

    return tuple(m.Finding(one.text, one.advice) for one in quick_statements(field))


def messages_of(work: Callable[..., None], *arguments: Any) -> Iterator[Any]:
    """Yield the messages of `work`, which runs in a new process with `arguments` and a connection, until it ends.

    There are none if nothing can be compiled here.
    """
    if not numba_is_installed():
        return
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
    """Run every function that a session may need once, to compile or load its code."""
    session = Session([controller])
    session.tick()
    session.why(session.number, 0)
    session.warm_pushes()


def use_worlds(controller: Controller, futures: Futures) -> None:
    """Let a character find its way around an obstacle for a moment, which compiles or loads the code of worlds."""
    from motionfields.base.world import Disc, Room, World

    session = Session([controller])
    session.enter(futures, World(Room((-5.0, -5.0, 5.0, 5.0), (Disc(2.0, 2.0, 0.5),))))
    session.apply(m.Gather(2))
    session.apply(m.Go(3.0, 3.0))
    for _ in range(8):
        session.tick()
    session.why_plan(session.number, 0)


def tell_findings(session: Session, found: tuple[m.Finding, ...]) -> None:
    """Let pages show these findings about the data."""
    session.findings = found


def become_ready(session: Session) -> None:
    """Offer pushes and reasons from now on."""
    session.warm_pushes()
    session.ready = True
