"""`motionfields export`: write a controller for programs without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import Controller, checked_output

SUFFIXES = (".mfpack",)


def export(
    controller: Controller,
    output: Annotated[Path, typer.Option("--output", "-o", help="Output file, .mfpack.", show_default=False)],
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Keep every number of the controller; the file is about three times larger. Default: compact.",
        ),
    ] = False,
) -> None:
    """Write a controller for the C runtime, which runs it in engines and without Python."""
    from motionfields.control.methods import load_controller
    from motionfields.export import save_pack

    checked_output(output, SUFFIXES)
    loaded = load_controller(controller)
    size = save_pack(loaded, output, exact=exact)
    database = loaded.field.database
    about = f"{counted(database.state_count, 'state')}, {counted(database.skeleton.joint_count, 'joint')}"
    print(f"{output}: {about}, {'exact' if exact else 'compact'}, {size / 1e6:.1f} MB")
