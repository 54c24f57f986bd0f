"""`motionfields convert`: read, clean and rewrite a motion file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.errors import SkeletonError
from motionfields.base.wording import counted
from motionfields.cli.options import (
    Facing,
    FileRate,
    OneFile,
    RestFrames,
    Scale,
    Up,
    checked_output,
    load_options,
)

if TYPE_CHECKING:
    from motionfields.motion.clip import Clip


def convert(
    clip: OneFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: .bvh, .glb, .usda or .usdc.", show_default=False)
    ],
    frame_rate: Annotated[
        float | None, typer.Option(help="Frames per second of the output. Default: unchanged.")
    ] = None,
    cutoff: Annotated[float | None, typer.Option(help="Low-pass cutoff in Hz. Default: no filter.")] = None,
    start: Annotated[float, typer.Option(help="Start time in seconds; earlier frames are cut.", min=0.0)] = 0.0,
    end: Annotated[
        float | None, typer.Option(help="End time in seconds; later frames are cut. Default: the end of the clip.")
    ] = None,
    mirrored: Annotated[bool, typer.Option("--mirror", help="Swap left and right, on the same skeleton.")] = False,
    ground: Annotated[bool, typer.Option("--ground", help="Shift the motion vertically onto the floor.")] = False,
    unit: Annotated[
        str | None, typer.Option(help="Unit of a .bvh output: m, cm, mm, inch, foot, cmu. Default: cm.")
    ] = None,
    order: Annotated[str | None, typer.Option(help="Rotation channel order of a .bvh output. Default: ZYX.")] = None,
    scale: Scale = None,
    up: Up = None,
    facing: Facing = None,
    rest_frames: RestFrames = None,
    file_rate: FileRate = None,
) -> None:
    """Convert a motion file to y up, facing +z; optionally cut, filter, resample, mirror and move it to the floor."""
    from motionfields.motion.clip import place_on_ground, resample
    from motionfields.motion.formats import OUTPUT_SUFFIXES, load_clip, save_clip

    suffix = checked_output(output, OUTPUT_SUFFIXES)
    if suffix != ".bvh" and (unit or order):
        raise ValueError(
            f"{'--unit' if unit else '--order'}: glTF and USD always use metres and quaternions; remove the option"
        )
    options = load_options(scale=scale, up=up, facing=facing, rest_frames=rest_frames, file_rate=file_rate)
    motion = _cut(load_clip(clip, **options), start, end)
    if cutoff is not None:
        motion = _filtered(motion, cutoff)
    if frame_rate is not None:
        motion = resample(motion, frame_rate)
    if mirrored:
        motion = _mirror(motion)
    if ground:
        motion = place_on_ground(motion)
    save_clip(motion, output, unit=unit or "cm", order=order or "ZYX")
    print(
        f"{output}: {motion.duration:.2f} s, {counted(motion.frame_count, 'frame')} at {motion.frame_rate:g}/s, "
        f"unit {unit or 'cm' if suffix == '.bvh' else 'm'}"
    )
    for warning in motion.report.warnings if motion.report else ():
        print(f"  warning: {warning}")


def _cut(motion: Clip, start: float, end: float | None) -> Clip:
    from motionfields.motion.clip import trim

    for name, second in (("start", start), ("end", end)):
        if second is not None and not math.isfinite(second):
            raise ValueError(f"{name}: expected a finite number of seconds, got {second}")
    first = round(start * motion.frame_rate)
    last = motion.frame_count if end is None else round(end * motion.frame_rate) + 1
    part = trim(motion, first, max(first, last))
    if part.frame_count == 0 and motion.frame_count > 0:
        until = "the end" if end is None else f"{end:g} s"
        raise ValueError(
            f"--start, --end: no frames between {start:g} s and {until}; the clip lasts {motion.duration:.2f} s"
        )
    return part


def _filtered(motion: Clip, cutoff: float) -> Clip:
    """Low-pass `motion` at `cutoff` Hz; if that is not possible, print the reason and return `motion` unchanged."""
    from motionfields.motion.clip import low_pass

    smooth = low_pass(motion, cutoff)
    if smooth is motion and motion.frame_count < 4:
        print(f"not filtered: the filter needs at least 4 frames, the clip has {motion.frame_count}")
    elif smooth is motion:
        lowest = 2.5 * cutoff
        print(f"not filtered: {cutoff:g} Hz needs at least {lowest:g} frames/s, the clip has {motion.frame_rate:g}")
    return smooth


def _mirror(motion: Clip) -> Clip:
    """Return the mirror image of `motion` on its own skeleton, and print the joint pairs that were swapped.

    If the legs cannot be fitted to that skeleton, print the reason and return the image on the mirrored skeleton.
    """
    from motionfields.motion.body import find_pairs
    from motionfields.motion.clip import fit_skeleton, mirror

    pairs = find_pairs(motion.skeleton)
    print("mirrored: " + ", ".join(f"{left}/{right}" for left, right in pairs.items()))
    image = mirror(motion, pairs=pairs)
    try:
        return fit_skeleton(image, motion.skeleton)
    except SkeletonError as error:
        print(f"kept on the mirrored skeleton: {error}")
        return image
