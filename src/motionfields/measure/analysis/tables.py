"""The pictures of a report of `motionfields bench tables`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from motionfields.measure.analysis.comparison import Bar, render_bars, render_course, render_distribution
from motionfields.measure.analysis.filmstrip import render_comparison
from motionfields.measure.analysis.response import render_frontier
from motionfields.measure.evaluation import Figures
from motionfields.measure.evaluation.tables.cells import Content
from motionfields.measure.evaluation.tables.comparing import seconds_of
from motionfields.measure.evaluation.tables.document import Picture
from motionfields.measure.evaluation.tables.measuring import (
    COURSE_HEADINGS,
    COURSE_TIMES,
    FILM_BEFORE,
    FILMED,
    film_clip,
)
from motionfields.measure.evaluation.tables.registry import Registry
from motionfields.measure.evaluation.tables.report import Drawn
from motionfields.measure.evaluation.tables.running import SWEPT, Results
from motionfields.measure.evaluation.tables.workshop import DataSet, slug

FILM_POSES = 10


def draw_tables(results: Results, sets: Sequence[DataSet], folder: Path, registry: Registry) -> list[Drawn]:
    """Draw all pictures of `results` into `folder`."""
    drawn: list[Drawn] = []
    for data in sets:
        for case in registry.cases:
            drawn += _case_pictures(results, data, case, folder, registry)
        drawn += _set_pictures(results, data, folder, registry)
    return drawn


def _case_pictures(results: Results, data: DataSet, case: str, folder: Path, registry: Registry) -> Iterator[Drawn]:
    rows = {row: content for (name, task, row), content in results.rows.items() if (name, task) == (data.name, case)}
    if not rows:
        return
    path = folder / f"distribution_{data.slug}_{slug(case)}.png"
    curves = {row: seconds_of(rows[row]) for row in _methods(registry) if row in rows}
    render_distribution(curves, path, title=f"{data.name}: {case}, share of changes completed in time")
    yield Drawn(data.name, case, Picture(path, f"{data.name}, {case}: share of changes completed over time."))
    path = folder / f"bars_{data.slug}_{slug(case)}.png"
    paper = registry.cases[case].paper
    beside = {row.name: paper.get(row.paper or "") for row in registry.rows}
    bars = [_bar(row, content, beside.get(row)) for row, content in rows.items()]
    render_bars(bars, path, title=f"{data.name}: {case}, mean response")
    yield Drawn(data.name, case, Picture(path, f"{data.name}, {case}: mean response of each row and of the paper."))


def _set_pictures(results: Results, data: DataSet, folder: Path, registry: Registry) -> Iterator[Drawn]:
    order = _methods(registry)
    courses = {row: results.courses[data.name, row] for row in order if (data.name, row) in results.courses}
    if courses:
        yield _course_picture(courses, data, folder)
        for name, time in FILMED.items():
            path = folder / f"film_{data.slug}_{name}.png"
            clips = [film_clip(data.field, one["films"][name], name=row) for row, one in courses.items()]
            titles = [f"{row}: a change by {int(name)} degrees at {FILM_BEFORE:g} s" for row in courses]
            render_comparison(clips, path, titles=titles, pose_count=FILM_POSES, dpi=90.0)
            said = f"{data.name}: the same change by {int(name)} degrees, {time:g} s into the course."
            yield Drawn(data.name, "", Picture(path, said))
    swept = {
        row: [(key[2], one) for key, one in results.sweeps.items() if key[:2] == (data.name, row)] for row in order
    }
    lines = {row: [(agility, _figures(one)) for agility, one in points] for row, points in swept.items() if points}
    if lines:
        path = folder / f"frontier_{data.slug}.png"
        render_frontier(lines, path, title=f"{data.name}: {SWEPT}, by agility")
        said = f"{data.name}: mean response against the quality of motion, by agility; dotted lines are gates."
        yield Drawn(data.name, "", Picture(path, said))


def _methods(registry: Registry) -> list[str]:
    """Return the rows that are methods as trained, the reference first; their order sets the colours."""
    rest = [row.name for row in registry.rows if row.derive is None and row.name not in registry.main]
    return [registry.reference, *registry.main[:-1], *rest]


def _course_picture(courses: dict[str, Content], data: DataSet, folder: Path) -> Drawn:
    path = folder / f"course_{data.slug}.png"
    off = {row: (np.array(one["seconds"]), np.array(one["off_deg"])) for row, one in courses.items()}
    steps = (np.diff(COURSE_HEADINGS) + 180.0) % 360.0 - 180.0
    turns = [(time, 180.0 if step == -180.0 else step) for time, step in zip(COURSE_TIMES[1:], steps, strict=True)]
    render_course(off, path, changes=turns, title=f"{data.name}: one character, three changes of direction")
    said = f"{data.name}: heading error of one character, as in Fig. 7; the band is within 5 degrees."
    return Drawn(data.name, "", Picture(path, said))


def _bar(row: str, content: Content, paper: tuple[float, float, float] | None) -> Bar:
    figures = _figures(content)
    return Bar(row, (figures.fastest, figures.mean, figures.slowest), figures.error, paper)


def _figures(content: Content) -> Figures:
    """Return the figures of a cell, with the error of its mean."""
    found: dict[str, Any] = {
        name: float("nan") if value is None else value for name, (value, _) in content["figures"].items()
    }
    error = content["figures"]["mean"][1]
    return Figures(**found, error=float("nan") if error is None else error)
