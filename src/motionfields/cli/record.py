"""`motionfields record`: write the motion of a controller that follows given commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.errors import FormatError
from motionfields.base.wording import counted
from motionfields.cli.options import COMPILES, Controller, checked_output, say_notes, status_line

if TYPE_CHECKING:
    from motionfields.control.contract import Controller as Trained
    from motionfields.control.tasks import Task
    from motionfields.motion.clip import Clip
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
    path: Annotated[
        Path | None,
        typer.Option(help="Path over the ground to walk along, .json; replaces --at.", show_default=False),
    ] = None,
    speed: Annotated[
        float | None,
        typer.Option(help="Speed in m/s along --path, for tasks with a speed. Default: the typical speed of the data."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the start state.", min=0)] = 0,
    plant: Annotated[bool, typer.Option(help="Lock feet to the ground during contacts.")] = True,
    character: Annotated[
        Path | None,
        typer.Option(
            help="Your own character, a skinned .glb or .gltf; not available for .bvh output.", show_default=False
        ),
    ] = None,
) -> None:
    """Write the motion of a controller that follows commands or a path."""
    from motionfields.control.methods import load_controller
    from motionfields.motion.formats import OUTPUT_SUFFIXES, save_clip

    checked_output(output, tuple(one for one in OUTPUT_SUFFIXES if character is None or one != ".bvh"))
    given = [bool(at), commands is not None, path is not None]
    if sum(given) != 1:
        got = sum(given) or "none"
        raise ValueError(
            f"--at, --commands, --path: expected exactly one of them, got {got}; for example --at 0:heading=0"
        )
    if not at and seconds is not None:
        raise ValueError("--seconds: expected with --at only; the file of --commands or --path sets the length")
    if path is None and speed is not None:
        raise ValueError("--speed: expected with --path only")
    loaded = load_controller(controller)
    hero = None if character is None else _bound(character, loaded.field.database.skeleton)
    if path is not None:
        clip, said = _along(loaded, path, speed, seed, plant)
    else:
        clip, said = _commanded(loaded, _told(loaded.task, at or [], commands, seconds), seed, plant)
    if hero is not None:
        from motionfields.motion.retargeting import retarget_with_report

        clip = retarget_with_report(clip, hero.skeleton, plant=plant).clip
    save_clip(clip, output, character=hero)
    frames = counted(clip.frame_count, "frame")
    print(f"{output}: {clip.duration:.2f} s, {frames} at {clip.frame_rate:g}/s, {said}")
    say_notes(hero, character)


def _told(task: Task, at: list[str], commands: Path | None, seconds: float | None) -> Commands:
    """Return the commands of the file `commands`, or else those given with `--at`."""
    from motionfields.runtime.recording import read_commands

    return _typed(at, task, seconds) if commands is None else read_commands(commands, task)


def _commanded(controller: Trained, told: Commands, seed: int, plant: bool) -> tuple[Clip, str]:
    """Return the motion that follows commands, and their number in words."""
    from motionfields.runtime.recording import record as make_record

    with status_line(f"{told.seconds:g} s of motion {COMPILES}"):
        clip = make_record(controller, told, seed=seed, plant=plant)
    said = counted(len(told.times), "command")
    return clip, said + (f", {counted(len(told.pushes), 'push', 'pushes')}" if told.pushes else "")


def _along(controller: Trained, path: Path, speed: float | None, seed: int, plant: bool) -> tuple[Clip, str]:
    """Return the motion along the path in the file `path`, and how near to it the character is in words."""
    from motionfields.runtime.paths import read_path, walk_path

    way = read_path(path)
    with status_line(f"{way.length:.3g} m of path {COMPILES}"):
        walk = walk_path(controller, way, speed=speed, seed=seed, plant=plant)
    far = f"{100 * walk.distance.mean():.1f} cm from it on average, {100 * walk.distance.max():.1f} cm at most"
    return walk.clip, f"{'arrived' if walk.arrived else 'did not arrive'} after {way.length:.3g} m of path, {far}"


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
