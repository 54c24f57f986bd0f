"""Plots that compare methods: one course, the distribution of responses, and bars next to the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.measure.analysis.output import checked_path, drawable, new_figure, save_figure

COLORS = ("#2a6f97", "#c8553d", "#5b8c5a", "#8e6c8a", "#c99a2e", "#3a9d9d", "#4a4f57")  # in the order of the data
GREY = "#8a9099"
PAPER_COLOR = "#c5cad1"


class Bar(NamedTuple):
    """Response of one row, and the paper's figures for it: min, mean and max, in seconds."""

    name: str
    times: tuple[float, float, float]
    error: float  # standard error of the mean
    paper: tuple[float, float, float] | None


def render_course(
    off: Mapping[str, tuple[FloatArray, FloatArray]],
    path: str | Path,
    *,
    changes: Sequence[tuple[float, float]],
    title: str = "",
    dpi: float = 110.0,
) -> None:
    """Draw each method's heading error over time, as in Fig. 7 of the paper, to the picture `path`.

    `off` maps each method to its times [frame] in seconds and errors [frame] in degrees; `changes` lists time in
    seconds and angle in degrees of each heading change.
    """
    target = checked_path(path)
    figure = new_figure(11.0, 4.4)
    axes = figure.subplots()
    first = changes[0][0] - 1.0
    axes.axhspan(0.0, 5.0, color="#d9e6ee", zorder=0)
    for time, angle in changes:
        axes.axvline(time, color=GREY, linestyle=":", linewidth=1.0)
        axes.text(time, 1.01, f"{angle:+.0f}°", transform=axes.get_xaxis_transform(), ha="center", fontsize=9)
    for (name, (seconds, degrees)), color in zip(off.items(), COLORS, strict=False):
        axes.plot(seconds, np.abs(degrees), color=color, linewidth=1.8, label=drawable(name))
    axes.set(xlim=(first, changes[-1][0] + 3.0), ylim=(0.0, 185.0), yticks=range(0, 181, 30))
    axes.set(xlabel="seconds", ylabel="heading error in degrees")
    axes.legend(fontsize=9, loc="upper right")
    _finish(figure, title, target, dpi)


def render_distribution(
    reached: Mapping[str, FloatArray], path: str | Path, *, title: str = "", dpi: float = 110.0
) -> None:
    """Draw the share of changes that each method has completed over time to the picture `path`.

    `reached` maps each method to its response times [trial] in seconds; infinite if a change was not completed.
    """
    target = checked_path(path)
    figure = new_figure(8.0, 4.8)
    axes = figure.subplots()
    done = [times[np.isfinite(times)] for times in reached.values()]
    last = max((float(np.percentile(times, 99.0)) for times in done if times.size), default=1.0) + 0.2
    for (name, times), color in zip(reached.items(), COLORS, strict=False):
        ordered = np.sort(times[np.isfinite(times)])
        share = 100.0 * np.arange(1, len(ordered) + 1) / len(times)
        axes.step(
            [0.0, *ordered, 6.0], [0.0, *share, *share[-1:], *[0.0] * (not share.size)], where="post", color=color
        )
        mean = f", mean {ordered.mean():.2f} s" if ordered.size else ", none completed"
        axes.plot([], [], color=color, label=drawable(name) + mean)
    axes.set(xlabel="seconds after the change", ylabel="% of changes completed", xlim=(0.0, last), ylim=(0.0, 101.0))
    axes.grid(alpha=0.3)
    axes.legend(fontsize=9, loc="lower right")
    _finish(figure, title, target, dpi)


def render_bars(bars: Sequence[Bar], path: str | Path, *, title: str = "", dpi: float = 110.0) -> None:
    """Draw the mean response of each row next to the paper's to `path`; whiskers show min and max."""
    target = checked_path(path)
    figure = new_figure(9.0, 1.4 + 0.62 * len(bars))
    axes = figure.subplots()
    for place, bar in enumerate(bars):
        beside = bar.paper is not None
        _draw_bar(axes, place - 0.19 * beside, bar.times, COLORS[0], f"{bar.times[1]:.2f} ± {bar.error:.2f}")
        if bar.paper is not None:
            _draw_bar(axes, place + 0.19, bar.paper, PAPER_COLOR, f"{bar.paper[1]:.2f}")
    axes.set_yticks(range(len(bars)), [drawable(bar.name) for bar in bars])
    axes.invert_yaxis()
    axes.bar(0.0, 0.0, color=COLORS[0], label="here")
    axes.bar(0.0, 0.0, color=PAPER_COLOR, label="the paper, on its own data")
    axes.set_xlabel("response, s: mean, minimum and maximum")
    axes.set_xlim(0.0, 1.15 * axes.get_xlim()[1])
    axes.legend(fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    _finish(figure, title, target, dpi)


def _draw_bar(axes: Any, place: float, times: tuple[float, float, float], color: str, text: str) -> None:
    least, mean, most = times
    if not np.isfinite(mean):
        axes.annotate("none completed", (0.0, place), va="center", fontsize=8)
        return
    axes.barh(place, mean, height=0.34, color=color)
    axes.plot([least, most], [place, place], color="#4a4f57", linewidth=1.0, marker="|", markersize=6)
    axes.annotate(
        text, (most, place), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8, color="#333333"
    )


def _finish(figure: Any, title: str, target: Path, dpi: float) -> None:
    if title:
        figure.suptitle(drawable(title), parse_math=False, fontsize=11)
    figure.tight_layout()
    save_figure(figure, target, dpi=dpi)
