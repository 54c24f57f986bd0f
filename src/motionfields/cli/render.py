"""`motionfields render`: draw a motion as a filmstrip, an animated GIF, a video or plots."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from motionfields.cli.options import Facing, FileRate, OneFile, RestFrames, Scale, Up, checked_output, load_options


class Picture(StrEnum):
    """Content of a PNG picture."""

    FILMSTRIP = "filmstrip"
    ANGLES = "angles"
    CONTACTS = "contacts"


def render(
    clip: OneFile,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Output picture or video: .png, .gif, .mp4 or .webm.", show_default=False),
    ],
    picture: Annotated[
        Picture, typer.Option(help="Content of a .png: poses, leg angles over time, or foot height and speed.")
    ] = Picture.FILMSTRIP,
    poses: Annotated[int, typer.Option(help="Number of poses in a filmstrip.", min=2, max=60)] = 12,
    seconds: Annotated[
        float | None, typer.Option(help="Maximum length in seconds. Default: 20 for a .gif, 600 for a video.", min=0.1)
    ] = None,
    scale: Scale = None,
    up: Up = None,
    facing: Facing = None,
    rest_frames: RestFrames = None,
    file_rate: FileRate = None,
) -> None:
    """Draw a motion as a filmstrip (.png), an animation (.gif), a video (.mp4, .webm) or curves (.png)."""
    suffix = checked_output(output, (".png", ".gif", ".mp4", ".webm"))
    from motionfields.measure import analysis
    from motionfields.motion.formats import load_clip

    options = load_options(scale=scale, up=up, facing=facing, rest_frames=rest_frames, file_rate=file_rate)
    motion = load_clip(clip, **options)
    if suffix == ".gif":
        analysis.render_gif(motion, output, max_seconds=seconds or 20.0)
    elif suffix in (".mp4", ".webm"):
        analysis.render_video(motion, output, max_seconds=seconds or 600.0)
    elif picture is Picture.FILMSTRIP:
        analysis.render_filmstrip(motion, output, pose_count=poses)
    elif picture is Picture.ANGLES:
        analysis.render_joint_angles(motion, output)
    else:
        analysis.render_contacts(motion, output)
    print(output)
