"""Filmstrips: poses of a clip side by side on a metre grid, with a map of the walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.wording import counted
from motionfields.measure.analysis.camera import Camera, grid_spacings, ground_lines, travel_yaw
from motionfields.measure.analysis.output import checked_path, drawable, new_figure, plotting_module, save_figure
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
from motionfields.measure.analysis.top_view import draw_map, map_extent, style_map
from motionfields.motion.body import Body
from motionfields.motion.clip import Clip, trim

CELL_MARGIN = 0.09  # metres left and right of the widest pose
GROUND_DEPTH = 0.6  # metres of ground shown in front of and behind the root
CAPTION_HEIGHT = 0.42  # inches under each row for times and contacts
CAPTION_WIDTH = 1.5  # inches; in narrower cells the caption shrinks
TITLE_HEIGHT = 0.42  # inches
MAP_HEIGHT = 3.0  # inches, at most
COMPARED_MAP_HEIGHT = 1.7  # inches, at most
LEGEND_WIDTH, LEGEND_HEIGHT = 2.2, 1.5  # inches
LARGEST_SCALE = 2.3  # inches per metre


@dataclass(frozen=True, eq=False)
class _Strip:
    """Poses of one clip and the direction of its map."""

    scene: Scene
    travel_yaw: float
    frames: IntArray  # [pose]

    def origins(self) -> FloatArray:
        return np.array([self.scene.below_root(int(frame)) for frame in self.frames])


@dataclass(frozen=True)
class _Cell:
    """Part of the picture for one pose, in metres from the ground point under the root."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom


def render_filmstrip(
    clip: Clip,
    path: str | Path,
    *,
    contacts: BoolArray | None = None,
    pose_count: int = 12,
    poses_per_row: int = 6,
    title: str | None = None,
    body: Body | None = None,
    camera: Camera | None = None,
    ground_height: float | None = None,
    marks: Marks | None = None,
    width: float = 13.0,
    dpi: float = 130.0,
) -> None:
    """Write a filmstrip of `clip` to `path` (.png, .svg or .pdf): poses evenly spread in time, then a map from above.

    `contacts` [frame, 2] (left, right) default to those detected. Every pose has a cell of its own over the world's
    half-metre grid; ground marks show the median position of each standing foot. `camera` defaults to a three-quarter
    side view of the walk, `ground_height` in metres to the clip's own floor. `width` is in inches. `marks`, such as a
    force, are drawn over the body. A skeleton without known legs is drawn as plain bones.
    """
    target = checked_path(path)
    strip = _strip(clip, contacts, pose_count, body, camera, ground_height, marks=marks)
    per_row = min(_positive("poses_per_row", poses_per_row), len(strip.frames))
    row_count = -(-len(strip.frames) // per_row)
    cell = _common_cell([strip])
    scale = min((width - 0.4) / (per_row * cell.width), LARGEST_SCALE)
    row_height = cell.height * scale + CAPTION_HEIGHT
    row_width = per_row * cell.width * scale
    box = _map_box(strip)
    map_scale = min(MAP_HEIGHT / (box[3] - box[2]), (width - 0.7 - LEGEND_WIDTH) / (box[1] - box[0]))
    map_height = max(map_scale * (box[3] - box[2]), LEGEND_HEIGHT)
    page_width = max(row_width + 0.4, map_scale * (box[1] - box[0]) + LEGEND_WIDTH + 0.7)
    page = _Page(page_width, TITLE_HEIGHT + row_count * row_height + map_height + 0.45)
    page.title(title or _default_title(clip))
    for row in range(row_count):
        shown = strip.frames[row * per_row : (row + 1) * per_row]
        axes = page.axes(0.2, row_width, row_height)
        _draw_row(axes, strip, shown, cell, scale, first_number=row * per_row + 1)
    map_width = _draw_map_panel(page, strip, map_scale, height=map_height + 0.45)
    _draw_legend(page, 0.5 + map_width + 0.15)
    save_figure(page.figure, target, dpi=dpi)


def render_comparison(
    clips: Sequence[Clip],
    path: str | Path,
    *,
    titles: Sequence[str],
    contacts: Sequence[BoolArray | None] | None = None,
    pose_count: int = 8,
    body: Body | None = None,
    width: float = 15.0,
    dpi: float = 130.0,
) -> None:
    """Write one filmstrip row for each of `clips` to `path`, stacked and at the same scale.

    All rows cover the duration of the shortest clip, so each column is one time since the clip's start. `titles` name
    the rows; `contacts`, one [frame, 2] or None for each clip, default to those detected. Below each row is its map
    from above, again all at one scale. `width` is in inches.
    """
    target = checked_path(path)
    labels = [None] * len(clips) if contacts is None else list(contacts)
    for name, given in (("titles", titles), ("contacts", labels)):
        if len(given) != len(clips):
            raise ValueError(f"{name}: expected one for each of {counted(len(clips), 'clip')}, got {len(given)}")
    if not clips:
        raise ValueError("clips: expected at least one")
    seconds = min(clip.duration for clip in clips)
    strips = [
        _strip(clip, label, pose_count, body, None, None, seconds=seconds)
        for clip, label in zip(clips, labels, strict=True)
    ]
    cell = _common_cell(strips)
    columns = max(len(strip.frames) for strip in strips)
    scale = min((width - 0.4) / (columns * cell.width), LARGEST_SCALE)
    row_height = cell.height * scale + CAPTION_HEIGHT
    boxes = np.array([_map_box(strip) for strip in strips])
    spans = np.stack([boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 2]], axis=-1)
    map_scale = min((width - 0.7) / spans[:, 0].max(), COMPARED_MAP_HEIGHT / spans[:, 1].max())
    page = _Page(width, len(strips) * (TITLE_HEIGHT + row_height + 0.45) + map_scale * float(spans[:, 1].sum()))
    for strip, row_title, span in zip(strips, titles, spans, strict=True):
        page.title(row_title)
        axes = page.axes(0.2, columns * cell.width * scale, row_height)
        _draw_row(axes, strip, strip.frames, cell, scale, first_number=1)
        _draw_map_panel(page, strip, map_scale, height=map_scale * float(span[1]) + 0.45)
    save_figure(page.figure, target, dpi=dpi)


