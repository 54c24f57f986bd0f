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

Catalogue = Annotated[Path | None, typer.Option(help="A catalogue of sets, .json. Default: the public sets we know.")]

data = typer.Typer(help="List and fetch public motion capture sets.", no_args_is_help=True)


@data.callback()
def _data() -> None:
    """List and fetch public motion capture sets."""


@data.command("list")
def list_command(catalogue: Catalogue = None) -> None:
    """List the sets that can be fetched; needs no network."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from motionfields.motion.datasets import list_sets

    sets = list_sets(catalogue)
    table = Table("set", box=None, pad_edge=False)
    for heading in ("files", "MB", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("what")
    for one in sets:
        seconds = "" if one.seconds is None else f"{one.seconds:.0f}"
        table.add_row(one.name, str(len(one.files)), f"{one.size / 1e6:.1f}", seconds, escape(one.title))
    Console().print(table)
    for licence in dict.fromkeys(one.licence for one in sets):
        names = [one.name for one in sets if one.licence == licence]
        whose = "all" if len(names) == len(sets) else ", ".join(names)
        print(f"licence of {whose}: {licence}")
    print("To get one: motionfields data fetch NAME")


@data.command()
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A set of the list.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder to write to. Default: as the set is called.")
    ] = None,
    catalogue: Catalogue = None,
    timeout: Annotated[float, typer.Option(help="Seconds that a server may be silent.", min=0.1, max=3600.0)] = 30.0,
) -> None:
    """Fetch a set to a folder over HTTPS, checked by SHA-256; goes on where an interrupted fetch stopped."""
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
        typer.echo(f"stopped; what came is kept in {folder}: give the same command again to go on", err=True)
        raise typer.Exit(130) from None
    print(f"{folder}: {counted(len(chosen.files), 'file')}, {chosen.size / 1e6:.1f} MB, every SHA-256 right")
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
