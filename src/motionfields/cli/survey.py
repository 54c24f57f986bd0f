"""`motionfields survey`: report coverage, gaps and faults of a motion field."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import Field, make_folder, status_line


def survey(
    field: Field,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the report; created if missing.", show_default=False)
    ],
    bounds: Annotated[
        bool,
        typer.Option("--bounds", help="Also compute the fastest turns possible for any controller; takes longer."),
    ] = False,
    worth: Annotated[
        bool,
        typer.Option(
            "--worth", help="Also measure how much each take contributes to a walking character; takes several minutes."
        ),
    ] = False,
    shots: Annotated[
        bool, typer.Option("--shots", help="Also list which motions to capture next, with the predicted gain of each.")
    ] = False,
) -> None:
    """Report coverage, reachability, redundancy and faults of a motion field as a web page, JSON and pictures."""
    from motionfields.field import MotionField
    from motionfields.measure.analysis.output import plotting_module
    from motionfields.measure.survey import LEVELS, save_report
    from motionfields.measure.survey import survey as surveyed

    plotting_module("matplotlib")  # fail before the work, not after it
    make_folder(output)
    with status_line() as say:
        say("reading the field")
        loaded = MotionField.load(field)
        say(f"surveying {counted(loaded.database.state_count, 'state')}")
        found = surveyed(loaded, bounds=bounds, worth=worth, shots=shots, on_progress=say)
        say("drawing the report")
        page = save_report(found, loaded, output, title=f"Survey of {Path(field).name}")
    for level in LEVELS:
        for one in found.of_level(level):
            print(f"{level}: {one.text}")
    for shot in found.shots or ():
        print(f"capture: {shot.text} Saves {shot.gain:.1f} s.")
    if found.worth is not None:
        print(f"worth: {found.worth.text}")
    print(page)