class _Page:
    """A figure filled from top to bottom, in inches."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.figure = new_figure(width, height)
        self._y = height  # upper edge of the free space
        self._row_top = height

    def title(self, text: str) -> None:
        self._y -= TITLE_HEIGHT
        place = (0.2 / self.width, (self._y + 0.12) / self.height)
        self.figure.text(*place, drawable(text), fontsize=13, fontweight="bold", color="#23272d", parse_math=False)

    def axes(self, left: float, width: float, height: float) -> Any:
        """Return empty axes without a frame at the top of the free space."""
        self._row_top = self._y
        self._y -= height
        axes = self._add(left, self._y, width, height)
        axes.set_axis_off()
        return axes

    def axes_beside(self, left: float, width: float, height: float, *, below_top: float) -> Any:
        """Return axes next to the last ones, `below_top` inches under their upper edge."""
        return self._add(left, self._row_top - below_top - height, width, height)

    def _add(self, left: float, bottom: float, width: float, height: float) -> Any:
        whole = (self.width, self.height, self.width, self.height)
        return self.figure.add_axes([v / w for v, w in zip((left, bottom, width, height), whole, strict=True)])


def _strip(
    clip: Clip,
    contacts: BoolArray | None,
    pose_count: int,
    body: Body | None,
    camera: Camera | None,
    ground_height: float | None,
    *,
    seconds: float = np.inf,
    marks: Marks | None = None,
) -> _Strip:
    if contacts is None:
        contacts = checked_contacts(clip, None, body=body)  # on the whole clip, before it is trimmed
    if clip.duration > seconds:
        kept = round(seconds * clip.frame_rate) + 1
        clip, contacts = trim(clip, 0, kept), contacts[:kept]
    scene = build_scene(clip, contacts=contacts, body=body, ground_height=ground_height, camera=camera, marks=marks)
    count = min(_positive("pose_count", pose_count), clip.frame_count)
    frames = np.round(np.linspace(0, clip.frame_count - 1, count)).astype(np.int64)
    return _Strip(scene, travel_yaw(clip, scene.facing), frames)


def _common_cell(strips: Sequence[_Strip]) -> _Cell:
    """Return the smallest cell that holds every pose of all `strips`."""
    extents = np.array([strip.scene.extent(strip.frames, strip.origins()) for strip in strips])
    ground = max(GROUND_DEPTH * np.sin(strip.scene.camera.elevation) for strip in strips)
    return _Cell(
        left=float(extents[:, 0].min()) - CELL_MARGIN,
        right=float(extents[:, 1].max()) + CELL_MARGIN,
        bottom=min(float(extents[:, 2].min()), -ground) - 0.01,
        top=max(float(extents[:, 3].max()), ground) + 0.03,
    )


def _draw_row(axes: Any, strip: _Strip, frames: IntArray, cell: _Cell, scale: float, *, first_number: int) -> None:
    """Draw the poses `frames` [pose] from left to right; the unit of the axes is a metre."""
    caption = CAPTION_HEIGHT / scale
    box = axes.get_position()
    figure_width, figure_height = axes.figure.get_size_inches()
    axes.set_xlim(0.0, box.width * figure_width / scale)
    axes.set_ylim(cell.bottom - caption, cell.bottom - caption + box.height * figure_height / scale)
    shapes: list[Shape] = []
    scene = strip.scene
    for column, frame in enumerate(int(frame) for frame in frames):
        place = np.array([column * cell.width - cell.left, 0.0])
        origin = strip.scene.below_root(frame)
        _draw_ground(axes, strip.scene, origin, place, cell)
        for drawn in (scene.shadow_shapes, scene.print_shapes, scene.body_shapes, scene.mark_shapes):
            shapes += [Shape(shape.points + place, shape.color) for shape in drawn(frame, origin)]
        _draw_caption(axes, strip.scene, frame, column * cell.width, cell, scale, number=first_number + column)
    collection = plotting_module("matplotlib.collections").PolyCollection(
        [shape.points for shape in shapes], facecolors=[shape.color for shape in shapes], edgecolors="none", zorder=3
    )
    axes.add_collection(collection, autolim=False)


def _draw_ground(axes: Any, scene: Scene, origin: FloatArray, place: FloatArray, cell: _Cell) -> None:
    """Draw a strip of ground as wide as the cell, with the lines of the world's grid."""
    gap = 0.012  # metres between the grounds of two cells
    flat = np.sin(scene.camera.elevation)
    left, right = place[0] + cell.left + gap, place[0] + cell.right - gap
    corners = [(left, -GROUND_DEPTH * flat), (right, -GROUND_DEPTH * flat)]
    corners += [(right, GROUND_DEPTH * flat), (left, GROUND_DEPTH * flat)]
    collections = plotting_module("matplotlib.collections")
    axes.add_collection(collections.PolyCollection([corners], facecolors=GROUND_COLOR, zorder=1), autolim=False)
    middle = 0.5 * (cell.left + cell.right)
    center = origin + middle * scene.camera.axes[0]
    half = (0.5 * (right - left), GROUND_DEPTH)
    for spacing, color, line_width in zip(grid_spacings(2.0 * max(half)), GRID_COLORS, (0.6, 0.9), strict=True):
        lines = ground_lines(scene.camera, center, half, spacing) * np.array([1.0, flat])
        segments = lines + np.array([place[0] + middle, 0.0])
        axes.add_collection(
            collections.LineCollection(list(segments), colors=color, linewidths=line_width, zorder=2), autolim=False
        )


