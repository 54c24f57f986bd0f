"""`motionfields export`: write a controller for programs without Python."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import Controller, checked_output, say_notes

SUFFIXES = (".mfpack", ".html")


def export(
    controller: Controller,
    output: Annotated[Path, typer.Option("--output", "-o", help="Output file, .mfpack or .html.", show_default=False)],
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Keep every number of the controller; the file is about three times larger. Default: compact.",
        ),
    ] = False,
    character: Annotated[
        Path | None,
        typer.Option(
            help="Your own character, a skinned .glb or .gltf, in place of the plain body; only for .html output.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Export a controller as a file for the C runtime (game engines) or as a self-contained web page."""
    from motionfields.control.methods import load_controller
    from motionfields.export import save_pack, save_page
    from motionfields.motion.formats import load_character

    suffix = checked_output(output, SUFFIXES if character is None else (".html",))
    loaded = load_controller(controller)
    hero = None if character is None else load_character(character)
    if suffix == ".html":
        size = save_page(loaded, output, title=PurePath(controller).stem, exact=exact, character=hero)
    else:
        size = save_pack(loaded, output, exact=exact)
    database = loaded.field.database
    about = f"{counted(database.state_count, 'state')}, {counted(database.skeleton.joint_count, 'joint')}"
    if hero is not None:
        about += f", {counted(hero.vertex_count, 'vertex', 'vertices')} of {character}"
    print(f"{output}: {about}, {'exact' if exact else 'compact'}, {size / 1e6:.1f} MB")
    say_notes(hero, character)
