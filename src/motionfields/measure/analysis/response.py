"""Plots of response: trials of a controller, and the frontier between fast response and smooth motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import GroundFrame
from motionfields.measure.analysis.output import checked_path, drawable, new_figure, save_figure
from motionfields.measure.evaluation import GATES, Figures, Trials
from motionfields.motion.quality import facing_yaw

SHOWN_SECONDS = 2.0
PATH_COUNT = 24
LINE, FAINT, MARK = "#2a6f97", "#9bbfd4", "#c8553d"


def render_response(trials: Trials, path: str | Path, *, title: str = "", dpi: float = 100.0) -> None:
    """Draw three panels to `path`: angle to the goal over time, response by angle, and paths on the ground."""
    target = checked_path(path)
    figure = new_figure(15.0, 4.6)
    deviation, by_angle, paths = figure.subplots(1, 3)
    _draw_deviation(deviation, trials)
    _draw_by_angle(by_angle, trials)
    _draw_paths(paths, trials)
    if title:
        figure.suptitle(drawable(title), parse_math=False)
    figure.tight_layout()
    save_figure(figure, target, dpi=dpi)


def render_frontier(
    figures: Mapping[str, Sequence[tuple[float, Figures]]], path: str | Path, *, title: str = "", dpi: float = 100.0
) -> None:
    """Draw mean response against jerk, jerk in turns and skate to the picture `path`.

    `figures` maps the name of each line to its agilities and the figures measured at each.
    """
    target = checked_path(path)
    figure = new_figure(15.0, 4.6)
    for axes, name in zip(figure.subplots(1, 3), ("jerk", "turning_jerk", "skate"), strict=True):
        for place, (label, points) in enumerate(figures.items()):
            color = (LINE, MARK, "#5b8c5a", "#8e6c8a")[place % 4]
            across = [getattr(point, name) for _, point in points]
            up = [point.mean for _, point in points]
            errors = [point.error for _, point in points]
            axes.errorbar(across, up, yerr=errors, color=color, marker="o", markersize=4, label=drawable(label))
            for (agility, _), x, y in zip(points, across, up, strict=True):
                axes.annotate(f"{agility:g}", (x, y), textcoords="offset points", xytext=(4, 4), fontsize=7)
        axes.axvline(GATES[name][1], color="#888888", linestyle=":")
        axes.set_xlabel(f"{name.replace('_', ' ')}, relative to the source")
        axes.set_ylabel("mean response, s")
        axes.legend(fontsize=8)
    if title:
        figure.suptitle(drawable(title), parse_math=False)
    figure.tight_layout()
    save_figure(figure, target, dpi=dpi)


def _draw_deviation(axes: Any, trials: Trials) -> None:
    frame_time = trials.clips[0].frame_time
    count = round(SHOWN_SECONDS / frame_time)
    seconds = frame_time * np.arange(count)
    errors = np.degrees(trials.errors[:, :count])
    for share, color in ((95, FAINT), (75, FAINT), (50, LINE)):
        axes.plot(seconds, np.percentile(errors, share, axis=0), color=color, label=f"{share} % lie below")
    axes.plot(seconds, errors.mean(axis=0), color=MARK, label="mean")
    axes.axhline(5.0, color="#888888", linestyle=":")
    axes.set(xlabel="seconds after the change", ylabel="heading error in degrees", ylim=(0.0, 180.0))
    axes.legend(fontsize=8)


def _draw_by_angle(axes: Any, trials: Trials) -> None:
    done = np.isfinite(trials.reached)
    axes.scatter(np.degrees(trials.angles[done]), trials.reached[done], s=6, color=LINE, alpha=0.5, linewidths=0)
    axes.scatter(np.degrees(trials.angles[~done]), np.zeros((~done).sum()), s=12, color=MARK, marker="x")
    axes.set(xlabel="goal change in degrees", ylabel="response, s", xlim=(-180.0, 180.0), ylim=(0.0, None))


def _draw_paths(axes: Any, trials: Trials) -> None:
    """Draw the last seconds of some characters, moved to a common start position and facing."""
    for clip in trials.clips[:PATH_COUNT]:
        count = round(6.0 / clip.frame_time)
        root = clip.root_position[-count:]
        start = GroundFrame(root[0, ::2], np.asarray(facing_yaw(clip)[-count]))
        seen: FloatArray = start.to_ground(root)
        axes.plot(-seen[:, 0], seen[:, 2], color=LINE, alpha=0.6, linewidth=0.8)
    axes.plot(0.0, 0.0, "o", color=MARK)
    axes.set(xlabel="metres to the right", ylabel="metres ahead", aspect="equal")
