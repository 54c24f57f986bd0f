"""`motionfields sample`: write the generated sample clips."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionfields.cli.options import make_folder, say_next


def sample(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.", show_default=False)],
    frame_rate: Annotated[float, typer.Option(help="Frames per second.", min=10.0, max=1000.0)] = 60.0,
    seed: Annotated[int, typer.Option(help="Another seed varies the steps.", min=0)] = 0,
) -> None:
    """Write generated clips of a person walking, turning, side-stepping, stopping and standing."""
    from rich.progress import track

    from motionfields.motion.formats import save_clip
    from motionfields.motion.samples import generate_samples

    make_folder(output)
    samples = generate_samples(frame_rate=frame_rate, seed=seed)
    for one in track(samples, description="writing", transient=True):
        save_clip(one.clip, output / f"{one.clip.name}.bvh")
    seconds = sum(one.clip.duration for one in samples)
    print(f"{output}: {len(samples)} clips, {seconds:.0f} s of generated motion; nothing in it was captured")
    say_next(f"build {output} -o walker.field")
