"""`motionfields train`: train a controller for a task on a motion field."""

from __future__ import annotations

import math
import time
from enum import StrEnum
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import (
    COMPILES,
    Agility,
    Field,
    Warped,
    checked_name,
    checked_output,
    say_next,
    status_line,
    warn_about_data,
)

if TYPE_CHECKING:
    from motionfields.control.controller import FieldController
    from motionfields.control.tasks import Task
    from motionfields.control.training import Backend, Found, Progress
    from motionfields.field import MotionField


class BackendName(StrEnum):
    """Training back end: this process, or Ray workers."""

    LOCAL = "local"
    RAY = "ray"


def train(
    field: Field,
    task: Annotated[
        str,
        typer.Option(
            help="Task to train for: direction, line, velocity, lane, navigation, or one from an installed package.",
            show_default=False,
        ),
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="Output file or URL, .ctrl.", show_default=False)],
    method: Annotated[
        str,
        typer.Option(
            help="Control method: field, graph (motion graph), matching (motion matching), paper (Lee et al. 2010 with "
            "our reward), published (Lee et al. 2010 as published), or one from an installed package."
        ),
    ] = "field",
    agility: Agility = 0.5,
    largest_share: Annotated[
        float,
        typer.Option(
            help="Largest share of time that one captured clip may be shown, such as 0.5; more variety, longer "
            "training. 1 allows any share.",
            min=0.01,
            max=1.0,
        ),
    ] = 1.0,
    warp: Warped = False,
    tolerance: Annotated[
        float,
        typer.Option(
            help="Convergence tolerance in radians: stop when a sweep changes all values by the same amount within "
            "this bound.",
            min=1e-6,
            max=1.0,
        ),
    ] = 1e-3,
    work: Annotated[
        str | None, typer.Option(help="Folder or URL for checkpoints. To resume, run the same command again.")
    ] = None,
    backend: Annotated[
        BackendName, typer.Option(help="Where to train: in this process, or on Ray workers.")
    ] = BackendName.LOCAL,
    address: Annotated[
        str | None, typer.Option(help="Address of the Ray cluster. Default: a local one on this computer.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Number of Ray workers.", min=1)] = 2,
    compress: Annotated[
        float | None,
        typer.Option(help="Compress the value table by this factor, such as 15. Default: no compression.", min=1.0),
    ] = None,
) -> None:
    """Train a controller for a task on a motion field."""
    from motionfields.control.contract import METHODS
    from motionfields.control.tasks import TASKS
    from motionfields.field import MotionField

    checked_output(output, (".ctrl",))
    checked_name("--task", task, TASKS)
    checked_name("--method", method, METHODS)
    if method != "field":
        _check_options(method, largest_share, warp, work, backend, compress)
    others = _backend(backend, address, workers, work)
    loaded = MotionField.load(field)
    warn_about_data(loaded, field)
    wanted = TASKS.load(task)()
    if method == "field":
        options = {"agility": agility, "largest_share": largest_share, "tolerance": tolerance, "work": work}
        told = _train_field(loaded, wanted, output, options, warp, others, compress)
    else:
        options = {"agility": agility, "tolerance": tolerance}
        told = _train_other(method, loaded, wanted, output, options, warp)
    print(f"{output}: {task}, {told}")
    say_next(f"play {output}")


def _backend(name: BackendName, address: str | None, workers: int, work: str | None) -> Backend | None:
    """Return the back end called `name`; None stands for this process."""
    if name is BackendName.LOCAL:
        if address is not None:
            raise ValueError("--address: expected --backend ray too")
        return None
    if work is None:
        raise ValueError("--backend ray: expected --work too, a folder or URL that all nodes of the cluster can access")
    from motionfields.control.cluster import RayBackend

    return RayBackend(workers, address)


