"""Curves over time: leg angles, speed and turning rate, and the input of the contact detector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.runs import true_runs
from motionfields.measure.analysis.gait import leg_angles
from motionfields.measure.analysis.output import checked_path, drawable, new_figure, save_figure
from motionfields.measure.analysis.scene import COLORS, PRINT_COLORS, checked_contacts
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.contacts import ContactSettings, detect_contacts, foot_track
from motionfields.motion.quality import root_speed, turning_rate

SIDES = ("left", "right")
INK = "#23272d"
LEGEND_ABOVE: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": 2, "frameon": False}


def render_joint_angles(
    clip: Clip,
    path: str | Path,
    *,
    contacts: BoolArray | None = None,
    title: str | None = None,
    body: Body | None = None,
    width: float = 12.0,
    dpi: float = 110.0,
) -> None:
    """Write curves over time to `path`: hip, knee and ankle flexion (degrees), root speed and turning rate.

    The top panel has a bar for each contact in `contacts` [frame, 2], which default to those detected. The angles are
    those of `leg_angles`. `width` is in inches.
    """
    target = checked_path(path)
    use = body or find_body(clip.skeleton)
    _check_length(clip)
    labels = checked_contacts(clip, contacts, body=use)
    figure, panels = _panels(clip, title, width, (0.35, 1.0, 1.0, 1.0, 0.8, 0.8))
    _draw_contact_bars(panels[0], labels, clip.frame_time)
    time = np.arange(clip.frame_count) * clip.frame_time
    angles = np.degrees(leg_angles(clip, body=use))
    names = ("hip flexion\ndegrees", "knee flexion\ndegrees", "ankle dorsiflexion\ndegrees")
    for joint, (axes, name) in enumerate(zip(panels[1:4], names, strict=True)):
        for side, side_name in enumerate(SIDES):
            axes.plot(time, angles[:, side, joint], color=COLORS[side_name], linewidth=1.6, label=side_name)
        axes.axhline(0.0, color="#9aa0a8", linewidth=0.8)
        axes.set_ylabel(name)
    panels[0].legend(*panels[1].get_legend_handles_labels(), **LEGEND_ABOVE)
    panels[4].plot(time, root_speed(clip), color=INK, linewidth=1.6)
    panels[4].set_ylabel("root speed\nm/s")
    panels[4].set_ylim(bottom=0.0)
    panels[5].plot(time, np.degrees(turning_rate(clip, body=use)), color=INK, linewidth=1.6)
    panels[5].axhline(0.0, color="#9aa0a8", linewidth=0.8)
    panels[5].set_ylabel("turning rate\ndeg/s, left +")
    panels[5].set_xlabel("seconds")
    save_figure(figure, target, dpi=dpi)


def render_contacts(
    clip: Clip,
    path: str | Path,
    *,
    contacts: BoolArray | None = None,
    settings: ContactSettings | None = None,
    title: str | None = None,
    body: Body | None = None,
    width: float = 12.0,
    dpi: float = 110.0,
) -> None:
    """Write height and speed of the balls of both feet to `path`, with thresholds, and contacts shaded.

    `contacts` [frame, 2] default to those detected with `settings`, whose thresholds are drawn. The curves are cut off
    at five times the leave threshold, since only values near it matter. `width` is in inches.
    """
    target = checked_path(path)
    use, limits = body or find_body(clip.skeleton), settings or ContactSettings()
    _check_length(clip)
    labels = detect_contacts(clip, limits, body=use) if contacts is None else checked_contacts(clip, contacts)
    track = foot_track(clip, body=use, speed_window=limits.speed_window)
    figure, panels = _panels(clip, title, width, (1.0, 1.0, 1.0, 1.0))
    for side, name in enumerate(SIDES):
        height, speed = panels[2 * side], panels[2 * side + 1]
        for axes in (height, speed):
            for start, stop in _seconds(labels[:, side], clip.frame_time):
                axes.axvspan(start, stop, color=PRINT_COLORS[side], alpha=0.55, linewidth=0)
        color = COLORS[name]
        _draw_track(
            height,
            100.0 * track.height[:, side],
            clip.frame_time,
            color,
            100.0 * limits.enter_height,
            100.0 * limits.leave_height,
        )
        _draw_track(speed, track.speed[:, side], clip.frame_time, color, limits.enter_speed, limits.leave_speed)
        height.set_ylabel(f"{name} ball\nheight, cm")
        speed.set_ylabel(f"{name} ball\nspeed, m/s")
    panels[0].legend(**LEGEND_ABOVE)
    panels[3].set_xlabel("seconds; shaded: labelled as contact")
    save_figure(figure, target, dpi=dpi)


def _check_length(clip: Clip) -> None:
    if clip.frame_count < 2:
        raise ValueError(f"clip: expected at least 2 frames for curves, got {clip.frame_count}")


def _panels(clip: Clip, title: str | None, width: float, heights: tuple[float, ...]) -> tuple[Any, list[Any]]:
    """Return a figure with stacked panels on one time axis."""
    figure = new_figure(width, 0.9 + 1.75 * sum(heights))
    figure.set_layout_engine("constrained")
    grid = figure.subplots(len(heights), 1, sharex=True, gridspec_kw={"height_ratios": heights})
    panels = list(np.atleast_1d(grid))
    for axes in panels:
        axes.grid(color="#e3e6e9", linewidth=0.8)
        axes.set_axisbelow(True)
        for name in ("top", "right"):
            axes.spines[name].set_visible(False)
    panels[-1].set_xlim(0.0, clip.duration)
    figure.align_ylabels(panels)
    heading = drawable(title or f"{clip.name or 'clip'}   {clip.duration:.1f} s")
    figure.suptitle(heading, x=0.01, ha="left", fontsize=13, fontweight="bold", parse_math=False)
    return figure, panels


def _draw_contact_bars(axes: Any, contacts: BoolArray, frame_time: float) -> None:
    for side, name in enumerate(SIDES):
        spans = [(start, stop - start) for start, stop in _seconds(contacts[:, side], frame_time)]
        axes.broken_barh(spans, (1 - side - 0.36, 0.72), facecolors=PRINT_COLORS[side], edgecolors=COLORS[name])
    axes.set_yticks([1, 0], ["left stands", "right stands"])
    axes.set_ylim(-0.6, 1.6)
    axes.grid(visible=False)


def _draw_track(axes: Any, values: FloatArray, frame_time: float, color: str, enter: float, leave: float) -> None:
    axes.plot(np.arange(len(values)) * frame_time, values, color=color, linewidth=1.6)
    axes.axhline(enter, color=INK, linewidth=1.0, label="enter below")
    axes.axhline(leave, color=INK, linewidth=1.0, linestyle="--", label="leave above")
    axes.set_ylim(min(-0.2 * leave, 1.1 * float(values.min())), min(5.0 * leave, max(1.3 * leave, values.max() * 1.1)))


def _seconds(standing: BoolArray, frame_time: float) -> list[tuple[float, float]]:
    """Return start and end in seconds of each contact in `standing` [frame]."""
    return [(start * frame_time, stop * frame_time) for start, stop in true_runs(standing)]
