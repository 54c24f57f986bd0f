"""Files that users drop on a page, and the process that trains controllers on them beside the running session."""

from __future__ import annotations

import math
import multiprocessing
import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from motionfields.authoring.worlds import Futures
from motionfields.base.errors import FormatError, MotionFieldsError
from motionfields.base.wording import counted
from motionfields.control.controller import FieldController
from motionfields.control.methods import load_controller
from motionfields.control.tasks import TASKS
from motionfields.control.training import Progress, train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats.loading import load_clips, read_suffixes
from motionfields.studio import messages as m
from motionfields.studio.loop import Loop
from motionfields.studio.session import Session
from motionfields.studio.warming import use_worlds, warm_beside
from motionfields.studio.world_mode import can_navigate

MOST_FILES = 500
MOST_BYTES = 2**30  # of all files together
TOLERANCE = 1e-2  # radians, of training here: a few times quicker than by the command, and as responsive
NAME = re.compile(r"[^/\\\x00-\x1f]{1,200}")
TRAINABLE = (".ctrl", ".field")

Tell = Callable[[str, float], None]
"""Function of what is being done, in words, and the share that is done."""


class Workshop:
    """A temporary folder for the files of pages, and at most one process that makes a controller of them."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files: dict[str, Path] = {}
        self._bytes = 0
        self._process: SpawnProcess | None = None

    def place(self, name: str) -> Path:
        """Return the path for a file `name` of a page; raise ValueError if it is not accepted."""
        suffix = Path(name).suffix.lower()
        known = (*TRAINABLE, *read_suffixes())
        if not NAME.fullmatch(name) or suffix not in known:
            raise ValueError(f"{name[:60]!r}: expected a file that ends in {', '.join(known)}")
        if len(self._files) >= MOST_FILES and name not in self._files:
            raise ValueError(f"{name[:60]!r}: expected at most {MOST_FILES} files")
        path = self.folder / f"{len(self._files):03d}{suffix}"  # no part of the name, whatever it is
        return self._files.setdefault(name, path)

    def count(self, size: int) -> None:
        """Count `size` bytes of a file that a page sends; raise ValueError if they are too many."""
        self._bytes += size
        if self._bytes > MOST_BYTES:
            raise ValueError(f"expected at most {MOST_BYTES / 2**20:.0f} MB in all files")

    def load(self, message: m.Load) -> None:
        """Go on with files of a page; raise ValueError if they were not sent or no task has that name."""
        missing = [name for name in message.files if name not in self._files]
        if missing:
            raise ValueError(f"{missing[0][:60]!r}: the file was not sent")
        if message.task not in TASKS:
            raise ValueError(f"task: expected {', '.join(TASKS)}, got {message.task[:40]!r}")
        files = [str(self._files[name]) for name in message.files]
        title = Path(message.files[0]).stem
        ready = [file for file in files if file.endswith(".ctrl")]
        if ready:
            self._follow(lambda: self._replace(ready, title))
        else:
            names = [Path(name).stem for name in message.files]
            self._train((files, names), message.task, 0.5, lambda made: self._replace([made], title))

    def retrain(self, message: m.Retrain) -> None:
        """Train the current task of the session again with another agility; raise ValueError if it cannot be."""
        session = self._loop.session
        assert session is not None
        controller = session.controller
        if not isinstance(controller, FieldController):
            raise ValueError("agility: only controllers of the motion field can be trained again here")
        task = type(controller.task).__name__.lower()
        if task not in TASKS:
            raise ValueError(f"agility: expected one of the tasks {', '.join(TASKS)}, got {task}")
        source = self.folder / "current.field"
        controller.field.save(source)
        agility = message.agility
        self._train(([str(source)], ["current"]), task, agility, lambda made: self._switch(made, session, agility))

    def enter(self, message: m.Enter) -> None:
        """Let characters enter the world, once their futures are tabulated; raise ValueError if they cannot."""
        session = self._loop.session
        assert session is not None
        controller, task = session.controller, session.task
        if not can_navigate(controller):
            raise ValueError("world: expected a velocity controller of the motion field; switch to the task velocity")
        source, output = self.folder / "entering.ctrl", str(self.folder / "entering.futures")
        controller.save(source)

        def use(output: str) -> None:
            futures = Futures.load(output)
            use_worlds(controller, futures)  # loads what the process compiled, beside the running session
            self._loop.call(partial(enter, futures=futures)).result()

        def enter(current: Session, futures: Futures) -> None:
            if current is session and session.task == task:
                session.enter(futures)

        self.tell("preparing to tabulate futures", 0.0)
        self._make(make_futures, (str(source),), output, use)

    @property
    def folder(self) -> Path:
        """The temporary folder, which is removed when the studio ends."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="motionfields-")
        return Path(self._folder.name)

    def close(self) -> None:
        """End the process and remove the files."""
        if self._process is not None:
            self._process.terminate()
            self._process.join()
        if self._folder is not None:
            self._folder.cleanup()

    def tell(self, doing: str, share: float) -> None:
        """Report progress to all pages."""
        self._loop.report(m.encode(m.Making(doing, share)))

    def _train(
        self, source: tuple[list[str], list[str]], task: str, agility: float, use: Callable[[str], None]
    ) -> None:
        """Train in a new process, which replaces a running one, and `use` the file that it makes."""
        output = str(self.folder / f"{task}-{agility:g}.ctrl")
        self._make(make_controller, (*source, task, agility), output, use)

    def _make(
        self, target: Callable[..., None], arguments: tuple[Any, ...], output: str, use: Callable[[str], None]
    ) -> None:
        """Run `target` with `arguments`, `output` and a connection in a new process, and `use` the file that it makes.

        The connection receives the progress; a negative share means that it failed.
        """
        if self._process is not None:
            self._process.terminate()
        context = multiprocessing.get_context("spawn")
        receiving, sending = context.Pipe(duplex=False)
        self._process = process = context.Process(target=target, args=(*arguments, output, sending), daemon=True)
        process.start()
        sending.close()

        def follow() -> None:
            while True:
                try:
                    doing, share = receiving.recv()
                except (EOFError, OSError):
                    break
                if share < 0.0:
                    raise MotionFieldsError(doing)
                self.tell(doing, share)
            process.join()
            if self._process is not process:
                return  # replaced by another
            if process.exitcode != 0:
                raise MotionFieldsError("it ended unexpectedly, perhaps for want of memory")
            use(output)

        self._follow(follow)

    def _follow(self, work: Callable[[], None]) -> None:
        """Run `work` on a thread; its errors are shown on all pages."""

        def run() -> None:
            try:
                work()
            except (MotionFieldsError, ValueError, OSError) as error:
                text = str(error)
                for name, path in self._files.items():
                    text = text.replace(str(path), name)
                self._loop.report(m.encode(m.Refused(text[:500])))
            finally:
                self.tell("", 1.0)

        threading.Thread(target=run, daemon=True).start()

    def _replace(self, files: Sequence[str], title: str) -> None:
        """Switch the loop to a new session with the controllers in `files`."""
        controllers = [load_controller(file) for file in files]
        session = Session(controllers, title=title)
        warm_beside(self._loop, session, controllers, files)
        self._loop.call(lambda _: self._loop.replace(session)).result()

    def _switch(self, file: str, session: Session, agility: float) -> None:
        """Add the controller in `file` to `session`, and switch to it."""
        controller = load_controller(file)

        def switch(current: Session) -> None:
            if current is session:
                session.apply(m.Do(session.add(controller, agility=agility)))

        self._loop.call(switch).result()


