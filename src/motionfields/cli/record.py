"""`motionfields record`: write the motion of a controller that follows given commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.errors import FormatError
from motionfields.base.wording import counted
from motionfields.cli.options import Controller, checked_output

if TYPE_CHECKING:
    from motionfields.control.tasks import Task
    from motionfields.motion.formats import Character
    from motionfields.motion.skeleton import Skeleton
    from motionfields.runtime.recording import Commands


def record(
    controller: Controller,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: .bvh, .glb, .usda or .usdc.", show_default=False)
    ],
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TIME:NAME=VALUE,...",
            help="Command that starts at a time in seconds; repeatable: 2:heading=90 turns left after 2 s. Headings "
            "are in degrees, positions in metres, speeds in m/s. Omitted names keep their value.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="Length of the motion in seconds, with --at. Default: 3 s after the last command."),
    ] = None,
    commands: Annotated[
        Path | None, typer.Option(help="File of commands and pushes, .json; replaces --at.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the start state.", min=0)] = 0,
    plant: Annotated[bool, typer.Option(help="Lock feet to the ground during contacts.")] = True,
    character: Annotated[
        Path | None,
        typer.Option(help="Your own character, a skinned .glb or .gltf; the output is a .glb.", show_default=False),
    ] = None,
) -> None:
    """Write the motion of a controller that follows commands."""
    from rich.console import Console

    from motionfields.control.methods import load_controller
    from motionfields.motion.formats import OUTPUT_SUFFIXES, save_clip
    from motionfields.runtime import recording

    checked_output(output, OUTPUT_SUFFIXES if character is None else (".glb",))
    if bool(at) == (commands is not None):
        got = "both" if at else "neither"
        raise ValueError(f"--at, --commands: expected exactly one of them, got {got}; for example --at 0:heading=0")
    if commands is not None and seconds is not None:
        raise ValueError("--seconds: expected with --at only; the file of --commands sets the length")
    loaded = load_controller(controller)
    hero = None if character is None else _bound(character, loaded.field.database.skeleton)
    if commands is not None:
        told = recording.read_commands(commands, loaded.task)
    else:
        told = _typed(at or [], loaded.task, seconds)
    with Console(stderr=True).status(f"{told.seconds:g} s of motion (the first run also compiles: up to a minute)"):
        clip = recording.record(loaded, told, seed=seed, plant=plant)
    if hero is not None:
        from motionfields.motion.retargeting import retarget_with_report

        clip = retarget_with_report(clip, hero.skeleton, plant=plant).clip
    save_clip(clip, output, character=hero)
    said = counted(len(told.times), "command")
    said += f", {counted(len(told.pushes), 'push', 'pushes')}" if told.pushes else ""
    frames = counted(clip.frame_count, "frame")
    print(f"{output}: {clip.duration:.2f} s, {frames} at {clip.frame_rate:g}/s, {said}")
    for note in hero.notes if hero is not None else ():
        print(f"  {character}: {note}")


def _bound(path: Path, skeleton: Skeleton) -> Character:
    """Return the character in a file, after checking that motion of `skeleton` fits it."""
    from motionfields.motion.clip.retargeting import match_skeletons
    from motionfields.motion.formats import load_character

    hero = load_character(path)
    match_skeletons(skeleton, hero.skeleton)
    return hero


def _typed(at: list[str], task: Task, seconds: float | None) -> Commands:
    """Return the commands given with `--at`; errors name the option."""
    from motionfields.runtime.recording import parse_commands

    try:
        return parse_commands(at, task, seconds=seconds)
    except FormatError as error:
        raise ValueError(f"--at: {error.reason}") from None
