"""`motionfields record`: commands from a file, and the motion that a controller makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionfields.cli.options import Controller, checked_output


def record(
    controller: Controller,
    commands: Annotated[Path, typer.Option(help="What the character is told, .json.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write, .bvh or .glb.", show_default=False)
    ],
    seed: Annotated[int, typer.Option(help="Another seed starts elsewhere in the data.", min=0)] = 0,
    plant: Annotated[bool, typer.Option(help="Hold feet in place while they stand.")] = True,
) -> None:
    """Let a controller follow recorded commands, and write the motion."""
    from rich.console import Console

    from motionfields.control.methods import load_controller
    from motionfields.motion.formats import OUTPUT_SUFFIXES, save_clip
    from motionfields.runtime import recording

    checked_output(output, OUTPUT_SUFFIXES)
    loaded = load_controller(controller)
    told = recording.read_commands(commands, loaded.task)
    with Console(stderr=True).status(f"{told.seconds:g} s of motion (the very first run compiles, for half a minute)"):
        clip = recording.record(loaded, told, seed=seed, plant=plant)
    save_clip(clip, output)
    count, pushes = len(told.times), len(told.pushes)
    said = f"{count} command{'' if count == 1 else 's'}"
    said += f", {pushes} push{'' if pushes == 1 else 'es'}" if pushes else ""
    print(f"{output}: {clip.duration:.2f} s, {clip.frame_count} frames at {clip.frame_rate:g}/s, {said}")