def make_controller(
    files: Sequence[str], names: Sequence[str], task: str, agility: float, output: str, sending: Connection
) -> None:
    """Train a controller for `task` on the field or takes in `files`, and save it as `output`; send the progress.

    `names` are what takes are called. If the files cannot be used, it sends why, with a negative share.
    """

    reached = 0.0

    def tell(doing: str, share: float) -> None:
        nonlocal reached
        reached = max(reached, share)  # residuals may rise for a while
        sending.send((doing, share if share < 0.0 else reached))

    try:
        field = field_of(files, names, tell)
        tell("finding transitions", 0.2)
        settings: dict[str, Any] = {"agility": agility, "tolerance": TOLERANCE}
        controller = train(field, TASKS.load(task)(), on_progress=lambda now: tell(*in_words(now)), **settings)
        controller.save(output)
    except (MotionFieldsError, ValueError, OSError, MemoryError) as error:
        tell(str(error)[:400] or type(error).__name__, -1.0)


def make_futures(controller: str, output: str, sending: Connection) -> None:
    """Tabulate the futures of the `controller` in a file, and save them as `output`; send the progress."""
    try:
        sending.send(("compiling the tabulation of futures (first run only)", 0.02))
        doing = "tabulating where characters will be"
        loaded = load_controller(controller)
        made = Futures.of(loaded, on_progress=lambda share: sending.send((doing, 0.05 + 0.85 * share)))
        sending.send(("compiling steering (first run only)", 0.92))
        use_worlds(loaded, made)
        made.save(output)
    except (MotionFieldsError, ValueError, OSError, MemoryError) as error:
        sending.send((str(error)[:400] or type(error).__name__, -1.0))


def field_of(files: Sequence[str], names: Sequence[str], tell: Tell) -> MotionField:
    """Return the field in `files`, or build one from the takes in them, which are called `names`."""
    fields = [file for file in files if file.endswith(".field")]
    if fields:
        return MotionField.load(fields[0])
    clips = []
    skipped: list[FormatError] = []
    for number, (file, name) in enumerate(zip(files, names, strict=True)):
        tell(f"reading {name}", 0.1 * number / len(files))
        found = load_clips(file, on_error=skipped.append)
        clips += [replace(clip, name=name if len(found) == 1 else f"{name} {clip.name}") for clip in found]
    if not clips:
        raise skipped[0]
    note = f"; {counted(len(skipped), 'file')} cannot be used" if skipped else ""
    tell(f"building states from {counted(len(clips), 'clip')}{note}", 0.1)
    return MotionField(MotionDatabase.build(clips))


def in_words(progress: Progress) -> tuple[str, float]:
    """Return the progress of training in words, and as a share of all work."""
    left = "" if math.isnan(progress.seconds_left) else f", about {progress.seconds_left:.0f} s left"
    near = math.log(max(progress.residual, TOLERANCE) / TOLERANCE) / math.log(1.0 / TOLERANCE)
    return f"training{left}", 0.3 + 0.65 * min(max(1.0 - near, 0.0), 1.0)
