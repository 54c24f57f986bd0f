"""`motionfields sketch`: find a motion of captured steps whose joints follow drawn strokes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import COMPILES, checked_output, status_line
from motionfields.cli.plan import RoomFile, Steps


def sketch(
    graph: Steps,
    strokes: Annotated[Path, typer.Argument(help="Strokes, .json.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: .bvh, .glb, .usda or .usdc.", show_default=False)
    ],
    room: RoomFile = None,
    width: Annotated[
        int,
        typer.Option(
            help="Beam width: states that the search keeps at each frame; more finds better motions but takes longer.",
            min=1,
            max=20_000,
        ),
    ] = 600,
) -> None:
    """Find a motion of captured steps whose joints follow drawn strokes."""
    from motionfields.authoring.plan import StepGraph
    from motionfields.authoring.sketch import read_sketch
    from motionfields.authoring.sketch import sketch as make_sketch
    from motionfields.motion.formats import OUTPUT_SUFFIXES, load_room, save_clip

    checked_output(output, OUTPUT_SUFFIXES)
    drawn = read_sketch(strokes)
    world = None if room is None else load_room(room)
    loaded = StepGraph.load(graph)
    with status_line() as say:
        say(f"searching {COMPILES}")
        found = make_sketch(loaded, drawn, room=world, width=width)
    save_clip(found.clip, output)
    near = "" if world is None else f", {found.clearance:.2f} m from the nearest obstacle"
    print(f"{output}: {found.clip.duration:.2f} s, {counted(len(found.steps), 'step')}{near}")
    for fit in found.fits:
        print(
            f"{fit.joint}: {100 * fit.mean:.1f} cm from the stroke on average, {100 * fit.p95:.1f} cm at the 95th "
            f"percentile, {fit.reached:.0%} of the time within 3 cm"
        )
