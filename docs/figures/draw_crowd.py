"""Draw `docs/images/crowd.png`: 1,000 characters that walk in a spiral, 24 seconds after they started in rows.

    python docs/figures/draw_crowd.py [--output docs/images] [--count 1000] [--seconds 24]

Also draws `docs/images/crowd.gif`: 150 characters for four seconds, as they turn out of their rows. The controller
decides for every character at every frame. Needs the extra `plots`.
"""

from __future__ import annotations

import argparse
import io
import time
from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import hsv_to_rgb
from matplotlib.figure import Figure
from PIL import Image

from gallery import IMAGES
from motionfields.base.arrays import FloatArray
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, Ground
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton, forward_kinematics
from motionfields.runtime import Crowd, Frame

SPACING = 1.6  # metres between characters at the start
EYE_HEIGHT, EYE_DISTANCE = 21.0, 46.0  # metres
ASPECT = 2.0
THICKNESS = 3.0  # bone width in points at a depth of 1 m, for a picture 1 inch and 2 m (at that depth) wide
FILMED, FILM_FRAMES, FILM_COLORS = 150, 120, 24  # characters, simulated frames and colours of the animation
PAPER, LINES = "#ffffff", "#e2e0d8"


def spiral(ground: Ground) -> FloatArray:
    """Return headings [n] in radians that circle the origin to the left, at about 14 m from it."""
    x, z = ground.position.T
    away, outward = np.hypot(x, z), np.arctan2(x, z)
    return np.asarray(outward + 0.5 * np.pi + 0.6 * np.tanh((away - 14.0) / 8.0))


def in_rows(controller: FieldController, count: int) -> Crowd:
    """Return a crowd of `count` characters in rows."""
    crowd = Crowd(controller, count, seed=1)
    columns = int(np.ceil(np.sqrt(count * 1.6)))
    place = np.stack(np.divmod(np.arange(count), columns)[::-1], axis=-1).astype(np.float64)
    crowd.place(slice(None), SPACING * (place - place.mean(axis=0)), np.zeros(count))
    return crowd


def walk(controller: FieldController, count: int, seconds: float) -> tuple[Frame, Ground, float]:
    """Return the last frame and the ground of the crowd after `seconds`, and the mean seconds per frame."""
    crowd = in_rows(controller, count)
    frame = crowd.step(spiral(crowd.ground))
    frame_count = round(seconds / controller.field.database.frame_time)
    began = time.perf_counter()
    for _ in range(frame_count):
        crowd.step(spiral(crowd.ground), out=frame)
    return frame, crowd.ground, (time.perf_counter() - began) / frame_count


def project(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return picture positions [..., 2] and depths [...] of `points` [..., 3] for a raised camera that looks down."""
    tilt = np.arctan2(EYE_HEIGHT, EYE_DISTANCE)
    sine, cosine = np.sin(tilt), np.cos(tilt)
    y, z = points[..., 1] - EYE_HEIGHT, points[..., 2] - EYE_DISTANCE
    depth = -(sine * y + cosine * z)
    up = cosine * y - sine * z
    return np.stack([points[..., 0], up], axis=-1) / depth[..., np.newaxis], depth


def bones(skeleton: Skeleton, frame: Frame) -> FloatArray:
    """Return the two ends of every bone longer than 1 mm, [n, bone, 2, 3] metres."""
    places = forward_kinematics(skeleton, frame.root_position, frame.rotations).positions
    long = np.flatnonzero((np.linalg.norm(skeleton.offsets, axis=-1) > 1e-3) & (skeleton.parents >= 0))
    return np.stack([places[:, skeleton.parents[long]], places[:, long]], axis=2)


def view_of(skeleton: Skeleton, frame: Frame) -> tuple[FloatArray, float]:
    """Return the middle [2] and half the width of a picture that contains all characters."""
    seen = project(bones(skeleton, frame))[0].reshape(-1, 2)
    low, high = seen.min(axis=0), seen.max(axis=0)
    return 0.5 * (low + high), 0.52 * float(max(high[0] - low[0], (high[1] - low[1]) * ASPECT))


def draw(
    skeleton: Skeleton, frame: Frame, ground: Ground, view: tuple[FloatArray, float], *, inches: float, dpi: float
) -> Image.Image:
    """Return a picture of the crowd, `inches` wide; the farthest characters are drawn first."""
    figure = Figure(figsize=(inches, inches / ASPECT), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    reach = 34.0
    marks = np.arange(-reach, reach + 1.0, 2.0)
    floor = [[[mark, 0.0, -reach], [mark, 0.0, reach * 0.8]] for mark in marks]
    floor += [[[-reach, 0.0, mark], [reach, 0.0, mark]] for mark in marks if mark <= reach * 0.8]
    axes.add_collection(LineCollection(list(project(np.array(floor))[0]), colors=LINES, linewidths=0.6))
    ends = bones(skeleton, frame)
    seen, depth = project(ends)
    feet = ends[..., :].copy()
    feet[..., 1] = 0.0
    shade, _ = project(feet)
    axes.add_collection(LineCollection(list(shade.reshape(-1, 2, 2)), colors="#000000", alpha=0.10, linewidths=1.0))
    far = depth.mean(axis=(1, 2))
    hue = (ground.facing / (2.0 * np.pi)) % 1.0
    colors = hsv_to_rgb(np.stack([hue, np.full_like(hue, 0.6), np.full_like(hue, 0.72)], axis=-1))
    (x, y), half = view
    for character in np.argsort(-far):
        width = THICKNESS * inches / (half * far[character])
        axes.add_collection(
            LineCollection(list(seen[character]), colors=[colors[character]], linewidths=width, capstyle="round")
        )
    axes.set_xlim(x - half, x + half)
    axes.set_ylim(y - half / ASPECT, y + half / ASPECT)
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=dpi)
    return Image.open(buffer)


def film(controller: FieldController, path: Path) -> None:
    """Write a GIF with ten frames per second of a crowd that turns out of its rows."""
    crowd, skeleton = in_rows(controller, FILMED), controller.field.database.skeleton
    for _ in range(30):
        frame = crowd.step(0.0)
    view, pictures = view_of(skeleton, frame), list[Image.Image]()
    for number in range(FILM_FRAMES):
        crowd.step(spiral(crowd.ground), out=frame)
        if number % 3 == 0:
            pictures.append(draw(skeleton, frame, crowd.ground, view, inches=6.0, dpi=80.0).convert("RGB"))
    palette = pictures[-1].quantize(FILM_COLORS)
    small = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    small[0].save(path, save_all=True, append_images=small[1:], duration=100, loop=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=IMAGES)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=24.0)
    options = parser.parse_args()
    field = MotionField(MotionDatabase.build(sample.clip for sample in generate_samples()))
    controller = train(field, Direction())
    frame, ground, seconds = walk(controller, options.count, options.seconds)
    path = options.output / "crowd.png"
    skeleton = field.database.skeleton
    draw(skeleton, frame, ground, view_of(skeleton, frame), inches=12.8, dpi=110.0).save(path)
    print(f"{path}: {options.count} characters, {1e3 * seconds:.1f} ms a frame")
    film(controller, options.output / "crowd.gif")
    print(options.output / "crowd.gif")


if __name__ == "__main__":
    main()
