"""Draw `docs/images/crossing.webp`: two groups of 100 people that walk through each other, steered by futures.

    python docs/figures/draw_crossing.py [--out docs/images] [--controller F.ctrl --futures F.futures] [--still 12]

The motion is the public set cmu-locomotion, unless a velocity controller and its futures are given. Also prints how
near displayed bodies came to each other. `--still` draws that picture of the film alone, as a PNG file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from gallery import DATA, IMAGES
from motionfields.authoring.worlds import Futures, Pilot
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_rotate
from motionfields.base.world import Reach, Room, World
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats import load_clips
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import Crowd, Frame
from motionfields.runtime.physics.segments import SegmentedBody

SIZE = (640, 320)  # pixels
FINE = 2  # pictures are drawn this many times larger
STEP, PICTURES, BEFORE = 4, 84, 75  # frames for each picture, pictures, frames before the first
LENGTH, APART, RADIUS = 19.0, 1.3, 0.25  # metres to walk, between neighbours, of a body
EYE, TARGET = np.array([0.0, 13.0, -19.0]), np.array([0.0, 0.4, -0.9])  # metres
ZOOM = 1.72  # half the width of the picture, over the depth
LIGHT = np.array([0.5, -1.0, 0.45])
GROUND, LINES, GROUPS = (233, 228, 218), (216, 210, 198), ((0.07, 0.62), (0.58, 0.45))  # hue and saturation


def two_groups() -> tuple[FloatArray, FloatArray, list[Reach]]:
    """Return places [200, 2], facings [200] and goals of two groups that face each other."""
    rng = np.random.default_rng(1)
    row, column = np.divmod(np.arange(100), 10)
    places, goals = [], []
    for side in (-1.0, 1.0):
        x = side * (0.5 * LENGTH - APART * (row - 4.5)) + rng.uniform(-0.2, 0.2, 100)
        z = APART * (column - 4.5) + 0.3 * side + rng.uniform(-0.2, 0.2, 100)
        places.append(np.stack([x, z], axis=-1))
        goals += [Reach(float(a), float(b)) for a, b in zip(x - side * LENGTH, z, strict=True)]
    return np.concatenate(places), np.repeat([0.5 * np.pi, -0.5 * np.pi], 100), goals


def project(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return positions [..., 2] in fine pixels and depths [...] of `points` [..., 3]."""
    ahead = (TARGET - EYE) / np.linalg.norm(TARGET - EYE)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    from_eye = points - EYE
    depth = from_eye @ ahead
    seen = np.stack([from_eye @ right, -(from_eye @ np.cross(right, ahead))], axis=-1) / depth[..., np.newaxis]
    return seen * (0.5 * FINE * SIZE[0] * ZOOM) + 0.5 * FINE * np.array(SIZE), depth


def capsules(body: SegmentedBody, field: MotionField, frame: Frame) -> tuple[FloatArray, FloatArray]:
    """Return the ends [n, part, 2, 3] of all body parts in metres, and their radii [part]."""
    world = forward_kinematics(field.database.skeleton, frame.root_position, frame.rotations)
    joints = [part.joint for part in body.segments]
    ends = np.stack([np.stack([part.start, part.end]) for part in body.segments])
    turned = quat_rotate(world.rotations[:, joints, np.newaxis], ends[np.newaxis])
    return world.positions[:, joints, np.newaxis] + turned, np.array([part.radius for part in body.segments])


