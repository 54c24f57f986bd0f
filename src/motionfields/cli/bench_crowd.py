"""`motionfields bench crowd`: measure how many characters one core can step, and the time of each part of a frame."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import motionfields
from motionfields.cli.options import checked_output, sample_clips, status_line

if TYPE_CHECKING:
    from rich.table import Table

    from motionfields.control.controller import FieldController
    from motionfields.measure.evaluation.speed import Speed

CROWDS = (1, 100, 10_000)
MOST_WORK = 3_000_000  # upper bound of characters times frames in the timing of one crowd


def crowd(
    controllers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CONTROLLER]...",
            help="Field controllers, .ctrl, or their URLs. Default: one trained on the samples.",
        ),
    ] = None,
    count: Annotated[
        list[int] | None,
        typer.Option(help="Number of characters; repeatable. Default: 1, 100 and 10000.", min=1, max=100_000),
    ] = None,
    frames: Annotated[
        int, typer.Option(help="Frames to time; large crowds stop after 3 million characters x frames.", min=10)
    ] = 10_000,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures to this .json file.")] = None,
) -> None:
    """Measure the speed of crowds on one thread: time per character, time per part of a frame, and frame times."""
    from motionfields.control.controller import FieldController
    from motionfields.measure.evaluation.speed import measure_speed

    if json_file is not None:
        checked_output(json_file, (".json",))
    facts: list[dict[str, Any]] = []
    with status_line() as say:
        for path in controllers or (None,):
            name = "samples" if path is None else Path(path).stem
            say(f"{name}: training (the first run also compiles)" if path is None else f"{name}: reading")
            controller = _samples() if path is None else FieldController.load(path)
            speeds = []
            for size in count or CROWDS:
                say(f"{name}: a crowd of {size}")
                frame_count = min(frames, max(10, MOST_WORK // size))
                speeds.append(measure_speed(controller, size, frame_count=frame_count))
            facts.append(_facts(name, controller, speeds))
    _print_tables(facts)
    if json_file is not None:
        written = {
            "motionfields": motionfields.__version__,
            "python": platform.python_version(),
            "numba": version("numba"),
            "machine": platform.machine(),
            "controllers": facts,
        }
        json_file.write_text(json.dumps(written, indent=1, allow_nan=False) + "\n")
        print(json_file)


def _samples() -> FieldController:
    from motionfields.control.tasks import Direction
    from motionfields.control.training import train
    from motionfields.field import MotionField
    from motionfields.field.database import MotionDatabase

    return train(MotionField(MotionDatabase.build(sample_clips())), Direction())


def _facts(name: str, controller: FieldController, speeds: list[Speed]) -> dict[str, Any]:
    from motionfields.measure.evaluation.tables.costs import array_bytes

    return {
        "name": name,
        "states": controller.field.database.state_count,
        "controller_bytes": array_bytes(controller),
        "peak_bytes": _peak_bytes(),
        "crowds": [speed.facts() for speed in speeds],
    }


def _peak_bytes() -> int | None:
    """Return the peak memory of this process in bytes, or None if the system does not report it."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _print_tables(facts: list[dict[str, Any]]) -> None:
    from rich.console import Console

    from motionfields.measure.evaluation.speed import Split

    parts = Split._fields
    speed = _table("one thread", "us each", "of bare", "a second", "at 30 Hz", "kB each")
    where = _table("us for a character and frame", *parts)
    even = _table("ms for a frame", "frames", "median", "p99", "worst")
    for one in facts:
        for crowd in one["crowds"]:
            named, split, frames = (f"{one['states']:,}", f"{crowd['characters']:,}"), crowd["split"], crowd["frames"]
            ratio = f"{crowd['of_bare']:.2f}" if split else ""
            rates = (f"{crowd['per_second']:,.0f}", f"{crowd['at_30_hz']:,.0f}", f"{crowd['bytes_each'] / 1e3:.1f}")
            speed.add_row(*named, f"{crowd['microseconds']:.2f}", ratio, *rates)
            if split:
                where.add_row(*named, *(f"{split[part]:.2f}" for part in parts))
            spread = (f"{frames[name]:.2f}" for name in ("median", "p99", "worst"))
            even.add_row(*named, f"{frames['frame_count']:,}", *spread)
    console = Console()
    for table in (speed, where, even):
        console.print(table)
    for one in facts:
        peak = "" if one["peak_bytes"] is None else f"; peak memory of the process {one['peak_bytes'] / 1e6:.0f} MB"
        print(f"{one['name']}: {one['controller_bytes'] / 1e6:.0f} MB of arrays{peak}")


def _table(title: str, *heads: str) -> Table:
    """Return an empty table for one row per crowd."""
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for head in ("states", "characters", *heads):
        table.add_column(head, justify="right")
    return table