def _train_field(
    field: MotionField,
    task: Task,
    output: str,
    options: dict[str, Any],
    warp: bool,
    backend: Backend | None,
    compress: float | None,
) -> str:
    from motionfields.control import training
    from motionfields.control.root_motion import Warp

    turning = Warp() if warp else None
    memory = training.estimate_memory(field, task, warp=turning)
    print(f"training needs up to {memory / 1e6:.0f} MB in addition to the field", flush=True)
    began = time.perf_counter()
    with TrainingStatus() as status:
        controller = training.train(
            field,
            task,
            warp=turning,
            backend=backend,
            on_progress=status,
            on_transitions=lambda found: status.show(f"finding transitions: {found_text(found)}"),
            **options,
        )
        seconds = time.perf_counter() - began
        controller.save(output)
        if compress is not None:
            _save_compressed(controller, compress, output)
    return (
        f"{counted(field.database.state_count, 'state')}, {_ended(controller, options['tolerance'])}, {seconds:.1f} s"
    )


def _train_other(name: str, field: MotionField, task: Task, output: str, options: dict[str, Any], warp: bool) -> str:
    """Train with the method `name` and the `options` that it accepts, save the controller, and return a summary."""
    from motionfields.control.contract import find_method
    from motionfields.control.methods import MatchingSettings

    method = find_method(name)
    known = signature(method.train).parameters
    given = {option: value for option, value in options.items() if option in known}
    if warp:
        given["settings"] = MatchingSettings().warped()
    began = time.perf_counter()
    with TrainingStatus():
        controller = method.train(field, task, **given)
        controller.save(output)
    ended = f", {_ended(controller, options['tolerance'])}" if getattr(controller, "sweeps", 0) else ""
    states = counted(field.database.state_count, "state")
    return f"{name}, {states}{ended}, {time.perf_counter() - began:.1f} s"


def _ended(controller: Any, tolerance: float) -> str:
    """Describe the end of value iteration: sweeps, residual, and whether it converged."""
    ended = "converged" if controller.residual <= tolerance else "not converged"
    return f"{counted(controller.sweeps, 'sweep')}, residual {controller.residual:.2g}, {ended}"


class TrainingStatus:
    """Status line on standard error during training; a context manager and a progress callback."""

    def __init__(self, what: str = "training") -> None:
        self._what = what
        self._line = status_line(f"{what} {COMPILES}")

    def __enter__(self) -> TrainingStatus:
        self._say = self._line.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._line.__exit__(*error)

    def __call__(self, progress: Progress) -> None:
        """Show `progress` in the status line."""
        self.show(f"{self._what}: {progress_text(progress)}")

    def show(self, text: str) -> None:
        """Show `text` in the status line."""
        self._say(text)


def progress_text(progress: Progress) -> str:
    """Return sweep, residual and, once it can be estimated, the time left."""
    left = "" if math.isnan(progress.seconds_left) else f", about {progress.seconds_left:.0f} s left"
    note = f"; {progress.note}" if progress.note else ""
    return f"sweep {progress.sweep}, residual {progress.residual:.2g}{left}{note}"


def found_text(found: Found) -> str:
    """Return the number of finished parts, and the note on the workers if there is one."""
    return f"part {found.done} of {found.total}{'; ' if found.note else ''}{found.note}"


def _check_options(
    method: str, largest_share: float, warp: bool, work: str | None, backend: BackendName, compress: float | None
) -> None:
    """Raise ValueError for options that a `method` other than "field" does not support."""
    given = {
        "--largest-share": largest_share != 1.0,
        "--warp": warp and method != "matching",
        "--work": work is not None,
        "--backend": backend is not BackendName.LOCAL,
        "--compress": compress is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise ValueError(f"{name}: not supported by --method {method}; remove the option")


def _save_compressed(controller: FieldController, factor: float, output: str) -> None:
    from motionfields.control.compression import compress

    try:
        compress(controller, factor=factor).save(output)
    except ValueError as error:  # the uncompressed controller is already saved
        raise ValueError(f"--compress: {error}; {output} was written without compression") from None
