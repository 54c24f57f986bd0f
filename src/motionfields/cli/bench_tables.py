"""`motionfields bench tables`: reproduce the paper's tables for several methods on given data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import make_folder, read_clips, sample_clips

if TYPE_CHECKING:
    from motionfields.measure.evaluation.tables import DataSet, Progress, Registry, Results, TableSettings

SAMPLES = "samples"  # name of the generated clips on the command line
TRIALS, SEEDS = 500, 2
QUICK_TRIALS, QUICK_SEEDS = 60, 1


def tables(
    data: Annotated[
        list[str] | None,
        typer.Option(help="Data set: NAME=PATH[,PATH...], a path, or samples; repeatable. Default: samples."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the report; created if missing.")] = Path(
        "report"
    ),
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="Run for a few minutes only: direction task, three methods, 60 goal changes, 1 seed.",
        ),
    ] = False,
    paper: Annotated[
        bool,
        typer.Option("--paper", help="Also train and measure the controller of Lee et al. 2010, which takes hours."),
    ] = False,
    trials: Annotated[
        int | None,
        typer.Option(
            help="Minimum number of goal changes of 5 degrees or more per row. "
            f"Default: {TRIALS}; with --quick {QUICK_TRIALS}.",
            min=1,
            max=100_000,
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            help=f"Number of random seeds that share the trials. Default: {SEEDS}; with --quick {QUICK_SEEDS}.",
            min=1,
            max=1000,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="First of the consecutive seeds.", min=0)] = 2000,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Recompute all results, also those of an earlier run in the folder.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit with code 1 if a method misses a gate.")] = False,
) -> None:
    """Compare motion graph, motion matching and motion field on the same data; write tables, plots and a web page.

    The defaults take about an hour for each data set on two cores. For a shorter run, use --quick, less data or fewer
    --trials. The status line shows the time left. To resume after Ctrl-C, run the same command again.
    """
    from motionfields.measure.analysis.output import plotting_module
    from motionfields.measure.evaluation.tables import REGISTRY, TableSettings, quick_registry, without_paper
    from motionfields.measure.evaluation.tables.report import missed_by_main

    plotting_module("matplotlib")  # fail now if it is missing, not after minutes of work
    registry = REGISTRY if paper else without_paper(REGISTRY)
    registry = quick_registry(registry) if quick else registry
    settings = TableSettings(
        trials=trials or (QUICK_TRIALS if quick else TRIALS),
        seeds=seeds or (QUICK_SEEDS if quick else SEEDS),
        first_seed=seed,
    )
    if quick:
        settings = replace(settings, agilities=())
    sets = [_read_set(text) for text in data or [SAMPLES]]
    make_folder(output)
    results = _run(sets, output, settings, registry, fresh=fresh)
    _write(results, sets, output, settings, registry)
    for (name, case, row), content in results.rows.items():
        if row in registry.main:
            mean, missed = content["figures"]["mean"][0], len(content["missed"])
            shown = "no change completed" if mean is None else f"{mean:.3f} s"
            print(f"{name}, {case}, {row}: {shown}{f', gates missed: {missed}' if missed else ''}")
    print(output / "report.html")
    faults = missed_by_main(results, registry)
    for fault in faults:
        print(f"missed: {fault}")
    if check and faults:
        raise typer.Exit(1)


def parse_set(text: str) -> tuple[str, list[Path]]:
    """Parse a set given on the command line into its name and paths; no paths mean the generated samples."""
    if text == SAMPLES:
        return SAMPLES, []
    name, equals, rest = text.partition("=")
    words = [part for part in (rest if equals else text).split(",") if part]
    if not words or (equals and not name):
        raise ValueError(f"data: expected NAME=PATH[,PATH...], a path or samples, got {text!r}")
    paths = [] if words == [SAMPLES] else [Path(word) for word in words]
    shown = name if equals else Path(words[0]).resolve().stem
    return shown.encode("utf-8", "replace").decode("utf-8"), paths  # file names may not be valid text


def _read_set(text: str) -> DataSet:
    from motionfields.measure.evaluation.tables import DataSet

    name, paths = parse_set(text)
    clips = read_clips(paths) if paths else sample_clips()
    return DataSet(name, tuple(clips))


def _run(
    sets: list[DataSet], output: Path, settings: TableSettings, registry: Registry, *, fresh: bool = False
) -> Results:
    from motionfields.measure.evaluation.tables import run_tables

    begun = False

    def on_progress(progress: Progress) -> None:
        nonlocal begun
        if not begun:
            begun = True
            _print_line(first_estimate(progress))
        say(progress_text(progress))

    with _status() as say:
        return run_tables(sets, output / "cells", settings, registry=registry, fresh=fresh, on_progress=on_progress)


def first_estimate(progress: Progress) -> str:
    """Return the line printed before the first cell: the number of cells and the estimated time."""
    return (
        f"{counted(progress.cell_count, 'cell')}: about {_time_left(progress.seconds_left)} on two free cores. "
        "The estimate improves while cells are computed. To resume after Ctrl-C, run the same command again."
    )


def progress_text(progress: Progress) -> str:
    """Return the status text: number and content of the current cell, and the time left."""
    left = _time_left(progress.seconds_left)
    return f"cell {progress.number} of {progress.cell_count}: {progress.doing}, about {left} left"


def _time_left(seconds: float) -> str:
    return f"{seconds / 60.0:.0f} min" if seconds >= 90.0 else f"{seconds:.0f} s"


def _print_line(text: str) -> None:
    """Print a line to standard error that stays above the changing status line."""
    from rich.console import Console

    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)


def _write(results: Results, sets: list[DataSet], output: Path, settings: TableSettings, registry: Registry) -> None:
    from motionfields.measure.analysis.tables import draw_tables
    from motionfields.measure.evaluation.tables.document import as_html, as_markdown
    from motionfields.measure.evaluation.tables.report import TITLE, report_blocks, report_facts

    with _status() as say:
        say("drawing")
        drawn = draw_tables(results, sets, output, registry)
    blocks = report_blocks(results, settings, registry, drawn)
    facts: dict[str, Any] = report_facts(results, settings, registry)
    _replace(output / "report.md", as_markdown(blocks))
    _replace(output / "report.html", as_html(blocks, title=TITLE))
    _replace(output / "report.json", json.dumps(facts, indent=1, allow_nan=False) + "\n")


def _replace(path: Path, text: str) -> None:
    from motionfields.base.files import replacing

    with replacing(path) as file:
        file.write(text.encode())


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """Show a status line on standard error and yield a function that updates it.

    Without a terminal, each update prints a line of its own.
    """
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: console.print(text, markup=False, highlight=False, soft_wrap=True)
        return
    with console.status("") as status:
        yield lambda text: status.update(escape(text))