def _draw_caption(axes: Any, scene: Scene, frame: int, left: float, cell: _Cell, scale: float, *, number: int) -> None:
    """Draw number and time of a pose, and a lamp for each foot, lit during contact."""
    shrink = min(1.0, cell.width * scale / CAPTION_WIDTH)
    inch = shrink / scale
    y = cell.bottom - 0.17 / scale
    axes.text(left + 0.06 * inch, y, f"{number}", fontsize=9 * shrink, va="center", color="#6b717a")
    axes.text(left + 0.32 * inch, y, f"{frame * scene.frame_time:.2f} s", fontsize=10 * shrink, va="center")
    if scene.figure.feet is None:
        return
    for side, letter in enumerate("LR"):
        x = left + cell.width - (0.44 - 0.24 * side) * inch
        lit = bool(scene.contacts[frame, side])
        strong = COLORS["left" if side == 0 else "right"]
        lamp: dict[str, Any] = {"boxstyle": "circle,pad=0.18", "facecolor": PRINT_COLORS[side] if lit else "white"}
        lamp |= {"edgecolor": strong if lit else "#c9cdd2", "linewidth": 1.2}
        color = "#23272d" if lit else "#c9cdd2"
        axes.text(x, y, letter, fontsize=8 * shrink, ha="center", va="center", color=color, bbox=lamp)


def _map_box(strip: _Strip) -> tuple[float, float, float, float]:
    return map_extent(strip.scene, strip.travel_yaw, strip.frames)


def _draw_map_panel(page: _Page, strip: _Strip, scale: float, *, height: float) -> float:
    """Draw the map at `scale` inches per metre in a panel of `height` inches; return the width of the map."""
    left, right, bottom, top = _map_box(strip)
    map_width, map_height = scale * (right - left), scale * (top - bottom)
    page.axes(0.0, page.width, height)
    axes = page.axes_beside(0.5, map_width, map_height, below_top=0.1)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    style_map(axes)
    draw_map(axes, strip.scene, strip.travel_yaw, frames=strip.frames)
    return map_width


def _draw_legend(page: _Page, left: float) -> None:
    axes = page.axes_beside(left, LEGEND_WIDTH, LEGEND_HEIGHT, below_top=0.1)
    axes.set_axis_off()
    patches = plotting_module("matplotlib.patches")
    lines = plotting_module("matplotlib.lines")
    entries = [
        (patches.Patch(color=COLORS["left"]), "left limbs"),
        (patches.Patch(color=COLORS["right"]), "right limbs"),
        (patches.Patch(facecolor=PRINT_COLORS[0], edgecolor=COLORS["left"]), "left foot stands"),
        (patches.Patch(facecolor=PRINT_COLORS[1], edgecolor=COLORS["right"]), "right foot stands"),
        (lines.Line2D([], [], color="#4a4f57", linewidth=1.4), "path of the root"),
        (lines.Line2D([], [], color="#23272d", marker=r"$\rightarrow$", markersize=12, linestyle=""), "facing"),
    ]
    handles, labels = zip(*entries, strict=True)
    axes.legend(handles, labels, loc="upper left", frameon=False, fontsize=9, title="from above, in metres")


def _default_title(clip: Clip) -> str:
    return f"{clip.name or 'clip'}   {clip.duration:.1f} s"


def _positive(name: str, count: int) -> int:
    if count < 1:
        raise ValueError(f"{name}: expected at least 1, got {count}")
    return count
