"""Map of the walk from above, to scale: the root's path, the facing at chosen frames, and the footprints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import heading_vector
from motionfields.measure.analysis.camera import grid_spacings
from motionfields.measure.analysis.output import plotting_module
from motionfields.measure.analysis.scene import COLORS, GRID_COLORS, PRINT_COLORS, Scene

ARROW_LENGTH = 0.28  # metres
LABEL_SIDE = 0.08  # metres from an arrow to its number
LABEL_GAP = 0.1  # smallest distance in metres between two numbers; the later one is left out if closer
MARGIN = 0.2  # metres around everything drawn


def map_points(scene: Scene, travel_yaw: float, points: FloatArray) -> FloatArray:
    """Convert ground points [..., 2] (x, z) to map metres [..., 2]: along `travel_yaw`, and left, from the start."""
    ahead, left = heading_vector(travel_yaw)[::2], heading_vector(travel_yaw + 0.5 * np.pi)[::2]
    return np.asarray((points - scene.root[0, ::2]) @ np.array([ahead, left]).T)


def map_extent(scene: Scene, travel_yaw: float, frames: IntArray) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top in metres of everything that `draw_map` draws."""
    drawn = [scene.root[:, ::2], *_beside(scene, frames, 1.0, 0.0), *_beside(scene, frames, 0.5, LABEL_SIDE)]
    drawn += list(scene.prints.outlines(margin=0.016))
    places = map_points(scene, travel_yaw, np.concatenate([np.atleast_2d(points) for points in drawn]))
    low, high = places.min(axis=0) - MARGIN, places.max(axis=0) + MARGIN
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def draw_map(axes: Any, scene: Scene, travel_yaw: float, *, frames: IntArray, size: float = 8.0) -> None:
    """Draw the map of `scene` on matplotlib `axes`, `travel_yaw` to the right; arrows at `frames`, numbered from 1.

    `size` is the text size in points. The limits of `axes` stay unchanged.
    """
    _draw_prints(axes, scene, travel_yaw)
    path = map_points(scene, travel_yaw, scene.root[:, ::2])
    axes.plot(path[:, 0], path[:, 1], color="#4a4f57", linewidth=1.4, zorder=3)
    starts = map_points(scene, travel_yaw, scene.root[frames][:, ::2])
    ends = map_points(scene, travel_yaw, _beside(scene, frames, 1.0, 0.0))
    labels = map_points(scene, travel_yaw, _beside(scene, frames, 0.5, LABEL_SIDE))
    for start, end in zip(starts, ends, strict=True):
        arrow = {"arrowstyle": "-|>", "color": "#23272d", "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", xy=end, xytext=start, arrowprops=arrow, zorder=4)
    axes.scatter(starts[:, 0], starts[:, 1], s=9, color="#23272d", zorder=5)
    halo = [plotting_module("matplotlib.patheffects").withStroke(linewidth=2.5, foreground="white")]
    for number in _spread(labels):
        text = str(number + 1)
        axes.text(*labels[number], text, fontsize=size, ha="center", va="center", zorder=6, path_effects=halo)


def style_map(axes: Any, *, size: float = 8.0) -> None:
    """Give a map whose limits are set a square metre grid and plain axes."""
    ticker = plotting_module("matplotlib.ticker")
    axes.set_aspect("equal")
    minor, major = grid_spacings(max(abs(np.diff(limits)[0]) for limits in (axes.get_xlim(), axes.get_ylim())))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(ticker.MultipleLocator(major))
        axis.set_minor_locator(ticker.MultipleLocator(minor))
    axes.grid(which="minor", color=GRID_COLORS[0], linewidth=0.6)
    axes.grid(which="major", color=GRID_COLORS[1], linewidth=0.9)
    axes.tick_params(which="both", length=0, labelsize=size)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_color(GRID_COLORS[1])


def _draw_prints(axes: Any, scene: Scene, travel_yaw: float) -> None:
    outlines = map_points(scene, travel_yaw, scene.prints.outlines(margin=0.016))
    collections = plotting_module("matplotlib.collections")
    sides = scene.prints.sides
    edges = [COLORS["left"] if side == 0 else COLORS["right"] for side in sides]
    fills = [PRINT_COLORS[int(side)] for side in sides]
    axes.add_collection(
        collections.PolyCollection(list(outlines), facecolors=fills, edgecolors=edges, linewidths=1.0, zorder=2),
        autolim=False,
    )


def _beside(scene: Scene, frames: IntArray, share: float, right: float) -> FloatArray:
    """Return ground points [n, 2]: `share` of an arrow's length ahead of the root and `right` metres to its right."""
    yaw = scene.facing[frames]
    away = share * ARROW_LENGTH * heading_vector(yaw) + right * heading_vector(yaw - 0.5 * np.pi)
    return np.asarray((scene.root[frames] + away)[:, ::2])


def _spread(places: FloatArray) -> Sequence[int]:
    """Return the indices of `places` [n, 2] that keep their distance from all those kept before."""
    kept: list[int] = []
    for row in range(len(places)):
        if all(np.hypot(*(places[row] - places[other])) >= LABEL_GAP for other in kept):
            kept.append(row)
    return kept