def picture(ends: FloatArray, radii: FloatArray, colors: FloatArray) -> Image.Image:
    """Return a picture of characters whose parts have these `ends` [n, part, 2, 3]; the farthest are drawn first."""
    width, height = FINE * SIZE[0], FINE * SIZE[1]
    image = Image.new("RGB", (width, height), GROUND)
    pen = ImageDraw.Draw(image)
    for mark in np.arange(-40.0, 41.0, 2.0):
        for line in ([[mark, 0.0, -12.0], [mark, 0.0, 40.0]], [[-40.0, 0.0, mark], [40.0, 0.0, mark]]):
            if line[0][2] >= -12.0:
                pen.line([tuple(place) for place in project(np.array(line))[0]], fill=LINES, width=FINE)
    scale = 0.5 * width * ZOOM
    shade = Image.new("L", (width, height))
    shadow = ends - LIGHT * (ends[..., 1:2] / LIGHT[1])
    flat, far = project(shadow)
    stroke(ImageDraw.Draw(shade), flat, scale * radii / far.mean(axis=-1), lambda *_: 80)
    image = Image.composite(
        Image.new("RGB", image.size, (70, 62, 52)), image, shade.filter(ImageFilter.GaussianBlur(FINE))
    )
    seen, depth = project(ends)
    lit = 0.72 + 0.28 * np.clip(ends.mean(axis=2)[..., 1] / 1.6, 0.0, 1.0)  # darker towards the ground
    pen = ImageDraw.Draw(image)
    for i in np.argsort(-depth.mean(axis=(1, 2))):
        order = np.argsort(-depth[i].mean(axis=1))
        wide = scale * radii[order] / depth[i].mean(axis=1)[order]
        for share, bright, up in ((1.0, 0.82, 0.0), (0.62, 1.0, -0.22)):  # the body, and its side towards the light
            tone = [tuple((255.0 * np.clip(colors[i] * bright * lit[i, part], 0.0, 1.0)).astype(int)) for part in order]
            moved = seen[i, order] + (up * wide)[:, np.newaxis, np.newaxis]
            stroke(pen, moved[np.newaxis], share * wide[np.newaxis], lambda _, part, tone=tone: tone[part])
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def stroke(pen: ImageDraw.ImageDraw, places: FloatArray, radii: FloatArray, color: object) -> None:
    """Draw thick lines with round ends through `places` [n, part, 2, 2], with `radii` [n, part] in pixels."""
    for i, parts in enumerate(places):
        for part, (start, end) in enumerate(parts):
            radius = max(float(radii[i, part]), 0.6)
            fill = color(i, part)  # type: ignore[operator]
            pen.line([tuple(start), tuple(end)], fill=fill, width=max(1, round(2.0 * radius)))
            for x, y in (start, end):
                pen.ellipse([x - radius, y - radius, x + radius, y + radius], fill=fill)


def tints() -> FloatArray:
    """Return a colour [200, 3] for each character, by group."""
    from matplotlib.colors import hsv_to_rgb

    rng = np.random.default_rng(2)
    hue, saturation = np.repeat(np.array(GROUPS), 100, axis=0).T
    varied = np.stack(
        [hue + rng.uniform(-0.03, 0.03, 200), saturation + rng.uniform(-0.1, 0.1, 200), rng.uniform(0.72, 0.92, 200)],
        -1,
    )
    return np.asarray(hsv_to_rgb(np.clip(varied, 0.0, 1.0)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--controller", type=Path)
    parser.add_argument("--futures", type=Path)
    parser.add_argument("--still", type=int)
    options = parser.parse_args()
    if options.controller is None:
        controller = train(MotionField(MotionDatabase.build(load_clips(DATA / "locomotion"))), Velocity())
    else:
        controller = FieldController.load(options.controller)
    futures = Futures.of(controller) if options.futures is None else Futures.load(options.futures)
    places, facings, goals = two_groups()
    crowd = Crowd(controller, len(goals), seed=1)
    crowd.place(slice(None), places, facings)
    pilot = Pilot(futures, World(Room((-40.0, -40.0, 40.0, 40.0), radius=RADIUS)), goals)
    body = SegmentedBody(controller.field.database.skeleton, rotations=controller.field.database.rotations)
    colors, pictures, nearest, contacts = tints(), list[Image.Image](), np.inf, 0
    last = PICTURES - 1 if options.still is None else options.still
    for number in range(BEFORE + STEP * last + 1):
        frame = crowd.step(pilot.commands(crowd))
        shown = frame.root_position[:, ::2]
        gaps = np.linalg.norm(shown[:, np.newaxis] - shown, axis=-1) + 9.0 * np.eye(len(goals))
        nearest, contacts = min(nearest, float(gaps.min())), contacts + int((gaps < 2.0 * RADIUS).sum() // 2)
        filmed, which = divmod(number - BEFORE, STEP)
        if which == 0 and filmed >= 0 and options.still in (None, filmed):
            pictures.append(picture(*capsules(body, controller.field, frame), colors))
    path = options.out / ("crossing.webp" if options.still is None else "crossing.png")
    more: dict[str, Any] = {
        "append_images": pictures[1:],
        "duration": round(1000 * STEP / 30),
        "loop": 0,
        "quality": 45,
        "method": 4,
    }
    pictures[0].save(path, **({"save_all": True, **more} if options.still is None else {}))
    print(f"{path}: {path.stat().st_size} bytes; nearest roots {nearest:.2f} m, {contacts} pairs and frames in contact")


if __name__ == "__main__":
    main()
