"""Pictures of walks through worlds, from above."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from motionfields.authoring.worlds import Walk
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import turn_over_ground
from motionfields.base.world import Reach, Through
from motionfields.measure.analysis.output import checked_path, plotting_module, save_figure
from motionfields.measure.analysis.plans import draw_room
from motionfields.measure.analysis.scene import EDGE_COLOR, MARK_COLOR

DOT_TIME: Final = 1.0  # seconds between two dots on a way, and between two outlines of a moving obstacle
MOVER_COLOR: Final = "#d9a066"


def render_walk(walk: Walk, path: str | Path) -> None:
    """Draw the world and all ways of `walk` from above, x to the left and z up, to the picture file `path`.

    Dots are 1 s apart; moving obstacles are drawn every second, fainter the earlier.
    """
    target = checked_path(path)
    figure, axes = draw_room(walk.world.room)
    _draw_movers(axes, walk)
    colormap = plotting_module("matplotlib").colormaps["viridis"]
    for number, clip in enumerate(walk.clips):
        way, every = clip.root_position[:, ::2], max(1, round(DOT_TIME / clip.frame_time))
        color = EDGE_COLOR if len(walk.clips) == 1 else colormap(number / len(walk.clips))
        axes.plot(way[:, 0], way[:, 1], color=color, linewidth=1.2, zorder=4)
        axes.plot(way[::every, 0], way[::every, 1], ".", color=color, markersize=4, zorder=5)
    for goal in walk.goals:
        if isinstance(goal, Reach):
            axes.plot(goal.x, goal.z, "x", color=MARK_COLOR, markersize=7, zorder=6)
        elif isinstance(goal, Through):
            ends = np.array([goal.start, goal.end])
            axes.plot(ends[:, 0], ends[:, 1], "--", color=MARK_COLOR, zorder=6)
    arrived = f"{int(walk.reached.sum())} of {len(walk.reached)} arrived"
    axes.set_title(f"{arrived}, {walk.seconds:.1f} s, clearance {walk.clearance.min():.2f} m", fontsize=9)
    save_figure(figure, target, dpi=110.0)


def _draw_movers(axes: Any, walk: Walk) -> None:
    patches = plotting_module("matplotlib.patches")
    times = np.arange(0.0, walk.seconds, DOT_TIME)
    for when, blocks in zip(times, walk.world.mover_blocks(times), strict=True):
        faint = 0.1 + 0.35 * when / max(walk.seconds, DOT_TIME)
        for block in blocks:
            axes.add_patch(patches.Polygon(_outline(block), color=MOVER_COLOR, alpha=faint, linewidth=0, zorder=2))


def _outline(block: FloatArray) -> FloatArray:
    """Return the corners [n, 2] of a block with rounded corners."""
    turns = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
    round_part = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    own = block[5] * round_part + block[2:4] * np.sign(round_part)
    return np.asarray(block[:2] + turn_over_ground(own, np.asarray(block[4])))
