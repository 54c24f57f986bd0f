"""`motionfields export`: write a controller for programs without Python."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import Controller, checked_output

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
) -> None:
    """Write a controller for the C runtime, which runs it in engines, or as a page that any browser opens."""
    from motionfields.control.methods import load_controller
    from motionfields.export import save_pack, save_page

    suffix = checked_output(output, SUFFIXES)
    loaded = load_controller(controller)
    if suffix == ".html":
        size = save_page(loaded, output, title=PurePath(controller).stem, exact=exact)
    else:
        size = save_pack(loaded, output, exact=exact)
    database = loaded.field.database
    about = f"{counted(database.state_count, 'state')}, {counted(database.skeleton.joint_count, 'joint')}"
    print(f"{output}: {about}, {'exact' if exact else 'compact'}, {size / 1e6:.1f} MB")
