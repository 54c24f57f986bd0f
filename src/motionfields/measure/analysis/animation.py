"""Animated GIFs and videos: the camera follows the character over a fixed ground grid, so a sliding foot is visible."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.errors import MotionFieldsError
from motionfields.measure.analysis.camera import Camera, grid_spacings, ground_lines
from motionfields.measure.analysis.output import checked_path, plotting_module, write_picture
from motionfields.measure.analysis.scene import (
    COLORS,
    GRID_COLORS,
    GROUND_COLOR,
    PRINT_COLORS,
    Marks,
    Scene,
    Shape,
    build_scene,
    checked_contacts,
)
from motionfields.motion.body import Body
from motionfields.motion.clip import Clip, resample, trim

FASTEST_FRAME_RATE = 50.0  # browsers slow down GIFs whose frames last less than 2/100 s
GROUND_DEPTH = 1.1  # metres of ground shown in front of and behind the character
FOLLOW_TIME = 0.4  # seconds over which the camera smooths the character's path
SUPERSAMPLING = 2
COLOR_COUNT = 64
FASTEST_VIDEO = 120.0  # frames per second
# Options of ffmpeg for each kind of video; every player can decode these.
VIDEO_OPTIONS = {
    ".mp4": ("-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"),
    ".webm": ("-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-pix_fmt", "yuv420p"),
}


@dataclass(frozen=True, eq=False)
class _Stage:
    """Mapping from the scene to the pixels of a frame."""

    scene: Scene
    targets: FloatArray  # [frame, 3], the ground point the camera looks at
    size: tuple[int, int]  # pixels, supersampled
    scale: float  # supersampled pixels per metre
    center: FloatArray  # [2], the pixel at which the target appears

    def pixels(self, points: FloatArray) -> FloatArray:
        """Convert picture metres [..., 2] to pixels [..., 2], which count downwards."""
        return np.asarray(self.center + self.scale * points * np.array([1.0, -1.0]))


def render_gif(
    clip: Clip,
    path: str | Path,
    *,
    contacts: BoolArray | None = None,
    frame_rate: float = 25.0,
    size: tuple[int, int] = (480, 420),
    max_seconds: float = 20.0,
    body: Body | None = None,
    camera: Camera | None = None,
    ground_height: float | None = None,
    marks: Marks | None = None,
) -> None:
    """Write the first `max_seconds` of `clip` to `path` (.gif) as an animation in real time.

    `contacts` [frame, 2] (left, right) default to those detected; standing feet leave marks on the ground, and earlier
    marks stay. `frame_rate` is at most 50 per second. A GIF counts time in hundredths of a second, so at 30 frames per
    second some frames last 0.03 s and some 0.04 s, and the total length is right. `size` is width and height in pixels.
    `marks`, such as a force, are drawn over the body.
    """
    target = checked_path(path, (".gif",))
    view = _View(contacts, body, camera, ground_height, marks)
    painted = _painted(
        clip, view, frame_rate=frame_rate, fastest=FASTEST_FRAME_RATE, size=size, max_seconds=max_seconds
    )
    write_picture(target, _encoded(list(painted), frame_rate))


def render_video(
    clip: Clip,
    path: str | Path,
    *,
    contacts: BoolArray | None = None,
    frame_rate: float = 30.0,
    size: tuple[int, int] = (960, 840),
    max_seconds: float = 600.0,
    body: Body | None = None,
    camera: Camera | None = None,
    ground_height: float | None = None,
    marks: Marks | None = None,
) -> None:
    """Write the first `max_seconds` of `clip` to `path` (.mp4 or .webm) as a video in real time.

    The options are those of `render_gif`; `frame_rate` is at most 120 per second, and `size` is even. The program
    ffmpeg encodes the video; without it a `MotionFieldsError` is raised.
    """
    target = checked_path(path, tuple(VIDEO_OPTIONS))
    if size[0] % 2 or size[1] % 2:
        raise ValueError(f"size: expected even numbers of pixels for a video, got {size}")
    view = _View(contacts, body, camera, ground_height, marks)
    painted = _painted(clip, view, frame_rate=frame_rate, fastest=FASTEST_VIDEO, size=size, max_seconds=max_seconds)
    write_picture(target, _filmed(painted, frame_rate, size, target.suffix.lower()))


@dataclass(frozen=True, eq=False)
class _View:
    """Options of `render_gif` and `render_video` that say how a clip is seen."""

    contacts: BoolArray | None
    body: Body | None
    camera: Camera | None
    ground_height: float | None
    marks: Marks | None


def _painted(
    clip: Clip, view: _View, *, frame_rate: float, fastest: float, size: tuple[int, int], max_seconds: float
) -> Iterator[Any]:
    """Check the options, and return an iterator over the pictures of `clip` at `frame_rate`, as RGB images."""
    if not 0.0 < frame_rate <= fastest:
        raise ValueError(f"frame_rate: expected more than 0 and at most {fastest:g}, got {frame_rate}")
    if not 0.0 < max_seconds < np.inf:
        raise ValueError(f"max_seconds: expected a positive number of seconds, got {max_seconds}")
    if min(size) < 32:
        raise ValueError(f"size: expected at least 32 x 32 pixels, got {size}")
    labels = checked_contacts(clip, view.contacts, body=view.body)
    marks = view.marks
    kept = trim(clip, 0, max(1, int(np.floor(max_seconds * clip.frame_rate + 1e-6)) + 1))
    shown = resample(kept, frame_rate)
    sources = np.round(np.arange(shown.frame_count) / (frame_rate * clip.frame_time)).astype(np.int64)
    scene = build_scene(
        shown,
        contacts=labels[np.minimum(sources, kept.frame_count - 1)],
        body=view.body,
        camera=view.camera,
        ground_height=view.ground_height,
        marks=None if marks is None else marks._replace(ends=marks.ends[np.minimum(sources, kept.frame_count - 1)]),
    )
    painter = _Painter(_stage(scene, size))
    return (painter.frame(number) for number in range(shown.frame_count))


def frame_delays(frame_count: int, frame_rate: float) -> list[int]:
    """Return the duration of each frame in milliseconds, in whole hundredths of a second, without drift in the sum."""
    ends = np.round(np.arange(frame_count + 1) * (100.0 / frame_rate)).astype(np.int64)
    return [int(delay) * 10 for delay in np.diff(ends)]


def _stage(scene: Scene, size: tuple[int, int]) -> _Stage:
    """Return the largest view that holds the body in every frame."""
    smooth = gaussian_filter1d(scene.root, FOLLOW_TIME / scene.frame_time, axis=0, mode="nearest")
    targets = np.stack([smooth[:, 0], np.full(len(smooth), scene.ground_height), smooth[:, 2]], axis=-1)
    left, right, bottom, top = scene.extent(np.arange(len(targets)), targets)
    ground = GROUND_DEPTH * np.sin(scene.camera.elevation)
    bottom, top, half = min(bottom, -ground) - 0.03, max(top, ground) + 0.06, max(-left, right) + 0.06
    pixels = np.array(size) * SUPERSAMPLING
    # A strip of 24 pixels at the top is reserved for the clock and the contact lamps.
    strip = 24 * SUPERSAMPLING
    scale = float(min(pixels[0] / (2.0 * half), (pixels[1] - strip) / (top - bottom)))
    center = np.array([0.5 * pixels[0], pixels[1] + bottom * scale])
    return _Stage(scene, targets, (int(pixels[0]), int(pixels[1])), scale, center)


class _Painter:
    """Painter of frames with Pillow, at twice the size and then reduced."""

    def __init__(self, stage: _Stage) -> None:
        self._stage = stage
        self._image = plotting_module("PIL.Image")
        self._draw = plotting_module("PIL.ImageDraw")
        folder = Path(plotting_module("matplotlib").get_data_path()) / "fonts" / "ttf"
        self._font = plotting_module("PIL.ImageFont").truetype(str(folder / "DejaVuSans.ttf"), 13 * SUPERSAMPLING)

    def frame(self, number: int) -> Any:
        """Return the picture of one frame, as an RGB image of the final size."""
        scene, target = self._stage.scene, self._stage.targets[number]
        picture = self._image.new("RGB", self._stage.size, "white")
        draw = self._draw.Draw(picture)
        self._ground(draw, target)
        self._shapes(draw, scene.shadow_shapes(number, target))
        self._shapes(draw, scene.print_shapes(number, target, trail=True))
        self._shapes(draw, scene.body_shapes(number, target))
        self._shapes(draw, scene.mark_shapes(number, target))
        self._status(draw, number)
        return picture.reduce(SUPERSAMPLING)

    def _shapes(self, draw: Any, shapes: Sequence[Shape]) -> None:
        for shape in shapes:
            draw.polygon(self._stage.pixels(shape.points).ravel().tolist(), fill=shape.color)

    def _ground(self, draw: Any, target: FloatArray) -> None:
        stage = self._stage
        flat = float(np.sin(stage.scene.camera.elevation))
        half = (0.5 * stage.size[0] / stage.scale, GROUND_DEPTH)
        corners = stage.pixels(np.array([[-half[0], GROUND_DEPTH * flat], [half[0], -GROUND_DEPTH * flat]]))
        draw.rectangle(corners.ravel().tolist(), fill=GROUND_COLOR)
        for spacing, color, width in zip(grid_spacings(2.0 * max(half)), GRID_COLORS, (2, 3), strict=True):
            lines = ground_lines(stage.scene.camera, target, half, spacing) * np.array([1.0, flat])
            for ends in stage.pixels(lines):
                draw.line(ends.ravel().tolist(), fill=color, width=width)

    def _status(self, draw: Any, number: int) -> None:
        """Draw the time at the left, and a lamp for each foot at the right."""
        unit, scene = SUPERSAMPLING, self._stage.scene
        time = f"{number * scene.frame_time:.2f} s"
        draw.text((8 * unit, 13 * unit), time, font=self._font, fill="#23272d", anchor="lm")
        if scene.figure.feet is None:
            return
        for side, letter in enumerate("LR"):
            x, y, radius = self._stage.size[0] - (44 - 26 * side) * unit, 13 * unit, 10 * unit
            lit = bool(scene.contacts[number, side])
            edge = COLORS["left" if side == 0 else "right"] if lit else "#c9cdd2"
            fill = PRINT_COLORS[side] if lit else "#ffffff"
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=edge, width=2 * unit)
            draw.text((x, y), letter, font=self._font, fill="#23272d" if lit else "#c9cdd2", anchor="mm")


def _encoded(frames: Sequence[Any], frame_rate: float) -> bytes:
    """Encode RGB `frames` as a GIF file with one palette for all."""
    image = plotting_module("PIL.Image")
    chosen = [frames[i] for i in np.unique(np.linspace(0, len(frames) - 1, 8).astype(np.int64))]
    width, height = frames[0].size
    sheet = image.new("RGB", (width, height * len(chosen)))
    for row, frame in enumerate(chosen):
        sheet.paste(frame, (0, row * height))
    palette = sheet.quantize(COLOR_COUNT, method=image.Quantize.MEDIANCUT, dither=image.Dither.NONE)
    indexed = [frame.quantize(palette=palette, dither=image.Dither.NONE) for frame in frames]
    buffer = io.BytesIO()
    indexed[0].save(
        buffer,
        format="GIF",
        save_all=True,
        append_images=indexed[1:],
        duration=frame_delays(len(frames), frame_rate),
        loop=0,
        optimize=False,
    )
    return buffer.getvalue()


def _filmed(frames: Iterator[Any], frame_rate: float, size: tuple[int, int], suffix: str) -> bytes:
    """Return RGB `frames` of `size` as a video, encoded by ffmpeg."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise MotionFieldsError("videos need the program ffmpeg, which is not installed; install it, or write a .gif")
    width, height = size
    raw = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{frame_rate:g}", "-i", "-")
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / f"film{suffix}"
        command = [program, "-v", "error", "-y", *raw, *VIDEO_OPTIONS[suffix], str(film)]
        with (Path(folder) / "said").open("w+b") as said:
            pipe = subprocess.PIPE
            with subprocess.Popen(command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=said) as running:  # noqa: S603
                assert running.stdin is not None
                try:
                    for frame in frames:
                        running.stdin.write(frame.tobytes())
                    running.stdin.close()
                except BrokenPipeError:
                    pass  # ffmpeg has ended, and says why
            said.seek(0)
            reason = said.read().decode("utf-8", "replace").strip()
        if running.returncode != 0:
            raise MotionFieldsError(f"ffmpeg cannot write the video: {reason.splitlines()[-1][:300] if reason else ''}")
        return film.read_bytes()
