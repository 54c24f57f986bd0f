"""`motionfields sample`: write the generated sample clips."""

from __future__ import annotations

import re
from fnmatch import translate
from pathlib import Path
from typing import Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import make_folder, say_next


def sample(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output folder; created if missing.", show_default=False)
    ],
    frame_rate: Annotated[float, typer.Option(help="Frames per second.", min=10.0, max=1000.0)] = 60.0,
    seed: Annotated[int, typer.Option(help="Random seed that varies the steps.", min=0)] = 0,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help='Write only clips whose name matches, such as "walk_*"; repeatable. Default: all clips.',
        ),
    ] = None,
) -> None:
    """Write generated clips of a person walking, turning, side-stepping, stopping and standing."""
    from rich.console import Console
    from rich.progress import track

    from motionfields.motion.formats import save_clip
    from motionfields.motion.samples import generate_samples, sample_names

    wanted = re.compile("|".join(map(translate, only))) if only else None
    names = sample_names(wanted)
    if not names:
        raise ValueError(f"--only: no clip is called {' or '.join(only or [])}; omit --only to write all clips")
    make_folder(output)
    console = Console(stderr=True)
    bar = track(names, description="writing", transient=True, console=console, disable=not console.is_terminal)
    seconds = 0.0
    for name in bar:
        [sample] = generate_samples(frame_rate=frame_rate, seed=seed, only=[name])
        save_clip(sample.clip, output / f"{name}.bvh")
        seconds += sample.clip.duration
    print(f"{output}: {counted(len(names), 'clip')}, {seconds:.0f} s of generated motion, none of it captured")
    say_next(f"build {output} -o walker.field")
