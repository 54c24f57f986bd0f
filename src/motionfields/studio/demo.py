"""The demo: a character made of generated clips.

`InstantDemo` starts at once with a small controller that ships with the package; `scripts/make_demo.py` makes it. A
second process compiles the code for pushes and reasons meanwhile, and trains controllers for the other tasks. `Demo`
builds and trains a larger character on the first start and loads it from disk later.
"""

from __future__ import annotations

import lzma
import multiprocessing
import re
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

import motionfields
from motionfields.base.errors import ArtifactError, MotionFieldsError
from motionfields.base.files import replacing
from motionfields.control.controller import FieldController
from motionfields.control.grids import grid_size
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import TASKS
from motionfields.control.training import Progress, train
from motionfields.control.transitions import ControlSettings, find_transitions
from motionfields.control.values import ValueTable
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.planting import plant_clip
from motionfields.runtime.native_step import FEWEST_CHARACTERS
from motionfields.studio.loop import Loop
from motionfields.studio.session import Session

# Few enough to train in seconds. Mirror images provide the turns to the other side.
CLIPS = re.compile(
    r"walk_(forward|fast|slow|stop|stop_other_foot)|stand_idle|turn_left_(045|090|135|180)_quick|"
    r"turn_\w+_(060|120|180)_spin_\w+_(070_before|070_after|210_after|350_after)"
)
FIELD, PUSHES = "field", "pushes"  # other steps that the worker process reports as ready
ORDER = ("velocity", "direction", "line")  # tasks, in the order of training
TITLE = "demo"
SHIPPED = "demo.ctrl.xz"  # beside this file
GRACE = 4.0  # seconds for which the page has the processor to itself, before compiling starts
MANY = 2 * FEWEST_CHARACTERS  # enough characters for a crowd step on two threads


@dataclass(frozen=True)
class Demo:
    """Controllers of the demo, trained on the sample `clips` and stored in `folder`, which is created if missing."""

    folder: Path
    clips: re.Pattern[str] = CLIPS

    def path(self, task: str) -> Path:
        """Return the file path of the controller for `task`, or of the field if `task` is `FIELD`."""
        ending = "field" if task == FIELD else "ctrl"
        return self.folder / f"demo-{motionfields.__version__}-{FieldController.version}-{task}.{ending}"

    def prepare(self, loop: Loop) -> Session:
        """Return the session of the demo; tasks still in training are added to it once they are ready."""
        kept = {task: controller for task in ORDER if (controller := _loaded(self.path(task))) is not None}
        if len(kept) == len(ORDER):
            loop.tell("starting", 0.9)
            session = Session([kept[task] for task in ORDER], title=TITLE)
            session.warm_pushes()
            return session
        self.folder.mkdir(parents=True, exist_ok=True)
        context = multiprocessing.get_context("spawn")
        receiving, sending = context.Pipe(duplex=False)
        worker = context.Process(target=make_controllers, args=(self, sending), daemon=True)
        worker.start()
        sending.close()
        news = _news(receiving)
        loop.tell("compiling foot locking (first run only)", 0.1)
        _compile_planting()
        self._wait_for(FIELD, news, loop)
        loop.tell("compiling control and pushes (first run only)", 0.5)
        _compile_session(MotionField.load(self.path(FIELD)))
        self._wait_for(ORDER[0], news, loop)
        loop.tell("starting", 0.95)
        session = Session([FieldController.load(self.path(ORDER[0]))], title=TITLE)
        threading.Thread(target=self._add_others, args=(loop, news), daemon=True).start()
        return session

    def _wait_for(self, what: str, news: Iterator[str], loop: Loop) -> None:
        """Wait until the worker process reports `what`; raise `MotionFieldsError` if it ends before that."""
        for text in news:
            if text == what:
                return
            loop.tell(text, 0.7)
        raise MotionFieldsError(
            f"{self.folder}: the demo character could not be built in this folder; see the error above"
        )

    def _add_others(self, loop: Loop, news: Iterator[str]) -> None:
        """Extend the session of `loop` as the worker reports progress: first pushes, then the remaining tasks."""
        for text in news:
            if text == PUSHES:
                loop.call(Session.warm_pushes)
            elif text in ORDER and (controller := _loaded(self.path(text))) is not None:
                loop.call(partial(Session.add, controller=controller))


@dataclass(frozen=True)
class InstantDemo:
    """The character that ships with the package; controllers for other tasks are kept in `folder`."""

    folder: Path

    def path(self, task: str) -> Path:
        """Return the file path of the controller for `task`."""
        return self.folder / f"demo-{motionfields.__version__}-{FieldController.version}-instant-{task}.ctrl"

    def first(self) -> FieldController:
        """Return the controller that ships with the package, which is unpacked to `folder`."""
        path = self.path(ORDER[0])
        if (kept := _loaded(path)) is not None:
            return kept
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(lzma.decompress((files("motionfields.studio") / SHIPPED).read_bytes()))
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


def make_others(demo: InstantDemo, sending: Connection) -> None:
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


def make_controllers(demo: Demo, sending: Connection) -> None:
    """Build the field and train all controllers of `demo` in a worker process, and send the name of each when ready."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    from motionfields.motion.samples import generate_samples  # takes long to import

    clips = [sample.clip for sample in generate_samples(only=demo.clips)]
    field = MotionField(MotionDatabase.build(clips))
    field.save(demo.path(FIELD))
    sending.send(FIELD)

    def report(progress: Progress) -> None:
        sending.send(f"training, sweep {progress.sweep}")

    for task in ORDER:
        controller = train(field, TASKS.load(task)(), on_progress=report)
        controller.save(demo.path(task))
        sending.send(task)
        if task == ORDER[0]:
            session = Session([controller])  # fills the kernel cache for the parent process too
            session.why(session.number, 0)
            session.warm_pushes()
            sending.send(PUSHES)
            controller.crowd(MANY).step(np.zeros((MANY, len(controller.task.command_names))))


def _news(receiving: Connection) -> Iterator[str]:
    """Yield the messages of the worker process until it ends."""
    while True:
        try:
            yield receiving.recv()
        except (EOFError, OSError):
            return


def _compile_planting() -> None:
    """Compile foot locking, the slowest part of a frame to compile, by running it once."""
    from motionfields.motion.samples import generate_samples

    sample = generate_samples(frame_rate=30.0, only=re.compile("walk_forward"))[0]
    plant_clip(sample.clip, sample.contacts)


def _compile_session(field: MotionField) -> None:
    """Compile the remaining loops of a frame by running a session whose value table is all zeros."""
    task = TASKS.load(ORDER[0])().adapted(field.database)
    few = ControlSettings(neighbor_count=4)
    transitions = find_transitions(field, measure_root_motion(field.database), few)
    nothing = ValueTable(task.axes, np.zeros((field.database.state_count, grid_size(task.axes)), np.float32))
    session = Session([FieldController(field, task, few, None, transitions, nothing)])
    session.hello()


def _loaded(path: Path) -> FieldController | None:
    try:
        return FieldController.load(path)
    except (ArtifactError, OSError):
        return None
