"""`motionfields bench`: measure response time and motion quality of controllers on given data."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from motionfields.base.wording import counted
from motionfields.cli.bench_crowd import crowd
from motionfields.cli.bench_report import Measured, print_tables, write_figures
from motionfields.cli.bench_tables import tables
from motionfields.cli.bench_worlds import worlds
from motionfields.cli.options import Agility, Warped, checked_output, make_folder, read_clips, sample_clips, status_line

if TYPE_CHECKING:
    from motionfields.control.controller import FieldController
    from motionfields.control.tasks import Task
    from motionfields.field import MotionField
    from motionfields.measure.evaluation import SourceFigures, Trials
    from motionfields.measure.evaluation.trials import Controlled

CHANGE_COUNT = 4  # goal changes per character
COUNTED = 175.0 / 180.0  # expected share of goal changes of 5 degrees or more

bench = typer.Typer(help="Measure response time, motion quality and speed of controllers.", no_args_is_help=True)
bench.command()(tables)
bench.command()(crowd)
bench.command()(worlds)


@bench.callback()
def _bench() -> None:
    """Measure response time, motion quality and speed of controllers."""


class Steered(StrEnum):
    """Tasks whose goals can jump."""

    DIRECTION = "direction"
    LINE = "line"


@bench.command()
def response(
    data: Annotated[
        list[Path] | None, typer.Option(help="Motion file, folder or zip archive; repeatable. Default: the samples.")
    ] = None,
    task: Annotated[Steered, typer.Option(help="Task of the character; its goal jumps at random.")] = Steered.DIRECTION,
    agility: Agility = 0.5,
    warp: Warped = False,
    trials: Annotated[
        int,
        typer.Option(help="Minimum number of goal changes of 5 degrees or more, over all seeds.", min=1, max=100_000),
    ] = 1000,
    seeds: Annotated[int, typer.Option(help="Number of random seeds that share the trials.", min=1, max=1000)] = 4,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures to this .json file.")] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Folder for one .png picture per method. Default: none are drawn.")
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Also measure the controller of Lee et al. 2010; slow.")
    ] = False,
) -> None:
    """Measure response time and motion quality of characters whose goal changes at random."""
    from motionfields.control.tasks import TASKS
    from motionfields.field import MotionField
    from motionfields.field.database import MotionDatabase
    from motionfields.measure import evaluation

    if json_file is not None:
        checked_output(json_file, (".json",))
    draw = None if plots is None else _plotter(plots, task)
    clips = read_clips(data) if data else sample_clips()
    with status_line() as say:
        say(f"building states from {counted(len(clips), 'clip')} (the first run also compiles)")
        field = MotionField(MotionDatabase.build(clips))
        source = evaluation.measure_source(field)
        measured: dict[str, Measured] = {}
        run = _Bench(field, source, TASKS.load(task.value)(), agility, warp, trials, seeds, say, draw)
        for name, one in run.methods(paper=paper):
            measured[name] = one
    print(
        f"{counted(len(clips), 'clip')}, {counted(field.database.state_count, 'state')} including mirror images, "
        f"{counted(measured['ours'].figures.trial_count, 'goal change')} for task {task.value} "
        f"over {counted(seeds, 'seed')}"
    )
    print_tables(source, measured)
    if json_file is not None:
        settings = {
            "data": [str(path) for path in data or ()] or "samples",
            "task": task.value,
            "agility": agility,
            "warp": warp,
            "trials": trials,
            "seeds": seeds,
        }
        write_figures(json_file, settings, field, source, measured)
        print(json_file)


class _Bench(NamedTuple):
    """Settings of one benchmark run, and the callbacks that report progress and draw trials."""

    field: MotionField
    source: SourceFigures
    task: Task
    agility: float
    warp: bool
    trial_count: int
    seed_count: int
    say: Callable[[str], None]
    draw: Callable[[str, Trials], None] | None

    def methods(self, *, paper: bool) -> Iterator[tuple[str, Measured]]:
        """Yield the name and measures of each method; the trials of one are freed before the next runs."""
        ours, seconds = self._train()
        training = (ours.sweeps, ours.residual, seconds)
        yield "ours", self._measured("ours", ours, training)
        yield "greedy", self._measured("greedy", ours.greedy(), (0, float("nan"), 0.0))
        if paper:
            from motionfields.control.methods import train_paper

            del ours
            self.say("training the paper's controller")
            began = time.perf_counter()
            other = train_paper(self.field, self.task)
            training = (other.sweeps, other.residual, time.perf_counter() - began)
            yield "paper", self._measured("paper", other, training)

    def _train(self) -> tuple[FieldController, float]:
        from motionfields.cli.train import progress_text
        from motionfields.control import training
        from motionfields.control.root_motion import Warp

        began = time.perf_counter()
        turning = Warp() if self.warp else None
        memory = training.estimate_memory(self.field, self.task, warp=turning)
        self.say(f"training on {counted(self.field.database.state_count, 'state')}, uses up to {memory / 1e6:.0f} MB")
        controller = training.train(
            self.field,
            self.task,
            agility=self.agility,
            warp=turning,
            on_progress=lambda progress: self.say(f"training: {progress_text(progress)}"),
        )
        return controller, time.perf_counter() - began

    def _measured(self, name: str, controller: Controlled, training: tuple[int, float, float]) -> Measured:
        from motionfields.measure import evaluation

        parts = self._trials(name, controller)
        joined = evaluation.joined(list(parts.values()))
        self.say(f"{name}: measuring {counted(len(joined.reached), 'change')}")
        figures = evaluation.measure_trials(self.field, self.source, joined)
        if self.draw is not None:
            self.draw(name, joined)
        means = {seed: (len(part.reached), _mean(part.reached.tolist())) for seed, part in parts.items()}
        return Measured(
            figures, means, joined.angles.tolist(), joined.reached.tolist(), joined.settled.tolist(), *training
        )

    def _trials(self, name: str, controller: Controlled) -> dict[int, Trials]:
        """Return trials by seed; extra seeds run in the rare case that too many changes were too small to count."""
        from motionfields.measure import evaluation

        run = evaluation.direction_trials if len(self.task.axes) == 1 else evaluation.line_trials
        count = characters_for(math.ceil(self.trial_count / self.seed_count))
        parts: dict[int, Trials] = {}
        while len(parts) < self.seed_count or sum(len(part.reached) for part in parts.values()) < self.trial_count:
            self.say(f"{name}: {counted(count, 'character')} with changing goals, seed {len(parts)}")
            parts[len(parts)] = run(controller, count=count, change_count=CHANGE_COUNT, seed=len(parts))
        return parts


def characters_for(trial_count: int) -> int:
    """Return the number of characters needed for `trial_count` changes of 5 degrees or more.

    The number falls short in about 1 of 1000 runs.
    """
    changes = trial_count
    while COUNTED * changes - 3.0 * math.sqrt(changes * COUNTED * (1.0 - COUNTED)) < trial_count:
        changes += 1
    return math.ceil(changes / CHANGE_COUNT)


def _mean(times: list[float]) -> float:
    done = [time for time in times if math.isfinite(time)]
    return sum(done) / len(done) if done else float("nan")


def _plotter(folder: Path, task: Steered) -> Callable[[str, Trials], None]:
    """Return a function that draws the trials of a method into `folder`, and create `folder` if it does not exist."""
    from motionfields.measure.analysis.output import plotting_module
    from motionfields.measure.analysis.response import render_response

    plotting_module("matplotlib")  # fail now if it is missing, not after minutes of work
    make_folder(folder)

    def draw(name: str, trials: Trials) -> None:
        render_response(
            trials, folder / f"{name}.png", title=f"{name}: {task.value}, {counted(len(trials.reached), 'change')}"
        )

    return draw
