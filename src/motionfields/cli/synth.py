"""`motionfields synth`: write passive motion of a field, without a task."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import COMPILES, Field, checked_output, status_line


class Rule(StrEnum):
    """Rule by which passive synthesis chooses the next state."""

    FLOW = "flow"
    PAPER = "paper"


def synth(
    field: Field,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: .bvh, .glb, .usda or .usdc.", show_default=False)
    ],
    seconds: Annotated[float, typer.Option(help="Length of the motion in seconds.", min=0.1, max=36000.0)] = 60.0,
    seed: Annotated[int, typer.Option(help="Random seed of the start state and of later transitions.", min=0)] = 0,
    rule: Annotated[
        Rule, typer.Option(help="Rule that chooses transitions: flow (ours) or paper (Lee et al. 2010).")
    ] = Rule.FLOW,
    plant: Annotated[bool, typer.Option(help="Lock feet to the ground during contacts.")] = True,
) -> None:
    """Write passive motion of a field: a character without a task."""
    from motionfields.field import MotionField
    from motionfields.field.passive import PAPER, PassiveSettings
    from motionfields.motion.formats import OUTPUT_SUFFIXES, save_clip

    checked_output(output, OUTPUT_SUFFIXES)
    loaded = MotionField.load(field)
    settings = PAPER if rule is Rule.PAPER else PassiveSettings()
    with status_line(f"{seconds:g} s of motion {COMPILES}"):
        runs = loaded.synthesize(loaded.start(1, seed=seed, settings=settings), seconds, seed=seed, settings=settings)
        clip = loaded.clips(runs, plant=plant)[0]
    save_clip(clip, output)
    print(f"{output}: {clip.duration:.2f} s, {counted(clip.frame_count, 'frame')} at {clip.frame_rate:g}/s")
