"""`motionfields select`: keep the few takes of a motion field that do nearly as well as all of them."""

from __future__ import annotations

from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import Field, checked_output, say_next, status_line


def select(
    field: Field,
    output: Annotated[str, typer.Option("--output", "-o", help="Output file or URL, .field.", show_default=False)],
    keep: Annotated[int, typer.Option(help="Number of takes to keep; their mirror images are kept too.", min=1)] = 5,
) -> None:
    """Write a smaller field with the takes that a character needs most to walk in changing directions."""
    from motionfields.field import MotionField
    from motionfields.measure.survey import select_takes

    checked_output(output, (".field",))
    with status_line() as say:
        say("reading the field")
        loaded = MotionField.load(field)
        found = select_takes(loaded, keep, on_progress=say)
        say(f"writing {output}")
        small = found.field()
        small.save(output)
    width = max(len(step.take) for step in found.steps)
    print(f"{'takes':>5}  {'added':{width}}  performance  turns    speed")
    for number, step in enumerate(found.steps, start=1):
        share, response, speed = 100.0 * step.share, step.performance.response, step.performance.speed
        print(f"{number:5}  {step.take:{width}}  {share:9.0f} %  {response:.2f} s  {speed:.2f} m/s")
    take_count, state_count = found.tables.take_count, loaded.database.state_count
    print(
        f"{output}: {len(found.steps)} of {counted(take_count, 'take')}, "
        f"{small.database.state_count} of {counted(state_count, 'state')}"
    )
    say_next(f"train {output} --task direction -o small.ctrl")
