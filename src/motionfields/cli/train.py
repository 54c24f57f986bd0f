"""`motionfields train`: a controller for a task, from a field."""

from __future__ import annotations

import math
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.cli.options import Agility, Field, Warped, checked_output
from motionfields.errors import FormatError

if TYPE_CHECKING:
    from motionfields.controller import FieldController
    from motionfields.field import MotionField
    from motionfields.methods import GraphController
    from motionfields.tasks import Task
    from motionfields.training import Progress


class TaskName(StrEnum):
    """The tasks that come with the package."""

    DIRECTION = "direction"
    LINE = "line"
    VELOCITY = "velocity"


class MethodName(StrEnum):
    """The methods of control."""

    FIELD = "field"
    GRAPH = "graph"
    MATCHING = "matching"


def train(
    field: Field,
    task: Annotated[TaskName, typer.Option(help="What the character is to do.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write, .ctrl.", show_default=False)],
    method: Annotated[
        MethodName, typer.Option(help="How it decides: by the motion field, a graph of clips, or motion matching.")
    ] = MethodName.FIELD,
    agility: Agility = 0.5,
    warp: Warped = False,
    tolerance: Annotated[
        float, typer.Option(help="Radians within which a sweep must change all values alike.", min=1e-6, max=1.0)
    ] = 1e-3,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A file to go on from after an interruption; written every few sweeps.")
    ] = None,
    compress: Annotated[
        float | None, typer.Option(help="Make the values so many times smaller, for example 15.", min=1.0)
    ] = None,
) -> None:
    """Train a controller that does a task with the motion of a field."""
    from motionfields.field import MotionField
    from motionfields.tasks import TASKS

    checked_output(output, (".ctrl",))
    if checkpoint is not None:
        _check_checkpoint(checkpoint, output)
    if method is not MethodName.FIELD:
        _check_options(method, warp, checkpoint, compress)
    loaded = MotionField.load(field)
    _check_standing(task, loaded, field)
    wanted = TASKS[task.value]()
    if method is MethodName.FIELD:
        told = _train_field(loaded, wanted, output, agility, tolerance, warp, checkpoint, compress)
    else:
        told = _train_rival(method, loaded, wanted, output, agility, tolerance, warp)
    print(f"{output}: {task.value}, {told}")


def _train_field(
    field: MotionField,
    task: Task,
    output: Path,
    agility: float,
    tolerance: float,
    warp: bool,
    checkpoint: Path | None,
    compress: float | None,
) -> str:
    from motionfields import training
    from motionfields.moves import Warp

    turning = Warp() if warp else None
    memory = training.estimate_memory(field, task, warp=turning)
    print(f"training takes up to {memory / 1e6:.0f} MB besides the field", flush=True)
    began = time.perf_counter()
    with TrainingStatus() as status:
        controller = training.train(
            field,
            task,
            agility=agility,
            warp=turning,
            tolerance=tolerance,
            checkpoint=checkpoint,
            on_progress=status,
        )
        seconds = time.perf_counter() - began
        controller.save(output)
        if compress is not None:
            _save_compressed(controller, compress, output)
    return f"{field.database.state_count} states, {_ended(controller, tolerance)}, {seconds:.1f} s"


def _train_rival(
    method: MethodName, field: MotionField, task: Task, output: Path, agility: float, tolerance: float, warp: bool
) -> str:
    from motionfields import methods

    began = time.perf_counter()
    with TrainingStatus():
        if method is MethodName.GRAPH:
            graph = methods.train_graph(field, task, agility=agility, tolerance=tolerance)
            graph.save(output)
            said = f"graph of {len(graph.clips.start)} clips, {_ended(graph, tolerance)}"
        else:
            settings = methods.MatchingSettings()
            settings = settings.warped() if warp else settings
            matching = methods.train_matching(field, task, agility=agility, settings=settings)
            matching.save(output)
            said = f"matching of {len(matching.starts)} states"
    return f"{said}, {time.perf_counter() - began:.1f} s"


def _ended(controller: FieldController | GraphController, tolerance: float) -> str:
    """How value iteration ended, in words."""
    ended = "converged" if controller.residual <= tolerance else "not converged"
    return f"{controller.sweeps} sweeps, residual {controller.residual:.2g}, {ended}"


class TrainingStatus:
    """A line on the standard error stream that tells how far training is; a context, and a callback for progress."""

    def __init__(self, what: str = "training") -> None:
        from rich.console import Console

        self._what = what
        self._status = Console(stderr=True).status(f"{what} (the very first run compiles, for half a minute)")

    def __enter__(self) -> TrainingStatus:
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def __call__(self, progress: Progress) -> None:
        """Show `progress`."""
        self.show(f"{self._what}: {progress_text(progress)}")

    def show(self, text: str) -> None:
        """Show any other `text`."""
        self._status.update(text)


def progress_text(progress: Progress) -> str:
    """Sweep, residual and, once it can be told, the time left."""
    left = "" if math.isnan(progress.seconds_left) else f", about {progress.seconds_left:.0f} s left"
    return f"sweep {progress.sweep}, residual {progress.residual:.2g}{left}"


def _check_options(method: MethodName, warp: bool, checkpoint: Path | None, compress: float | None) -> None:
    """Raises ValueError for options that a `method` other than the field does not know."""
    given = {
        "--warp": warp and method is MethodName.GRAPH,
        "--checkpoint": checkpoint is not None,
        "--compress": compress is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise ValueError(f"{name} is nothing that --method {method.value} knows; leave it out")


def _check_checkpoint(checkpoint: Path, output: Path) -> None:
    if checkpoint.resolve() == output.resolve():
        raise FormatError("is the output; name another file for the checkpoint", path=str(checkpoint))
    if not checkpoint.parent.is_dir():
        raise FormatError("the folder does not exist; make it first", path=str(checkpoint.parent))


def _check_standing(task: TaskName, field: MotionField, path: Path) -> None:
    """Raises `FormatError` for a `field` that `task` cannot be done with."""
    if task is TaskName.VELOCITY and not field.standing:
        raise FormatError(
            "this field does not find states that stand, which the velocity task needs; "
            "build it with motionfields build --standing",
            path=str(path),
        )


def _save_compressed(controller: FieldController, factor: float, output: Path) -> None:
    from motionfields.compression import compress

    try:
        compress(controller, factor=factor).save(output)
    except ValueError as error:  # what was trained is not lost by it
        raise ValueError(f"{output} was written without compression: {error}") from None
