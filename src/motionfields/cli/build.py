"""`motionfields build`: a motion field from motion files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.cli.options import (
    Facing,
    FileRate,
    JointNames,
    RestFrames,
    Scale,
    Source,
    Up,
    checked_output,
    joint_names,
    load_options,
    read_clips,
)
from motionfields.cli.retarget import onto_skeleton

if TYPE_CHECKING:
    from motionfields.clip import Clip


def build(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write, .field.", show_default=False)],
    frame_rate: Annotated[float, typer.Option(help="Frames per second of the field.", min=1.0, max=1000.0)] = 30.0,
    mirror: Annotated[bool, typer.Option(help="Add the mirror image of every clip.")] = True,
    cutoff: Annotated[float, typer.Option(help="Take out what moves faster than this many Hz; 0: nothing.")] = 8.0,
    standing: Annotated[
        bool, typer.Option("--standing", help="Find states that stand still too, as the velocity task needs it.")
    ] = False,
    skeleton: Annotated[
        Path | None,
        typer.Option(help="A motion file whose skeleton all clips are brought to. Default: they share one."),
    ] = None,
    names: JointNames = None,
    scale: Scale = None,
    up: Up = None,
    facing: Facing = None,
    rest_frames: RestFrames = None,
    file_rate: FileRate = None,
) -> None:
    """Make a motion field of motion files on one skeleton, and report what went into it and what looks wrong."""
    from rich.console import Console

    from motionfields.database import MotionDatabase
    from motionfields.field import TAIL, MotionField

    checked_output(output, (".field",))
    options = load_options(scale=scale, up=up, facing=facing, rest_frames=rest_frames, file_rate=file_rate)
    if names and skeleton is None:
        raise ValueError("--map: expected --skeleton too, whose joints the clips' are mapped to")
    clips = read_clips(source, options)
    brought: list[str] = []
    if skeleton is not None:
        clips, brought = onto_skeleton(clips, skeleton, joint_names(names))
    with Console(stderr=True).status(f"making states of {len(clips)} clips (the very first run compiles)"):
        database = MotionDatabase.build(clips, frame_rate=frame_rate, mirror=mirror, cutoff=cutoff or None)
        field = MotionField(database, standing=standing, tail=1 if standing else TAIL)
        field.save(output)
    for line in (*_findings(clips), *brought, *database.report.lines()):
        print(line)
    lost = database.state_count - int(field.connectivity.core.sum())
    print(f"{output}: {len(field.findable)} states to move through, {lost} without a way back to the rest")


def _findings(clips: list[Clip]) -> list[str]:
    """What was found about the files, a line for each thing, with every value that occurred."""
    reports = [clip.report for clip in clips if clip.report is not None]
    kinds = (("scale", " m per unit"), ("up", ""), ("facing", ""), ("frame_rate", " frames/s"))
    lines = []
    for name, unit in kinds:
        values = {getattr(report, name).value for report in reports}
        shown = sorted(value if isinstance(value, str) else f"{value:.6g}" for value in values)
        lines.append(f"{name.replace('_', ' ')}: {', '.join(shown)}{unit}")
    dropped = sum(int(report.rest_frames.value) for report in reports)
    return [*lines, f"rest poses: {dropped} frames dropped at the start of clips"]
