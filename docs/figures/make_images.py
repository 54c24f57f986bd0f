"""Redraw the documentation's pictures of generated and captured motion into docs/images.

    python docs/figures/make_images.py [--output docs/images] [--only generated]

Pictures of captured motion need the shared data (or MOTIONFIELDS_DATA) and stay unchanged without it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gallery import DATA, IMAGES
from motionfields.base.geometry import quat_normalize
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.analysis import render_comparison, render_contacts, render_filmstrip, render_gif
from motionfields.motion.clip import Clip, low_pass, mirror, resample, trim
from motionfields.motion.formats import load_clip, load_clips
from motionfields.motion.samples import generate_samples

CAPTURE = DATA / "locomotion"
# Picture, generated clip and its start in seconds, captured clip and its start, seconds shown.
COMPARISONS = (
    ("compare_walk", "walk_forward", 0.6, "69_05", 1.05, 2.4),
    ("compare_turn_090", "turn_left_090_quick", 1.2, "69_24", 0.3, 2.4),
    ("compare_turn_180", "turn_left_180_quick", 1.2, "69_13", 3.1, 3.0),
)
CONTACT_TRIALS = ("69_01", "69_13", "69_24")


def cut(clip: Clip, start: float, seconds: float) -> Clip:
    """Return the part of `clip` that begins at `start` and lasts `seconds`, both in seconds."""
    first = round(start * clip.frame_rate)
    return trim(clip, first, first + round(seconds * clip.frame_rate) + 1)


def draw_generated(clips: dict[str, Clip], folder: Path) -> None:
    render_gif(cut(clips["turn_left_135_quick"], 0.6, 3.6), folder / "turn.gif", size=(360, 320), frame_rate=20.0)
    render_filmstrip(cut(clips["walk_forward"], 0.6, 2.4), folder / "filmstrip.png", pose_count=10, dpi=75.0)


def draw_captured(clips: dict[str, Clip], folder: Path) -> None:
    for picture, generated, start, captured, captured_start, seconds in COMPARISONS:
        take = low_pass(load_clip(CAPTURE / f"{captured}.bvh"))
        render_comparison(
            [cut(clips[generated], start, seconds), cut(take, captured_start, seconds)],
            folder / f"{picture}.png",
            titles=[f"generated: {generated}", f"captured: CMU {captured}"],
            pose_count=10,
            dpi=75.0,
        )
    for trial in CONTACT_TRIALS:
        take = cut(load_clip(CAPTURE / f"{trial}.bvh"), 0.0, 8.0)
        render_contacts(take, folder / f"contacts_{trial}.png", title=f"CMU {trial}", dpi=75.0)


def draw_passive(clips: Sequence[Clip], folder: Path, picture: str, *, seed: int) -> None:
    """Draw 3 s of passive synthesis with foot locking, above the source motion nearest to its middle frame.

    Also writes an animation of 6 s.
    """
    field = MotionField(MotionDatabase.build(clips))
    database = field.database
    runs = field.synthesize(field.start(1, seed=seed), 12.0, seed=seed)
    passive = field.clips(runs)[0]
    middle = int(runs.nearest[0, round(0.5 * runs.nearest.shape[1])])
    name = database.clip_names[database.clip_of[middle]]
    source = next(clip for clip in clips if clip.name == name.removesuffix(".mirror"))
    source = resample(low_pass(source), passive.frame_rate)
    source = mirror(source) if name.endswith(".mirror") else source
    start = (middle - int(database.clip_starts[database.clip_of[middle]])) * passive.frame_time
    render_comparison(
        [cut(passive, 4.5, 3.0), cut(source, max(0.0, start - 1.5), 3.0)],
        folder / f"{picture}.png",
        titles=["passive synthesis", f"the source it is most like at 1.5 s: {name}"],
        pose_count=10,
        dpi=75.0,
    )
    render_gif(cut(passive, 3.0, 6.0), folder / f"{picture}.gif", size=(340, 300), frame_rate=15.0)


def control_field(clips: Sequence[Clip]) -> MotionField:
    """Return a motion field of `clips`."""
    return MotionField(MotionDatabase.build(clips))


def draw_turns(
    field: MotionField, references: Sequence[tuple[str, Clip]], folder: Path, picture: str, *, seed: int
) -> None:
    """Draw a 90 and a 180 degree turn on command, each above a turn of the data and as an animation."""
    controller = train(field, Direction())
    for angle, (name, reference) in zip((90.0, 180.0), references, strict=True):
        crowd = controller.crowd(1, seed=seed)
        heading, frames = crowd.ground.facing[0], []
        for frame in range(round(8.0 / field.database.frame_time)):
            turned = np.radians(angle) if frame >= round(5.0 / field.database.frame_time) else 0.0
            frames.append(crowd.step(heading + turned))
        clip = Clip(
            field.database.skeleton,
            np.concatenate([frame.root_position for frame in frames]),
            quat_normalize(np.concatenate([frame.rotations for frame in frames]).astype(np.float64)),
            field.database.frame_time,
        )
        titles = [f"told to turn by {angle:.0f} degrees at 0.3 s", name]
        shown = [cut(clip, 4.7, 2.4), reference]
        target = folder / f"{picture}_{angle:03.0f}"
        render_comparison(shown, target.with_suffix(".png"), titles=titles, pose_count=12, dpi=75.0)
        render_gif(cut(clip, 4.0, 4.0), target.with_suffix(".gif"), size=(340, 300), frame_rate=15.0)


def draw_all_generated(clips: dict[str, Clip], folder: Path) -> None:
    """Draw the pictures of generated motion."""
    draw_generated(clips, folder)
    draw_passive(list(clips.values()), folder, "passive_samples", seed=1)
    turns = [
        (f"generated: {name}", cut(clips[name], 1.2, 2.4)) for name in ("turn_left_090_quick", "turn_left_180_quick")
    ]
    draw_turns(control_field(list(clips.values())), turns, folder, "control_samples", seed=3)


def draw_all_captured(clips: dict[str, Clip], folder: Path) -> None:
    """Draw the pictures of captured motion."""
    draw_captured(clips, folder)
    captured = load_clips(CAPTURE)
    draw_passive(captured, folder, "passive_captured", seed=2)
    takes = {clip.name: low_pass(clip) for clip in captured}
    turns = [
        ("captured: CMU 69_24", cut(takes["69_24"], 0.3, 2.4)),
        ("captured: CMU 69_13", cut(takes["69_13"], 3.1, 2.4)),
    ]
    draw_turns(control_field(captured), turns, folder, "control_captured", seed=3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=IMAGES)
    parser.add_argument("--only", choices=("generated", "captured"), help="pictures of this motion alone")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    clips = {sample.clip.name: sample.clip for sample in generate_samples()}
    if options.only != "captured":
        draw_all_generated(clips, options.output)
    if options.only == "generated":
        return
    if CAPTURE.is_dir():
        draw_all_captured(clips, options.output)
    else:
        print(f"no capture in {CAPTURE}: pictures that show it are left as they are")


if __name__ == "__main__":
    main()
