"""Plots of push trials: force against displacement and recovery, by body part and data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from motionfields.measure.analysis.output import checked_path, drawable, new_figure, save_figure

COLORS = ("#2a6f97", "#c8553d", "#5b8c5a", "#8e6c8a", "#c99a2e", "#4a4f57", "#3a9d9d")


class Dose(NamedTuple):
    """Mean effect of pushes of one size on one body part."""

    force: float  # newtons
    along: float  # metres along the push
    along_error: float  # its standard error
    recovery: float  # seconds
    recovery_error: float


def render_doses(
    doses: Mapping[str, Mapping[str, Sequence[Dose]]], path: str | Path, *, title: str = "", dpi: float = 100.0
) -> None:
    """Draw force against displacement (top) and recovery time (bottom) to the picture `path`.

    `doses` maps each data set and body part, by name, to the measurements at each force.
    """
    target = checked_path(path)
    figure = new_figure(3.6 * len(doses), 7.0)
    rows = figure.subplots(2, len(doses), squeeze=False, sharex=True, sharey="row")
    for column, (name, parts) in enumerate(doses.items()):
        for (part, points), color in zip(parts.items(), COLORS, strict=False):
            forces = [point.force for point in points]
            for axes, field in zip(rows[:, column], ("along", "recovery"), strict=True):
                values = np.array([getattr(point, field) for point in points])
                errors = np.array([getattr(point, f"{field}_error") for point in points])
                axes.errorbar(forces, values, yerr=errors, color=color, marker="o", markersize=3, label=drawable(part))
        rows[0, column].set_title(drawable(name), parse_math=False, fontsize=10)
        rows[1, column].set_xlabel("force, N, for 0.1 s")
    rows[0, 0].set_ylabel("metres along the push after 0.5 s")
    rows[1, 0].set_ylabel("seconds until recovered")
    rows[0, 0].legend(fontsize=8)
    if title:
        figure.suptitle(drawable(title), parse_math=False)
    figure.tight_layout()
    save_figure(figure, target, dpi=dpi)
