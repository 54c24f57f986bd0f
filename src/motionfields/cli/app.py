"""The commands, their help, and how errors reach the user: one clear line, and an exit code.

Exit codes: 0 done, 1 a file or value cannot be used, 2 the command line itself is wrong, 130 interrupted. The packages
that do the work are imported when a command runs, so that help appears at once.
"""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.console import Console

import motionfields
from motionfields.cli.bench import bench
from motionfields.cli.build import build
from motionfields.cli.convert import convert
from motionfields.cli.info import info
from motionfields.cli.play import demo, play
from motionfields.cli.record import record
from motionfields.cli.render import render
from motionfields.cli.retarget import retarget
from motionfields.cli.sample import sample
from motionfields.cli.synth import synth
from motionfields.cli.train import train
from motionfields.errors import MotionFieldsError

app = typer.Typer(
    name="motionfields",
    help="Interactive, data-driven character animation from motion capture.",
    epilog="New here? motionfields demo opens a character in the browser.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(info)
app.command()(convert)
app.command()(retarget)
app.command()(render)
app.command()(sample)
app.command()(build)
app.command()(synth)
app.command()(train)
app.command()(record)
app.command()(play)
app.command()(demo)
app.add_typer(bench, name="bench")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"motionfields {motionfields.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Interactive, data-driven character animation from motion capture."""


def main() -> None:
    """Run the command line; the entry point of the `motionfields` script."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # file names need not be text
    try:
        app()
    except (MotionFieldsError, ValueError, OSError, OverflowError, MemoryError) as error:
        Console(stderr=True, soft_wrap=True).print(f"[bold red]error:[/] {escape(error)}", highlight=False)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def escape(error: Exception) -> str:
    """The message of `error` on one line, with nothing in it taken for markup."""
    from rich.markup import escape as escape_markup

    message = str(error)
    if isinstance(error, MemoryError):
        message = f"not enough memory: {message or 'a smaller part of the motion may fit'}"
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return escape_markup(" ".join(message.split()))
