"""The command-line application: registers the commands and turns errors into one line and an exit code.

Exit codes: 0 success, 1 a file or value cannot be used, 2 the command line itself is wrong, 130 interrupted. Commands
import the packages they need when they run, so that help appears at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.console import Console

import motionfields
from motionfields.base.errors import MotionFieldsError, naming_the_extra
from motionfields.cli.bench import bench
from motionfields.cli.build import build
from motionfields.cli.compose import annotate, compose
from motionfields.cli.convert import convert
from motionfields.cli.data import data
from motionfields.cli.doctor import doctor
from motionfields.cli.export import export
from motionfields.cli.info import info
from motionfields.cli.plan import plan, steps
from motionfields.cli.play import demo, paint, play
from motionfields.cli.record import record
from motionfields.cli.render import render
from motionfields.cli.retarget import retarget
from motionfields.cli.sample import sample
from motionfields.cli.select import select
from motionfields.cli.sketch import sketch
from motionfields.cli.survey import survey
from motionfields.cli.synth import synth
from motionfields.cli.train import train
from motionfields.cli.trees import trees
from motionfields.cli.walk import futures, walk

FIRST = """\
motionfields {version}: interactive character animation from motion capture

  motionfields demo             steer a generated character in the browser; needs no motion files

With your own motion files in a folder called takes:
  motionfields build takes -o walker.field
  motionfields train walker.field --task direction -o walker.ctrl
  motionfields play walker.ctrl

No motion files?                motionfields sample -o takes (generated), motionfields data list (captured)
Something does not work?        motionfields doctor
Help on commands and options:   motionfields --help, motionfields build --help
"""

app = typer.Typer(
    name="motionfields",
    help="Interactive, data-driven character animation from motion capture.",
    epilog="New here? Run motionfields demo to steer a character in the browser.",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _add(panel: str, command: Callable[..., None], example: str) -> None:
    """Register `command` in a panel of the help, with an example below its own help text."""
    app.command(rich_help_panel=panel, epilog=f"Example: motionfields {example}")(command)


_add("Start here", demo, "demo")
_add("Start here", doctor, "doctor")
_add("From motion to a character", build, "build takes -o walker.field")
_add("From motion to a character", train, "train walker.field --task direction -o walker.ctrl")
_add("From motion to a character", play, "play walker.ctrl")
_add("From motion to a character", record, "record walker.ctrl --at 0:heading=0 --at 2:heading=90 -o walk.bvh")
_add("From motion to a character", export, "export walker.ctrl -o walker.mfpack")
_add("From motion to a character", synth, "synth walker.field -o moved.bvh --seconds 10")
_add("From labels to a motion", annotate, "annotate walker.field --labels few.csv --propose -o proposed.csv")
_add(
    "From labels to a motion",
    compose,
    "compose walker.field --labels labels.csv --timeline scene.json -o scene.glb --alternatives 3",
)
_add("From labels to a motion", paint, "paint walker.field --labels labels.csv")
_add("From a goal to a motion", steps, "steps walker.field -o walker.steps")
_add(
    "From a goal to a motion", plan, "plan walker.steps --to 5,12.5 --facing 90 --room room.json -o walk.glb --picture"
)
_add("From a goal to a motion", sketch, "sketch walker.steps stroke.json -o walk.glb")
_add("From a goal to a motion", futures, "futures walker.ctrl -o walker.futures")
_add("From a goal to a motion", trees, "trees walker.ctrl --futures walker.futures --sense depth:32 -o walker.trees")
_add(
    "From a goal to a motion",
    walk,
    "walk walker.ctrl --futures walker.futures --world room.json --goal 3,4 -o walk.glb --picture",
)
_add("Motion files", info, "info takes")
_add("Motion files", convert, "convert take.bvh -o clean.bvh --cutoff 8 --frame-rate 30")
_add("Motion files", retarget, "retarget takes -o fitted --skeleton hero.bvh")
_add("Motion files", render, "render take.bvh -o take.png")
_add("Motion files", sample, "sample -o takes")
app.add_typer(data, name="data", rich_help_panel="Motion files")
_add("Measure", survey, "survey walker.field -o report")
_add("Measure", select, "select walker.field --keep 5 -o small.field")
app.add_typer(bench, name="bench", rich_help_panel="Measure")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"motionfields {motionfields.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Interactive, data-driven character animation from motion capture."""
    if context.invoked_subcommand is None:
        print(FIRST.format(version=motionfields.__version__), end="")


def main() -> None:
    """Run the command line; the entry point of the `motionfields` script."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # file names may contain bytes that are not valid text
    try:
        with naming_the_extra():
            app()
    except (MotionFieldsError, ValueError, OSError, OverflowError, MemoryError) as error:
        Console(stderr=True, soft_wrap=True).print(f"[bold red]error:[/] {escape(error)}", highlight=False)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def escape(error: Exception) -> str:
    """Return the message of `error` on one line, with markup characters escaped."""
    from rich.markup import escape as escape_markup

    message = str(error)
    if isinstance(error, MemoryError):
        message = f"not enough memory: {message or 'use fewer or shorter clips'}"
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return escape_markup(" ".join(message.split()))
