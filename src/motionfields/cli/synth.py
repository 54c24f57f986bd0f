"""`motionfields synth`: write passive motion of a field, without a task."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import Field, checked_output


class Rule(StrEnum):
    """Rule by which passive synthesis chooses the next state."""

    FLOW = "flow"
    PAPER = "paper"


def synth(
    field: Field,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write, .bvh or .glb.", show_default=False)
    ],
    seconds: Annotated[float, typer.Option(help="How long.", min=0.1, max=36000.0)] = 60.0,
    seed: Annotated[int, typer.Option(help="Another seed starts elsewhere and goes another way.", min=0)] = 0,
    rule: Annotated[Rule, typer.Option(help="Ours, or the plain rule of the paper.")] = Rule.FLOW,
    plant: Annotated[bool, typer.Option(help="Hold feet in place while they stand.")] = True,
) -> None:
    """Let a field move on its own, without a task, and write the motion."""
    from rich.console import Console

    from motionfields.field import MotionField
    from motionfields.field.passive import PAPER, PassiveSettings
    from motionfields.motion.formats import OUTPUT_SUFFIXES, save_clip

    checked_output(output, OUTPUT_SUFFIXES)
    loaded = MotionField.load(field)
    settings = PAPER if rule is Rule.PAPER else PassiveSettings()
    with Console(stderr=True).status(f"{seconds:g} s of motion (the very first run compiles, for half a minute)"):
        runs = loaded.synthesize(loaded.start(1, seed=seed, settings=settings), seconds, seed=seed, settings=settings)
        clip = loaded.clips(runs, plant=plant)[0]
    save_clip(clip, output)
    print(f"{output}: {clip.duration:.2f} s, {counted(clip.frame_count, 'frame')} at {clip.frame_rate:g}/s")
