"""`motionfields retarget`: retarget motion files to one skeleton."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.errors import FormatError
from motionfields.base.wording import counted
from motionfields.cli.options import (
    Facing,
    FileRate,
    JointNames,
    RestFrames,
    Scale,
    Source,
    Up,
    checked_output,
    joint_names,
    load_options,
    make_folder,
    read_clips,
)

if TYPE_CHECKING:
    from motionfields.motion.clip import Clip
    from motionfields.motion.skeleton import Skeleton


def retarget(
    source: Source,
    skeleton: Annotated[Path, typer.Option(help="Motion file with the target skeleton.", show_default=False)],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="Output file (.bvh, .glb, .usda or .usdc) or folder for several clips.",
            show_default=False,
        ),
    ],
    names: JointNames = None,
    plant: Annotated[bool, typer.Option(help="Lock feet to the ground during contacts.")] = True,
    scale: Scale = None,
    up: Up = None,
    facing: Facing = None,
    rest_frames: RestFrames = None,
    file_rate: FileRate = None,
) -> None:
    """Retarget motion files to one skeleton; report mapped joints and foot skate."""
    from motionfields.motion.formats import save_clip
    from motionfields.motion.retargeting import errors_of, retarget_with_report

    pairs = joint_names(names)
    options = load_options(scale=scale, up=up, facing=facing, rest_frames=rest_frames, file_rate=file_rate)
    target = _skeleton_of(skeleton)
    clips = read_clips(source, options)
    paths = _paths(clips, output)
    shown: list[str] = []
    for clip, path in zip(clips, paths, strict=True):
        with errors_of(clip):
            moved, report = retarget_with_report(clip, target, names=pairs, plant=plant)
        save_clip(moved, path)
        lines = report.mapping_lines()
        if lines != shown:
            print("\n".join(lines))
            shown = lines
        print(f"{path}: {'; '.join(report.motion_lines())}")


def _skeleton_of(file: Path) -> Skeleton:
    from motionfields.motion.body import find_body
    from motionfields.motion.formats import load_clip
    from motionfields.motion.retargeting import errors_of

    clip = load_clip(file)
    with errors_of(clip):
        find_body(clip.skeleton)
    return clip.skeleton


def _paths(clips: list[Clip], output: Path) -> list[Path]:
    """Return the output path of each clip: `output` itself, or a file named after the clip in the folder `output`."""
    from motionfields.motion.formats.loading import OUTPUT_SUFFIXES, SUFFIXES

    if output.suffix.lower() in (*SUFFIXES, *OUTPUT_SUFFIXES):
        if len(clips) > 1:
            raise FormatError(
                f"expected a folder to write {counted(len(clips), 'clip')} to, got a file name", path=str(output)
            )
        checked_output(output, OUTPUT_SUFFIXES)
        return [output]
    name, count = Counter(clip.name for clip in clips).most_common(1)[0]
    if count > 1:
        raise FormatError(f"{count} clips are called {name}; retarget them to separate folders", path=str(output))
    make_folder(output)
    return [output / f"{clip.name}.bvh" for clip in clips]
