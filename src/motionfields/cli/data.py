"""`motionfields data`: list and fetch public motion capture sets."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.wording import counted

if TYPE_CHECKING:
    from motionfields.motion.datasets import DataSet, Progress

Catalogue = Annotated[
    Path | None, typer.Option(help="Catalogue file of data sets, .json. Default: the built-in list of public sets.")
]

data = typer.Typer(help="List and download public motion capture sets.", no_args_is_help=True)


@data.callback()
def _data() -> None:
    """List and download public motion capture sets."""


@data.command("list")
def list_command(catalogue: Catalogue = None) -> None:
    """List the sets that can be downloaded; needs no network."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from motionfields.motion.datasets import list_sets

    sets = list_sets(catalogue)
    table = Table("set", box=None, pad_edge=False)
    for heading in ("files", "MB", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("content")
    for one in sets:
        seconds = "" if one.seconds is None else f"{one.seconds:.0f}"
        table.add_row(one.name, str(len(one.files)), f"{one.size / 1e6:.1f}", seconds, escape(one.title))
    Console().print(table)
    for licence in dict.fromkeys(one.licence for one in sets):
        names = [one.name for one in sets if one.licence == licence]
        whose = "all" if len(names) == len(sets) else ", ".join(names)
        print(f"licence of {whose}: {licence}")
    print("To download one: motionfields data fetch NAME")


@data.command()
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a set, as in data list.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output folder. Default: the name of the set.")
    ] = None,
    catalogue: Catalogue = None,
    timeout: Annotated[
        float, typer.Option(help="Seconds to wait for a server that sends nothing.", min=0.1, max=3600.0)
    ] = 30.0,
) -> None:
    """Download a set to a folder over HTTPS and check every SHA-256. To resume, run the same command again."""
    from motionfields.motion.datasets import fetch as fetch_set
    from motionfields.motion.datasets.catalogue import find_set
    from motionfields.motion.datasets.fetching import licence_text

    chosen = find_set(name, catalogue)
    print(licence_text(chosen), flush=True)
    folder = Path(chosen.name) if output is None else output
    try:
        with _bar(chosen) as tell:
            fetch_set(name, folder, catalogue=catalogue, timeout=timeout, on_progress=tell)
    except KeyboardInterrupt:
        typer.echo(f"stopped; partial files are in {folder}. To resume, run the same command again", err=True)
        raise typer.Exit(130) from None
    print(f"{folder}: {counted(len(chosen.files), 'file')}, {chosen.size / 1e6:.1f} MB, all SHA-256 checksums correct")
    print(f"next: {next_command(chosen, folder)}")


def next_command(chosen: DataSet, folder: Path) -> str:
    """Return the command that builds a motion field from the set in `folder`."""
    scale = "" if chosen.scale is None else f" --scale {chosen.scale}"
    return f"motionfields build {shlex.quote(str(folder))} -o {chosen.name}.field{scale}"


@contextmanager
def _bar(chosen: DataSet) -> Iterator[Callable[[Progress], None]]:
    """Show a download progress bar on standard error, if that is a terminal, and yield a function that updates it."""
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.DownloadColumn(),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("fetching", total=chosen.size)
        yield lambda now: bar.update(task, completed=now.size, description=now.file)
