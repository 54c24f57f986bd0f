"""Pictures of plans: the room from above, the way of the root, and the places where feet stood."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from motionfields.authoring.plan import Plan
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import heading_vector, turn_over_ground
from motionfields.base.world import Box, Disc, Obstacle, Room
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.measure.analysis.output import checked_path, new_figure, plotting_module, save_figure
from motionfields.measure.analysis.scene import COLORS, EDGE_COLOR, GRID_COLORS, MARK_COLOR
from motionfields.motion.body import find_body

OBSTACLE_COLOR: Final = "#9aa1aa"
ARROW_TIME: Final = 0.5  # seconds between arrows of the facing
ARROW_LENGTH: Final = 0.3  # metres
SLOWEST: Final = 0.1  # m/s below which a foot is drawn as standing
SIZE: Final = 7.0  # inches of the longer side


def render_plan(plan: Plan, path: str | Path) -> None:
    """Draw the room and the motion of `plan` from above, x to the left and z up, to the picture file `path`."""
    target = checked_path(path)
    figure, axes = draw_room(plan.room)
    _draw_motion(axes, plan)
    axes.set_title(f"cost {plan.cost:.2f} s, bound {plan.bound:.2f} s, clearance {plan.clearance:.2f} m", fontsize=9)
    save_figure(figure, target, dpi=110.0)


def draw_room(room: Room) -> tuple[Any, Any]:
    """Return a new figure and its axes with `room` from above, x to the left and z up, in metres."""
    x0, z0, x1, z1 = room.bounds
    scale = SIZE / max(x1 - x0, z1 - z0)
    figure = new_figure(scale * (x1 - x0) + 0.9, scale * (z1 - z0) + 1.0)
    axes = figure.add_subplot()
    axes.set_xlim(x1, x0)
    axes.set_ylim(z0, z1)
    axes.set_aspect("equal")
    axes.set_xlabel("x in m")
    axes.set_ylabel("z in m")
    axes.grid(color=GRID_COLORS[0], linewidth=0.6)
    for obstacle in room.obstacles:
        _draw_obstacle(axes, obstacle)
    return figure, axes


def _draw_obstacle(axes: Any, obstacle: Obstacle) -> None:
    """Draw one obstacle from above."""
    patches = plotting_module("matplotlib.patches")
    if isinstance(obstacle, Disc):
        axes.add_patch(patches.Circle((obstacle.x, obstacle.z), obstacle.radius, color=OBSTACLE_COLOR, zorder=2))
    elif isinstance(obstacle, Box):
        axes.add_patch(patches.Polygon(_corners(obstacle), color=OBSTACLE_COLOR, zorder=2))
    else:
        along = np.array(obstacle.end) - np.array(obstacle.start)
        centre = 0.5 * (np.array(obstacle.end) + np.array(obstacle.start))
        yaw = float(np.arctan2(along[0], along[1]))
        drawn = Box(float(centre[0]), float(centre[1]), obstacle.thickness, float(np.hypot(*along)), yaw)
        axes.add_patch(patches.Polygon(_corners(drawn), color=OBSTACLE_COLOR, zorder=2))
        for end in (obstacle.start, obstacle.end):
            axes.add_patch(patches.Circle(end, 0.5 * obstacle.thickness, color=OBSTACLE_COLOR, zorder=2))


def _corners(box: Box) -> FloatArray:
    half = 0.5 * np.array([box.width, box.depth])
    signs = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    return np.array([box.x, box.z]) + turn_over_ground(signs * half, np.asarray(box.yaw))


def _draw_motion(axes: Any, plan: Plan) -> None:
    clip = plan.clip
    root, positions = clip.root_position[:, ::2], clip.world().positions
    for leg, side in zip(find_body(clip.skeleton).legs, ("left", "right"), strict=True):
        ball = positions[:, leg.toe, ::2]
        speed = np.linalg.norm(np.diff(ball, axis=0), axis=1) / clip.frame_time
        stands = ball[:-1][speed < SLOWEST]
        axes.plot(stands[:, 0], stands[:, 1], ".", color=COLORS[side], markersize=4, zorder=3)
    axes.plot(root[:, 0], root[:, 1], color=EDGE_COLOR, linewidth=1.2, zorder=4)
    facing = facing_of(clip.rotations[:, 0], hip_line(clip.skeleton))
    for frame in range(0, clip.frame_count, max(1, round(ARROW_TIME / clip.frame_time))):
        tip = root[frame] + ARROW_LENGTH * heading_vector(float(facing[frame]))[::2]
        arrow = {"arrowstyle": "-|>", "color": EDGE_COLOR, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", xy=tip, xytext=root[frame], arrowprops=arrow, zorder=5)
    axes.plot(*root[-1], "o", color=MARK_COLOR, markersize=6, zorder=6)
